/**
 * The background of a text while text animations move its pieces: each piece takes its part of the background along.
 * Parts that have arrived are joined again, so that the last one completes the resting outline. Pure.
 */
import type { BackgroundEffect, PieceEffect } from '../compile/effect.ts';
import { intersection, translation, type Rect } from '../geometry.ts';
import { backgroundPaths } from '../text/backgrounds.ts';
import type { TextBlock } from '../text/block.ts';
import { finerSplit, numberIn, type Piece, type Split } from '../text/pieces.ts';
import type { TextBackground } from './box.ts';
import { mapPath } from './path.ts';

/** One animation's effects on its pieces, each with its part of the background. */
export interface AnimatedPieces {
  readonly split: Split;
  readonly pieces: readonly Piece[];
  readonly byPiece: readonly (PieceEffect | null)[];
  readonly cells: readonly (Rect | null)[];
}

/**
 * The part of the background behind each piece, box space: a line's is the whole row; words and letters share theirs,
 * each to half-way to its neighbour.
 *
 * @param rows - of all lines, as in `TextBlock`.
 */
export function backgroundCells(
  rows: readonly (Rect | null)[],
  pieces: readonly Piece[],
): (Rect | null)[] {
  const written = rows.filter((row) => row !== null);
  const cells: (Rect | null)[] = pieces.map(() => null);
  const fromLeft = pieces
    .map(({ bounds, place }, index) => ({ bounds, line: place.line, index }))
    .sort((a, b) => a.line - b.line || a.bounds.x - b.bounds.x);
  let left: number | null = null;
  for (const [order, { bounds, line, index }] of fromLeft.entries()) {
    const row = written[line];
    if (!row) continue;
    const next = fromLeft[order + 1];
    const last = next?.line !== line;
    const right = last ? row.x + row.width : (bounds.x + bounds.width + next.bounds.x) / 2;
    const start: number = left ?? row.x;
    cells[index] = { ...row, x: start, width: right - start };
    left = last ? null : right;
  }
  return cells;
}

/** The animations' combined effect on one cell. */
interface Part {
  readonly cell: Rect;
  readonly effects: readonly BackgroundEffect[];
}

/**
 * The backgrounds at a moment; null if no animation acts on them, so they stay as they are.
 *
 * @param resting - the backgrounds without animations.
 * @param effects - of every text animation of the element.
 */
export function movedBackgrounds(
  block: TextBlock,
  resting: readonly TextBackground[],
  effects: readonly AnimatedPieces[],
): TextBackground[] | null {
  const acting = effects.filter(({ byPiece }) => byPiece.some((effect) => effect?.background));
  const [first] = resting;
  const [any] = acting;
  if (!first || !any) return null;
  const finest = acting.reduce(
    (finer, one) => (finerSplit(finer.split, one.split) === finer.split ? finer : one),
    any,
  );
  const rows = block.backgroundRows.filter((row) => row !== null);
  const byLine = rows.map((): Part[] => []);
  for (const [index, piece] of finest.pieces.entries()) {
    const cell = finest.cells[index];
    if (!cell) continue;
    const own = acting.flatMap(({ split, byPiece }) => {
      const background = byPiece[numberIn(piece, split)]?.background;
      return background ? [background] : [];
    });
    byLine[piece.place.line]?.push({ cell, effects: own });
  }
  const arrived = byLine.map((parts) => parts.every(({ effects: own }) => own.length === 0));
  const { color } = first;
  const backgrounds: TextBackground[] = arrivedPaths(block, arrived).map((path) => ({
    path,
    color,
    opacity: 1,
  }));
  for (const [line, row] of rows.entries()) {
    if (arrived[line] === true) continue;
    for (const part of restingStretches(byLine[line] ?? [])) {
      const background = partBackground(block, row, part, color);
      if (background) backgrounds.push(background);
    }
  }
  return backgrounds;
}

/** Outlines of the lines that have arrived, joined where they are neighbours. */
function arrivedPaths(block: TextBlock, arrived: readonly boolean[]): TextBackground['path'][] {
  const padding = Math.max(0, block.backgroundShape.paddingY);
  let line = -1;
  const rows = block.backgroundRows.map((row) => {
    if (row) line++;
    if (!row || arrived[line] !== true) return null;
    return { ...row, y: row.y + padding, height: row.height - 2 * padding };
  });
  // Their ends are aligned and padded already.
  return backgroundPaths(rows, { ...block.backgroundShape, paddingX: 0, alignWithin: 0 });
}

/** Resting neighbours become one part: two cuts along one line would leave a seam. */
function restingStretches(parts: readonly Part[]): Part[] {
  const result: Part[] = [];
  for (const part of [...parts].sort((a, b) => a.cell.x - b.cell.x)) {
    const before = result.at(-1);
    if (before?.effects.length === 0 && part.effects.length === 0) {
      const { cell } = before;
      const width = part.cell.x + part.cell.width - cell.x;
      result[result.length - 1] = { ...before, cell: { ...cell, width } };
    } else result.push(part);
  }
  return result;
}

/** Document pixels by which neighbouring parts overlap. */
const seam = 0.75;

/** One moving part of a row; null if nothing of it is visible. */
function partBackground(
  { backgroundShape }: TextBlock,
  row: Rect,
  { cell, effects }: Part,
  color: TextBackground['color'],
): TextBackground | null {
  let opacity = 1;
  let area = cell;
  let [x, y] = [0, 0];
  let clip: Rect | null = null;
  for (const effect of effects) {
    opacity *= effect.opacity ?? 1;
    if (effect.area) area = intersection(area, effect.area);
    x += effect.shift?.[0] ?? 0;
    y += effect.shift?.[1] ?? 0;
    if (effect.clip) clip = clip ? intersection(clip, effect.clip) : effect.clip;
  }
  if (opacity <= 0 || area.width <= 0 || area.height <= 0) return null;
  const isRow = cell.width === row.width;
  // A whole row keeps its round corners at any size; a piece is cut out of the row.
  const plain = { ...backgroundShape, paddingX: 0, paddingY: 0, alignWithin: 0 };
  const [outline = []] = backgroundPaths([isRow ? area : row], plain);
  const path = x === 0 && y === 0 ? outline : mapPath(outline, translation(x, y));
  if (!isRow) {
    // Neighbours overlap slightly: two soft edges along one line would let the background show through.
    const end = cell.x + cell.width;
    const isInner = end < row.x + row.width - seam && area.x + area.width >= end;
    const cut = { ...area, x: area.x + x, y: area.y + y, width: area.width + (isInner ? seam : 0) };
    clip = clip ? intersection(clip, cut) : cut;
  }
  if (clip && (clip.width <= 0 || clip.height <= 0)) return null;
  return { path, color, opacity, ...(clip && { clip }) };
}
