/** Films by encoders of hardware: choice, trial and way back, with a stand-in for an ffmpeg that has some. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { filmArguments, overlayArguments } from '../../server/engine/encode/arguments.ts';
import { filmCoding } from '../../server/engine/encode/film-formats.ts';
import { hardwareCoding } from '../../server/engine/encode/hardware.ts';
import {
  driverPrint,
  tryFamilies,
  tryHardware,
} from '../../server/engine/encode/hardware-trial.ts';
import { findFfmpeg } from '../../server/engine/ffmpeg.ts';
import type { RenderJob, RenderResult } from '../../server/engine/render-job.ts';
import type { Receipt } from '../../shared/api/receipt.ts';
import { hardwareFamilies, type HardwareFamily } from '../../shared/hardware.ts';
import { hardwareLimits } from '../../shared/limits.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import { renderInto } from '../helpers/engine.ts';
import {
  hardwareFfmpeg,
  type HardwareFfmpeg,
  type HardwareMode,
} from '../helpers/hardware-ffmpeg.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'framewright-hardware-'));
afterAll(() => rmSync(folder, { recursive: true }));
const [usualFrame, usualTrial] = [hardwareLimits.frameTime, hardwareLimits.trialTime];
afterEach(() => Object.assign(hardwareLimits, { frameTime: usualFrame, trialTime: usualTrial }));

const shape = {
  ...{ type: 'shape', width: '50%', height: '50%', fill_color: '#f60' },
  animations: [{ type: 'spin' }],
};
const film = { output_format: 'mp4', width: 320, height: 256, frame_rate: 25, duration: 2 };
const spinning: Source = { ...film, elements: [shape] };

let standIn: HardwareFfmpeg;
/** Each test has a folder of its own, and so trials of its own. */
let own: string;
let count = 0;
beforeEach(async () => {
  own = path.join(folder, String(count++));
  mkdirSync(own);
  standIn = await hardwareFfmpeg(own, ['nvenc', 'vaapi', 'qsv', 'amf']);
});

const receiptPath = (name: string): string => path.join(own, `${name}.json`);
const make = (
  name: string,
  encodeWith: HardwareFamily | undefined,
  source: Source = spinning,
  changes: Partial<RenderJob> = {},
): Promise<RenderResult> =>
  renderInto(own, name, source, {
    ...{ ffmpegPath: standIn.path, encodeWith, receiptPath: receiptPath(name), ...changes },
  });
const bytesOf = (name: string): Buffer => readFileSync(path.join(own, name));
const receiptOf = (name: string): Receipt =>
  JSON.parse(readFileSync(receiptPath(name), 'utf8')) as Receipt;

describe('arguments', () => {
  const output = {
    format: 'mp4',
    width: 640,
    height: 360,
    frameRate: 25,
    frameCount: 50,
    crf: 23,
    gifQuality: 'fast',
    gifCompression: 0,
    gifLoop: true,
    loudness: null,
  } as const;
  const files = { soundPath: null, filePath: 'out.mp4' };

  test.each([
    ['nvenc', 'h264', ['-c:v h264_nvenc -rc vbr -cq 23 -b:v 0 -pix_fmt yuv420p']],
    ['nvenc', 'hevc', ['-c:v hevc_nvenc -rc vbr -cq 26', '-tag:v hvc1']],
    ['qsv', 'h264', ['-c:v h264_qsv -global_quality 23 -pix_fmt nv12']],
    ['amf', 'h264', ['-c:v h264_amf -rc cqp -qp_i 23 -qp_p 23 -pix_fmt nv12']],
    ['videotoolbox', 'hevc', ['-c:v hevc_videotoolbox -q:v 60 -pix_fmt nv12', '-tag:v hvc1']],
    ['vaapi', 'h264', ['-vf format=nv12,hwupload', '-c:v h264_vaapi -qp 23 -g']],
  ] as const)('%s of %s', async (family, codec, parts) => {
    const ffmpeg = await findFfmpeg(undefined);
    const software = filmCoding({ format: 'mp4', videoCodec: codec });
    const device = family === 'vaapi' ? '/dev/dri/renderD129' : null;
    const coding = hardwareCoding(software, { family, codec, device });
    const film = { ...output, videoCodec: codec };
    const args = filmArguments(ffmpeg, film, coding, files).join(' ');
    for (const part of parts) expect(args).toContain(part);
    expect(args).not.toMatch(/libx26/);
    // The device is named before all inputs, and its filters come after all others.
    const overlay = { input: ['-i', 'v'], filters: [], changes: [], area: null, parts: [] };
    const alone = overlayArguments(ffmpeg, film, coding, overlay, files).join(' ');
    expect(alone.includes(';[film]format=nv12,hwupload[there] -map [there]')).toBe(device !== null);
    for (const each of [args, alone])
      expect(/-vaapi_device \S+renderD129 .*-i /.test(each)).toBe(device !== null);
  });
});

