/**
 * What a check knows about a document: everything is fetched, compiled, laid out, drawn and mixed once, and the rows of
 * checks.ts only look at it. Runs in a worker process.
 */
import { RenderError } from '../../../shared/engine/errors.ts';
import {
  scheduleDocument,
  type ScheduledElement,
} from '../../../shared/engine/compile/schedule.ts';
import type { Timeline } from '../../../shared/engine/compile/timeline.ts';
import type { MediaInfo } from '../../../shared/engine/media-info.ts';
import { withStandIns } from '../../../shared/engine/stand-in.ts';
import type { Finding, RenderEstimate } from '../../../shared/findings.ts';
import { formatOf, formats, isSound, isStill } from '../../../shared/renderscript/formats.ts';
import {
  isJsonObject,
  type JsonObject,
  type Problem,
  type Source,
} from '../../../shared/renderscript/source.ts';
import { MediaShelf, type Found } from '../assets/shelf.ts';
import { findFfmpeg } from '../ffmpeg.ts';
import { assetOptions } from '../materials.ts';
import type { RenderJob } from '../render-job.ts';
import { openStage, type Stage } from '../stage.ts';
import { estimateOf } from './estimate.ts';
import { hear, type HeardSounds } from './heard-sounds.ts';
import { seeTexts, type SeenText } from './seen-texts.ts';

/** What to check, and what checking may touch. */
export interface CheckJob extends Omit<
  RenderJob,
  'moment' | 'asPicture' | 'closely' | 'outputPath' | 'snapshotPath' | 'madeFrom'
> {
  /** What the language's own checker says of the document and its modifications. */
  readonly problems: readonly Problem[];
}

/** One fault of a document, as a row finds it. */
export type Fault = Omit<Finding, 'level' | 'code'> & Partial<Pick<Finding, 'level' | 'code'>>;

/** One check. */
export interface CheckRow {
  /** Of its findings, unless they have their own. */
  readonly code: string;
  readonly level: Finding['level'];
  readonly find: (facts: CheckFacts) => readonly Fault[];
}

/** What is known of a document. */
export interface CheckFacts {
  readonly source: Source;
  readonly problems: readonly Problem[];
  /** Its files, and what is wrong with them. */
  readonly files: Found;
  /** What a render of it would end with, found while its film was made, drawn and mixed. */
  readonly failures: readonly Problem[];
  /** Whether someone writes down what is said in its recordings. */
  readonly isHeard: boolean;
  /** Who speaks its texts, as lines of the setting. */
  readonly voices: readonly string[];
  /** Null: the document has errors, so there is no film. */
  readonly film: FilmFacts | null;
}

/** The film that a render would make. */
export interface FilmFacts {
  readonly timeline: Timeline;
  readonly media: ReadonlyMap<string, MediaInfo>;
  readonly fonts: Stage['fonts'];
  readonly fontFolder: string;
  /** Every element with its place in time, sounds included. */
  readonly elements: readonly PlacedElement[];
  /** Warnings from compiling and drawing. */
  readonly warnings: readonly Problem[];
  readonly texts: readonly SeenText[];
  /** Null: the file has no sound. */
  readonly sounds: HeardSounds | null;
  /** Null: it could not be drawn. */
  readonly estimate: RenderEstimate | null;
}

/** An element in time. */
export interface PlacedElement {
  readonly element: ScheduledElement;
  /** Seconds that its composition, or the film, lasts. */
  readonly room: number;
  /** The name of what it lies in: `the film` or that of a composition. */
  readonly within: string;
}

/** Longest side of the pictures that are looked at: letters of a legible size then have some pixels. */
const lookedAt = 1_280;

