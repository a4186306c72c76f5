/**
 * Files as they come out of phones, screen recorders and downloads: containers, codecs, marks and faults, each made
 * here, probed and decoded by every ffmpeg of this machine.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { MediaFile } from '../../server/engine/assets/assets.ts';
import type { MediaInfo } from '../../shared/engine/media-info.ts';
import { probeFile } from '../../server/engine/assets/examine/probe.ts';
import {
  standardColor,
  type WideColors,
} from '../../server/engine/assets/videos/video-standard.ts';
import type { DecodedFrame } from '../../server/engine/assets/videos/video-clip.ts';
import { VideoBook } from '../../server/engine/assets/videos/video.ts';
import { findFfmpeg } from '../../server/engine/ffmpeg.ts';
import type { Problem } from '../../shared/renderscript/source.ts';
import { builds, rowsFor } from '../helpers/ffmpeg-builds.ts';
import { encodeNumbers, height, maker, numberIn, width } from './numbered-clips.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'media-inputs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The first ffmpeg of this machine that has an encoder; some builds lack some. */
function makerWith(encoder: string): string {
  const found = builds.find(([, { path: binary }]) =>
    execFileSync(binary, ['-hide_banner', '-encoders'], { encoding: 'utf8' }).includes(
      ` ${encoder} `,
    ),
  );
  if (found === undefined) throw new Error(`no ffmpeg here has the encoder ${encoder}`);
  return found[1].path;
}

function run(binary: string, args: readonly string[], input?: Buffer): void {
  execFileSync(binary, ['-v', 'error', '-y', ...args], { ...(input && { input }), cwd: folder });
}

const frameCount = 40;

/** A clip of numbered frames, 25 a second, made once. */
function makeNumbered(file: string, encoder: string, args: string, count = frameCount): string {
  const target = path.join(folder, file);
  if (!existsSync(target)) {
    const outputs = [...args.split(' '), '-c:v', encoder, target];
    encodeNumbers(count, '25', outputs, makerWith(encoder));
  }
  return target;
}

interface Shown {
  readonly info: MediaInfo;
  readonly frames: readonly DecodedFrame[];
  readonly warnings: readonly Problem[];
}

/** Probes a file and decodes the frames at some times, at its own size or another. */
async function show(
  file: string,
  binary: string,
  times: readonly number[],
  size?: readonly [number, number],
): Promise<Shown> {
  const ffmpeg = await findFfmpeg(binary);
  const info = await probeFile(file, ffmpeg);
  const media: MediaFile = { source: 'clip', path: file, info, element: 'Clip', place: 'source' };
  const signal = new AbortController().signal;
  const book = new VideoBook({ assets: { media: new Map([['clip', media]]) }, ffmpeg, signal });
  const [across, down] = size ?? [info.width, info.height];
  const shown: DecodedFrame[] = [];
  for (const time of times) {
    const step = (times[1] ?? 1) - (times[0] ?? 0);
    await book.prepare([
      { elementPath: 'e', source: 'clip', time, step, width: across, height: down },
    ]);
    const frame = book.frame('e')!;
    shown.push({ ...frame, rgba: Uint8Array.from(frame.rgba) });
  }
  const { warnings } = book;
  await book.close();
  return { info, frames: shown, warnings };
}

/** Colour of a point, given as a share of both sides. */
function colorAt(
  { rgba, width: across, height: down }: DecodedFrame,
  x: number,
  y: number,
): number[] {
  const offset = (Math.floor(y * down) * across + Math.floor(x * across)) * 4;
  return [...rgba.subarray(offset, offset + 4)];
}

function largestDifference(a: readonly number[], b: readonly number[]): number {
  return Math.max(...b.map((value, index) => Math.abs(value - (a[index] ?? -1000))));
}

