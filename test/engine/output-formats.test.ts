/** The formats beside mp4, gif, jpg and png, by measurement: three samples, a transparent document, and sounds. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPictureHeader } from '../../server/engine/assets/pictures/picture-header.ts';
import { checkResult } from '../../server/engine/encode/check.ts';
import { lackedEncoders, requireEncoders } from '../../server/engine/encode/film-formats.ts';
import { readPictureZip, writePictureZip } from '../../server/engine/encode/picture-zip.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import { contentDigest } from '../../server/system/files.ts';
import type { RenderProgress } from '../../server/engine/render-job.ts';
import { plansOf } from '../../server/engine/motion.ts';
import { planOverlay } from '../../server/engine/overlay-plan.ts';
import { onStage, render } from '../../server/engine/render.ts';
import { jobInto, renderInto } from '../helpers/engine.ts';
import type { Ffmpeg } from '../../server/engine/ffmpeg.ts';
import { builds, usual } from '../helpers/ffmpeg-builds.ts';
import { readPicture } from '../helpers/pictures.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'output-formats-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const inside = (name: string): string => path.join(folder, name);
const samples = path.join(import.meta.dirname, '../../resources/samples');

/** A sample, shortened; its media are beside it. */
function sample(name: string): Source {
  const text = readFileSync(path.join(samples, name, 'source.json'), 'utf8');
  return { ...(JSON.parse(text) as Source), duration: 1, frame_rate: 10 };
}

/** A picture that lets through: a half transparent disc that moves, and sharp edges. */
const veil: Source = {
  ...{ width: 128, height: 96, frame_rate: 10, duration: 1 },
  elements: [
    {
      ...{
        type: 'shape',
        width: 64,
        height: 64,
        border_radius: 32,
        fill_color: 'rgba(255,0,0,0.5)',
      },
      x: [
        { time: 0, value: 40 },
        { time: 1, value: 88 },
      ],
    },
    { type: 'shape', width: 40, height: 16, x: 64, y: 20, fill_color: '#00c040' },
  ],
};
const ground: Source = { ...veil, fill_color: '#204060' };
const heard: Source = {
  ...ground,
  elements: [...(ground.elements as Source[]), { type: 'audio', source: 'tone.wav' }],
};

/** What ffmpeg says of a file. */
function probe(file: string): string {
  return spawnSync(usual.path, ['-hide_banner', '-i', file], { encoding: 'utf8' }).stderr;
}

/** A frame as RGBA, not multiplied by alpha. */
function frameOf(file: string, index: number, decoder: readonly string[]): Buffer {
  const { stdout } = spawnSync(
    usual.path,
    [
      ...['-loglevel', 'error', ...decoder, '-i', file],
      ...[
        '-vf',
        `select=eq(n\\,${index}),scale=flags=accurate_rnd+full_chroma_int:in_color_matrix=bt709`,
      ],
      ...['-frames:v', '1', '-pix_fmt', 'rgba', '-f', 'rawvideo', '-'],
    ],
    { maxBuffer: 1 << 26 },
  );
  return stdout;
}

/** By how much two pictures differ where they lie on a grey, 0–255: the middle, and the worst hundredth. */
function difference(
  one: ArrayLike<number>,
  two: ArrayLike<number>,
  grey: number,
): [middle: number, worst: number] {
  expect(one.length).toBe(two.length);
  const found: number[] = [];
  for (let at = 0; at < one.length; at += 4) {
    const [over, other] = [one, two].map((pixels) => {
      const alpha = (pixels[at + 3] ?? 0) / 255;
      return [0, 1, 2].map((channel) => (pixels[at + channel] ?? 0) * alpha + grey * (1 - alpha));
    });
    found.push(Math.max(...[0, 1, 2].map((i) => Math.abs((over?.[i] ?? 0) - (other?.[i] ?? 0)))));
  }
  found.sort((a, b) => a - b);
  return [found[found.length >> 1] ?? 0, found[Math.floor(found.length * 0.99)] ?? 0];
}

