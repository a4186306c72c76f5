/**
 * A film made in pieces (split.ts): whether it is, a piece of its frames, its sound, and all of it joined. Each is the
 * work of one worker, on a stage of its own; the phases are those of any film. Runs in a worker.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { RenderError } from '../../../shared/engine/errors.ts';
import { isFilm } from '../../../shared/renderscript/formats.ts';
import type { Problem } from '../../../shared/renderscript/source.ts';
import { encoderLimits } from '../cage.ts';
import { joinArguments, pieceList, replaceSoundArguments } from '../encode/arguments.ts';
import { checkResult } from '../encode/check.ts';
import { filmFormats, type FilmCoding } from '../encode/film-formats.ts';
import { discard, partPath, placeError, publish } from '../encode/publish.ts';
import { settleSound } from '../encode/sound-check.ts';
import { tagsOf } from '../encode/tags.ts';
import { findFfmpeg, startFfmpeg, stoppedError, type Ffmpeg } from '../ffmpeg.ts';
import { makeMotion, plansOf, rangeOf, separateSnapshotFrame, writeSnapshot } from '../motion.ts';
import { planOverlay } from '../overlay-plan.ts';
import type { FrameRange } from '../plan.ts';
import type { RenderContext, RenderJob, RenderResult } from '../render-job.ts';
import { mixStage, onStage, renderStage } from '../render.ts';
import type { Stage } from '../stage.ts';
import { timed } from '../stopwatch.ts';
import { printOf, splitFilm, type Offer, type PieceBasis, type Split } from './split.ts';

/** What there is to make: some frames, or the sound. */
export type Piece = FrameRange | 'sound';

/** Where the pieces of a film are. */
export interface PieceFiles {
  /** One for each range. */
  readonly frames: readonly string[];
  /** Null: the film has no sound. */
  readonly sound: string | null;
}

/**
 * Renders a document, unless it is better divided: then only its separate picture is made, if it has one.
 *
 * @throws RenderError
 */
export function renderOrSplit(
  job: RenderJob,
  context: RenderContext,
  offer: Offer,
): Promise<RenderResult | Split> {
  return onStage(job, context, async (stage) => {
    const split = await splitFilm(job, stage, offer, context.signal);
    if (!split) return renderStage(job, stage, context);
    const frame = separateSnapshotFrame(stage.timeline);
    if (frame !== null) {
      const plans = plansOf(stage);
      await stage.draw(plans.frameAt(plans.times[frame] ?? 0));
      await writeSnapshot(job, stage);
    }
    return split;
  });
}

/**
 * Makes a piece as `job.outputPath`.
 *
 * @param build As in `Offer`.
 * @returns warnings.
 * @throws RenderError `pieces_differ` if this computer's files or programs are others than those that the split was
 * made from.
 */
export function makePiece(
  job: RenderJob,
  context: RenderContext,
  { basis, piece, build }: { basis: PieceBasis; piece: Piece; build: string },
): Promise<readonly Problem[]> {
  return onStage(job, context, async (stage) => {
    if ((await printOf(job, stage, build)) !== basis.print) throw otherInputs('other inputs');
    if (piece !== 'sound') return makeFrames(job, stage, context, piece, basis);
    return [...stage.warnings(), ...(await makeSound(job, stage, context))];
  });
}

async function makeFrames(
  job: RenderJob,
  stage: Stage,
  context: RenderContext,
  range: FrameRange,
  { isOneProcess }: PieceBasis,
): Promise<readonly Problem[]> {
  const { timeline } = stage;
  const ffmpeg = ffmpegOf(stage);
  const { signal, onProgress } = context;
  const frameCount = range.end - range.first;
  onProgress({ phase: 'rendering', frame: 0, frames: frameCount });
  const plans = plansOf(stage);
  const overlay = isOneProcess ? await planOverlay(rangeOf(plans, range), ffmpeg, signal) : null;
  const warnings: Problem[] = [];
  await makeMotion({
    ...{ job, stage, context, range, warnings },
    // It was written with the split.
    snapshotFrame: null,
    encoding: {
      ...{ ffmpeg, signal, sound: null, isPiece: true },
      output: { ...timeline.output, frameCount },
      filePath: job.outputPath,
      workFolder: job.workFolder,
    },
    ...{ plans, overlay },
  });
  return [...stage.warnings(), ...warnings];
}

