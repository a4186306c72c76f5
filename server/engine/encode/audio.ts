/**
 * All sounds of a document -> one wav of exactly the output's length. Runs in the worker before the first frame.
 *
 * ffmpeg only decodes, each stretch once, to samples on the disk; placing, looping, fading and adding them happens here,
 * because then starts are exact to the sample, any number of sounds can play at once, and nothing is turned down that
 * need not be (ffmpeg's own mixer divides by the number of inputs, and can't be told not to before 4.4). Memory stays
 * at a few blocks whatever the length.
 */
import { open, rm, type FileHandle } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { formatOf } from '../assets/probe.ts';
import type { Sound } from '../compile/timeline.ts';
import { RenderError } from '../errors.ts';
import { runFfmpeg, type Ffmpeg } from '../ffmpeg.ts';
import { soundArguments, soundRate, type SoundCut } from './arguments.ts';
import { createLimiter } from './limiter.ts';

/** What mixing needs besides the sounds. */
export interface MixOptions {
  /** Local file of every `Sound.source`. */
  readonly paths: ReadonlyMap<string, string>;
  /** Seconds of the output: frames ÷ frame rate. */
  readonly duration: number;
  readonly ffmpeg: Ffmpeg;
  /** The mix is left here; everything else is removed again. */
  readonly workFolder: string;
  readonly signal: AbortSignal;
}

/** Samples of one decoded stretch, as they lie in a file. */
interface Decoded {
  readonly path: string;
  /** Where the samples start in the file. */
  readonly offset: number;
  readonly channels: 1 | 2;
  /** Samples of each channel. */
  readonly length: number;
}

/** A sound on the output's clock, everything in samples. */
interface Placed {
  readonly decoded: Decoded;
  readonly start: number;
  readonly end: number;
  readonly loop: boolean;
  readonly volume: number;
  readonly fadeIn: number;
  readonly fadeOut: number;
}

/** Samples mixed at a time: 1.4 s. */
const blockLength = 65_536;
const bytesPerSample = 4;

/**
 * Mixes the sounds to `sound.wav` in the work folder: 48 kHz stereo, 32-bit samples, `duration` long to the sample.
 *
 * A sound at 100 % comes out as loud as it is; where sounds add up to more than full scale a limiter turns down the few
 * milliseconds around it.
 *
 * @returns The path, or null when nothing sounds.
 * @throws RenderError `media_unreadable` naming the element, `cancelled`.
 */
export async function mixSounds(
  sounds: readonly Sound[],
  options: MixOptions,
): Promise<string | null> {
  const { duration, workFolder, signal } = options;
  const total = Math.round(duration * soundRate);
  const audible = sounds.filter(
    (sound) =>
      sound.volume > 0 &&
      sound.duration > 0 &&
      sound.start < duration &&
      sound.start + sound.duration > 0,
  );
  if (audible.length === 0 || total === 0) return null;

  const decoded = await decodeAll(audible, options);
  const placed = audible.map((sound, index) => place(sound, decoded[index], total));
  const filePath = path.join(workFolder, 'sound.wav');
  await using file = await open(filePath, 'w');
  await file.write(wavHeader(total));

  const limiter = createLimiter(soundRate);
  const mix = new Float32Array(blockLength * 2);
  const scratch = new Float32Array(blockLength * 2);
  // The limiter looks ahead, so its samples come late; the first ones are no output yet and some silence pushes the
  // last ones out.
  let skip = limiter.delay;
  for (let first = 0; first < total + limiter.delay; first += blockLength) {
    throwIfCancelled(signal);
    const length = Math.min(blockLength, total + limiter.delay - first);
    const block = mix.subarray(0, length * 2).fill(0);
    for (const sound of placed) await addSound(block, first, sound, scratch);
    limiter.process(block);
    const ready = block.subarray(Math.min(skip, length) * 2);
    skip = Math.max(0, skip - length);
    await writeFully(file, new Uint8Array(ready.buffer, ready.byteOffset, ready.byteLength));
  }
  await Promise.all(
    [...new Set(decoded.map((part) => part.path))].map((part) => rm(part, { force: true })),
  );
  return filePath;
}

