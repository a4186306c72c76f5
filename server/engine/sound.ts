/**
 * The sound of a document as a separate file, for playing it in the window: exactly its film's mix. A file that can't
 * be loaded is silent here, as it is a hatched box in the picture. Runs in a worker process.
 */
import path from 'node:path';
import { hasSound } from '../../shared/renderscript/formats.ts';
import { MediaShelf } from './assets/shelf.ts';
import { withStandIns } from '../../shared/engine/stand-in.ts';
import { flacArguments } from './encode/arguments.ts';
import { encoderLimits } from './cage.ts';
import { mixSounds } from './encode/audio.ts';
import type { Mix } from './encode/sound-check.ts';
import { findFfmpeg, startFfmpeg, stoppedError, type Ffmpeg } from './ffmpeg.ts';
import type { RenderJob } from './render-job.ts';
import { assetOptions } from './materials.ts';
import { openStage, type Stage } from './stage.ts';
import { timed } from './stopwatch.ts';

/** Which document, and where its sound goes. */
export interface SoundJob extends Omit<
  RenderJob,
  'scaling' | 'moment' | 'outputPath' | 'snapshotPath'
> {
  /** A flac: 48 kHz, stereo, 16 bits. */
  readonly soundPath: string;
  /** Seconds; what comes later is left out. */
  readonly longest: number;
}

/**
 * Mixes a document's sound into `soundPath`.
 *
 * @returns its length in seconds: that of the film's frames, or `longest`; null if the document's file has no sound.
 * @throws RenderError
 */
export async function writeSound(job: SoundJob, signal: AbortSignal): Promise<number | null> {
  const context = { signal, onProgress: () => undefined };
  const { assets, missing } = await new MediaShelf().load(
    job.source,
    assetOptions(job, context),
    () => findFfmpeg(job.ffmpegPath),
  );
  const source = withStandIns(job.source, { missing, hidden: [] });
  // As for a picture of one moment, so that nothing is transcribed for it.
  const picture = { outputPath: 'sound.jpg', snapshotPath: '', scaling: {}, moment: 0 };
  const stage = await openStage({ ...job, ...picture, source }, context, () =>
    Promise.resolve(assets),
  );
  try {
    const { ffmpeg, soundPaths: paths, timeline } = stage;
    const { format, frameCount, frameRate, loudness } = timeline.output;
    if (!ffmpeg || !hasSound(format)) return null;
    const duration = Math.min(job.longest, frameCount / frameRate);
    const { workFolder } = job;
    const options = { paths, duration, loudness, ffmpeg, workFolder, signal };
    const mix = await mixSounds(timeline.sounds, options);
    if (!mix) return null;
    await pack(ffmpeg, mix.path, { ...job, signal });
    return duration;
  } finally {
    await stage.close();
  }
}

/** Packs the mix losslessly into a file that browsers play. */
async function pack(
  ffmpeg: Ffmpeg,
  wav: string,
  { soundPath, workFolder: cwd, signal }: SoundJob & { signal: AbortSignal },
): Promise<void> {
  const args = flacArguments(wav, path.resolve(soundPath));
  const end = await startFfmpeg(ffmpeg, args, { signal, cwd, limits: encoderLimits }).finished;
  if (end.code !== 0) throw stoppedError(end);
}

/** Mixes the sound of a film or sound; null: it has none. @throws RenderError */
export function mixStage(
  { timeline, soundPaths: paths }: Stage,
  ffmpeg: Ffmpeg,
  workFolder: string,
  signal: AbortSignal,
  onShare?: (share: number) => void,
): Promise<Mix | null> {
  const { frameCount, frameRate, loudness } = timeline.output;
  const duration = frameCount / frameRate;
  const options = { paths, duration, loudness, ffmpeg, workFolder, signal, onShare };
  return timed('mix sounds', () => mixSounds(timeline.sounds, options));
}
