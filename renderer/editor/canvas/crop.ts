/**
 * The part of a picture that an element shows. The language has `fit: cover` with an alignment, which fills the box and
 * leaves one direction to choose. Any other part needs a composition around the element that cuts it off (`clip`): the
 * element becomes as large as the whole picture, and its place, looks and animations go to the composition, the frame.
 * Pure.
 */
import { takeName } from '../../../shared/free-name.ts';
import { say } from '../../ui/say.ts';
import { keyframesOf } from '../../../shared/renderscript/keyframes.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/renderscript/source.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';
import { parsePath, withoutProperties } from '../source/json-text.ts';
import { PatchedText } from '../source/patch.ts';
import { fitted, withPlaces, type Handle, type Held } from './changes.ts';
import { parentOf } from './hits.ts';
import { lengthOfPixels, pixelsIn, respelled, type LengthContext } from './length.ts';
import { wrappedText } from './nested-text.ts';
import { minus, plus, times, wayIn, wayOut, type Area, type Point } from './plane.ts';
import { shownMedia } from '../media/media-element.ts';

/** A rectangle in the pixels of the frame as it was at first, whose top left corner is 0, 0. */
export interface CropRect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The frame and the whole picture, which is never smaller. */
export interface Crop {
  readonly frame: CropRect;
  readonly picture: CropRect;
}

/** What is cropped, as it was at first. */
export interface CropStart {
  readonly text: string;
  readonly path: string;
  readonly element: JsonObject;
  /** The frame: a composition around the element, or the element itself. */
  readonly held: Held;
  /** Names that are taken. */
  readonly names: readonly string[];
}

/** Why an element can't be cropped: a key of the messages `canvas.whyCrop.…`. */
export type CropObstacle = 'keys' | 'padding' | 'bent' | 'flow';

const placing = ['x', 'y', 'width', 'height', 'x_anchor', 'y_anchor', 'x_alignment', 'y_alignment'];

/** Why this can't be cropped; null if it can. */
export function cropObstacle(element: JsonObject): CropObstacle | null {
  if (placing.some((name) => keyframesOf(element[name]) !== null)) return 'keys';
  const isSet = (name: string): boolean => (parseAmount(element[name])?.value ?? 0) !== 0;
  if (isSet('x_padding') || isSet('y_padding')) return 'padding';
  const { warp_matrix: warp, repeat } = element;
  if ((warp ?? null) !== null || repeat === true) return 'bent';
  const sides = [element.x, element.y, element.width, element.height];
  return sides.some((side) => side === null || side === 'auto') ? 'flow' : null;
}

/** The composition around an element is its frame: it cuts, and has nothing else in it. */
export function isFrame(parent: JsonObject | null): boolean {
  if (parent?.type !== 'composition' || parent.clip !== true) return false;
  const children: readonly unknown[] = Array.isArray(parent.elements) ? parent.elements : [];
  const [only] = children;
  return children.length === 1 && isJsonObject(only) && shownMedia(only) !== null;
}

/** A rectangle's area in the document. @param around The frame as it was at first. */
export function cropArea(around: Area, { x, y, width, height }: CropRect): Area {
  return {
    origin: plus(around.origin, wayOut(around, { x, y })),
    across: times(around.across, width / around.width),
    down: times(around.down, height / around.height),
    width,
    height,
  };
}

/** The rectangle of an area with the same directions; null where the frame is pressed flat. */
export function cropRect(around: Area, area: Area): CropRect | null {
  const start = wayIn(around, minus(area.origin, around.origin));
  const end = wayIn(around, plus(area.across, area.down));
  return start && end && { ...start, width: end.x, height: end.y };
}

/** A frame that reached beyond the picture (`fit: contain`) begins as large as that. */
export function startCrop(frame: CropRect, picture: CropRect): Crop {
  const [left, top] = [Math.max(frame.x, picture.x), Math.max(frame.y, picture.y)];
  const right = Math.min(frame.x + frame.width, picture.x + picture.width);
  const bottom = Math.min(frame.y + frame.height, picture.y + picture.height);
  return { frame: { x: left, y: top, width: right - left, height: bottom - top }, picture };
}

const between = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, value));

/** The picture moved, as far as it goes on filling the frame. */
export function panned({ frame, picture }: Crop, way: Point): Crop {
  const x = between(picture.x + way.x, frame.x + frame.width - picture.width, frame.x);
  const y = between(picture.y + way.y, frame.y + frame.height - picture.height, frame.y);
  return { frame, picture: { ...picture, x, y } };
}

/** Pixels that a frame has at least. */
const smallest = 4;

