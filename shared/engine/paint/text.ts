/**
 * Text: backgrounds, outlines, then the letters over all outlines. Phase 4. Layout has placed every run; nothing is
 * measured here.
 */
import { multiply, type Matrix, type Rect } from '../geometry.ts';
import type { Color } from '../compile/property-values.ts';
import type { Box, TextBackground, TextContent, TextPiece, TextRun } from '../layout/box.ts';
import { canvasText } from '../text/emoji.ts';
import type { Context } from '../surface.ts';
import { cssColor, paintStyle, type Style } from './fill.ts';
import { place, type Layer } from './layers.ts';
import { pathBounds, pathOf } from './shape.ts';
import type { Fonts } from './sources.ts';
import { unitedOutline } from './letter-outlines.ts';
import { setTextDefaults } from './text-defaults.ts';

/**
 * [Note: Text that moves]
 *
 * Skia puts the baseline of upright text on whole pixels. That suits still text: its horizontal strokes stay crisp.
 * Gliding text would jump from pixel to pixel, and the canvas does not expose a switch for it. Skia leaves the grid as
 * soon as the text is not quite upright, which it decides by rounding the map to 1/1024; the smallest slant that counts
 * is therefore 1/2048. It moves the ends of a line of 1000 pixels by a quarter of a pixel.
 *
 * Once animations bring text to rest, it is drawn like still text. So that it does not jump to the grid at that moment,
 * each line is offset while it moves by as much as the grid will shift it in the end.
 */
const slant = 1.001 / 2048;

/** What painting a text needs besides the text. */
export interface TextBrush {
  readonly layer: Layer;
  /** Box space → pixels, content transform included. */
  readonly matrix: Matrix;
  /** `matrix` without animations; null = something else moves the text too. */
  readonly rest: Matrix | null;
  readonly fonts: Fonts;
  /** False = the text is moving, and must not snap to whole pixels. */
  readonly still: boolean;
  /** Draws into a separate layer and blends it with an opacity, for overlapping parts. */
  group(bounds: Rect, matrix: Matrix, alpha: number, draw: (layer: Layer) => void): void;
}

/** Draws the text; the context's opacity and blend mode apply to every part. */
export function paintText(brush: TextBrush, box: Box, content: TextContent): void {
  const { ctx } = brush.layer;
  const alpha = ctx.globalAlpha;
  paintBackgrounds(brush, content, alpha);
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
  if (content.cursor) paintCursor(brush, box, content.cursor, alpha);
}

/** The cursor of a typewriter: a bar in the colour of the letters, or of their outline if they have no other. */
function paintCursor({ layer, matrix }: TextBrush, box: Box, bar: Rect, alpha: number): void {
  const paint = box.fill ?? box.stroke?.paint;
  if (!paint) return;
  const { ctx } = layer;
  place(layer, matrix);
  ctx.globalAlpha = alpha;
  ctx.fillStyle = paintStyle(ctx, paint);
  ctx.fillRect(bar.x, bar.y, bar.width, bar.height);
}

/** Moving backgrounds may overlap; they are then painted opaque and faded together. */
function paintBackgrounds(
  brush: TextBrush,
  { backgrounds, backgroundsMove }: TextContent,
  alpha: number,
): void {
  const [first] = backgrounds;
  // Those that fade together also overlap as one.
  const fade = backgrounds.every(({ opacity }) => opacity === first?.opacity) ? first?.opacity : 1;
  const clearness = (first?.color[3] ?? 1) * (fade ?? 1);
  const bounds = pathBounds(backgrounds.flatMap(({ path }) => path));
  if (backgroundsMove && clearness < 1 && backgrounds.length > 1 && bounds) {
    brush.group(bounds, brush.matrix, clearness * alpha, (layer) => {
      place(layer, brush.matrix);
      fillBackgrounds(layer, backgrounds, 1 / (fade ?? 1), ([red, green, blue]) => [
        red,
        green,
        blue,
        1,
      ]);
    });
  } else fillBackgrounds(brush.layer, backgrounds, alpha, (color) => color);
}

function fillBackgrounds(
  { ctx }: Layer,
  backgrounds: readonly TextBackground[],
  alpha: number,
  colorOf: (color: Color) => Color,
): void {
  for (const { path, color, opacity, clip } of backgrounds) {
    ctx.save();
    ctx.globalAlpha = Math.min(1, alpha * opacity);
    ctx.fillStyle = cssColor(colorOf(color));
    if (clip) cutTo(ctx, clip);
    ctx.fill(pathOf(path));
    ctx.restore();
  }
}

function cutTo(ctx: Context, { x, y, width, height }: Rect): void {
  ctx.beginPath();
  ctx.rect(x, y, width, height);
  ctx.clip();
}

/** Box space that a text's ink can reach, without the content transform; null if there is no text. */
export function pieceInk(box: Box, { runs, bounds }: TextPiece): Rect {
  const largest = Math.max(0, ...runs.map(({ font }) => font.size));
  // Italics, swashes and stacked accents exceed the advance and the line box; half a font size covers them.
  const reach = largest / 2 + (box.stroke ? box.stroke.width : 0);
  return {
    x: bounds.x - reach,
    y: bounds.y - reach,
    width: bounds.width + 2 * reach,
    height: bounds.height + 2 * reach,
  };
}

/** A fading piece with overlapping outline and letters must be finished before fading. */
function isGroup(box: Box, piece: TextPiece): boolean {
  return box.stroke !== null && piece.opacity < 1;
}

