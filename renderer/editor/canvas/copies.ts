/** Copies of elements, placed over their originals at the same time. Pure. */
import type { JsonObject, Source } from '../../../shared/renderscript/source.ts';
import { applied, insertItem, parsePath, setValue } from '../code/json-text.ts';
import { elementAt, type OutlineItem } from '../elements.ts';
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
  const counts = new Map<string, number>();
  let made = text;
  const paths = originals.map((path) => {
    const element = elementAt(source, path);
    const parent = parentOf(path);
    const list = parent === '' ? 'elements' : `${parent}.elements`;
    const around = parent === '' ? source : elementAt(source, parent);
    const length = Array.isArray(around?.elements) ? around.elements.length : 0;
    const index = counts.get(list) ?? length;
    counts.set(list, index + 1);
    if (element)
      made = applied(
        made,
        insertItem(made, parsePath(list), copyOf(element, path, outline, names)),
      );
    return `${list}[${index}]`;
  });
  return { text: made, paths };
}

/** On a lane of its own: on the original's it would come after it. */
function copyOf(
  element: JsonObject,
  path: string,
  outline: readonly OutlineItem[],
  names: Set<string>,
): JsonObject {
  const { track } = element;
  const rest = Object.fromEntries(
    Object.entries(element).filter(([name]) => name !== 'id' && name !== 'track'),
  );
  const at = (one: string): number => outline.find((item) => item.path === one)?.drawn?.start ?? 0;
  const isSequenced =
    track !== undefined && track !== null && (element.time === undefined || element.time === null);
  const time = isSequenced
    ? { time: Math.round((at(path) - at(parentOf(path))) * 1000) / 1000 }
    : {};
  return {
    ...rest,
    ...time,
    ...(typeof element.name === 'string' && { name: freeName(element.name, names) }),
  };
}

/** `Title` → `Title 2`, the first free name; then marks it as taken. */
export function freeName(name: string, names: Set<string>): string {
  const stem = name.replace(/ \d+$/, '');
  let count = 2;
  while (names.has(`${stem} ${count}`)) count++;
  const found = `${stem} ${count}`;
  names.add(found);
  return found;
}

/** The document without some elements. */
export function without(text: string, paths: readonly string[]): string {
  // From the end, so that the places of the remaining ones stay valid.
  const keys = paths.map(parsePath).sort((a, b) => compare(b, a));
  return keys.reduce((made, key) => applied(made, setValue(made, key, undefined)), text);
}

function compare(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const [one, other] = [a[at], b[at]];
    if (typeof one === 'number' && typeof other === 'number' && one !== other) return one - other;
  }
  return a.length - b.length;
}
