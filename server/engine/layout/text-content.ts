/** A laid-out text as a box's content: standing still, or in pieces that text animations move. Pure. */
import { isTextAnimation, pieceEffect, splitOf } from '../compile/text-animations.ts';
import type { EffectFrame, PieceEffect } from '../compile/effect.ts';
import type { Animation, Color } from '../compile/timeline.ts';
import type { Rect } from '../geometry.ts';
import type { TextBlock } from '../text/block.ts';
import { finerSplit, splitBlock, type Piece, type Split } from '../text/pieces.ts';
import type { TextBackground, TextContent, TextPiece } from './box.ts';
import { joinMaps } from './effects.ts';
import { remember } from './remember.ts';

/** Gives an element's text content at a moment; the identical object while nothing moves. Null = nothing to draw. */
export type TextContentMaker = (
  block: TextBlock,
  backgroundColor: Color | null,
  time: number | null,
  frame: EffectFrame,
) => TextContent | null;

/** A maker for one element. A time of null leaves animations out. */
export function createTextContentMaker(animations: readonly Animation[]): TextContentMaker {
  const acting = animations
    .filter(({ type }) => isTextAnimation(type))
    .map((animation) => ({
      animation,
      split: splitOf(animation),
      pieces: remember(splitBlock),
    }));
  const finest = acting.reduce<Split>((finer, { split }) => finerSplit(finer, split), null);
  const finestPieces = remember(splitBlock);
  const still = remember(stillContent);

  return (block, backgroundColor, time, frame) => {
    const whole = still(block, backgroundColor);
    if (!whole || time === null || acting.length === 0) return whole;

    const effects = acting.map(({ animation, split, pieces }) => ({
      split,
      byPiece: effectsOn(pieces(block, split), animation, time, block, frame),
    }));
    if (effects.every(({ byPiece }) => byPiece.every((effect) => effect === null))) return whole;

    const pieces = finestPieces(block, finest).flatMap((piece) => {
      const own = effects.map(({ split, byPiece }) => byPiece[numberIn(piece, split)] ?? null);
      const moved = movePiece(piece, own);
      return moved.opacity > 0 ? [moved] : [];
    });
    const backgrounds = followingBackgrounds(
      whole.backgrounds,
      acting,
      pieces,
      finestPieces(block, finest),
    );
    return pieces.length + backgrounds.length > 0 ? { kind: 'text', backgrounds, pieces } : null;
  };
}

function stillContent(block: TextBlock, backgroundColor: Color | null): TextContent | null {
  const pieces = splitBlock(block, null).map((piece) => movePiece(piece, []));
  const color = backgroundColor && backgroundColor[3] > 0 ? backgroundColor : null;
  const backgrounds = color ? block.backgrounds.map((path) => ({ path, color, opacity: 1 })) : [];
  return pieces.length > 0 ? { kind: 'text', backgrounds, pieces } : null;
}

/** One animation's effect on each of its pieces; null where it does nothing. */
function effectsOn(
  pieces: readonly Piece[],
  animation: Animation,
  time: number,
  block: TextBlock,
  box: EffectFrame,
): (PieceEffect | null)[] {
  return pieces.map(({ bounds, fontSize }, index) => {
    const effect = pieceEffect(animation, time, {
      index,
      count: pieces.length,
      bounds,
      textBounds: block.bounds,
      box,
      fontSize,
    });
    const idle =
      (effect?.opacity ?? 1) === 1 && !effect?.clip && !joinMaps(null, effect?.transform);
    return idle ? null : effect;
  });
}

/** The number of the coarser piece in which a piece lies. */
function numberIn({ place }: Piece, split: Split): number {
  return split === null ? 0 : place[split];
}

function movePiece({ runs, bounds }: Piece, effects: readonly (PieceEffect | null)[]): TextPiece {
  let opacity = 1;
  let transform: TextPiece['transform'] = null;
  let clip: Rect | null = null;
  for (const effect of effects) {
    if (!effect) continue;
    opacity *= effect.opacity ?? 1;
    transform = joinMaps(transform, effect.transform);
    if (effect.clip) clip = clip ? intersection(clip, effect.clip) : effect.clip;
  }
  const empty = clip !== null && (clip.width <= 0 || clip.height <= 0);
  return { runs, bounds, opacity: empty ? 0 : Math.min(1, opacity), transform, clip };
}

/**
 * Backgrounds stand still under animated text unless an animation's `backgroundEffect` says otherwise; then they fade
 * along with the pieces, at the mean of their opacities.
 */
function followingBackgrounds(
  backgrounds: readonly TextBackground[],
  acting: readonly { readonly animation: Animation }[],
  shown: readonly TextPiece[],
  all: readonly Piece[],
): readonly TextBackground[] {
  const follows = acting.some(({ animation: { options } }) => {
    const { backgroundEffect } = options;
    return typeof backgroundEffect === 'string' && backgroundEffect !== 'disabled';
  });
  if (!follows) return backgrounds;
  const opacity = shown.reduce((sum, piece) => sum + piece.opacity, 0) / Math.max(1, all.length);
  return opacity > 0 ? backgrounds.map((background) => ({ ...background, opacity })) : [];
}

function intersection(a: Rect, b: Rect): Rect {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  return {
    x,
    y,
    width: Math.max(0, Math.min(a.x + a.width, b.x + b.width) - x),
    height: Math.max(0, Math.min(a.y + a.height, b.y + b.height) - y),
  };
}
