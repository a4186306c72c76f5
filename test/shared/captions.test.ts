/** Captions edited by hand: lines of words with their times, as they are written into documents and subtitle files. */
import { describe, expect, test } from 'vitest';
import { applied } from '../../renderer/editor/source/json-text.ts';
import { subtitleFile } from '../../shared/engine/compile/subtitle-file.ts';
import {
  endOf,
  linesOf,
  startOf,
  type CaptionLine,
} from '../../shared/engine/compile/caption-lines.ts';
import {
  addLine,
  corrected,
  joinLine,
  lineAt,
  moveEdge,
  partsOf,
  shiftLine,
  splitLine,
  textOf,
  withText,
  withoutLine,
  wordAt,
  wordOfLetter,
  wordsOf,
} from '../../renderer/editor/captions/lines.ts';
import { nothingKept } from '../../renderer/editor/captions/kept.ts';
import { textLines, withTexts } from '../../renderer/editor/captions/pasted.ts';
import { captionChanges, wordList } from '../../renderer/editor/captions/written.ts';
import { readSubtitles } from '../../shared/engine/subtitles.ts';
import { readWords, splitTime } from '../../shared/engine/transcript.ts';
import { writtenTranscripts, writtenWords } from '../../shared/engine/written-words.ts';
import { seededRandom } from './random.ts';

/** A line whose words last a second each. */
function line(text: string, start = 0): CaptionLine {
  const words = splitTime(text, 0, 1, null);
  return words.map(({ text: word, glued }, at) => ({
    text: word,
    start: start + at,
    end: start + at + 1,
    glued,
  }));
}

const brief = (lines: readonly CaptionLine[] | null): readonly string[] | null =>
  lines?.map((one) => `${startOf(one)}–${endOf(one)} ${textOf(one)}`) ?? null;
const times = (one: CaptionLine | null): readonly string[] | null =>
  one?.map(({ text, start, end }) => `${text} ${start}–${end}`) ?? null;

const two = [line('one two three'), line('four five', 4)];

// prettier-ignore
test.each<[what: string, text: string, words: readonly string[] | null]>([
  ['the same text changes nothing', 'one two three', ['one 0–1', 'two 1–2', 'three 2–3']],
  ['a corrected word keeps its time', 'one 2 three', ['one 0–1', '2 1–2', 'three 2–3']],
  ['one that goes leaves a gap', 'one three', ['one 0–1', 'three 2–3']],
  ['two in place of one share its time', 'one tw o three', ['one 0–1', 'tw 1–1.6', 'o 1.6–2', 'three 2–3']],
  ['one in place of two gets both times', 'onetwo three', ['onetwo 0–2', 'three 2–3']],
  ['one more takes half of the word before it', 'one two abc three', ['one 0–1', 'two 1–1.5', 'abc 1.5–2', 'three 2–3']],
  ['at the beginning, of the word after it', 'abc one two three', ['abc 0–0.5', 'one 0.5–1', 'two 1–2', 'three 2–3']],
  ['spaces do not matter', '  one\ttwo\nthree ', ['one 0–1', 'two 1–2', 'three 2–3']],
  ['nothing is left of an empty one', '  ', null],
])('correcting a line: %s', (_what, text, words) => {
  expect(times(corrected(line('one two three'), text))).toEqual(words);
});

// prettier-ignore
test.each<[what: string, lines: readonly CaptionLine[] | null, after: readonly string[] | null]>([
  ['split before a word', splitLine(two, 0, 4), ['0–1 one', '1–3 two three', '4–6 four five']],
  ['split behind a word', splitLine(two, 0, 3), ['0–1 one', '1–3 two three', '4–6 four five']],
  ['split in a word', splitLine(two, 1, 2), ['0–3 one two three', '4–4.5 fo', '4.5–6 ur five']],
  ['no split at the beginning', splitLine(two, 0, 0), null],
  ['no split at the end', splitLine(two, 0, 13), null],
  ['join', joinLine(two, 1)?.lines ?? null, ['0–6 one two three four five']],
  ['no join of the first one', joinLine(two, 0)?.lines ?? null, null],
  ['delete', withoutLine(two, 0), ['4–6 four five']],
  ['without a text it goes', withText(two, 1, ''), ['0–3 one two three']],
  ['shift', shiftLine(two, 1, 0.5), ['0–3 one two three', '4.5–6.5 four five']],
  ['shift up to the neighbour', shiftLine(two, 1, -9), ['0–3 one two three', '3–5 four five']],
  ['shift on up to the neighbour', shiftLine(two, 0, 9), ['1–4 one two three', '4–6 four five']],
  ['not before the beginning', shiftLine(two, 0, -1), ['0–3 one two three', '4–6 four five']],
  ['shift all that follow', shiftLine(two, 0, 9, 'following'), ['9–12 one two three', '13–15 four five']],
  ['an earlier beginning', moveEdge(two, 1, 'start', 2), ['0–3 one two three', '3–6 four five']],
  ['a later beginning', moveEdge(two, 1, 'start', 5), ['0–3 one two three', '5–6 four five']],
  ['an earlier end', moveEdge(two, 0, 'end', 1.5), ['0–1.5 one two three', '4–6 four five']],
  ['a later end', moveEdge(two, 0, 'end', 99), ['0–4 one two three', '4–6 four five']],
  ['words keep some time', moveEdge(two, 0, 'end', 0), ['0–0.06 one two three', '4–6 four five']],
  ['add in a gap', addLine(two, 0, 'new'), ['0–3 one two three', '3–4 new', '4–6 four five']],
  ['add where it is wanted', addLine(two, 0, 'new', 3.4), ['0–3 one two three', '3.4–4 new', '4–6 four five']],
  ['add at the end', addLine(two, 1, 'new one'), ['0–3 one two three', '4–6 four five', '6–8 new one']],
  ['add without a gap', addLine(two, -1, 'new'), ['0–0.5 new', '0.5–3.5 one two three', '4.5–6.5 four five']],
])('lines: %s', (_what, lines, after) => {
  expect(brief(lines)).toEqual(after);
});

