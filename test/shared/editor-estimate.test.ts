/** What the render dialog chooses and tells before a file is made: presets, sizes, estimates, warnings. */
import { describe, expect, test } from 'vitest';
import type { WindowRender } from '../../shared/api.ts';
import { estimateOf, type WantedFile } from '../../renderer/editor/render/estimate.ts';
import {
  choiceOf,
  chosenPreset,
  isOtherShape,
  isTooLarge,
  lighterGif,
  presetsFor,
  type Preset,
  type PresetId,
} from '../../renderer/editor/render/presets.ts';
import {
  fileSides,
  momentIn,
  noOptions,
  optionsOf,
  requestBody,
} from '../../renderer/editor/render/render-request.ts';
import { warningsShown } from '../../renderer/editor/render/words.ts';

const wanted: WantedFile = {
  ...{ template: 'A', format: 'mp4', width: 640, height: 360, duration: 4 },
  ...{ frameRate: 25, quality: '', codec: '', sounds: false },
};

/** A finished film of `wanted`'s size and length, unless told otherwise. */
function finished(record: Partial<WindowRender['record']>, seconds = 10): WindowRender {
  return {
    id: 'x',
    project: 'p',
    createdAt: 0,
    startedAt: 1000,
    finishedAt: 1000 + seconds * 1000,
    expiresAt: 0,
    attempts: 1,
    cancelled: false,
    order: 0,
    record: {
      id: 'x',
      status: 'succeeded',
      url: '',
      output_format: 'mp4',
      template_id: 'A',
      width: 640,
      height: 360,
      duration: 4,
      frame_rate: 25,
      file_size: 1_000_000,
      ...record,
    },
  };
}

describe('the estimate of a render', () => {
  const asBefore = { bytes: 1_000_000, seconds: 10, spread: 0.05 };
  test.each([
    ['nothing was rendered', [], null],
    ['the same was rendered', [finished({})], asBefore],
    ['half as long', [finished({ duration: 2 })], { bytes: 2_000_000, seconds: 20, spread: 0.3 }],
    [
      'twice as wide: a little more than half its bytes',
      [finished({ width: 1280 })],
      { bytes: 554_785, seconds: 5, spread: 0.3 },
    ],
    ['too different to tell', [finished({ duration: 0.5 })], null],
    ['another format', [finished({ output_format: 'gif' })], null],
    ['it failed', [finished({ status: 'failed' })], null],
    [
      'another template of this size',
      [finished({ template_id: 'B' })],
      { ...asBefore, spread: null },
    ],
    ['another template of another size', [finished({ template_id: 'B', width: 1280 })], null],
    [
      'the template’s own count more',
      [finished({ template_id: 'B' }, 90), finished({ file_size: 3 }, 20)],
      { bytes: 3, seconds: 20, spread: 0.05 },
    ],
    [
      'one that was held up does not count',
      [finished({}, 11), finished({}, 600), finished({}, 12)],
      { ...asBefore, seconds: 12 },
    ],
  ])('%s', (_case, renders, expected) => {
    const told = estimateOf(renders, wanted);
    expect(told && { ...told, bytes: Math.round(told.bytes) }).toEqual(expected);
  });

  test('a sound has its bytes by its length, whatever its frames and what was rendered', () => {
    const bytesOf = (format: 'mp3' | 'wav'): number | undefined =>
      estimateOf([finished({ output_format: format })], { ...wanted, format, sounds: true })?.bytes;
    expect([bytesOf('mp3'), bytesOf('wav')]).toEqual([96_000, 768_000]);
    expect(
      requestBody(
        { id: 't', source: { output_format: 'mp4' }, isDraft: false },
        { ...noOptions, format: 'wav', loudness: '-16', scale: '2', maxWidth: '9', frameRate: '5' },
      ),
    ).toEqual({
      ok: true,
      body: { template_id: 't', output_format: 'wav', modifications: { target_loudness: -16 } },
    });
  });

  test('a better quality makes larger files, a smaller one smaller', () => {
    const bytesIn = (made: string | undefined, quality: string): number =>
      estimateOf([{ ...finished({}), ...(made !== undefined && { quality: made }) }], {
        ...wanted,
        quality,
      })?.bytes ?? 0;
    expect(bytesIn('20', '20')).toBe(1_000_000);
    // The usual one is 23.
    expect(bytesIn(undefined, '17')).toBeGreaterThan(2_000_000);
    expect(bytesIn('17', '')).toBeLessThan(500_000);
    expect(bytesIn('17', '34')).toBeLessThan(bytesIn('17', '28'));
  });

  test('a film of another codec says nothing, and the request names the codec of an mp4', () => {
    const hevc = { ...wanted, codec: 'hevc' };
    expect(estimateOf([finished({})], hevc)).toBeNull();
    expect(estimateOf([{ ...finished({}), codec: 'hevc' }], wanted)).toBeNull();
    expect(estimateOf([{ ...finished({}), codec: 'hevc' }], hevc)).toEqual(asBefore);
    const subject = { id: 't', source: { output_format: 'mp4' }, isDraft: false };
    const body = {
      template_id: 't',
      modifications: { video_codec: 'hevc' },
    };
    expect(requestBody(subject, { ...noOptions, codec: 'hevc' })).toEqual({ ok: true, body });
    expect(optionsOf(body, [])).toMatchObject({ codec: 'hevc', other: '' });
    expect(requestBody(subject, { ...noOptions, codec: 'hevc', format: 'webm' })).toEqual({
      ok: true,
      body: { template_id: 't', output_format: 'webm' },
    });
  });

  test('sound is as long as the film, whatever the size of its picture', () => {
    const made = finished({ file_size: 4 * 24_000 + 100_000 });
    const half = { ...wanted, width: 320, height: 180 };
    const drawn = (estimateOf([finished({ file_size: 100_000 })], half)?.bytes ?? 0) + 4 * 24_000;
    expect(estimateOf([made], { ...half, sounds: true })?.bytes).toBeCloseTo(drawn, 0);
  });

  test('a GIF is guessed before there was one: sixty megabytes are known', () => {
    const gif = { ...wanted, format: 'gif', width: 1080, height: 1920, duration: 12 } as const;
    const guessed = estimateOf([], { ...gif, frameRate: 15 });
    expect(guessed?.bytes).toBeGreaterThan(40_000_000);
    expect(guessed?.bytes).toBeLessThan(80_000_000);
    expect(guessed?.seconds).toBeNull();
    const best = estimateOf([], { ...gif, frameRate: 15, quality: 'best' });
    expect(best?.bytes).toBeGreaterThan(guessed?.bytes ?? Infinity);
  });
});