/** A side or corner of the frame moved, as far as the picture goes. With `keepsRatio` the frame keeps its shape. */
export function cropped(
  { frame, picture }: Crop,
  handle: Handle,
  way: Point,
  keepsRatio: boolean,
): Crop {
  const axis = (
    [start, length]: readonly [number, number],
    [least, whole]: readonly [number, number],
    side: -1 | 0 | 1,
    by: number,
  ): readonly [number, number] => {
    const end = start + length;
    if (side < 0) {
      const moved = between(start + by, least, end - smallest);
      return [moved, end - moved];
    }
    if (side > 0) return [start, between(end + by, start + smallest, least + whole) - start];
    return [start, length];
  };
  const across = axis([frame.x, frame.width], [picture.x, picture.width], handle.x, way.x);
  const down = axis([frame.y, frame.height], [picture.y, picture.height], handle.y, way.y);
  const made = { x: across[0], y: down[0], width: across[1], height: down[1] };
  if (!keepsRatio || handle.x === 0 || handle.y === 0) return { frame: made, picture };
  // The smaller of both factors stays within the picture.
  const factor = Math.min(made.width / frame.width, made.height / frame.height);
  const width = frame.width * factor;
  const height = frame.height * factor;
  return {
    frame: {
      x: handle.x < 0 ? frame.x + frame.width - width : frame.x,
      y: handle.y < 0 ? frame.y + frame.height - height : frame.y,
      width,
      height,
    },
    picture,
  };
}

/** How many times as large as needed a picture can be. */
const largest = 20;

/** The picture scaled about a point, no smaller than the frame. */
export function scaled({ frame, picture }: Crop, by: number, at: Point): Crop {
  const least = Math.max(frame.width / picture.width, frame.height / picture.height);
  const factor = between(by, least, least * largest);
  const made = {
    x: at.x + (picture.x - at.x) * factor,
    y: at.y + (picture.y - at.y) * factor,
    width: picture.width * factor,
    height: picture.height * factor,
  };
  return panned({ frame, picture: made }, { x: 0, y: 0 });
}

/** Of its size: rounding of places, and what nobody sees. */
const tolerance = 0.004;

/** The picture is as small as the frame lets it be. */
function isCovering({ frame, picture }: Crop): boolean {
  const scale = Math.max(frame.width / picture.width, frame.height / picture.height);
  return Math.abs(scale - 1) < tolerance;
}

/** Properties that stay with the file; all others go to the frame. */
const ofFile = new Set([
  ...['type', 'id', 'name', 'dynamic', 'source', 'provider', 'fit', 'loop', 'speed', 'volume'],
  ...['color_filter', 'color_filter_value', 'color_overlay', 'blur_radius', 'blur_mode', 'muted'],
  ...['key_color', 'key_tolerance', 'key_softness', 'key_spill', 'look_exposure'],
  ...['look_contrast', 'look_saturation', 'look_temperature', 'look_tint', 'look_lut'],
  ...['look_lut_strength', 'look_vignette'],
  ...['trim_start', 'trim_duration', 'audio_fade_in', 'audio_fade_out'],
]);
/** Those that it loses, because its own place says it. */
const lost = ['smart_crop', 'x_alignment', 'y_alignment'];

/** The document with a crop, and the path of the element with the file in it. */
export function cropText(
  start: CropStart,
  crop: Crop,
): { readonly text: string; readonly path: string } {
  const { path, held, text } = start;
  const frame = cropArea(held.area, crop.frame);
  if (held.path !== path) {
    const values = { ...withPlaces(held.path, fitted(held, frame)), ...insideValues(start, crop) };
    const rest = withoutOf(text, start, lost);
    return {
      text: Object.keys(values).length === 0 ? rest : new PatchedText(rest).with(values),
      path,
    };
  }
  return isCovering(crop) && start.element.fit !== 'fill'
    ? { text: coveredText(start, crop, frame), path }
    : framedText(start, crop, frame);
}

function withoutOf(text: string, { path, element }: CropStart, names: readonly string[]): string {
  const gone = names.filter((name) => element[name] !== undefined);
  if (gone.length === 0) return text;
  return withoutProperties(
    text,
    gone.map((name) => parsePath(`${path}.${name}`)),
  );
}

/** By alignment alone. */
function coveredText(start: CropStart, { frame, picture }: Crop, area: Area): string {
  const { path, element, held, text } = start;
  const values: Record<string, Json> = { ...withPlaces(path, fitted(held, area)) };
  for (const [name, slack, way] of [
    ['x_alignment', frame.width - picture.width, picture.x - frame.x],
    ['y_alignment', frame.height - picture.height, picture.y - frame.y],
  ] as const) {
    const before = element[name];
    // Less than a pixel leaves nothing to choose.
    if (Math.abs(slack) < 1) continue;
    const share = (way / slack) * 100;
    const isAsBefore = Math.abs((parseAmount(before ?? '50%')?.value ?? 50) - share) < 0.01;
    if (!isAsBefore) values[`${path}.${name}`] = respelled(before ?? '50%', share, '%');
  }
  if (element.fit === 'contain') values[`${path}.fit`] = 'cover';
  const rest = withoutOf(text, start, ['smart_crop']);
  return Object.keys(values).length === 0 ? rest : new PatchedText(rest).with(values);
}

