/** Captions as lines of words with their times: what a person corrects, and what subtitle files have. Pure. */
import type { TimedWord } from '../transcript.ts';
import { pagesOf } from './captions.ts';

/** A spoken word; seconds on its text's clock. */
export type CaptionWord = Pick<
  TimedWord,
  'text' | 'start' | 'end' | 'glued' | 'startsLine' | 'spoken'
>;

/** A line; never without words. Lines are in order: none begins before the one before it has begun. */
export type CaptionLine = readonly CaptionWord[];

/** When its first word begins, in seconds. */
export const startOf = (line: CaptionLine): number => line[0]?.start ?? 0;
/** When its last word ends, in seconds. */
export const endOf = (line: CaptionLine): number =>
  line.reduce((latest, { end }) => Math.max(latest, end), startOf(line));

/**
 * The lines of a transcript, as they are shown: its pages.
 *
 * @param maximum Most letters of a page; null = no limit.
 */
export function linesOf(words: readonly TimedWord[], maximum: number | null): CaptionLine[] {
  const pages = pagesOf(words, maximum);
  let at = 0;
  // The pages' own words have the gaps between them closed; written is what was heard.
  return pages.map((page) => {
    const own = words.slice(at, at + page.words.length);
    at += own.length;
    return own.map(({ text, start, end, glued, startsLine = false, spoken }, place) => ({
      text,
      start,
      end,
      glued: glued && place > 0,
      ...(startsLine && place > 0 && { startsLine }),
      ...(spoken !== undefined && { spoken }),
    }));
  });
}