const film = { output_format: 'mp4', frame_rate: 30 };
const tall = { source: film, width: 1080, height: 1920 };
const wide = { source: film, width: 1920, height: 1080 };
const small = { source: film, width: 640, height: 360 };
const large = { source: film, width: 3840, height: 2160 };

/** The preset of that name. */
function presetNamed(name: PresetId): Preset {
  const found = presetsFor(film).find(({ id }) => id === name);
  if (!found) throw new Error(`no preset ${name}`);
  return found;
}

describe('presets', () => {
  test.each([
    // A night sky shows blocks in what the language gives a film that names no quality.
    ['own', tall, { quality: '20' }, '1080×1920'],
    ['own', { ...tall, source: { ...film, crf: 28 } }, {}, '1080×1920'],
    ['own', { ...tall, source: { output_format: 'gif' } }, {}, '1080×1920'],
    ['vertical', tall, { quality: '20' }, '1080×1920'],
    ['vertical', large, { quality: '20', maxHeight: '1080' }, '1920×1080'],
    ['youtube', wide, { quality: '17' }, '1920×1080'],
    ['youtube', large, { quality: '17' }, '3840×2160'],
    ['youtube', small, { quality: '17', scale: '3' }, '1920×1080'],
    ['hd', small, { quality: '20', scale: '3' }, '1920×1080'],
    ['hd720', tall, { quality: '20', maxWidth: '720' }, '720×1280'],
    ['hd720', wide, { quality: '20', maxHeight: '720' }, '1280×720'],
    ['uhd', wide, { quality: '20', scale: '2' }, '3840×2160'],
    [
      'uhd',
      { ...wide, width: 1000, height: 700 },
      { quality: '20', scale: '3.085714' },
      '3086×2160',
    ],
    ['gif', tall, { format: 'gif', quality: 'fast', frameRate: '12', maxHeight: '480' }, '270×480'],
    [
      'gif',
      { ...small, width: 320, height: 180 },
      { format: 'gif', quality: 'fast', frameRate: '12' },
      '320×180',
    ],
    ['picture', wide, { format: 'png' }, '1920×1080'],
    ['sound', wide, { format: 'mp3' }, '1920×1080'],
  ] as const)('%s of %j', (name, document, wanted, size) => {
    const choice = choiceOf(presetNamed(name), document);
    expect(choice).toEqual({
      ...{ format: '', frameRate: '', quality: '', scale: '', maxWidth: '', maxHeight: '' },
      ...wanted,
    });
    const { width, height } = fileSides(document, choice);
    expect(`${width}×${height}`).toBe(size);
    // What was chosen is found again, and is the request that makes it.
    expect(chosenPreset({ ...noOptions, ...choice }, document, name)?.id).toBe(name);
    expect(
      requestBody({ id: 't', source: film, isDraft: false }, { ...noOptions, ...choice }).ok,
    ).toBe(true);
  });

  test('what no preset makes has none; of several with the same file the one that was chosen', () => {
    const choice = choiceOf(presetNamed('hd'), tall);
    expect(chosenPreset({ ...noOptions, ...choice }, tall, 'hd')?.id).toBe('hd');
    expect(chosenPreset({ ...noOptions, ...choice }, tall, 'gif')?.id).toBe('own');
    expect(chosenPreset({ ...noOptions, scale: '0.37' }, tall)).toBeNull();
    expect(chosenPreset({ ...noOptions, format: 'jpg' }, tall)?.id).toBe('picture');
    expect(chosenPreset({ ...noOptions, format: 'wav' }, tall)?.id).toBe('sound');
    expect(chosenPreset(noOptions, tall)?.id).toBe('own');
  });

  test('a picture has no presets of films', () => {
    expect(presetsFor({ output_format: 'png' }).map(({ id }) => id)).toEqual(['own']);
  });

  test('another shape and files beyond the limits are known before', () => {
    expect(
      [tall, wide, { ...wide, width: 1900 }].map((one) =>
        isOtherShape(presetNamed('vertical'), one),
      ),
    ).toEqual([false, true, true]);
    expect(
      [wide, { ...wide, width: 1910 }].map((one) => isOtherShape(presetNamed('youtube'), one)),
    ).toEqual([false, false]);
    expect(isOtherShape(presetNamed('hd'), tall)).toBe(false);
    const line = { source: film, width: 4000, height: 100 };
    expect(isTooLarge(presetNamed('uhd'), line)).toBe(true);
    expect(isTooLarge(presetNamed('hd'), { ...line, width: 200 })).toBe(true);
    expect(isTooLarge(presetNamed('uhd'), wide)).toBe(false);
  });
});