test('where a moment and a letter are', () => {
  expect([-1, 0, 3.5, 5, 99].map((time) => lineAt(two, time))).toEqual([-1, 0, 0, 1, 1]);
  expect([0, 1.5, 3, 5].map((time) => wordAt(line('one two three'), time))).toEqual([0, 1, -1, -1]);
  expect([0, 3, 4, 8, 13].map((letter) => wordOfLetter(line('one two three'), letter))).toEqual([
    0, 0, 1, 2, 2,
  ]);
});

test('a long line says as how many pages it is shown', () => {
  expect([null, 100, 8, 5].map((maximum) => partsOf(line('one two three'), maximum))).toEqual([
    1, 1, 2, 3,
  ]);
});

describe('with anything that hands may do', () => {
  const bits = ['word', 'a', 'It’s', 'ok.', 'straße', '東京', 'へ行く', '👍', 'end!', ',', '(x)'];

  test.each(Array.from({ length: 24 }, (_, seed) => seed))('seed %i', (seed) => {
    const numbers = seededRandom(seed);
    const random = (): number => numbers.next();
    const pick = (most: number): number => Math.floor(random() * most);
    const some = (): string =>
      Array.from({ length: 1 + pick(5) }, () => bits[pick(bits.length)]).join(
        random() < 0.2 ? '' : ' ',
      );
    let lines: CaptionLine[] = [];
    for (let step = 0; step < 60; step++) {
      const index = pick(Math.max(1, lines.length));
      const own = lines[index] ?? [];
      const kinds: readonly (() => CaptionLine[] | null)[] = [
        () => addLine(lines, index - pick(2), some(), random() < 0.5 ? random() * 30 : null),
        () => withText(lines, index, random() < 0.1 ? '' : some()),
        () => splitLine(lines, index, pick(textOf(own).length + 1)),
        () => joinLine(lines, index)?.lines ?? null,
        () => shiftLine(lines, index, random() * 4 - 2, random() < 0.5 ? 'one' : 'following'),
        () => moveEdge(lines, index, random() < 0.5 ? 'start' : 'end', random() * 30),
        () => (random() < 0.3 ? withoutLine(lines, index) : null),
      ];
      lines = kinds[pick(kinds.length)]?.() ?? lines;

      // Never without words, in order, and none of a word's time below zero.
      expect(lines.every((one) => one.length > 0 && textOf(one) !== '')).toBe(true);
      for (const [at, one] of lines.entries()) {
        expect(startOf(one)).toBeGreaterThanOrEqual(at > 0 ? endOf(lines[at - 1]!) - 1e-6 : 0);
        for (const { start, end } of one) expect(end).toBeGreaterThanOrEqual(start);
      }
    }
    // The same text changes nothing.
    for (const one of lines) expect(textOf(corrected(one, textOf(one)) ?? [])).toBe(textOf(one));
    for (const one of lines) expect(corrected(one, textOf(one))).toEqual(one);

    // The render shows exactly the list.
    const read = linesOf(readWords(wordList(lines), 'x', 'x'), null);
    expect(read.map(textOf)).toEqual(lines.map(textOf));
    read.forEach((one, at) => {
      expect(startOf(one)).toBeCloseTo(startOf(lines[at]!), 2);
      expect(endOf(one)).toBeCloseTo(endOf(lines[at]!), 2);
    });
    expect(wordList(read)).toEqual(wordList(linesOf(readWords(wordList(read), 'x', 'x'), null)));

    // Subtitle files say the same; WebVTT of every word.
    const cues = (offset: number) => lines.map((line) => ({ line, offset, speaker: null }));
    const srt = linesOf(readSubtitles(subtitleFile(cues(2), 'srt'), 'x', 'x'), null);
    const vtt = linesOf(readSubtitles(subtitleFile(cues(0), 'vtt'), 'x', 'x'), null);
    expect(srt.map(textOf)).toEqual(lines.map(textOf));
    expect(vtt.map(textOf)).toEqual(lines.map(textOf));
    srt.forEach((one, at) => expect(startOf(one)).toBeCloseTo(startOf(lines[at]!) + 2, 2));
    wordsOf(vtt).forEach(({ start }, at) =>
      expect(start).toBeCloseTo(wordsOf(lines)[at]?.start ?? -1, 2),
    );
  });
});

