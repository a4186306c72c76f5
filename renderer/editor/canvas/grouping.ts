/**
 * Elements made one composition: the picture stays the same at every moment, or the reason why it can't is returned.
 * Pure.
 */
import { takeName } from '../../../shared/free-name.ts';
import { say } from '../../ui/say.ts';
import { keyframesOf } from '../../../shared/renderscript/keyframes.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Source,
} from '../../../shared/renderscript/source.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';
import { PatchedText } from '../source/patch.ts';
import { clipsOf, endOf, siblingsOf, type Clip, type Clips } from '../timeline/clips.ts';
import { tidySeconds, secondsLike } from '../timeline/seconds.ts';
import { lengthKind } from '../timeline/wishes.ts';
import { withPlaces } from './changes.ts';
import type { Size } from './length.ts';
import { wrappedText } from './nested-text.ts';
import { type Area, boundsOf } from './plane.ts';
import { boundsIn, flows, rebased, tidyRoom, type Room } from './rebase.ts';
import { lanesOf } from '../../../shared/renderscript/tracks.ts';
import { changedText } from '../timeline/change.ts';

/** Why elements can't be grouped: a key of the messages `editor.canvas.whyGroup.…`. */
export type GroupObstacle =
  | 'levels'
  | 'locked'
  | 'flow'
  | 'expression'
  | 'mask'
  | 'blend'
  | 'transition'
  | 'order'
  | 'time'
  | 'unseen'
  | 'own';

/** A document after grouping and the paths to select; or the reason, with the element or property it is about. */
export type Regrouped =
  | { readonly text: string; readonly paths: readonly string[] }
  | { readonly why: GroupObstacle; readonly name: string };

/** What is known of the document at this moment. */
export interface Seen {
  readonly text: string;
  readonly source: Source;
  /** Seconds of its files. */
  readonly lengths: Readonly<Record<string, number>>;
  readonly document: Size;
  /** Where an element lies; null while it is not visible. */
  readonly areaOf: (path: string) => Area | null;
  /** The inside of a composition, '' for the document; null while it is not visible. */
  readonly roomOf: (path: string) => Area | null;
  /** Names that are taken. */
  readonly names: readonly string[];
}

/** All of a room, in its own pixels. */
export const wholeRoom = ({ width, height }: Area): Room => ({ left: 0, top: 0, width, height });

/** Makes one composition of elements of one list. */
export function grouped(seen: Seen, paths: readonly string[]): Regrouped {
  const { text, source, document } = seen;
  const clips = clipsOf(source, seen.lengths);
  const held = paths
    .flatMap((path) => clips?.byPath.get(path) ?? [])
    .sort((a, b) => a.index - b.index);
  const [first] = held;
  if (!clips || !first) return { why: 'levels', name: '' };
  if (held.some(({ list }) => list !== first.list)) return { why: 'levels', name: first.name };
  const siblings = siblingsOf(clips, first);
  const isHeld = new Set(held.map(({ index }) => index));
  const obstacle = obstacleTo(held, siblings, isHeld);
  if (obstacle) return obstacle;

  const parent = clips.byPath.get(first.parent)?.element;
  // Inside of what is as large as its content, percentages count of something else than places.
  if (parent && [parent.width, parent.height].some((side) => side === null || side === 'auto'))
    return { why: 'flow', name: first.name };
  const around = seen.roomOf(first.parent);
  if (!around) return { why: 'unseen', name: first.name };
  const inside = tightRoom(seen, held, around);
  const patch: Record<string, Json> = {};
  for (const clip of inside ? held : []) {
    if (!inside || clip.type === 'audio') continue;
    const values = rebased(clip.element, wholeRoom(around), inside.room, document);
    if (!values) return { why: 'expression', name: clip.name };
    Object.assign(patch, withPlaces(clip.path, values));
  }
  const placedText = Object.keys(patch).length === 0 ? text : new PatchedText(text).with(patch);

  const covers = siblings.map((clip) => coverOf(seen, clip));
  const before = paintOrder(siblings.map(({ element }) => element));
  const start = Math.min(...held.map((clip) => clip.start)) - first.offset;
  const end = Math.max(...held.map(endOf)) - first.offset;
  const isWhole = start < tolerance && Math.abs(end - first.whole) < tolerance;
  const fills = held.some((clip) => lengthKind(clip) === 'room');
  const name = takeName(say('piece.group'), new Set(seen.names));
  const drawn = before.filter((index) => isHeld.has(index));
  let clash = '';
  for (const anchor of new Set([drawn.at(-1), drawn[0]])) {
    const at = anchor === undefined ? undefined : siblings[anchor];
    if (!at) continue;
    for (const track of new Set([at.track, null])) {
      const own: JsonObject = {
        name,
        type: 'composition',
        ...(track !== null && { track }),
        ...(start >= tolerance && { time: tidySeconds(start) }),
        ...(!(isWhole && fills) && fills && { duration: tidySeconds(end - tidySeconds(start)) }),
        ...inside?.values,
        ...(at.element.z_index !== undefined && { z_index: at.element.z_index }),
      };
      const rest = siblings.filter(({ index }) => !isHeld.has(index));
      const place = rest.filter(({ index }) => index < at.index).length;
      const after = rest.map(({ index }): readonly number[] => [index]);
      after.splice(place, 0, drawn);
      const elements = rest.map(({ element }) => element);
      elements.splice(place, 0, own);
      const found = clashOf(covers, before, flat(elements, after), isHeld);
      if (found !== null) {
        clash = siblings[found]?.name ?? '';
        continue;
      }
      const made = wrappedText(
        placedText,
        first.list,
        held.map(({ index }) => index),
        at.index,
        own,
      );
      const path = `${first.list}[${place}]`;
      const wanted = [
        ...rest.map((clip, index) => ({
          path: `${first.list}[${index < place ? index : index + 1}]`,
          clip,
        })),
        ...held.map((clip, index) => ({ path: `${path}.elements[${index}]`, clip })),
      ];
      const timed = keptTimes(made, wanted, seen.lengths);
      if (timed !== null) return { text: timed, paths: [path] };
    }
  }
  return clash === '' ? { why: 'time', name: first.name } : { why: 'order', name: clash };
}

