/** Which element a pointer means. Pure. */
import { elementPathOf } from '../outline/elements.ts';
import { parsePath, printPath } from '../source/json-text.ts';

/** Path of what an element lies in; '' for the document. */
export function parentOf(path: string): string {
  const parts = parsePath(path);
  return printPath(parts.slice(0, -2));
}

/** An element is, or lies inside of, another one. */
export const isWithin = (path: string, around: string): boolean =>
  around === '' || path === around || path.startsWith(`${around}.`);

/**
 * The element to select for one that was hit: siblings of the selected one and what surrounds it come first, so that a
 * group acts as one until it is entered.
 *
 * @param hit The innermost element under the pointer.
 * @param selected '' for none.
 */
export function meantBy(hit: string, selected: string): string {
  // The nearest level around the selection that holds both.
  let level = selected === '' ? '' : parentOf(selected);
  while (level !== '' && !isWithin(hit, level)) level = parentOf(level);
  return childOf(hit, level);
}

/** One level further in than the selected element, towards what was hit. */
export function innerOf(hit: string, selected: string): string {
  return isWithin(hit, selected) && hit !== selected ? childOf(hit, selected) : hit;
}

function childOf(path: string, level: string): string {
  const rest = level === '' ? path : path.slice(level.length + 1);
  const own = /^elements\[\d+\]/.exec(rest)?.[0] ?? rest;
  return elementPathOf(level === '' ? own : `${level}.${own}`);
}
