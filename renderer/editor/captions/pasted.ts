/** A text given as a whole, e.g. a script that was pasted, as lines of captions. Pure. */
import { splitTime } from '../../../shared/engine/transcript.ts';
import { startOf, type CaptionLine } from '../../../shared/engine/compile/caption-lines.ts';
import { shiftLine } from './lines.ts';

/** Letters that are read in a second, as people do who make subtitles. */
const lettersASecond = 15;
/** Seconds of a line: where there is room, and in any case. */
const least = { wanted: 1, given: 0.4 };

/** The lines of a text as they are written; of one that has a single line, its sentences. */
export function textLines(text: string): readonly string[] {
  const rows = text.split(/[\n\r\u2028\u2029]+/);
  const written = tidy(rows);
  if (written.length > 1) return written;
  const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text);
  return tidy(Array.from(sentences, ({ segment }) => segment));
}

const tidy = (texts: readonly string[]): readonly string[] =>
  texts.map((text) => text.replace(/\s+/g, ' ').trim()).filter((text) => text !== '');

/**
 * Lines with the texts in place of one of them, each as long as it takes to read. They share the room up to the next
 * line, or to the end of the film, if it is too short for that; what follows moves on where even that is not enough.
 *
 * @param end Of the film, in seconds on the text's clock.
 */
export function withTexts(
  lines: readonly CaptionLine[],
  index: number,
  texts: readonly string[],
  end: number,
): CaptionLine[] {
  const [line, next] = [lines[index], lines[index + 1]];
  const start = line ? startOf(line) : 0;
  const wanted = texts.map((text) => Math.max(least.wanted, text.length / lettersASecond));
  const sum = wanted.reduce((all, seconds) => all + seconds, 0);
  const room = (next ? startOf(next) : end) - start;
  const share = Math.max(Math.min(sum, room), least.given * texts.length) / sum;
  let at = start;
  const made = texts.map((text, place) => {
    const from = at;
    at += (wanted[place] ?? 0) * share;
    return splitTime(text, from, at, null);
  });
  const all = [...lines.slice(0, index), ...made, ...lines.slice(index + 1)];
  const after = index + texts.length;
  return next && at > startOf(next) ? shiftLine(all, after, at - startOf(next), 'following') : all;
}
