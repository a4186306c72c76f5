/**
 * Phase 1, captions: where a recording is silent, and in which pieces it is heard. Silence costs nothing; a recording
 * of hours is read in blocks, so that memory stays flat.
 */
import { open } from 'node:fs/promises';

/** Seconds from the beginning of the recording. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A part to hear, and which of its words count: at a cut amid speech the parts overlap. */
export interface HeardSpan extends Span {
  readonly from: number;
  readonly to: number;
}

/** Samples a second of the sounds that recognisers hear. */
export const sampleRate = 16_000;
/** Of a sample. */
const sampleBytes = 2;
/** Levels a second. */
const levelRate = 50;
const samplesOfLevel = sampleRate / levelRate;
/** Levels read at a time: two minutes. */
const block = 6_000;

/** Decibels below full scale: nothing quieter is heard, and nothing louder is silence. */
const quietest = -60;
const loudestSilence = -38;
/** A pause that is shorter belongs to what is said, in seconds. */
const shortestPause = 0.4;
/** What is kept around a sound: the first and last letters are quiet. */
const margin = 0.2;
/** A click. */
const shortestSound = 0.06;
/** How far two parts overlap at a cut amid speech, on both sides of it. */
const overlap = 1.5;

/** Where the samples of a WAV file begin. @throws Error if it is none */
async function samplesIn(
  file: Awaited<ReturnType<typeof open>>,
): Promise<{ readonly at: number; readonly count: number }> {
  const head = Buffer.alloc(4096);
  const { bytesRead } = await file.read(head, 0, head.length, 0);
  const at = head.subarray(0, bytesRead).indexOf('data') + 8;
  if (at < 8) throw new Error('the decoded sound is no WAV file');
  const { size } = await file.stat();
  return { at, count: Math.max(0, Math.floor((size - at) / sampleBytes)) };
}

/** The samples of a part of a WAV file. */
export async function samplesOf(sound: string, { start, end }: Span): Promise<Buffer> {
  await using file = await open(sound);
  const { at, count } = await samplesIn(file);
  const first = Math.min(count, Math.max(0, Math.round(start * sampleRate)));
  const last = Math.min(count, Math.max(first, Math.round(end * sampleRate)));
  const bytes = Buffer.alloc((last - first) * sampleBytes);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, at + first * sampleBytes);
  return bytes.subarray(0, bytesRead);
}

/** How loud a recording is. */
export interface Levels {
  /** Seconds. */
  readonly duration: number;
  /** Decibels below full scale, 50 each second; the quietest is -100. */
  readonly levels: Float32Array;
}

/** Reads how loud a WAV file is. @throws the signal's reason */
export async function levelsOf(sound: string, signal: AbortSignal): Promise<Levels> {
  await using file = await open(sound);
  const { at, count } = await samplesIn(file);
  const levels = new Float32Array(Math.ceil(count / samplesOfLevel));
  const samples = new Int16Array(block * samplesOfLevel);
  for (let first = 0; first < levels.length; first += block) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(
      samples,
      ...([0, samples.byteLength, at + first * samplesOfLevel * sampleBytes] as const),
    );
    const last = Math.min(levels.length, first + block);
    const read = samples.subarray(0, bytesRead / sampleBytes);
    for (let index = first; index < last; index++) {
      const begin = (index - first) * samplesOfLevel;
      levels[index] = levelOf(read.subarray(begin, begin + samplesOfLevel));
    }
  }
  return { duration: count / sampleRate, levels };
}

function levelOf(samples: Int16Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample ** 2;
  return 10 * Math.log10(sum / Math.max(1, samples.length) / 32_768 ** 2 + 1e-10);
}

/** The parts that are not silent. The noise of the room counts as silence where voices stand out from it. */
export function soundsIn({ levels, duration }: Levels): Span[] {
  const sorted = levels.toSorted();
  const floor = sorted[Math.floor(sorted.length / 10)] ?? -100;
  const limit = Math.min(loudestSilence, Math.max(quietest, floor + 8));
  const found: { start: number; end: number }[] = [];
  for (const [index, level] of levels.entries()) {
    if (level <= limit) continue;
    const [start, end] = [index / levelRate, (index + 1) / levelRate];
    const last = found.at(-1);
    if (last && start - last.end < shortestPause) last.end = end;
    else found.push({ start, end });
  }
  return found
    .filter(({ start, end }) => end - start >= shortestSound)
    .map(({ start, end }) => ({
      start: Math.max(0, start - margin),
      end: Math.min(duration, end + margin),
    }));
}

/**
 * In which parts to hear a recording: cut in its pauses, and where it has none within the longest part, at its quietest
 * moment, with an overlap. Parts are joined while that costs no more than to hear them one by one.
 *
 * @param sounds in order. @param longest a part, in seconds. @param window what any shorter part costs, in seconds
 */
export function piecesOf(
  sounds: readonly Span[],
  { levels, longest, window }: Pick<Levels, 'levels'> & { longest: number; window: number },
): HeardSpan[] {
  const costOf = ({ start, end }: Span): number =>
    window === 0 ? end - start : Math.ceil((end - start) / window - 1e-9);
  const pieces: { start: number; end: number }[] = [];
  for (const sound of sounds) {
    const last = pieces.at(-1);
    const joined = last && { start: last.start, end: sound.end };
    // Without a window every pause would be a cut, and each part a call.
    const isCheaper = joined && (window === 0 || costOf(joined) <= costOf(last) + costOf(sound));
    if (isCheaper && joined.end - joined.start <= longest) last.end = sound.end;
    else pieces.push({ ...sound });
  }
  return pieces.flatMap((piece) => cut(piece, levels, longest));
}

/** Cuts what has no pause. */
function cut({ start, end }: Span, levels: Float32Array, longest: number): HeardSpan[] {
  const cuts: number[] = [];
  const stride = longest - 2 * overlap;
  const reachFrom = (at: number): number => (at === start ? longest : longest - overlap);
  for (let at = start; end - at > reachFrom(at); at = cuts.at(-1) ?? end)
    cuts.push(quietestIn(levels, at + stride * 0.7, at + stride));
  const edges = [start, ...cuts, end];
  return edges.slice(1).map((to, index) => {
    const from = edges[index] ?? start;
    return { start: Math.max(start, from - overlap), end: Math.min(end, to + overlap), from, to };
  });
}

/** The quietest tenth of a second between two moments. */
function quietestIn(levels: Float32Array, from: number, to: number): number {
  const width = levelRate / 10;
  let best = { at: Math.round(to * levelRate), level: Infinity };
  for (let at = Math.round(from * levelRate); at < to * levelRate; at++) {
    let level = 0;
    for (let next = at; next < at + width; next++) level += levels[next] ?? -100;
    if (level < best.level) best = { at: at + Math.floor(width / 2), level };
  }
  return best.at / levelRate;
}
