/** Shapes that show a sound: which one, when, and how its tones stand in the outline. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStage } from '../../server/engine/stage.ts';
import { sampleRate } from '../../shared/engine/compile/seen-sounds.ts';
import type { SeenSound } from '../../shared/engine/compile/timeline.ts';
import { soundPath } from '../../shared/engine/layout/sound-path.ts';
import type { JsonObject } from '../../shared/renderscript/source.ts';
import { jobInto } from '../helpers/engine.ts';
import { maker } from './numbered-clips.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'seen-sounds-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A second of a tone. */
const tone = (frequency: number, level = 0.8): Uint8Array =>
  Uint8Array.from({ length: sampleRate }, (_, at) =>
    Math.round(128 + 127 * level * Math.sin((2 * Math.PI * frequency * at) / sampleRate)),
  );

const clip = { trimStart: 0, trimDuration: 1, loop: false, speed: 1 };
const plain: SeenSound = {
  ...{ form: 'bars', bars: 32, gap: 0.4, samples: tone(1_000), clip, from: 0, duration: 1 },
};

/** Heights of the bars at a moment, percent. */
function heights(sound: Partial<SeenSound>, time: number): number[] {
  const outline = soundPath({ ...plain, ...sound }, time);
  return outline.flatMap((command) => (command[0] === 'M' ? [100 - command[2]] : []));
}

describe('an outline', () => {
  test.each([
    [120, 5],
    [440, 13],
    [1_000, 18],
    [4_000, 28],
  ])('has the tone of %i Hz in its bar', (frequency, bar) => {
    const found = heights({ samples: tone(frequency) }, 0.5);
    const highest = found.indexOf(Math.max(...found));
    expect(Math.abs(highest - bar)).toBeLessThanOrEqual(1);
    expect(found[highest]).toBeGreaterThan(90);
    expect(Math.min(...found)).toBe(2);
  });

  test('is lower for a softer sound, and flat for silence and for none', () => {
    const height = (level: number): number =>
      Math.max(...heights({ samples: tone(1_000, level) }, 0.5));
    expect(height(0.02)).toBeLessThan(height(0.1) - 10);
    expect(new Set(heights({ samples: new Uint8Array(sampleRate).fill(128) }, 0.5))).toEqual(
      new Set([2]),
    );
    expect(new Set(heights({ samples: null, clip: null }, 0.5))).toEqual(new Set([2]));
  });

  test('depends on its moment alone', () => {
    const once = soundPath(plain, 0.4);
    soundPath(plain, 0.9);
    expect(soundPath(plain, 0.4)).toEqual(once);
  });

  test('is silent before and after the element, and follows where its file is', () => {
    const late = { from: 2, duration: 0.5 };
    expect(Math.max(...heights(late, 1.99))).toBe(2);
    expect(Math.max(...heights(late, 2.51))).toBe(2);
    expect(heights(late, 2.25)).toEqual(heights({}, 0.25));
    // Only the second half of the file sounds.
    const samples = tone(1_000).fill(128, 0, sampleRate / 2);
    const half = { ...clip, trimStart: 0.5, trimDuration: 0.5 };
    expect(Math.max(...heights({ samples }, 0.2))).toBe(2);
    expect(heights({ samples, clip: half }, 0.2)).toEqual(heights({ samples }, 0.7));
    expect(heights({ samples, clip: { ...half, speed: 2 } }, 0.1)).toEqual(
      heights({ samples }, 0.7),
    );
    const loop = { ...half, loop: true };
    expect(heights({ samples, clip: loop, duration: 9 }, 3.2)).toEqual(heights({ samples }, 0.7));
  });

  test.each(['mirror', 'circle', 'wave'] as const)('as %s stays in its box', (form) => {
    for (const bars of [2, 7, 200]) {
      const outline = soundPath({ ...plain, form, bars }, 0.5);
      const numbers = outline.flatMap(([, ...places]) => places);
      expect(Math.min(...numbers)).toBeGreaterThanOrEqual(-1e-9);
      expect(Math.max(...numbers)).toBeLessThanOrEqual(100 + 1e-9);
      expect(outline.filter(([kind]) => kind === 'M')).toHaveLength(form === 'wave' ? 1 : bars);
    }
  });
});

describe('a document', () => {
  const make = (name: string, args: readonly string[]): void => {
    const input = ['-f', 'lavfi', '-i', 'sine=f=1000:d=1'];
    execFileSync(maker.path, ['-v', 'error', '-y', ...input, ...args, path.join(folder, name)]);
  };
  beforeAll(() => {
    make('mono.wav', []);
    make('stereo.wav', ['-ac', '2']);
    make('tone.mp3', []);
    make('tone.m4a', ['-c:a', 'aac']);
    const picture = ['-f', 'lavfi', '-i', 'color=s=32x32:d=1', '-c:a', 'aac', '-shortest'];
    make('film.mp4', picture);
    execFileSync(maker.path, [
      '-v',
      'error',
      '-y',
      '-f',
      'lavfi',
      '-i',
      'color=s=32x32:d=1',
      path.join(folder, 'mute.mp4'),
    ]);
  });

  const shape = {
    type: 'shape',
    width: '100%',
    height: '100%',
    fill_color: '#fff',
    sound_source: 'Tone',
  };
  async function shownBy(
    elements: readonly JsonObject[],
  ): Promise<{ heights: number[]; codes: string[] }> {
    const source = { output_format: 'mp4', width: 200, height: 100, frame_rate: 25, elements };
    const job = jobInto(folder, 'film.mp4', source, { workFolder: mkdtempSync(`${folder}/work-`) });
    const stage = await openStage(job, {
      signal: new AbortController().signal,
      onProgress: () => undefined,
    });
    try {
      const box = stage.layout.frameAt(0.5).boxes.find(({ content }) => content.kind === 'shape');
      const outline = box?.content.kind === 'shape' ? box.content.path : [];
      return {
        heights: outline.flatMap((command) => (command[0] === 'M' ? [100 - command[2]] : [])),
        codes: stage.warnings().map(({ code }) => code),
      };
    } finally {
      await stage.close();
    }
  }

  test.each([
    ['audio', 'mono.wav'],
    ['audio', 'stereo.wav'],
    ['audio', 'tone.mp3'],
    ['audio', 'tone.m4a'],
    ['video', 'film.mp4'],
  ])('shows the sound of %s %s', async (type, source) => {
    const { heights: found, codes } = await shownBy([{ type, name: 'tone ', source }, shape]);
    expect(found.indexOf(Math.max(...found))).toBe(18);
    expect(Math.max(...found)).toBeGreaterThan(70);
    expect(codes).toEqual([]);
  });

  test.each([
    ['no element', 'mono.wav', 'Other'],
    ['a video without sound', 'mute.mp4', 'Tone'],
  ])('that names %s warns and shows silence', async (_, source, name) => {
    const type = source.endsWith('mp4') ? 'video' : 'audio';
    const { heights: found, codes } = await shownBy([{ type, name, source }, shape]);
    expect(new Set(found.map(Math.round))).toEqual(new Set([2]));
    expect(codes).toEqual(['no_such_sound']);
  });
});
