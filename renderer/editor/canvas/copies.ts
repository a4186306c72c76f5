/** Copies of elements, placed over their originals at the same time. Pure. */
import { takeName } from '../../../shared/free-name.ts';
import type { JsonObject, Source } from '../../../shared/renderscript/source.ts';
import {
  appendItems,
  applied,
  appliedInOrder,
  parsePath,
  removeItems,
} from '../source/json-text.ts';
import { changedText } from '../timeline/change.ts';
import type { Clips } from '../timeline/clips.ts';
import { endToEnd } from '../timeline/rows.ts';
import { closedUp } from '../timeline/trim.ts';
import { elementAt, type OutlineItem } from '../outline/elements.ts';
import { parentOf } from './hits.ts';

/** A document with copies of some elements, and the paths of the copies. */
export interface Copied {
  readonly text: string;
  readonly paths: readonly string[];
}

/** @param outline Says when elements without a time of their own begin. */
export function withCopies(
  text: string,
  source: Source,
  originals: readonly string[],
  outline: readonly OutlineItem[],
): Copied {
  const names = new Set(outline.map(({ label }) => label));
  const startOf = startsIn(outline);
  const lists = new Map<string, { readonly length: number; readonly copies: JsonObject[] }>();
  const paths = originals.map((path) => {
    const element = elementAt(source, path);
    const parent = parentOf(path);
    const list = parent === '' ? 'elements' : `${parent}.elements`;
    const around = parent === '' ? source : elementAt(source, parent);
    const length = Array.isArray(around?.elements) ? around.elements.length : 0;
    const known = lists.get(list) ?? { length, copies: [] };
    lists.set(list, known);
    const index = length + known.copies.length;
    if (element) known.copies.push(copyOf(timedElement(element, path, startOf), names));
    return `${list}[${index}]`;
  });
  const made = [...lists].reduce(
    (before, [list, { copies }]) => applied(before, appendItems(before, parsePath(list), copies)),
    text,
  );
  return { text: made, paths };
}

/** When elements begin, in seconds of the document. */
export type StartOf = (path: string) => number;

/** The starts of an outline's elements, as drawn last; 0 where that is not known. */
export function startsIn(outline: readonly OutlineItem[]): StartOf {
  const starts = new Map(outline.map(({ path, drawn }) => [path, drawn?.start ?? 0]));
  return (path) => starts.get(path) ?? 0;
}

/** The element with a time of its own, also where its lane gives it one. */
export function timedElement(element: JsonObject, path: string, startOf: StartOf): JsonObject {
  const { track, time } = element;
  const isSequenced =
    track !== undefined && track !== null && (time === undefined || time === null);
  if (!isSequenced) return element;
  return { ...element, time: Math.round((startOf(path) - startOf(parentOf(path))) * 1000) / 1000 };
}

/** On a lane of its own: on the original's it would come after it. A name that is taken gets a number. */
export function copyOf(element: JsonObject, names: Set<string>): JsonObject {
  const rest = Object.fromEntries(
    Object.entries(element).filter(([name]) => name !== 'id' && name !== 'track'),
  );
  const { name } = element;
  if (typeof name !== 'string') return rest;
  const free = takeName(name, names);
  return free === name ? rest : { ...rest, name: free };
}

/**
 * The document without some elements.
 *
 * @param clips The document in time: what follows on the main track then closes up. Default: everything stays.
 */
export function without(
  text: string,
  paths: readonly string[],
  clips: Clips | null = null,
): string {
  const gone = new Set(paths);
  const ended = clips ? endToEnd(clips).filter(({ path }) => gone.has(path)) : [];
  const closed =
    clips && ended.length > 0
      ? changedText(text, { values: closedUp(clips, ended), order: null })
      : text;
  return appliedInOrder(closed, removeItems(closed, paths.map(parsePath)));
}