test.each([
  [
    '{\n  "elements": [\n    { "type": "text", "x": 1 }\n  ]\n}',
    /"x": 1,\n? *"transcript_source": \[\n {6,}\{ "time": 0, "duration": 1, "value": "ab", "sentence": 1 \}/,
  ],
  [
    '{\n\t"elements": [{\n\t\t"type": "text",\n\t\t"transcript_source": "Video",\n\t\t"x": 1\n\t}]\n}',
    /\t\t"transcript_source": \[\n\t\t\t\{ "time": 0, .*\}\n\t\t\],\n\t\t"x": 1\n/,
  ],
  [
    '{"elements":[{"type":"text","transcript_source":[{"time":9,"value":"x"}]}]}',
    /^\{"elements":\[\{"type":"text","transcript_source":\[\{"time":0,"duration":1,"value":"ab","sentence":1\}\]\}\]\}$/,
  ],
])('the document keeps the form that its author gave it: %j', (text, written) => {
  const after = applied(text, captionChanges(text, 'elements[0]', [line('ab')], nothingKept));
  expect(after).toMatch(written);
  const again = applied(
    after,
    captionChanges(after, 'elements[0]', [line('ab'), line('cd', 2)], nothingKept),
  );
  const source = JSON.parse(again) as { elements: { transcript_source: unknown }[] };
  expect(source.elements[0]?.transcript_source).toMatchObject([
    { value: 'ab', sentence: 1 },
    { value: 'cd', time: 2, sentence: 2 },
  ]);
});

test('written words are found at any depth; broken ones are left out', () => {
  const text = { type: 'text', transcript_source: [{ time: 1, value: 'hi' }] };
  const source = {
    elements: [
      { type: 'composition', elements: [text] },
      { ...text, transcript_source: 'Video' },
      { ...text, transcript_source: [{ value: 1 }] },
      { ...text, transcript_source: 'WEBVTT\n\n00:01.000 --> 00:02.000\nyes' },
    ],
  };
  const found = [...writtenTranscripts(source)].map(([path, transcript]) => [
    path,
    transcript.clock === 'text' && transcript.words.map((word) => word.text),
  ]);
  expect(found).toEqual([
    ['elements[3]', ['yes']],
    ['elements[0].elements[0]', ['hi']],
  ]);
  expect(writtenWords('Video', 'x', 'x')).toBeNull();
});

describe('a text given as a whole', () => {
  test.each<[string, readonly string[]]>([
    ['One line', ['One line']],
    ['  First line \r\n\r\n second  line\n', ['First line', 'second line']],
    ['Hello there. How are you? Fine!', ['Hello there.', 'How are you?', 'Fine!']],
    ['Lines win. Over sentences.\nAlways.', ['Lines win. Over sentences.', 'Always.']],
    ['今日は。元気ですか？', ['今日は。', '元気ですか？']],
    [' \n ', []],
  ])('%j', (text, lines) => {
    expect(textLines(text)).toEqual(lines);
  });

  test('takes the time of reading, shares what room there is, and moves on what follows', () => {
    const texts = ['a'.repeat(30), 'b'.repeat(15), 'c'];
    const placed = (lines: readonly CaptionLine[], index: number, end: number): unknown =>
      withTexts(lines, index, texts, end).map((one) => [
        textOf(one).slice(0, 3),
        Number(startOf(one).toFixed(3)),
        Number(endOf(one).toFixed(3)),
      ]);
    expect(placed([line('new', 1)], 0, 20)).toEqual([
      ['aaa', 1, 3],
      ['bbb', 3, 4],
      ['c', 4, 5],
    ]);
    expect(placed([line('new', 1)], 0, 3)).toEqual([
      ['aaa', 1, 2],
      ['bbb', 2, 2.5],
      ['c', 2.5, 3],
    ]);
    // Half a second of room: each gets 0.4 s on average, and the next line begins later.
    expect(placed([line('new', 1), line('next', 1.5)], 0, 20)).toEqual([
      ['aaa', 1, 1.6],
      ['bbb', 1.6, 1.9],
      ['c', 1.9, 2.2],
      ['nex', 2.2, 3.2],
    ]);
  });
});
