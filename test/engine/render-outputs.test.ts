/** What finished files are by measurement: colours, counts of frames, delays of gifs, marks and tags. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { controlFlags } from '../../server/engine/encode/gif-frames.ts';
import type { Json, JsonObject } from '../../shared/renderscript/source.ts';
import { renderInto } from '../helpers/engine.ts';
import { frameBrightness, runFfmpegSync } from '../helpers/media.ts';
import { readPicture } from '../helpers/pictures.ts';
import { builds } from '../helpers/ffmpeg-builds.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'render-outputs-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const inFolder = (name: string): string => path.join(folder, name);

/** The chart: 6 × 4 patches of 40 pixels; dark, light and full colours, skin, greys. */
// prettier-ignore
const chart = [
  '#734f44', '#c59582', '#5d7a9d', '#5b6c41', '#8280b0', '#63bdac',
  '#d97b2c', '#485aa7', '#c2545e', '#5a3c6a', '#a0bd3e', '#e5a229',
  '#ff0000', '#00ff00', '#0000ff', '#ffff00', '#ff00ff', '#00ffff',
  '#ffffff', '#cccccc', '#999999', '#555555', '#111111', '#000000',
];
const side = 40;
const size = { width: 6 * side, height: 4 * side };
const patch = (index: number): { x: number; y: number } => ({
  x: (index % 6) * side,
  y: Math.floor(index / 6) * side,
});

beforeAll(() => {
  const canvas = createCanvas(size.width, size.height);
  const context = canvas.getContext('2d');
  chart.forEach((color, index) => {
    const { x, y } = patch(index);
    context.fillStyle = color;
    context.fillRect(x, y, side, side);
  });
  writeFileSync(inFolder('chart.png'), canvas.toBuffer('image/png'));
  const toVideo = 'scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int';
  const marks = ['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709'];
  runFfmpegSync(
    ...['-loop', '1', '-framerate', '10', '-i', inFolder('chart.png'), '-t', '0.3'],
    ...['-vf', `${toVideo},format=yuv444p`, ...marks, '-color_range', 'tv'],
    ...['-c:v', 'libx264', '-crf', '4', inFolder('chart.mp4')],
  );
});

/** The chart, made of every kind of element. */
const inputs: Readonly<Record<string, readonly JsonObject[]>> = {
  image: [{ type: 'image', source: 'chart.png' }],
  video: [{ type: 'video', source: 'chart.mp4', duration: 0.3 }],
  shape: chart.map((color, index) => ({
    type: 'shape',
    x: patch(index).x + side / 2,
    y: patch(index).y + side / 2,
    width: side,
    height: side,
    fill_color: color,
  })),
  text: chart.map((color, index) => ({
    type: 'text',
    text: 'M',
    x: patch(index).x + side / 2,
    y: patch(index).y + side / 2,
    width: side,
    height: side,
    font_size: 30,
    x_alignment: '50%',
    y_alignment: '50%',
    fill_color: color,
    background_color: color,
    background_x_padding: '100%',
    background_y_padding: '50%',
    clip: true,
  })),
};

/** The colour in the middle of each patch, `rgb` bytes of a whole picture given. */
function patches(rgb: Uint8Array | Uint8ClampedArray, channels: 3 | 4): number[][] {
  return chart.map((_, index) => {
    const { x, y } = patch(index);
    const at = ((y + side / 2) * size.width + x + side / 2) * channels;
    return [...rgb.subarray(at, at + 3)];
  });
}

const wanted = chart.map((color) =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)),
);

function farthest(found: number[][]): { off: number; color: string; found: string } {
  const offs = found.map((rgb, index) =>
    Math.max(...rgb.map((level, channel) => Math.abs(level - (wanted[index]?.[channel] ?? 0)))),
  );
  const worst = offs.indexOf(Math.max(...offs));
  return { off: offs[worst] ?? NaN, color: chart[worst] ?? '', found: String(found[worst]) };
}

