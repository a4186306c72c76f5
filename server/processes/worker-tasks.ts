/** Does what the rows of server/jobs/worker/tasks.ts name, on the drawing thread of a worker. */
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { RenderError } from '../../shared/engine/errors.ts';
import { isJsonObject, problemSentence, type Source } from '../../shared/renderscript/source.ts';
import { readsOwnFilesOnly } from '../engine/assets/examine/old-ffmpeg.ts';
import { engineBuild } from '../engine/build.ts';
import { checkDocument } from '../engine/check/check.ts';
import { cageInWords } from '../engine/cage.ts';
import { tryFamilies } from '../engine/encode/hardware-trial.ts';
import { findFfmpeg } from '../engine/ffmpeg.ts';
import { freeReadPixels } from '../engine/garbage.ts';
import { handOver } from '../engine/handover.ts';
import { knownPictureProblem } from '../engine/known-picture.ts';
import { joinPieces, makePiece, renderOrSplit } from '../engine/pieces/pieces.ts';
import { PreviewStage } from '../engine/preview.ts';
import { knownFamilies } from '../engine/assets/fonts/font-register.ts';
import { listSystemVoices, systemProgram } from '../engine/assets/voices/system-voice.ts';
import { speak } from '../engine/assets/voices/voices.ts';
import { inspectFile, inspectFont } from '../engine/inspect.ts';
import { writeProxy } from '../engine/proxy.ts';
import type { RenderContext, RenderJob, RenderProgress } from '../engine/render-job.ts';
import { render } from '../engine/render.ts';
import { writeSound } from '../engine/sound.ts';
import { writeTranscript } from '../engine/transcription.ts';
import { tryFiles } from '../engine/try-files.ts';
import { writeSheet } from '../jobs/feeds/feed-spreadsheet.ts';
import type { SentDocument } from '../jobs/worker/engine-settings.ts';
import { sourceLost } from '../jobs/worker/protocol.ts';
import type { RenderInput, RenderOutput } from '../jobs/worker/render-protocol.ts';
import {
  tasks,
  type TaskInput,
  type TaskName,
  type TaskOutput,
  type TaskProgress,
} from '../jobs/worker/tasks.ts';
import { Trail } from '../jobs/trail.ts';

/** What work is given beside its input. */
interface TaskContext<Progress> {
  readonly signal: AbortSignal;
  /** Told at once. */
  readonly onProgress: (progress: Progress) => void;
  /** Told with every sign of life from now on. */
  readonly onPosition: (progress: Progress) => void;
  /** True while nobody should hear a sign of life. */
  readonly onQuiet: (isQuiet: boolean) => void;
  /** For the log. */
  readonly onNote: (text: string) => void;
  /** Where it is, and so the place of a bug. */
  readonly onElement: (path: string | null) => void;
  /** Whether a small picture of the next frame is wanted. */
  readonly wantsPicture: () => boolean;
}

/** Stays open between pictures; made with the first. */
let previews: PreviewStage | null = null;

type Run<Name extends TaskName> = (
  input: TaskInput<Name>,
  context: TaskContext<TaskProgress<Name>>,
) => TaskOutput<Name> | Promise<TaskOutput<Name>>;

