/**
 * Elements that follow each other on a track, as far as the document alone tells; schedule.ts, which knows the files,
 * places them. Pure.
 */
import { animationDefaults } from './animation-types.ts';
import { isJsonObject, type Json, type JsonObject } from './source.ts';
import { parseAmount, parseSeconds } from './units.ts';

/** Seconds of the transition among an element's animations; 0 = none. */
export function overlapOf(animations: Json | undefined): number {
  if (!Array.isArray(animations)) return 0;
  const lengths = animations
    .filter((entry) => isJsonObject(entry) && entry.transition === true)
    .map((entry: JsonObject) => transitionLength(entry));
  return Math.max(0, ...lengths);
}

/** Seconds of one transition. */
export function transitionLength(entry: JsonObject): number {
  return Math.max(0, parseSeconds(entry.duration) ?? animationDefaults.duration);
}

/** What people are told of an element that is cut to nothing. */
export const neverVisible = {
  code: 'never_visible',
  message: 'Is never visible: the next element of its track starts at the same time',
} as const;

/** An element that the next one of its track hides, or ends early. */
export interface CutElement {
  /** Among its siblings. */
  readonly index: number;
  readonly code: 'never_visible' | 'cut_short';
  readonly message: string;
}

/** Less is a rounded number. */
const leastCut = 0.05;

/** Those among siblings whose written times show that the next one of their track cuts them. */
export function cutOnTracks(siblings: readonly unknown[]): readonly CutElement[] {
  const tracks = new Map<number, { index: number; start: number; json: JsonObject }[]>();
  siblings.forEach((json, index) => {
    if (!isJsonObject(json)) return;
    const track = parseAmount(json.track)?.value;
    const start = parseSeconds(json.time);
    if (track === undefined || start === null) return;
    const entry = { index, start, json };
    const others = tracks.get(track);
    if (others) others.push(entry);
    else tracks.set(track, [entry]);
  });
  return Array.from(tracks.values(), (entries) => {
    // Stable: of two that start together, the later one follows.
    entries.sort((one, other) => one.start - other.start);
    return entries.slice(0, -1).flatMap(({ index, start, json }, position): CutElement[] => {
      const next = entries[position + 1];
      if (!next) return [];
      const length = next.start + overlapOf(next.json.animations) - start;
      if (length <= 0) return [{ index, ...neverVisible }];
      const own = parseSeconds(json.duration);
      if (own === null || own - length < leastCut) return [];
      const message = `Is shown for ${seconds(length)} of its ${seconds(own)} s: then the next element of its track starts`;
      return [{ index, code: 'cut_short', message }];
    });
  }).flat();
}

function seconds(value: number): number {
  return Number(value.toFixed(2));
}

/*
 * Which elements of a list are above which: the lanes that tracks make. The engine and the editor's outline use this
 * order. Pure.
 */

/**
 * The lane of every element of a list, lower ones below: its track, or half a track above the highest track defined
 * before it. So an element without a track is above everything defined before it and below tracks that first appear
 * later. If tracks and definition order disagree, tracks win. Elements without a track that get the same number are in
 * definition order, each in its own lane.
 *
 * @param tracks in definition order; null: no track
 */
export function lanesOf(tracks: readonly (number | null)[]): readonly number[] {
  let highest = 0;
  return tracks.map((track) => {
    highest = Math.max(highest, track ?? 0);
    return track ?? highest + 0.5;
  });
}