/** The first frame of an mp4 as a player shows it. */
function firstFrame(name: string): Buffer {
  const toRgb =
    'scale=in_color_matrix=bt709:in_range=tv:out_range=pc:flags=accurate_rnd+full_chroma_int,format=rgb24';
  const raw = ['-frames:v', '1', '-vf', toRgb, '-f', 'rawvideo', '-'];
  return runFfmpegSync('-i', inFolder(name), ...raw);
}

describe.each(builds)('colours with %s', (_, { path: ffmpegPath }) => {
  test.each(Object.keys(inputs))(
    'a chart of %s elements comes out within 3 levels',
    async (kind) => {
      const source = { ...size, output_format: 'mp4', frame_rate: 10, duration: 0.3, crf: 17 };
      await renderInto(
        folder,
        'chart-out.mp4',
        { ...source, elements: inputs[kind] },
        {
          ffmpegPath,
        },
      );
      expect(farthest(patches(firstFrame('chart-out.mp4'), 3)).off).toBeLessThanOrEqual(3);
    },
  );
});

describe('pictures', () => {
  const still = { ...size, elements: inputs['image'] as Json };

  test.each([
    ['png', 0],
    // 4:2:0 and quality 92 on flat patches.
    ['jpg', 3],
  ])('a chart in a %s is within %d levels', async (format, most) => {
    await renderInto(folder, `chart-out.${format}`, { ...still, output_format: format });
    const { data } = readPicture(inFolder(`chart-out.${format}`));
    expect(farthest(patches(data, 4)).off).toBeLessThanOrEqual(most);
  });

  test('both say that they are sRGB', async () => {
    await renderInto(folder, 'mark.jpg', { ...still, output_format: 'jpg' });
    await renderInto(folder, 'mark.png', { ...still, output_format: 'png' });
    expect(readFileSync(inFolder('mark.jpg')).indexOf('ICC_PROFILE\0')).toBeGreaterThan(0);
    const png = readFileSync(inFolder('mark.png'));
    expect(png.indexOf('sRGB')).toBeGreaterThan(0);
    expect(png.indexOf('sRGB')).toBeLessThan(png.indexOf('IDAT'));
  });
});

describe('tags', () => {
  const madeFrom = { id: '3f0c', name: 'Spring sale\n–50 %' };
  const title = 'Spring sale –50 %';
  const comment = 'Made with Framewright from template 3f0c';
  const moving = { width: 32, height: 32, duration: 0.4, frame_rate: 10, elements: [] };

  test.each(builds)('an mp4 names its template (%s)', async (_, { path: ffmpegPath }) => {
    await renderInto(
      folder,
      'tags.mp4',
      { ...moving, output_format: 'mp4' },
      {
        madeFrom,
        ffmpegPath,
      },
    );
    const meta = runFfmpegSync('-i', inFolder('tags.mp4'), '-f', 'ffmetadata', '-').toString();
    expect(meta).toContain(`title=${title}`);
    expect(meta).toContain(`comment=${comment}`);
    const bytes = readFileSync(inFolder('tags.mp4')).toString('latin1');
    expect(bytes).not.toMatch(/Lavf\d|Lavc\d|x264 - core/);
    expect(bytes).not.toContain(folder);
  });

  test.each(['gif', 'jpg', 'png'])('a %s does', async (format) => {
    const name = `tags.${format}`;
    await renderInto(folder, name, { ...moving, output_format: format }, { madeFrom });
    const bytes = readFileSync(inFolder(name));
    expect(bytes.includes(title)).toBe(true);
    expect(bytes.includes(comment)).toBe(true);
    expect(bytes.includes(folder)).toBe(false);
    // Another program reads it without a complaint.
    expect(runFfmpegSync('-xerror', '-i', inFolder(name), '-f', 'null', '-').length).toBe(0);
    expect(readPicture(inFolder(name)).width).toBe(32);
  });

  test('without a template there are none', async () => {
    await renderInto(folder, 'plain.png', { ...moving, output_format: 'png' });
    expect(readFileSync(inFolder('plain.png')).includes('Framewright')).toBe(false);
  });
});

