/** Combines the effects of an element's animations at one moment for its box. Pure. */
import { elementEffect } from '../compile/animations.ts';
import type { Cover, Effect, EffectFrame } from '../compile/effect.ts';
import type { Path } from '../compile/property-values.ts';
import type { Animation } from '../compile/timeline.ts';
import { isTextAnimation } from '../compile/text-animations.ts';
import { identity, multiply, type Matrix } from '../geometry.ts';
import { homographyOf, joinHomographies, type Homography } from '../homography.ts';
import { turnFacing, turnMap } from './bend.ts';

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
  readonly covers: readonly Cover[];
  /** Shifts in box space; null = only the element itself. */
  readonly copies: NonNullable<Effect['copies']> | null;
  /** Set if an animation rotates the element in 3D; its map includes every `boxMatrix`. */
  readonly turn: JoinedTurn | null;
}

/** All turns in space together. */
export interface JoinedTurn {
  /** In box space, before the element's own transform. */
  readonly map: Homography;
  /** +1 = the face is visible, −1 = the back, 0 = the edge. */
  readonly facing: number;
  readonly backfaceVisible: boolean;
}

/**
 * The animations' effects at a moment, or null if nothing changes. Opacities multiply, shifts add, maps apply in list
 * order from the outside in, and every clip applies.
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
  const covers: Cover[] = [];
  let copies: JoinedEffects['copies'] = null;
  let turn: JoinedTurn | null = null;
  for (const animation of animations) {
    if (isTextAnimation(animation.type)) continue;
    const effect = elementEffect(animation, time, frame);
    if (!effect) continue;
    opacity *= effect.opacity ?? 1;
    shiftX += effect.shiftX ?? 0;
    shiftY += effect.shiftY ?? 0;
    if (effect.turn || (turn && effect.boxMatrix)) {
      turn = joinTurn(turn, boxMatrix, effect, frame);
    }
    boxMatrix = joinMaps(boxMatrix, effect.boxMatrix);
    contentMatrix = joinMaps(contentMatrix, effect.contentMatrix);
    if (effect.clip) clips.push(effect.clip);
    if (effect.cover) covers.push(effect.cover);
    if (effect.copies) copies = joinCopies(copies, effect.copies);
  }
  const idle =
    opacity === 1 &&
    shiftX === 0 &&
    shiftY === 0 &&
    !boxMatrix &&
    !contentMatrix &&
    clips.length === 0 &&
    covers.length === 0 &&
    !copies &&
    !turn;
  return idle
    ? null
    : { opacity, shiftX, shiftY, boxMatrix, contentMatrix, clips, covers, copies, turn };
}

/** Adds an effect inside the rotations so far, or inside the maps so far if it is the first rotation. */
function joinTurn(
  outer: JoinedTurn | null,
  outerMatrix: Matrix | null,
  { boxMatrix, turn }: Effect,
  { width, height }: EffectFrame,
): JoinedTurn {
  let map = outer?.map ?? homographyOf(outerMatrix ?? identity);
  if (boxMatrix) map = joinHomographies(map, homographyOf(boxMatrix));
  if (turn) map = joinHomographies(map, turnMap(turn, width, height));
  return {
    map,
    facing: (outer?.facing ?? 1) * (turn ? turnFacing(turn) : 1),
    backfaceVisible: (outer?.backfaceVisible ?? true) && (turn?.backfaceVisible ?? true),
  };
}

/** Copies of copies: every place of one from every place of the other. */
function joinCopies(
  outer: JoinedEffects['copies'],
  inner: NonNullable<Effect['copies']>,
): JoinedEffects['copies'] {
  if (!outer) return inner;
  return outer.flatMap(([x, y]) => inner.map(([dx, dy]) => [x + dx, y + dy] as const));
}

/** `inner` inside of `outer`; null = identity. */
export function joinMaps(outer: Matrix | null, inner: Matrix | null | undefined): Matrix | null {
  if (!inner || isIdentity(inner)) return outer;
  return outer ? multiply(outer, inner) : inner;
}

function isIdentity([a, b, c, d, e, f]: Matrix): boolean {
  return a === 1 && b === 0 && c === 0 && d === 1 && e === 0 && f === 0;
}
