/** Frames to finished files, with every ffmpeg that this machine has: contents, facts, repeatability, and failures. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createCanvas, loadImage, type Canvas } from '@napi-rs/canvas';
import { afterAll, describe, expect, test } from 'vitest';
import type { OutputSettings } from '../../shared/engine/compile/timeline.ts';
import {
  filmArguments,
  gifCollectArguments,
  gifWriteArguments,
  rateFraction,
} from '../../server/engine/encode/arguments.ts';
import { checkResult } from '../../server/engine/encode/check.ts';
import {
  openEncoder,
  type EncoderOptions,
  type FrameSink,
} from '../../server/engine/encode/encoder.ts';
import { straightenAlpha } from '../../server/engine/routines.ts';
import { filmFormats } from '../../server/engine/encode/film-formats.ts';
import { writeStill } from '../../server/engine/encode/still.ts';
import { RenderError } from '../../shared/engine/errors.ts';
import { builds, usual } from '../helpers/ffmpeg-builds.ts';
import { cropped } from '../helpers/pixels.ts';

const root = mkdtempSync(path.join(os.tmpdir(), 'encode-test-'));
afterAll(() => rmSync(root, { recursive: true }));
let folders = 0;
function newFolder(): string {
  const folder = path.join(root, String(folders++));
  mkdirSync(folder);
  return folder;
}

const mp4: OutputSettings = {
  format: 'mp4',
  width: 96,
  height: 64,
  frameRate: 25,
  frameCount: 20,
  crf: 23,
  videoCodec: 'h264',
  gifQuality: 'fast',
  gifCompression: 0,
  gifLoop: true,
  loudness: null,
};
const gif: OutputSettings = { ...mp4, format: 'gif', frameRate: 10, frameCount: 12 };

/** A coloured ground with a bar that moves a column per frame. */
function painter(
  { width, height }: OutputSettings,
  ground: string | null = '#1b2a4a',
): (frame: number) => Canvas {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  return (frame) => {
    context.clearRect(0, 0, width, height);
    if (ground !== null) {
      context.fillStyle = ground;
      context.fillRect(0, 0, width, height);
    }
    context.fillStyle = '#f08030';
    context.fillRect(frame * 2, height / 4, 16, height / 2);
    return canvas;
  };
}

function options(output: OutputSettings, change: Partial<EncoderOptions> = {}): EncoderOptions {
  const workFolder = newFolder();
  const filePath = path.join(newFolder(), `result.${output.format}`);
  return {
    ffmpeg: usual,
    output,
    sound: null,
    filePath,
    workFolder,
    signal: new AbortController().signal,
    ...change,
  };
}

async function writeAll(
  sink: FrameSink,
  output: OutputSettings,
  paint = painter(output),
): Promise<void> {
  for (let frame = 0; frame < output.frameCount; frame++) await sink.write(paint(frame).data());
}

/** All frames of a file as rgba. */
function decode(file: string, { width, height }: OutputSettings, ...more: string[]): Buffer[] {
  const filters = `scale=in_color_matrix=bt709:in_range=tv:flags=accurate_rnd+full_chroma_int,format=rgba`;
  const args = [
    '-loglevel',
    'error',
    '-i',
    file,
    '-vf',
    filters,
    ...more,
    '-f',
    'rawvideo',
    '-pix_fmt',
    'rgba',
    '-',
  ];
  const all = execFileSync(usual.path, args, { maxBuffer: 1 << 28 });
  const size = width * height * 4;
  return Array.from({ length: all.length / size }, (_, index) =>
    all.subarray(index * size, (index + 1) * size),
  );
}

/** Peak signal-to-noise ratio of the colours, dB. */
function psnr(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++)
    if (index % 4 !== 3) sum += ((a[index] ?? 0) - (b[index] ?? 0)) ** 2;
  return 10 * Math.log10(255 ** 2 / (sum / (a.length * 0.75)));
}