describe('a GIF that is too large', () => {
  const most = 10_000_000;
  test.each([
    ['is small enough', { width: 480, height: 270, frameRate: 12, bytes: 9e6 }, null],
    ['of a full film', { width: 1080, height: 1920, frameRate: 15, bytes: 60e6 }, [480, 12]],
    ['a little too large', { width: 270, height: 480, frameRate: 12, bytes: 12e6 }, [480, 8]],
    ['much too large', { width: 480, height: 270, frameRate: 12, bytes: 25e6 }, [320, 8]],
    ['as small as they get', { width: 480, height: 270, frameRate: 12, bytes: 900e6 }, [240, 8]],
    ['no smaller one', { width: 240, height: 135, frameRate: 8, bytes: 20e6 }, null],
  ] as const)('%s', (_case, file, step) => {
    const offered = lighterGif(file, most);
    expect(offered && [offered.side, offered.rate]).toEqual(step);
    if (!offered) return;
    const isTall = file.height > file.width;
    expect(isTall ? offered.choice.maxHeight : offered.choice.maxWidth).toBe(String(offered.side));
  });
});

describe('the moment of a picture', () => {
  const subject = { id: 't', source: film, isDraft: false };
  const png = { ...noOptions, format: 'png' as const };

  test('goes along with a picture of a film, and comes back from its request', () => {
    const asked = requestBody(subject, png, 2.5);
    const body = {
      template_id: 't',
      modifications: { snapshot_time: 2.5 },
      output_format: 'png',
    };
    expect(asked).toEqual({ ok: true, body });
    expect(momentIn(body)).toBe(2.5);
    expect(optionsOf(body, []).other).toBe('');
    expect(requestBody(subject, optionsOf(body, []), 2.5)).toEqual(asked);
  });

  test('is nothing to a film, nor to what is a picture itself', () => {
    expect(requestBody(subject, noOptions, 2.5)).not.toHaveProperty('body.modifications');
    const picture = { ...subject, source: { output_format: 'jpg' } };
    expect(requestBody(picture, png, 2.5)).not.toHaveProperty('body.modifications');
    const request = { modifications: { snapshot_time: 1 } };
    expect(momentIn(request)).toBeNull();
    expect(JSON.parse(optionsOf(request, []).other)).toEqual({ snapshot_time: 1 });
  });
});

test('a loudness goes along with a film, and comes back from its request', () => {
  const subject = { id: 't', source: film, isDraft: false };
  const loud = { ...noOptions, loudness: '-14' };
  const body = { template_id: 't', modifications: { target_loudness: -14 } };
  expect(requestBody(subject, loud)).toEqual({ ok: true, body });
  expect(optionsOf(body, [])).toMatchObject({ loudness: '-14', other: '' });
  // One that the dialog does not offer stays what was typed.
  const own = optionsOf({ modifications: { target_loudness: -18 } }, []);
  expect(own).toMatchObject({ loudness: '', other: '{\n  "target_loudness": -18\n}' });
  expect(requestBody(subject, { ...loud, format: 'gif' })).not.toHaveProperty('body.modifications');
});

test('warnings are told in words of the window, each once; others stay as they are', () => {
  const told = warningsShown([
    'Music.type: Nothing is heard: a png has no sound',
    'Speech.type: Nothing is heard: a png has no sound',
    'snapshot_time: Only an mp4, a jpg, a png, a webm, a mov, a webp, an avif, or a png sequence shows a chosen moment; this file is a gif',
    'Photo 2: Is never visible: the next element of its track starts at the same time',
    "Modification 'Nobody.text' matched no element",
    'Title.easing: There is no easing ‘x’; the default one is used',
  ]);
  expect(told).toEqual([
    { text: 'A PNG file has no sound.', isEnglish: false },
    {
      text: 'Photo 2 is never seen: the next element on its track begins at the same time.',
      isEnglish: false,
    },
    { text: 'The change “Nobody.text” belongs to no element.', isEnglish: false },
    {
      text: 'Title.easing: There is no easing ‘x’; the default one is used',
      isEnglish: true,
    },
  ]);
});
