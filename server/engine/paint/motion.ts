/**
 * Whether an element ever moves: still text may stick to whole pixels, gliding text may not. Phase 4.
 * See: [Note: Text that moves]
 */
import type { TimelineElement } from '../compile/timeline.ts';

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

const known = new WeakMap<TimelineElement, boolean>();

/**
 * True when keyframes or animations move the element at some time. Decided for its whole life, not for the moment:
 * text that snapped to the grid when its animation ends would jump.
 */
export function moves(element: TimelineElement): boolean {
  let result = known.get(element);
  if (result === undefined) {
    result =
      Object.keys(element.values.curves).some((property) => movingProperties.has(property)) ||
      element.animations.some(({ type }) => !stillAnimations.has(type));
    known.set(element, result);
  }
  return result;
}