async function failure(work: Promise<unknown>): Promise<RenderError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(RenderError);
  return error as RenderError; // Checked in the line above.
}

test.each([
  [30, [30, 1]],
  [60, [60, 1]],
  [1, [1, 1]],
  [29.97, [30000, 1001]],
  [23.976, [24000, 1001]],
  [23.98, [24000, 1001]],
  [59.94, [60000, 1001]],
  [29.97002997, [30000, 1001]],
  [12.5, [25, 2]],
  [7.5, [15, 2]],
  [33.333333, [100, 3]],
  [14.985, [15000, 1001]],
  [29.5, [59, 2]],
])('%d frames a second are %j', (frameRate, fraction) => {
  expect(rateFraction(frameRate)).toEqual(fraction);
});

describe('argument lists', () => {
  const line = (args: readonly string[]): string => args.join(' ');

  test('mp4', () => {
    const args = line(
      filmArguments(usual, { ...mp4, frameRate: 29.97, crf: 18 }, filmFormats.mp4, {
        soundPath: '/w/sound.wav',
        filePath: '/o/x.mp4.part',
      }),
    );
    for (const part of [
      '-f rawvideo -pixel_format yuv420p -video_size 96x64 -framerate 30000/1001',
      '-protocol_whitelist pipe -thread_queue_size 1 -i pipe:0 -protocol_whitelist file,pipe -f wav -i /w/sound.wav -map 0:v:0 -map 1:a:0',
      '-c:v libx264 -preset veryfast -crf 18 -pix_fmt yuv420p',
      '-c:a aac -b:a 192k',
      '-ar 48000 -ac 2',
      '-map_metadata -1',
      '-movflags +faststart+write_colr -f mp4 -y /o/x.mp4.part',
    ]) {
      expect(args).toContain(part);
    }
    expect(
      line(filmArguments(usual, mp4, filmFormats.mp4, { soundPath: null, filePath: 'x' })),
    ).not.toMatch(/aac|1:a|wav|thread_queue/);
  });

  test.each([
    [
      { gifQuality: 'fast', gifCompression: 0 },
      'max_colors=256:stats_mode=diff',
      'dither=bayer:bayer_scale=2',
    ],
    [
      { gifQuality: 'fast', gifCompression: 200 },
      'max_colors=64:stats_mode=diff',
      'dither=bayer:bayer_scale=5',
    ],
    [
      { gifQuality: 'best', gifCompression: 0 },
      'max_colors=256:stats_mode=full',
      'dither=sierra2_4a',
    ],
    [
      { gifQuality: 'best', gifCompression: 100 },
      'max_colors=128:stats_mode=full',
      'dither=sierra2_4a',
    ],
  ] as const)('gif %j', (change, palette, dither) => {
    expect(line(gifCollectArguments(usual, { ...gif, ...change }, 's', 'p'))).toContain(
      `palettegen=${palette}`,
    );
    expect(line(gifWriteArguments(usual, { ...gif, ...change }, 's', 'p', 'f', false))).toContain(
      `paletteuse=${dither}`,
    );
  });

  test('frames of a large gif are kept compressed between the passes', () => {
    expect(line(gifCollectArguments(usual, gif, 's', 'p'))).toContain('-c:v rawvideo');
    const large = { ...gif, width: 1000, height: 1000, frameCount: 100 };
    expect(line(gifCollectArguments(usual, large, 's', 'p'))).toContain('-c:v utvideo');
  });
});

