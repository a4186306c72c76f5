/**
 * Mixes all sounds of a document to one wav of exactly the output's length. Runs in the worker before the first frame.
 *
 * ffmpeg only decodes (decode-sounds.ts); placing, looping, fading and adding happen here. So starts are exact to the
 * sample, any number of sounds can play at once, and nothing is turned down without need (ffmpeg's own mixer divides by
 * the number of inputs, and before 4.4 that can't be turned off). Memory stays at a few blocks for any length.
 */
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { playedAt } from '../../../shared/engine/compile/speed.ts';
import type { Sound } from '../../../shared/engine/compile/timeline.ts';
import { RenderError } from '../../../shared/engine/errors.ts';
import {
  clicks,
  decodeSounds,
  edgeLength,
  fadeEdge,
  joinLength,
  joinPasses,
  type MixOptions,
  type Samples,
  surroundings,
} from './decode-sounds.ts';
import { createGain, type Gain, type SampleFade } from './gain.ts';
import { ceiling, createLimiter } from './limiter.ts';
import { bringTo } from './loudness.ts';
import type { Mix } from './sound-check.ts';
import { stretch } from './stretch.ts';
import { readSamples, wavHeader, writeSamples, type Decoded, soundRate } from './wav.ts';

/** A sound on the output's clock, everything in samples. */
interface Placed {
  readonly decoded: Decoded;
  readonly start: number;
  readonly end: number;
  readonly gain: Gain;
  readonly loop: Loop | null;
}

/** A sound that has its place, but no gain yet. */
interface Laid extends Omit<Placed, 'gain'> {
  readonly sound: Sound;
  readonly fades: readonly SampleFade[];
}

/** How a sound repeats. */
interface Loop {
  /** Samples of a pass; a fraction, so that many passes don't drift away from the picture. */
  readonly pass: number;
  /** Replacements for samples of a pass, from `at` on, so that passes join without a click. */
  readonly patches: readonly Patch[];
}

/** Interleaved samples at a place of a pass. */
interface Patch {
  readonly at: number;
  readonly values: Float32Array;
  /** True leaves the first pass unchanged. */
  readonly later: boolean;
}

/** Gains that differ by less make no jump that is heard. */
const sameGain = 0.002;

/** Samples mixed at a time: 1.4 s. */
const blockLength = 65_536;

/** The sounds that are heard in a film of this length; without any, it has no sound. */
export function audibleSounds(sounds: readonly Sound[], duration: number): readonly Sound[] {
  return sounds.filter(
    (sound) =>
      sound.volume.some(({ value }) => value > 0) &&
      sound.duration > 0 &&
      sound.start < duration &&
      sound.start + sound.duration > 0,
  );
}

/**
 * Mixes the sounds to `sound.wav` in the work folder: 48 kHz stereo, 32-bit samples, `duration` long to the sample.
 *
 * A sound at 100 % keeps its loudness; where sounds together exceed the limiter's ceiling, it turns down the few
 * milliseconds around. A document that asks for a loudness gets it for the whole mix.
 *
 * @returns Null if everything is silent.
 * @throws RenderError `media_unreadable` naming the element, `cancelled`.
 */
export async function mixSounds(
  sounds: readonly Sound[],
  options: MixOptions,
): Promise<Mix | null> {
  const { duration, workFolder, signal, loudness = null, onShare } = options;
  /** Of the work that is mixing; the rest brings the mix to its loudness. */
  const mixing = loudness === null ? 1 : 0.5;
  const total = Math.round(duration * soundRate);
  const audible = audibleSounds(sounds, duration);
  if (audible.length === 0 || total === 0) return null;

  const decoded = await decodeSounds(audible, options);
  const laid: Laid[] = [];
  for (const [index, sound] of audible.entries()) {
    const part = decoded[index];
    if (!part) throw new Error(`${sound.path}: its sound was not decoded`);
    if (part.length > 0) laid.push(await lay(sound, part, { total, index, ...options }));
  }
  const placed = await withGains(laid);
  const filePath = path.join(workFolder, 'sound.wav');
  const height = loudness === null ? ceiling : Infinity;
  const loudest = await writeMix(filePath, placed, {
    ...{ ...options, total, height },
    onShare: (share) => onShare?.(share * mixing),
  });
  const leftovers = [...decoded, ...placed.map((sound) => sound.decoded)];
  await Promise.all(
    [...new Set(leftovers.map((part) => part.path))].map((part) => rm(part, { force: true })),
  );
  const mix = { path: filePath, loudest, loudness: null, warnings: [] };
  return loudness === null
    ? mix
    : bringTo(loudness, mix, signal, (share) => onShare?.(mixing + share * (1 - mixing)));
}

