/** What is heard of a film: whether anything is, and whether it is too loud together. Runs in a worker process. */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Sound } from '../../../shared/engine/compile/timeline.ts';
import { checkLimits } from '../../../shared/limits.ts';
import { hasSound } from '../../../shared/renderscript/formats.ts';
import { audibleSounds, mixSounds } from '../encode/audio.ts';
import type { Stage } from '../stage.ts';

/** What was heard. */
export interface HeardSounds {
  /** Largest sample of the mix before any limiter; 1 is full scale. Null: nobody listened, or it is silent. */
  readonly peak: number | null;
  /** The film is brought to a loudness, which decides what its peak is. */
  readonly isLevelled: boolean;
  /** All that are asked for. */
  readonly sounds: readonly Sound[];
  /** Those in which there is nothing. */
  readonly silent: readonly Sound[];
}

/** Below −60 dB of full scale nobody hears anything. */
const audible = 10 ** (-60 / 20);
/** Sounds are mixed so much more quietly that no limiter acts, and the peak is what it would be without one. */
const quieter = 64;

/** Mixes the sound of a film, and each of its sounds alone. Null: the file has no sound. */
export async function hear(
  stage: Stage,
  workFolder: string,
  signal: AbortSignal,
): Promise<HeardSounds | null> {
  const { timeline, ffmpeg, soundPaths: paths } = stage;
  const { format, frameCount, frameRate, loudness } = timeline.output;
  if (!hasSound(format) || !ffmpeg) return null;
  const length = Math.min(frameCount / frameRate, checkLimits.heard);
  const folder = path.join(workFolder, 'heard');
  await mkdir(folder, { recursive: true });
  const peakOf = async (sounds: readonly Sound[], duration: number): Promise<number> => {
    const quiet = sounds.map((sound) => ({
      ...sound,
      volume: sound.volume.map((point) => ({ ...point, value: point.value / quieter })),
    }));
    const mix = await mixSounds(quiet, { paths, duration, ffmpeg, workFolder: folder, signal });
    return (mix?.loudest ?? 0) * quieter;
  };
  try {
    const heard = audibleSounds(timeline.sounds, length);
    const peak = heard.length === 0 ? 0 : await peakOf(heard, length);
    const silent: Sound[] = [];
    for (const sound of heard.slice(0, checkLimits.sounds)) {
      const isSilent =
        peak < audible ||
        (heard.length > 1 &&
          (await peakOf([{ ...sound, start: 0 }], Math.min(sound.duration, length))) < audible);
      if (isSilent) silent.push(sound);
    }
    return {
      peak: peak < audible ? null : peak,
      isLevelled: loudness !== null,
      sounds: timeline.sounds,
      silent,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
