/**
 * Captions whose words were corrected go with the clip that they are the speech of: where it is trimmed, split, moved
 * or played faster, each word stays at the moment of the recording where it is spoken. What is not played is kept
 * aside, and comes back. Pure.
 */
import { playedAt, timePlayed } from '../../../shared/engine/compile/speed.ts';
import { isJsonObject, type JsonObject, type Source } from '../../../shared/renderscript/source.ts';
import { parseSeconds } from '../../../shared/renderscript/units.ts';
import { clipsOf, type Clip, type Clips } from '../timeline/clips.ts';
import { headOf, isAway, isHead, keptIn } from './kept.ts';
import { linesOf } from '../../../shared/engine/compile/caption-lines.ts';
import type { Speech } from '../../../shared/engine/transcript.ts';
import { withWordList } from './written.ts';

/** Seconds by which a moment may be off: times are written in milliseconds. */
const near = 0.0015;
/** Seconds between two words of a line that were not between them before: they are apart. */
const apart = 0.3;

const tidy = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** Captions that follow a recording. */
interface Following {
  readonly path: string;
  readonly words: readonly JsonObject[];
}

/** A word in its recording. */
interface Spoken {
  readonly entry: JsonObject;
  /** The file, and seconds of it. */
  readonly of: string;
  readonly at: number;
  readonly length: number;
}

/** A word where it is shown, or one that stays where it is. */
interface Placed {
  readonly entry: JsonObject;
  readonly spoken: Spoken | null;
  /** Seconds on the text's clock. */
  readonly start: number;
  readonly length: number;
}

/**
 * A document after a change of it, with its captions where their words are spoken now.
 *
 * @param before The text before the change. @param after The text after it.
 * @param lengths Seconds of its files, by `source`.
 */
export function withFollowing(
  before: string,
  after: string,
  lengths: Readonly<Record<string, number>>,
): string {
  // Most documents have none: they need not be read.
  if (!after.includes('"follows"')) return after;
  const [old, made] = [sourceOf(before), sourceOf(after)];
  if (!old || !made) return after;
  const [was, is] = [clipsOf(old, lengths), clipsOf(made, lengths)];
  if (!was || !is || sameTimes(was, is)) return after;
  const earlier = followingIn(was);
  let text = after;
  for (const { path, words } of followingIn(is)) {
    const written = JSON.stringify(words);
    // What changes the words themselves knows where they belong.
    const at = earlier.findIndex((one) => JSON.stringify(one.words) === written);
    const [own] = at < 0 ? [] : earlier.splice(at, 1);
    if (own) text = withWordList(text, path, placedAnew(own, path, was, is));
  }
  return text;
}

function sourceOf(text: string): Source | null {
  try {
    const read: unknown = JSON.parse(text);
    // The text of a document that was checked, or of a change of it.
    return isJsonObject(read) ? read : null;
  } catch {
    return null;
  }
}

/** What decides where words are. */
const timesOf = ({ byPath }: Clips): string =>
  JSON.stringify(
    [...byPath.values()].map(({ path, start, duration, media, element }) => [
      ...[path, start, duration, element.muted],
      media && [media.source, media.clip.trimStart, media.clip.trimDuration, media.clip.loop],
      media && [media.clip.speed, media.clip.speeds],
    ]),
  );
const sameTimes = (one: Clips, other: Clips): boolean => timesOf(one) === timesOf(other);

function followingIn({ byPath }: Clips): Following[] {
  return [...byPath.values()].flatMap(({ path, type, element }) => {
    const given = element.transcript_source;
    if (type !== 'text' || keptIn(given).follows.length === 0 || !Array.isArray(given)) return [];
    return [{ path, words: (given as readonly JsonObject[]).filter(isJsonObject) }];
  });
}

/** Where a file is heard. */
type Heard = (source: string) => readonly Clip[];

/** Looks once where files are heard: a recording has thousands of words. */
function heardIn({ byPath }: Clips): Heard {
  const bySource = new Map<string, Clip[]>();
  for (const clip of byPath.values()) {
    const { media, element } = clip;
    if (!media || element.muted === true) continue;
    const known = bySource.get(media.source);
    if (known) known.push(clip);
    else bySource.set(media.source, [clip]);
  }
  return (source) => bySource.get(source) ?? [];
}

