/**
 * What whisper.cpp writes with `-ojf` (or `-oj`), or its library says, as words with times. Phase 1; pure.
 *
 * Its tokens are parts of words and even of characters: a letter of two bytes may be split over two tokens, so the file
 * need not be valid UTF-8. It is read as bytes, and decoded once the words are complete.
 */
import { z } from 'zod';
import { RenderError } from '../../../../shared/engine/errors.ts';
import {
  areGlued,
  inOrder,
  splitTime,
  type TimedWord,
} from '../../../../shared/engine/transcript.ts';
import type { SpokenToken } from './recogniser-protocol.ts';

/** Milliseconds. */
const offsets = z.object({ from: z.number(), to: z.number() });
const token = z.object({ text: z.string(), offsets: offsets.optional() });
const output = z.object({
  transcription: z.array(
    z.object({ offsets, text: z.string(), tokens: z.array(token).optional() }),
  ),
});

/** Marks of the model, e.g. `[_BEG_]`, `[_TT_150]`, `<|endoftext|>`. */
const special = /^\[_.*\]$|^<\|.*\|>$/;
/** Noises that it transcribes: `[BLANK_AUDIO]`, `(music)`, `♪`, `*laughs*`. */
const noise = /^\s*(?:\[[^\]]*\]|\([^)]*\)|\*[^*]*\*|[♪♫\s]+)\s*$/;

/** A word in the making. */
interface Part {
  bytes: string;
  from: number;
  to: number;
  /** True if it begins with a space. */
  readonly spaced: boolean;
}

/** @throws RenderError `transcriber_failed` if it is no such file. */
export function readWhisper(file: Buffer): TimedWord[] {
  const { transcription } = parse(file);
  const words = transcription.flatMap(({ offsets: { from, to }, text, tokens }) => {
    if (noise.test(decode(text))) return [];
    const timed = (tokens ?? []).filter(({ text: part }) => !special.test(part));
    return timed.some(({ offsets: own }) => own !== undefined)
      ? wordsOf(timed, from, to)
      : splitTime(decode(text), from / 1000, to / 1000, null);
  });
  return inOrder(words);
}

function parse(file: Buffer): z.infer<typeof output> {
  try {
    return output.parse(JSON.parse(file.toString('latin1')));
  } catch (error) {
    const message = 'The speech recogniser wrote something else than whisper.cpp’s JSON';
    throw new RenderError('transcriber_failed', message, { cause: error });
  }
}

type Token = z.infer<typeof token>;

/** Joins tokens that end in the middle of a letter with what completes it. */
function wholeTokens(tokens: readonly Token[]): Token[] {
  const whole: Token[] = [];
  for (const next of tokens) {
    const last = whole.at(-1);
    // A letter has at most four bytes; beyond that the bytes are invalid.
    const open = last !== undefined && /\ufffd$/.test(decode(last.text.slice(-4)));
    if (!open || next.text.startsWith(' ')) {
      whole.push(next);
      continue;
    }
    const from = last.offsets?.from ?? next.offsets?.from;
    const to = next.offsets?.to ?? last.offsets?.to;
    const offsetsOfBoth = from === undefined || to === undefined ? {} : { offsets: { from, to } };
    whole[whole.length - 1] = { text: last.text + next.text, ...offsetsOfBoth };
  }
  return whole;
}

function wordsOf(tokens: readonly Token[], from: number, to: number): TimedWord[] {
  const parts: Part[] = [];
  let time = from;
  for (const { text, offsets: own } of wholeTokens(tokens)) {
    const start = own?.from ?? time;
    const end = Math.min(to, Math.max(start, own?.to ?? start));
    time = end;
    const last = parts.at(-1);
    if (last && !beginsWord(last.bytes, text)) {
      last.bytes += text;
      last.to = Math.max(last.to, end);
    } else {
      parts.push({ bytes: text, from: Math.min(start, to), to: end, spaced: text.startsWith(' ') });
    }
  }
  return parts.flatMap(({ bytes, from: first, to: last, spaced }, index): TimedWord[] => {
    const text = decode(bytes).trim();
    if (text === '' || noise.test(text)) return [];
    const glued = index > 0 && !spaced;
    return [{ text, start: first / 1000, end: last / 1000, sentence: null, glued }];
  });
}

/** Does a token begin a word? In scripts without spaces every complete token except punctuation does. */
function beginsWord(before: string, next: string): boolean {
  if (next.startsWith(' ')) return true;
  const [left, right] = [decode(before), decode(next)];
  return areGlued(left, right) && /[\p{L}\p{N}]/u.test(right);
}

function decode(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

// ---- the library ---------------------------------------------------------------------------------------------------

/** What begins and ends a noise, e.g. `[`, and the most words that it has. */
const noiseMarks: Readonly<Record<string, string>> = { '[': ']', '(': ')', '*': '*', '♪': '♪' };
const longestNoise = 6;

/**
 * The words of tokens; their times are those of the part that was heard.
 *
 * @param text all that was said
 */
export function wordsOfTokens(text: string, tokens: readonly SpokenToken[]): TimedWord[] {
  const mended = withLetters(text, tokens).map(({ text: part, t0: from, t1: to }) => ({
    text: Buffer.from(part, 'utf8').toString('latin1'),
    offsets: { from, to: Math.max(from, to) },
  }));
  const last = mended.reduce((end, { offsets: { to } }) => Math.max(end, to), 0);
  return withoutNoises(inOrder(wordsOf(mended, 0, last)));
}

/**
 * Tokens end amid letters, which the library then says as U+FFFD; the whole text has them. Tokens without whole letters
 * are joined.
 */
function withLetters(text: string, tokens: readonly SpokenToken[]): SpokenToken[] {
  const whole: SpokenToken[] = [];
  let at = 0;
  let broken: SpokenToken | undefined;
  for (const next of [...tokens, undefined]) {
    if (next?.text.includes('\ufffd')) {
      broken = broken ? { ...broken, text: broken.text + next.text, t1: next.t1 } : next;
      continue;
    }
    // What stands between is no shorter than its whole letters.
    const least = at + (broken?.text.replaceAll('\ufffd', '').length ?? 0);
    const found = next === undefined ? text.length : text.indexOf(next.text, least);
    const begin = found < 0 ? least : found;
    if (broken) whole.push({ ...broken, text: text.slice(at, begin) });
    if (next) whole.push(next);
    at = begin + (next?.text.length ?? 0);
    broken = undefined;
  }
  return whole;
}

/** Without noises whose marks and words are tokens of their own: `[`, `BLANK`, `_`, `AUDIO`, `]`. */
function withoutNoises(words: readonly TimedWord[]): TimedWord[] {
  const kept: TimedWord[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (!word) break;
    const mark = noiseMarks[word.text.charAt(0)];
    const following = words.slice(index, index + longestNoise);
    const length = mark === undefined ? -1 : following.findIndex(({ text }) => text.endsWith(mark));
    if (length < 0) kept.push(word);
    else index += length;
  }
  return kept;
}
