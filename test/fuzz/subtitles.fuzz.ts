/**
 * Subtitles and lists of words, broken and huge: words in order or a sentence for people, in time that grows with the
 * text.
 */
import { RenderError } from '../../shared/engine/errors.ts';
import { looksLikeSubtitles, readSubtitles } from '../../shared/engine/subtitles.ts';
import { readWords, type TimedWord } from '../../shared/engine/transcript.ts';
import type { Json } from '../../shared/renderscript/source.ts';
import { runCases, stopwatch, type FuzzOptions, type FuzzResult, type Random } from './cases.ts';
import { hostileValue } from './hostile-values.ts';
import { brokenText } from './texts.ts';

export const name = 'subtitles';

/** Milliseconds, and more of them for each character: far above what linear work takes on a busy machine. */
const longest = 500;
const perCharacter = 0.02;

const whole = [
  '1\n00:00:00,000 --> 00:00:01,500\nHello there\n\n2\n00:00:01,500 --> 00:00:03,000\n<i>Two</i>\nlines\n',
  'WEBVTT\n\nNOTE a remark\n\nintro\n00:00.000 --> 00:02.500 align:start\n<v Ann>Hello <00:01.000>there <c.x>now</c>\n',
  'WEBVTT\r\n\r\n1:00:00.000 --> 1:00:01.000\r\n日本語の字幕 مرحبا 👩‍👩‍👧\r\n',
  '\ufeff1\n0:0:1,5 --> 00:00:02\n{\\an8}Kind &amp; odd &lt;b&gt;\n',
];
const signs = [
  '-->',
  '<',
  '>',
  '\n',
  ' ',
  '<00:00:01.000>',
  '&amp;',
  '00:00:01,000 --> 00:00:02,000\nx\n\n',
  ':',
  '0',
];

function subtitlesOf(random: Random): string {
  const text = random.pick(whole);
  const long = random.oneIn(40) ? text.repeat(1 + random.below(1_000)) : text;
  const broken = random.oneIn(10) ? long : brokenText(random, long);
  if (!random.oneIn(30)) return broken;
  const at = random.below(broken.length + 1);
  return broken.slice(0, at) + random.pick(signs).repeat(random.below(60_000)) + broken.slice(at);
}

function wordsOf(random: Random): Json[] {
  const count = random.oneIn(60) ? 20_000 : random.below(6);
  return Array.from({ length: count }, () => {
    const word = {
      time: random.pick([0, 1, -1, 0.5, '2 s', 1e300, '1e9', null, 'x']),
      value: random.pick(['one', '', ' ', 'two words', '\ud800', 'x'.repeat(300)]),
      ...(random.oneIn(3) && { duration: random.pick([0, 1, -1, 1e300, '1 s', 'x']) }),
    };
    // Made of JSON, like all that comes from a request.
    return random.oneIn(12) ? (JSON.parse(JSON.stringify(hostileValue(random, 1))) as Json) : word;
  });
}

/** What is wrong with words that were read. */
function wrongIn(words: readonly TimedWord[]): string | null {
  for (const { text, start, end } of words) {
    if (text === '') return 'a word without characters';
    if (!Number.isFinite(start) || !Number.isFinite(end)) return `a word from ${start} to ${end}`;
    if (end < start) return `a word that ends at ${end}, before its start at ${start}`;
  }
  return null;
}

export function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  return runCases(options, (random) => {
    const input = random.oneIn(3) ? wordsOf(random) : subtitlesOf(random);
    const written = typeof input === 'string' ? input : JSON.stringify(input);
    const elapsed = stopwatch();
    let wrong: string | null = null;
    try {
      if (typeof input === 'string') looksLikeSubtitles(input);
      wrong = wrongIn(
        typeof input === 'string'
          ? readSubtitles(input, 'Text.transcript_source', 'elements[0].transcript_source')
          : readWords(input, 'Text.transcript_source', 'elements[0].transcript_source'),
      );
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      if (error.message.length > 500) wrong = `a sentence of ${error.message.length} characters`;
    }
    const took = elapsed();
    if (took > longest + perCharacter * written.length) wrong ??= `it took ${took.toFixed(0)} ms`;
    return wrong === null ? null : `${wrong}: ${JSON.stringify(written.slice(0, 1_000))}`;
  });
}