describe('gif', () => {
  /** Hundredths of a second of every frame. */
  const delays = (name: string): number[] => {
    const bytes = readFileSync(inFolder(name));
    return controlFlags(bytes).map((at) => bytes.readUInt16LE(at + 1));
  };
  const moving = {
    type: 'shape',
    width: 8,
    height: 8,
    fill_color: '#ff0000',
    x: [
      { time: 0, value: 0 },
      { time: 'end', value: 60, easing: 'linear' },
    ],
  };

  test.each(
    builds.flatMap(([name, { path: ffmpegPath }], index) =>
      (index === 0 ? [15, 13, 12, 7, 3.5] : [13]).map((frameRate) => ({
        name,
        ffmpegPath,
        frameRate,
      })),
    ),
  )('$frameRate frames a second with $name', async ({ ffmpegPath, frameRate }) => {
    const source = { output_format: 'gif', width: 64, height: 32, frame_rate: frameRate };
    await renderInto(
      folder,
      'rate.gif',
      { ...source, duration: 2, elements: [moving] },
      {
        ffmpegPath,
      },
    );
    const found = delays('rate.gif');
    const frames = Math.ceil(2 * frameRate);
    expect(found).toHaveLength(frames);
    expect(Math.min(...found)).toBeGreaterThanOrEqual(2);
    expect(Math.max(...found) - Math.min(...found)).toBeLessThanOrEqual(1);
    const total = found.reduce((sum, delay) => sum + delay, 0);
    expect(total).toBe(Math.round((frames / frameRate) * 100));
  });
});

describe('snapshots', () => {
  const white = { type: 'shape', width: '100%', height: '100%', fill_color: '#ffffff', time: 0.5 };
  const source = {
    output_format: 'mp4',
    width: 32,
    height: 32,
    frame_rate: 10,
    duration: 1.2,
    elements: [{ ...white, duration: 0.3 }],
  };

  test.each([
    ['start', [0]],
    ['end', [11]],
    [null, []],
  ] as const)('snapshot_location %j', async (location, places) => {
    const choice = { snapshot_time: 0.6, snapshot_location: location };
    const { snapshot } = await renderInto(folder, 'snap.mp4', { ...source, ...choice });
    const bright = frameBrightness(inFolder('snap.mp4')).flatMap((level, frame) =>
      level > 200 ? [frame] : [],
    );
    expect(bright).toEqual([...new Set([...places, 5, 6, 7])].sort((a, b) => a - b));
    expect(snapshot).toBe(location === null);
  });
});

test('crf makes a file smaller', async () => {
  const sizes: number[] = [];
  for (const crf of [17, 35, 51]) {
    const elements = [{ type: 'image', source: 'chart.png', z_rotation: 20 }];
    const source = { ...size, output_format: 'mp4', frame_rate: 10, duration: 0.5, crf, elements };
    sizes.push((await renderInto(folder, 'crf.mp4', source)).facts.fileSize);
  }
  expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
  expect(sizes[0]).toBeGreaterThan((sizes[2] ?? 0) * 1.5);
});

test('other programs agree: constant rate, BT.709, square pixels', async () => {
  const source = { ...size, output_format: 'mp4', frame_rate: 23.976, duration: 1.01 };
  await renderInto(folder, 'facts.mp4', { ...source, elements: inputs['image'] });
  const { path: ffmpeg } = builds[0]?.[1] ?? { path: 'ffmpeg' };
  const report = execFileSync(
    'sh',
    ['-c', `"${ffmpeg}" -hide_banner -i "${inFolder('facts.mp4')}" 2>&1 || true`],
    { encoding: 'utf8' },
  );
  expect(report).toMatch(/yuv420p\(tv, bt709/);
  expect(report).toMatch(/23\.98 fps/);
  const times = runFfmpegSync('-i', inFolder('facts.mp4'), '-c', 'copy', '-f', 'framecrc', '-')
    .toString()
    .split('\n')
    .filter((line) => /^\d/.test(line))
    .map((line) => Number(line.split(',')[2]))
    .sort((a, b) => a - b);
  expect(times).toHaveLength(25);
  const steps = new Set(times.slice(1).map((time, index) => time - (times[index] ?? 0)));
  expect(steps.size).toBe(1);
});