/** Per format: streams of an opaque, of a transparent and of a heard film, and ffmpeg's decoder of its alpha. */
const rows = [
  [
    'webm',
    {
      opaque: /Video: vp9 \(Profile 0\), yuv420p\(tv, bt709/,
      clear: /Video: vp9 \(Profile 0\), yuv420p\(tv, bt709[\s\S]+alpha_mode\s+: 1/,
      sound: /Audio: opus, 48000 Hz, stereo/,
      decoder: ['-c:v', 'libvpx-vp9'],
      /** Most pixels, and edges: colours of 2 × 2 pixels, and coding. */
      near: [3, 80],
    },
  ],
  [
    'mov',
    {
      opaque: /Video: prores \(HQ\)?.*\(apch.*yuv422p10le\(tv, bt709/,
      clear: /Video: prores .*\(ap4h.*yuva444p1[02]le\(tv, bt709/,
      sound: /Audio: pcm_s24le .*48000 Hz, stereo/,
      decoder: [],
      near: [2, 30],
    },
  ],
] as const;

beforeAll(async () => {
  spawnSync(usual.path, [
    ...['-loglevel', 'error', '-f', 'lavfi', '-i', 'sine=440:d=2', '-y', inside('tone.wav')],
  ]);
  await renderInto(folder, 'clip.mp4', { ...ground, output_format: 'mp4' });
  await renderInto(folder, 'clear.png', { ...veil, output_format: 'mp4' }, { moment: 0.5 });
  await renderInto(folder, 'opaque.png', { ...ground, output_format: 'mp4' }, { moment: 0.5 });
});

/** Renders with one ffmpeg. */
const renderWith =
  (build: Ffmpeg) =>
  (name: string, source: Source, changes: object = {}): ReturnType<typeof renderInto> =>
    renderInto(folder, name, source, { ffmpegPath: build.path, ...changes });

describe.each(builds)('with %s', (_, build) => {
  const canHear = (format: 'webm' | 'mov'): boolean => {
    try {
      requireEncoders(build, { format }, true);
      return true;
    } catch {
      return false;
    }
  };
  const render = renderWith(build);

  test.each(rows)(
    '%s: a transparent film lets through, over black and over white',
    async (format, row) => {
      const source = { ...veil, output_format: format };
      const { facts } = await render(`clear.${format}`, source);
      expect(facts).toMatchObject({ width: 128, height: 96, frameRate: 10, duration: 1 });
      expect(probe(inside(`clear.${format}`))).toMatch(row.clear);
      const frame = frameOf(inside(`clear.${format}`), 5, row.decoder);
      const { data } = readPicture(inside('clear.png'));
      for (const grey of [0, 255]) {
        const [middle, worst] = difference(frame, data, grey);
        expect(middle).toBeLessThan(row.near[0]);
        expect(worst).toBeLessThan(row.near[1]);
      }
      const digest = await contentDigest(inside(`clear.${format}`));
      await render(`again.${format}`, source);
      expect(await contentDigest(inside(`again.${format}`))).toBe(digest);
    },
  );

  test.each(rows)(
    '%s: an opaque film has no alpha, and the colours of the document',
    async (format, row) => {
      const source = { ...ground, output_format: format };
      expect((await render(`opaque.${format}`, source)).facts.duration).toBe(1);
      const found = probe(inside(`opaque.${format}`));
      expect(found).toMatch(row.opaque);
      expect(found).not.toMatch(/alpha_mode|yuva|Audio:/);
      const { data } = readPicture(inside('opaque.png'));
      const [middle, worst] = difference(frameOf(inside(`opaque.${format}`), 5, []), data, 0);
      expect(middle).toBeLessThan(row.near[0]);
      expect(worst).toBeLessThan(row.near[1]);
      const digest = await contentDigest(inside(`opaque.${format}`));
      await render(`again.${format}`, source);
      expect(await contentDigest(inside(`again.${format}`))).toBe(digest);
    },
  );

  test.each(rows.filter(([format]) => canHear(format)))(
    '%s: has sound as long as the picture, and tags',
    async (format, row) => {
      const madeFrom = { id: 'an-id', name: 'A name' };
      await render(`heard.${format}`, { ...heard, output_format: format }, { madeFrom });
      const found = probe(inside(`heard.${format}`));
      expect(found).toMatch(row.sound);
      expect(found).toMatch(/title\s+: A name/i);
    },
  );

  test.each(rows)('%s: three samples come out with size, frames and length', async (format) => {
    for (const name of ['promo-square', 'lower-third', 'data-card']) {
      const source: Source = { ...sample(name), output_format: format };
      const { elements } = source;
      const silent = (elements as Source[]).filter(({ type }) => type !== 'audio');
      const { facts } = await render(
        `${name}.${format}`,
        { ...source, elements: canHear(format) ? elements : silent },
        {
          scaling: { maxWidth: 160 },
          mediaFolders: [path.join(samples, name), path.join(samples, 'media'), samples],
        },
      );
      expect([name, facts.duration, facts.frameRate]).toEqual([name, 1, 10]);
      expect(facts.width).toBeLessThanOrEqual(160);
    }
  });
});

/** Per codec of an mp4: its stream, and where it may be coded by the build. */
const codecs = [
  ['hevc', /Video: hevc \(Main\) \(hvc1 .*yuv420p\(tv, bt709/],
  ['av1', /Video: (?:lib\w+-)?av1 (?:\(Main\) )?\(av01 .*yuv420p\(tv, bt709/],
] as const;

describe.each(builds)('an mp4 of another codec with %s', (_, build) => {
  const render = renderWith(build);
  const possible = codecs.filter(
    ([videoCodec]) => lackedEncoders(build, { format: 'mp4', videoCodec }).length === 0,
  );

  test.each(codecs.filter((row) => !possible.includes(row)))(
    '%s: is refused before a frame, with what lacks',
    async (codec) => {
      const source = { ...ground, output_format: 'mp4', video_codec: codec };
      await expect(render('none.mp4', source)).rejects.toMatchObject({ code: 'encoder_lacks' });
    },
  );

  test.each(possible)(
    '%s: has the colours of the document, sound and tags',
    async (codec, stream) => {
      const name = `${codec}.mp4`;
      const source = { ...heard, output_format: 'mp4', video_codec: codec };
      const { facts } = await render(name, source, { madeFrom: { id: 'an-id', name: 'A name' } });
      expect(facts).toMatchObject({ width: 128, height: 96, frameRate: 10, duration: 1 });
      const found = probe(inside(name));
      expect(found).toMatch(stream);
      expect(found).toMatch(/Audio: aac[\s\S]*48000 Hz, stereo/);
      expect(found).toMatch(/title\s+: A name/i);
      expect(readFileSync(inside(name)).includes('x265 (build')).toBe(false);
      const { data } = readPicture(inside('opaque.png'));
      const [middle, worst] = difference(frameOf(inside(name), 5, []), data, 0);
      expect(middle).toBeLessThan(4);
      expect(worst).toBeLessThan(80);
    },
  );

  test.each(possible)('%s: has the same bytes whether one thread paints or two', async (codec) => {
    const source = { ...heard, duration: 2, output_format: 'mp4', video_codec: codec };
    const digests: string[] = [];
    for (const threads of [1, 2]) {
      const name = `threads-${codec}-${threads}.mp4`;
      await render(name, source, { paintingThreads: threads });
      digests.push(await contentDigest(inside(name)));
    }
    expect(digests[1]).toBe(digests[0]);
  });

  test.each(possible)(
    '%s: a video under graphics, and sound that is coded again',
    async (codec, stream) => {
      const source: Source = {
        ...{ width: 128, height: 96, frame_rate: 10, duration: 1, target_loudness: -16 },
        elements: [
          { type: 'video', source: 'clip.mp4' },
          { type: 'shape', width: 40, height: 16, x: 64, y: 20, fill_color: '#00c040' },
          { type: 'audio', source: 'tone.wav' },
        ],
        ...{ output_format: 'mp4', video_codec: codec },
      };
      const job = { ...jobInto(folder, 'over.mp4', source), ffmpegPath: build.path };
      const still = { signal: new AbortController().signal, onProgress: () => undefined };
      await onStage(job, still, async (stage) => {
        const { signal } = still;
        expect(await planOverlay(plansOf(stage), build, signal)).not.toBeNull();
      });
      await render('over.mp4', source);
      expect(probe(inside('over.mp4'))).toMatch(stream);
      const [red = 0, green = 0, blue = 0] = frameOf(inside('over.mp4'), 5, []).subarray(
        (20 * 128 + 64) * 4,
      );
      expect(green - Math.max(red, blue)).toBeGreaterThan(80);
    },
  );

  test.each(possible)(
    '%s: three samples come out, smaller than of h264 as a rule',
    async (codec, stream) => {
      let [own, usualBytes] = [0, 0];
      for (const name of ['promo-square', 'lower-third', 'quote-card']) {
        const source: Source = { ...sample(name), output_format: 'mp4' };
        const changes = {
          scaling: { maxWidth: 320 },
          mediaFolders: [path.join(samples, name), path.join(samples, 'media'), samples],
        };
        const { facts } = await render(`${name}.mp4`, { ...source, video_codec: codec }, changes);
        expect([name, facts.duration, facts.frameRate]).toEqual([name, 1, 10]);
        expect(probe(inside(`${name}.mp4`))).toMatch(stream);
        own += facts.fileSize;
        usualBytes += (await render(`${name}.mp4`, source, changes)).facts.fileSize;
      }
      expect(own).toBeLessThan(usualBytes);
    },
  );

  test.each(possible)('%s: a film that is too small is refused before a frame', async (codec) => {
    const source = { ...ground, output_format: 'mp4', video_codec: codec };
    const small = render('small.mp4', source, { scaling: { maxWidth: 64 } });
    await expect(small).rejects.toThrow(
      `height: Expected at least 64 pixels for the video_codec ${codec}, found 48.`,
    );
    // A picture of it may be.
    const { facts } = await render('small.png', source, { scaling: { maxWidth: 64 }, moment: 0.5 });
    expect(facts.height).toBe(48);
  });
});

describe.each(['webp', 'avif'] as const)('%s', (format) => {
  /** Pixels of a picture file, not multiplied by alpha. */
  const pixelsOf = async (name: string): Promise<ArrayLike<number>> => {
    const image = await loadImage(inside(name));
    const context = createCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height).data;
  };

  test('is as transparent as the png, over black and over white, and has the same bytes again', async () => {
    const name = `picture.${format}`;
    const { facts } = await renderInto(folder, name, { ...veil, output_format: format });
    await renderInto(folder, 'picture.png', { ...veil, output_format: 'png' });
    expect([facts.width, facts.height, facts.duration]).toEqual([128, 96, undefined]);
    const file = readFileSync(inside(name));
    expect(readPictureHeader(format, file)).toMatchObject({ hasAlpha: true, frames: 1 });
    for (const grey of [0, 255]) {
      const [middle, worst] = difference(await pixelsOf(name), await pixelsOf('picture.png'), grey);
      expect(middle).toBeLessThan(2);
      expect(worst).toBeLessThan(format === 'webp' ? 70 : 12);
    }
    await renderInto(folder, `again.${format}`, { ...veil, output_format: format });
    expect(readFileSync(inside(`again.${format}`)).equals(file)).toBe(true);
  });

  test('shows a moment of a film, without alpha where the background is opaque', async () => {
    const name = `moment.${format}`;
    await renderInto(folder, name, { ...ground, output_format: 'mp4' }, { moment: 0.5 });
    const [middle] = difference(await pixelsOf(name), await pixelsOf('opaque.png'), 0);
    expect(middle).toBeLessThan(3);
  });

  test('comes out of three samples', async () => {
    for (const name of ['promo-square', 'lower-third', 'data-card']) {
      const source: Source = { ...sample(name), output_format: format };
      const mediaFolders = [path.join(samples, name), samples];
      const changes = { scaling: { maxWidth: 160 }, mediaFolders };
      const { facts } = await renderInto(folder, `${name}.${format}`, source, changes);
      expect([name, facts.width]).toEqual([name, 160]);
    }
  });

  test('a file that was cut is not taken for a whole one', async () => {
    const name = `whole.${format}`;
    await renderInto(folder, name, { ...veil, output_format: format });
    const expected = { format, width: 128, height: 96 };
    await expect(checkResult(inside(name), expected)).resolves.toMatchObject({ width: 128 });
    const file = readFileSync(inside(name));
    writeFileSync(inside(`cut.${format}`), file.subarray(0, file.length - 1));
    await expect(checkResult(inside(`cut.${format}`), expected)).rejects.toThrow('ends early');
  });
});

describe.each(builds)('frames without sound with %s', (_, build) => {
  const make = renderWith(build);
  const silent = [
    ['webp-animated', 'webp'],
    ['png-sequence', 'zip'],
  ] as const;

  test('an animated webp lets through, over black and over white, and its frames come back', async () => {
    const name = 'moves.webp';
    const source = { ...veil, output_format: 'webp-animated', crf: 17 };
    const { facts, snapshot } = await make(name, source);
    expect(facts).toMatchObject({ width: 128, height: 96, frameRate: 10, duration: 1 });
    expect(snapshot).toBe(false);
    const file = readFileSync(inside(name));
    const header = readPictureHeader('webp', file);
    expect(header).toMatchObject({ hasAlpha: true, frames: 10, duration: 1 });
    expect(header?.animation?.plays).toBeNull();
    // As an element of another document, at a moment in its middle.
    const user = { ...veil, elements: [{ type: 'image', source: name }], output_format: 'mp4' };
    await make('read.png', user, { moment: 0.55 });
    for (const grey of [0, 255]) {
      const [read, clear] = ['read.png', 'clear.png'].map((one) => readPicture(inside(one)).data);
      const [middle, worst] = difference(read ?? [], clear ?? [], grey);
      expect(middle).toBeLessThan(4);
      expect(worst).toBeLessThan(80);
    }
    await make('again.webp', source);
    expect(readFileSync(inside('again.webp')).equals(file)).toBe(true);
    await make('once.webp', { ...source, loop: false, crf: 40 });
    const once = readFileSync(inside('once.webp'));
    expect(readPictureHeader('webp', once)?.animation?.plays).toBe(1);
    expect(once.length).toBeLessThan(file.length);
  });

  test('an animated webp of what stands still is whole', async () => {
    const elements = [{ type: 'shape', width: 40, height: 16, fill_color: '#00c040' }];
    const source = { ...ground, elements, output_format: 'webp-animated' };
    const { facts } = await make('stands.webp', source);
    expect(facts).toMatchObject({ width: 128, frameRate: 10, duration: 1 });
  });

  test('a sequence is the pictures of the moments, to the pixel, with the rate and the tags', async () => {
    const source = { ...veil, output_format: 'png-sequence' };
    const changes = { firstPicture: true, madeFrom: { id: 'an-id', name: 'A name' } };
    const { facts, snapshot } = await make('frames.zip', source, changes);
    expect(facts).toMatchObject({ width: 128, height: 96, frameRate: 10, duration: 1 });
    expect(snapshot).toBe(true);
    const file = readFileSync(inside('frames.zip'));
    const pictures = unzipSync(file);
    expect(Object.keys(pictures)).toEqual(
      Array.from(
        { length: 10 },
        (_unused, index) => `frame-000${String(index + 1).padStart(2, '0')}.png`,
      ),
    );
    writeFileSync(inside('sixth.png'), pictures['frame-00006.png'] ?? '');
    const [sixth, clear] = ['sixth.png', 'clear.png'].map((one) => readPicture(inside(one)).data);
    expect(difference(sixth ?? [], clear ?? [], 0)[1]).toBeLessThan(2);
    expect(difference(sixth ?? [], clear ?? [], 255)[1]).toBeLessThan(2);
    expect(file.toString('utf8', file.length - 200)).toMatch(/10 frames per second\nA name\n/);
    for (const paintingThreads of [1, 2]) {
      await make('again.zip', source, { ...changes, paintingThreads });
      expect(readFileSync(inside('again.zip')).equals(file)).toBe(true);
    }
    // A picture beside it is only made where somebody looks at it, and an opaque document has no alpha.
    const opaque = await make('opaque.zip', { ...ground, output_format: 'png-sequence' });
    expect(opaque.snapshot).toBe(false);
    const [first] = Object.values(unzipSync(readFileSync(inside('opaque.zip'))));
    expect(readPictureHeader('png', Buffer.from(first ?? []))).toMatchObject({ hasAlpha: false });
  });

  test.each(silent)(
    '%s: three samples come out with size, frames and length',
    async (format, ending) => {
      for (const name of ['promo-square', 'lower-third', 'data-card']) {
        const source: Source = { ...sample(name), output_format: format };
        const mediaFolders = [path.join(samples, name), path.join(samples, 'media'), samples];
        const changes = { scaling: { maxWidth: 160 }, mediaFolders };
        const { facts } = await make(`${name}.${ending}`, source, changes);
        expect([name, facts.duration, facts.frameRate]).toEqual([name, 1, 10]);
        expect(facts.width).toBeLessThanOrEqual(160);
      }
    },
  );

  test.each(silent)('%s: a cut file is not taken for a whole one', async (format, ending) => {
    await make(`whole.${ending}`, { ...veil, output_format: format });
    const expected = { format, width: 128, height: 96, frameRate: 10, frameCount: 10 };
    await expect(checkResult(inside(`whole.${ending}`), expected)).resolves.toMatchObject({
      duration: 1,
    });
    const file = readFileSync(inside(`whole.${ending}`));
    writeFileSync(inside(`cut.${ending}`), file.subarray(0, file.length - 1));
    await expect(checkResult(inside(`cut.${ending}`), expected)).rejects.toThrow('is not right');
    const fewer = checkResult(inside(`whole.${ending}`), { ...expected, frameCount: 8 });
    await expect(fewer).rejects.toThrow('expected 8');
  });

  test.each(silent)('%s: nothing is left of one that is stopped', async (format, ending) => {
    const stop = new AbortController();
    const file = inside(`stopped.${ending}`);
    const job = jobInto(folder, `stopped.${ending}`, { ...veil, output_format: format });
    const ended = render(
      { ...job, ffmpegPath: build.path },
      {
        signal: stop.signal,
        onProgress: ({ frame }) => {
          if (frame === 5) stop.abort();
        },
      },
    );
    await expect(ended).rejects.toThrow(/abort|Cancelled/);
    expect(existsSync(file) || existsSync(`${file}.part`)).toBe(false);
  });
});

test('a zip of more pictures than the old format counts is read by another program', async () => {
  await renderInto(folder, 'dot.png', { width: 1, height: 1, output_format: 'png', elements: [] });
  const dot = readFileSync(inside('dot.png'));
  const count = 65_540;
  // eslint-disable-next-line @typescript-eslint/require-await -- as a stream would give them
  const pictures = async function* (): AsyncGenerator<Buffer> {
    for (let made = 0; made < count; made++) yield dot;
  };
  await writePictureZip(inside('many.zip'), pictures(), count, 'one comment');
  expect(await readPictureZip(inside('many.zip'))).toEqual({ count, width: 1, height: 1 });
  let [seen, last] = [0, ''];
  const wanted = unzipSync(readFileSync(inside('many.zip')), {
    filter: ({ name }) => {
      seen++;
      last = name;
      return name === 'frame-65536.png';
    },
  });
  expect([seen, last]).toEqual([count, 'frame-65540.png']);
  expect(Buffer.from(wanted['frame-65536.png'] ?? []).equals(dot)).toBe(true);
});

/** What is heard of a file: its mean volume in dB, and its seconds. */
function listen(file: string): { volume: number; seconds: number } {
  const { stderr } = spawnSync(
    usual.path,
    ['-hide_banner', '-i', file, '-af', 'volumedetect', '-vn', '-f', 'null', '-'],
    { encoding: 'utf8' },
  );
  const [, samples = '0'] = /n_samples: (\d+)/.exec(stderr) ?? [];
  const [, volume = 'NaN'] = /mean_volume: (-?[\d.]+) dB/.exec(stderr) ?? [];
  return { volume: Number(volume), seconds: Number(samples) / 2 / 48_000 };
}

describe.each(builds)('sound alone with %s', (_, build) => {
  const render = renderWith(build);
  const tune: Source = { ...heard, duration: 2 };
  /** Stream, and how the file begins. */
  const sounds = [
    ['mp3', /Audio: mp3.*48000 Hz, stereo.*192 kb/, 'ID3'],
    ['wav', /Audio: pcm_s16le.*48000 Hz, (?:stereo|2 channels), s16/, 'RIFF'],
    ['m4a', /Audio: aac \(LC\).*48000 Hz, stereo/, 'ftypM4A '],
  ] as const;

  test.each(sounds)(
    '%s: is what its film sounds like, with tags',
    async (format, stream, begin) => {
      const madeFrom = { id: 'an-id', name: 'A name' };
      const name = `tune.${format}`;
      const { facts, snapshot, warnings } = await render(
        name,
        { ...tune, output_format: format, snapshot_time: 1 },
        { madeFrom },
      );
      expect([facts.width, facts.height, facts.frameRate, snapshot]).toEqual([
        0,
        0,
        undefined,
        false,
      ]);
      expect(Math.abs((facts.duration ?? 0) - 2)).toBeLessThan(0.025);
      expect(warnings.filter(({ code }) => code === 'no_sound')).toEqual([]);
      const found = probe(inside(name));
      expect(found).toMatch(stream);
      expect(found).not.toContain('Video:');
      expect(found).toMatch(/title\s+: A name/i);
      expect(readFileSync(inside(name)).toString('latin1', 0, 16)).toContain(begin);
      await render('tune.mp4', { ...tune, output_format: 'mp4' });
      const [alone, film] = [listen(inside(name)), listen(inside('tune.mp4'))];
      expect(film.volume).toBeGreaterThan(-40);
      expect(Math.abs(alone.volume - film.volume)).toBeLessThan(format === 'wav' ? 0.11 : 0.3);
      expect(Math.abs(alone.seconds - 2)).toBeLessThan(0.025);
      const digest = await contentDigest(inside(name));
      await render(`again.${format}`, { ...tune, output_format: format }, { madeFrom });
      expect(await contentDigest(inside(`again.${format}`))).toBe(digest);
    },
  );

  test.each(sounds)('%s: is silent as long as a document without sound', async (format) => {
    const name = `silent.${format}`;
    const { facts, warnings } = await render(name, { ...ground, output_format: format });
    expect(Math.abs((facts.duration ?? 0) - 1)).toBeLessThan(0.025);
    expect(listen(inside(name)).volume).toBeLessThan(-90);
    expect(warnings).toMatchObject([
      {
        code: 'no_sound',
        message: expect.stringContaining(`so the ${format} is silent`) as string,
      },
    ]);
  });

  test('gets the loudness that the document asks for', async () => {
    for (const [format] of sounds) {
      const source = { ...tune, output_format: format, target_loudness: -23 };
      await render(`level.${format}`, source);
      const { stderr } = spawnSync(
        usual.path,
        ['-hide_banner', '-i', inside(`level.${format}`), '-af', 'ebur128', '-f', 'null', '-'],
        { encoding: 'utf8' },
      );
      const [, level] = /I:\s+(-?[\d.]+) LUFS\s+Threshold/.exec(stderr) ?? [];
      expect(Math.abs(Number(level) + 23)).toBeLessThan(0.35);
    }
  });

  test.each(sounds)('%s: a file that was cut is not taken for a whole one', async (format) => {
    const name = `whole.${format}`;
    await render(name, { ...tune, output_format: format });
    const expected = { format, width: 0, height: 0, frameRate: 10, frameCount: 20 };
    await expect(checkResult(inside(name), expected)).resolves.toMatchObject({ width: 0 });
    const longer = { ...expected, frameCount: 21 };
    await expect(checkResult(inside(name), longer)).rejects.toThrow('expected 2.1 s of sound');
    const file = readFileSync(inside(name));
    writeFileSync(inside(`cut.${format}`), file.subarray(0, file.length - 1));
    await expect(checkResult(inside(`cut.${format}`), expected)).rejects.toThrow('a damaged one');
  });
});

test('a sound reports its progress, paints nothing, and ends when it is stopped', async () => {
  const source: Source = {
    ...{ ...heard, duration: 2, frame_rate: 30, output_format: 'mp3' },
    // Which takes long of a long sound.
    target_loudness: -20,
  };
  const told: RenderProgress[] = [];
  const quiet = new AbortController();
  const seen: (string | null)[] = [];
  await render(jobInto(folder, 'told.mp3', source), {
    signal: quiet.signal,
    onProgress: (progress) => told.push(progress),
    onElement: (element) => seen.push(element),
    wantsPicture: () => true,
    onPicture: () => expect.unreachable('a sound has no picture'),
  });
  const drawn = told.filter(({ phase }) => phase === 'rendering').map(({ frame }) => frame);
  expect(drawn[0]).toBe(0);
  expect(drawn).toEqual(drawn.toSorted((a, b) => a - b));
  // Half is mixing, half of that the loudness: its first pass, its passes after that.
  expect(drawn.filter((frame) => frame > 15 && frame < 30).length).toBeGreaterThan(1);
  expect(told.at(-1)).toEqual({ phase: 'finishing', frame: 60, frames: 60 });
  expect(seen).not.toContain('elements[0]');
  const stop = new AbortController();
  const ended = render(jobInto(folder, 'stopped.mp3', source), {
    signal: stop.signal,
    onProgress: ({ phase }) => {
      if (phase === 'rendering') stop.abort();
    },
  });
  await expect(ended).rejects.toMatchObject({ code: 'cancelled' });
  expect(existsSync(inside('stopped.mp3')) || existsSync(inside('stopped.mp3.part'))).toBe(false);
});

test('an ffmpeg without the encoder is said to lack it, with what to do', () => {
  const poor = { ...usual, encoders: new Set(['libx264', 'aac', 'libvpx-vp9']) };
  expect(() => requireEncoders(poor, { format: 'webm' }, false)).not.toThrow();
  expect(() => requireEncoders(poor, { format: 'webm' }, true)).toThrow(
    /can't make a webm: it lacks libopus\. Install a full build of ffmpeg/,
  );
  expect(() => requireEncoders(poor, { format: 'mov' }, false)).toThrow('lacks prores_ks');
  expect(() => requireEncoders(poor, { format: 'webp-animated' }, false)).toThrow(
    /can't make an animated webp: it lacks libwebp_anim\. Install a full build of ffmpeg/,
  );
  expect(() => requireEncoders(poor, { format: 'mp4', videoCodec: 'av1' }, false)).toThrow(
    "can't make an mp4 of av1: it lacks libsvtav1",
  );
  const old = { ...usual, ...{ major: 5, minor: 0 } };
  expect(lackedEncoders(old, { format: 'mp4', videoCodec: 'av1' })).toContain('libsvtav1');
  expect(() => requireEncoders(poor, { format: 'm4a' }, true)).not.toThrow();
  expect(() => requireEncoders(poor, { format: 'mp3' }, true)).toThrow(
    /can't make an mp3: it lacks libmp3lame\. Install a full build of ffmpeg/,
  );
});