const yuv = '-pix_fmt yuv420p -g 12';
const aom = '-strict experimental -cpu-used 8 -crf 40 -b:v 0 -pix_fmt yuv420p -g 12';
/** Name, file, encoder, arguments, facts. */
const kinds: [string, string, string, string, Partial<MediaInfo>][] = [
  ['mp4, H.264', 'h264.mp4', 'libx264', `${yuv} -bf 2`, { format: 'mp4' }],
  ['mp4, H.264 with 10 bit', 'high10.mp4', 'libx264', '-pix_fmt yuv420p10le -g 12', {}],
  ['mp4, HEVC', 'hevc.mp4', 'libx265', `${yuv} -x265-params log-level=error -tag:v hvc1`, {}],
  [
    'mkv, HEVC with 10 bit',
    'hevc10.mkv',
    'libx265',
    '-pix_fmt yuv420p10le -x265-params log-level=error',
    { format: 'webm' },
  ],
  [
    'mov, ProRes',
    'prores.mov',
    'prores_ks',
    '-profile:v 3 -pix_fmt yuv422p10le',
    { format: 'mp4' },
  ],
  [
    'mov, ProRes with alpha',
    'prores4.mov',
    'prores_ks',
    '-profile:v 4 -pix_fmt yuva444p10le',
    { hasAlpha: true },
  ],
  ['mov, QuickTime Animation', 'rle.mov', 'qtrle', '-pix_fmt argb', { hasAlpha: true }],
  ['mp4, AV1', 'av1.mp4', 'libaom-av1', aom, { format: 'mp4' }],
  ['webm, AV1', 'av1.webm', 'libaom-av1', aom, { format: 'webm' }],
  ['webm, VP8', 'vp8.webm', 'libvpx', `${yuv} -b:v 1M`, { format: 'webm' }],
  ['webm, VP9', 'vp9.webm', 'libvpx-vp9', `${yuv} -deadline realtime -cpu-used 8`, {}],
  ['mkv, H.264', 'h264.mkv', 'libx264', yuv, { format: 'webm' }],
  ['mpeg-ts, H.264', 'h264.ts', 'libx264', yuv, { format: 'ts' }],
  ['avi, MPEG-4', 'mpeg4.avi', 'mpeg4', '-q:v 3 -g 12', { format: 'avi' }],
  ['avi, motion JPEG', 'mjpeg.avi', 'mjpeg', '-q:v 3 -pix_fmt yuvj420p', { format: 'avi' }],
  [
    'mkv, odd size',
    'odd.mkv',
    'ffv1',
    '-vf scale=97:55 -pix_fmt yuv444p',
    { width: 97, height: 55 },
  ],
  [
    'webm, odd size',
    'odd.webm',
    'libvpx-vp9',
    '-vf scale=97:55 -pix_fmt yuv420p -deadline realtime',
    { width: 97, height: 55 },
  ],
];

