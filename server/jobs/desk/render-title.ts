/** A document's most prominent text: beside the template's name, it tells renders of the same template apart. Pure. */
import { isJsonObject, type JsonObject, type Source } from '../../../shared/renderscript/source.ts';

/** Characters that are kept. */
const longest = 80;
/** How many elements to examine, so that the cost is bounded. */
const mostElements = 500;

/** Names of elements that are meant to be read first. */
const titleName = /title|headline|heading|\bname\b/i;

/**
 * The text of the element called title, headline or the like; else of the first text marked as a field; else of the
 * first text. On one line, without markup; null if there is none.
 */
export function titleOf(source: Source): string | null {
  const texts = textsOf(source);
  const named = texts.find(({ name }) => typeof name === 'string' && titleName.test(name));
  const element = named ?? texts.find(({ dynamic }) => dynamic === true) ?? texts[0];
  return element ? plainText(element.text) : null;
}

/** Elements with text, in document order. */
function textsOf(source: Source): JsonObject[] {
  const found: JsonObject[] = [];
  const waiting: unknown[] = [source];
  let looked = 0;
  while (waiting.length > 0 && looked < mostElements) {
    const one = waiting.pop();
    if (!isJsonObject(one)) continue;
    looked += 1;
    if (one.type === 'text' && plainText(one.text) !== null) found.push(one);
    const { elements } = one;
    // Array.isArray widens read-only lists to any[].
    const list: readonly unknown[] = Array.isArray(elements) ? elements : [];
    waiting.push(...list.slice(0, mostElements).reverse());
  }
  return found;
}

function plainText(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  // Bounds the work for a long text.
  const line = text
    .slice(0, 10 * longest)
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const letters = Array.from(line);
  if (letters.length === 0) return null;
  return letters.length <= longest ? line : `${letters.slice(0, longest - 1).join('')}…`;
}
