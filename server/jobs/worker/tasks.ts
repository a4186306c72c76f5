/**
 * What a worker can be asked beside drawing, as rows: what is sent and what is answered. A new one is a row here and
 * one in server/processes/worker-tasks.ts, which does it; who asks goes through ask-worker.ts. Both sides parse what
 * arrives (zod), because it comes from another process.
 */
import { z } from 'zod';
import { mediaFacts } from '../../../shared/api/media.ts';
import { engineSettings, sentDocument, transcriberChoice } from './engine-settings.ts';

const { fontFolder, ffmpegPath, limits, cacheFolder } = engineSettings;

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
  },
  /** The font families that texts can use. */
  'list-fonts': {
    input: z.object({ fontFolder }),
    output: z.object({ bundled: z.array(z.string()), installed: z.array(z.string()) }),
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
  },
} as const;

export type TaskName = keyof typeof tasks;
export type TaskInput<Name extends TaskName> = z.infer<(typeof tasks)[Name]['input']>;
export type TaskOutput<Name extends TaskName> = z.infer<(typeof tasks)[Name]['output']>;

/** Server → worker. */
export const taskMessage = z.object({
  type: z.literal('task'),
  name: z.custom<TaskName>((name) => typeof name === 'string' && Object.hasOwn(tasks, name)),
  /** As the row says. */
  input: z.unknown(),
});

/** Worker → server, besides `ready`. */
export const taskEvents = [
  /** The share that is done, 0–1. */
  z.object({ type: z.literal('task-progress'), share: z.number() }),
  z.object({ type: z.literal('task-done'), output: z.unknown() }),
  z.object({
    type: z.literal('task-failed'),
    message: z.string(),
    /** It says itself what to do; else something is wrong with the program. */
    known: z.boolean(),
    /** For the log. */
    stack: z.string().optional(),
  }),
] as const;

export type TaskMessage = z.infer<typeof taskMessage>;
