/** Which of an element's siblings are painted above it, and whether that can be seen. Pure. */
import { keyframesOf } from '../../../shared/renderscript/keyframes.ts';
import { lanesOf } from '../../../shared/renderscript/lanes.ts';
import type { JsonObject } from '../../../shared/renderscript/source.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';
import { boundsOf, type Area } from './plane.ts';

/** Indexes of siblings from the lowest to the topmost. */
export function paintOrder(elements: readonly JsonObject[]): readonly number[] {
  const lanes = lanesOf(elements.map(({ track }) => parseAmount(track)?.value ?? null));
  const level = ({ z_index: z }: JsonObject): number => {
    const value = keyframesOf(z)?.[0]?.value ?? z;
    return parseAmount(value)?.value ?? -Number.MAX_VALUE;
  };
  return elements
    .map((element, index) => ({ index, lane: lanes[index] ?? 0, level: level(element) }))
    .sort((a, b) => a.level - b.level || a.lane - b.lane || a.index - b.index)
    .map(({ index }) => index);
}

/** An element as far as it can cover another one. */
export interface Cover {
  readonly element: JsonObject;
  readonly start: number;
  readonly end: number;
  /** Where it lies now; null where that is not known. */
  readonly area: Area | null;
}

/** Two elements can be seen one over the other. What moves can be anywhere. */
export function canMeet(one: Cover, other: Cover): boolean {
  if (one.element.type === 'audio' || other.element.type === 'audio') return false;
  if (one.end <= other.start + 1e-6 || other.end <= one.start + 1e-6) return false;
  if (!one.area || !other.area || moves(one.element) || moves(other.element)) return true;
  const [a, b] = [boundsOf([one.area]), boundsOf([other.area])];
  const reach = Math.max(spread(one.element), spread(other.element));
  return (
    a.left < b.right + reach &&
    b.left < a.right + reach &&
    a.top < b.bottom + reach &&
    b.top < a.bottom + reach
  );
}

const moving =
  /^(x|y|width|height|.*_(scale|skew|rotation|anchor|padding|alignment)|aspect_ratio)$/;

function moves(element: JsonObject): boolean {
  if (Array.isArray(element.animations) && element.animations.length > 0) return true;
  if (element.type === 'composition' || element.type === 'text') return true;
  if (element.repeat === true || element.warp_matrix) return true;
  return Object.entries(element).some(
    ([name, value]) => moving.test(name) && keyframesOf(value) !== null,
  );
}

/** Pixels beyond its sides that shadows, outlines and blurs may colour; a generous guess. */
function spread(element: JsonObject): number {
  const isSoft = element.shadow_color || element.stroke_color || element.blur_radius;
  return isSoft ? Infinity : 0;
}