describe.each(builds)('F61 inputs, read with %s', (build, { path: binary }) => {
  const ofVersions = [
    'mp4, H.264 with 10 bit',
    'mov, ProRes with alpha',
    'webm, AV1',
    'avi, MPEG-4',
  ];
  test.each(rowsFor(build, kinds, ofVersions))('%s', async (_, file, encoder, args, facts) => {
    // AV1's reference encoder takes its time.
    const count = encoder === 'libaom-av1' ? 20 : frameCount;
    const target = makeNumbered(file, encoder, args, count);
    const times = Array.from({ length: 12 }, (_unused, index) => 0.11 + index * 0.04);
    const { info, frames: shown } = await show(target, binary, times);
    expect(info).toMatchObject({ kind: 'video', width, height, hasAudio: false, ...facts });
    expect(info.frameRate).toBeCloseTo(25, 1);
    expect(Math.abs(info.duration - count / 25)).toBeLessThan(0.045);
    expect(shown.map(numberIn)).toEqual(times.map((time) => Math.floor(time * 25 + 0.001)));
  });

  const soundTracks = [
    ['no', '', false],
    ['one', '-f lavfi -i sine=d=1.6 -map 0 -map 1', true],
    ['several', '-f lavfi -i sine=d=1.6 -f lavfi -i sine=880:d=1.6 -map 0 -map 1 -map 2', true],
  ] as const;
  const severalOnly = rowsFor(build, soundTracks, ['several']);
  test.each(severalOnly)('%s sound tracks', async (name, tracks, hasAudio) => {
    const target = makeNumbered(`${name}.mkv`, 'libx264', `${tracks} ${yuv} -c:a aac`.trim());
    const { info, frames: shown } = await show(target, binary, [1.06]);
    // AAC begins 21 ms before the picture, and mkv has no negative times.
    expect([info.hasAudio, numberIn(shown[0]!)]).toEqual([hasAudio, hasAudio ? 25 : 26]);
  });

  test('an edit list that cuts the beginning: time 0 is what players show first', async () => {
    const whole = makeNumbered('whole.mp4', 'libx264', '-pix_fmt yuv420p -g 50 -bf 2');
    const target = path.join(folder, 'edited.mp4');
    run(maker.path, ['-ss', '0.6', '-i', whole, '-c', 'copy', target]);
    const times = [0, 0.04, 0.08, 0.5];
    const { frames: shown, info } = await show(target, binary, times);
    expect(shown.map(numberIn)).toEqual([15, 16, 17, 27]);
    expect(info.duration).toBeCloseTo(1, 1);
  });

  test('a picture that begins after the sound: its first frame stands until then', async () => {
    const whole = makeNumbered('h264.mp4', 'libx264', `${yuv} -bf 2`);
    const target = path.join(folder, 'late.mp4');
    const sound = ['-f', 'lavfi', '-i', 'sine=d=2'];
    run(maker.path, [
      ...sound,
      '-itsoffset',
      '0.5',
      '-i',
      whole,
      '-map',
      '1:v',
      '-map',
      '0:a',
      '-c:v',
      'copy',
      '-c:a',
      'aac',
      target,
    ]);
    const { frames: shown } = await show(target, binary, [0, 0.3, 0.51, 0.71, 1.5]);
    expect(shown.map(numberIn)).toEqual([0, 0, 0, 5, 25]);
  });

  const lying = rowsFor(build, [['mp4'], ['mkv'], ['avi']], ['avi']);
  test.each(lying)('F57 %s that says ten hours', async (ending) => {
    const encoder = ending === 'avi' ? 'mpeg4' : 'libx264';
    const bytes = readFileSync(makeNumbered(`honest.${ending}`, encoder, '-pix_fmt yuv420p -g 12'));
    sayTenHours(bytes, ending);
    const target = path.join(folder, `lying.${ending}`);
    writeFileSync(target, bytes);
    const { info, frames: shown } = await show(target, binary, [1, 30_000]);
    expect(Math.abs(info.duration - frameCount / 25)).toBeLessThan(0.1);
    expect(info.claimedDuration).toBeGreaterThan(35_000);
    expect(shown.map(numberIn)).toEqual([25, frameCount - 1]);
  });

  const corners = [
    ['red', [255, 0, 0]],
    ['lime', [0, 255, 0]],
    ['blue', [0, 0, 255]],
    ['white', [255, 255, 255]],
  ] as const;
  // Where the four corners (top left, top right, bottom left, bottom right) come from when a picture is turned.
  const turns = [
    ['90', [2, 0, 3, 1], [0, 1, -1, 0]],
    ['180', [3, 2, 1, 0], [-1, 0, 0, -1]],
    ['270', [1, 3, 0, 2], [0, -1, 1, 0]],
  ] as const;
  const turned = rowsFor(build, turns, ['90']);
  test.each(turned)('a rotation mark of %s degrees', async (degrees, from, [a, b, c, d]) => {
    const quarter = (name: string): string[] => [
      '-f',
      'lavfi',
      '-i',
      `color=${name}:s=64x32:r=5:d=0.4`,
    ];
    const upright = path.join(folder, 'corners.mp4');
    if (!existsSync(upright)) {
      run(makerWith('libx264'), [
        ...corners.flatMap(([name]) => quarter(name)),
        ...['-filter_complex', '[0][1]hstack[t];[2][3]hstack[b];[t][b]vstack,format=yuv420p'],
        ...['-c:v', 'libx264', '-crf', '6', upright],
      ]);
    }
    const bytes = readFileSync(upright);
    // The matrix of the track's header: nine numbers, of which the first two rows turn.
    const matrix = bytes.indexOf('tkhd') + 44;
    [a, b, 0, c, d, 0].forEach((value, index) =>
      bytes.writeInt32BE(value * 0x10000, matrix + index * 4),
    );
    const target = path.join(folder, `turned-${degrees}.mp4`);
    writeFileSync(target, bytes);
    const { info, frames: shown } = await show(target, binary, [0]);
    expect([info.width, info.height]).toEqual(degrees === '180' ? [128, 64] : [64, 128]);
    const places = [
      [0.2, 0.2],
      [0.8, 0.2],
      [0.2, 0.8],
      [0.8, 0.8],
    ] as const;
    places.forEach(([x, y], index) => {
      const [name, color] = corners[from[index]!];
      expect(largestDifference(colorAt(shown[0]!, x, y), color), name).toBeLessThan(12);
    });
  });

  const opacities = rowsFor(build, [['vp9'], ['vp8'], ['prores'], ['rle']], ['vp9']);
  test.each(opacities)('opacity of %s', async (codec) => {
    const args = {
      vp9: ['alpha9.webm', 'libvpx-vp9', 'yuva420p'],
      vp8: ['alpha8.webm', 'libvpx', 'yuva420p', '-auto-alt-ref 0'],
      prores: ['alpha.mov', 'prores_ks', 'yuva444p10le', '-profile:v 4'],
      rle: ['alpha-rle.mov', 'qtrle', 'argb'],
    }[codec]!;
    const [file, encoder, pixels, extra] = args;
    const target = path.join(folder, file!);
    if (!existsSync(target)) {
      const shape =
        "format=rgba,geq=r='200':g='100':b='50':a='if(lt(X,32),255,if(lt(X,64),128,0))'";
      run(makerWith(encoder!), [
        ...[
          '-f',
          'lavfi',
          '-i',
          'color=gray:s=96x64:r=5:d=0.6',
          '-vf',
          `${shape},format=${pixels!}`,
        ],
        ...['-c:v', encoder!, ...(extra?.split(' ') ?? []), target],
      ]);
    }
    const { info, frames: shown } = await show(target, binary, [0.2]);
    expect(info.hasAlpha).toBe(true);
    const opacity = [0.15, 0.5, 0.85].map((x) => colorAt(shown[0]!, x, 0.5)[3]!);
    expect(largestDifference(opacity, [255, 128, 0])).toBeLessThanOrEqual(4);
  });
});

