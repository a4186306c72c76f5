/**
 * The ground of a frame: a video that covers the whole picture, opaque and upright, with nothing visible below it. Its
 * decoded frames may go to the encoder without being painted, and only what is above is painted. Phase 4, arithmetic
 * only.
 */
import { multiply, translation, type Matrix, type Rect } from '../geometry.ts';
import type { Color } from '../compile/property-values.ts';
import type { Box, CompositionContent, Frame, MediaContent } from '../layout/box.ts';
import type { PixelEffects } from '../layout/paint-values.ts';
import { finishedBounds, intersection, visiblePart, wholePixels } from './bounds.ts';

/** A frame split into its ground and what is above. */
export interface Ground {
  /** `TimelineElement.path` of the video. */
  readonly elementPath: string;
  readonly content: MediaContent;
  /**
   * The place of the video's whole picture on the output, pixels. It covers the output. Whole and even up to rounding:
   * exactly.
   */
  readonly place: Rect;
  /** A colour over all of the video: what darkens a picture under a title. Null = none. */
  readonly veil: Color | null;
  /** The frame without the ground and everything below it, transparent. */
  readonly graphics: Frame;
}

/** A side or position off by less, in pixels, counts as whole: that is rounding. */
const tolerance = 1e-3;

/**
 * The ground of a frame, or null. `scale`: document pixels → output pixels. `output` = the size of the finished
 * picture, pixels.
 */
export function groundOf(
  frame: Frame,
  scale: Matrix,
  output: { readonly width: number; readonly height: number },
): Ground | null {
  const whole: Rect = { x: 0, y: 0, width: output.width, height: output.height };
  const found = amongSiblings(frame.boxes, scale, whole);
  if (!found) return null;
  const { box, content, place, above } = found;
  const graphics: Frame = { ...frame, fill: null, boxes: above };
  const veil = box.effects?.overlay ?? null;
  return { elementPath: box.element.path, content, place, veil, graphics };
}

interface Found {
  readonly box: Box;
  readonly content: MediaContent;
  readonly place: Rect;
  /** Siblings above, or the ground's composition without it, and what is above that. */
  readonly above: readonly Box[];
}

/** From the top down: what is below the first ground is invisible. */
function amongSiblings(boxes: readonly Box[], parent: Matrix, whole: Rect): Found | null {
  for (let index = boxes.length - 1; index >= 0; index--) {
    const box = boxes[index];
    if (!box || box.mask) continue;
    // Other blend modes need the colours below.
    if (box.blendMode !== 'none') return null;
    if (boxes[index + 1]?.mask || !isPlain(box)) continue;
    const map = multiply(parent, box.transform);
    const above = boxes.slice(index + 1);
    const { content } = box;
    if (content.kind === 'media') {
      const place = content.media === 'video' ? placeOf(box, content, map, whole) : null;
      if (place) return { box, content, place, above };
    } else if (content.kind === 'composition' && !box.effects && isWindow(box, map, whole)) {
      const inside = multiply(map, translation(content.originX, content.originY));
      const found = amongSiblings(content.children, inside, whole);
      if (found) return { ...found, above: [withoutGround(box, content, found.above), ...above] };
    }
  }
  return null;
}

/** True if nothing changes a box's pixels before blending, but for a colour over all of them. */
function isPlain(box: Box): boolean {
  return (
    box.opacity >= 1 &&
    !box.bend &&
    (!box.effects || isVeil(box.effects)) &&
    !box.shadow &&
    !box.stroke &&
    !box.repeat &&
    !box.contentTransform &&
    box.borderRadius === 0 &&
    box.clipPaths.length === 0
  );
}

function isVeil({ key, grade, lut, vignette, blur, filter, overlay }: PixelEffects): boolean {
  const hasLook = key !== null || grade !== null || lut !== null || vignette > 0;
  return !hasLook && overlay !== null && blur === 0 && filter === 'none';
}

/** The place of the whole picture if it covers the output, else null. */
function placeOf(box: Box, content: MediaContent, map: Matrix, whole: Rect): Rect | null {
  const shown = visiblePart(box, content);
  const cut = shown && box.clip ? intersection(shown, areaOf(box)) : shown;
  if (!cut || !covers(onOutput(map, cut), whole)) return null;
  const place = onOutput(map, content.rect);
  return place && (evenRect(place) ?? place);
}

/** True if a composition's edges are outside of the output, so that it clips nothing. */
function isWindow(box: Box, map: Matrix, whole: Rect): boolean {
  return covers(onOutput(map, areaOf(box)), whole);
}

const areaOf = ({ width, height }: Box): Rect => ({ x: 0, y: 0, width, height });

/** A rectangle mapped by an upright map without mirroring; null for other maps. */
function onOutput([a, b, c, d, e, f]: Matrix, { x, y, width, height }: Rect): Rect | null {
  if (Math.abs(b) > 1e-9 || Math.abs(c) > 1e-9 || a <= 0 || d <= 0) return null;
  return { x: a * x + e, y: d * y + f, width: a * width, height: d * height };
}

function covers(area: Rect | null, whole: Rect): boolean {
  return (
    area !== null &&
    area.x <= tolerance &&
    area.y <= tolerance &&
    area.x + area.width >= whole.width - tolerance &&
    area.y + area.height >= whole.height - tolerance
  );
}

/** The rectangle in even numbers, which half-size colour planes need; null if it isn't even. */
function evenRect({ x, y, width, height }: Rect): Rect | null {
  const [left, top, across, down] = [x, y, width, height].map((value) => {
    const even = Math.round(value / 2) * 2;
    return Math.abs(even - value) < tolerance ? even : NaN;
  });
  const even = { x: left ?? NaN, y: top ?? NaN, width: across ?? NaN, height: down ?? NaN };
  return Object.values(even).every(Number.isFinite) ? even : null;
}

/** A composition with only what is above the ground; its fill is below. */
function withoutGround(box: Box, content: CompositionContent, children: readonly Box[]): Box {
  return { ...box, fill: null, content: { ...content, children } };
}

/** Rows of a band; narrower ones fit the graphics better, but each costs a call. */
const bandRows = 32;

/**
 * Where graphics may be, as bands one below the other on even borders of the output. They may be too wide, never too
 * narrow.
 */
export function bandsOf(
  graphics: Frame,
  scale: Matrix,
  output: { readonly width: number; readonly height: number },
): { left: number; top: number; width: number; height: number }[] {
  const whole: Rect = { x: 0, y: 0, width: output.width, height: output.height };
  const areas = graphics.boxes.flatMap((box) => {
    if (box.mask) return [];
    const bounds = box.repeat ? whole : finishedBounds(box, scale);
    const pixels = bounds && wholePixels(bounds, whole);
    return pixels ? [pixels] : [];
  });
  const bands = [];
  for (let top = 0; top < output.height; top += bandRows) {
    const height = Math.min(bandRows, output.height - top);
    const here = areas.filter(({ y, height: high }) => y < top + height && y + high > top);
    if (here.length === 0) continue;
    const left = Math.min(...here.map(({ x }) => x));
    const right = Math.max(...here.map(({ x, width }) => x + width));
    const from = Math.floor(left / 2) * 2;
    const to = Math.min(output.width, Math.ceil(right / 2) * 2);
    bands.push({ left: from, top, width: to - from, height });
  }
  return bands;
}
