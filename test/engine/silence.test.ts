/** Where recordings are silent, the pieces in which they are heard, and the words of tokens. Pure. */
import { describe, expect, test } from 'vitest';
import { piecesOf, soundsIn } from '../../server/engine/assets/speech/silence.ts';
import { wordsOfTokens } from '../../server/engine/assets/speech/whisper.ts';

/** Levels of parts, each with its seconds and decibels. */
function levels(...parts: readonly [seconds: number, level: number][]): Float32Array {
  return Float32Array.from(
    parts.flatMap(([seconds, level]) => new Array<number>(Math.round(seconds * 50)).fill(level)),
  );
}

const rounded = (spans: readonly { start: number; end: number }[]): number[][] =>
  spans.map(({ start, end }) => [start, end].map((time) => Math.round(time * 10) / 10));

const sounds = (...parts: readonly [number, number][]): number[][] => {
  const all = levels(...parts);
  return rounded(soundsIn({ levels: all, duration: all.length / 50 }));
};

describe('sounds', () => {
  test('are what is louder than the noise of the room, with a margin', () => {
    expect(sounds([2, -100], [1, -20], [2, -100])).toEqual([[1.8, 3.2]]);
    expect(sounds([2, -50], [1, -20], [2, -50])).toEqual([[1.8, 3.2]]);
    expect(sounds([5, -100])).toEqual([]);
  });

  test('go on over the pauses between words; a click is none', () => {
    expect(sounds([1, -20], [0.3, -70], [1, -20], [3, -70])).toEqual([[0, 2.5]]);
    expect(sounds([1, -70], [0.04, -10], [2, -70])).toEqual([]);
  });

  test('music without a pause is heard whole', () => {
    expect(sounds([10, -20])).toEqual([[0, 10]]);
  });
});

describe('pieces', () => {
  const of = (
    spans: readonly [number, number][],
    longest: number,
    window: number,
    all = levels([1000, -20]),
  ): number[][] => {
    const given = spans.map(([start, end]) => ({ start, end }));
    return rounded(piecesOf(given, { levels: all, longest, window }));
  };

  test('join what costs one window, and leave silence out', () => {
    expect(
      of(
        [
          [0, 5],
          [10, 15],
          [22, 28],
        ],
        240,
        30,
      ),
    ).toEqual([[0, 28]]);
    expect(
      of(
        [
          [0, 5],
          [100, 105],
        ],
        240,
        30,
      ),
    ).toEqual([
      [0, 5],
      [100, 105],
    ]);
  });

  test('are no longer than the longest', () => {
    expect(
      of(
        [
          [0, 25],
          [26, 50],
          [51, 75],
        ],
        60,
        30,
      ),
    ).toEqual([
      [0, 50],
      [51, 75],
    ]);
  });

  test('without a pause are cut at the quietest moment, each word once', () => {
    const all = levels([50, -20], [0.2, -35], [100, -20]);
    const pieces = piecesOf([{ start: 0, end: 100 }], { levels: all, longest: 60, window: 30 });
    expect(rounded(pieces)).toEqual([
      [0, 51.5],
      [48.5, 100],
    ]);
    expect(pieces[0]?.to).toBe(pieces[1]?.from);
    expect(pieces[0]?.to).toBeCloseTo(50, 1);
  });

  test('of an hour without a pause are all within the longest, and leave no gap', () => {
    const pieces = piecesOf([{ start: 0, end: 3600 }], {
      ...{ levels: levels([3600, -20]), longest: 240, window: 30 },
    });
    expect(Math.max(...pieces.map(({ start, end }) => end - start))).toBeLessThanOrEqual(240);
    expect(pieces.length).toBeLessThan(24);
    for (const [index, { from }] of pieces.entries())
      expect(from).toBe(index === 0 ? 0 : pieces[index - 1]?.to);
    expect(pieces.at(-1)?.to).toBe(3600);
  });
});

describe('the words of tokens', () => {
  const words = (
    text: string,
    ...tokens: readonly (readonly [string, number, number])[]
  ): unknown =>
    wordsOfTokens(
      text,
      tokens.map(([part, t0, t1]) => ({ text: part, t0, t1 })),
    ).map(({ text: word, start, end, glued }) => [word, start, end, glued]);

  test('are joined from their parts, with marks', () => {
    expect(
      words(
        ' Hello, world.',
        [' Hel', 0, 200],
        ['lo', 200, 400],
        [',', 400, 450],
        [' world', 500, 900],
        ['.', 900, 950],
      ),
    ).toEqual([
      ['Hello,', 0, 0.45, false],
      ['world.', 0.5, 0.95, false],
    ]);
  });

  test('get letters back that tokens have lost', () => {
    expect(
      words(
        ' Café ☕ 日本語',
        [' Caf', 0, 100],
        ['\ufffd', 100, 150],
        ['\ufffd', 150, 200],
        [' ', 200, 210],
        ['\ufffd', 210, 250],
        ['\ufffd', 250, 300],
        [' 日', 300, 400],
        ['\ufffd', 400, 450],
        ['\ufffd', 450, 500],
        ['語', 500, 600],
      ),
    ).toEqual([
      ['Café', 0, 0.2, false],
      ['☕', 0.2, 0.3, false],
      ['日', 0.3, 0.4, false],
      ['本', 0.4, 0.5, true],
      ['語', 0.5, 0.6, true],
    ]);
  });

  test('lack noises', () => {
    expect(
      words(
        ' [BLANK_AUDIO] So (music) it',
        [' [', 0, 10],
        ['BLANK', 10, 20],
        ['_', 20, 30],
        ['AUDIO', 30, 40],
        [']', 40, 50],
        [' So', 50, 60],
        [' (', 60, 70],
        ['music', 70, 80],
        [')', 80, 90],
        [' it', 90, 100],
      ),
    ).toEqual([
      ['So', 0.05, 0.06, false],
      ['it', 0.09, 0.1, false],
    ]);
  });
});
