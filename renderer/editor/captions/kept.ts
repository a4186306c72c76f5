/**
 * What a list of captions' words keeps beside what is shown: whose speech they are, and words that are not to be seen
 * now. All of it are words with an empty value, which say nothing wherever the language is known. Pure.
 *
 *   { "time": 0, "duration": 0, "value": "", "follows": ["media:1"], "hides": ["fillers"] }    of all
 *   { "time": 0, "duration": 0, "value": "", "speaker": 2 }                                    of all
 *   { "time": 2.1, "duration": 0.3, "value": "", "spoken": "um," }                             a filler that is hidden
 *   { "time": 0, "duration": 0.4, "value": "", "shown": "Hello", "at": 12.3, "of": "media:1" } outside of what plays
 */
import { isJsonObject, type Json, type JsonObject } from '../../../shared/renderscript/source.ts';
import { hiddenKinds, type HiddenKind } from '../../../shared/hidden-words.ts';

/** See above. */
export interface Kept {
  /** The files whose speech the words are, as elements name them; none for words that stay where they are. */
  readonly follows: readonly string[];
  readonly hides: readonly HiddenKind[];
  /** Which of two people says them, from 1; null: nobody else does. */
  readonly speaker: number | null;
  /** Words that are not shown, as they are written. */
  readonly aside: readonly JsonObject[];
}

export const nothingKept: Kept = { follows: [], hides: [], speaker: null, aside: [] };

const isSilent = (entry: JsonObject): boolean =>
  typeof entry.value === 'string' && entry.value.trim() === '';
/** The entry of all. */
export const isHead = (entry: JsonObject): boolean =>
  isSilent(entry) && ['follows', 'hides', 'speaker'].some((name) => name in entry);

/** What the value of `transcript_source` keeps. */
export function keptIn(given: Json | undefined): Kept {
  if (!Array.isArray(given)) return nothingKept;
  const silent = (given as readonly Json[]).filter(isJsonObject).filter(isSilent);
  const head = silent.find(isHead);
  const { follows, hides, speaker } = head ?? {};
  return {
    follows: (Array.isArray(follows) ? (follows as readonly Json[]) : []).filter(
      (file) => typeof file === 'string',
    ),
    speaker: typeof speaker === 'number' ? speaker : null,
    hides: Array.isArray(hides) ? hiddenKinds.filter((kind) => hides.includes(kind)) : [],
    aside: silent.filter((entry) => entry !== head && !isHead(entry)),
  };
}

/** The first entry of a list that keeps something; null if it needs none. */
export function headOf({ follows, hides, speaker }: Kept): JsonObject | null {
  if (follows.length === 0 && hides.length === 0 && speaker === null) return null;
  const head: Record<string, Json> = { time: 0, duration: 0, value: '' };
  if (follows.length > 0) head.follows = [...follows];
  if (hides.length > 0) head.hides = [...hides];
  if (speaker !== null) head.speaker = speaker;
  return head;
}

/** A word that is outside of what plays. */
export const isAway = (entry: JsonObject): boolean => typeof entry.at === 'number';