/** Overwrites every length in a file's headers. */
function sayTenHours(bytes: Buffer, ending: string): void {
  const hours = 36_000;
  if (ending === 'mp4') {
    for (const [box, scaleAt, lengthAt] of [
      ['mvhd', 16, 20],
      ['mdhd', 16, 20],
    ] as const) {
      const at = bytes.indexOf(box);
      bytes.writeUInt32BE(hours * bytes.readUInt32BE(at + scaleAt), at + lengthAt);
    }
    const movieScale = bytes.readUInt32BE(bytes.indexOf('mvhd') + 16);
    bytes.writeUInt32BE(hours * movieScale, bytes.indexOf('tkhd') + 24);
    bytes.writeUInt32BE(hours * movieScale, bytes.indexOf('elst') + 12);
  } else if (ending === 'mkv') {
    // Duration: ID 0x4489, eight bytes, milliseconds.
    bytes.writeDoubleBE(hours * 1000, bytes.indexOf(Buffer.from([0x44, 0x89, 0x88])) + 3);
  } else {
    bytes.writeUInt32LE(hours * 25, bytes.indexOf('avih') + 24);
    bytes.writeUInt32LE(hours * 25, bytes.indexOf('strh') + 40);
  }
}

describe.each(builds)('colours, read with %s', (build, { path: binary }) => {
  const chart = [
    [0, 0, 0],
    [255, 255, 255],
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
    [255, 255, 0],
    [0, 255, 255],
    [255, 0, 255],
    [200, 100, 50],
    [128, 128, 128],
    [40, 90, 160],
    [16, 16, 16],
    [235, 200, 180],
    [90, 60, 45],
    [70, 140, 60],
    [250, 240, 10],
  ] as const;
  const weights = {
    bt601: [0.299, 0.114],
    bt709: [0.2126, 0.0722],
    bt2020: [0.2627, 0.0593],
  } as const;

  /** A 16-patch chart as raw planes of 4:2:0 in 8 or 10 bit: nothing converts it on the way into the file. */
  function planes(
    colors: readonly (readonly number[])[],
    matrix: keyof typeof weights,
    fullRange: boolean,
    depth: 8 | 10,
  ): Buffer {
    const [kr, kb] = weights[matrix];
    const top = 2 ** depth - 1;
    const scale = 2 ** (depth - 8);
    const stored = colors.map(([r = 0, g = 0, b = 0]) => {
      const luma = kr * r + (1 - kr - kb) * g + kb * b;
      const chroma = [(b - luma) / (2 - 2 * kb), (r - luma) / (2 - 2 * kr)];
      return fullRange
        ? [(luma / 255) * top, ...chroma.map((value) => (value / 255) * top + 128 * scale)]
        : [
            16 * scale + (luma / 255) * 219 * scale,
            ...chroma.map((value) => 128 * scale + (value / 255) * 224 * scale),
          ];
    });
    const samples: number[] = [];
    for (const plane of [0, 1, 2]) {
      const cell = plane === 0 ? 32 : 16;
      for (let y = 0; y < 4 * cell; y++)
        for (let x = 0; x < 4 * cell; x++)
          samples.push(
            Math.round(stored[Math.floor(y / cell) * 4 + Math.floor(x / cell)]![plane]!),
          );
    }
    const values = samples.map((value) => Math.min(top, Math.max(0, value)));
    return depth === 8 ? Buffer.from(values) : Buffer.from(Uint16Array.from(values).buffer);
  }

  function makeChart(file: string, raw: Buffer, depth: 8 | 10, marks: string): string {
    const target = path.join(folder, file);
    if (existsSync(target)) return target;
    const input = Buffer.concat([raw, raw, raw]);
    const pixels = depth === 8 ? 'yuv420p' : 'yuv420p10le';
    run(
      makerWith('libx264'),
      `-f rawvideo -pix_fmt ${pixels} -s 128x128 -r 25 -i pipe:0 ${marks} -c:v libx264 -qp 1 -pix_fmt ${pixels} ${target}`.split(
        / +/,
      ),
      input,
    );
    return target;
  }

  const patches = (frame: DecodedFrame): number[][] =>
    chart.map((_, index) =>
      colorAt(frame, ((index % 4) + 0.5) / 4, (Math.floor(index / 4) + 0.5) / 4).slice(0, 3),
    );

  const charts = [
    ['BT.601', 'bt601', false, 8, '-colorspace smpte170m'],
    ['BT.601 unmarked', 'bt601', false, 8, ''],
    ['BT.709', 'bt709', false, 8, '-colorspace bt709 -color_primaries bt709 -color_trc bt709'],
    ['BT.709 full range', 'bt709', true, 8, '-colorspace bt709 -color_range pc'],
    ['BT.601 full range', 'bt601', true, 8, '-colorspace smpte170m -color_range pc'],
    ['BT.709 with 10 bit', 'bt709', false, 10, '-colorspace bt709'],
    ['BT.2020 matrix, standard range', 'bt2020', false, 10, '-colorspace bt2020nc'],
  ] as const;
  const chartsOfVersions = [
    'BT.601 unmarked',
    'BT.709 full range',
    'BT.2020 matrix, standard range',
  ];
  test.each(rowsFor(build, charts, chartsOfVersions))(
    '%s: a chart comes back within 3 levels',
    async (name, matrix, fullRange, depth, marks) => {
      const file = `${name.replace(/\W/g, '-')}.mp4`;
      const target = makeChart(file, planes(chart, matrix, fullRange, depth), depth, marks);
      for (const size of [undefined, [60, 60]] as const) {
        const { frames: shown, warnings } = await show(target, binary, [0.04], size);
        const off = patches(shown[0]!).map((color, index) =>
          largestDifference(color, chart[index]!),
        );
        expect(Math.max(...off), `${off.join()} at ${String(size)}`).toBeLessThanOrEqual(3);
        expect(warnings).toEqual([]);
      }
    },
  );

  const others = [
    ['Display P3', 'p3', 'bt709', '-colorspace bt709 -color_primaries smpte432'],
    ['BT.2020', 'bt2020', 'bt2020', '-colorspace bt2020nc -color_primaries bt2020'],
  ] as const;
  test.each(rowsFor(build, others, ['Display P3']))(
    'B6: primaries of %s are obeyed',
    async (_, primaries, matrix, marks) => {
      const curve = '-color_trc iec61966-2-1';
      const raw = planes(chart, matrix, false, 10);
      const target = makeChart(`${primaries}.mp4`, raw, 10, `${marks} ${curve}`);
      for (const size of [undefined, [60, 60]] as const) {
        const { info, frames: shown, warnings } = await show(target, binary, [0.04], size);
        expect([info.picture?.primaries, info.picture?.hdr]).toEqual([primaries, undefined]);
        const off = patches(shown[0]!).map((color, index) =>
          largestDifference(color, inStandard(chart[index]!, { primaries })),
        );
        expect(Math.max(...off), off.map(Math.round).join()).toBeLessThanOrEqual(2);
        expect(warnings).toEqual([]);
      }
    },
  );
  test('red of Display P3 is red', () => {
    expect(inStandard([234, 51, 35], { primaries: 'p3' }).map(Math.round)).toEqual([255, 0, 0]);
  });

  /** What files say of their colours; the mark of a range, the matrix, the pixels, and the lines. */
  const grays = [
    ['BT.601', 'tv', 'smpte170m', 'yuv420p', 128],
    ['BT.601 of PAL', 'tv', 'bt470bg', 'yuv422p', 128],
    ['unmarked', 'tv', '', 'yuv420p', 128],
    ['unmarked, high', 'tv', '', 'yuv420p', 960],
    ['full range', 'pc', 'bt470bg', 'yuv420p', 128],
    ['full range, BT.709', 'pc', 'bt709', 'yuv422p', 128],
    ['BT.709', 'tv', 'bt709', 'yuv444p', 128],
    ['BT.709 with 10 bit', 'tv', 'bt709', 'yuv420p10le', 128],
    ['BT.2020', 'tv', 'bt2020nc', 'yuv420p10le', 128],
    ['gray', 'pc', '', 'gray', 128],
    ['gray, limited', 'tv', '', 'gray', 128],
  ] as const;
  test.each(rowsFor(build, grays, ['BT.601', 'gray, limited']))(
    'B6: white, gray and black of %s stay, for painting and for the encoder',
    async (name, range, mark, pixels, lines) => {
      const deep = pixels.endsWith('10le') ? 4 : 1;
      const [low, high] = range === 'pc' ? [0, 255] : [16, 235];
      const levels = [low, (low + high) / 2, high].map((level) => Math.round(level * deep));
      const luma = levels.flatMap((level) => Array<number>(lines * (lines / 4)).fill(level));
      const share = { gray: 0, yuv444p: 2, yuv422p: 1 }[pixels as string] ?? 0.5;
      const colors = Array<number>(luma.length * share).fill(128 * deep);
      const values = [...luma, ...colors];
      const raw = deep === 1 ? Buffer.from(values) : Buffer.from(Uint16Array.from(values).buffer);
      const target = path.join(folder, `gray-${name.replace(/\W/g, '-')}.mkv`);
      const size = `${lines}x${(lines * 3) / 4}`;
      const marks = [...(mark === '' ? [] : ['-colorspace', mark]), '-color_range', range];
      if (!existsSync(target))
        run(
          maker.path,
          `-f rawvideo -pix_fmt ${pixels} -s ${size} -r 25 -i pipe:0 -c:v ffv1 -pix_fmt ${pixels}`
            .split(' ')
            .concat(marks, target),
          raw,
        );
      const { frames: painted } = await show(target, binary, [0]);
      const seen = [1, 3, 5].flatMap((y) => colorAt(painted[0]!, 0.5, y / 6).slice(0, 3));
      const wanted = [0, 0, 0, 128, 128, 128, 255, 255, 255];
      expect(largestDifference(seen, wanted), seen.join()).toBeLessThanOrEqual(1);
      if (pixels === 'gray') return;
      const { across, down, bytes } = await planesOf(target, binary);
      const block = (y: number, plane: 0 | 0.25): number =>
        across * down * (1 + plane) + Math.floor((y * down) / 2) * (across / 2) + across / 4;
      const coded = [1 / 6, 0.5, 5 / 6].flatMap((y) => [
        bytes[Math.floor(y * down) * across + across / 2]!,
        bytes[block(y, 0)]!,
        bytes[block(y, 0.25)]!,
      ]);
      const given = [16, 128, 128, 126, 128, 128, 235, 128, 128];
      expect(largestDifference(coded, given), coded.join()).toBeLessThanOrEqual(1);
      // White most of all: it meets the white of shapes.
      expect(coded.slice(6)).toEqual([235, 128, 128]);
    },
  );

  const curves = [
    ['PQ', 'pq', 'smpte2084'],
    ['HLG', 'hlg', 'arib-std-b67'],
  ] as const;
  test.each(rowsFor(build, curves, ['HLG']))(
    'B6: high dynamic range, %s: standard colours, and a warning',
    async (name, curve, mark) => {
      // Signals of the file: what a phone records lies in the lower three quarters.
      const signals = chart.map((color) => color.map((value) => value * 0.7));
      const target = makeChart(
        `${curve}.mp4`,
        planes(signals, 'bt2020', false, 10),
        10,
        `-colorspace bt2020nc -color_primaries bt2020 -color_trc ${mark}`,
      );
      const { info, frames: shown, warnings } = await show(target, binary, [0.04]);
      const kind = { hdr: curve, primaries: 'bt2020' } as const;
      expect(info.picture).toMatchObject(kind);
      const wanted = signals.map((signal) => inStandard(signal, kind));
      const off = patches(shown[0]!).map((color, index) =>
        largestDifference(color, wanted[index]!),
      );
      expect(Math.max(...off), off.map(Math.round).join()).toBeLessThanOrEqual(2);
      expect(warnings.map(({ code, message }) => [code, message])).toEqual([
        [
          'hdr_converted',
          `The video has high dynamic range (${name}); its colours are brought to the standard range`,
        ],
      ]);
    },
  );
});