describe.each(builds)('mp4 with %s', (_, ffmpeg) => {
  test('has the frames, in order, in the right colours, and says what it is', async () => {
    const setup = options(mp4, { ffmpeg });
    const sink = await openEncoder(setup);
    await writeAll(sink, mp4);
    const facts = await sink.finish();
    await sink.close();
    expect(facts).toEqual({
      width: 96,
      height: 64,
      frameRate: 25,
      duration: 0.8,
      fileSize: readFileSync(setup.filePath).length,
    });
    expect(readdirSync(path.dirname(setup.filePath))).toEqual(['result.mp4']);
    expect(readdirSync(setup.workFolder)).toEqual([]);

    const frames = decode(setup.filePath, mp4);
    expect(frames.length).toBe(20);
    const paint = painter(mp4);
    frames.forEach((frame, index) => expect(psnr(frame, paint(index).data())).toBeGreaterThan(32));
    // Even ground, no edges near: the colour itself, within what 8 bits of limited range can say.
    const corner = (4 * 96 + 80) * 4;
    const [r = 0, g = 0, b = 0] = frames[5]?.subarray(corner) ?? [];
    expect(
      [Math.abs(r - 0x1b), Math.abs(g - 0x2a), Math.abs(b - 0x4a)].every((off) => off <= 2),
    ).toBe(true);

    const report = execFileSync('sh', [
      '-c',
      `"${usual.path}" -hide_banner -i "${setup.filePath}" 2>&1 || true`,
    ]).toString();
    expect(report).toMatch(/Video: h264 \(High\).*yuv420p\(tv, bt709/);
    expect(report).toMatch(/25 fps/);
    expect(report).not.toMatch(/Audio:|creation_time/);
    const bytes = readFileSync(setup.filePath);
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
    expect(bytes.includes('colrnclx')).toBe(true);
  });

  test.each([29.97, 23.976, 60, 12.5, 1])(
    '%d frames a second are exact over a minute',
    async (frameRate) => {
      const output = {
        ...mp4,
        width: 16,
        height: 16,
        frameRate,
        frameCount: Math.ceil(60 * frameRate),
      };
      const setup = options(output, { ffmpeg });
      await using sink = await openEncoder(setup);
      await sink.write(painter(output)(0).data());
      for (let frame = 1; frame < output.frameCount; frame++) await sink.repeat();
      const facts = await sink.finish();
      expect(facts.frameRate).toBeCloseTo(frameRate, 2);
      expect(Math.abs((facts.duration ?? 0) - output.frameCount / frameRate)).toBeLessThan(0.002);
    },
  );

  test('the same frames give the same bytes', async () => {
    const results = [];
    for (let run = 0; run < 2; run++) {
      const output = { ...mp4, width: 640, height: 360, frameCount: 30 };
      const setup = options(output, { ffmpeg });
      await using sink = await openEncoder(setup);
      await writeAll(sink, output);
      await sink.finish();
      results.push(readFileSync(setup.filePath));
    }
    expect(results[0]?.equals(results[1] ?? Buffer.alloc(0))).toBe(true);
  });
});

describe('mp4', () => {
  // A part of 1920 pixels from #0b1020 to #1e293b; the drawing library dithers it.
  test('B6: a slow gradient keeps its dither, colours too', async () => {
    const [width, height] = [512, 64];
    const canvas = createCanvas(width, height);
    const context = canvas.getContext('2d');
    const gradient = context.createLinearGradient(0, 0, 1920, 0);
    gradient.addColorStop(0, '#0b1020');
    gradient.addColorStop(1, '#1e293b');
    context.fillStyle = gradient;
    context.fillRect(0, 0, width, height);
    /** The mean distance of 16 x 16 pixels from the gradient, on Y and U. */
    const bands = async (change: Partial<OutputSettings>): Promise<number[]> => {
      const output = { ...mp4, width, height, frameCount: 12, ...change };
      const setup = options(output);
      await using sink = await openEncoder(setup);
      await sink.write(canvas.data());
      for (let frame = 1; frame < output.frameCount; frame++) await sink.repeat();
      await sink.finish();
      const raw = ['-i', setup.filePath, '-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-'];
      const planes = execFileSync(usual.path, ['-loglevel', 'error', ...raw]).subarray(
        -width * height * 1.5,
      );
      return (
        [
          [0, 16, 29.82, 50.32],
          [width * height, 8, 135.53, 137.01],
        ] as const
      ).map(([start, side, first, last]) => {
        const line = (width * side) / 16;
        const distances = Array.from({ length: (width / 16) * 4 }, (_, block) => {
          const [left, top] = [(block >> 2) * side, (block & 3) * side];
          let sum = 0;
          for (let at = 0; at < side * side; at++)
            sum += planes[start + (top + Math.floor(at / side)) * line + left + (at % side)] ?? NaN;
          const exact = first + ((last - first) * ((block >> 2) * 16 + 8)) / 1920;
          return Math.abs(sum / side ** 2 - exact);
        });
        return distances.reduce((sum, value) => sum + value, 0) / distances.length;
      });
    };
    const [luma = 1, blue = 1] = await bands({ hasSlowGradients: true });
    const [plainLuma = 0, plainBlue = 0] = await bands({});
    expect(luma).toBeLessThan(0.15);
    expect(blue).toBeLessThan(0.15);
    expect(luma).toBeLessThan(0.75 * plainLuma);
    expect(plainBlue).toBeGreaterThan(0.2);
  });

  test('repeats and changed areas give what whole frames give', async () => {
    const files = [];
    for (const whole of [true, false]) {
      const output = { ...mp4, frameCount: 30 };
      const setup = options(output);
      await using sink = await openEncoder(setup);
      const paint = painter(output);
      for (let frame = 0; frame < 10; frame++) {
        const pixels = paint(frame).data();
        for (let time = 0; time < 3; time++) {
          if (whole) await sink.write(pixels);
          else if (time > 0) await sink.repeat();
          else if (frame === 0) await sink.write(pixels);
          else {
            const area = { left: frame * 2 - 2, top: 16, width: 18, height: 32 };
            await sink.write(cropped(pixels, output.width, area), area);
          }
        }
      }
      await sink.finish();
      files.push(readFileSync(setup.filePath));
    }
    expect(files[0]?.equals(files[1] ?? Buffer.alloc(0))).toBe(true);
  });

  test('frames are taken before their buffer is used again', async () => {
    const output = { ...mp4, width: 640, height: 480, frameCount: 12, crf: 17 };
    const setup = options(output);
    await using sink = await openEncoder(setup);
    const pixels = new Uint8Array(640 * 480 * 4);
    for (let frame = 0; frame < 12; frame++) {
      pixels.fill(20 * frame);
      await sink.write(pixels);
    }
    await sink.finish();
    decode(setup.filePath, output).forEach((frame, index) => {
      expect(Math.abs((frame[640 * 240 * 4] ?? 0) - 20 * index)).toBeLessThanOrEqual(3);
    });
  });

  test('too few frames are noticed', async () => {
    await using sink = await openEncoder(options(mp4));
    await sink.write(painter(mp4)(0).data());
    await expect(sink.finish()).rejects.toThrow('expected 20 frames, 1 were written');
  });
});

describe.each(builds)('gif with %s', (_, ffmpeg) => {
  test.each(['fast', 'best'] as const)(
    '%s: the frames, their times, nothing left over',
    async (gifQuality) => {
      const output = { ...gif, gifQuality };
      const setup = options(output, { ffmpeg });
      await using sink = await openEncoder(setup);
      await writeAll(sink, output);
      expect(await sink.finish()).toMatchObject({
        width: 96,
        height: 64,
        frameRate: 10,
        duration: 1.2,
      });
      expect(readdirSync(setup.workFolder)).toEqual([]);
      const frames = decode(setup.filePath, output);
      expect(frames.length).toBe(12);
      const paint = painter(output);
      frames.forEach((frame, index) =>
        expect(psnr(frame, paint(index).data())).toBeGreaterThan(40),
      );
    },
  );

  test('what moves over nothing leaves no trail', async () => {
    const setup = options(gif, { ffmpeg });
    await using sink = await openEncoder(setup);
    const paint = painter(gif, null);
    await writeAll(sink, gif, paint);
    await sink.finish();
    const frames = decode(setup.filePath, gif);
    expect(frames.length).toBe(12);
    frames.forEach((frame, index) => {
      const expected = paint(index).data();
      const wrong = [...expected.keys()].filter(
        (at) => at % 4 === 3 && expected[at] !== frame[at],
      ).length;
      expect({ index, wrong }).toEqual({ index, wrong: 0 });
    });
  });

  test('frames that stand still', async () => {
    const output = { ...gif, frameCount: 30 };
    const setup = options(output, { ffmpeg });
    await using sink = await openEncoder(setup);
    const paint = painter(output);
    for (let frame = 0; frame < 30; frame++) {
      if (frame === 0 || frame === 20) await sink.write(paint(frame).data());
      else await sink.repeat();
    }
    expect(await sink.finish()).toMatchObject({ duration: 3 });
    const frames = decode(setup.filePath, output, '-r', '10');
    expect(psnr(frames[19] ?? new Uint8Array(), paint(0).data())).toBeGreaterThan(40);
    expect(psnr(frames[21] ?? new Uint8Array(), paint(20).data())).toBeGreaterThan(40);
  });

  test('a picture that never changes', async () => {
    const setup = options(gif, { ffmpeg });
    await using sink = await openEncoder(setup);
    await sink.write(painter(gif)(0).data());
    for (let frame = 1; frame < gif.frameCount; frame++) await sink.repeat();
    expect(await sink.finish()).toMatchObject({ duration: 1.2 });
  });

  test.each([true, false])('loop %s', async (gifLoop) => {
    const output = { ...gif, gifLoop, frameCount: 3 };
    const setup = options(output, { ffmpeg });
    await using sink = await openEncoder(setup);
    await writeAll(sink, output);
    await sink.finish();
    const bytes = readFileSync(setup.filePath);
    const block = bytes.indexOf('NETSCAPE2.0');
    expect(block >= 0).toBe(gifLoop);
    if (gifLoop) expect(bytes.readUInt16LE(block + 13)).toBe(0);
  });
});

test('gif compression makes smaller files', async () => {
  const output = { ...gif, width: 160, height: 120, frameCount: 6 };
  const canvas = createCanvas(160, 120);
  const context = canvas.getContext('2d');
  const sizes = [];
  for (const gifCompression of [0, 100, 200]) {
    const setup = options({ ...output, gifCompression });
    await using sink = await openEncoder(setup);
    for (let frame = 0; frame < 6; frame++) {
      for (let x = 0; x < 160; x++) {
        const sky = context.createLinearGradient(0, frame * 5, 0, 120);
        sky.addColorStop(0, `hsl(${x + 100} 70% 60%)`);
        sky.addColorStop(1, `hsl(${x} 90% 20%)`);
        context.fillStyle = sky;
        context.fillRect(x, 0, 1, 120);
      }
      await sink.write(canvas.data());
    }
    sizes.push((await sink.finish()).fileSize);
  }
  const [none = 0, half = 0, full = 0] = sizes;
  expect(half).toBeLessThan(none * 0.9);
  expect(full).toBeLessThan(half * 0.9);
});

test('premultiplied pixels become straight', () => {
  const pixels = Uint8Array.of(100, 50, 0, 100, 9, 9, 9, 255, 0, 0, 0, 0, 64, 32, 16, 128);
  expect(straightenAlpha(pixels)).toBe(true);
  expect(straightenAlpha(Uint8Array.of(1, 2, 3, 255))).toBe(false);
  expect([...pixels]).toEqual([255, 128, 0, 100, 9, 9, 9, 255, 0, 0, 0, 0, 128, 64, 32, 128]);
});

describe('failures', () => {
  /** Processes with a file of ours on their command line. */
  function processesNaming(file: string): number[] {
    const ids = readdirSync('/proc')
      .map(Number)
      .filter((id) => id > 0 && id !== process.pid);
    return ids.filter((id) => {
      try {
        return readFileSync(`/proc/${String(id)}/cmdline`, 'utf8').includes(file);
      } catch {
        return false; // It has ended meanwhile.
      }
    });
  }

  async function feed(sink: FrameSink, after: number, act: () => void): Promise<void> {
    const pixels = painter(mp4)(0).data();
    for (let frame = 0; frame < 5000; frame++) {
      if (frame === after) act();
      await sink.write(pixels);
    }
  }
  const long = { ...mp4, frameCount: 5000 };

  test.runIf(process.platform === 'linux')(
    'an encoder killed from outside ends the render, and leaves nothing',
    async () => {
      const setup = options(long);
      const sink = await openEncoder(setup);
      // A program that has just been started has no command line for a moment.
      await expect.poll(() => processesNaming(setup.filePath)).toHaveLength(1);
      const own = processesNaming(setup.filePath);
      const error = await failure(
        feed(sink, 20, () => own.forEach((id) => process.kill(id, 'SIGKILL'))),
      );
      expect(error).toMatchObject({
        code: 'encoder_killed',
        message: 'Render error: The encoder stopped: killed',
      });
      await sink.close();
      await sink.close();
      expect(readdirSync(path.dirname(setup.filePath))).toEqual([]);
    },
  );

  test('cancelling', async () => {
    const control = new AbortController();
    const setup = options(long, { signal: control.signal });
    await using sink = await openEncoder(setup);
    expect((await failure(feed(sink, 20, () => control.abort()))).code).toBe('cancelled');
    await sink.close();
    expect(readdirSync(path.dirname(setup.filePath))).toEqual([]);
  });

  test('an encoder that stops by itself is quoted', async () => {
    const folder = newFolder();
    const program = path.join(folder, 'ffmpeg');
    writeFileSync(program, '#!/bin/sh\necho "x264 [error]: malloc of size 5 failed" >&2\nexit 1\n');
    chmodSync(program, 0o755);
    await using sink = await openEncoder(options(long, { ffmpeg: { ...usual, path: program } }));
    const error = await failure(feed(sink, -1, () => undefined));
    expect(error.message).toBe(
      'Render error: The encoder stopped: x264 [error]: malloc of size 5 failed',
    );
  });

  test('an output folder that is not there', async () => {
    const setup = options(long, { filePath: path.join(root, 'nowhere', 'x.mp4') });
    await using sink = await openEncoder(setup);
    const error = await failure(feed(sink, -1, () => undefined));
    expect(error).toMatchObject({
      code: 'output_unwritable',
      message: 'Render error: The output folder is missing or cannot be written',
    });
  });
});

describe('pictures', () => {
  function canvas(alpha: boolean): Canvas {
    const result = createCanvas(37, 21);
    const context = result.getContext('2d');
    context.fillStyle = alpha ? 'rgba(255, 0, 0, 0.5)' : '#336699';
    context.fillRect(0, 0, 20, 21);
    if (!alpha) context.fillRect(0, 0, 37, 21);
    return result;
  }

  test('png keeps alpha', async () => {
    const file = path.join(newFolder(), 'x.png');
    await writeStill(canvas(true), 'png', file);
    expect(readdirSync(path.dirname(file))).toEqual(['x.png']);
    const copy = createCanvas(37, 21);
    copy.getContext('2d').drawImage(await loadImage(readFileSync(file)), 0, 0);
    const data = copy.getContext('2d').getImageData(0, 0, 37, 21).data;
    expect([...data.subarray(0, 4)]).toEqual([255, 0, 0, 128]);
    expect(data[30 * 4 + 3]).toBe(0);
    expect(await checkResult(file, { format: 'png', width: 37, height: 21 })).toEqual({
      width: 37,
      height: 21,
      fileSize: readFileSync(file).length,
    });
  });

  test('jpg is close to what was drawn', async () => {
    const file = path.join(newFolder(), 'x.jpg');
    await writeStill(canvas(false), 'jpg', file);
    const copy = createCanvas(37, 21);
    copy.getContext('2d').drawImage(await loadImage(readFileSync(file)), 0, 0);
    expect(psnr(copy.data(), canvas(false).data())).toBeGreaterThan(40);
    await checkResult(file, { format: 'jpg', width: 37, height: 21 });
  });

  test('B6: a jpg keeps the colour of every pixel', async () => {
    const stripes = createCanvas(64, 64);
    const context = stripes.getContext('2d');
    context.fillStyle = '#0000ff';
    context.fillRect(0, 0, 64, 64);
    context.fillStyle = '#ff0000';
    for (let x = 0; x < 64; x += 2) context.fillRect(x, 0, 1, 64);
    const file = path.join(newFolder(), 'x.jpg');
    await writeStill(stripes, 'jpg', file);
    const copy = createCanvas(64, 64);
    copy.getContext('2d').drawImage(await loadImage(readFileSync(file)), 0, 0);
    expect(psnr(copy.data(), stripes.data())).toBeGreaterThan(45);
  });

  test('a folder that is not there', async () => {
    const error = await failure(
      writeStill(canvas(false), 'png', path.join(root, 'nowhere', 'x.png')),
    );
    expect(error.code).toBe('output_unwritable');
  });
});

describe('checking', () => {
  async function video(): Promise<string> {
    const setup = options(mp4);
    await using sink = await openEncoder(setup);
    await writeAll(sink, mp4);
    await sink.finish();
    return setup.filePath;
  }

  test.each([
    ['size', { width: 98 }, 'expected 98 x 64 pixels, found 96 x 64'],
    ['number of frames', { frameCount: 21 }, 'expected 21 frames, found 20'],
    ['length', { frameRate: 20 }, 'expected 1 s, found 0.8 s'],
    ['sound', { sound: true }, 'expected sound, found none'],
  ])('another %s is refused', async (_, change, message) => {
    const file = await video();
    const { format, width, height, frameRate, frameCount } = mp4;
    const error = await failure(
      checkResult(file, { format, width, height, frameRate, frameCount, ...change }),
    );
    expect(error.message).toBe(`Render error: The finished file is not right: ${message}`);
  });

  test('sound that is shorter than the picture is refused', async () => {
    const folder = newFolder();
    const file = path.join(folder, 'x.mp4');
    const sources = [
      '-f',
      'lavfi',
      '-i',
      'color=s=96x64:r=25:d=2',
      '-f',
      'lavfi',
      '-i',
      'sine=d=1.5',
    ];
    execFileSync(usual.path, [
      '-loglevel',
      'error',
      ...sources,
      '-c:v',
      'libx264',
      '-c:a',
      'aac',
      file,
    ]);
    const plan = {
      format: 'mp4',
      width: 96,
      height: 64,
      frameRate: 25,
      frameCount: 50,
      sound: true,
    } as const;
    expect((await failure(checkResult(file, plan))).message).toMatch(
      /expected 2 s of sound, found 1\.\d+ s/,
    );
  });

  test('a cut or empty file is refused', async () => {
    const { format, width, height } = mp4;
    const folder = newFolder();
    const cut = path.join(folder, 'cut.mp4');
    copyFileSync(await video(), cut);
    for (const length of [readFileSync(cut).length - 1, 400, 7]) {
      truncateSync(cut, length);
      const error = await failure(checkResult(cut, { format, width, height }));
      expect(error.message).toContain('expected a complete mp4, found a damaged one');
    }
    truncateSync(cut, 0);
    expect((await failure(checkResult(cut, { format, width, height }))).message).toContain(
      'an empty file',
    );

    const png = path.join(folder, 'x.png');
    await writeStill(createCanvas(10, 10), 'png', png);
    truncateSync(png, readFileSync(png).length - 3);
    expect(
      (await failure(checkResult(png, { format: 'png', width: 10, height: 10 }))).message,
    ).toContain('ends early');
    expect(existsSync(png)).toBe(true);
  });
});
