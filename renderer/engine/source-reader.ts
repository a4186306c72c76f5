/**
 * Reads a document's text again and again, as it changes at each step of a gesture and with each letter typed: only the
 * element with the change is read, and all others stay the same objects, so that comparing documents costs little.
 * Pure.
 */
import { isJsonObject, type Json, type JsonObject } from '../../shared/renderscript/source.ts';
import { differenceOf } from './text-change.ts';

/** Letters of a value in the text. */
interface Range {
  readonly from: number;
  readonly to: number;
}

interface Read {
  readonly text: string;
  readonly value: Json;
  /** Where each of the outermost elements stands; null if the text has no list of them that is sure to be the one. */
  readonly elements: readonly Range[] | null;
}

/** One text that changes. */
export class SourceReader {
  #last: Read | null = null;

  /**
   * What `JSON.parse` gives. Elements in whose text nothing has changed are those of the last call.
   *
   * @throws SyntaxError
   */
  read(text: string): Json {
    const read = this.#followed(text) ?? readWhole(text);
    this.#last = read;
    return read.value;
  }

  /** Null if more, or something else, has changed than one element. */
  #followed(text: string): Read | null {
    const last = this.#last;
    if (!last?.elements) return null;
    const [change] = differenceOf(last.text, text);
    if (!change) return last;
    const index = last.elements.findIndex(({ from, to }) => from < change.from && change.to < to);
    const range = last.elements[index];
    if (!range || !isJsonObject(last.value)) return null;
    const grown = text.length - last.text.length;
    const element = elementIn(text.slice(range.from, range.to + grown));
    const before = last.value.elements;
    if (!element || !Array.isArray(before)) return null;
    return {
      text,
      value: { ...last.value, elements: before.with(index, element) },
      elements: last.elements.map(({ from, to }, at) => ({
        from: at > index ? from + grown : from,
        to: at >= index ? to + grown : to,
      })),
    };
  }
}

/** Null for what is no element by itself: what is wrong, or whether it is two now, the whole text says. */
function elementIn(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

function readWhole(text: string): Read {
  // Whatever JSON gives is JSON.
  const value = JSON.parse(text) as Json;
  const ranges = isJsonObject(value) ? elementRanges(text) : null;
  const count = isJsonObject(value) && Array.isArray(value.elements) ? value.elements.length : -1;
  return { text, value, elements: ranges?.length === count ? ranges : null };
}

/**
 * The places of the outermost elements.
 *
 * @param text JSON with an object. Null if it says `elements` twice, or in a spelling that only a parser reads.
 */
function elementRanges(text: string): Range[] | null {
  let found: Range[] | null = null;
  let isKey = false;
  /** In the list of elements, which lies at depth 2. */
  let isInside = false;
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '"': {
        const end = endOfString(text, at);
        if (depth === 1 && isKeyAt(text, end)) {
          const key = text.slice(at, end);
          isKey = key === '"elements"';
          if ((isKey && found) || key.includes('\\')) return null;
        }
        at = end - 1;
        break;
      }
      case '{':
      case '[':
        depth += 1;
        if (depth === 2 && isKey) {
          isInside = true;
          found = [];
        }
        if (depth === 3) from = at;
        break;
      case '}':
      case ']':
        if (depth === 3 && isInside) found?.push({ from, to: at + 1 });
        if (depth === 2) isInside = isKey = false;
        depth -= 1;
        break;
      default:
    }
  }
  return found;
}

/** After its closing mark. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

const colon = /\s*:/y;

function isKeyAt(text: string, end: number): boolean {
  colon.lastIndex = end;
  return colon.test(text);
}
