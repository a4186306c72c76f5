/**
 * What all films in pieces have in common, whoever made them: the sound coded once, and pieces and sound joined to the
 * finished film. Runs in a worker.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { OutputSettings } from '../../../shared/engine/compile/timeline.ts';
import { RenderError } from '../../../shared/engine/errors.ts';
import { isFilm } from '../../../shared/renderscript/formats.ts';
import type { Problem } from '../../../shared/renderscript/source.ts';
import { encoderLimits } from '../cage.ts';
import { joinArguments, pieceList, replaceSoundArguments } from '../encode/arguments.ts';
import { checkResult, type FileFacts } from '../encode/check.ts';
import { filmFormats, type FilmCoding } from '../encode/film-formats.ts';
import { written } from '../encode/publish.ts';
import { settleSound } from '../encode/sound-check.ts';
import { tagsOf } from '../encode/tags.ts';
import { startFfmpeg, stoppedError, type Ffmpeg } from '../ffmpeg.ts';
import type { FrameRange } from '../plan.ts';
import type { RenderContext, RenderJob } from '../render-job.ts';
import { mixStage } from '../sound.ts';
import type { Stage } from '../stage.ts';
import { timed } from '../stopwatch.ts';

/** A film whose parts are there. */
export interface FilmParts {
  readonly output: Pick<OutputSettings, 'format' | 'width' | 'height' | 'frameRate' | 'frameCount'>;
  /** In order and without gaps. */
  readonly pieces: readonly (FrameRange & { readonly filePath: string })[];
  /** Null: it has no sound. */
  readonly sound: string | null;
}

/** Mixes and codes the whole sound of a film, once. @returns warnings. */
export async function makeSound(
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
export async function joinFilm(
  { outputPath, workFolder, madeFrom }: RenderJob,
  { output, pieces, sound }: FilmParts,
  ffmpeg: Ffmpeg,
  signal: AbortSignal,
): Promise<FileFacts> {
  const coding = codingOf(output);
  await checkAlike(pieces, coding);
  const list = path.join(workFolder, 'pieces.txt');
  const named = pieces.map((piece) => ({ ...piece, filePath: path.resolve(piece.filePath) }));
  // Dividing the film had it, and removed it.
  await mkdir(workFolder, { recursive: true });
  await writeFile(list, pieceList(named, output.frameRate));
  const run = runner(ffmpeg, workFolder, signal);
  const facts = await timed('finish and check', () =>
    written(outputPath, signal, async (part) => {
      await run(joinArguments(list, sound, part, coding, tagsOf(madeFrom)));
      return checkResult(part, { ...output, sound: sound !== null });
    }),
  );
  await rm(list, { force: true });
  return facts;
}

/** What decoders must know of each piece is in the joined file only once. */
async function checkAlike(pieces: FilmParts['pieces'], { readStreams }: FilmCoding): Promise<void> {
  let first: Buffer | null | undefined;
  for (const { filePath } of pieces) {
    const configuration = (await readStreams(filePath))?.find(
      ({ kind }) => kind === 'video',
    )?.configuration;
    first ??= configuration;
    if (!configuration || !first?.equals(configuration)) throw otherInputs('other encoders');
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

export function ffmpegOf({ ffmpeg }: Stage): Ffmpeg {
  if (!ffmpeg) throw new Error('a piece of a film was started without an encoder');
  return ffmpeg;
}

function codingOf({ format }: Pick<OutputSettings, 'format'>): FilmCoding {
  if (!isFilm(format)) throw new Error(`a ${format} is not made in pieces`);
  return filmFormats[format];
}

export function otherInputs(what: string): RenderError {
  return new RenderError('pieces_differ', `Render error: The pieces of the film have ${what}`);
}