/** A file's first frame as the encoder takes it. */
async function planesOf(
  file: string,
  binary: string,
): Promise<{ across: number; down: number; bytes: Uint8Array }> {
  const ffmpeg = await findFfmpeg(binary);
  const info = await probeFile(file, ffmpeg);
  const { width: across, height: down } = info;
  const media: MediaFile = { source: 'clip', path: file, info, element: 'Clip', place: 'source' };
  const signal = new AbortController().signal;
  const book = new VideoBook({ assets: { media: new Map([['clip', media]]) }, ffmpeg, signal });
  const request = { elementPath: 'e', source: 'clip', time: 0, step: 1, width: across };
  await book.prepare([{ ...request, height: down, pixels: 'yuv420p' }]);
  const bytes = Uint8Array.from(book.planarFrame('e')!.planes);
  await book.close();
  return { across, down, bytes };
}

/** A colour of another kind as the output shows it, by the formulas. */
function inStandard(signal: readonly number[], kind: WideColors): number[] {
  return standardColor(
    signal.map((value) => value / 255),
    kind,
  ).map((value) => value * 255);
}

test('tone mapping: white stays white, gray stays gray, the order of brightness stays', () => {
  for (const curve of ['pq', 'hlg'] as const) {
    const grays = Array.from({ length: 101 }, (_, index) => {
      const signal = index / 100;
      return standardColor([signal, signal, signal], { hdr: curve, primaries: 'bt2020' });
    });
    for (const [r, g, b] of grays)
      expect(Math.max(r, g, b) - Math.min(r, g, b)).toBeLessThan(0.002);
    const levels = grays.map(([, g]) => g);
    expect(levels).toEqual(levels.toSorted((a, b) => a - b));
    expect([levels[0], levels[100]]).toEqual([0, 1]);
  }
  // ITU-R BT.2408: diffuse white is 58 % of PQ and 75 % of HLG, a gray card 38 % of both.
  const gray = (level: number, hdr: 'pq' | 'hlg'): number =>
    standardColor([level, level, level], { hdr, primaries: 'bt2020' })[1] * 255;
  expect(gray(0.58, 'pq')).toBeGreaterThan(215);
  expect(gray(0.75, 'hlg')).toBeGreaterThan(215);
  expect(gray(0.38, 'pq')).toBeCloseTo(108, -1);
});