/** By a composition around it, from now on. */
function framedText(start: CropStart, crop: Crop, area: Area): { text: string; path: string } {
  const { path, element, held, text, names } = start;
  const kept = Object.entries(element).filter(
    ([name]) => !ofFile.has(name) && !lost.includes(name),
  );
  const { name } = element;
  const own: JsonObject = {
    ...(typeof name === 'string' && { name: frameName(name, names) }),
    type: 'composition',
    clip: true,
    ...Object.fromEntries(kept),
    ...fitted(held, area),
  };
  const list = path.slice(0, path.lastIndexOf('['));
  const index = Number(parsePath(path).at(-1));
  const wrapped = wrappedText(text, list, [index], index, own);
  const inner = `${path}.elements[0]`;
  const gone = [...kept.map(([one]) => one), ...lost].filter((one) => element[one] !== undefined);
  const bare = withoutProperties(
    wrapped,
    gone.map((one) => parsePath(`${inner}.${one}`)),
  );
  const values: Record<string, Json> = {
    ...shares(crop, (one) => `${inner}.${one}`),
    // It loops for as long as its frame is there.
    ...(element.loop === true && { [`${inner}.duration`]: null }),
  };
  return { text: new PatchedText(bare).with(values), path: inner };
}

const frameName = (name: string, names: readonly string[]): string =>
  takeName(say('piece.frame', { name }), new Set(names));

/** The picture's place in its frame in percent. */
function shares({ frame, picture }: Crop, nameOf: (name: string) => string): Record<string, Json> {
  const percent = (part: number, whole: number): string =>
    `${Number(((part / whole) * 100).toFixed(3))}%`;
  return {
    [nameOf('x')]: percent(picture.x + picture.width / 2 - frame.x, frame.width),
    [nameOf('y')]: percent(picture.y + picture.height / 2 - frame.y, frame.height),
    [nameOf('width')]: percent(picture.width, frame.width),
    [nameOf('height')]: percent(picture.height, frame.height),
  };
}

/** The place of an element in a frame that is there already, in its own units. */
function insideValues(
  { path, element, held }: CropStart,
  { frame, picture }: Crop,
): Record<string, Json> {
  const values: Record<string, Json> = {};
  const write = (name: string, standard: Json, pixels: number, context: LengthContext): void => {
    const before = element[name] ?? standard;
    const now = pixelsIn(before, context);
    if (now !== null && Math.abs(now - pixels) < 0.01) return;
    const unit = parseAmount(before)?.unit ?? '%';
    const places = unit === '%' ? 3 : 2;
    const made = lengthOfPixels(pixels, unit, context);
    const amount = parseAmount(made);
    values[`${path}.${name}`] = amount
      ? respelled(element[name] ?? made, pixels / perUnit(unit, context), unit, places)
      : made;
  };
  for (const [position, side, anchor] of [
    ['x', 'width', 'x_anchor'],
    ['y', 'height', 'y_anchor'],
  ] as const) {
    const context = { whole: frame[side], document: held.document };
    const share = pixelsIn(element[anchor] ?? '50%', {
      whole: picture[side],
      document: held.document,
    });
    write(side, '100%', picture[side], context);
    write(
      position,
      '50%',
      picture[position] - frame[position] + (share ?? picture[side] / 2),
      context,
    );
  }
  return values;
}

const perUnit = (unit: string, context: LengthContext): number =>
  pixelsIn(unit === '' ? 1 : `1${unit}`, context) ?? 1;

/** The element that shows all of the picture over the frame, for the time of cropping only. */
export function wholePicture(start: CropStart, crop: Crop): JsonObject {
  const { element, held } = start;
  const outer = held.element;
  const pivot = (side: 'width' | 'height', anchor: 'x_anchor' | 'y_anchor'): number =>
    pixelsIn(outer[anchor] ?? '50%', { whole: held.area[side], document: held.document }) ??
    held.area[side] / 2;
  const at = { x: pivot('width', 'x_anchor'), y: pivot('height', 'y_anchor') };
  const turns = [
    'x',
    'y',
    'x_scale',
    'y_scale',
    'x_skew',
    'y_skew',
    'z_rotation',
    'time',
    'duration',
  ];
  const { picture } = crop;
  return {
    ...Object.fromEntries(
      Object.entries(element).filter(
        ([name]) => ofFile.has(name) && name !== 'name' && name !== 'id',
      ),
    ),
    ...Object.fromEntries(
      turns.flatMap((name) => (outer[name] === undefined ? [] : [[name, outer[name]]])),
    ),
    ...(element.type === 'video' && { muted: true }),
    fit: 'fill',
    width: picture.width,
    height: picture.height,
    x_anchor: at.x - picture.x,
    y_anchor: at.y - picture.y,
    opacity: '35%',
    z_index: 1e6,
  };
}

/** The list that an element lies in. */
export const listOf = (path: string): string => {
  const parent = parentOf(path);
  return parent === '' ? 'elements' : `${parent}.elements`;
};