describe('choice', { timeout: 120_000 }, () => {
  test('software is as it was: no trial, and the same bytes as with an ffmpeg without hardware', async () => {
    const made = await make('a.mp4', undefined);
    await make('b.mp4', undefined, spinning, { ffmpegPath: undefined });
    expect(bytesOf('a.mp4').equals(bytesOf('b.mp4'))).toBe(true);
    expect([made.encoder, made.hardwareFault, standIn.asked()]).toEqual([undefined, undefined, []]);
    expect(receiptOf('a.mp4').build.encoder).toBeUndefined();
  });

  test.each(['nvenc', 'vaapi', 'qsv', 'amf'] as const)(
    '%s codes the film, and its receipt says so',
    async (family) => {
      const made = await make('a.mp4', family);
      expect(made).toMatchObject({ encoder: `h264_${family}`, warnings: [] });
      expect(made.facts).toMatchObject({ width: 320, height: 256, duration: 2, frameRate: 25 });
      expect(receiptOf('a.mp4')).toMatchObject({
        build: { encoder: `h264_${family}` },
        pieces: 'none',
      });
      // Once for the trial, which the next film knows, and once for each film.
      expect(standIn.asked()).toHaveLength(2);
      await make('b.mp4', family);
      expect(standIn.asked()).toHaveLength(1);
    },
  );

  test('hevc has a trial of its own; other formats and films of several workers stay software', async () => {
    const hevc = await make('a.mp4', 'nvenc', { ...spinning, video_codec: 'hevc' });
    expect(hevc.encoder).toBe('hevc_nvenc');
    expect(standIn.asked().every((line) => line.includes('hevc_nvenc'))).toBe(true);
    const others: [string, Source, Partial<RenderJob>?][] = [
      ['a.webm', { ...spinning, output_format: 'webm' }],
      ['a.gif', { ...spinning, output_format: 'gif', frame_rate: 10 }],
      ['divided.mp4', spinning, { isDivided: true }],
    ];
    for (const [name, source, changes] of others)
      expect((await make(name, 'nvenc', source, changes)).encoder).toBeUndefined();
    expect(standIn.asked()).toEqual([]);
  });

  test('one ffmpeg makes a film of a video, through the filters of the device', async () => {
    const video = { type: 'video', source: 'clip.mp4' };
    const own = { ...film, width: 640, height: 360, duration: 1 };
    await make('clip.mp4', undefined, { ...own, elements: [shape] });
    const made = await make('a.mp4', 'vaapi', { ...own, elements: [video] });
    expect(made.encoder).toBe('h264_vaapi');
    const last = standIn.asked().at(-1);
    expect(last).toContain('hwupload[there]');
  });
});

