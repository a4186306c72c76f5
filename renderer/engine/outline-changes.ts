/**
 * Where elements lie, as the drawing worker tells the page: all of it once, then what differs from the last time. A
 * gesture moves a few of a thousand elements at each step. Pure; one end runs in the worker, the other in the page.
 */
import type { Outline, Plane, PreviewFacts } from '../../shared/preview.ts';

type Outlines = PreviewFacts['outlines'];

/** What is sent. */
export interface OutlineChanges {
  /** False: these are all there are, and their order is that of drawing. True: the others, and the order, stay. */
  readonly isPart: boolean;
  readonly outlines: Outlines;
}

/** The worker's end. */
export class OutlineSender {
  #last: Outlines | null = null;

  send(outlines: Outlines): OutlineChanges {
    const last = this.#last;
    this.#last = outlines;
    if (!last || !hasSamePaths(last, outlines)) return { isPart: false, outlines };
    const changed = Object.entries(outlines).filter(([path, outline]) => {
      const before = last[path];
      return !before || !isSame(before, outline);
    });
    return { isPart: true, outlines: Object.fromEntries(changed) };
  }
}

/** The page's end. */
export class OutlineReceiver {
  #all: Outlines = {};

  /** @returns all that there are now: another object whenever something has changed */
  take({ isPart, outlines }: OutlineChanges): Outlines {
    // A path that is there already keeps its place in the order.
    if (!isPart) this.#all = outlines;
    else if (Object.keys(outlines).length > 0) this.#all = { ...this.#all, ...outlines };
    return this.#all;
  }
}

/** In the same order, too. */
function hasSamePaths(one: Outlines, other: Outlines): boolean {
  const [paths, others] = [Object.keys(one), Object.keys(other)];
  return paths.length === others.length && paths.every((path, index) => path === others[index]);
}

function isSame(one: Outline, other: Outline): boolean {
  if (one === other) return true;
  return (
    isSamePlane(one, other) &&
    isSamePlane(one.inside, other.inside) &&
    isSamePlane(one.picture, other.picture)
  );
}

function isSamePlane(one: Plane | undefined, other: Plane | undefined): boolean {
  if (!one || !other) return one === other;
  return (
    one.width === other.width &&
    one.height === other.height &&
    one.corners.every((corner, index) => corner === other.corners[index])
  );
}
