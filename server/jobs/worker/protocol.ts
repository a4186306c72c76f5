/**
 * The messages between the server and a worker process. The worker never asks back. Both sides parse what arrives
 * (zod), because it comes from another process.
 */
import { z } from 'zod';
import { renderPriorities } from '../../../shared/api.ts';
import { engineSettings, sentDocument } from './engine-settings.ts';
import { split, task } from './piece-protocol.ts';
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

/** Someone is looking: send the next drawn frame of the running render once, as a small picture. */
const lookMessage = z.object({ type: z.literal('look') });

/** How the process takes turns with others, from now on; without it `low`, from its first work on. */
export const priorityMessage = z.object({
  type: z.literal('priority'),
  priority: z.enum(renderPriorities),
});

/** Server → worker. */
export const workerCommand = z.discriminatedUnion('type', [
  startMessage,
  cancelMessage,
  lookMessage,
  taskMessage,
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
  /** The last drawn frame, a jpg in base64; the answer to `look`. */
  z.object({ type: z.literal('picture'), id: z.string(), jpg: z.string() }),
  z.object({ type: z.literal('done'), id: z.string(), facts, warnings: z.array(z.string()) }),
  /** The answer to an offer that is taken: how the film is divided. */
  z.object({ type: z.literal('split'), id: z.string(), split }),
  z.object({ type: z.literal('piece-made'), id: z.string(), warnings: z.array(z.string()) }),
  z.object({
    type: z.literal('log'),
    id: z.string(),
    level: z.enum(['info', 'warning', 'error']),
    text: z.string(),
  }),
  ...taskEvents,
]);

export type StartMessage = z.infer<typeof startMessage>;
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