/** Decodes what the sounds play, equal stretches once, a few at the same time. Results in the order of the sounds. */
async function decodeAll(sounds: readonly Sound[], options: MixOptions): Promise<Decoded[]> {
  const jobs = new Map<string, { sound: Sound; seconds: number }>();
  for (const sound of sounds) {
    const key = cutKey(sound);
    const seconds = Math.max(jobs.get(key)?.seconds ?? 0, secondsOfFile(sound, options.duration));
    jobs.set(key, { sound, seconds });
  }
  const results = new Map<string, Decoded>();
  const waiting = [...jobs].entries();
  const work = async (): Promise<void> => {
    for (const [index, [key, { sound, seconds }]] of waiting) {
      results.set(key, await decode(sound, seconds, `cut-${index}.wav`, options));
    }
  };
  await Promise.all(Array.from({ length: Math.min(4, os.availableParallelism()) }, work));
  return sounds.map((sound) => {
    const result = results.get(cutKey(sound));
    if (!result) throw new Error(`${sound.path}: its sound was not decoded`);
    return result;
  });
}

function cutKey({ source, clip }: Sound): string {
  return JSON.stringify([source, clip.trimStart, clip.trimDuration, clip.loop, clip.speed]);
}

/** Seconds of the file that are ever heard: a loop needs its whole pass, anything else only what fits. */
function secondsOfFile({ start, duration, clip }: Sound, outputDuration: number): number {
  if (clip.loop) return clip.trimDuration;
  const played = Math.min(duration, outputDuration - start);
  return Math.min(clip.trimDuration, played * clip.speed);
}

async function decode(
  sound: Sound,
  seconds: number,
  name: string,
  options: MixOptions,
): Promise<Decoded> {
  const { paths, ffmpeg, workFolder, signal } = options;
  throwIfCancelled(signal);
  const source = paths.get(sound.source);
  if (source === undefined) throw new Error(`${sound.path}: no local file for its source`);
  const demuxer = (await formatOf(source))?.demuxer;
  if (demuxer === undefined || demuxer === null) throw unreadable(sound);
  const filePath = path.join(workFolder, name);
  const { trimStart, speed } = sound.clip;
  const cut: SoundCut = { path: source, demuxer, start: trimStart, duration: seconds, speed };
  try {
    await runFfmpeg(ffmpeg, soundArguments(cut, filePath), { signal, cwd: workFolder });
  } catch (error) {
    if (error instanceof RenderError && error.code === 'encoder_failed')
      throw unreadable(sound, error);
    throw error;
  }
  return readWavFacts(filePath);
}

function unreadable({ name, path }: Sound, cause?: unknown): RenderError {
  const message = `Source error: ${name}.source: The sound of this file cannot be read`;
  return new RenderError('media_unreadable', message, { path: `${path}.source`, cause });
}

/** Turns seconds into samples. What a file lacks at its end is silence; a loop runs over what there is. */
function place(sound: Sound, decoded: Decoded | undefined, total: number): Placed {
  if (!decoded) throw new Error(`${sound.path}: its sound was not decoded`);
  const start = Math.round(sound.start * soundRate);
  const wanted = Math.round((sound.start + sound.duration) * soundRate);
  return {
    decoded,
    start,
    end: Math.min(wanted, sound.clip.loop ? wanted : start + decoded.length, total),
    loop: sound.clip.loop,
    volume: sound.volume,
    fadeIn: Math.round(sound.fadeIn * soundRate),
    // Fading out ends where the stretch ends, also when the file is shorter.
    fadeOut: Math.round(sound.fadeOut * soundRate),
  };
}

/** Adds the part of a sound that falls into a block of stereo samples starting at `first`. */
async function addSound(
  block: Float32Array,
  first: number,
  sound: Placed,
  scratch: Float32Array,
): Promise<void> {
  const { decoded, start, end, loop } = sound;
  if (decoded.length === 0) return;
  const until = Math.min(end, first + block.length / 2);
  let at = Math.max(start, first, 0);
  if (at >= until) return;
  await using file = await open(decoded.path, 'r');
  while (at < until) {
    const played = at - start;
    const position = loop ? played % decoded.length : played;
    const count = Math.min(until - at, decoded.length - position);
    const samples = scratch.subarray(0, count * decoded.channels);
    await readFully(file, samples, decoded.offset + position * decoded.channels * bytesPerSample);
    addSamples(
      block,
      at - first,
      samples,
      decoded.channels,
      (index) => gainAt(sound, played + index),
      isPlain(sound, played, count),
    );
    at += count;
  }
}

