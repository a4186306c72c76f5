/**
 * Text: backgrounds, outlines, then the letters over all outlines. Phase 4. Where every run stands was settled by
 * layout; nothing is measured here.
 */
import type { SKRSContext2D } from '@napi-rs/canvas';
import { multiply, type Matrix, type Rect } from '../geometry.ts';
import type { Box, TextContent, TextPiece } from '../layout/box.ts';
import { cssColor, paintStyle, type Style } from './fill.ts';
import { place, type Layer } from './layers.ts';
import { pathOf } from './shape.ts';
import type { Fonts } from './sources.ts';

/**
 * [Note: Text that moves]
 *
 * Skia puts the baseline of upright text on whole pixels. That is what still text wants: its horizontal strokes stay
 * crisp. Text that glides would jump from pixel to pixel, and Skia has no switch for it that the canvas shows. It does
 * let go of the grid as soon as the text is not quite upright, and it rounds the map to 1/1024 to decide; the least
 * slant that counts as one is therefore 1/2048. It moves the ends of a line of 1000 pixels by a quarter of a pixel.
 */
const slant = 1.001 / 2048;

/** What painting a text needs to know besides the text. */
export interface TextBrush {
  readonly layer: Layer;
  /** Box space → pixels, content transform included. */
  readonly matrix: Matrix;
  readonly fonts: Fonts;
  /** False = the text moves or will, and must not stick to whole pixels. */
  readonly still: boolean;
  /** Draws into a layer of its own and puts it down with an opacity: for parts that overlap. */
  group(bounds: Rect, matrix: Matrix, alpha: number, draw: (layer: Layer) => void): void;
}

/** Settings that hold for measuring and drawing alike, so that both agree and no setting of the computer gets in. */
export function setTextDefaults(ctx: SKRSContext2D): void {
  ctx.lang = 'en';
  ctx.direction = 'ltr';
  // Runs name their left edge; "start" would be the right one where a run reads from the right.
  ctx.textAlign = 'left';
  ctx.fontOpticalSizing = 'none';
}

/** Draws the text; the context's opacity and blend mode apply to every part. */
export function paintText(brush: TextBrush, box: Box, content: TextContent): void {
  const { ctx } = brush.layer;
  const alpha = ctx.globalAlpha;
  for (const { path, color, opacity } of content.backgrounds) {
    ctx.globalAlpha = alpha * opacity;
    ctx.fillStyle = cssColor(color);
    ctx.fill(pathOf(path));
  }
  ctx.globalAlpha = alpha;
  setTextDefaults(ctx);

  // Outlines of all pieces go below all letters: an outline must not cut into the neighbour.
  if (box.stroke) {
    for (const piece of content.pieces)
      if (!isGroup(box, piece)) paintPiece(brush, box, piece, alpha, 'outline');
  }
  for (const piece of content.pieces) {
    if (isGroup(box, piece)) {
      const matrix = pieceMatrix(brush.matrix, piece);
      brush.group(pieceInk(box, piece), matrix, piece.opacity * alpha, (layer) => {
        setTextDefaults(layer.ctx);
        const inside = { ...brush, layer };
        paintPiece(inside, box, { ...piece, opacity: 1 }, 1, 'outline');
        paintPiece(inside, box, { ...piece, opacity: 1 }, 1, 'letters');
      });
    } else paintPiece(brush, box, piece, alpha, 'letters');
  }
}

/** Box space that a text's ink can reach, content transform not applied; null when there is no text. */
export function pieceInk(box: Box, { runs, bounds }: TextPiece): Rect {
  const largest = Math.max(0, ...runs.map(({ font }) => font.size));
  // Italics, swashes and stacked accents leave the advance and the line box; half a font size covers them.
  const reach = largest / 2 + (box.stroke ? box.stroke.width : 0);
  return {
    x: bounds.x - reach,
    y: bounds.y - reach,
    width: bounds.width + 2 * reach,
    height: bounds.height + 2 * reach,
  };
}

/** A piece that fades while outline and letters overlap has to be finished before it is faded. */
function isGroup(box: Box, piece: TextPiece): boolean {
  return box.stroke !== null && piece.opacity < 1;
}

function pieceMatrix(matrix: Matrix, { transform }: TextPiece): Matrix {
  return transform ? multiply(matrix, transform) : matrix;
}

function paintPiece(
  { layer, matrix, fonts, still }: TextBrush,
  box: Box,
  piece: TextPiece,
  alpha: number,
  part: 'outline' | 'letters',
): void {
  const opacity = alpha * piece.opacity;
  if (opacity <= 0 || piece.runs.length === 0) return;
  const { ctx } = layer;
  ctx.save();
  ctx.globalAlpha = opacity;
  if (piece.clip) {
    const { x, y, width, height } = piece.clip;
    ctx.beginPath();
    ctx.rect(x, y, width, height);
    ctx.clip();
  }
  const map = pieceMatrix(matrix, piece);
  place(layer, still && !piece.transform ? map : slanted(map, piece.bounds));

  const { stroke, fill } = box;
  if (part === 'outline' && stroke) {
    ctx.strokeStyle = paintStyle(ctx, stroke.paint);
    ctx.lineWidth = stroke.width;
    ctx.lineJoin = stroke.join;
  }
  const style = part === 'letters' && fill ? paintStyle(ctx, fill) : null;
  for (const run of piece.runs) {
    ctx.font = fonts.css(run.font);
    ctx.letterSpacing = `${run.letterSpacing}px`;
    ctx.direction = run.direction ?? 'ltr';
    if (part === 'outline') {
      ctx.strokeText(run.text, run.x, run.y);
    } else {
      const color: Style | null = run.color ? cssColor(run.color) : style;
      if (color === null) continue;
      ctx.fillStyle = color;
      ctx.fillText(run.text, run.x, run.y);
    }
  }
  ctx.restore();
}

/** The map, taken off the pixel grid; the middle of the piece stays where it is. See: [Note: Text that moves] */
function slanted(map: Matrix, { x, width }: Rect): Matrix {
  const [a, b, c, d, e, f] = map;
  const centerX = x + width / 2;
  if (Math.abs(b) < slant && Math.abs(c) < slant)
    return [a, slant, c, d, e, f + (b - slant) * centerX];
  if (Math.abs(a) < slant && Math.abs(d) < slant)
    return [slant, b, c, d, e + (a - slant) * centerX, f];
  return map;
}