/** What stands against making one thing of elements, whatever their places. */
export function obstacleTo(
  held: readonly Clip[],
  siblings: readonly Clip[],
  isHeld: ReadonlySet<number>,
): Regrouped | null {
  for (const { element, name, path } of held) {
    if (element.locked === true) return { why: 'locked', name };
    if (element.type !== 'audio' && flows(element)) return { why: 'flow', name };
    if ([element.time, element.duration].some((value) => isExpression(value)))
      return { why: 'expression', name };
    const blend = keyframesOf(element.blend_mode) ? 'keys' : (element.blend_mode ?? 'none');
    if (blend !== 'none') return { why: 'blend', name };
    if (path === '') return { why: 'levels', name };
  }
  const drawn = paintOrder(siblings.map(({ element }) => element));
  let target: number | null = null;
  for (const index of drawn) {
    const clip = siblings[index];
    if (!clip) continue;
    if (isMask(clip.element)) {
      // Without its mask, or its mask without it, it would look otherwise.
      const isCut = isHeld.has(index) !== (target !== null && isHeld.has(target));
      if (isCut) return { why: 'mask', name: clip.name };
    } else if (clip.type !== 'audio') target = index;
  }
  const last = new Map<number, Clip>();
  for (const clip of [...siblings].sort((a, b) => a.start - b.start || a.index - b.index)) {
    if (clip.track === null) continue;
    const before = last.get(clip.track);
    if (clip.overlap > 0 && before && isHeld.has(before.index) !== isHeld.has(clip.index))
      return { why: 'transition', name: clip.name };
    last.set(clip.track, clip);
  }
  return null;
}

const isExpression = (value: Json | undefined): boolean =>
  Array.isArray(value) || (typeof value === 'string' && value.includes('{{'));

/** It shows nothing, and cuts what lies below it. */
export function isMask({ mask_mode: mask }: JsonObject): boolean {
  return mask !== undefined && mask !== null;
}

/** Animations that go as far as the composition around them reaches. */
const reaching = new Set(['slide', 'rotate-slide', 'shake', 'pan', 'circular-wipe', 'text-slide']);

/** The room that fits around elements; null where one of them counts on all of the room that there is. */
function tightRoom(
  { areaOf }: Seen,
  held: readonly Clip[],
  around: Area,
): ReturnType<typeof tidyRoom> {
  const areas: Area[] = [];
  for (const { element, path, type } of held) {
    if (type === 'audio') continue;
    const area = areaOf(path);
    const animations = Array.isArray(element.animations)
      ? (element.animations as readonly Json[])
      : [];
    const reaches = animations.some(
      (one) => isJsonObject(one) && typeof one.type === 'string' && reaching.has(one.type),
    );
    const isFitted =
      type === 'text' &&
      [element.width, element.height].some((side) => (side ?? 'auto') === 'auto') &&
      (parseAmount(element.font_size) === null || element.transcript_source !== undefined);
    if (!area || reaches || isFitted || element.repeat === true) return null;
    areas.push(area);
  }
  const bounds = boundsIn(around, areas);
  return bounds && tidyRoom(bounds, around);
}

function coverOf(seen: Seen, clip: Clip): Cover {
  const { element, start, path } = clip;
  return { element, start, end: endOf(clip), area: seen.areaOf(path) };
}

/** The painting order of siblings, some of which stand for several of before. */
function flat(elements: readonly JsonObject[], of: readonly (readonly number[])[]): number[] {
  return paintOrder(elements).flatMap((index) => of[index] ?? []);
}

/**
 * The index of an element that would be seen above (or below) another one that it was below (or above); null for none.
 */
