/** Sounds: everything that sounds in a document, laid flat on its clock. */
import { describe, expect, test } from 'vitest';
import { compileTimeline } from '../../shared/engine/compile/compile.ts';
import type { Sound, SoundFade } from '../../shared/engine/compile/timeline.ts';
import type { Json, JsonObject } from '../../shared/renderscript/source.ts';
import { mediaOf } from './compile-media.ts';

function soundsOf(elements: readonly Json[], root: JsonObject = {}): readonly Sound[] {
  const source = { output_format: 'mp4', width: 100, height: 100, ...root, elements };
  return compileTimeline(source, { media: mediaOf(), scaling: {} }).sounds;
}

const audio = (rest: JsonObject = {}): JsonObject => ({
  type: 'audio',
  source: 'music22',
  ...rest,
});
const video = (rest: JsonObject = {}): JsonObject => ({ type: 'video', source: 'video8', ...rest });
const scene = (elements: readonly Json[], rest: JsonObject = {}): JsonObject => ({
  type: 'composition',
  elements,
  ...rest,
});
const fade = { animations: [{ type: 'fade', transition: true, duration: 2 }] };

describe('where they are', () => {
  // prettier-ignore
  test.each<[what: string, elements: readonly Json[], root: JsonObject, places: readonly (readonly [start: number, duration: number])[]]>([
    ['audio and video', [audio(), video()], {}, [[0, 22], [0, 8]]],
    ['one after the other', [video({ track: 1 }), audio({ track: 1 })], {}, [[0, 8], [8, 22]]],
    ['a video without sound', [video({ source: 'silent4' })], {}, []],
    ['missing files', [audio({ source: 'lost' }), audio({ source: '' })], {}, []],
    ['silent by volume', [audio({ volume: '0%' }), audio({ volume: 0 })], {}, []],
    ['silent by mark', [video({ muted: true })], {}, []],
    ['hidden', [video({ visible: false }), scene([audio()], { visible: false })], {}, []],
    ['music under a video', [video(), audio({ duration: null })], {}, [[0, 8], [0, 8]]],
    ['music shorter than the document', [audio({ duration: null })], { duration: 60 }, [[0, 22]]],
    ['music that loops', [audio({ duration: null, loop: true })], { duration: 60 }, [[0, 60]]],
    ['cut by its duration', [audio({ duration: 4 })], {}, [[0, 4]]],
    ['cut by the document', [audio()], { duration: 10 }, [[0, 10]]],
    ['beyond the document', [audio({ time: 12 })], { duration: 10 }, []],
    ['begun before the document', [audio({ time: -2 })], {}, [[-2, 22]]],
    ['over before the document', [audio({ time: -30 })], {}, []],
    ['trimmed', [audio({ trim_start: 20 })], {}, [[0, 2]]],
    ['faster', [audio({ speed: '200%' })], {}, [[0, 11]]],
    ['cut by the next one', [audio({ track: 1 }), video({ track: 1, time: 5 })], {}, [[0, 5], [5, 8]]],
    ['in a composition', [scene([audio({ time: 1 })], { time: 3 })], {}, [[4, 22]]],
    ['two levels down', [scene([scene([audio({ time: 1 })], { time: 1 })], { time: 3 })], {}, [[5, 22]]],
    ['a composition\'s own duration doesn\'t cut', [scene([audio()], { duration: 3 }), video()], {}, [[0, 8], [0, 8]]],
    ['the next one on the track does', [scene([audio()], { track: 1 }), video({ track: 1, time: 5 })], {}, [[0, 5], [5, 8]]],
    ['looped three times', [scene([audio({ time: 1, duration: 1 })], { duration: 2, loop: true })], { duration: 6 }, [[1, 1], [3, 1], [5, 1]]],
    ['looped into the end', [scene([audio({ time: 1, duration: 1 })], { duration: 2, loop: true })], { duration: 3.5 }, [[1, 1], [3, 0.5]]],
    ['a pass cuts what is longer', [scene([audio()], { duration: 2, loop: true })], { duration: 4 }, [[0, 2], [2, 2]]],
    ['a number of plays', [scene([audio({ duration: 1 })], { duration: 2, loop: true, plays: 2 })], { duration: 9 }, [[0, 1], [2, 1]]],
    ['a loop in a loop', [scene([scene([audio({ duration: 1 })], { loop: true, plays: 2 })], { duration: 3, loop: true, plays: 2 })], {}, [[0, 1], [1, 1], [3, 1], [4, 1]]],
    ['a looping composition without sound', [scene([{ type: 'text' }], { duration: 0.0001, loop: true })], { duration: 7000 }, []],
  ])('%s', (_, elements, root, places) => {
    expect(soundsOf(elements, root).map(({ start, duration }) => [start, duration])).toEqual(places);
  });

  // prettier-ignore
  test.each(['gif', 'jpg', 'png'])('a %s has none', (format) => {
    expect(soundsOf([audio(), video()], { output_format: format })).toEqual([]);
  });

  test('loops without end are refused', () => {
    expect(() =>
      soundsOf([scene([audio()], { duration: 0.0001, loop: true })], { duration: 7000 }),
    ).toThrow(/Composition 1: .* limit is 10000/);
  });
});

