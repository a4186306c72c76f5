/**
 * What is seen beneath an element of a document, by its places and times as they are written: a stack of fills, mixed.
 * Pictures and videos are unknown. Pure.
 */
import { parseColor, type Rgba } from '../../../shared/renderscript/color.ts';
import { intersection, type Rect } from '../../../shared/engine/geometry.ts';
import { keyframesOf } from '../../../shared/renderscript/keyframes.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Source,
} from '../../../shared/renderscript/source.ts';
import { lanesOf } from '../../../shared/renderscript/tracks.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';
import { pixelsIn, type Size } from '../canvas/length.ts';
import { clipsOf, endOf, type Clip } from '../timeline/clips.ts';
import { areaOf } from './area.ts';
import { contrastOf } from './oklch.ts';
import { sizeOf } from './resized.ts';

/** An element that is seen; or the document, whose path is ''. */
export interface Seen {
  readonly path: string;
  /** Its place among all that is seen, in the order of painting. */
  readonly index: number;
  readonly element: JsonObject;
  /** Document pixels: its box, and of a text its lines. */
  readonly box: Rect;
  readonly lines: Rect;
  /** The room that it stands in, pixels. */
  readonly room: Size;
  /** Seconds of the document. */
  readonly start: number;
  readonly end: number;
  /** Of all that it lies in, and its own, 0–1. */
  readonly opacity: number;
}

/** What a colour of the document is to be taken for. */
export type Painting = (color: Rgba) => Rgba;

/** Where a document doesn't say how large it is. */
const usual: Size = { width: 1920, height: 1080 };

/** The document and all its elements, in the order in which they are painted. Empty: it has errors. */
export function seenIn(source: Source, lengths: Readonly<Record<string, number>>): readonly Seen[] {
  const clips = clipsOf(source, lengths);
  if (!clips) return [];
  const document = sizeOf(source) ?? usual;
  const box = { x: 0, y: 0, ...document };
  const root: Seen = {
    path: '',
    index: 0,
    element: source,
    box,
    lines: box,
    room: document,
    start: 0,
    end: clips.duration,
    opacity: 1,
  };
  const found = [root];
  add(clips.top, root, document, found);
  return found;
}

function add(clips: readonly Clip[], around: Seen, document: Size, found: Seen[]): void {
  const lanes = lanesOf(clips.map(({ track }) => track));
  const placed = clips.map((clip, index) => ({ clip, lane: lanes[index] ?? 0 }));
  for (const { clip } of placed.toSorted((a, b) => a.lane - b.lane)) {
    const { element } = clip;
    const room = { width: around.box.width, height: around.box.height };
    const [box, lines] = [
      areaOf(element, room, 'box', document),
      areaOf(element, room, 'lines', document),
    ];
    // What masks another element is not seen itself.
    if (!box || !lines || (element.mask_mode ?? null) !== null) continue;
    const at = (area: Rect): Rect => ({
      ...area,
      x: area.x + around.box.x,
      y: area.y + around.box.y,
    });
    const seen: Seen = {
      path: clip.path,
      index: found.length,
      element,
      box: at(box),
      lines: at(withinHeight(element, lines, document, room)),
      room,
      start: Math.max(around.start, clip.start),
      end: Math.min(around.end, endOf(clip)),
      opacity: around.opacity * opacityOf(element.opacity),
    };
    found.push(seen);
    add(clip.children, seen, document, found);
  }
}

/** The lines of a text that is lower than its box: by its alignment. */
function withinHeight(element: JsonObject, lines: Rect, document: Size, room: Size): Rect {
  if (element.type !== 'text' || (element.height ?? null) === null) return lines;
  const own = areaOf({ ...element, height: null }, room, 'lines', document);
  if (!own || own.height >= lines.height) return lines;
  const free = lines.height - own.height;
  const top = pixelsIn(element.y_alignment ?? '0%', { whole: free, document }) ?? 0;
  return { ...lines, y: lines.y + top, height: own.height };
}

function opacityOf(value: Json | undefined): number {
  const most = keyframesOf(value)?.map((key) => parseAmount(key.value)?.value ?? 100);
  const percent = most
    ? most.reduce((one, other) => Math.max(one, other), 0)
    : (parseAmount(value)?.value ?? 100);
  return Math.min(1, Math.max(0, percent / 100));
}

/** Where an element is looked at, as shares of its lines. */
const places = [
  [0.5, 0.5],
  [0.1, 0.5],
  [0.9, 0.5],
  [0.3, 0.2],
  [0.7, 0.8],
] as const;
const moments = [0.5, 0.25, 0.75] as const;
/** Of very many elements only the nearest below are looked at, and the document. */
const mostBelow = 200;

/**
 * The colours that lie beneath an element, each once, at some places and moments; null among them: something unknown,
 * such as a photo.
 *
 * @param seen As `seenIn` has them.
 */
export function groundsOf(
  seen: readonly Seen[],
  of: Seen,
  painting: Painting,
): readonly (Rgba | null)[] {
  const [root] = seen;
  const near = seen.slice(Math.max(1, of.index - mostBelow), of.index);
  const below = root && root !== of ? [root, ...near] : [];
  const frame = root?.box ?? of.box;
  const lines = intersection(of.lines, frame);
  const found = new Map<string, Rgba | null>();
  for (const share of moments) {
    const time = of.start + share * (of.end - of.start);
    const there = below.filter(({ start, end }) => start <= time && time < end);
    for (const [across, down] of places) {
      const point = { x: lines.x + across * lines.width, y: lines.y + down * lines.height };
      for (const variant of [0, 1]) {
        const ground = mixedAt(there, point, variant, painting);
        found.set(ground ? ground.map(Math.round).join() : '', ground);
      }
    }
  }
  return [...found.values()];
}

