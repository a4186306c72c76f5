/**
 * What a worker can be asked beside renders, as rows: what is sent and what is answered, how long it may take, and what
 * a person is told when there is no answer (task-faults.ts). A new one is a row here and one in
 * server/processes/worker-tasks.ts, which does it; who asks goes through ask-worker.ts. Both sides parse what arrives
 * (zod), because it comes from another process.
 */
import { z } from 'zod';
import { mediaFacts } from '../../../shared/api/media.ts';
import {
  fontLibraryLimits,
  mediaLibraryLimits,
  proxyLimits,
  soundLimits,
  spreadsheetLimits,
  workLimits,
} from '../../../shared/limits.ts';
import { engineSettings, sentDocument, transcriberChoice } from './engine-settings.ts';
import { build } from './piece-protocol.ts';
import { previewInput, previewOutput } from './preview-protocol.ts';

const { fontFolder, ffmpegPath, limits, cacheFolder } = engineSettings;

interface TaskRow {
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** Milliseconds for all of it; null = no limit. */
  readonly time: number | null;
  readonly words: TaskWords | null;
}

/** What is said when there is no output. */
export interface TaskWords {
  /** Where the log has the rest. */
  readonly log: string;
  /** No answer in time. */
  readonly late: string;
  /** The process ended; absent: how. */
  readonly ended?: string;
  /** A bug; absent: what the worker says. */
  readonly bug?: string;
}

/** The rows, by name. */
export const tasks = {
  /** Facts of a file for the media library. */
  inspect: {
    input: z.object({
      filePath: z.string(),
      /** Without its ending. */
      thumbnailPath: z.string(),
      workFolder: z.string(),
      fontFolder,
      ffmpegPath,
      limits,
    }),
    output: z.object({
      facts: mediaFacts,
      isCutOff: z.boolean(),
      thumbnail: z.enum(['jpg', 'png']).nullable(),
    }),
    time: mediaLibraryLimits.inspectTime,
    words: {
      log: 'media',
      late: 'It took too long to look at the file',
      ended: 'The file ends the program that looks at it',
      bug: "The file can't be read",
    },
  },
  /** Facts of a font file. */
  'inspect-font': {
    input: z.object({ filePath: z.string(), fontFolder }),
    output: z.object({
      family: z.string(),
      style: z.enum(['normal', 'italic']),
      minWeight: z.number(),
      maxWeight: z.number(),
      /** A shipped family has this name. */
      isShipped: z.boolean(),
    }),
    time: fontLibraryLimits.inspectTime,
    words: {
      log: 'fonts',
      late: 'it took too long to look at it',
      ended: 'it ends the program that looks at it',
      bug: "it can't be read",
    },
  },
  /** The font families that texts can use. */
  'list-fonts': {
    input: z.object({ fontFolder }),
    output: z.object({ bundled: z.array(z.string()), installed: z.array(z.string()) }),
    time: workLimits.startTime,
    words: { log: 'fonts', late: 'it gave no answer' },
  },
  /** A document's sound as a file. */
  sound: {
    input: z.object({
      /** The document after modifications. */
      source: sentDocument,
      soundPath: z.string(),
      /** Seconds. */
      longest: z.number(),
      workFolder: z.string(),
      ...engineSettings,
    }),
    /** Seconds, or null if the document is silent. */
    output: z.object({ duration: z.number().nullable() }),
    time: soundLimits.time,
    words: {
      log: 'sound',
      late: 'It took too long to mix the sound',
      ended: 'The sound ends the program that mixes it',
    },
  },
  /** A small copy of a video, for browsers. */
  proxy: {
    input: z.object({
      filePath: z.string(),
      /** Where copies are kept, by the content of what they are copies of. */
      folder: z.string(),
      workFolder: z.string(),
      ffmpegPath,
    }),
    /** Its name in the folder. */
    output: z.object({ name: z.string().regex(/^[0-9a-f]{64}\.mp4$/) }),
    time: proxyLimits.time,
    words: {
      log: 'proxy',
      late: 'It took too long to copy',
      ended: 'The video ends the program that copies it',
    },
  },
  /** A sheet of a spreadsheet, whose rows are written as JSON. */
  'read-sheet': {
    input: z.object({
      filePath: z.string(),
      rowsPath: z.string(),
      /** Its place, from 1. */
      sheet: z.number(),
    }),
    /** Names of all sheets, and the one that was read. */
    output: z.object({ sheets: z.array(z.string()), sheet: z.number() }),
    time: spreadsheetLimits.time,
    /** Its reader refuses the file in words of its own. */
    words: null,
  },
  /** The words of a recording, to be kept for renders. */
  transcribe: {
    input: z.object({
      filePath: z.string(),
      workFolder: z.string(),
      cacheFolder,
      ffmpegPath,
      transcriber: transcriberChoice,
    }),
    /** How many words there are. */
    output: z.object({ words: z.number() }),
    /** Hours of speech on a slow computer. */
    time: 12 * 3_600_000,
    words: {
      log: 'transcribe',
      late: 'It took too long',
      ended: 'The recording ends the program that transcribes it',
    },
  },
  /** One picture for the editor. Whoever asks watches its signs of life. */
  preview: { input: previewInput, output: previewOutput, time: null, words: null },
  /** Draws the known picture (server/engine/known-picture.ts), to test whether the worker can draw at all. */
  prove: {
    input: z.object({
      fontFolder,
      /** For its files; made and removed by the worker. */
      workFolder: z.string(),
    }),
    /** Null if the picture is right. */
    output: z.object({ problem: z.string().nullable() }),
    time: workLimits.startTime,
    words: { log: 'worker', late: 'it did not draw its own picture in time' },
  },
  /** Finds ffmpeg, without which no film starts. */
  'find-encoder': {
    input: z.object({
      ffmpegPath,
      /** Also tell what films follow from; with the folder of shipped fonts. Absent: no. */
      fontFolder: fontFolder.optional(),
    }),
    output: z.object({
      found: z.object({
        path: z.string(),
        version: z.string(),
        ownFilesOnly: z.boolean(),
        cage: z.enum(['network and limits', 'network', 'limits', 'none']),
        endsWithWorker: z.boolean(),
      }),
      build: build.exactOptional(),
    }),
    time: null,
    words: null,
  },
} as const satisfies Record<string, TaskRow>;