/** Mixes and codes the whole sound of a film, once. @returns warnings. */
async function makeSound(
  { outputPath, workFolder }: RenderJob,
  stage: Stage,
  { signal, onProgress }: RenderContext,
): Promise<readonly Problem[]> {
  onProgress({ phase: 'rendering', frame: 0, frames: 0 });
  const ffmpeg = ffmpegOf(stage);
  const coding = codingOf(stage.timeline.output);
  const mix = await mixStage(stage, ffmpeg, workFolder, signal);
  if (!mix) throw new Error('a film without sound was planned with some');
  const run = runner(ffmpeg, workFolder, signal);
  onProgress({ phase: 'finishing', frame: 0, frames: 0 });
  await written(outputPath, signal, async (part) => {
    await run(replaceSoundArguments(null, mix.path, part, coding));
    await settleSound(part, mix, { ffmpeg, workFolder, coding, isAlone: true, signal, run });
    if (!(await coding.readStreams(part))) throw otherInputs('a damaged sound');
  });
  return mix.warnings;
}

/**
 * Joins all pieces to the finished film, without coding anything again.
 *
 * @throws RenderError `pieces_differ` if their encoders were not the same.
 */
export async function joinPieces(
  job: RenderJob,
  { signal, onProgress }: RenderContext,
  { split, files }: { split: Split; files: PieceFiles },
): Promise<RenderResult> {
  const { output, ranges, hasSnapshot: snapshot } = split;
  const { outputPath, workFolder } = job;
  const { frameCount: frames } = output;
  onProgress({ phase: 'finishing', frame: frames, frames });
  const ffmpeg = await findFfmpeg(job.ffmpegPath);
  const coding = codingOf(output);
  await checkAlike(files.frames, coding);
  const list = path.join(workFolder, 'pieces.txt');
  const pieces = ranges.map((range, index) => ({
    ...range,
    filePath: path.resolve(files.frames[index] ?? ''),
  }));
  // Dividing the film had it, and removed it.
  await mkdir(workFolder, { recursive: true });
  await writeFile(list, pieceList(pieces, output.frameRate));
  const run = runner(ffmpeg, workFolder, signal);
  const facts = await timed('finish and check', () =>
    written(outputPath, signal, async (part) => {
      await run(joinArguments(list, files.sound, part, coding, tagsOf(job.madeFrom)));
      return checkResult(part, { ...output, sound: files.sound !== null });
    }),
  );
  await rm(list, { force: true });
  return { facts, snapshot, warnings: [] };
}

/** What decoders must know of each piece is in the joined file only once. */
async function checkAlike(pieces: readonly string[], { readStreams }: FilmCoding): Promise<void> {
  let first: Buffer | null | undefined;
  for (const piece of pieces) {
    const configuration = (await readStreams(piece))?.find(
      ({ kind }) => kind === 'video',
    )?.configuration;
    first ??= configuration;
    if (!configuration || !first?.equals(configuration)) throw otherInputs('other encoders');
  }
}

/** Writes a file under its temporary name, and gives it its own. */
async function written<Result>(
  filePath: string,
  signal: AbortSignal,
  write: (part: string) => Promise<Result>,
): Promise<Result> {
  await discard(filePath);
  try {
    const result = await write(partPath(filePath));
    signal.throwIfAborted();
    await publish(filePath);
    return result;
  } catch (error) {
    await discard(filePath);
    const isEncoder =
      error instanceof RenderError && /^encoder_(?:failed|killed)$/.test(error.code);
    throw (isEncoder && (await placeError(filePath, error))) || error;
  }
}

function runner(
  ffmpeg: Ffmpeg,
  cwd: string,
  signal: AbortSignal,
): (args: readonly string[]) => Promise<void> {
  return async (args) => {
    const end = await startFfmpeg(ffmpeg, args, { signal, cwd, limits: encoderLimits }).finished;
    if (end.code !== 0) throw stoppedError(end);
  };
}

function ffmpegOf({ ffmpeg }: Stage): Ffmpeg {
  if (!ffmpeg) throw new Error('a piece of a film was started without an encoder');
  return ffmpeg;
}

function codingOf({ format }: Split['output']): FilmCoding {
  if (!isFilm(format)) throw new Error(`a ${format} is not made in pieces`);
  return filmFormats[format];
}

function otherInputs(what: string): RenderError {
  return new RenderError('pieces_differ', `Render error: The pieces of the film have ${what}`);
}
