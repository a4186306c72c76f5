/**
 * Two people in one conversation: each has captions of their own, in another colour and at another place, and lines go
 * from one to the other. What their lists keep says that they belong together (kept.ts). Pure.
 */
import {
  linesOf,
  startOf,
  type CaptionLine,
} from '../../../shared/engine/compile/caption-lines.ts';
import type { Cue } from '../../../shared/engine/compile/subtitle-file.ts';
import { RenderError } from '../../../shared/engine/errors.ts';
import type { TimedWord } from '../../../shared/engine/transcript.ts';
import { writtenWords } from '../../../shared/engine/written-words.ts';
import type { Json, JsonObject, Source } from '../../../shared/renderscript/source.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';
import { copyOf, timedElement } from '../canvas/copies.ts';
import { elementAt, type OutlineItem } from '../outline/elements.ts';
import { keptIn, type Kept } from './kept.ts';

/** Captions of one of them. */
export interface Speaker {
  /** Of the text. */
  readonly path: string;
  readonly label: string;
  readonly kept: Kept;
  /** On the text's clock. */
  readonly lines: readonly CaptionLine[];
  /** Seconds from the beginning of the film to that of the text. */
  readonly offset: number;
}

/** All who speak in a document with others. @param texts Those with captions. @param startIn Seconds of the film */
export function speakersIn(
  source: Source,
  texts: readonly OutlineItem[],
  startIn: (path: string) => number,
): readonly Speaker[] {
  return texts.flatMap(({ path, label }): Speaker[] => {
    const given = elementAt(source, path)?.transcript_source;
    const kept = keptIn(given);
    const words = kept.speaker === null ? null : wordsIn(given);
    return words ? [{ path, label, kept, lines: linesOf(words, null), offset: startIn(path) }] : [];
  });
}

/** The words of a list; null while it can't be read. */
function wordsIn(given: Json | undefined): readonly TimedWord[] | null {
  try {
    return writtenWords(given, '', '');
  } catch (error) {
    if (error instanceof RenderError) return null;
    throw error;
  }
}

/** Lines with one more, which was on the clock of another text. @param by Seconds from that clock to this one */
export function withGiven(
  lines: readonly CaptionLine[],
  line: CaptionLine,
  by: number,
): readonly CaptionLine[] {
  const moved = line.map((word) => ({ ...word, start: word.start + by, end: word.end + by }));
  const at = lines.findIndex((one) => startOf(one) > startOf(moved));
  return lines.toSpliced(at < 0 ? lines.length : at, 0, moved);
}

/** Lines of all, in the order of the film. */
export function cuesOf(speakers: readonly Omit<Speaker, 'kept'>[]): readonly Cue[] {
  const isAlone = speakers.length < 2;
  return speakers
    .flatMap(({ lines, offset, label }) =>
      lines.map((line): Cue => ({ line, offset, speaker: isAlone ? null : label })),
    )
    .sort((a, b) => startOf(a.line) + a.offset - startOf(b.line) - b.offset);
}

/** A line of the list. */
interface ListedLine {
  readonly key: string;
  /** Its place among the lines of its text. */
  readonly index: number;
  readonly line: CaptionLine;
  /** Who else says it; null: whose lines are listed. */
  readonly other: Speaker | null;
}

/**
 * The lines of a text with those that others say between them.
 *
 * @param isAll False: more lines of the text come when these are seen, and what others say after them.
 */
export function rowsOf(
  lines: readonly CaptionLine[],
  {
    offset,
    others,
    isAll,
  }: { readonly offset: number; readonly others: readonly Speaker[]; readonly isAll: boolean },
): readonly ListedLine[] {
  const own = lines.map((line, index) => {
    return { key: String(index), index, line, other: null, at: startOf(line) + offset };
  });
  const last = own.at(-1)?.at ?? Infinity;
  const between = others.flatMap((other) =>
    other.lines.map((line, index) => {
      const key = `${other.path} ${index}`;
      return { key, index, line, other, at: startOf(line) + other.offset };
    }),
  );
  const near = between.filter(({ at }) => isAll || at <= last);
  return [...own, ...near].sort((a, b) => a.at - b.at);
}

/** Two colours that stand apart on most films. */
const colors = ['#ffd84d', '#7ee0ff'] as const;
/** Percent of the picture that a text takes up which does not say how high it is. */
const usualHeight = 12;

/**
 * The text of a second speaker without its words: that of the first one with a name, a colour and a place of its own.
 *
 * @param offset As that of the first speaker. @param names Those that are taken.
 */
export function secondText(
  first: JsonObject,
  { path, offset }: Pick<Speaker, 'path' | 'offset'>,
  names: readonly string[],
): JsonObject {
  const timed = timedElement(first, path, (at) => (at === path ? offset : 0));
  return { ...copyOf(timed, new Set(names)), ...secondLook(first) };
}

/** It stands above the first one, or below where there is no room: both may be seen for half a second. */
function secondLook({ fill_color: color, y, height }: JsonObject): JsonObject {
  const percent = (value: Json | undefined, usual: number): number => {
    const amount = parseAmount(value);
    return amount?.unit === '%' ? amount.value : usual;
  };
  const high = percent(height, usualHeight);
  const middle = percent(y, 50);
  const above = middle - high;
  const place = above >= high / 2 ? above : middle + high;
  return {
    fill_color: color === colors[0] ? colors[1] : colors[0],
    y: `${Math.round(place * 100) / 100}%`,
  };
}
