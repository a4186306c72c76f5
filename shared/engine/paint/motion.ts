/**
 * Whether an element moves: what stands may stick to whole pixels, what glides may not. Phase 4.
 * See: [Note: Text that moves]
 */
import type { TimelineElement } from '../compile/timeline.ts';
import { valueNames } from '../compile/values.ts';
import { multiply, type Matrix } from '../geometry.ts';
import type { Box } from '../layout/box.ts';
import { captionsMove } from '../layout/caption-effects.ts';

/** How a place in the picture moves. See: [Note: Text that moves] */
export interface Motion {
  /** The map that leads to its pixels while no animation acts; null = something else moves it too. */
  readonly rest: Matrix | null;
  /** True when it is at rest in this frame. */
  readonly still: boolean;
  /** True when nothing around it moves it at any time. */
  readonly stands: boolean;
}

/** Of drawings that are put down in another place or size than they are made in. */
export const anywhere: Motion = { rest: null, still: false, stands: false };

/** Properties whose keyframes move or resize what is drawn. */
const movingProperties = valueNames(({ use }) => use === 'place' || use === 'size');
/** Of these, those that leave the size of what is drawn as it is. */
const glidingProperties = valueNames(({ use }) => use === 'place');

/** Animations that leave everything where it is. */
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

/** Animations that move an element without resizing or turning it. */
const glidingAnimations: ReadonlySet<string> = new Set(['slide', 'shift']);

const knownRests = new WeakMap<TimelineElement, boolean>();
const known = new WeakMap<TimelineElement, boolean>();
const knownSizes = new WeakMap<TimelineElement, boolean>();

/**
 * True when an element is drawn at one size for its whole life, wherever it glides meanwhile; percentages of the parent
 * count as the parent does.
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

/** True when keyframes or animations move the element at some time of its life. */
function moves(element: TimelineElement): boolean {
  let result = known.get(element);
  if (result === undefined) {
    result = !hasRest(element) || element.animations.some(({ type }) => !stillAnimations.has(type));
    known.set(element, result);
  }
  return result;
}

/**
 * True when only animations move the element: it then comes to rest where it would be without them. Keyframes, and
 * captions whose words move, have no such place.
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

/** True when animations leave a box, at this moment, where it is without them. */
function isAtRest({ element, transform, rest, contentTransform, bend }: Box): boolean {
  if (!hasRest(element) || contentTransform) return false;
  return rest === undefined || (!bend && isSame(rest, transform));
}

/** Equal up to what rounding leaves; translations are pixels. */
function isSame(one: Matrix, other: Matrix): boolean {
  return one.every((value, index) => Math.abs(value - (other[index] ?? 0)) < 1e-6);
}

/** How a box moves on a place that moves. */
export function motionIn({ rest, still, stands }: Motion, box: Box): Motion {
  return {
    rest: rest && hasRest(box.element) ? multiply(rest, box.rest ?? box.transform) : null,
    still: still && isAtRest(box),
    stands: stands && !moves(box.element),
  };
}
