/** A slot of the queue: one worker process, and the render that runs in it. */
import type { RenderProgress, ServerState } from '../../shared/api.ts';
import type { OwnFaults } from './worker/task-faults.ts';
import { WorkerClient } from './worker/worker-client.ts';

/** A slot, in which one render can run. */
export interface Slot {
  readonly client: WorkerClient;
  /** Surplus: takes nothing more, and goes when idle. */
  retired: boolean;
  busy: boolean;
  /** The running render. */
  id: string | null;
  progress: RenderProgress | null;
  /** A small jpg of the last frame drawn on request. */
  picture: Buffer | null;
  /** When it was asked for, steady time in ms. */
  pictureAskedAt: number;
  /** Someone wants it to stop. */
  cancelled: boolean;
  /** Resolves when that render's attempt is over and stored; see `runAttempt`. */
  attempt: Promise<unknown>;
  /** Resolves when the slot has nothing more to do. */
  work: Promise<void>;
}

/** A slot without work. Its process starts when needed. */
export function newSlot(options: ConstructorParameters<typeof WorkerClient>[0]): Slot {
  return {
    client: new WorkerClient(options),
    retired: false,
    busy: false,
    id: null,
    progress: null,
    picture: null,
    pictureAskedAt: -Infinity,
    cancelled: false,
    attempt: Promise.resolve(),
    work: Promise.resolve(),
  };
}

/**
 * The state of the workers of all slots: that of the worst one.
 *
 * @param faults While there are too many, nothing starts, whatever the slots' state.
 */
export function rendererState(
  slots: readonly Slot[],
  { areEnough, nextTryAt }: OwnFaults,
): ServerState['renderer'] {
  const clients = slots.map(({ client }) => client);
  const worst = areEnough
    ? 'off'
    : (['restarting', 'rendering'] as const).find((state) =>
        clients.some((client) => client.state === state),
      );
  const reason = clients.find((client) => client.reason !== undefined)?.reason;
  const restart = clients.find((client) => client.nextTry)?.nextTry;
  return {
    state: worst ?? 'idle',
    ...(reason !== undefined && { reason }),
    ...(worst === 'restarting' && restart && { restart }),
    ...(worst === 'off' && nextTryAt !== null && { nextTryAt }),
  };
}
