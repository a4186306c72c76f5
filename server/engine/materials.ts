/**
 * The materials of a document's stage: checked, its files fetched, its recordings transcribed. Plain data, so that
 * another thread can build the same stage. Runs in a worker process.
 */
import { formatOf, isSound, isStill } from '../../shared/renderscript/formats.ts';
import { problemSentence, type Problem } from '../../shared/renderscript/source.ts';
import { parseSeconds } from '../../shared/renderscript/units.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import { RenderError } from '../../shared/engine/errors.ts';
import type { Assets } from './assets/assets.ts';
import { collectMedia, mayNeedFfmpeg } from '../../shared/renderscript/media-requests.ts';
import { loadAssets } from './assets/load.ts';
import { decodeSamples } from './sound-samples.ts';
import { followsSpeech, loadTranscripts, type Transcripts } from './assets/speech/transcripts.ts';
import { findFfmpeg, type Ffmpeg } from './ffmpeg.ts';
import type { RenderContext, RenderJob } from './render-job.ts';
import { timed } from './stopwatch.ts';

/** What a stage is built from, besides the job. */
export interface Materials {
  /** The checker's problems, none of them an error. */
  readonly problems: readonly Problem[];
  /** Null when the render needs none. */
  readonly ffmpeg: Ffmpeg | null;
  readonly assets: Assets;
  readonly spoken: Transcripts;
  /** Files with the samples of sounds that are shown, by `source`. */
  readonly samples: ReadonlyMap<string, string>;
}

/**
 * Checks a document and fetches what it names.
 *
 * @param load Where the media come from. Default: fetched anew.
 * @throws RenderError
 */
export async function gatherMaterials(
  job: RenderJob,
  context: RenderContext,
  load: typeof loadAssets = loadAssets,
): Promise<Materials> {
  const problems = checkSource(job);
  const finding = needsFfmpeg(job) ? findFfmpeg(job.ffmpegPath) : null;
  // Whoever waits for it below sees its failure.
  finding?.catch(() => undefined);
  const loading = timed('fetch and probe', () =>
    load(job.source, assetOptions(job, context), finding),
  );
  const assets = await loading.catch(async (error: unknown) => {
    // Without an encoder the render waits, whatever else is wrong.
    await finding;
    throw error;
  });
  const ffmpeg = await finding;
  const spoken = await transcriptsOf(job, context, assets, ffmpeg);
  const samples = await decodeSamples(job.source, assets, ffmpeg, context.signal);
  return { problems, ffmpeg, assets, spoken, samples };
}

/**
 * The checker's problems of a document that can be rendered.
 *
 * @throws RenderError `invalid_source` for one that can't.
 */
function checkSource({ source, scaling: wanted }: RenderJob): readonly Problem[] {
  const problems = validate(source, wanted);
  const error = problems.find((problem) => problem.severity === 'error');
  if (error)
    throw new RenderError('invalid_source', `Source error: ${problemSentence(error)}`, {
      path: error.path,
    });
  return problems;
}

/** Pictures without video inputs are drawn and written without ffmpeg. */
function needsFfmpeg({ source, moment }: RenderJob): boolean {
  const still = moment !== undefined || isStill(formatOf(source));
  return !still || collectMedia(source).some(({ uses }) => [...uses].some(mayNeedFfmpeg));
}

/** Whether a document becomes the picture that it asks for, and not some moment of the film that it could be. */
export function isOwnPicture({ source, moment, asPicture = false }: RenderJob): boolean {
  return isStill(formatOf(source)) && (moment === undefined || asPicture);
}

/** The words of texts that follow speech; pictures without a moment have no speech, and no one sees texts of sounds. */
async function transcriptsOf(
  job: RenderJob,
  context: RenderContext,
  assets: Assets,
  ffmpeg: Ffmpeg | null,
): Promise<Transcripts> {
  const isUnseen = isSound(formatOf(job.source)) && job.moment === undefined;
  const isTimeless = isOwnPicture(job) && parseSeconds(job.source.snapshot_time) === null;
  if (isUnseen || isTimeless || !followsSpeech(job.source))
    return { byText: new Map(), warnings: [] };
  return loadTranscripts(job.source, assets, {
    ...assetOptions(job, context),
    ffmpeg,
    transcriber: job.transcriber ?? null,
    preview: job.moment !== undefined,
    onTranscribing: ({ recording: frame, recordings: frames, share }) =>
      context.onProgress({ phase: 'transcribing', frame, frames, share }),
  });
}

/** A render's options for loading media. */
export function assetOptions(
  job: Pick<
    RenderJob,
    | 'workFolder'
    | 'cacheFolder'
    | 'cacheLimit'
    | 'mediaFolders'
    | 'hiddenMedia'
    | 'allowPrivateAddresses'
    | 'ownPorts'
    | 'voices'
    | 'limits'
  >,
  { signal, onProgress, onElement }: RenderContext,
): Parameters<typeof loadAssets>[1] {
  return {
    workFolder: job.workFolder,
    cacheFolder: job.cacheFolder,
    cacheLimit: job.cacheLimit,
    mediaFolders: job.mediaFolders,
    hiddenMedia: job.hiddenMedia,
    allowPrivateAddresses: job.allowPrivateAddresses,
    ownPorts: job.ownPorts,
    voices: job.voices,
    pictureMegapixels: job.limits.pictureMegapixels,
    mediaBytes: job.limits.mediaBytes,
    signal,
    ...(onElement && { onElement }),
    onProgress: ({ files: frame, fileCount: frames, bytes, bytesTotal }) =>
      onProgress({
        phase: 'waiting',
        frame,
        frames,
        ...(bytes > 0 && { bytes }),
        ...(bytesTotal !== null && bytesTotal > 0 && { bytesTotal }),
      }),
  };
}