function clashOf(
  covers: readonly Cover[],
  before: readonly number[],
  after: readonly number[],
  moved: ReadonlySet<number>,
): number | null {
  const placesBefore = new Map(before.map((index, place) => [index, place]));
  const placesAfter = new Map(after.map((index, place) => [index, place]));
  for (const one of moved) {
    for (const other of before) {
      if (one === other) continue;
      const wasAbove = (placesBefore.get(one) ?? 0) > (placesBefore.get(other) ?? 0);
      const isAbove = (placesAfter.get(one) ?? 0) > (placesAfter.get(other) ?? 0);
      const [a, b] = [covers[one], covers[other]];
      if (wasAbove !== isAbove && a && b && canMeet(a, b)) return other;
    }
  }
  return null;
}

/* Which of an element's siblings are painted above it, and whether that can be seen. */

/** Indexes of siblings from the lowest to the topmost. */
export function paintOrder(elements: readonly JsonObject[]): readonly number[] {
  const lanes = lanesOf(elements.map(({ track }) => parseAmount(track)?.value ?? null));
  const level = ({ z_index: z }: JsonObject): number => {
    const value = keyframesOf(z)?.[0]?.value ?? z;
    return parseAmount(value)?.value ?? -Number.MAX_VALUE;
  };
  return elements
    .map((element, index) => ({ index, lane: lanes[index] ?? 0, level: level(element) }))
    .sort((a, b) => a.level - b.level || a.lane - b.lane || a.index - b.index)
    .map(({ index }) => index);
}

/** An element as far as it can cover another one. */
interface Cover {
  readonly element: JsonObject;
  readonly start: number;
  readonly end: number;
  /** Where it lies now; null where that is not known. */
  readonly area: Area | null;
}

/** Two elements can be seen one over the other. What moves can be anywhere. */
function canMeet(one: Cover, other: Cover): boolean {
  if (one.element.type === 'audio' || other.element.type === 'audio') return false;
  if (one.end <= other.start + 1e-6 || other.end <= one.start + 1e-6) return false;
  if (!one.area || !other.area || moves(one.element) || moves(other.element)) return true;
  const [a, b] = [boundsOf([one.area]), boundsOf([other.area])];
  const reach = Math.max(spread(one.element), spread(other.element));
  return (
    a.left < b.right + reach &&
    b.left < a.right + reach &&
    a.top < b.bottom + reach &&
    b.top < a.bottom + reach
  );
}

const moving =
  /^(x|y|width|height|.*_(scale|skew|rotation|anchor|padding|alignment)|aspect_ratio)$/;

function moves(element: JsonObject): boolean {
  if (Array.isArray(element.animations) && element.animations.length > 0) return true;
  if (element.type === 'composition' || element.type === 'text') return true;
  if (element.repeat === true || element.warp_matrix) return true;
  return Object.entries(element).some(
    ([name, value]) => moving.test(name) && keyframesOf(value) !== null,
  );
}

/** Pixels beyond its sides that shadows, outlines and blurs may colour; a generous guess. */
function spread(element: JsonObject): number {
  const isSoft = element.shadow_color || element.stroke_color || element.blur_radius;
  return isSoft ? Infinity : 0;
}

/* Elements that get another parent keep their times. */

/** Sums of fractions that differ by less are the same moment. */
export const tolerance = 0.0015;

/** An element and its time before, to be kept. */
export interface Wanted {
  /** Of the element in the new text. */
  readonly path: string;
  readonly clip: Clip;
}

/**
 * The text with the times written out that would otherwise have changed.
 *
 * @returns null where that is not enough
 */
export function keptTimes(
  text: string,
  wanted: readonly Wanted[],
  lengths: Readonly<Record<string, number>>,
): string | null {
  let made = text;
  // What follows another element moves with it: each round settles those before the next ones.
  for (let round = 0; round < 4; round++) {
    const clips = readClips(made, lengths);
    if (!clips) return null;
    const values: Record<string, Json> = {};
    for (const { path, clip } of wanted) {
      const now = clips.byPath.get(path);
      if (!now) return null;
      const isLate = Math.abs(now.start - clip.start) > tolerance;
      const isLong = Math.abs(shownEnd(now, clips) - endOf(clip)) > tolerance;
      if (isLate)
        values[`${path}.time`] = secondsLike(clip.element.time, clip.start - now.offset, now.whole);
      else if (isLong)
        values[`${path}.duration`] = secondsLike(clip.element.duration, clip.duration, now.whole);
    }
    if (Object.keys(values).length === 0) return made;
    made = changedText(made, { values, order: null });
  }
  return null;
}

/** Pictures end with what they are in. */
export function shownEnd(clip: Clip, { byPath }: Clips): number {
  const around = clip.type === 'audio' ? undefined : byPath.get(clip.parent);
  return around ? Math.min(endOf(clip), endOf(around)) : endOf(clip);
}

function readClips(text: string, lengths: Readonly<Record<string, number>>): Clips | null {
  try {
    const source: unknown = JSON.parse(text);
    return isJsonObject(source) ? clipsOf(source, lengths) : null;
  } catch {
    // With a comma behind the last item it is no JSON that can be read so.
    return null;
  }
}