/** True when a stretch lies between the fades, so that its gain is the volume throughout. */
function isPlain({ start, end, fadeIn, fadeOut }: Placed, played: number, count: number): boolean {
  return played >= fadeIn && played + count <= end - start - fadeOut;
}

/** Volume times both fades, straight lines, at a sample counted from the sound's start. */
function gainAt({ start, end, volume, fadeIn, fadeOut }: Placed, played: number): number {
  const rise = fadeIn > 0 ? Math.min(1, played / fadeIn) : 1;
  const fall = fadeOut > 0 ? Math.min(1, (end - start - played) / fadeOut) : 1;
  return volume * rise * fall;
}

/** Adds samples to a stereo block; one channel goes to both sides. */
function addSamples(
  block: Float32Array,
  offset: number,
  samples: Float32Array,
  channels: 1 | 2,
  gain: (index: number) => number,
  plain: boolean,
): void {
  const length = samples.length / channels;
  const right = channels - 1;
  const fixed = gain(0);
  for (let index = 0; index < length; index++) {
    const factor = plain ? fixed : gain(index);
    const to = (offset + index) * 2;
    const from = index * channels;
    // Inside both arrays: offset + length fits the block.
    block[to] = (block[to] ?? 0) + (samples[from] ?? 0) * factor;
    block[to + 1] = (block[to + 1] ?? 0) + (samples[from + right] ?? 0) * factor;
  }
}

/** Header of a wav with 32-bit floating-point stereo samples. */
function wavHeader(samples: number): Buffer {
  const size = samples * 2 * bytesPerSample;
  const header = Buffer.alloc(58);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(50 + size, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(18, 16);
  header.writeUInt16LE(3, 20);
  header.writeUInt16LE(2, 22);
  header.writeUInt32LE(soundRate, 24);
  header.writeUInt32LE(soundRate * 2 * bytesPerSample, 28);
  header.writeUInt16LE(2 * bytesPerSample, 32);
  header.writeUInt16LE(8 * bytesPerSample, 34);
  // Formats other than whole-number samples have an (empty) extension and a count of samples.
  header.write('fact', 38, 'latin1');
  header.writeUInt32LE(4, 42);
  header.writeUInt32LE(samples, 46);
  header.write('data', 50, 'latin1');
  header.writeUInt32LE(size, 54);
  return header;
}

/** Where the samples of a wav that ffmpeg wrote lie. */
async function readWavFacts(filePath: string): Promise<Decoded> {
  await using file = await open(filePath, 'r');
  const { size } = await file.stat();
  const head = Buffer.alloc(Math.min(size, 4096));
  await file.read(head, 0, head.length, 0);
  let channels = 0;
  for (let at = 12; at + 8 <= head.length;) {
    const id = head.toString('latin1', at, at + 4);
    const length = head.readUInt32LE(at + 4);
    if (id === 'fmt ') channels = head.readUInt16LE(at + 10);
    if (id === 'data' && (channels === 1 || channels === 2)) {
      const bytes = Math.min(length, size - at - 8);
      return {
        path: filePath,
        offset: at + 8,
        channels,
        length: Math.floor(bytes / channels / bytesPerSample),
      };
    }
    at += 8 + length + (length % 2);
  }
  throw new Error(
    `${filePath}: expected samples of one or two channels, found ${channels} channels`,
  );
}

async function readFully(file: FileHandle, samples: Float32Array, position: number): Promise<void> {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  for (let done = 0; done < bytes.length;) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, position + done);
    if (bytesRead === 0) throw new Error('decoded samples ended early');
    done += bytesRead;
  }
}

async function writeFully(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) done += (await file.write(bytes, done)).bytesWritten;
}

function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new RenderError('cancelled', 'Render error: Cancelled');
}
