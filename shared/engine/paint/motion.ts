/**
 * Whether an element moves: static elements may snap to whole pixels, moving ones may not. Phase 4. See: [Note: Text
 * that moves]
 */
import type { TimelineElement } from '../compile/timeline.ts';
import { valueNames } from '../compile/values.ts';
import { multiply, type Matrix } from '../geometry.ts';
import type { Box } from '../layout/box.ts';
import { captionsMove } from '../layout/caption-effects.ts';

/** How a place in the picture moves. See: [Note: Text that moves] */
export interface Motion {
  /** The map to its pixels without animations; null = something else moves it too. */
  readonly rest: Matrix | null;
  /** True if it is at rest in this frame. */
  readonly still: boolean;
  /** True if nothing around it ever moves it. */
  readonly stands: boolean;
}

/** For drawings that are used at another place or size. */
export const anywhere: Motion = { rest: null, still: false, stands: false };

/** Properties whose keyframes move or resize the drawing. */
const movingProperties = valueNames(({ use }) => use === 'place' || use === 'size');
/** Of these, those that keep the drawing's size. */
const glidingProperties = valueNames(({ use }) => use === 'place');

/** Animations that move nothing. */
const stillAnimations: ReadonlySet<string> = new Set([
  'fade',
  'wipe',
  'circular-wipe',
  'color-wipe',
  'stripe',
  'text-appear',
  'text-reveal',
  'text-typewriter',
  'text-counter',
]);

/** Animations that move an element without resizing or rotating it. */
const glidingAnimations: ReadonlySet<string> = new Set(['slide', 'shift']);

const knownRests = new WeakMap<TimelineElement, boolean>();
const known = new WeakMap<TimelineElement, boolean>();
const knownSizes = new WeakMap<TimelineElement, boolean>();

/**
 * True if an element keeps its drawn size for its whole life, even if it glides; percentages follow the parent.
 */
export function keepsSize(element: TimelineElement): boolean {
  let result = knownSizes.get(element);
  if (result === undefined) {
    const resizes = Object.keys(element.values.curves).some(
      (property) => movingProperties.has(property) && !glidingProperties.has(property),
    );
    result =
      !resizes &&
      element.animations.every(
        ({ type }) => stillAnimations.has(type) || glidingAnimations.has(type),
      );
    knownSizes.set(element, result);
  }
  return result;
}

/** All that painting asks about an element beside its box: elements of the same kind are painted alike. */
export function motionKind(element: TimelineElement): string {
  return [hasRest(element), moves(element), keepsSize(element)].join();
}

/** True if keyframes or animations ever move the element. */
function moves(element: TimelineElement): boolean {
  let result = known.get(element);
  if (result === undefined) {
    result = !hasRest(element) || element.animations.some(({ type }) => !stillAnimations.has(type));
    known.set(element, result);
  }
  return result;
}

/**
 * True if only animations move the element: it then rests where it would be without them. Keyframes, and captions with
 * moving words, have no such place.
 */
function hasRest(element: TimelineElement): boolean {
  let result = knownRests.get(element);
  if (result === undefined) {
    result =
      !Object.keys(element.values.curves).some((property) => movingProperties.has(property)) &&
      !(
        element.type === 'text' &&
        element.captions !== undefined &&
        captionsMove(element.captions)
      );
    knownRests.set(element, result);
  }
  return result;
}

/** True if animations don't move a box at this moment. */
function isAtRest({ element, transform, rest, contentTransform, bend }: Box): boolean {
  if (!hasRest(element) || contentTransform) return false;
  return rest === undefined || (!bend && isSame(rest, transform));
}

/** Equal except for rounding; translations are pixels. */
function isSame(one: Matrix, other: Matrix): boolean {
  return one.every((value, index) => Math.abs(value - (other[index] ?? 0)) < 1e-6);
}

/** The motion of a box within a moving place. */
export function motionIn({ rest, still, stands }: Motion, box: Box): Motion {
  return {
    rest: rest && hasRest(box.element) ? multiply(rest, box.rest ?? box.transform) : null,
    still: still && isAtRest(box),
    stands: stands && !moves(box.element),
  };
}