/** What can be asked at any time, also during other work. */
export const asides: ReadonlySet<string> = new Set<TaskName>(['find-encoder']);

export type TaskName = keyof typeof tasks;
export type TaskInput<Name extends TaskName> = z.infer<(typeof tasks)[Name]['input']>;
export type TaskOutput<Name extends TaskName> = z.infer<(typeof tasks)[Name]['output']>;

/** Server → worker. */
export const taskMessage = z.object({
  type: z.literal('task'),
  /** The answers repeat it. */
  id: z.string(),
  name: z.custom<TaskName>((name) => typeof name === 'string' && Object.hasOwn(tasks, name)),
  /** As the row says. */
  input: z.unknown(),
});

/** Why work failed; the same for renders and tasks. */
const failure = z.object({
  /** `internal_error`: something is wrong with the program. All others say themselves what to do. */
  code: z.string(),
  message: z.string(),
  path: z.string().optional(),
  /** For the log. */
  details: z.string().exactOptional(),
  /** A thread of the process may be stuck for ever: it takes no more work. */
  spoilt: z.literal(true).exactOptional(),
});

/** Worker → server, besides `ready`. */
export const taskEvents = [
  /** The drawing thread's sign of life, with the share that is done (0–1) if that is known. */
  z.object({ type: z.literal('task-progress'), id: z.string(), share: z.number().exactOptional() }),
  z.object({ type: z.literal('task-done'), id: z.string(), output: z.unknown() }),
  failure.extend({ type: z.literal('failed'), id: z.string() }),
] as const;

export type TaskMessage = z.infer<typeof taskMessage>;
export type TaskEvent = z.infer<(typeof taskEvents)[number]>;
export type WorkFailure = z.infer<typeof failure>;