const runs: { readonly [Name in TaskName]: Run<Name> } = {
  async render({ task, source, ...input }, context) {
    const trail = new Trail(input.workFolder);
    const follow = (progress: RenderProgress): void => {
      trail.note({ phase: progress.phase, frame: progress.frame });
      context.onPosition(progress);
    };
    follow({ phase: 'waiting', frame: 0, frames: 0 });
    try {
      return await makeFile({ ...input, source: readSource(source) }, task, {
        ...context,
        onProgress: follow,
        onElement: (path) => {
          context.onElement(path);
          trail.at(path);
        },
        onPicture: (jpg) => context.onProgress({ picture: jpg.toString('base64') }),
      });
    } finally {
      trail.close();
      // Once the end is told.
      setImmediate(() => void freeReadPixels());
    }
  },
  async inspect(input, { signal }) {
    const found = await inspectFile(input, signal);
    return { facts: found.info, isCutOff: found.isCutOff, thumbnail: found.thumbnail };
  },
  'inspect-font': ({ filePath, fontFolder }) => inspectFont(filePath, fontFolder),
  'list-fonts': ({ fontFolder }) => knownFamilies(fontFolder),
  async sound({ source, ...input }, { signal }) {
    const job = { ...input, source: readSource(source) };
    return { duration: await writeSound(job, signal) };
  },
  async proxy(input, { signal }) {
    return { name: await writeProxy(input, signal) };
  },
  async 'read-sheet'(input) {
    const { sheets, sheet } = await writeSheet(input);
    return { sheets: [...sheets], sheet };
  },
  async 'try-files'(input, { signal, onProgress }) {
    await tryFiles(input, onProgress, signal);
    return {};
  },
  async check({ source, ...input }, { signal }) {
    const { findings, ...rest } = await checkDocument(
      { ...input, source: readSource(source) },
      signal,
    );
    return { report: { ...rest, findings: [...findings] } };
  },
  async 'hand-over'({ source, ...input }, { signal }) {
    const { text, lost } = await handOver({ ...input, source: readSource(source) }, signal);
    return { file: { text, lost: [...lost] } };
  },
  transcribe(input, { signal, onProgress }) {
    return writeTranscript(input, onProgress, signal);
  },
  async speak({ provider, text, soundPath, cacheFolder, voices }, { signal }) {
    await speak({ provider, text }, soundPath, { voices, cacheFolder, signal });
    return {};
  },
  async 'list-voices'() {
    return {
      found: await listSystemVoices(),
      package: systemProgram(process.platform).package,
    };
  },
  async 'try-hardware'({ family, again, ffmpegPath, ...place }, { signal }) {
    const ffmpeg = await findFfmpeg(ffmpegPath);
    return { found: await tryFamilies(ffmpeg, family, { ...place, signal }, again) };
  },
  async preview({ source, ...input }, { signal }) {
    previews ??= new PreviewStage();
    const job = { ...input, source: readSource(source) };
    const { facts, picture, kit } = await previews.draw(job, signal);
    const elements = [...facts.elements];
    return { facts: { ...facts, elements }, picture: picture.toString('base64'), kit };
  },
  prove: async (input) => ({ problem: await knownPictureProblem(input) }),
  async 'find-encoder'({ ffmpegPath, fontFolder }) {
    const ffmpeg = await findFfmpeg(ffmpegPath);
    const { path, major, minor } = ffmpeg;
    const found = {
      path,
      version: `${major}.${minor}`,
      ownFilesOnly: readsOwnFilesOnly(ffmpeg),
      cage: cageInWords(ffmpeg.cage),
      endsWithWorker: (ffmpeg.cage?.lifeline.length ?? 0) > 0,
    };
    if (fontFolder === undefined) return { found };
    return { found, build: await engineBuild(ffmpeg, fontFolder) };
  },
};

/** The whole file, or what else is asked for. */
async function makeFile(
  job: RenderJob,
  task: RenderInput['task'],
  context: RenderContext,
): Promise<RenderOutput> {
  if (task?.kind === 'piece') {
    const warnings = await makePiece(job, context, task);
    return { kind: 'piece', warnings: warnings.map(problemSentence) };
  }
  const result =
    task?.kind === 'join'
      ? await joinPieces(job, context, task)
      : task
        ? await renderOrSplit(job, context, task)
        : await render(job, context);
  if ('print' in result) return { kind: 'split', split: result };
  const { facts, snapshot, warnings, reused, encoder, hardwareFault } = result;
  const done = {
    ...{ ...facts, snapshot },
    ...(reused !== undefined && { reused }),
    ...(encoder !== undefined && { encoder }),
    ...(hardwareFault && { hardwareFault }),
  };
  return { kind: 'done', facts: done, warnings: warnings.map(problemSentence) };
}

/**
 * Does one, in its work folder if it has one, which is made first; the server removes it (jobs/worker/ask-worker.ts).
 *
 * @param sent As it arrived. @throws what the work throws, and ZodError.
 */
export async function runTask<Name extends TaskName>(
  name: Name,
  sent: unknown,
  context: TaskContext<TaskProgress<Name>>,
): Promise<TaskOutput<Name>> {
  const input = tasks[name].input.parse(sent);
  if ('workFolder' in input) await mkdir(input.workFolder, { recursive: true });
  // The row's own schema, which the types can't follow through the table.
  return runs[name](input as TaskInput<Name>, context);
}

/** The document of a message. @throws RenderError when it was damaged in storage. */
function readSource(sent: SentDocument): Source {
  let source: unknown;
  try {
    source = JSON.parse(typeof sent === 'string' ? sent : readFileSync(sent.file, 'utf8'));
  } catch (error) {
    throw new RenderError('source_lost', sourceLost, { cause: String(error) });
  }
  if (!isJsonObject(source)) throw new RenderError('source_lost', sourceLost);
  return source;
}