/** From the top down, until nothing shines through. */
function mixedAt(
  below: readonly Seen[],
  point: { readonly x: number; readonly y: number },
  variant: number,
  painting: Painting,
): Rgba | null {
  const mixed = [0, 0, 0];
  let left = 1;
  for (const one of below.toReversed()) {
    const { element, opacity } = one;
    if (!covers(one, point) || element.type === 'text' || opacity === 0) continue;
    const isPhoto =
      (element.type === 'image' || element.type === 'video') && (element.source ?? null) !== null;
    // Under a thick veil it hardly matters what a photo shows.
    const isVeiled = left < 0.3;
    if (isPhoto && !isVeiled) return null;
    const fill = isPhoto ? ([128, 128, 128, 1] as const) : fillAt(one, point, variant, painting);
    if (!fill) continue;
    const share = left * fill[3] * opacity;
    for (const channel of [0, 1, 2] as const)
      mixed[channel] = (mixed[channel] ?? 0) + share * fill[channel];
    left -= share;
    if (left < 0.01) break;
  }
  return [mixed[0] ?? 0, mixed[1] ?? 0, mixed[2] ?? 0, 1];
}

/** Whether a point lies in an element; curved outlines count as ellipses. */
function covers(
  { element, box: { x, y, width, height } }: Seen,
  point: { readonly x: number; readonly y: number },
): boolean {
  const [across, down] = [(point.x - x) / width - 0.5, (point.y - y) / height - 0.5];
  const isCurved = typeof element.path === 'string' && /[acqst]/i.test(element.path);
  return isCurved
    ? Math.hypot(across, down) <= 0.5
    : Math.max(Math.abs(across), Math.abs(down)) <= 0.5;
}

/** The colour of a fill at a point; null for none. Of keyframes: the first or the last. */
function fillAt(
  { element, box }: Seen,
  point: { readonly x: number; readonly y: number },
  variant: number,
  painting: Painting,
): Rgba | null {
  const keys = keyframesOf(element.fill_color);
  const fill = keys ? keys.at(variant === 0 ? 0 : -1)?.value : element.fill_color;
  const plain = parseColor(fill);
  if (plain) return alike(painting, plain);
  const stops = stopsOf(fill, painting);
  const [first, last] = [stops[0], stops.at(-1)];
  if (!first || !last) return null;
  const share = (name: string, standard: number): number => {
    const amount = parseAmount(element[name]);
    return amount?.unit === '%' ? amount.value / 100 : standard;
  };
  const [x, y] = [
    box.width > 0 ? (point.x - box.x) / box.width : 0,
    box.height > 0 ? (point.y - box.y) / box.height : 0,
  ];
  const [x0, y0] = [
    share('fill_x0', 0.5),
    share('fill_y0', element.fill_mode === 'radial' ? 0.5 : 0),
  ];
  let at = 0;
  if (element.fill_mode === 'radial') {
    const longer = Math.max(box.width, box.height);
    const far = Math.hypot((x - x0) * box.width, (y - y0) * box.height);
    at = far / Math.max(1e-6, share('fill_radius', 0.5) * longer);
  } else if (element.fill_mode === 'linear') {
    const [dx, dy] = [share('fill_x1', 0.5) - x0, share('fill_y1', 1) - y0];
    at = ((x - x0) * dx + (y - y0) * dy) / Math.max(1e-6, dx * dx + dy * dy);
  }
  const after = stops.find(({ offset }) => offset >= at) ?? last;
  const before = stops.findLast(({ offset }) => offset <= at) ?? first;
  const way = after.offset - before.offset;
  const part = way > 0 ? (at - before.offset) / way : 0;
  const between = (channel: 0 | 1 | 2 | 3): number =>
    before.color[channel] + part * (after.color[channel] - before.color[channel]);
  return [between(0), between(1), between(2), between(3)];
}

function stopsOf(
  fill: unknown,
  painting: Painting,
): readonly { readonly offset: number; readonly color: Rgba }[] {
  if (!Array.isArray(fill)) return [];
  return (fill as readonly Json[])
    .flatMap((stop) => {
      const color = isJsonObject(stop) ? parseColor(stop.color) : null;
      if (!isJsonObject(stop) || !color) return [];
      const offset = parseAmount(stop.offset);
      const share = offset ? offset.value / (offset.unit === '%' ? 100 : 1) : 0;
      return [{ offset: share, color: alike(painting, color) }];
    })
    .toSorted((a, b) => a.offset - b.offset);
}

/** Another colour with the opacity of the one before. */
export function alike(painting: Painting, color: Rgba): Rgba {
  const [red, green, blue] = painting(color);
  return [red, green, blue, color[3]];
}

/** The least contrast of a colour with any ground that is known; 21 where none is. */
export function leastContrast(
  color: Rgba,
  opacity: number,
  beneath: readonly (Rgba | null)[],
): number {
  const share = color[3] * opacity;
  return beneath.reduce((least, ground) => {
    if (!ground) return least;
    const channel = (at: 0 | 1 | 2): number => color[at] * share + ground[at] * (1 - share);
    return Math.min(least, contrastOf([channel(0), channel(1), channel(2), 1], ground));
  }, 21);
}
