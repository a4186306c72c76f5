/**
 * Whether an encoder of hardware works: it codes a second of a test picture, as it would code a film, and the file is
 * checked. What came of it is kept until ffmpeg or a driver changes. Runs in the worker, and for `framewright doctor`.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { RenderError } from '../../../shared/engine/errors.ts';
import {
  encoderName,
  hardwareCodecs,
  hardwareFamilies,
  type HardwareCodec,
  type HardwareFamily,
} from '../../../shared/hardware.ts';
import { hardwareLimits } from '../../../shared/limits.ts';
import type { OutputSettings } from '../../../shared/engine/compile/timeline.ts';
import { parseJson } from '../../../shared/json.ts';
import { renameOver } from '../../system/files.ts';
import { startFfmpeg, type Ffmpeg } from '../ffmpeg.ts';
import { planesArguments } from './arguments.ts';
import { framesInFlight, openEncoder } from './encoder.ts';
import { families, type Hardware } from './hardware.ts';

/** An encoder, and the size of what it shall code. */
export interface Wanted {
  readonly family: HardwareFamily;
  readonly codec: HardwareCodec;
  readonly width: number;
  readonly height: number;
}

/** What came of a trial: it works, or why not, in words. */
export type Trial =
  | { readonly hardware: Hardware; readonly reason: null }
  | { readonly hardware: null; readonly reason: string };

/** Where trials are made and kept. */
export interface TrialPlace {
  readonly cacheFolder: string;
  readonly workFolder: string;
  readonly signal: AbortSignal;
}

const kept = z.object({
  /** What all of it follows from; see `printOf`. */
  print: z.string(),
  /** By encoder and size. */
  trials: z.record(
    z.string(),
    z.object({ device: z.string().nullable(), reason: z.string().nullable() }),
  ),
});
type Kept = z.infer<typeof kept>;

/** Films of usual sizes are tried with a small picture; what else a card may refuse, in its own size. */
const usual = { width: 640, height: 360, least: 256, most: 2048 };
/** So many sizes are remembered. */
const mostKept = 100;

const keptIn = (cacheFolder: string): string => path.join(cacheFolder, 'hardware.json');

/** What is known of an encoder, or what a trial says now. @param again Tries it whatever is known. */
export async function tryHardware(
  ffmpeg: Ffmpeg,
  wanted: Wanted,
  place: TrialPlace,
  again = false,
): Promise<Trial> {
  const { family, codec } = wanted;
  const encoder = encoderName(codec, family);
  if (ffmpeg.encoders?.has(encoder) === false || !isHere(family))
    return { hardware: null, reason: `${ffmpeg.path} has no ${encoder} here` };
  const known = again ? undefined : (await readKept(ffmpeg, place)).trials[nameOf(wanted)];
  const { device, reason } = known ?? (await tryDevices(ffmpeg, wanted, place));
  if (!known) await keep(ffmpeg, wanted, place, { device, reason });
  return reason === null
    ? { hardware: { family, codec, device }, reason }
    : { hardware: null, reason };
}

/** Remembers that an encoder failed with a film, until it is tried again. */
export function noteFault(
  ffmpeg: Ffmpeg,
  wanted: Wanted,
  place: TrialPlace,
  reason: string,
): Promise<void> {
  return keep(ffmpeg, wanted, place, { device: null, reason });
}

/** What came of a family's trials. */
export interface FamilyTrial {
  readonly family: HardwareFamily;
  readonly codecs: { codec: HardwareCodec; reason: string | null }[];
}

/** Tries one family, or all that an ffmpeg lists, one after the other. */
export async function tryFamilies(
  ffmpeg: Ffmpeg,
  family: HardwareFamily | null,
  place: TrialPlace,
  again = false,
): Promise<FamilyTrial[]> {
  const isListed = (one: HardwareFamily): boolean =>
    isHere(one) &&
    hardwareCodecs.some((codec) => ffmpeg.encoders?.has(encoderName(codec, one)) === true);
  const found: FamilyTrial[] = [];
  for (const one of family === null ? hardwareFamilies.filter(isListed) : [family]) {
    const codecs: FamilyTrial['codecs'] = [];
    for (const codec of hardwareCodecs) {
      const { reason } = await tryHardware(ffmpeg, { family: one, codec, ...usual }, place, again);
      codecs.push({ codec, reason });
    }
    found.push({ family: one, codecs });
  }
  return found;
}

