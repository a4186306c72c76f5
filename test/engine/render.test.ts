/** The whole engine on real input: files, frames, sound in step with the picture. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RenderError } from '../../shared/engine/errors.ts';
import { sampleFolder } from '../../server/system/paths.ts';
import { parseJson } from '../../shared/json.ts';
import { isJsonObject, type Json, type Source } from '../../shared/renderscript/source.ts';
import { renderInto } from '../helpers/engine.ts';
import { isLong } from '../helpers/long.ts';
import {
  firstSound,
  frameBrightness,
  makeFlashClip,
  runFfmpegSync,
  soundSamples,
} from '../helpers/media.ts';
import { readPicture } from '../helpers/pictures.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'render-test-'));
const inFolder = (name: string): string => path.join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const white = { type: 'shape', width: '100%', height: '100%', fill_color: '#ffffff' };
const tinyVideo = { output_format: 'mp4', width: 160, height: 90, frame_rate: 25 };

describe('sound and picture', () => {
  beforeAll(() => makeFlashClip(inFolder('flash.mp4'), 3, 1));

  test.each([
    { name: 'from the start', element: { time: 0 }, at: 1 },
    { name: 'later', element: { time: 0.72 }, at: 1.72 },
    { name: 'trimmed', element: { time: 0.5, trim_start: 0.62, duration: 2 }, at: 0.88 },
    {
      name: 'in a composition',
      element: { time: 0.2 },
      composition: { time: 1, duration: 4 },
      at: 2.2,
    },
  ])(
    'click and flash of a video, $name, come at $at s',
    async ({ name, element, composition, at }) => {
      const video = { type: 'video', source: 'flash.mp4', ...element };
      const elements = composition
        ? [{ type: 'composition', ...composition, elements: [video] }]
        : [video];
      const file = `${name.replaceAll(' ', '-')}.mp4`;
      await renderInto(folder, file, { ...tinyVideo, duration: 4, elements });

      const flash = frameBrightness(inFolder(file)).findIndex((level) => level > 120) / 25;
      const click = firstSound(inFolder(file));
      expect(flash).toBeCloseTo(at, 2);
      expect(click).not.toBeNull();
      // AAC spreads an onset over a few milliseconds; a frame is 40 ms.
      expect(Math.abs(click! - at)).toBeLessThan(0.012);
    },
  );

  test('an audio element clicks on the flash of a shape', async () => {
    runFfmpegSync('-i', inFolder('flash.mp4'), '-vn', '-c:a', 'pcm_s16le', inFolder('click.wav'));
    const elements = [
      { ...white, time: 2.48, duration: 0.04 },
      { type: 'audio', source: 'click.wav', time: 1.48 },
    ];
    await renderInto(folder, 'audio.mp4', { ...tinyVideo, duration: 4, elements });
    const flash = frameBrightness(inFolder('audio.mp4')).findIndex((level) => level > 120) / 25;
    expect(flash).toBeCloseTo(2.48, 3);
    expect(Math.abs(firstSound(inFolder('audio.mp4'))! - flash)).toBeLessThan(0.012);
  });

  test('no sound track when nothing sounds', async () => {
    await renderInto(folder, 'silent.mp4', { ...tinyVideo, duration: 0.4, elements: [white] });
    expect(() => soundSamples(inFolder('silent.mp4'))).toThrow();
  });
});

describe('files', () => {
  test.each([
    { duration: 1, rate: 30, frames: 30 },
    { duration: 1.37, rate: 30, frames: 42 },
    { duration: 0.1, rate: 25, frames: 3 },
    { duration: 2, rate: 23.976, frames: 48 },
    { duration: 0.01, rate: 60, frames: 1 },
  ])(
    '$duration s at $rate frames a second has $frames frames',
    async ({ duration, rate, frames }) => {
      const { facts } = await renderInto(folder, 'count.mp4', {
        ...tinyVideo,
        frame_rate: rate,
        duration,
        elements: [white],
      });
      expect(frameBrightness(inFolder('count.mp4'))).toHaveLength(frames);
      expect(facts.duration).toBeCloseTo(frames / rate, 2);
      expect(facts.frameRate).toBeCloseTo(rate, 3);
      expect(facts.fileSize).toBeGreaterThan(0);
    },
  );

  test('mp4 sizes are even; render_scale applies', async () => {
    const source = { ...tinyVideo, width: 333, height: 201, duration: 0.2, elements: [white] };
    const { facts } = await renderInto(folder, 'even.mp4', source, {
      scaling: { renderScale: 0.5 },
    });
    expect([facts.width % 2, facts.height % 2]).toEqual([0, 0]);
    expect(Math.abs(facts.width - 166.5)).toBeLessThanOrEqual(1);
  });

  test('mp4 is tagged BT.709 and starts fast', async () => {
    await renderInto(folder, 'tags.mp4', { ...tinyVideo, duration: 0.2, elements: [white] });
    const bytes = readFileSync(inFolder('tags.mp4'));
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
    const colour = bytes.indexOf('colrnclx');
    expect(colour).toBeGreaterThan(0);
    expect([
      bytes.readUInt16BE(colour + 8),
      bytes.readUInt16BE(colour + 10),
      bytes.readUInt16BE(colour + 12),
    ]).toEqual([1, 1, 1]);
  });

  test('colours of shapes come out of the mp4 within 3 levels', async () => {
    const colors = [
      [229, 57, 53],
      [67, 160, 71],
      [30, 136, 229],
      [253, 216, 53],
      [128, 128, 128],
      [16, 24, 48],
    ];
    for (const [red = 0, green = 0, blue = 0] of colors) {
      const elements = [{ ...white, fill_color: `rgb(${red},${green},${blue})` }];
      await renderInto(folder, 'colour.mp4', { ...tinyVideo, duration: 0.08, crf: 17, elements });
      const toRgb =
        'scale=in_color_matrix=bt709:in_range=tv:out_range=pc:flags=accurate_rnd,format=rgb24';
      const pixels = runFfmpegSync(
        '-i',
        inFolder('colour.mp4'),
        '-frames:v',
        '1',
        '-vf',
        toRgb,
        '-f',
        'rawvideo',
        '-',
      );
      const found = pixels.subarray((40 * 160 + 80) * 3).subarray(0, 3);
      const distance = Math.max(
        ...[red, green, blue].map((level, i) => Math.abs(level - (found[i] ?? 0))),
      );
      expect(
        distance,
        `rgb(${red},${green},${blue}) came out as ${found.join(',')}`,
      ).toBeLessThanOrEqual(3);
    }
  });

  test('gif moves, loops and keeps its transparency', async () => {
    const dot = {
      type: 'shape',
      width: 20,
      height: 20,
      fill_color: '#ff0000',
      x: [
        { time: 0, value: 10 },
        { time: 1, value: 70, easing: 'linear' },
      ],
    };
    const { facts } = await renderInto(folder, 'dot.gif', {
      output_format: 'gif',
      width: 80,
      height: 60,
      frame_rate: 10,
      duration: 1,
      elements: [dot],
    });
    expect(facts).toMatchObject({ width: 80, height: 60 });
    expect(facts.duration).toBeCloseTo(1, 1);
    const { data } = readPicture(inFolder('dot.gif'));
    expect(data[3]).toBe(0);
    expect(frameBrightness(inFolder('dot.gif'))).toHaveLength(10);
  });

  test('png keeps alpha, jpg is black where nothing is drawn', async () => {
    const half = { ...white, width: '50%', x: '25%' };
    await renderInto(folder, 'alpha.png', {
      output_format: 'png',
      width: 40,
      height: 20,
      elements: [half],
    });
    await renderInto(folder, 'black.jpg', {
      output_format: 'jpg',
      width: 40,
      height: 20,
      elements: [half],
    });
    expect(readPicture(inFolder('alpha.png')).data[(10 * 40 + 30) * 4 + 3]).toBe(0);
    const jpg = readPicture(inFolder('black.jpg')).data;
    expect(jpg[(10 * 40 + 35) * 4]).toBeLessThan(8);
    expect(jpg[(10 * 40 + 5) * 4]).toBeGreaterThan(247);
  });

  test('a picture with a moment shows what the film shows then, and without one everything', async () => {
    const half = { type: 'shape', height: '100%', width: '50%', y: '50%' };
    const slides = [
      { time: 0, value: '25%' },
      { time: 1, value: '75%', easing: 'linear' },
    ];
    const film = {
      ...{ width: 80, height: 40, frame_rate: 10, duration: 2 },
      elements: [
        { ...half, time: 0, duration: 1, fill_color: '#ff0000', x: slides },
        { ...half, time: 1, duration: 1, fill_color: '#00ff00', x: '25%' },
      ],
    };
    const pixels = async (name: string, more: object): Promise<readonly number[]> => {
      await renderInto(folder, name, { ...film, ...more });
      const { data } = readPicture(inFolder(name));
      // The far left, the middle and the far right, each as red and green.
      return [2, 40, 77].flatMap((x) => [...data.subarray((20 * 80 + x) * 4).subarray(0, 2)]);
    };
    const png = { output_format: 'png' };
    expect(await pixels('whole.png', png)).toEqual([0, 255, 0, 0, 0, 0]);
    expect(await pixels('then.png', { ...png, snapshot_time: 0.5 })).toEqual([0, 0, 255, 0, 0, 0]);
    expect(await pixels('late.png', { ...png, snapshot_time: '1.5 s' })).toEqual([
      ...[0, 255, 0, 0, 0, 0],
    ]);
    // After the end: the last moment.
    expect(await pixels('past.png', { ...png, snapshot_time: 9 })).toEqual([0, 255, 0, 0, 0, 0]);
    await renderInto(folder, 'film.png', { ...film, output_format: 'mp4' }, { moment: 0.5 });
    const [asked, filmed] = ['then.png', 'film.png'].map((name) => readPicture(inFolder(name)));
    expect(asked?.data).toEqual(filmed?.data);
  });

  test('a snapshot is written beside the video', async () => {
    const late = { ...white, time: 0.5 };
    const { snapshot } = await renderInto(folder, 'snap.mp4', {
      ...tinyVideo,
      duration: 1,
      snapshot_time: 0.8,
      elements: [late],
    });
    expect(snapshot).toBe(true);
    expect(readPicture(inFolder('snap.mp4-snapshot.jpg')).data[0]).toBeGreaterThan(247);
  });

  test('the same document gives the same bytes', async () => {
    const source = {
      ...tinyVideo,
      duration: 0.5,
      elements: [
        { ...white, width: '50%', animations: [{ type: 'fade', time: 'start', duration: 0.4 }] },
      ],
    };
    await renderInto(folder, 'first.mp4', source);
    await renderInto(folder, 'second.mp4', source);
    expect(readFileSync(inFolder('first.mp4')).equals(readFileSync(inFolder('second.mp4')))).toBe(
      true,
    );
  });
});

describe('failures', () => {
  test('a wrong value names element and property', async () => {
    const source = {
      ...tinyVideo,
      elements: [{ type: 'text', name: 'Title', text: 'x', letter_spacing: '2 vmin' }],
    };
    await expect(renderInto(folder, 'wrong.mp4', source)).rejects.toMatchObject({
      name: 'RenderError',
      code: 'invalid_source',
      path: 'elements[0].letter_spacing',
      message:
        "Source error: Title.letter_spacing: Expected a number ending with %; found '2 vmin'",
    });
    expect(existsSync(inFolder('wrong.mp4'))).toBe(false);
  });

  test('a missing file names element and file', async () => {
    const source = {
      output_format: 'png',
      width: 10,
      height: 10,
      elements: [{ type: 'image', name: 'Photo', source: 'gone.jpg' }],
    };
    const error: unknown = await renderInto(folder, 'gone.png', source).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(RenderError);
    expect(String(error)).toContain('Photo.source');
  });

  test('cancelling ends the render and leaves no file', async () => {
    const { render } = await import('../../server/engine/render.ts');
    const abort = new AbortController();
    const source: Source = {
      ...tinyVideo,
      width: 1280,
      height: 720,
      duration: 20,
      elements: [
        {
          ...white,
          x: [
            { time: 0, value: '0%' },
            { time: 20, value: '100%' },
          ],
        },
      ],
    };
    const { fontFolder } = await import('../../server/system/paths.ts');
    const { engineLimits } = await import('../../shared/limits.ts');
    const job = {
      source,
      scaling: {},
      outputPath: inFolder('cancelled.mp4'),
      snapshotPath: inFolder('c.jpg'),
      workFolder: folder,
      cacheFolder: folder,
      mediaFolders: [],
      fontFolder: fontFolder(),
      allowPrivateAddresses: false,
      ownPorts: [],
      limits: engineLimits,
    };
    const running = render(job, {
      signal: abort.signal,
      onProgress: ({ frame }) => {
        if (frame === 5) abort.abort(new RenderError('cancelled', 'Render error: Cancelled'));
      },
    });
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
    expect(readdirSync(folder).filter((name) => name.startsWith('cancelled'))).toEqual([]);
  });
});

describe('B8: bundled samples', () => {
  const samples = readdirSync(sampleFolder(), { withFileTypes: true })
    .filter(
      (entry) =>
        entry.isDirectory() && existsSync(path.join(sampleFolder(), entry.name, 'source.json')),
    )
    .map(({ name }) => name);

  test('there are eight or more', () => {
    expect(samples.length).toBeGreaterThanOrEqual(8);
  });

  // A film is as long as people want to see it: in the short form two of them are made whole, of the others a moment.
  const whole = ['lower-third', 'data-card'];
  test.each(samples)(
    '%s renders offline, with every frame planned and no warnings',
    async (name) => {
      const parsed = parseJson(
        readFileSync(path.join(sampleFolder(), name, 'source.json'), 'utf8'),
      );
      if (!parsed.ok || !isJsonObject(parsed.value)) throw new Error(`${name} is not a document`);
      const { output_format: format } = parsed.value;
      if (typeof format !== 'string') throw new Error(`${name} names no format`);
      const file = `${name}.${format}`;
      const isWhole = isLong || whole.includes(name);
      const source = isWhole ? parsed.value : { ...parsed.value, duration: 0.4 };
      const { facts, warnings } = await renderInto(folder, file, source, {
        scaling: { renderScale: 0.2 },
        mediaFolders: [sampleFolder()],
      });
      expect(warnings).toEqual([]);
      expect(facts.width).toBeGreaterThan(0);
      if (format === 'mp4' || format === 'gif') {
        const planned = Math.ceil(facts.duration! * facts.frameRate! - 0.01);
        expect(frameBrightness(inFolder(file))).toHaveLength(planned);
      }
    },
    120_000,
  );

  /** Documents of a sample: its own, those of the recipes, with everything inside. */
  const elementsOf = (file: string): Source[] => {
    const read = (value: Json | undefined): Source[] => {
      if (Array.isArray(value)) return value.flatMap(read);
      if (!isJsonObject(value)) return [];
      return [value, ...read(value.elements)];
    };
    return read(JSON.parse(readFileSync(path.join(sampleFolder(), file), 'utf8')) as Json);
  };
  const named = (file: string, name: string): Source =>
    elementsOf(file).find((element) => element.name === name) ?? {};

  test.each([
    { file: 'lower-third/source.json', order: ['Role', 'Name', 'Plate', 'Bar'] },
    { file: 'recipes/lower-third.json', order: ['Role', 'Name', 'Plate'] },
  ])('the texts of $file leave before what they stand on', ({ file, order }) => {
    const ends = order.map((name) => {
      const { time = 0, duration = Infinity } = named(file, name);
      return Number(time) + Number(duration);
    });
    expect(ends).toEqual([...new Set(ends)].sort((a, b) => a - b));
  });

  test('captions have sound, figures count with their bars', () => {
    expect(elementsOf('captions/source.json').map(({ type }) => type)).toContain('audio');
    for (const number of [1, 2, 3]) {
      const value = named('data-card/source.json', `Value ${number}`);
      expect(JSON.stringify(value.animations)).toContain('text-counter');
      expect(value.time).toBe(named('data-card/source.json', `Bar ${number}`).time);
    }
  });

  test('the halves of a split screen touch', () => {
    const pictures = elementsOf('recipes/split-screen.json').filter(({ type }) => type === 'image');
    expect(pictures.map(({ x, width }) => [x, width])).toEqual([
      ['25%', '50%'],
      ['75%', '50%'],
    ]);
  });

  const documents = [
    ...samples.map((name) => `${name}/source.json`),
    ...readdirSync(path.join(sampleFolder(), 'recipes')).map((name) => `recipes/${name}`),
  ];
  test.each(documents)('every text of %s is large enough to be read', (file) => {
    const sizes = elementsOf(file).flatMap(({ type, font_size, font_size_maximum }) => {
      const size = font_size ?? font_size_maximum;
      return type === 'text' && typeof size === 'string' ? [parseFloat(size)] : [];
    });
    for (const size of sizes) expect(size).toBeGreaterThanOrEqual(2.8);
  });
});