describe.each(builds)('frames of two fields, read with %s', (build, { path: binary }) => {
  /** A bar that moves 4 pixels from field to field, in the order that the first letter says. */
  function makeFields(file: string, isTopFirst: boolean, coding: string): string {
    const target = path.join(folder, file);
    if (existsSync(target)) return target;
    const [across, down] = [64, 48];
    const frames = Array.from({ length: 12 }, (_, frame) =>
      Buffer.from(
        Uint8Array.from({ length: across * down }, (_unused, at) => {
          const isTopLine = Math.floor(at / across) % 2 === 0;
          const field = frame * 2 + (isTopLine === isTopFirst ? 0 : 1);
          const left = 4 + field * 2;
          return at % across >= left && at % across < left + 12 ? 235 : 16;
        }),
      ),
    );
    const blank = Buffer.alloc((across * down) / 2, 128);
    run(
      maker.path,
      `-f rawvideo -pix_fmt yuv420p -s ${across}x${down} -r 25 -i pipe:0 -vf setfield=${isTopFirst ? 'tff' : 'bff'} ${coding} -flags +ildct+ilme ${target}`.split(
        ' ',
      ),
      Buffer.concat(frames.flatMap((frame) => [frame, blank])),
    );
    return target;
  }

  const codings = [
    ['H.264 in mp4', 'mp4', '-c:v libx264 -qp 4 -x264opts', 'tff=1', 'bff=1'],
    ['MPEG-2 in ts', 'ts', '-c:v mpeg2video -q:v 2 -top', '1', '0'],
  ] as const;
  const orders = codings.flatMap(([name, ending, coding, top, bottom]) => [
    [`${name}, top first`, `top.${ending}`, true, `${coding} ${top}`] as const,
    [`${name}, bottom first`, `bottom.${ending}`, false, `${coding} ${bottom}`] as const,
  ]);
  test.each(rowsFor(build, orders, ['H.264 in mp4, bottom first']))(
    'B6: %s: neighbouring lines show one moment',
    async (_, file, isTopFirst, coding) => {
      const target = makeFields(file, isTopFirst, coding);
      const { info, frames: shown } = await show(target, binary, [0.12, 0.16, 0.2]);
      expect(info.picture?.codec).toMatch(/h264|mpeg2video/);
      for (const { rgba } of shown) {
        const lines = Array.from({ length: 40 }, (_unused, line) => {
          const row = Array.from({ length: 64 }, (_none, x) => rgba[((line + 4) * 64 + x) * 4]!);
          return row.findIndex((value) => value > 128);
        });
        const steps = lines.slice(1).map((left, line) => Math.abs(left - lines[line]!));
        // Two fields are 2 pixels apart.
        expect(Math.max(...steps), lines.join()).toBeLessThanOrEqual(1);
      }
    },
  );
});
