/**
 * How much a text stands out from what is behind it, measured on the pixels that a render paints: so pictures, videos,
 * gradients, outlines and shadows count as they are. Runs in a worker process.
 */
import type { Rect } from '../../../shared/engine/geometry.ts';
import type { Box, Frame, TextContent } from '../../../shared/engine/layout/box.ts';
import type { Paint } from '../../../shared/engine/layout/paint-values.ts';
import { brightnessOf, lightOfSignal } from '../../../shared/engine/srgb.ts';
import { letGo } from '../garbage.ts';
import type { Stage } from '../stage.ts';

/** A text of a frame. */
interface MeasuredText {
  readonly path: string;
  /** Document pixels. */
  readonly bounds: Rect;
  readonly box: Box;
  /** Document pixels of its letters. */
  readonly size: number;
  /** Of all that it lies in, and its own. */
  readonly opacity: number;
}

/** Pixels of a cell's side: half a letter. */
const [leastSide, mostSide] = [4, 32];
/** How opaque a pixel of a text is, 0–255, to count: soft shadows do, their far ends don't. */
const leastInk = 50;
/** Of a pixel, the share that letters cover at least: what they would look like if they covered it is rounded. */
const leastCover = 0.3;
/** Share of a cell that has ink, for it to count. */
const leastShare = 0.015;
/** Of the pixels of a cell, the rank of the one that counts: edges are mixed with what is behind. */
const rank = 0.05;
/** Of the cells, the rank: a quarter of a text that can't be read is enough. */
const cellRank = 0.25;

/**
 * The contrast of a text by WCAG's formula, 1 to 21, that three quarters of it exceed: it is cut into cells, because a
 * text may lie half on a bright and half on a dark place. Null: nothing can be said, as of a text without a background.
 */
export async function contrastOf(
  stage: Stage,
  frame: Frame,
  { path, bounds, box, size, opacity }: MeasuredText,
): Promise<number | null> {
  const { painter, timeline } = stage;
  const part = partOf(bounds, stage, box);
  if (part === null) return null;
  const alone = { ...frame, boxes: onlyText(frame.boxes, path) };
  await painter.paint({ ...alone, fill: solid(0) }, part);
  const onBlack = painter.read(part);
  await painter.paint({ ...alone, fill: solid(255) }, part);
  const onWhite = painter.read(part);
  await stage.draw(frame, part);
  const seen = painter.read(part);
  await stage.draw({ ...frame, boxes: withoutInk(frame.boxes, path) }, part);
  const behind = painter.read(part);
  const scale = timeline.output.width / timeline.width;
  const side = Math.round(Math.min(mostSide, Math.max(leastSide, (size * scale) / 2)));
  // One more, so that the cells beside those at an edge are no others.
  const columns = Math.ceil(part.width / side) + 2;
  const cells = new Map<number, number[]>();
  const whole = 255 * opacity * (box.fill?.kind === 'solid' ? box.fill.color[3] : 1);
  for (let at = 0, pixel = 0; at < seen.length; at += 4, pixel++) {
    const ink = 255 - ((onWhite[at + 1] ?? 0) - (onBlack[at + 1] ?? 0));
    if (ink < leastInk || (behind[at + 3] ?? 0) < 250) continue;
    const [x, y] = [pixel % part.width, Math.floor(pixel / part.width)];
    const cell = Math.floor(y / side) * columns + Math.floor(x / side);
    // Thin strokes cover parts of pixels; a shadow is as faint as it is.
    const cover = box.shadow ? 1 : Math.max(leastCover, Math.min(1, ink / Math.max(1, whole)));
    const [one, other] = [luminance(seen, at, behind, cover), luminance(behind, at, behind, 1)];
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    const list = cells.get(cell);
    if (list) list.push(contrast);
    else cells.set(cell, [contrast]);
  }
  for (const pixels of [onBlack, onWhite, seen, behind]) letGo(pixels);
  const plain = new Map<number, number>();
  for (const [cell, list] of cells) {
    if (list.length < side * side * leastShare) continue;
    plain.set(cell, list.toSorted((a, b) => b - a)[Math.floor(list.length * rank)] ?? 1);
  }
  // A cell at the edge of a letter may have its outline alone.
  const around = [-1, 0, 1].flatMap((row) => [-1, 0, 1].map((step) => row * columns + step));
  const values = Array.from(plain.keys(), (cell) =>
    Math.max(...around.map((step) => plain.get(cell + step) ?? 1)),
  ).toSorted((a, b) => a - b);
  return values[Math.floor(values.length * cellRank)] ?? null;
}

/** Whole pixels of the canvas around a text, with its outline. */
function partOf(
  bounds: Rect,
  { scale, timeline: { output } }: Stage,
  { stroke }: Box,
): Rect | null {
  const [x, , , y] = scale;
  const more = (stroke?.width ?? 0) / 2 + 2;
  const left = Math.max(0, Math.floor((bounds.x - more) * x));
  const top = Math.max(0, Math.floor((bounds.y - more) * y));
  const right = Math.min(output.width, Math.ceil((bounds.x + bounds.width + more) * x));
  const bottom = Math.min(output.height, Math.ceil((bounds.y + bounds.height + more) * y));
  if (right - left < 2 || bottom - top < 2) return null;
  return { x: left, y: top, width: right - left, height: bottom - top };
}

function solid(value: number): Paint {
  return { kind: 'solid', color: [value, value, value, 1] };
}

/** The boxes of a frame with one text's letters alone. */
function onlyText(boxes: readonly Box[], path: string): Box[] {
  return boxes.flatMap((box): Box[] => {
    const { content } = box;
    if (content.kind === 'text' && box.element.path === path)
      return [{ ...box, content: { ...content, backgrounds: [], pieces: withoutEmoji(content) } }];
    if (content.kind !== 'composition') return [];
    const children = onlyText(content.children, path);
    if (children.length === 0) return [];
    const bare = { fill: null, stroke: null, shadow: null };
    return [{ ...box, ...bare, content: { ...content, children } }];
  });
}

/** An emoji has colors of its own, and stands out by them. */
function withoutEmoji({ pieces }: TextContent): TextContent['pieces'] {
  return pieces.map((piece) => ({ ...piece, runs: piece.runs.filter(({ emoji }) => !emoji) }));
}

/** The boxes of a frame without one text's letters; what is behind its lines stays. */
function withoutInk(boxes: readonly Box[], path: string): Box[] {
  return boxes.map((box): Box => {
    const { content, element } = box;
    if (content.kind === 'text' && element.path === path)
      return { ...box, content: { ...content, pieces: [] } };
    if (content.kind !== 'composition' || !path.startsWith(element.path)) return box;
    return { ...box, content: { ...content, children: withoutInk(content.children, path) } };
  });
}

/**
 * Relative luminance of sRGB, 0–1, as WCAG 2 defines it, of what covers a share of a pixel.
 *
 * @param behind What is there without it.
 */
function luminance(pixels: Uint8Array, at: number, behind: Uint8Array, cover: number): number {
  const part = (channel: number): number => {
    const [value, ground] = [pixels[at + channel] ?? 0, behind[at + channel] ?? 0];
    const full = Math.round(ground + (value - ground) / cover);
    return linear[Math.min(255, Math.max(0, full))] ?? 0;
  };
  return brightnessOf(part(0), part(1), part(2));
}

const linear = Float64Array.from({ length: 256 }, (_, value) => lightOfSignal(value / 255));