/** Finds everything out. @throws RenderError `cancelled`, `limit_exceeded` and others that concern no single file */
export async function gatherFacts(job: CheckJob, signal: AbortSignal): Promise<CheckFacts> {
  const { source, problems } = job;
  const context = { signal, onProgress: () => undefined };
  const files = await new MediaShelf().load(source, assetOptions(job, context), () =>
    findFfmpeg(job.ffmpegPath),
  );
  const isHeard = job.transcriber !== undefined;
  const known = { source, problems, files, isHeard, voices: job.voices?.lines ?? [] };
  if (problems.some(({ severity }) => severity === 'error'))
    return { ...known, failures: [], film: null };
  const failures: Problem[] = [];
  /** Does a part of the work; what would end a render is a failure of the document, and the rest goes on. */
  const attempt: Attempt = async (work, otherwise) => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RenderError) || notOfDocuments.has(error.code)) throw error;
      failures.push(failureOf(error));
      return otherwise;
    }
  };
  const film = await attempt<FilmFacts | null>(() => makeFilm(job, files, attempt, signal), null);
  return { ...known, failures, film };
}

type Attempt = <Result>(work: () => Promise<Result>, otherwise: Result) => Promise<Result>;

/** For which no document is to blame. */
const notOfDocuments: ReadonlySet<string> = new Set([
  'cancelled',
  'encoder_missing',
  'encoder_killed',
  'output_unwritable',
]);

function failureOf({ code, message, path = '' }: RenderError): Problem {
  const plain = message.replace(/^Source error: /, '');
  return { path, element: '', property: '', severity: 'error', code, message: plain };
}

async function makeFilm(
  job: CheckJob,
  files: Found,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<FilmFacts> {
  const { source, fontFolder } = job;
  // As for a picture of one moment, so that nothing is transcribed for it, and no voice is paid.
  const asPicture = isStill(formatOf(source));
  // Ends in png if the format keeps transparency, so that the canvas is like the render's.
  const outputPath = formats[formatOf(source)].keepsAlpha ? 'check.png' : 'check.jpg';
  const picture = { outputPath, snapshotPath: '', moment: 0, asPicture };
  const scaling = { maxWidth: lookedAt, maxHeight: lookedAt };
  // What stands in for a lost picture must not hide a text.
  const { missing } = files;
  const shown = withStandIns(source, { missing, hidden: elementsOf(source, missing) });
  const stage = await openStage(
    { ...job, ...picture, scaling, source: shown },
    { signal, onProgress: () => undefined },
    () => Promise.resolve(files.assets),
  );
  try {
    const { timeline, media, fonts } = stage;
    const isSeen = !isSound(formatOf(source));
    const texts = isSeen ? await attempt(() => seeTexts(stage, signal), []) : [];
    const sounds = await attempt(() => hear(stage, job.workFolder, signal), null);
    const estimate = await attempt(() => estimateOf(stage, job.scaling, signal), null);
    const schedule = scheduleDocument(shown, media);
    return {
      ...{ timeline, media, fonts, fontFolder, texts, sounds, estimate },
      elements: placed(schedule.elements, timeline.duration, 'the film'),
      warnings: drawingWarnings(stage, job.problems),
    };
  } finally {
    await stage.close();
  }
}

/** The paths of elements whose files are among some. */
function elementsOf(
  parent: JsonObject,
  sources: ReadonlySet<string>,
  path = 'elements',
): readonly string[] {
  const list: unknown = parent.elements;
  if (!Array.isArray(list)) return [];
  return list.flatMap((json: unknown, index): readonly string[] => {
    if (!isJsonObject(json)) return [];
    const own = `${path}[${index}]`;
    if (typeof json.source === 'string' && sources.has(json.source)) return [own];
    return elementsOf(json, sources, `${own}.elements`);
  });
}

function placed(
  elements: readonly ScheduledElement[],
  room: number,
  within: string,
): PlacedElement[] {
  return elements.flatMap((element) => [
    { element, room, within },
    ...placed(element.children, element.contentDuration, element.name),
  ]);
}

/** Without those of the checker, and of files, which are told of otherwise. */
function drawingWarnings(stage: Stage, problems: readonly Problem[]): readonly Problem[] {
  const files = stage.materials.assets.warnings;
  const known = [...problems, ...stage.problems, ...files];
  const names = new Set(known.map(({ path, code }) => `${path} ${code}`));
  return stage.warnings().filter(({ path, code }) => !names.has(`${path} ${code}`));
}
