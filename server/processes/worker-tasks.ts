/** Does what the rows of server/jobs/worker/tasks.ts name, on the drawing thread of a worker. */
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { RenderError } from '../../shared/engine/errors.ts';
import { readsOwnFilesOnly } from '../engine/assets/examine/old-ffmpeg.ts';
import { engineBuild } from '../engine/build.ts';
import { cageInWords } from '../engine/cage.ts';
import { findFfmpeg } from '../engine/ffmpeg.ts';
import { knownPictureProblem } from '../engine/known-picture.ts';
import { PreviewStage } from '../engine/preview.ts';
import { isJsonObject, type Source } from '../../shared/renderscript/source.ts';
import { knownFamilies } from '../engine/assets/fonts/font-register.ts';
import { inspectFile } from '../engine/inspect.ts';
import { inspectFont } from '../engine/inspect-font.ts';
import { writeProxy } from '../engine/proxy.ts';
import { writeSound } from '../engine/sound.ts';
import { writeTranscript } from '../engine/transcription.ts';
import { writeSheet } from '../jobs/feeds/feed-spreadsheet.ts';
import type { SentDocument } from '../jobs/worker/engine-settings.ts';
import { sourceLost } from '../jobs/worker/protocol.ts';
import { tasks, type TaskInput, type TaskName, type TaskOutput } from '../jobs/worker/tasks.ts';

/** What work is given beside its input. */
interface TaskContext {
  readonly signal: AbortSignal;
  /** Told the share that is done, 0–1. */
  readonly onProgress: (share: number) => void;
}

/** Stays open between pictures; made with the first. */
let previews: PreviewStage | null = null;

type Run<Name extends TaskName> = (
  input: TaskInput<Name>,
  context: TaskContext,
) => TaskOutput<Name> | Promise<TaskOutput<Name>>;

const runs: { readonly [Name in TaskName]: Run<Name> } = {
  async inspect(input, { signal }) {
    const found = await inspectFile(withProgram(input), signal);
    return { facts: found.info, isCutOff: found.isCutOff, thumbnail: found.thumbnail };
  },
  'inspect-font': ({ filePath, fontFolder }) => inspectFont(filePath, fontFolder),
  'list-fonts': ({ fontFolder }) => knownFamilies(fontFolder),
  async sound({ source, ...input }, { signal }) {
    await mkdir(input.workFolder, { recursive: true });
    const job = { ...withProgram(input), source: readSource(source) };
    return { duration: await writeSound(job, signal) };
  },
  async proxy(input, { signal }) {
    return { name: await writeProxy(withProgram(input), signal) };
  },
  async 'read-sheet'(input) {
    const { sheets, sheet } = await writeSheet(input);
    return { sheets: [...sheets], sheet };
  },
  async transcribe(input, { signal, onProgress }) {
    return { words: await writeTranscript(withProgram(input), onProgress, signal) };
  },
  async preview({ source, ...input }, { signal }) {
    previews ??= new PreviewStage();
    const job = { ...withProgram(input), source: readSource(source) };
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

/** Does one. @param input As it arrived. @throws what the work throws, and ZodError. */
export async function runTask<Name extends TaskName>(
  name: Name,
  input: unknown,
  context: TaskContext,
): Promise<TaskOutput<Name>> {
  // The row's own schema, which the types can't follow through the table.
  return runs[name](tasks[name].input.parse(input) as TaskInput<Name>, context);
}

/** The document of a message. @throws RenderError when it was damaged in storage. */
export function readSource(sent: SentDocument): Source {
  let source: unknown;
  try {
    source = JSON.parse(typeof sent === 'string' ? sent : readFileSync(sent.file, 'utf8'));
  } catch (error) {
    throw new RenderError('source_lost', sourceLost, { cause: String(error) });
  }
  if (!isJsonObject(source)) throw new RenderError('source_lost', sourceLost);
  return source;
}

/** A parsed message may hold `undefined` for the program; in the engine's types it may only be absent. */
function withProgram<Input extends { ffmpegPath?: string | undefined }>({
  ffmpegPath,
  ...input
}: Input): Omit<Input, 'ffmpegPath'> & { ffmpegPath?: string } {
  return { ...input, ...(ffmpegPath !== undefined && { ffmpegPath }) };
}
