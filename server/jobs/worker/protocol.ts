/**
 * The messages between the server and a worker process. The worker never asks back. Both sides parse what arrives
 * (zod), because it comes from another process.
 */
import { z } from 'zod';
import { renderPriorities } from '../../../shared/api.ts';
import { engineSettings, sentDocument } from './engine-settings.ts';
import { build, split, task } from './piece-protocol.ts';
import { previewEvents, previewMessage } from './preview-protocol.ts';
import { taskEvents, taskMessage } from './tasks.ts';

/** How a process ended that got no more memory, as `how` says it. */
export const tookMemory = 'it took too much memory';

/** The failure of a render whose process got no more memory, or took more than it may. */
export const outOfMemory =
  'Render error: The renderer ran out of memory: use a smaller render_scale, or fewer large pictures and videos at the same time';

/** The failure of a render whose document can no longer be read. */
export const sourceLost = 'Render error: The stored source of this render is missing or damaged';

/** Everything a worker needs to make one file, in serialisable form. */
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
    largestSide: z.number().optional(),
  }),
  /** If set: draw only this moment, in seconds, as a picture (png or jpg by the output path), whatever the format. */
  moment: z.number().optional(),
  /** Where the finished file goes. The worker writes `<path>.part` beside the work folder first. */
  outputPath: z.string(),
  /** Where a separate snapshot goes, when the document asks for one. */
  snapshotPath: z.string(),
  /** The template that the document came from, for the file's metadata. */
  madeFrom: z.object({ id: z.string(), name: z.string() }).optional(),
  /** The last attempt was lost: finish each element before the next, so that a repeated loss can name the element. */
  closely: z.boolean().optional(),
  task: task.exactOptional(),
  /** This attempt's own folder; the worker always removes it at the end. */
  workFolder: z.string(),
  ...engineSettings,
});

export const cancelMessage = z.object({ type: z.literal('cancel') });

/** Draw the known picture (server/engine/known-picture.ts), to test whether the worker can draw at all. */
const proveMessage = z.object({
  type: z.literal('prove'),
  fontFolder: z.string(),
  /** For its files; made and removed by the worker. */
  workFolder: z.string(),
});

/** Someone is looking: send the next drawn frame of the running render once, as a small picture. */
const lookMessage = z.object({ type: z.literal('look') });

/** Find out whether ffmpeg is there. May come at any time. */
const findEncoderMessage = z.object({
  type: z.literal('find-encoder'),
  /** The answer repeats it. */
  id: z.number(),
  /** As in a start message. */
  ffmpegPath: z.string().optional(),
  /** Also tell what films follow from; with the folder of shipped fonts. Absent: no. */
  fontFolder: z.string().exactOptional(),
});

/** How the process takes turns with others, from now on; without it `low`, from its first work on. */
export const priorityMessage = z.object({
  type: z.literal('priority'),
  priority: z.enum(renderPriorities),
});

/** Server → worker. */
export const workerCommand = z.discriminatedUnion('type', [
  startMessage,
  cancelMessage,
  proveMessage,
  lookMessage,
  previewMessage,
  taskMessage,
  findEncoderMessage,
  priorityMessage,
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
   * The heartbeat: every second while there is work, and once more after it. Sent by a thread that does not draw, so
   * that it continues while the other is deep inside a picture.
   */
  z.object({
    type: z.literal('pulse'),
    /** Bytes of memory that the process and all processes it started take. */
    memory: z.number(),
    /** Milliseconds since the drawing thread last spoke, and how long the process has computed since. */
    quiet: z.number(),
    computed: z.number(),
  }),
  /** The answer to `prove`; null if the picture is right. */
  z.object({ type: z.literal('proven'), problem: z.string().nullable() }),
  /** The last drawn frame, a jpg in base64; the answer to `look`. */
  z.object({ type: z.literal('picture'), id: z.string(), jpg: z.string() }),
  z.object({ type: z.literal('done'), id: z.string(), facts, warnings: z.array(z.string()) }),
  /** The answer to an offer that is taken: how the film is divided. */
  z.object({ type: z.literal('split'), id: z.string(), split }),
  z.object({ type: z.literal('piece-made'), id: z.string(), warnings: z.array(z.string()) }),
  z.object({
    type: z.literal('failed'),
    id: z.string(),
    code: z.string(),
    message: z.string(),
    path: z.string().optional(),
    /** A thread of the process may be stuck for ever: it takes no more work. */
    spoilt: z.literal(true).exactOptional(),
  }),
  z.object({
    type: z.literal('log'),
    id: z.string(),
    level: z.enum(['info', 'warning', 'error']),
    text: z.string(),
  }),
  /** The answer to `find-encoder`; `reason` says why it is missing; null if it was found. */
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
    build: build.exactOptional(),
  }),
  ...previewEvents,
  ...taskEvents,
]);

export type StartMessage = z.infer<typeof startMessage>;
export type FindEncoderMessage = z.infer<typeof findEncoderMessage>;
export type ProveMessage = z.infer<typeof proveMessage>;
export type WorkerCommand = z.infer<typeof workerCommand>;
export type WorkerEvent = z.infer<typeof workerEvent>;
export type RenderFacts = z.infer<typeof facts>;

/** How a worker process ended. */
export interface WorkerEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** True if it ended for want of memory, where that can be told. */
  readonly lackedMemory?: boolean;
}

/**
 * A worker process as the server sees it: adapters for `child_process.fork` (Node) and `utilityProcess.fork` (Electron)
 * implement it.
 */
export interface WorkerPort {
  /** Process id, while it lives. */
  readonly pid: number | undefined;
  send(command: WorkerCommand): void;
  /** Raw messages; the receiver parses them. */
  onMessage(listener: (message: unknown) => void): void;
  /** Called once when the process has ended, whatever the reason. */
  onExit(listener: (reason: WorkerEnd) => void): void;
  /** Kills the process. */
  kill(): void;
}

/** Starts a worker process with the engine's environment. */
export type ForkWorker = () => WorkerPort;