/**
 * Adds the sounds block by block.
 *
 * @param options `total` samples; `height` is the true peak that the limiter lets through.
 * @returns the largest sample
 */
async function writeMix(
  filePath: string,
  placed: readonly Placed[],
  { total, height, signal, onShare }: MixOptions & { total: number; height: number },
): Promise<number> {
  await using file = await open(filePath, 'w');
  await file.write(wavHeader(total));

  const limiter = createLimiter(soundRate, height);
  const mix = new Float32Array(blockLength * 2);
  const scratch: Scratch = {
    samples: new Float32Array(blockLength * 2),
    gains: new Float32Array(blockLength),
  };
  // The limiter looks ahead, so its samples come late: skip the first ones, and push the last ones out with silence.
  let skip = limiter.delay;
  let loudest = 0;
  const heardIn = sweep(placed);
  for (let first = 0; first < total + limiter.delay; first += blockLength) {
    throwIfCancelled(signal);
    const length = Math.min(blockLength, total + limiter.delay - first);
    const block = mix.subarray(0, length * 2).fill(0);
    for (const sound of heardIn(first, first + length))
      await addSound(block, first, sound, scratch);
    limiter.process(block);
    const ready = block.subarray(Math.min(skip, length) * 2);
    for (const value of ready) if (Math.abs(value) > loudest) loudest = Math.abs(value);
    await writeSamples(file, ready);
    skip = Math.max(0, skip - length);
    onShare?.(Math.min(1, (first + length) / total));
  }
  return loudest;
}

/**
 * Returns the sounds of successive stretches in their given order (another order would round differently). Sounds that
 * are over or yet to come cost nothing.
 */
function sweep(sounds: readonly Placed[]): (from: number, to: number) => readonly Placed[] {
  const coming = sounds
    .map((sound, order) => ({ sound, order }))
    .sort((a, b) => a.sound.start - b.sound.start || a.order - b.order);
  let next = 0;
  let playing: typeof coming = [];
  return (from, to) => {
    const began = next;
    while ((coming[next]?.sound.start ?? Infinity) < to) next++;
    const going = playing.filter(({ sound }) => sound.end > from);
    const fresh = coming.slice(began, next);
    playing = fresh.length === 0 ? going : [...going, ...fresh].sort((a, b) => a.order - b.order);
    return playing.map(({ sound }) => sound);
  };
}

// ---- placing -------------------------------------------------------------------------------------------------------

/** Turns seconds into samples. A file that is too short continues as silence; a loop runs over what exists. */
async function lay(
  sound: Sound,
  natural: Decoded,
  { total, index, workFolder, signal }: MixOptions & { total: number; index: number },
): Promise<Laid> {
  const start = Math.round(sound.start * soundRate);
  const wanted = Math.round((sound.start + sound.duration) * soundRate);
  const { speeds } = sound.clip;
  const decoded = speeds
    ? await stretched(sound, natural, path.join(workFolder, `stretched-${index}.wav`), signal)
    : natural;
  const loop = sound.clip.loop && !speeds ? await loopOf(sound, decoded) : null;
  const end = Math.min(wanted, loop ? wanted : start + decoded.length, total);
  const fades = sound.fades.map((fade) => inSamples(fade, end - wanted));
  return { sound, decoded, start, end, loop, fades };
}

/** How loud sounds are, with short fades where they would click. */
function withGains(laid: readonly Laid[]): Promise<Placed[]> {
  const begins = new Map(laid.map((one) => [joinName(one.sound, one.start), one]));
  const next = new Map<Laid, Laid>();
  for (const one of laid) {
    const name = joinName(one.sound, one.end);
    const other = begins.get(name);
    if (!other || !goesOn(one, other)) continue;
    next.set(one, other);
    // Only one sound goes on in it.
    begins.delete(name);
  }
  const continued = new Set(next.values());
  return Promise.all(
    laid.map(async (one) => {
      const edges = await edgesOf(one, { begins: !continued.has(one), ends: !next.has(one) });
      return { ...one, gain: createGain(one.sound.volume, [...one.fades, ...edges]) };
    }),
  );
}