function isHere(family: HardwareFamily): boolean {
  return families[family].platforms.includes(process.platform);
}

function sizeOf({ width, height }: Wanted): { width: number; height: number } {
  const isUsual = [width, height].every((side) => side >= usual.least && side <= usual.most);
  return isUsual ? { width: usual.width, height: usual.height } : { width, height };
}

function nameOf(wanted: Wanted): string {
  const { width, height } = sizeOf(wanted);
  return `${encoderName(wanted.codec, wanted.family)} ${width}x${height}`;
}

async function tryDevices(
  ffmpeg: Ffmpeg,
  wanted: Wanted,
  place: TrialPlace,
): Promise<Kept['trials'][string]> {
  const devices: readonly (string | null)[] = (await families[wanted.family].devices?.()) ?? [null];
  const reasons: string[] = [];
  for (const device of devices) {
    const reason = await faultOf(ffmpeg, wanted, device, place);
    if (reason === null) return { device, reason };
    reasons.push(reason);
  }
  return { device: null, reason: [...new Set(reasons)].join('; ') };
}

/** Codes a second. @returns why that fails, in words; null: it works. @throws RenderError `cancelled` */
async function faultOf(
  ffmpeg: Ffmpeg,
  wanted: Wanted,
  device: string | null,
  { workFolder, signal }: TrialPlace,
): Promise<string | null> {
  const { family, codec } = wanted;
  const output: OutputSettings = {
    ...sizeOf(wanted),
    ...{ format: 'mp4', videoCodec: codec, frameRate: 25, frameCount: 25, crf: 23 },
    ...{ gifQuality: 'fast', gifCompression: 0, gifLoop: true, loudness: null },
  };
  const filePath = path.join(workFolder, `trial-${encoderName(codec, family)}.mp4`);
  const late = AbortSignal.timeout(hardwareLimits.trialTime);
  try {
    const pictures = Array.from({ length: framesInFlight + 1 }, (_, at) => testPicture(output, at));
    await using sink = await openEncoder({
      ...{ ffmpeg, output, filePath, workFolder, sound: null },
      hardware: { family, codec, device },
      signal: AbortSignal.any([signal, late]),
    });
    for (let at = 0; at < output.frameCount; at++)
      await sink.pass(pictures[at % pictures.length] ?? Buffer.alloc(0));
    await sink.finish();
    const last = pictures[(output.frameCount - 1) % pictures.length] ?? Buffer.alloc(0);
    const shown = await lastPicture(ffmpeg, output, filePath, workFolder);
    return differenceOf(last, shown) <= mostDifference ? null : 'its film shows another picture';
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) return `it coded no second within ${hardwareLimits.trialTime / 1_000} s`;
    return reasonOf(error, encoderName(codec, family));
  } finally {
    await rm(filePath, { force: true });
  }
}

/** Why an encoder failed: its own first line, or that of another part of ffmpeg, or what the failure says. */
export function reasonOf(error: unknown, encoder: string): string {
  if (!(error instanceof RenderError)) throw error;
  const lines = typeof error.cause === 'string' ? error.cause : '';
  const said = [encoder, String.raw`\w+`].map(
    (part) => new RegExp(String.raw`^\[${part} @ \w+\] (.+)$`, 'm').exec(lines)?.[1],
  );
  return (said[0] ?? said[1] ?? error.message).replace(/^Render error: |\.$/g, '').slice(0, 300);
}

/** Planes of a picture with edges, slopes and colours. @param at Its number: it moves. */
function testPicture({ width, height }: OutputSettings, at: number): Uint8Array {
  const planes = new Uint8Array(width * height * 1.5);
  let place = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      planes[place++] = (((x >> 5) + (y >> 5) + at) & 1) * 60 + 40 + Math.floor((x * 110) / width);
  for (const slope of [width, height])
    for (let y = 0; y < height / 2; y++)
      for (let x = 0; x < width / 2; x++)
        planes[place++] = 64 + Math.floor(((slope === width ? x : y) * 256) / slope);
  return planes;
}