describe('how they are', () => {
  test('everything about one sound', () => {
    const element = video({
      name: 'Clip',
      trim_start: 2,
      loop: true,
      speed: '50%',
      volume: '30%',
      audio_fade_in: '0.5 s',
      audio_fade_out: 2,
      duration: 20,
    });
    expect(soundsOf([{ type: 'text' }, element])).toEqual([
      {
        path: 'elements[1]',
        name: 'Clip',
        source: 'video8',
        start: 0,
        duration: 20,
        clip: { trimStart: 2, trimDuration: 6, loop: true, speed: 0.5 },
        fileStart: 0,
        withPicture: true,
        volume: [{ time: 0, value: 0.3 }],
        fades: [
          { kind: 'in', from: 0, to: 0.5, shape: 'straight' },
          { kind: 'out', from: 18, to: 20, shape: 'straight' },
        ],
      },
    ]);
  });

  const rise = (to: number): SoundFade => ({ kind: 'in', from: 0, to, shape: 'straight' });
  const fall = (from: number, to: number): SoundFade => ({
    kind: 'out',
    from,
    to,
    shape: 'straight',
  });
  const enter = (from: number, to: number): SoundFade => ({
    kind: 'in',
    from,
    to,
    shape: 'equal-power',
  });
  const leave = (from: number, to: number): SoundFade => ({
    kind: 'out',
    from,
    to,
    shape: 'equal-power',
  });

  // prettier-ignore
  test.each<[what: string, elements: readonly Json[], root: JsonObject, fades: readonly (readonly SoundFade[])[]]>([
    ['none', [audio()], {}, [[]]],
    ['not longer than the sound', [audio({ duration: 1, audio_fade_in: 3, audio_fade_out: 9 })], {}, [[rise(1), fall(0, 1)]]],
    ['kept when the document cuts', [audio({ audio_fade_out: 2 })], { duration: 10 }, [[fall(8, 10)]]],
    ['across a transition', [video({ track: 1 }), video({ track: 1, ...fade })], {}, [[leave(6, 8)], [enter(0, 2)]]],
    ['a longer one in place of a transition', [video({ track: 1, audio_fade_out: 3 }), video({ track: 1, audio_fade_in: 1, ...fade })], {}, [[fall(5, 8)], [rise(1), enter(0, 2)]]],
    ['through compositions', [scene([video()], { track: 1 }), scene([video()], { track: 1, ...fade })], {}, [[leave(6, 8)], [enter(0, 2)]]],
    ['not for what is over before', [scene([audio({ duration: 3 }), { type: 'text', duration: 8 }], { track: 1 }), scene([video()], { track: 1, ...fade })], {}, [[], [enter(0, 2)]]],
    ['in the middle for what begins during it', [scene([video()], { track: 1 }), scene([audio({ time: 0.5 })], { track: 1, ...fade })], {}, [[leave(6, 8)], [enter(-0.5, 1.5)]]],
    ['none without an overlap', [video({ track: 1, time: 0 }), video({ track: 1, time: 8, ...fade })], {}, [[], []]],
  ])('fades: %s', (_, elements, root, fades) => {
    expect(soundsOf(elements, root).map((sound) => sound.fades)).toEqual(fades);
  });

  // prettier-ignore
  test.each<[what: string, volume: Json, points: readonly (readonly [time: number, value: number])[]]>([
    ['louder than recorded', '250%', [[0, 2.5]]],
    ['a straight line', [{ time: 1, value: '100%' }, { time: 3, value: '20%', easing: 'linear' }], [[1, 1], [3, 0.2]]],
    ['up to the end', [{ time: 0, value: 0 }, { time: 'end', value: 150, easing: 'linear' }], [[0, 0], [22, 1.5]]],
    ['a jump', [{ time: 0, value: '100%' }, { time: 2, value: '0%', easing: 'steps(1)' }], [[0, 1], [2, 1], [2, 0]]],
    ['keys that are all the same', [{ time: 0, value: '70%' }, { time: 4, value: '70%' }], [[0, 0.7]]],
  ])('volume: %s', (_, volume, points) => {
    expect(soundsOf([audio({ volume })])[0]?.volume.map(({ time, value }) => [time, value])).toEqual(points);
  });

  test('a volume that is 0 at every keyframe is no sound', () => {
    const volume = [
      { time: 0, value: 0 },
      { time: 2, value: '0%' },
    ];
    expect(soundsOf([audio({ volume })])).toEqual([]);
  });

  test('a volume that overshoots is never below silence', () => {
    const volume = [
      { time: 0, value: '100%' },
      { time: 2, value: '0%', easing: 'back-out' },
    ];
    const values = soundsOf([audio({ volume })])[0]?.volume.map(({ value }) => value) ?? [];
    expect(values.length).toBeGreaterThan(20);
    expect(Math.min(...values)).toBe(0);
  });
});
