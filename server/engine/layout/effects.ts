/** Joins what an element's animations do at one moment into what its box needs. Pure. */
import { elementEffect } from '../compile/animations.ts';
import type { EffectFrame } from '../compile/effect.ts';
import type { Animation, Path } from '../compile/timeline.ts';
import { isTextAnimation } from '../compile/text-animations.ts';
import { multiply, type Matrix } from '../geometry.ts';

/** All effects on one element together; null members do nothing. */
export interface JoinedEffects {
  /** Factor. */
  readonly opacity: number;
  /** Parent's space, document pixels. */
  readonly shiftX: number;
  readonly shiftY: number;
  /** In box space, before the element's own transform. */
  readonly boxMatrix: Matrix | null;
  readonly contentMatrix: Matrix | null;
  readonly clips: readonly Path[];
}

/**
 * The animations' effects at a moment, or null when none changes anything. Opacities multiply, shifts add, maps are
 * carried out in the order of the list from the outside in, and every cut applies.
 */
export function joinEffects(
  animations: readonly Animation[],
  time: number,
  frame: EffectFrame,
): JoinedEffects | null {
  let opacity = 1;
  let shiftX = 0;
  let shiftY = 0;
  let boxMatrix: Matrix | null = null;
  let contentMatrix: Matrix | null = null;
  const clips: Path[] = [];
  for (const animation of animations) {
    if (isTextAnimation(animation.type)) continue;
    const effect = elementEffect(animation, time, frame);
    if (!effect) continue;
    opacity *= effect.opacity ?? 1;
    shiftX += effect.shiftX ?? 0;
    shiftY += effect.shiftY ?? 0;
    boxMatrix = joinMaps(boxMatrix, effect.boxMatrix);
    contentMatrix = joinMaps(contentMatrix, effect.contentMatrix);
    if (effect.clip) clips.push(effect.clip);
  }
  const idle =
    opacity === 1 &&
    shiftX === 0 &&
    shiftY === 0 &&
    !boxMatrix &&
    !contentMatrix &&
    clips.length === 0;
  return idle ? null : { opacity, shiftX, shiftY, boxMatrix, contentMatrix, clips };
}

/** `inner` inside of `outer`; null stands for the map that changes nothing. */
export function joinMaps(outer: Matrix | null, inner: Matrix | null | undefined): Matrix | null {
  if (!inner || isIdentity(inner)) return outer;
  return outer ? multiply(outer, inner) : inner;
}

function isIdentity([a, b, c, d, e, f]: Matrix): boolean {
  return a === 1 && b === 0 && c === 0 && d === 1 && e === 0 && f === 0;
}
