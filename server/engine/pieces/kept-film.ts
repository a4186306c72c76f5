/**
 * A film of which only the pieces are made that were not made before: its frames are laid out, each piece's print is
 * looked up, what lacks is made, and all is joined. The file is the same to the byte however many were there. Runs in a
 * worker.
 */
import path from 'node:path';
import { isFilm } from '../../../shared/renderscript/formats.ts';
import type { Problem } from '../../../shared/renderscript/source.ts';
import { audibleSounds } from '../encode/audio.ts';
import { filmCoding } from '../encode/film-formats.ts';
import type { PieceFile } from '../encode/piece-encoders.ts';
import { makeMotion, separateSnapshotFrame, rangeOf, writeSnapshot } from '../motion.ts';
import { planOverlay } from '../overlay-plan.ts';
import { planFrames, type FrameRange, type PlanOptions } from '../plan.ts';
import type { RenderContext, RenderJob, RenderResult } from '../render-job.ts';
import type { Stage } from '../stage.ts';
import { timed } from '../stopwatch.ts';
import { isPlainWay } from '../../system/plain-way.ts';
import { pieceFolder } from '../../system/kept-pieces.ts';
import { ffmpegOf, joinFilm, makeSound } from './join.ts';
import { Grounds } from './grounds.ts';
import { PieceCache } from './piece-cache.ts';
import { openPrints } from './prints.ts';

/** How a film is made in pieces. */
export interface KeptFilm {
  readonly plans: PlanOptions;
  readonly ranges: readonly FrameRange[];
  /** Each piece is made by one ffmpeg. */
  readonly isOneProcess: boolean;
  /** Bytes that all kept pieces may take. */
  readonly limit: number;
}

/** A piece of a film, there or to be made. */
interface Part extends PieceFile {
  readonly print: string;
  readonly isThere: boolean;
}

/** True if what is made of a document may be kept: anyone who has the same print would make the same. */
export function mayBeKept(job: RenderJob, stage: Stage): boolean {
  const { format, videoCodec } = stage.timeline.output;
  if (isPlainWay() || job.moment !== undefined) return false;
  if (!isFilm(format) || !filmCoding({ format, videoCodec }).isJoined) return false;
  // The font is called by its name alone.
  return !stage.warnings().some(({ code }) => code === 'installed_font');
}

/** Makes a film of which pieces may be there. @throws RenderError */
export async function renderKept(
  job: RenderJob,
  stage: Stage,
  context: RenderContext,
  film: KeptFilm,
): Promise<RenderResult> {
  const { timeline } = stage;
  const { output } = timeline;
  const failed = new AbortController();
  const signal = AbortSignal.any([context.signal, failed.signal]);
  const cache = await PieceCache.open(pieceFolder(job.cacheFolder), film.limit);
  const prints = await openPrints(job, stage, ffmpegOf(stage), film.isOneProcess);
  const warnings: Problem[] = [];
  const sounding = takeSound(job, stage, { ...context, signal }, { cache, prints, warnings });
  // Whoever waits for it below sees its failure.
  sounding.catch(() => undefined);
  try {
    const parts = await findParts(job, film, { cache, prints, signal });
    await makeParts({ job, stage, context: { ...context, signal }, film, parts, cache, warnings });
    const snapshotFrame = separateSnapshotFrame(timeline);
    if (snapshotFrame !== null) {
      await stage.draw(film.plans.frameAt(film.plans.times[snapshotFrame] ?? 0));
      await writeSnapshot(job, stage);
    }
    const sound = await sounding;
    const { frameCount: frames } = output;
    context.onProgress({ phase: 'finishing', frame: frames, frames });
    const facts = await joinFilm(job, { output, pieces: parts, sound }, ffmpegOf(stage), signal);
    await cache.shrink();
    const there = parts.filter(({ isThere }) => isThere);
    const reused = there.reduce((sum, { first, end }) => sum + end - first, 0) / output.frameRate;
    return {
      facts,
      snapshot: snapshotFrame !== null,
      warnings: [...stage.warnings(), ...warnings],
      ...(reused > 0 && { reused }),
    };
  } catch (error) {
    failed.abort();
    await sounding.catch(() => undefined);
    throw error;
  }
}

interface Finding {
  readonly cache: PieceCache;
  readonly prints: Awaited<ReturnType<typeof openPrints>>;
}