function pieceMatrix(matrix: Matrix, { transform }: TextPiece): Matrix {
  return transform ? multiply(matrix, transform) : matrix;
}

function paintPiece(
  { layer, matrix, rest, fonts, still }: TextBrush,
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
  if (piece.clip) cutTo(ctx, piece.clip);
  const map = pieceMatrix(matrix, piece);
  const onGrid = still && !piece.transform;
  place(layer, onGrid ? map : slanted(map, piece.bounds));

  const { stroke, fill } = box;
  if (part === 'outline' && stroke) {
    ctx.strokeStyle = paintStyle(ctx, stroke.paint);
    ctx.lineWidth = stroke.width;
    ctx.lineJoin = stroke.join;
  }
  const style = part === 'letters' && fill ? paintStyle(ctx, fill) : null;
  for (const run of piece.runs) {
    const y = onGrid || !rest ? run.y : snapped(run.y, rest);
    // Emoji from a font are upright.
    ctx.font = fonts.css(run.emoji ? { ...run.font, style: 'normal' } : run.font);
    ctx.letterSpacing = `${run.letterSpacing}px`;
    ctx.direction = run.direction ?? 'ltr';
    if (part === 'outline') {
      // An emoji has its own edges; drawn twice, half transparent ones would grow.
      if (run.emoji) continue;
      const baseline = onGrid ? snapped(y, map) : y;
      const outline = isSeenThrough(box, run) && unitedOutline(run, fonts, run.x, baseline);
      if (outline) ctx.stroke(outline);
      else drawLetters(ctx, run, (text, x) => ctx.strokeText(text, x, y));
    } else {
      const color: Style | null = run.color ? cssColor(run.color) : style;
      if (color === null || (run.emoji && paintPicture(ctx, run, fonts))) continue;
      ctx.fillStyle = color;
      drawLetters(ctx, run, (text, x) => ctx.fillText(text, x, y));
    }
  }
  ctx.restore();
}

/** The drawing library breaks a line that is wider than 100,000 pixels. */
const longestLine = 90_000;

/**
 * Draws a run. Letters of a word take their form and place from the others: each is drawn with the whole word, spaced
 * so far that a clip around the one leaves the others out.
 */
function drawLetters(
  ctx: Context,
  { text, x, y, width, font: { size }, around }: TextRun,
  draw: (text: string, x: number) => void,
): void {
  // What letters and outlines reach beyond their advance.
  const reach = 2 * size + ctx.lineWidth;
  // A power of two: exact, and the same for all letters of a word, which is then shaped once.
  const apart = 2 ** Math.ceil(Math.log2(width + 2 * reach));
  if (!around || apart * around.letters > longestLine) {
    draw(canvasText(text), x);
    return;
  }
  ctx.save();
  ctx.letterSpacing = `${apart}px`;
  ctx.fontFeatureSettings = unspaced;
  cutTo(ctx, { x: x - reach, y: y - reach, width: width + 2 * reach, height: 2 * reach });
  for (let letter = around.first; letter < around.first + around.count; letter++)
    draw(canvasText(around.text), around.x - letter * apart);
  ctx.restore();
}

/** Spaced text lacks these features unless they are asked for. */
const unspaced = '"calt" 1, "clig" 1, "liga" 1';

/**
 * The emoji font's picture square, in shares of the font size: in the middle of the advance. Pictures of other sets use
 * the same square, so that a set only changes the look.
 */
const pictureSide = 1.11;
const pictureMiddle = -0.345;

/** Draws an emoji from a set of pictures; false if the font must draw it. */
function paintPicture(ctx: Context, run: TextRun, fonts: Fonts): boolean {
  const side = pictureSide * run.font.size;
  const { a, b, c, d } = ctx.getTransform();
  const picture = fonts.emoji?.(run.text, side * Math.max(Math.hypot(a, b), Math.hypot(c, d)));
  if (!picture) return false;
  const x = run.x + (run.width - run.letterSpacing - side) / 2;
  const y = run.y + pictureMiddle * run.font.size - side / 2;
  ctx.drawImage(picture, x, y, side, side);
  return true;
}

/** True if lines inside a run's letters would show: nothing opaque covers its outline. */
export function isSeenThrough({ fill }: Box, { color }: TextRun): boolean {
  if (color) return color[3] < 1;
  if (!fill) return true;
  if (fill.kind === 'solid') return fill.color[3] < 1;
  return fill.stops.some((stop) => stop.color[3] < 1);
}

/** Where the pixel grid puts a mapped baseline, box space; text that is not upright has no grid. */
function snapped(y: number, [, b, c, d, , f]: Matrix): number {
  if (Math.abs(b) >= slant || Math.abs(c) >= slant || d === 0) return y;
  return (Math.round(d * y + f) - f) / d;
}

/** The map, taken off the pixel grid; the middle of the piece stays in place. See: [Note: Text that moves] */
function slanted(map: Matrix, { x, width }: Rect): Matrix {
  const [a, b, c, d, e, f] = map;
  const centerX = x + width / 2;
  if (Math.abs(b) < slant && Math.abs(c) < slant)
    return [a, slant, c, d, e, f + (b - slant) * centerX];
  if (Math.abs(a) < slant && Math.abs(d) < slant)
    return [slant, b, c, d, e + (a - slant) * centerX, f];
  return map;
}
