/**
 * SubRip (SRT) and WebVTT as words with times. Phase 1; pure.
 *
 * Read more leniently than the formats demand: byte-order marks, any line ends, points and commas before the
 * milliseconds in both, missing numbers and empty lines. Times inside a WebVTT cue (`<00:00:01.000>`, also as the
 * karaoke lines of video sites have them) are kept; elsewhere a cue's time is shared among its words by their length.
 */
import { documentLimits } from '../renderscript/limits.ts';
import { RenderError } from './errors.ts';
import {
  areGlued,
  characterLimit,
  endsLine,
  shortened,
  splitTime,
  type TimedWord,
} from './transcript.ts';

const arrow = '-->';
/** `1:02:03,5`, `02:03.456`, `00:02`; hours and milliseconds may be missing. */
const timePattern = /^(?:(\d+):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?$/;

/** True for a text that can only be subtitles, not a name or an address. */
export function looksLikeSubtitles(text: string): boolean {
  return /^\ufeff?\s*WEBVTT(?:[ \t]|[\r\n]|$)/.test(text) || text.includes(arrow);
}

/**
 * Reads subtitles. Every cue becomes one sentence, because its author decided what belongs together.
 *
 * @param place - the property or file for messages.
 * @throws RenderError `invalid_source` with the line, what was expected and what was found; `limit_exceeded` if there
 * are more words than a text may have.
 */
export function readSubtitles(text: string, place: string, path: string): TimedWord[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n?|\n/);
  const refuse = (index: number, expected: string): RenderError =>
    new RenderError(
      'invalid_source',
      `Source error: ${place}: line ${index + 1}: Expected ${expected}, found ${shortened(lines[index]?.trim() ?? '')}`,
      { path },
    );

  const count = characterLimit('The subtitles have', place, path);
  const words: TimedWord[] = [];
  let sentence = 0;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (!line.includes(arrow)) continue;
    const [from = '', rest = ''] = line.split(arrow);
    const start = parseTime(from.trim());
    // WebVTT has settings after the second time.
    const end = parseTime(rest.trim().split(/\s+/)[0] ?? '');
    if (start === null || end === null)
      throw refuse(index, 'times as in 00:00:01,000 --> 00:00:02,500');
    if (end < start) throw refuse(index, 'an end after the start');

    let last = index + 1;
    while (last < lines.length && !endsCue(lines, last)) last++;
    const body = lines.slice(index + 1, last).join('\n');
    // Cutting a text into words costs more than counting its letters: too many are refused first.
    const letters = plainText(body).replace(/\s+/gu, '').length;
    if (letters > documentLimits.textLength) count(letters);
    for (const word of readCue(body, start, end, sentence++)) {
      count(word.text.length);
      words.push(word);
    }
    index = last - 1;
  }
  if (sentence === 0 && lines.some((line) => line.trim() !== '') && !/^WEBVTT/.test(lines[0] ?? ''))
    throw refuse(0, 'subtitles (SRT or WebVTT)');
  return words.toSorted((a, b) => a.start - b.start);
}

/**
 * A cue ends before an empty line, unless everything up to the next times is its text; a lone number before the next
 * times belongs to the next cue.
 */
function endsCue(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? '';
  if (line.includes(arrow)) return true;
  const next = lines[index + 1];
  if (/^\s*\d+\s*$/.test(line) && next?.includes(arrow) === true) return true;
  return line.trim() === '' && lines[index - 1]?.includes(arrow) !== true;
}

function parseTime(text: string): number | null {
  const match = timePattern.exec(text);
  if (!match) return null;
  const [, hours = '0', minutes = '0', seconds = '0', fraction = '0'] = match;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`);
}

/** The words of one cue. */
function readCue(body: string, start: number, end: number, sentence: number): TimedWord[] {
  // Odd parts are times at which the following words are spoken.
  const parts = body.split(/<((?:\d+:)?\d{1,2}:\d{1,2}[.,]\d{1,3})>/);
  const words: TimedWord[] = [];
  let from = start;
  let before = '';
  parts.forEach((part, index) => {
    if (index % 2 === 1) {
      from = Math.min(end, Math.max(from, parseTime(part) ?? from));
      return;
    }
    const next = parts[index + 1];
    const until = next === undefined ? end : Math.min(end, Math.max(from, parseTime(next) ?? end));
    const text = plainText(part);
    const timed = splitTime(text, from, until, sentence);
    timed.forEach((word, place) => {
      // A time may be inside a word: syllables of a song.
      const first = place === 0 && before !== '' && !/\s$/u.test(before) && !/^\s/u.test(text);
      const last = words.at(-1)?.text ?? '';
      const startsLine = words.length > 0 && (word.startsLine || (place === 0 && endsLine(before)));
      const glued = first || areGlued(last, word.text) ? words.length > 0 : word.glued;
      words.push({ ...word, glued, startsLine });
    });
    if (text !== '') before = text;
  });
  return words;
}

// prettier-ignore
const entities: Readonly<Record<string, string>> = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', lrm: '', rlm: '',
};

/** Without tags, styling marks and entities. */
function plainText(text: string): string {
  return text
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/\{\\[^{}]*\}/g, '')
    .replace(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]+);/gi, (whole, name: string) => {
      if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? whole;
      const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : Number(name.slice(1));
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    });
}
