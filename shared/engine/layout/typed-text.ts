/**
 * A text while it is typed in the picture: drawn as it is written and at rest, so that each letter is where its caret
 * is. Pure.
 */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Source,
} from '../../renderscript/source.ts';
import type { CompositionElement, Timeline } from '../compile/timeline.ts';
import { caretPlaces, type CaretPlaces } from '../text/caret-places.ts';
import type { TextBlock, TextRoom } from '../text/block.ts';
import { plainText } from '../text/styled-parts.ts';

/** The timeline without the animations of one element; the others stay the identical objects. */
export function withResting(timeline: Timeline, path: string): Timeline {
  const rest = (composition: CompositionElement): CompositionElement => ({
    ...composition,
    children: composition.children.map((child) => {
      if (child.path === path) return { ...child, animations: [] };
      return child.type === 'composition' && path.startsWith(`${child.path}.`)
        ? rest(child)
        : child;
    }),
  });
  return path === '' ? timeline : { ...timeline, root: rest(timeline.root) };
}

/** An element that is typed: the text of it, with placeholders as they are written; a blank one keeps its place. */
export function typedElement(element: JsonObject, given: JsonObject): JsonObject {
  const { text = '' } = given;
  if (given.type !== 'text' || element.type !== 'text' || typeof text !== 'string') return element;
  if (/\S/.test(plainText(text))) return { ...element, text };
  // Spaces alone are not drawn, and what is not drawn is nowhere.
  const kept = text.replace(/ /g, '\u00a0');
  return { ...element, text: kept.includes('\u00a0') ? kept : `\u00a0${kept}` };
}

/** A document in which an element is typed, if it is there. */
export function withTyped(source: Source, given: Source, path: string): Source {
  const keys = keysOf(path);
  return keys.length === 0 ? source : (changed(source, given, keys) ?? source);
}

/** `elements[1].elements[0]` → 1, 0. */
const keysOf = (path: string): readonly number[] => path.match(/\d+/g)?.map(Number) ?? [];

function changed(
  parent: JsonObject,
  given: JsonObject,
  [key = 0, ...deeper]: readonly number[],
): JsonObject | null {
  const [element, written] = [childAt(parent, key), childAt(given, key)];
  if (!element || !written) return null;
  const made =
    deeper.length > 0 ? changed(element, written, deeper) : typedElement(element, written);
  return made && { ...parent, elements: listOf(parent).with(key, made) };
}

const listOf = ({ elements }: JsonObject): readonly Json[] =>
  Array.isArray(elements) ? (elements as readonly Json[]) : [];

function childAt(parent: JsonObject, key: number): JsonObject | null {
  const child = listOf(parent)[key];
  return isJsonObject(child) ? child : null;
}

/** The places of the text that is typed in a document. */
export function typedPlaces(
  given: Source,
  path: string,
  block: TextBlock,
  room: TextRoom,
): CaretPlaces {
  const element = keysOf(path).reduce<JsonObject | null>(
    (parent, key) => parent && childAt(parent, key),
    given,
  );
  const written = typeof element?.text === 'string' ? plainText(element.text) : '';
  return caretPlaces(written.replace(/\r\n?/g, '\n'), block, room);
}
