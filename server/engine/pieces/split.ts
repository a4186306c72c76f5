/**
 * How a long film is made by one worker or several: its frames in pieces, its sound apart,
 * and what must be the same for all. Runs in a worker.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { OutputSettings, Timeline } from '../../../shared/engine/compile/timeline.ts';
import { collectMedia } from '../../../shared/renderscript/media-requests.ts';
import { spokenText } from '../../../shared/renderscript/voices.ts';
import { isFilm } from '../../../shared/renderscript/formats.ts';
import { followsSpeech } from '../assets/speech/transcripts.ts';
import { audibleSounds } from '../encode/audio.ts';
import { filmCoding } from '../encode/film-formats.ts';
import { plansOf, separateSnapshotFrame } from '../motion.ts';
import { planOverlay } from '../overlay-plan.ts';
import { planFrames, type FrameRange } from '../plan.ts';
import type { RenderJob } from '../render-job.ts';
import type { Stage } from '../stage.ts';
import { cutEvenly } from './cuts.ts';
import { ffmpegOf } from './join.ts';
import { mayBeKept, type KeptFilm } from './kept-film.ts';
import { hashOf, openPrints } from './prints.ts';

/** A film in pieces. Plain data. */
export interface Split {
  /**
   * Hash of everything that frames and sound follow from, programs and files included. Pieces of different ones are
   * never joined.
   */
  readonly print: string;
  /** Of the whole film. */
  readonly output: Pick<OutputSettings, 'format' | 'width' | 'height' | 'frameRate' | 'frameCount'>;
  /** The frames of each piece, in order and without gaps. */
  readonly ranges: readonly FrameRange[];
  /** The film is one video under graphics: ffmpeg makes each piece by itself. */
  readonly isOneProcess: boolean;
  readonly hasSound: boolean;
  readonly hasSnapshot: boolean;
  /** The prints by which pieces, in order, and sound are found among those of other films; null: they are not kept. */
  readonly kept: { readonly pieces: readonly string[]; readonly sound: string } | null;
}

/** Who could make a film in pieces. */
export interface Offer {
  /** Names the programs and fonts that all of these workers have. */
  readonly build: string;
}

/** What a piece is made from, beside the document. */
export type PieceBasis = Pick<Split, 'print' | 'isOneProcess'>;

/**
 * Millions of pixels of frames in a piece: its start (opening, painting threads, a new encoder) then costs a fiftieth
 * of its work.
 */
const pieceWork = 3_000;
/** From so much on a film is two pieces: the starts cost a twentieth then, and two workers need about half the time. */
const leastWork = 2_400;
/** Small frames cost as much as so many millions of pixels: layout, the way to the encoder. */
const leastPixels = 0.5;
/**
 * The frames of each piece of a film; one range if it isn't worth dividing. They follow from the film alone, not from
 * the workers: each piece is coded apart, so its file depends on where it begins. Pure.
 */
export function divideFilm(timeline: Timeline): readonly FrameRange[] {
  const { width, height, frameCount } = timeline.output;
  const work = frameCount * Math.max(leastPixels, (width * height) / 1e6);
  const count = Math.max(work < leastWork ? 1 : 2, Math.floor(work / pieceWork));
  // A document's frames times pixels are limited, so pieces are: to 700.
  return cutEvenly(timeline, count);
}

/**
 * How the film on a stage is divided; null if one worker should make it: it is short, not a film, every computer would
 * hear its own words or use its own fonts, or an attempt was lost and elements are to be traced.
 */
export async function splitFilm(
  job: RenderJob,
  stage: Stage,
  { build }: Offer,
  signal: AbortSignal,
): Promise<Split | null> {
  const { timeline, ffmpeg } = stage;
  const { format, videoCodec, width, height, frameRate, frameCount } = timeline.output;
  if (
    !isFilm(format) ||
    !filmCoding({ format, videoCodec }).isJoined ||
    !ffmpeg ||
    job.closely ||
    followsSpeech(job.source)
  )
    return null;
  // Each computer has a voice of its own.
  if (collectMedia(job.source).some(({ source }) => spokenText(source))) return null;
  if (stage.warnings().some(({ code }) => code === 'installed_font')) return null;
  const ranges = divideFilm(timeline);
  if (ranges.length < 2) return null;
  const plans = plansOf(stage);
  const isOneProcess = (await planOverlay(plans, ffmpeg, signal)) !== null;
  return {
    print: await printOf(job, stage, build),
    output: { format, width, height, frameRate, frameCount },
    ...{ ranges, isOneProcess },
    kept: await keptNames(job, stage, { plans, ranges, isOneProcess, signal }),
    hasSound: audibleSounds(timeline.sounds, frameCount / frameRate).length > 0,
    hasSnapshot: separateSnapshotFrame(timeline) !== null,
  };
}

async function keptNames(
  job: RenderJob,
  stage: Stage,
  {
    plans,
    ranges,
    isOneProcess,
    signal,
  }: Omit<KeptFilm, 'limit'> & { readonly signal: AbortSignal },
): Promise<Split['kept']> {
  if (job.piecesLimit === 0 || !mayBeKept(job, stage)) return null;
  const prints = await openPrints(job, stage, ffmpegOf(stage), isOneProcess);
  const pieces: string[] = [];
  for await (const print of prints.pieces(planFrames(plans), ranges, signal)) pieces.push(print);
  return { pieces, sound: prints.sound() };
}

/** See `Split.print`. */
export async function printOf(job: RenderJob, stage: Stage, build: string): Promise<string> {
  const { media, fonts = [], luts = [] } = stage.materials.assets;
  const files = [
    ...[...media].map(([source, { path: at }]) => [source, at] as const),
    ...fonts,
    ...luts,
  ];
  const hash = createHash('sha256');
  hash.update(JSON.stringify([build, job.source, stage.timeline.output]));
  // Their names contain the hashes of their contents.
  const added = (job.addedFonts ?? []).map((font) => [{ ...font, path: path.basename(font.path) }]);
  hash.update(JSON.stringify(added.map((font) => JSON.stringify(font)).toSorted()));
  for (const [source, at] of files.toSorted(([one], [two]) => (one < two ? -1 : 1)))
    hash.update(JSON.stringify([source, await hashOf(at)]));
  return hash.digest('hex').slice(0, 32);
}
