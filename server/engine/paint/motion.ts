/**
 * Whether an element ever moves: still text may stick to whole pixels, gliding text may not. Phase 4.
 * See: [Note: Text that moves]
 */
import type { TimelineElement } from '../compile/timeline.ts';
import { captionsMove } from '../layout/caption-effects.ts';

/** Properties whose keyframes move or resize what is drawn. */
const movingProperties: ReadonlySet<string> = new Set([
  'x',
  'y',
  'width',
  'height',
  'aspectRatio',
  'xPadding',
  'yPadding',
  'xAnchor',
  'yAnchor',
  'xScale',
  'yScale',
  'xSkew',
  'ySkew',
  'xRotation',
  'yRotation',
  'zRotation',
  'perspective',
  'xAlignment',
  'yAlignment',
  'fontSize',
  'lineHeight',
  'letterSpacing',
]);

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

/** Of the properties above, those that leave the size of what is drawn as it is. */
const glidingProperties: ReadonlySet<string> = new Set(['x', 'y', 'xAlignment', 'yAlignment']);

/** Animations that move an element without resizing or turning it. */
const glidingAnimations: ReadonlySet<string> = new Set(['slide', 'shift']);

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

/**
 * True when keyframes or animations move the element at some time. Decided for its whole life, not for the moment:
 * text that snapped to the grid when its animation ends would jump.
 */
export function moves(element: TimelineElement): boolean {
  let result = known.get(element);
  if (result === undefined) {
    result =
      Object.keys(element.values.curves).some((property) => movingProperties.has(property)) ||
      element.animations.some(({ type }) => !stillAnimations.has(type)) ||
      (element.type === 'text' && element.captions !== undefined && captionsMove(element.captions));
    known.set(element, result);
  }
  return result;
}
