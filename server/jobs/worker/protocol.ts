/**
 * The messages between the server and a worker process. A few go in, a few come out; the worker never asks back.
 * Both sides parse what arrives (zod), because it comes from another process.
 */
import { z } from 'zod';
import { engineSettings, sentDocument } from './engine-settings.ts';
import {
  inspectEvents,
  inspectMessage,
  listFontsMessage,
  soundMessage,
} from './inspect-protocol.ts';
import { previewEvents, previewMessage } from './preview-protocol.ts';

/** What a render fails with whose document can't be read any more. */
export const sourceLost = 'Render error: The stored source of this render is missing or damaged';

/** Everything a worker needs to make one file. Complete and serialisable: another machine could carry it out. */
export const startMessage = z.object({
  type: z.literal('start'),
  id: z.string(),
  /** The document after modifications; read and checked again by the worker. */
  source: sentDocument,
  /** Request options that change the size of the file. */
  scaling: z.object({
    renderScale: z.number().optional(),
    maxWidth: z.number().optional(),
    maxHeight: z.number().optional(),
  }),
  /** Set: draw this moment alone, in seconds, as a picture (png or jpg by the output path), whatever the format is. */
  moment: z.number().optional(),
  /** Where the finished file goes. The worker writes `<path>.part` beside the work folder first. */
  outputPath: z.string(),
  /** Where a separate snapshot goes, when the document asks for one. */
  snapshotPath: z.string(),
  /** The template that the document came from; the file names it. */
  madeFrom: z.object({ id: z.string(), name: z.string() }).optional(),
  /** The attempt before was lost: each element is finished before the next, so that its name can be told if it happens again. */
  closely: z.boolean().optional(),
  /** A folder of this attempt alone; removed by the worker at every end. */
  workFolder: z.string(),
  ...engineSettings,
});

export const cancelMessage = z.object({ type: z.literal('cancel') });

/** Its own picture is to be drawn (server/engine/known-picture.ts): whether the worker can do that at all. */
const proveMessage = z.object({
  type: z.literal('prove'),
  fontFolder: z.string(),
  /** For its files; made and removed by the worker. */
  workFolder: z.string(),
});

/** Someone looks: the next drawn frame of the running render is wanted once, as a small picture. */
const lookMessage = z.object({ type: z.literal('look') });

/** Whether ffmpeg is there is to be found out. May come at any time. */
const findEncoderMessage = z.object({
  type: z.literal('find-encoder'),
  /** Comes back with the answer. */
  id: z.number(),
  /** As in a start message. */
  ffmpegPath: z.string().optional(),
});

/** Server → worker. */
export const workerCommand = z.discriminatedUnion('type', [
  startMessage,
  cancelMessage,
  proveMessage,
  lookMessage,
  previewMessage,
  inspectMessage,
  listFontsMessage,
  soundMessage,
  findEncoderMessage,
]);

/** Facts of the finished file, read from it. */
const facts = z.object({
  width: z.number(),
  height: z.number(),
  /** Absent for pictures. */
  frameRate: z.number().optional(),
  duration: z.number().optional(),
  fileSize: z.number(),
  snapshot: z.boolean(),
});

/** Worker → server. */
export const workerEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('started'), id: z.string() }),
  z.object({
    type: z.literal('progress'),
    id: z.string(),
    phase: z.enum(['waiting', 'transcribing', 'rendering', 'finishing']),
    frame: z.number(),
    frames: z.number(),
    /** While transcribing. */
    share: z.number().exactOptional(),
    /** While waiting. */
    bytes: z.number().exactOptional(),
    bytesTotal: z.number().exactOptional(),
  }),
  /**
   * The heartbeat: every second while there is work, and once more after it. Sent by a thread that does not draw, so that it
   * tells of one that is deep inside a picture.
   */
  z.object({
    type: z.literal('pulse'),
    /** Bytes of the computer's memory that the process takes, with all processes that it started. */
    memory: z.number(),
    /** Milliseconds since the drawing thread was last heard of, and what the process computed in them. */
    quiet: z.number(),
    computed: z.number(),
  }),
  /** The answer to `prove`; null when the picture is as it should be. */
  z.object({ type: z.literal('proven'), problem: z.string().nullable() }),
  /** The frame drawn last, a jpg in base64; the answer to `look`. */
  z.object({ type: z.literal('picture'), id: z.string(), jpg: z.string() }),
  z.object({ type: z.literal('done'), id: z.string(), facts, warnings: z.array(z.string()) }),
  z.object({
    type: z.literal('failed'),
    id: z.string(),
    code: z.string(),
    message: z.string(),
    path: z.string().optional(),
    /** A thread of the process may be busy for ever: it takes no more work. */
    spoilt: z.literal(true).exactOptional(),
  }),
  z.object({
    type: z.literal('log'),
    id: z.string(),
    level: z.enum(['info', 'warning', 'error']),
    text: z.string(),
  }),
  /** The answer to `find-encoder`; `reason` says why it is missing, null when it is there. */
  z.object({
    type: z.literal('encoder'),
    id: z.number(),
    reason: z.string().nullable(),
    found: z
      .object({
        path: z.string(),
        version: z.string(),
        ownFilesOnly: z.boolean(),
        cage: z.enum(['network and limits', 'network', 'limits', 'none']),
        endsWithWorker: z.boolean(),
      })
      .optional(),
  }),
  ...previewEvents,
  ...inspectEvents,
]);

export type StartMessage = z.infer<typeof startMessage>;
export type FindEncoderMessage = z.infer<typeof findEncoderMessage>;
export type ProveMessage = z.infer<typeof proveMessage>;
export type WorkerCommand = z.infer<typeof workerCommand>;
export type WorkerEvent = z.infer<typeof workerEvent>;
export type RenderFacts = z.infer<typeof facts>;

/**
 * A worker process as the server sees it: `child_process.fork` under Node and `utilityProcess.fork` under Electron
 * are both fitted to this.
 */
export interface WorkerPort {
  /** Process id, while it lives. */
  readonly pid: number | undefined;
  send(command: WorkerCommand): void;
  /** Raw messages; the receiver parses them. */
  onMessage(listener: (message: unknown) => void): void;
  /** Called once when the process has ended, whatever the reason. */
  onExit(listener: (reason: { code: number | null; signal: string | null }) => void): void;
  /** Ends the process hard. */
  kill(): void;
}

/** Starts a worker process with the engine's environment. */
export type ForkWorker = () => WorkerPort;