/** The last picture of a trial's film, as planes; shorter if it can't be decoded. */
async function lastPicture(
  ffmpeg: Ffmpeg,
  { frameCount }: OutputSettings,
  filePath: string,
  cwd: string,
): Promise<Uint8Array> {
  const { stdout, finished } = startFfmpeg(ffmpeg, planesArguments(filePath, frameCount - 1), {
    cwd,
    stdout: true,
    deadline: hardwareLimits.trialTime,
  });
  const chunks: Buffer[] = [];
  stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  await finished;
  return Buffer.concat(chunks);
}

/** Mean levels by which a coded picture may be off: a good one is off by two. */
const mostDifference = 12;

function differenceOf(one: Uint8Array, other: Uint8Array): number {
  if (one.length !== other.length) return Infinity;
  let sum = 0;
  for (const [at, value] of one.entries()) sum += Math.abs(value - (other[at] ?? 0));
  return sum / one.length;
}

async function readKept(ffmpeg: Ffmpeg, { cacheFolder }: TrialPlace): Promise<Kept> {
  const print = await printOf(ffmpeg);
  const text = await readFile(keptIn(cacheFolder), 'utf8').catch(() => '');
  const found = kept.safeParse(valueIn(text)).data;
  return found?.print === print ? found : { print, trials: {} };
}

/** Null: nothing is kept, or not whole. */
function valueIn(text: string): unknown {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : null;
}

/** Never rejects because of the disk: what is not kept is tried again. */
async function keep(
  ffmpeg: Ffmpeg,
  wanted: Wanted,
  place: TrialPlace,
  trial: Kept['trials'][string],
): Promise<void> {
  const { print, trials } = await readKept(ffmpeg, place);
  const all = Object.entries({ ...trials, [nameOf(wanted)]: trial }).slice(-mostKept);
  const file = keptIn(place.cacheFolder);
  const part = `${file}.${process.pid}.part`;
  try {
    await mkdir(place.cacheFolder, { recursive: true });
    await writeFile(part, JSON.stringify({ print, trials: Object.fromEntries(all) }));
    await renameOver(part, file);
  } catch {
    await rm(part, { force: true }).catch(() => undefined);
  }
}

/** What tells drivers and cards apart: a file with the version in it, the names in a folder, the stamp of a file. */
const driverPlaces: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: [
    ...['/proc/driver/nvidia/version', '/dev/dri', '/dev/nvidia0'],
    ...['/usr/lib/x86_64-linux-gnu/dri', '/usr/lib/aarch64-linux-gnu/dri', '/usr/lib64/dri'],
  ],
  win32: ['nvEncodeAPI64.dll', 'amfrt64.dll', 'libmfxhw64.dll', 'libmfx64-gen.dll'].map(
    (name) => `C:\\Windows\\System32\\${name}`,
  ),
};

/** What a trial follows from: the program, the system, the drivers. Cheap: no program is started. */
async function printOf({ path: file, major, minor }: Ffmpeg): Promise<string> {
  const hash = createHash('sha256').update([file, major, minor, os.release(), os.version()].join());
  hash.update(await stampOf(file));
  return hash.update(await driverPrint()).digest('hex');
}

/** The drivers' part of it. @param root For tests. */
export async function driverPrint(root = '', platform = process.platform): Promise<string> {
  const facts = (driverPlaces[platform] ?? []).map(async (place) => {
    const names = await readdir(root + place).catch(() => null);
    const text = place.startsWith('/proc')
      ? await readFile(root + place, 'utf8').catch(() => '')
      : '';
    return `${place} ${names?.toSorted().join() ?? ''} ${text || (await stampOf(root + place))}`;
  });
  return (await Promise.all(facts)).join('\n');
}

/** When a file was written, and how long it is; '' if it is not there. Of a device: its numbers. */
async function stampOf(file: string): Promise<string> {
  const facts = await stat(file).catch(() => null);
  if (!facts) return '';
  return facts.isCharacterDevice() ? `${facts.rdev}` : `${facts.mtimeMs} ${facts.size}`;
}
