/**
 * How one film is made by several workers: its frames in pieces of whole groups of pictures, its sound apart, and what must be the
 * same for all. Runs in a worker.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { OutputSettings } from '../../../shared/engine/compile/timeline.ts';
import { isFilm } from '../../../shared/renderscript/formats.ts';
import { followsSpeech } from '../assets/speech/transcripts.ts';
import { audibleSounds } from '../encode/audio.ts';
import { groupLength } from '../encode/film-formats.ts';
import { plansOf, separateSnapshotFrame } from '../motion.ts';
import { planOverlay } from '../overlay-plan.ts';
import type { FrameRange } from '../plan.ts';
import type { RenderJob } from '../render-job.ts';
import type { Stage } from '../stage.ts';

/** A film in pieces. Plain data. */
export interface Split {
  /** Hash of everything that frames and sound follow from, programs and files included. Pieces of different ones are never joined. */
  readonly print: string;
  /** Of the whole film. */
  readonly output: Pick<OutputSettings, 'format' | 'width' | 'height' | 'frameRate' | 'frameCount'>;
  /** The frames of each piece, in order and without gaps. */
  readonly ranges: readonly FrameRange[];
  /** The film is one video under graphics: ffmpeg makes each piece by itself. */
  readonly isOneProcess: boolean;
  readonly hasSound: boolean;
  readonly hasSnapshot: boolean;
}

/** Who could make a film together. */
export interface Offer {
  /** Renders that they can work on at the same time, over all workers. */
  readonly workers: number;
  /** Names the programs and fonts that all of them have. */
  readonly build: string;
}

/** Millions of pixels of frames for which a piece is worth its start (fetching, opening, joining): about ten seconds of work. */
const leastWork = 600;
/** Small frames cost as much as so many millions of pixels: layout, the way to the encoder. */
const leastPixels = 0.25;
/** Pieces for each worker, so that the slower ones get fewer. */
const piecesEach = 3;

/** The frames of each piece of a film; one range if it isn't worth dividing. Pure. */
export function rangesOf(
  { width, height, frameCount }: Pick<OutputSettings, 'width' | 'height' | 'frameCount'>,
  workers: number,
): readonly FrameRange[] {
  const groups = Math.ceil(frameCount / groupLength);
  const work = (frameCount * Math.max(leastPixels, (width * height) / 1e6)) / leastWork;
  const wanted = workers < 2 ? 1 : Math.min(groups, Math.floor(work), workers * piecesEach);
  const count = Math.max(1, wanted);
  const border = (index: number): number =>
    Math.min(frameCount, Math.round((index * groups) / count) * groupLength);
  return Array.from({ length: count }, (_, index) => ({
    first: border(index),
    end: border(index + 1),
  }));
}

/**
 * How the film on a stage is divided; null if one worker should make it: it is short, not a film, every computer would hear its
 * own words or use its own fonts, or an attempt was lost and elements are to be traced.
 */
export async function splitFilm(
  job: RenderJob,
  stage: Stage,
  { workers, build }: Offer,
  signal: AbortSignal,
): Promise<Split | null> {
  const { timeline } = stage;
  const { format, width, height, frameRate, frameCount } = timeline.output;
  if (!isFilm(format) || job.closely || followsSpeech(job.source)) return null;
  if (stage.warnings().some(({ code }) => code === 'installed_font')) return null;
  const ranges = rangesOf(timeline.output, workers);
  if (ranges.length < 2) return null;
  return {
    print: await printOf(job, stage, build),
    output: { format, width, height, frameRate, frameCount },
    ranges,
    isOneProcess: (await planOverlay(plansOf(stage), signal)) !== null,
    hasSound: audibleSounds(timeline.sounds, frameCount / frameRate).length > 0,
    hasSnapshot: separateSnapshotFrame(timeline) !== null,
  };
}

/** See `Split.print`. */
export async function printOf(job: RenderJob, stage: Stage, build: string): Promise<string> {
  const { media, fonts = new Map<string, string>() } = stage.materials.assets;
  const files = [...[...media].map(([source, { path: at }]) => [source, at] as const), ...fonts];
  const hash = createHash('sha256');
  hash.update(JSON.stringify([build, job.source, stage.timeline.output]));
  // Their names contain the hashes of their contents.
  const added = (job.addedFonts ?? []).map((font) => [{ ...font, path: path.basename(font.path) }]);
  hash.update(JSON.stringify(added.map((font) => JSON.stringify(font)).toSorted()));
  const known = new Map<string, string>();
  for (const [source, at] of files.toSorted(([one], [two]) => (one < two ? -1 : 1))) {
    const content = known.get(at) ?? (await hashOf(at));
    known.set(at, content);
    hash.update(JSON.stringify([source, content]));
  }
  return hash.digest('hex').slice(0, 32);
}

async function hashOf(filePath: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(filePath), hash);
  return hash.digest('hex');
}
