/** A laid-out text as a box's content: still, or in pieces that text animations move. Pure. */
import { isTextAnimation, pieceEffect, splitOf } from '../compile/text-animations.ts';
import { typewriter, typingCursor } from '../compile/text-typewriter.ts';
import type { EffectFrame, PieceEffect } from '../compile/effect.ts';
import type { Color } from '../compile/property-values.ts';
import type { Animation } from '../compile/timeline.ts';
import { enclosing, intersection, type Rect } from '../geometry.ts';
import type { TextBlock } from '../text/block.ts';
import { joinRuns } from '../text/cuts.ts';
import { finerSplit, numberIn, splitBlock, type Piece, type Split } from '../text/pieces.ts';
import type { TextContent, TextPiece } from './box.ts';
import { joinMaps } from './effects.ts';
import { remember } from './remember.ts';
import { backgroundCells, movedBackgrounds, type AnimatedPieces } from './text-backgrounds.ts';

/** Returns an element's text content at a moment; the identical object while nothing moves. Null = nothing to draw. */
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
      cells: remember(backgroundCells),
    }));
  const finest = acting.reduce<Split>((finer, { split }) => finerSplit(finer, split), null);
  const finestPieces = remember(splitBlock);
  const linesOf = remember(splitBlock);
  const lineCells = remember(backgroundCells);
  const still = remember(stillContent);

  return (block, backgroundColor, time, frame) => {
    const whole = still(block, backgroundColor);
    if (!whole || time === null || acting.length === 0) return whole;

    const effects = acting.map(({ animation, split, pieces, cells: cellsOf }) => {
      const parts = pieces(block, split);
      const cells = whole.backgrounds.length > 0 ? cellsOf(block.backgroundRows, parts) : [];
      const byPiece = effectsOn(parts, cells, animation, time, block, frame);
      return { split, pieces: parts, byPiece, cells };
    });
    // A text that moves as a whole still has its background in lines.
    const byLines = ({ byPiece: [effect = null] }: AnimatedPieces): AnimatedPieces => {
      const lines = linesOf(block, 'line');
      const cells = lineCells(block.backgroundRows, lines);
      return { split: 'line', pieces: lines, byPiece: lines.map(() => effect), cells };
    };
    const cursor = cursorAt(acting, block, time);
    const idle = effects.every(({ byPiece }) => byPiece.every((effect) => effect === null));
    if (idle) return cursor ? { ...whole, cursor } : whole;

    const pieces: TextPiece[] = [];
    let joins = false;
    for (const piece of finestPieces(block, finest)) {
      const own = effects.map(({ split, byPiece }) => byPiece[numberIn(piece, split)] ?? null);
      const moved = movePiece(piece, own);
      const rests = own.every((effect) => effect === null);
      const last = pieces.at(-1);
      const joined = joins && rests && last ? joinPieces(last, moved) : null;
      if (joined) pieces[pieces.length - 1] = joined;
      else if (moved.opacity > 0) pieces.push(moved);
      joins = rests;
    }
    const moved = movedBackgrounds(
      block,
      whole.backgrounds,
      effects.map((one) => (one.split === null ? byLines(one) : one)),
    );
    const backgrounds = moved ?? whole.backgrounds;
    if (pieces.length + backgrounds.length === 0 && !cursor) return null;
    return {
      kind: 'text',
      backgrounds,
      ...(moved && { backgroundsMove: true }),
      pieces,
      ...(cursor && { cursor }),
    };
  };
}

/** Shares of the font size: thickness of the bar, its distance from the letter, and its extent around the baseline. */
const cursorShape = { width: 0.07, distance: 0.05, above: 0.82, below: 0.18 } as const;

/** The cursor of the first typewriter that shows one. */
function cursorAt(
  acting: readonly {
    readonly animation: Animation;
    readonly pieces: (block: TextBlock, split: Split) => Piece[];
  }[],
  block: TextBlock,
  time: number,
): Rect | null {
  for (const { animation, pieces } of acting) {
    if (animation.type !== typewriter) continue;
    const letters = pieces(block, 'letter');
    const typed = typingCursor(animation, time, letters.length);
    if (typed === null) continue;
    // After the last visible letter, or before the first.
    const letter = letters[Math.max(0, typed - 1)];
    const run = letter?.runs[0];
    if (!letter || !run) continue;
    const { bounds, fontSize } = letter;
    const atRight = typed > 0 === (run.direction !== 'rtl');
    const width = cursorShape.width * fontSize;
    const distance = cursorShape.distance * fontSize;
    return {
      x: atRight ? bounds.x + bounds.width + distance : bounds.x - distance - width,
      y: run.y - cursorShape.above * fontSize,
      width,
      height: (cursorShape.above + cursorShape.below) * fontSize,
    };
  }
  return null;
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
  cells: readonly (Rect | null)[],
  animation: Animation,
  time: number,
  block: TextBlock,
  box: EffectFrame,
): (PieceEffect | null)[] {
  const rows = block.backgroundRows.filter((row) => row !== null);
  const textBackground = cells.length > 0 && rows.length > 0 ? enclosing(rows) : null;
  return pieces.map(({ bounds, fontSize }, index) => {
    const effect = pieceEffect(animation, time, {
      index,
      count: pieces.length,
      bounds,
      textBounds: block.bounds,
      background: cells[index] ?? null,
      textBackground,
      box,
      fontSize,
    });
    const idle =
      (effect?.opacity ?? 1) === 1 &&
      !effect?.clip &&
      !effect?.background &&
      !joinMaps(null, effect?.transform);
    return idle ? null : effect;
  });
}

/** Neighbours that rest, as one: letters of a script font have their form from each other. Null = they don't meet. */
function joinPieces(before: TextPiece, after: TextPiece): TextPiece | null {
  const [next] = after.runs;
  const last = before.runs.at(-1);
  const run = last && next && after.runs.length === 1 ? joinRuns(last, next) : null;
  if (!run) return null;
  const bounds = enclosing([before.bounds, after.bounds]);
  return { ...before, runs: [...before.runs.slice(0, -1), run], bounds };
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
