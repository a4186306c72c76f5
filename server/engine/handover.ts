/**
 * A document as a file for editing programs or players: its files are fetched and examined, and it is compiled as for a
 * render, but nothing is drawn. Runs in a worker process.
 */
import { pathToFileURL } from 'node:url';
import { compileTimeline } from '../../shared/engine/compile/compile.ts';
import { RenderError } from '../../shared/engine/errors.ts';
import { handoverMakers } from '../../shared/engine/handover/makers.ts';
import type { HandedOver, HandoverForm, Loss } from '../../shared/handover.ts';
import type { Marker } from '../../shared/markers.ts';
import { subtitleKinds } from '../../shared/engine/compile/subtitle-file.ts';
import { problemSentence } from '../../shared/renderscript/source.ts';
import { spokenText } from '../../shared/renderscript/voices.ts';
import { findLocal, schemeOf } from '../system/media-folders.ts';
import { MediaShelf, type Found } from './assets/shelf.ts';
import { isCaption, nodesOf } from './assets/speech/transcript-sources.ts';
import { loadTranscripts, type Transcripts } from './assets/speech/transcripts.ts';
import { findFfmpeg } from './ffmpeg.ts';
import { assetOptions } from './materials.ts';
import type { RenderJob } from './render-job.ts';

/** What to write down, and what may be touched. */
export interface HandoverJob extends Omit<
  RenderJob,
  | 'scaling'
  | 'moment'
  | 'asPicture'
  | 'closely'
  | 'outputPath'
  | 'snapshotPath'
  | 'receiptPath'
  | 'madeFrom'
> {
  readonly form: HandoverForm;
  /** Of the film; '' = none. */
  readonly name: string;
  readonly markers: readonly Marker[];
  /** True to have recordings transcribed for captions; false: their words must be known. */
  readonly transcribes: boolean;
  /** Letters of the file and of what is lost; default: any number. */
  readonly longest?: number | undefined;
}

/**
 * Makes the file. Files that can't be read are listed as lost, and so are captions where no captions are made.
 *
 * @throws RenderError `invalid_source`, `transcriber_missing` and others that concern no single file
 */
export async function handOver(job: HandoverJob, signal: AbortSignal): Promise<HandedOver> {
  const { source, form, name, markers } = job;
  const context = { signal, onProgress: () => undefined };
  const files = await new MediaShelf().load(source, assetOptions(job, context), () =>
    findFfmpeg(job.ffmpegPath),
  );
  const { media } = files.assets;
  const facts = new Map([...media].map(([address, { info }]) => [address, info]));
  const hasWords = subtitleKinds.some((kind) => kind === form);
  const transcripts: Transcripts['byText'] = hasWords
    ? await wordsOf(job, files, signal)
    : new Map();
  const timeline = compileTimeline(source, {
    media: facts,
    scaling: {},
    transcripts,
    asFilm: true,
  });
  const addresses = new Map<string, string | null>();
  for (const address of media.keys()) addresses.set(address, await addressOf(address, job));
  const file = handoverMakers[form]({
    ...{ timeline, media: facts, name, markers },
    addressOf: (address) => addresses.get(address) ?? null,
    lost: [...lostFiles(files), ...captionsIn(job)],
  });
  const { longest = Infinity } = job;
  if (lengthOf(file) <= longest) return file;
  throw new RenderError(
    'limit_exceeded',
    `The file would be longer than ${longest} letters, too long for the window. \`framewright export\` writes it`,
  );
}

function lengthOf({ text, lost }: HandedOver): number {
  return lost.reduce(
    (sum, { path, element, what }) => sum + path.length + element.length + what.length,
    text.length,
  );
}

/** The words of texts that follow speech. @throws RenderError for a text whose words can't be known */
async function wordsOf(
  job: HandoverJob,
  { assets }: Found,
  signal: AbortSignal,
): Promise<Transcripts['byText']> {
  const { source, transcriber = null, transcribes } = job;
  const { byText, warnings } = await loadTranscripts(source, assets, {
    ...assetOptions(job, { signal, onProgress: () => undefined }),
    ffmpeg: await findFfmpeg(job.ffmpegPath),
    ...{ transcriber, preview: !transcribes, onTranscribing: () => undefined },
  });
  const [missing] = warnings;
  if (!missing) return byText;
  if (missing.code !== 'not_transcribed')
    throw new RenderError('invalid_source', problemSentence(missing), { path: missing.path });
  throw new RenderError(
    'transcriber_missing',
    `What is said for ‘${missing.element}’ is not written down yet. Open its captions in the editor and have them transcribed, then export again`,
    { path: missing.path },
  );
}

/**
 * Where other programs find a file: local ones get their whole paths, other addresses stay. Null for what is no file of
 * its own: data within the document, and spoken texts.
 */
async function addressOf(
  source: string,
  { mediaFolders, hiddenMedia }: HandoverJob,
): Promise<string | null> {
  if (schemeOf(source) === 'data' || spokenText(source)) return null;
  const found = await findLocal(source, mediaFolders, hiddenMedia);
  return found?.kind === 'file' ? pathToFileURL(found.path).href : source.trim();
}

function lostFiles({ problems }: Found): readonly Loss[] {
  return problems.map(({ path, element, message }) => ({
    ...{ path: path.replace(/\.source$/, ''), element },
    what: `its file (${message})`,
  }));
}

function captionsIn({ source }: HandoverJob): readonly Loss[] {
  return nodesOf(source)
    .filter(isCaption)
    .map(({ path, name }) => ({
      ...{ path, element: name },
      what: 'its captions, which are exported as SRT or VTT',
    }));
}
