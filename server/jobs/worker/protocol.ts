/**
 * The messages between the server and a worker process: a task is started, reports progress, and ends with a result or
 * as failed. What a task is sent and answers is its row of tasks.ts. The worker never asks back. Both sides parse what
 * arrives (zod), because it comes from another process.
 */
import { z } from 'zod';
import { renderPriorities } from '../../../shared/api.ts';
import { tasks, type TaskName } from './tasks.ts';

/** How a process ended that got no more memory, as `how` says it. */
export const tookMemory = 'it took too much memory';

/** The failure of a render whose process got no more memory, or took more than it may. */
export const outOfMemory =
  'Render error: The renderer ran out of memory: use a smaller render_scale, or fewer large pictures and videos at the same time';

/** The failure of a render whose document can no longer be read. */
export const sourceLost = 'Render error: The stored source of this render is missing or damaged';

const startMessage = z.object({
  type: z.literal('start'),
  /** All answers repeat it. */
  id: z.string(),
  name: z.custom<TaskName>((name) => typeof name === 'string' && Object.hasOwn(tasks, name)),
  /** As the row says, in serialisable form. */
  input: z.unknown(),
});

/** How the process takes turns with others, from now on; without it `low`, from its first work on. */
export const priorityMessage = z.object({
  type: z.literal('priority'),
  priority: z.enum(renderPriorities),
});

/** Server → worker. */
export const workerCommand = z.discriminatedUnion('type', [
  startMessage,
  z.object({ type: z.literal('cancel') }),
  /** Someone is looking: send the next drawn frame of the running render once, as a small picture. */
  z.object({ type: z.literal('look') }),
  priorityMessage,
]);

/** Why a task failed. */
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

/** Worker → server. */
export const workerEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
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
  z.object({
    type: z.literal('log'),
    id: z.string(),
    level: z.enum(['info', 'warning', 'error']),
    text: z.string(),
  }),
  /** The drawing thread's sign of life, with what the row calls progress, if there is any. */
  z.object({ type: z.literal('progress'), id: z.string(), progress: z.unknown().optional() }),
  z.object({ type: z.literal('result'), id: z.string(), output: z.unknown() }),
  failure.extend({ type: z.literal('failed'), id: z.string() }),
]);

export type StartMessage = z.infer<typeof startMessage>;
export type WorkerCommand = z.infer<typeof workerCommand>;
export type WorkerEvent = z.infer<typeof workerEvent>;
export type WorkFailure = z.infer<typeof failure>;

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