/** The whole sound of a film, kept or made; null: it has none. */
async function takeSound(
  job: RenderJob,
  stage: Stage,
  context: RenderContext,
  { cache, prints, warnings }: Finding & { warnings: Problem[] },
): Promise<string | null> {
  const { sounds, output } = stage.timeline;
  if (audibleSounds(sounds, output.frameCount / output.frameRate).length === 0) return null;
  const file = path.join(job.workFolder, 'sound.mp4');
  const print = prints.sound();
  if (await cache.take(print, file)) return file;
  const quiet = { ...context, onProgress: () => undefined };
  const found = await makeSound({ ...job, outputPath: file }, stage, quiet);
  warnings.push(...found);
  if (found.length === 0) await cache.keep(print, file);
  return file;
}

/** Lays out all frames, and looks for the pieces. */
async function findParts(
  { workFolder }: RenderJob,
  { plans, ranges }: KeptFilm,
  { cache, prints, signal }: Finding & { signal: AbortSignal },
): Promise<readonly Part[]> {
  const parts: Part[] = [];
  for await (const print of prints.pieces(planFrames(plans), ranges, signal)) {
    const range = ranges[parts.length];
    if (!range) break;
    const filePath = path.join(workFolder, `piece-${parts.length}.mp4`);
    parts.push({ ...range, filePath, print, isThere: await cache.take(print, filePath) });
  }
  return parts;
}

interface MakingParts {
  readonly job: RenderJob;
  readonly stage: Stage;
  readonly context: RenderContext;
  readonly film: KeptFilm;
  readonly parts: readonly Part[];
  readonly cache: PieceCache;
  readonly warnings: Problem[];
}

/** Makes the pieces that lack: those that follow each other in a row, so that decoders stay open. */
async function makeParts(making: MakingParts): Promise<void> {
  const { job, stage, context, film, parts, cache, warnings } = making;
  const { plans, isOneProcess } = film;
  const { output } = stage.timeline;
  const ffmpeg = ffmpegOf(stage);
  const known = stage.warnings().length;
  const grounds = job.isShared
    ? new Grounds(job.cacheFolder, job.workFolder, film.limit)
    : undefined;
  let done = parts.reduce((sum, { isThere, first, end }) => sum + (isThere ? end - first : 0), 0);
  const keep = async ({ filePath }: PieceFile): Promise<void> => {
    const part = parts.find((one) => one.filePath === filePath);
    // What warns is made again each time, so that its warnings are told each time.
    const isQuiet = warnings.length === 0 && stage.warnings().length === known;
    // Element after element, one ffmpeg makes nothing, and other pixels come under graphics.
    const isUsual = !isOneProcess || job.closely !== true;
    if (part && isQuiet && isUsual) await cache.keep(part.print, filePath);
  };
  for (const row of rowsOf(parts, isOneProcess)) {
    const [{ first, filePath } = { first: 0, filePath: '' }] = row;
    const range = { first, end: row.at(-1)?.end ?? first };
    const frames = range.end - range.first;
    const before = done;
    await makeMotion({
      ...{ job, stage, plans, range, warnings, grounds, snapshotFrame: null },
      context: {
        ...context,
        onProgress: ({ phase, frame, ...rest }) =>
          context.onProgress({
            ...rest,
            phase: phase === 'finishing' ? 'rendering' : phase,
            frame: before + frame,
            frames: output.frameCount,
          }),
      },
      encoding: {
        ...{ ffmpeg, sound: null, isPiece: true, filePath, workFolder: job.workFolder },
        output: { ...output, frameCount: frames },
        signal: context.signal,
      },
      overlay:
        isOneProcess && job.closely !== true
          ? await planOverlay(rangeOf(plans, range), ffmpeg, context.signal)
          : null,
      ...(!isOneProcess && { pieces: { files: row, onPiece: keep } }),
    });
    if (isOneProcess) for (const part of row) await timed('finish and check', () => keep(part));
    done += frames;
  }
}

/** Pieces to be made that follow each other; each by itself where one ffmpeg makes it. */
function rowsOf(parts: readonly Part[], isOneProcess: boolean): Part[][] {
  const rows: Part[][] = [];
  for (const [index, part] of parts.entries()) {
    if (part.isThere) continue;
    const follows = !isOneProcess && parts[index - 1]?.isThere === false;
    const last = rows.at(-1);
    if (follows && last) last.push(part);
    else rows.push([part]);
  }
  return rows;
}