describe('trial', { timeout: 120_000 }, () => {
  const place = (): Parameters<typeof tryHardware>[2] => ({
    ...{ cacheFolder: path.join(own, 'cache'), workFolder: own },
    signal: new AbortController().signal,
  });
  const nvenc = { family: 'nvenc', codec: 'h264', width: 1920, height: 1080 } as const;

  test.each<[HardwareMode, RegExp | null]>([
    ['works', null],
    ['closed', /^Cannot load libcuda\.so\.1$/],
    ['dies', /^EncodePicture failed!$/],
    ['broken', /expected a complete mp4, found a damaged one/],
    ['wrong', /^its film shows another picture$/],
  ])('%s', async (mode, reason) => {
    standIn.mode(mode);
    const found = await tryHardware(await findFfmpeg(standIn.path), nvenc, place());
    if (reason)
      expect(found).toMatchObject({
        hardware: null,
        reason: expect.stringMatching(reason) as unknown,
      });
    else expect(found.hardware).toEqual({ family: 'nvenc', codec: 'h264', device: null });
  });

  test('one that hangs is ended', async () => {
    Object.assign(hardwareLimits, { trialTime: 1_500 });
    standIn.mode('hangs');
    const { reason } = await tryHardware(await findFfmpeg(standIn.path), nvenc, place());
    expect(reason).toBe('it coded no second within 1.5 s');
  });

  test('is kept until ffmpeg is another, or it is asked for; another size has its own', async () => {
    const ffmpeg = await findFfmpeg(standIn.path);
    standIn.mode('closed');
    for (let times = 0; times < 2; times++) await tryHardware(ffmpeg, nvenc, place());
    expect(standIn.asked()).toHaveLength(1);
    standIn.mode('works');
    expect((await tryHardware(ffmpeg, nvenc, place())).hardware).toBeNull();
    expect((await tryHardware(ffmpeg, nvenc, place(), true)).hardware).not.toBeNull();
    expect(standIn.asked()).toHaveLength(1);
    await tryHardware(ffmpeg, { ...nvenc, width: 2560 }, place());
    expect(standIn.asked()).toEqual([expect.stringContaining('-video_size 2560x1080')]);
    standIn.touch();
    await tryHardware(ffmpeg, nvenc, place());
    expect(standIn.asked()).toHaveLength(1);
    writeFileSync(path.join(place().cacheFolder, 'hardware.json'), '{"print":');
    await tryHardware(ffmpeg, nvenc, place());
    expect(standIn.asked()).toHaveLength(1);
  });

  test('only families that ffmpeg lists for this system are tried', async () => {
    const few = await hardwareFfmpeg(own, ['videotoolbox', 'qsv']);
    const ffmpeg = await findFfmpeg(few.path);
    const all = await tryFamilies(ffmpeg, null, place());
    const named = await tryFamilies(ffmpeg, 'nvenc', place());
    expect(all.map(({ family }) => family)).toEqual(
      hardwareFamilies.filter(
        (family) =>
          ['videotoolbox', 'qsv'].includes(family) &&
          family !== (process.platform === 'darwin' ? 'qsv' : 'videotoolbox'),
      ),
    );
    expect(named[0]?.codecs[0]?.reason).toBe(`${few.path} has no h264_nvenc here`);
  });

  test('a driver of another version, and another card, are told apart', async () => {
    const root = path.join(own, 'root');
    const write = (file: string, text: string): void => {
      mkdirSync(path.dirname(root + file), { recursive: true });
      writeFileSync(root + file, text);
    };
    const prints = [await driverPrint(root, 'linux')];
    write('/proc/driver/nvidia/version', 'NVRM version: 550.54');
    prints.push(await driverPrint(root, 'linux'));
    write('/proc/driver/nvidia/version', 'NVRM version: 550.90');
    prints.push(await driverPrint(root, 'linux'));
    expect(await driverPrint(root, 'linux')).toBe(prints[2]);
    write('/dev/dri/renderD128', '');
    prints.push(await driverPrint(root, 'linux'));
    write('/dev/dri/renderD129', '');
    prints.push(await driverPrint(root, 'linux'));
    expect(new Set(prints).size).toBe(prints.length);
  });
});

describe('way back', { timeout: 120_000 }, () => {
  test.each<HardwareMode>(['closed', 'dies', 'hangs', 'broken'])(
    'an encoder that passed, and then %s: the film is that of software, and says why',
    async (mode) => {
      await make('software.mp4', undefined);
      expect((await make('first.mp4', 'nvenc')).encoder).toBe('h264_nvenc');
      standIn.mode(mode);
      if (mode === 'hangs') Object.assign(hardwareLimits, { frameTime: 1_000 });
      const made = await make('again.mp4', 'nvenc');
      expect(made.encoder).toBeUndefined();
      expect(made.hardwareFault).toMatchObject({ encoder: 'h264_nvenc' });
      const { reason = '' } = made.hardwareFault ?? {};
      expect(made.warnings).toEqual([
        expect.objectContaining({
          code: 'hardware_failed',
          message: expect.stringContaining(reason) as unknown,
        }),
      ]);
      expect(bytesOf('again.mp4').equals(bytesOf('software.mp4'))).toBe(true);
      expect(receiptOf('again.mp4').file.digest).toBe(receiptOf('software.mp4').file.digest);
      // It is not asked again until it is tried again.
      standIn.asked();
      standIn.mode('works');
      Object.assign(hardwareLimits, { frameTime: usualFrame });
      expect((await make('later.mp4', 'nvenc')).hardwareFault).toEqual(made.hardwareFault);
      expect(standIn.asked()).toEqual([]);
      standIn.touch();
      expect((await make('last.mp4', 'nvenc')).encoder).toBe('h264_nvenc');
    },
  );

  test('a film of one ffmpeg comes back, too', async () => {
    const size = { ...film, width: 640, height: 360, duration: 1 };
    await make('clip.mp4', undefined, { ...size, elements: [shape] });
    const source = { ...size, elements: [{ type: 'video', source: 'clip.mp4' }] };
    await make('software.mp4', undefined, source);
    await make('first.mp4', 'nvenc', source);
    standIn.mode('dies');
    const made = await make('again.mp4', 'nvenc', source);
    expect(made.hardwareFault?.reason).toContain('EncodePicture failed!');
    expect(bytesOf('again.mp4').equals(bytesOf('software.mp4'))).toBe(true);
  });
});
