/**
 * The schedule: every element of a document with its place in time, before its visual properties are read. Compile
 * phase; pure. Lengths are determined inside-out (a composition is as long as its content), places outside-in (elements
 * without a length fill their composition). The arithmetic of one composition is in timing.ts.
 */
import { foundValue } from '../../renderscript/found-value.ts';
import { withoutUnset } from '../../renderscript/properties.ts';
import { choiceExpectation, withFound } from '../../renderscript/rules.ts';
import {
  type ElementType,
  elementTypes,
  isJsonObject,
  isPlayed,
  type Json,
  type JsonObject,
  type Source,
  unnamedElement,
} from '../../renderscript/source.ts';
import { overlapOf } from '../../renderscript/tracks.ts';
import { readLottieAddress } from '../../renderscript/lottie-address.ts';
import { mediaAddress } from '../../renderscript/voices.ts';
import { parseAmount, parseSeconds } from '../../renderscript/units.ts';
import type { MediaInfo } from '../media-info.ts';
import { speedOf, timePlayed } from './speed.ts';
import type { MediaClip } from './timeline.ts';
import {
  contentLength,
  emptyLength,
  placeSlots,
  type LengthWish,
  type Slot,
  type StartWish,
} from './timing.ts';
import { unreadable, type Place } from './values.ts';

/** An element placed in time. */
export interface ScheduledElement extends Place {
  readonly json: JsonObject;
  readonly type: ElementType;
  /** The number of its track; null for a separate one. */
  readonly track: number | null;
  /** Seconds on the composition's clock. */
  readonly start: number;
  readonly duration: number;
  /** True if the next one on its track ends it early. */
  readonly cut: boolean;
  /** Index among its siblings of the element that this one's transition blends with; null = none. */
  readonly predecessor: number | null;
  /** Seconds that its transition takes; 0 = none. */
  readonly overlap: number;
  /** The file of an image, video or audio, if any. */
  readonly file: ScheduledFile | null;
  readonly children: readonly ScheduledElement[];
  /** Seconds of one pass of a composition's content; the element's duration for all others. */
  readonly contentDuration: number;
  readonly loop: boolean;
  /** Passes of a looping composition; null = endless. */
  readonly plays: number | null;
}

/** The file that an element shows or plays. */
export interface ScheduledFile {
  /** Key into the media map. */
  readonly source: string;
  readonly info: MediaInfo;
  readonly clip: MediaClip;
}

/** A document placed in time. */
export interface Schedule {
  /** Seconds of the whole document. */
  readonly duration: number;
  readonly elements: readonly ScheduledElement[];
}

/**
 * Places a whole document in time.
 *
 * @param media - the available files, by `source`; elements whose file is missing keep their place.
 * @throws RenderError `invalid_source` for invalid elements.
 */
export function scheduleDocument(source: Source, media: ReadonlyMap<string, MediaInfo>): Schedule {
  const planned = planElements(source.elements, 'elements', media);
  const duration =
    parseSeconds(source.duration) ?? contentLength(planned.map(({ slot }) => slot)) ?? emptyLength;
  return { duration, elements: placeElements(planned, duration) };
}

/** An element with its wishes, before the time available in its composition is known. */
interface PlannedElement extends Place {
  readonly json: JsonObject;
  readonly type: ElementType;
  readonly slot: Slot;
  readonly file: ScheduledFile | null;
  readonly children: readonly PlannedElement[];
  /** Seconds of one pass by a composition's own duration or content; null = as long as available. */
  readonly pass: number | null;
  readonly loop: boolean;
  readonly plays: number | null;
}

// ---- inside-out: lengths -------------------------------------------------------------------------------------------

function planElements(
  list: Json | undefined,
  listPath: string,
  media: ReadonlyMap<string, MediaInfo>,
): PlannedElement[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list))
    throw unreadable(
      { path: '', name: '' },
      listPath,
      withFound('Expected a list of elements', foundValue(list)),
    );
  const counts = new Map<string, number>();
  return list.map((json: unknown, index): PlannedElement => {
    const path = `${listPath}[${index}]`;
    if (!isJsonObject(json)) {
      const message = withFound('Expected an element', foundValue(json));
      throw unreadable({ path, name: path }, '', message);
    }
    const type = elementTypes.find((known) => known === json.type);
    if (!type) {
      throw unreadable(
        { path, name: nameOf(json, path) },
        'type',
        choiceExpectation(elementTypes, json.type).message,
      );
    }
    // Nameless elements are numbered among the siblings of their type.
    const place = (counts.get(type) ?? 0) + 1;
    counts.set(type, place);
    const name = nameOf(json, unnamedElement(type, place));
    return planElement(withoutUnset(json, type), type, { path, name }, media);
  });
}

function nameOf({ name }: JsonObject, fallback: string): string {
  return typeof name === 'string' && name !== '' ? name : fallback;
}

