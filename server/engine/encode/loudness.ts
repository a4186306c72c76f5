/**
 * Brings a mix to a loudness (EBU R 128): measures it, turns all of it up or down by one factor, and lets the limiter
 * hold what would then be too high. Runs in the worker, after mixing.
 *
 * The mix comes before any limiter, so that one that must become quieter keeps its peaks.
 */
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Problem } from '../../../shared/renderscript/source.ts';
import { ceiling } from './limiter.ts';
import { createLoudnessMeter } from './loudness-meter.ts';
import { throughLimiter, type Mix } from './sound-check.ts';
import { readSamples, readWavFacts } from './wav.ts';

/** LU that may be missing or too many. */
const closeEnough = 0.1;
/** LU from which people are told that it is not as loud as they asked. */
const worthSaying = 0.5;
const mostTries = 10;
/** dB: more would make the hiss of a quiet recording the loudest thing in it. */
const mostGain = 40;
/** Samples read at a time. */
const blockLength = 65_536;

/**
 * Makes a mix `target` LUFS loud, in place.
 *
 * @param mix Not limited: its samples may exceed 1.
 * @param onShare Called after each pass over the sound with the share of the most that there can be, 0–1.
 * @returns with a warning if that is not possible, as with silence or a recording that is far too quiet.
 * @throws RenderError `cancelled`
 */
export async function bringTo(
  target: number,
  mix: Mix,
  signal: AbortSignal,
  onShare?: (share: number) => void,
): Promise<Mix> {
  let passes = 0;
  const passed = (): void => onShare?.(++passes / (1 + 2 * mostTries));
  const raw = path.join(path.dirname(mix.path), 'sound-raw.wav');
  await rename(mix.path, raw);
  try {
    const before = await loudnessOf(raw, signal);
    passed();
    let gain = before === -Infinity ? 0 : Math.min(mostGain, target - before);
    // Where the limiter is at work, a dB more is less than a LU: the gain is searched between one too low and one too
    // high.
    let low = { gain: -Infinity, loudness: -Infinity };
    let high = { gain: Infinity, loudness: Infinity };
    for (let tries = 1; ; tries++) {
      const loudest = await throughLimiter(raw, mix.path, ceiling, 10 ** (gain / 20));
      passed();
      const loudness = await loudnessOf(mix.path, signal);
      passed();
      const missing = target - loudness;
      const isLast = tries === mostTries || loudness === -Infinity;
      if (Math.abs(missing) <= closeEnough || (missing > 0 && gain >= mostGain) || isLast) {
        const warnings = Math.abs(missing) > worthSaying ? [missed(target, loudness)] : [];
        return { path: mix.path, loudest, loudness: warnings.length > 0 ? null : target, warnings };
      }
      if (missing > 0) low = { gain, loudness };
      else high = { gain, loudness };
      const share = (target - low.loudness) / (high.loudness - low.loudness);
      const isBetween = Number.isFinite(low.gain) && Number.isFinite(high.gain);
      const next = isBetween ? low.gain + share * (high.gain - low.gain) : gain + 1.5 * missing;
      gain = Math.min(mostGain, next);
    }
  } finally {
    await rm(raw, { force: true });
  }
}

function missed(target: number, reached: number): Problem {
  const found = reached === -Infinity ? 'silent' : `${reached.toFixed(1)} LUFS`;
  return {
    ...{ path: 'target_loudness', element: '', property: 'target_loudness', severity: 'warning' },
    code: 'loudness_missed',
    message: `The sound could not be brought to ${target} LUFS; it is ${found}. Sounds are turned up by ${mostGain} dB at most: use a louder recording`,
  };
}

/** The integrated loudness of a stereo wav of ours in LUFS; −Infinity for silence. */
async function loudnessOf(filePath: string, signal: AbortSignal): Promise<number> {
  const wav = await readWavFacts(filePath);
  await using file = await open(filePath, 'r');
  const meter = createLoudnessMeter();
  const samples = new Float32Array(blockLength * 2);
  for (let first = 0; first < wav.length; first += blockLength) {
    signal.throwIfAborted();
    const block = samples.subarray(0, Math.min(blockLength, wav.length - first) * 2);
    await readSamples(file, wav, first, block);
    meter.process(block);
  }
  return meter.loudness();
}
