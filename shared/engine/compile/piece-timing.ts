/**
 * Text animations in time: the progress of each piece of a text at a moment, and the order of pieces. Pure.
 *
 * [Note: Pieces in time] `n` pieces share an animation of length 1. Each lasts `d`, and each starts `d · (1 − overlap)`
 * after the one before, so that the last ends with the animation: d = 1 ÷ (1 + (n − 1) · (1 − overlap)). Overlap 0 % is
 * strictly one after another, 100 % all at once. Easing applies to each piece's progress separately.
 */
import { numberOf } from './animation-options.ts';
import type { PieceFrame } from './effect.ts';
import { held } from './progress.ts';
import type { Animation } from './timeline.ts';

/** Progress of one piece before easing. See: [Note: Pieces in time]. */
export function pieceProgress(
  animation: Animation,
  even: number,
  { index, count }: PieceFrame,
): number {
  if (count <= 1) return even;
  const step = 1 - numberOf(animation.options, 'overlap');
  const length = 1 / (1 + (count - 1) * step);
  const progress = held((even - turnOf(animation, index, count) * length * step) / length);
  // The last piece arrives with the animation; rounding must not leave it just short.
  return progress > 1 - 1e-9 ? 1 : progress;
}

/** Cached random orders, by animation: every piece needs one in every frame. */
const randomOrders = new WeakMap<Animation, readonly number[]>();

/** The place of a piece in the animation's order. */
function turnOf(animation: Animation, index: number, count: number): number {
  switch (animation.options.order) {
    case 'reversed':
      return count - 1 - index;
    case 'random': {
      let order = randomOrders.get(animation);
      if (order?.length !== count) {
        order = shuffled(count);
        randomOrders.set(animation, order);
      }
      return order[index] ?? index;
    }
    default:
      return index;
  }
}

/** The numbers 0 … count − 1 in an order that depends only on the count (Fisher–Yates over a small generator). */
function shuffled(count: number): number[] {
  const order = Array.from({ length: count }, (_, index) => index);
  let state = (count * 2654435761) >>> 0;
  for (let last = count - 1; last > 0; last--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const other = Math.floor((state / 2 ** 32) * (last + 1));
    const swap = order[last] ?? 0;
    order[last] = order[other] ?? 0;
    order[other] = swap;
  }
  return order;
}
