/** A clip cut in two at a moment. Pure. */
import { keyframesOf } from '../../../shared/renderscript/keyframes.ts';
import { takeName } from '../../../shared/free-name.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/renderscript/source.ts';
import { parseAmount, parseSeconds } from '../../../shared/renderscript/units.ts';
import { momentIn } from '../../../shared/engine/compile/clock.ts';
import { insertItem, parsePath, applied } from '../source/json-text.ts';
import { changedText, type Change } from './change.ts';
import type { Clip } from './clips.ts';
import { secondsLike, tidySeconds } from './seconds.ts';
import { isAutomatic, lengthKind, trimStartOf } from './wishes.ts';

/** Values of an element, undefined = none. */
export type Values = Readonly<Record<string, Json | undefined>>;

/** True if a moment of the document's clock lies inside a clip, with at least a frame on each side. */
export function splitsAt({ start, duration }: Clip, at: number, frame: number): boolean {
  const least = frame * 0.99;
  return at - start >= least && start + duration - at >= least;
}

/**
 * The document with a clip cut in two: the second part follows in the list. What is seen and heard stays; what the clip
 * comes in with stays with the first part, what it goes with stays with the second.
 *
 * @param at Seconds on the document's clock, within the clip.
 * @param names All names of the document; that of the second part is added.
 * @param own What the second part has of its own. Default: nothing.
 */
export function splitText(
  text: string,
  clip: Clip,
  at: number,
  names: Set<string>,
  own: JsonObject = {},
): string {
  const cut = tidySeconds(at - clip.start);
  const { first, second } = halves(clip, cut);
  const values = Object.fromEntries(
    Object.entries(first).map(([name, value]) => [`${clip.path}.${name}`, value]),
  );
  const change: Change = { values, order: null };
  const made = changedText(text, change);
  const { name } = clip.element;
  const copy: JsonObject = Object.fromEntries(
    Object.entries({
      ...clip.element,
      ...second,
      id: undefined,
      name: own.name ?? (typeof name === 'string' ? takeName(name, names.add(name)) : undefined),
      ...own,
    }).filter(([, value]) => value !== undefined),
  );
  return applied(made, insertItem(made, parsePath(clip.list), copy, clip.index + 1));
}

/**
 * What both parts have that differs from the whole.
 *
 * @param cut Seconds of the element's clock.
 */
export function halves(
  clip: Clip,
  cut: number,
): { readonly first: Values; readonly second: Values } {
  const { element, duration, whole } = clip;
  const kind = lengthKind(clip);
  const rest = duration - cut;
  const length = (seconds: number): Json => secondsLike(element.duration, seconds, whole);
  // What lasts by itself up to where it did needs no length; only shares of a track are lost.
  const isShare = parseAmount(element.duration)?.unit === 'fr';
  const isOfPart = kind === 'content' && clip.media && !clip.media.clip.loop;
  const isKept = !isShare && (isOfPart || (kind === 'room' && element.time !== 'end'));
  const start = tidySeconds(clip.start - clip.offset);
  const timed = clip.track === null || !isAutomatic(clip);
  const shown = element.animations;
  const first: Values = {
    duration: length(cut),
    ...(element.time === 'end' && { time: start }),
    ...partOfFile(clip, 0, cut),
    ...keyed(element, duration, 0),
    ...(Array.isArray(shown) && { animations: animationsOf(shown, duration, cut, 'first') }),
    ...(element.audio_fade_out !== undefined && { audio_fade_out: undefined }),
  };
  const second: Values = {
    ...(timed && { time: secondsLike(element.time, start + cut, whole) }),
    ...(!isKept && { duration: length(rest) }),
    ...partOfFile(clip, cut, rest),
    ...keyed(element, duration, cut),
    ...(Array.isArray(shown) && { animations: animationsOf(shown, duration, cut, 'second') }),
    audio_fade_in: undefined,
    ...(Array.isArray(element.transcript_source) && {
      transcript_source: wordsFrom(element.transcript_source as readonly Json[], cut),
    }),
  };
  return { first: changed(element, first), second };
}

/** Only what differs from what stands there. */
function changed(element: JsonObject, values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => JSON.stringify(element[name]) !== JSON.stringify(value),
    ),
  );
}

/** The part of the file that is played for some seconds, from some seconds of the element on. */
function partOfFile(clip: Clip, from: number, seconds: number): Values {
  const { media, element } = clip;
  if (!media) return {};
  const { speed } = media.clip;
  const part = parseSeconds(element.trim_duration);
  if (media.clip.loop) return {};
  return {
    ...(from > 0 && {
      trim_start: secondsLike(element.trim_start, trimStartOf(clip) + from * speed, 0),
    }),
    ...(part !== null && {
      trim_duration: secondsLike(
        element.trim_duration,
        Math.max(0, Math.min(part - from * speed, seconds * speed)),
        0,
      ),
    }),
  };
}

/** Keyframes with their moments counted from `from`; those that count from the end or in percent in seconds. */
function keyed(element: JsonObject, duration: number, from: number): Values {
  const values: Record<string, Json> = {};
  for (const [name, value] of Object.entries(element)) {
    if (name === 'animations' || !keyframesOf(value)) continue;
    values[name] = (value as readonly JsonObject[]).map((key) => {
      const moment = momentIn(key.time, duration);
      const isSame =
        moment === null ||
        (from === 0 && (key.time === 'start' || parseSeconds(key.time) !== null));
      return isSame ? key : { ...key, time: secondsLike(key.time, moment - from, 0) };
    });
  }
  return values;
}

/** Those of one part: what begins at the cut or after it is the second's, and what lasts all the time both have. */
function animationsOf(
  list: readonly Json[],
  duration: number,
  cut: number,
  part: 'first' | 'second',
): Json {
  return list.flatMap((entry): Json[] => {
    if (!isJsonObject(entry)) return [entry];
    const { time } = entry;
    const isWhole = (time === undefined || time === null) && entry.duration === undefined;
    if (isWhole && entry.transition !== true) return [entry];
    const moment = entry.transition === true ? 0 : (momentIn(time, duration) ?? 0);
    const isLater = time === 'end' || moment >= cut;
    if (isLater !== (part === 'second')) return [];
    const isMoved = part === 'second' && time !== 'end';
    return [isMoved ? { ...entry, time: secondsLike(time, moment - cut, 0) } : entry];
  });
}

/** Words of captions count from the beginning of their text. */
function wordsFrom(words: readonly Json[], from: number): Json {
  return words.flatMap((word): Json[] => {
    const time = isJsonObject(word) ? parseSeconds(word.time) : null;
    // An empty word keeps something of the captions, which both parts need.
    if (!isJsonObject(word) || time === null || word.follows || word.hides || word.at)
      return [word];
    return time >= from ? [{ ...word, time: secondsLike(word.time, time - from, 0) }] : [];
  });
}