function planElement(
  json: JsonObject,
  type: ElementType,
  { path, name }: Place,
  media: ReadonlyMap<string, MediaInfo>,
): PlannedElement {
  const children =
    type === 'composition' ? planElements(json.elements, `${path}.elements`, media) : [];
  const file =
    type === 'composition' || type === 'text' || type === 'shape'
      ? null
      : fileOf(json, type, media);
  const loop = json.loop === true;
  const plays = loop ? (parseAmount(json.plays)?.value ?? null) : null;
  const content = contentLength(children.map(({ slot }) => slot));
  const pass = type === 'composition' ? (parseSeconds(json.duration) ?? content) : null;
  const length =
    type === 'composition' && loop
      ? loopLength(json, pass, plays)
      : lengthWish(json, type, file, content);
  const track = parseAmount(json.track)?.value ?? null;
  const slot: Slot = {
    track,
    start: startWish(json.time),
    length,
    overlap: overlapOf(json.animations),
  };
  return { path, name, json, type, slot, file, children, pass, loop, plays };
}

function startWish(time: Json | undefined): StartWish {
  if (time === 'end') return { kind: 'end' };
  const seconds = parseSeconds(time);
  if (seconds !== null) return { kind: 'at', seconds };
  const amount = parseAmount(time);
  return amount?.unit === '%' ? { kind: 'share', share: amount.value / 100 } : { kind: 'auto' };
}

const fill: LengthWish = { kind: 'fill', weight: 1 };

function fixedOr(seconds: number | null, otherwise: LengthWish): LengthWish {
  return seconds === null ? otherwise : { kind: 'fixed', seconds };
}

/**
 * Absent means `media` for video and audio, the content's length for compositions, and to fill for the rest; null
 * always means to fill.
 */
function lengthWish(
  json: JsonObject,
  type: ElementType,
  file: ScheduledFile | null,
  content: number | null,
): LengthWish {
  const wish = json.duration;
  const seconds = parseSeconds(wish);
  if (seconds !== null) return { kind: 'fixed', seconds: Math.max(0, seconds) };
  const amount = parseAmount(wish);
  if (amount?.unit === '%') return { kind: 'share', share: Math.max(0, amount.value) / 100 };
  if (amount?.unit === 'fr') return { kind: 'fill', weight: Math.max(0, amount.value) };
  const plays = isPlayed(type);
  if (type === 'composition')
    return wish === null || wish === 'auto' ? fill : fixedOr(content, fill);
  return wish === 'media' || (wish === undefined && plays)
    ? fixedOr(playingTime(file), fill)
    : fill;
}

/** Endless loops fill the available time; a number of plays is a length. */
function loopLength(json: JsonObject, pass: number | null, plays: number | null): LengthWish {
  if (pass === null) return fill;
  if (plays !== null) return { kind: 'fixed', seconds: pass * plays };
  const amount = parseAmount(json.duration);
  return { kind: 'fill', weight: amount?.unit === 'fr' ? amount.value : 1, fallback: pass };
}

/** Seconds of the document that one pass of a file takes; null if it has no length. */
function playingTime(file: ScheduledFile | null): number | null {
  if (!file) return null;
  const seconds = file.clip.trimDuration / file.clip.speed;
  return seconds > 0 ? seconds : null;
}

/**
 * An element's file, with the part of it that plays. An animated picture in an image element loops for ever or as often
 * as its file says, as in a browser.
 */
function fileOf(
  json: JsonObject,
  type: ElementType,
  media: ReadonlyMap<string, MediaInfo>,
): ScheduledFile | null {
  const source = mediaAddress({ ...json, type });
  // Its length stays while its texts are typed, and nobody has looked into it again.
  const info =
    source === null ? undefined : (media.get(source) ?? media.get(readLottieAddress(source).file));
  if (source === null || !info) return null;
  if (type === 'image') {
    const plays = info.animation?.plays ?? null;
    const clip = { trimStart: 0, trimDuration: info.duration, loop: true, speed: 1 };
    return { source, info, clip: plays === null ? clip : { ...clip, plays } };
  }
  const trimStart = Math.min(info.duration, Math.max(0, parseSeconds(json.trim_start) ?? 0));
  const rest = info.duration - trimStart;
  const trimDuration = Math.min(rest, Math.max(0, parseSeconds(json.trim_duration) ?? rest));
  const speed = speedOf(json.speed, parseSeconds(json.duration) ?? trimDuration);
  const part = { trimStart, trimDuration, loop: json.loop === true };
  if (typeof speed === 'number') return { source, info, clip: { ...part, speed } };
  const seconds = timePlayed({ speed: 1, speeds: speed }, trimDuration);
  const mean = seconds > 0 ? trimDuration / seconds : 1;
  return { source, info, clip: { ...part, speed: mean, speeds: speed } };
}

// ---- outside-in: places --------------------------------------------------------------------------------------------

function placeElements(planned: readonly PlannedElement[], total: number): ScheduledElement[] {
  const placements = placeSlots(
    planned.map(({ slot }) => slot),
    total,
  );
  return planned.map((element, index): ScheduledElement => {
    const { json, type, path, name, slot, file, loop, plays } = element;
    const { start, duration, cut, predecessor } = placements[index] ?? nowhere;
    const contentDuration = passLength(element, duration);
    // prettier-ignore
    return {
      json, type, path, name, file, loop, plays, start, duration, cut, predecessor, contentDuration,
      track: slot.track,
      overlap: slot.overlap,
      children: placeElements(element.children, contentDuration),
    };
  });
}

const nowhere = { start: 0, duration: 0, cut: false, predecessor: null };

/** The length that a composition's children fill: one pass if it loops, else its time on the screen. */
function passLength({ loop, pass }: PlannedElement, duration: number): number {
  return loop && pass !== null ? pass : duration;
}