/** The same for sounds that could go on in each other at a sample. */
const joinName = ({ source, track = 0, noiseReduction = 0, clip: { speed } }: Sound, at: number) =>
  JSON.stringify([at, track, noiseReduction, speed, source]);

/** Whether a sound that begins where another ends goes on in its file, as loud: a clip that was cut in two. */
function goesOn(one: Laid, other: Laid): boolean {
  const isPlain = [one, other].every(({ loop, sound: { clip } }) => !loop && clip.speed === 1);
  const length = one.end - one.start;
  const from = Math.round(one.sound.clip.trimStart * soundRate) + length;
  const isNext = Math.abs(Math.round(other.sound.clip.trimStart * soundRate) - from) <= 1;
  if (!isPlain || !isNext || other.start < 0) return false;
  return Math.abs(gainAt(one, length - 1) - gainAt(other, 0)) < sameGain;
}

/** The gain of a sound at one of its samples. */
function gainAt({ sound, fades }: Laid, at: number): number {
  const gains = new Float32Array(1);
  return createGain(sound.volume, fades).fill(at, 1, gains) ?? gains[0] ?? 0;
}

/** A sound at a changing speed, with its loops written out. */
function stretched(
  { clip, duration, withPicture }: Sound,
  decoded: Decoded,
  filePath: string,
  signal: AbortSignal,
): Promise<Decoded> {
  const wanted = clip.trimDuration * soundRate;
  const pass = withPicture ? wanted : Math.min(wanted, decoded.length);
  return stretch(decoded, filePath, {
    length: Math.round(duration * soundRate),
    placeAt: (sample) => playedAt(clip, sample / soundRate) * soundRate,
    pass: clip.loop ? pass : null,
    signal,
  });
}

/** A fade-out ends where the sound ends, even if the file is shorter than declared or the output ends first. */
function inSamples(fade: Sound['fades'][number], shift: number): SampleFade {
  const moved = fade.kind === 'out' && fade.shape === 'straight' ? shift : 0;
  const from = Math.round(fade.from * soundRate) + moved;
  return { ...fade, from, to: Math.round(fade.to * soundRate) + moved };
}

/** Short fades where a sound begins or ends in the middle of its file, if that would click. */
async function edgesOf(
  { sound: { clip }, decoded, start, end, loop }: Laid,
  { begins, ends }: { begins: boolean; ends: boolean },
): Promise<SampleFade[]> {
  const length = end - start;
  if (length < 2 * edgeLength) return [];
  await using file = await open(decoded.path, 'r');
  const edges: SampleFade[] = [];
  const shape = 'equal-power';
  const heardFrom = Math.max(0, -start);
  const position = positionAt(loop, heardFrom).position;
  if (begins && (clip.trimStart > 0 || heardFrom > 0)) {
    const head = await partOf(file, decoded, position, surroundings);
    if (clicks(null, head))
      edges.push({ kind: 'in', from: heardFrom - 1, to: heardFrom + edgeLength, shape });
  }
  if (!ends) return edges;
  const last = positionAt(loop, length - 1).position;
  const tail = await partOf(file, decoded, last + 1 - surroundings, surroundings);
  if (clicks(tail, null)) edges.push({ kind: 'out', from: length - edgeLength, to: length, shape });
  return edges;
}

/**
 * A pass is as long as the part of the file that repeats. The sound of a video keeps that length although it may be a
 * little shorter than the picture; a sound alone repeats over what exists.
 */
async function loopOf({ clip, withPicture }: Sound, decoded: Decoded): Promise<Loop> {
  const wanted = (clip.trimDuration / clip.speed) * soundRate;
  const pass = withPicture ? wanted : Math.min(wanted, decoded.length);
  const length = Math.round(pass);
  const room = Math.min(length, decoded.length);
  if (room < 2 * joinLength) return { pass, patches: [] };

  await using file = await open(decoded.path, 'r');
  const head = await partOf(file, decoded, 0, joinLength);
  const tail = await partOf(file, decoded, room - joinLength - 1, joinLength + 1);
  const patches: Patch[] = [];
  if (decoded.length < length) {
    // Silence up to the picture's end: the sound ends and starts again.
    if (clicks(tail, null)) {
      const edge = await partOf(file, decoded, room - edgeLength, edgeLength);
      fadeEdge(edge, 'out');
      patches.push({ at: room - edgeLength, values: edge.values, later: false });
    }
    if (clip.trimStart > 0 && clicks(null, head)) {
      const edge = await partOf(file, decoded, 0, edgeLength);
      fadeEdge(edge, 'in');
      patches.push({ at: 0, values: edge.values, later: true });
    }
  } else if (clicks(tail, head)) {
    const beyond =
      decoded.length >= length + joinLength
        ? await partOf(file, decoded, length, joinLength)
        : null;
    patches.push({ at: 0, values: joinPasses(head, tail, beyond), later: true });
  }
  return { pass, patches };
}