/** Seconds of one pass of its file, and how many of them a clip plays. */
function passesOf({ media, duration }: Clip): { readonly pass: number; readonly count: number } {
  if (!media) return { pass: 0, count: 0 };
  const pass = timePlayed(media.clip, media.clip.trimDuration);
  return { pass, count: media.clip.loop && pass > 0 ? Math.ceil(duration / pass) : 1 };
}

/** Where a moment of the file is heard in a clip, in seconds of the document. */
function momentsOf(clip: Clip, at: number): number[] {
  const { media, start, duration } = clip;
  if (!media) return [];
  const { trimStart, trimDuration } = media.clip;
  if (at < trimStart - near || at >= trimStart + trimDuration - near) return [];
  const { pass, count } = passesOf(clip);
  const own = timePlayed(media.clip, Math.max(0, at - trimStart));
  return Array.from({ length: count }, (_, index) => index * pass + own)
    .filter((moment) => moment < duration - near)
    .map((moment) => start + moment);
}

/** The moment of its file that a clip plays at a moment of the document; null: it does not play then. */
function heardAt(clip: Clip, moment: number): number | null {
  const { media, start, duration } = clip;
  const own = moment - start;
  if (!media || own < -near || own >= duration - near) return null;
  const { pass, count } = passesOf(clip);
  const inPass = count > 1 ? Math.max(0, own) % pass : Math.max(0, own);
  return media.clip.trimStart + playedAt(media.clip, inPass);
}

/** The words of captions, where they are spoken after a change. */
function placedAnew(
  { path: oldPath, words }: Following,
  path: string,
  was: Clips,
  is: Clips,
): JsonObject[] {
  const kept = keptIn(words);
  const files = [...kept.follows];
  for (const { of } of kept.aside) if (typeof of === 'string') files.push(of);
  const offset = { was: was.byPath.get(oldPath)?.start ?? 0, is: is.byPath.get(path)?.start ?? 0 };
  const sources = [...new Set(files)];
  const [heardBefore, heardNow] = [heardIn(was), heardIn(is)];
  const spoken = new SpokenWords();
  const placed: Placed[] = [];
  for (const entry of words) {
    if (isHead(entry)) continue;
    const start = parseSeconds(entry.time) ?? 0;
    const length = parseSeconds(entry.duration) ?? 0;
    const own = isAway(entry) ? awayWord(entry, sources[0] ?? '') : null;
    const found = own ?? heardWord(entry, start + offset.was, length, sources, heardBefore);
    if (!found) placed.push({ entry, spoken: null, start, length });
    else spoken.add(found);
  }
  const away: JsonObject[] = [];
  for (const word of spoken.all) {
    const moments = heardNow(word.of).flatMap((clip) =>
      momentsOf(clip, word.at).map((moment) => ({ clip, moment })),
    );
    if (moments.length === 0) away.push(awayEntry(word));
    for (const { clip, moment } of moments) {
      const { media } = clip;
      const from = Math.max(0, word.at - (media?.clip.trimStart ?? 0));
      const length = media
        ? timePlayed(media.clip, from + word.length) - timePlayed(media.clip, from)
        : word.length;
      placed.push({ entry: word.entry, spoken: word, start: moment - offset.is, length });
    }
  }
  const head = headOf(kept);
  return [...(head ? [head] : []), ...numbered(placed, away)];
}

/** A word that was outside of what plays. */
function awayWord(entry: JsonObject, usual: string): Spoken {
  const { at, of, shown, ...rest } = entry;
  return {
    entry: { ...rest, value: typeof shown === 'string' ? shown : '' },
    of: typeof of === 'string' ? of : usual,
    at: Number(at),
    length: parseSeconds(entry.duration) ?? 0,
  };
}

/** A word that is heard now; null for one that is said by nobody. */
function heardWord(
  entry: JsonObject,
  moment: number,
  length: number,
  sources: readonly string[],
  was: Heard,
): Spoken | null {
  const { from: exact, ...rest } = entry;
  const heard = sources.flatMap((of) =>
    was(of).flatMap((clip) => {
      const at = heardAt(clip, moment);
      if (at === null || !clip.media) return [];
      const own = Math.max(0, moment - clip.start);
      const played = playedAt(clip.media.clip, own + length) - playedAt(clip.media.clip, own);
      const spoken = { entry: rest, of, at, length: played };
      // Written at the last change, and still true: so that many of them add no errors, and where two clips are heard
      // at once, each has its own.
      const isTrue =
        typeof exact === 'number' &&
        momentsOf(clip, exact).some((one) => Math.abs(one - moment) <= near);
      return [{ isTrue, spoken: isTrue ? { ...spoken, at: exact } : spoken }];
    }),
  );
  return (heard.find(({ isTrue }) => isTrue) ?? heard[0])?.spoken ?? null;
}

