/** Music that makes way: `duck` in the engine, and the keyframes that the window writes, measured on the mix. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { changedSource } from '../../renderer/editor/timeline/change.ts';
import { clipsOf, type Clip } from '../../renderer/editor/timeline/clips.ts';
import { duckedMusic, type Loudness } from '../../renderer/editor/timeline/ducking.ts';
import { duckingLine, factorAt } from '../../shared/engine/compile/ducking.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import type { Json, JsonObject } from '../../shared/renderscript/source.ts';
import { mixIn } from './sound-mixes.ts';
import { decibels, rate, sine, writeWav, type Signal } from './sound-signals.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'ducking-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const musicTone = 440;
/** Words at 0–1 s and 3–4 s of the file, silence between them and after. */
const talk: Signal = (index) => {
  const time = index / rate;
  return time < 1 || (time >= 3 && time < 4) ? sine(2500, 0.3)(index) : 0;
};
writeWav(path.join(folder, 'music.wav'), 12, [sine(musicTone, 0.4)]);
writeWav(path.join(folder, 'talk.wav'), 5, [talk]);

const elements: readonly JsonObject[] = [
  { type: 'audio', name: 'Music', source: 'music.wav', volume: '80%' },
  { type: 'audio', name: 'Voice', source: 'talk.wav', time: 2 },
];
const [music = {}, voice = {}] = elements;

/** How loud the music is in a mix, in dB of what it is alone, around moments. */
async function heard(list: readonly JsonObject[], moments: readonly number[]): Promise<number[]> {
  const { left } = await mixIn(folder, 12, list);
  return moments.map((moment) => {
    // The share of its tone in 50 ms.
    const first = Math.round((moment - 0.025) * rate);
    let [real, imaginary] = [0, 0];
    for (let index = 0; index < rate / 20; index++) {
      const angle = (2 * Math.PI * musicTone * index) / rate;
      real += (left[first + index] ?? 0) * Math.cos(angle);
      imaginary += (left[first + index] ?? 0) * Math.sin(angle);
    }
    return decibels((Math.hypot(real, imaginary) * 40) / rate / (0.4 * 0.8));
  });
}

const close = (found: readonly number[], expected: readonly number[]): void =>
  found.forEach((value, index) => {
    expect(Math.abs(value - (expected[index] ?? NaN)), String(found)).toBeLessThan(0.4);
  });

describe('duck in a document', () => {
  test('lowers by its decibels while others are heard, and comes back', async () => {
    const found = await heard([{ ...music, duck: 12 }, voice], [1, 1.75, 2.1, 5, 6.9, 7.7, 10]);
    close(found, [0, 0, -12, -12, -12, 0, 0]);
  });

  test('half of the way down and up lies where the way does', async () => {
    const [down = 0, up = 0] = await heard([{ ...music, duck: 20 }, voice], [1.9, 7.3]);
    // The middle of a straight line from 1 to 0.1.
    for (const value of [down, up]) expect(value).toBeCloseTo(decibels(0.55), 0);
  });

  test('not for silent ones, loops, and others that make way', async () => {
    const loop = { ...voice, loop: true, duration: 4 };
    const others = [
      { ...voice, muted: true },
      { ...voice, visible: false },
      { ...voice, duck: 6, volume: '0.01%' },
      { ...loop, volume: '0.01%' },
    ];
    for (const other of others) close(await heard([{ ...music, duck: 12 }, other], [3, 5]), [0, 0]);
  });

  test('multiplies with keyframes of the volume', async () => {
    const volume = [
      { time: 0, value: '80%' },
      { time: 5, value: '40%', easing: 'steps(1)' },
    ];
    close(await heard([{ ...music, volume, duck: 12 }, voice], [1, 3, 6, 10]), [0, -12, -18, -6]);
  });
});

/** The sound of a file as the window knows it. */
const peaks: Loudness = {
  perSecond: 50,
  values: Uint8Array.from({ length: 250 }, (_, at) =>
    at < 50 || (at >= 150 && at < 200) ? 76 : 0,
  ),
};

function ducked(list: readonly JsonObject[], isKnown = true): JsonObject {
  const source = { output_format: 'mp4', width: 32, height: 32, duration: 12, elements: list };
  const clips = clipsOf(source, { 'music.wav': 12, 'talk.wav': 5 });
  if (!clips) throw new Error('no clips');
  const chosen = [...clips.byPath.values()].filter(({ name }) => name === 'Music');
  const peaksOf = ({ name }: Clip): Loudness | null => (isKnown && name === 'Voice' ? peaks : null);
  const change = duckedMusic(clips, chosen, peaksOf);
  return change ? changedSource(source, change) : source;
}
const elementsOf = ({ elements: list }: JsonObject): JsonObject[] => list as JsonObject[];

describe('keyframes that the window writes', () => {
  test('lower the music where the voice is heard, not in its pause', async () => {
    const made = ducked(elements);
    const found = await heard(elementsOf(made), [1, 2.5, 4, 5.5, 6.7, 10]);
    close(found, [0, -12, 0, -12, 0, 0]);
    // Standard: nothing of ours is in it.
    expect(validate(made).filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(Object.keys(elementsOf(made)[0] ?? {})).toEqual(['type', 'name', 'source', 'volume']);
  });

  test('go by the clip’s time where its sound is not known', async () => {
    close(
      await heard(elementsOf(ducked(elements, false)), [2.5, 4, 5.5, 6.7]),
      [-12, -12, -12, -12],
    );
  });

  test('take `duck` into them, by as many decibels', async () => {
    const made = elementsOf(ducked([{ ...music, duck: 18 }, voice]));
    expect(made[0]).not.toHaveProperty('duck');
    close(await heard(made, [1, 2.5, 4]), [0, -18, 0]);
  });

  test('are the same when made again', () => {
    const once = ducked(elements);
    expect(ducked(elementsOf(once))).toEqual(once);
  });

  test('are none where nothing else is heard', () => {
    const alone = [music, { ...voice, muted: true }];
    expect(elementsOf(ducked(alone))).toEqual(alone);
  });
});

describe('the line', () => {
  test.each<[name: string, spans: readonly [number, number][], times: Json]>([
    ['one', [[2, 4]], [0, 1.8, 2, 4, 4.6, 10]],
    [
      'two near each other',
      [
        [2, 4],
        [5, 6],
      ],
      [0, 1.8, 2, 6, 6.6, 10],
    ],
    [
      'two apart, in any order',
      [
        [7, 8],
        [2, 4],
      ],
      [0, 1.8, 2, 4, 4.6, 6.8, 7, 8, 8.6, 10],
    ],
    [
      'over the edges',
      [
        [-1, 1],
        [9.9, 20],
      ],
      [0, 1, 1.6, 9.7, 9.9, 10],
    ],
    [
      'outside',
      [
        [-3, -2],
        [11, 12],
      ],
      [],
    ],
  ])('%s', (_, spans, times) => {
    const line = duckingLine(
      spans.map(([from, to]) => ({ from, to })),
      10,
      12,
    );
    expect(line.map(({ time }) => Number(time.toFixed(3)))).toEqual(times);
  });

  test('cut in the middle of a way begins there', () => {
    const [first] = duckingLine([{ from: 0.1, to: 5 }], 10, 20);
    expect(first).toEqual({ time: 0, value: expect.closeTo(0.55, 5) as number });
    expect(factorAt(duckingLine([{ from: 0.1, to: 5 }], 10, 20), 0.1)).toBeCloseTo(0.1, 5);
  });
});