/** Samples of a decoded file; fewer at its end. */
async function partOf(
  file: Awaited<ReturnType<typeof open>>,
  decoded: Decoded,
  from: number,
  count: number,
): Promise<Samples> {
  const first = Math.min(decoded.length, Math.max(0, from));
  const last = Math.min(decoded.length, Math.max(0, from + count));
  const values = new Float32Array((last - first) * decoded.channels);
  await readSamples(file, decoded, first, values);
  return { channels: decoded.channels, values };
}

// ---- adding --------------------------------------------------------------------------------------------------------

/** Buffers for one stretch of one sound. */
interface Scratch {
  readonly samples: Float32Array;
  readonly gains: Float32Array;
}

/** Where in its pass a sound is, and how many samples of the pass are left. */
function positionAt(
  loop: Loop | null,
  played: number,
): { number: number; position: number; left: number } {
  if (!loop) return { number: 0, position: played, left: Infinity };
  // Passes begin at the sample closest to their exact moment.
  let number = Math.floor(played / loop.pass);
  if (Math.round((number + 1) * loop.pass) <= played) number++;
  const begin = Math.round(number * loop.pass);
  // Even a pass shorter than a sample must advance.
  const left = Math.max(1, Math.round((number + 1) * loop.pass) - played);
  return { number, position: Math.max(0, played - begin), left };
}

/** Adds the part of a sound that falls into a block of stereo samples starting at `first`. */
async function addSound(
  block: Float32Array,
  first: number,
  sound: Placed,
  scratch: Scratch,
): Promise<void> {
  const { decoded, start, end, loop, gain } = sound;
  const { channels } = decoded;
  const until = Math.min(end, first + block.length / 2);
  let at = Math.max(start, first, 0);
  if (at >= until) return;
  await using file = await open(decoded.path, 'r');
  while (at < until) {
    const played = at - start;
    const { number, position, left } = positionAt(loop, played);
    const wanted = Math.min(until - at, left);
    const count = Math.min(wanted, decoded.length - position);
    if (count > 0) {
      const samples = scratch.samples.subarray(0, count * channels);
      await readSamples(file, decoded, position, samples);
      if (loop) patch(samples, position, channels, loop, number);
      const level = gain.fill(played, count, scratch.gains);
      addSamples(block, at - first, samples, channels, level ?? scratch.gains);
    }
    // A pass that is too short continues as silence.
    at += loop ? wanted : Math.max(1, count);
  }
}

function patch(
  samples: Float32Array,
  position: number,
  channels: 1 | 2,
  { patches }: Loop,
  pass: number,
): void {
  for (const { at, values, later } of patches) {
    if (later && pass === 0) continue;
    const from = Math.max(at, position);
    const to = Math.min(at + values.length / channels, position + samples.length / channels);
    if (from >= to) continue;
    samples.set(
      values.subarray((from - at) * channels, (to - at) * channels),
      (from - position) * channels,
    );
  }
}

/** Adds samples to a stereo block; one channel goes to both sides. */
function addSamples(
  block: Float32Array,
  offset: number,
  samples: Float32Array,
  channels: 1 | 2,
  gain: number | Float32Array,
): void {
  const length = samples.length / channels;
  const right = channels - 1;
  const fixed = typeof gain === 'number' ? gain : 0;
  const gains = typeof gain === 'number' ? null : gain;
  for (let index = 0; index < length; index++) {
    const factor = gains ? (gains[index] ?? 0) : fixed;
    const to = (offset + index) * 2;
    const from = index * channels;
    // Inside both arrays: offset + length fits the block.
    block[to] = (block[to] ?? 0) + (samples[from] ?? 0) * factor;
    block[to + 1] = (block[to + 1] ?? 0) + (samples[from + right] ?? 0) * factor;
  }
}

function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new RenderError('cancelled', 'Render error: Cancelled');
}