/** Words, each once: one that is said twice was written twice, and is one again. */
class SpokenWords {
  readonly all: Spoken[] = [];
  /** By file and moment. */
  readonly #near = new Map<string, Spoken[]>();

  add(word: Spoken): void {
    const place = Math.round(word.at / near);
    const around = [place - 1, place, place + 1].flatMap(
      (one) => this.#near.get(`${one} ${word.of}`) ?? [],
    );
    if (around.some((one) => isSameWord(one, word))) return;
    this.all.push(word);
    const key = `${place} ${word.of}`;
    this.#near.set(key, [...(this.#near.get(key) ?? []), word]);
  }
}

const isSameWord = (one: Spoken, other: Spoken): boolean =>
  one.of === other.of &&
  Math.abs(one.at - other.at) <= near &&
  one.entry.value === other.entry.value &&
  one.entry.spoken === other.entry.spoken;

function awayEntry({ entry, of, at, length }: Spoken): JsonObject {
  const { sentence = null, spoken, value } = entry;
  const made: Record<string, JsonObject[string]> = { time: 0, duration: tidy(length), value: '' };
  if (value !== '') made.shown = value ?? '';
  if (spoken !== undefined) made.spoken = spoken;
  return { ...made, sentence, at: tidy(at), of };
}

/** All in order; a line whose words are apart now is as many lines. */
function numbered(placed: readonly Placed[], away: readonly JsonObject[]): JsonObject[] {
  const isNumbered = placed.some(({ entry }) => typeof entry.sentence === 'number');
  const numbers = new Map<unknown, number>();
  let count = 0;
  let before: Placed | null = null;
  const shown = placed
    .toSorted((a, b) => a.start - b.start)
    .map((word): JsonObject => {
      const { entry, spoken, start, length } = word;
      const made: Record<string, JsonObject[string]> = {
        ...entry,
        time: tidy(start),
        duration: tidy(Math.max(0, length)),
      };
      if (spoken) made.from = tidy(spoken.at);
      if (entry.value === '') return made;
      if (isNumbered) {
        if (!before || isNewLine(before, word)) {
          count++;
          if (!numbers.has(entry.sentence)) numbers.set(entry.sentence, count);
        }
        made.sentence = count;
      }
      before = word;
      return made;
    });
  if (!isNumbered) return [...shown, ...away];
  return [
    ...shown,
    ...away.map((entry): JsonObject => {
      const { sentence } = entry;
      const number = numbers.get(sentence) ?? ++count;
      numbers.set(sentence, number);
      return { ...entry, sentence: number };
    }),
  ];
}

function isNewLine(before: Placed, word: Placed): boolean {
  if (before.entry.sentence !== word.entry.sentence) return true;
  if (!before.spoken || !word.spoken) return false;
  const gap = word.start - (before.start + before.length);
  const spokenGap = word.spoken.at - (before.spoken.at + before.spoken.length);
  return word.spoken.at < before.spoken.at - near || gap - Math.max(0, spokenGap) > apart;
}

/**
 * Words of recordings that are not played, to be kept aside: they come back with their part of the file.
 *
 * @param maximum See `linesOf`.
 */
export function notPlayed(
  speeches: readonly Speech[],
  clips: Clips,
  maximum: number | null,
): JsonObject[] {
  const known = new Map(
    speeches.map(({ elementPath, words }) => [
      clips.byPath.get(elementPath)?.media?.source ?? '',
      words,
    ]),
  );
  known.delete('');
  const heard = heardIn(clips);
  let number = 0;
  return [...known].flatMap(([of, words]) => {
    const places = heard(of);
    const isPlayed = (at: number): boolean => places.some((clip) => momentsOf(clip, at).length > 0);
    const lines = linesOf(
      words.filter(({ start }) => !isPlayed(start)),
      maximum,
    );
    return lines.flatMap((line) => {
      number++;
      return line.map(({ text, start, end }) => ({
        ...{ time: 0, duration: tidy(end - start), value: '', shown: text },
        ...{ sentence: number, at: tidy(start), of },
      }));
    });
  });
}
