/** A place of the queue: one worker process, and the render that is being worked on in it. */
import type { RenderProgress, ServerState } from '../../shared/api.ts';
import type { OwnFaults } from './worker/own-faults.ts';
import { WorkerClient } from './worker/worker-client.ts';

/** A place in which one render can be worked on. */
export interface Slot {
  readonly client: WorkerClient;
  /** It is one too many: takes nothing more, and goes when it is idle. */
  retired: boolean;
  busy: boolean;
  /** The render being worked on. */
  id: string | null;
  progress: RenderProgress | null;
  /** A small jpg of the frame that was drawn last when someone looked. */
  picture: Buffer | null;
  /** When it was asked for, steady time in ms. */
  pictureAskedAt: number;
  /** Someone wants it to stop. */
  cancelled: boolean;
  /** Settles when that render's attempt is over and stored; see `runAttempt`. */
  attempt: Promise<unknown>;
  /** Settles when the slot has nothing more to do. */
  work: Promise<void>;
}

/** A place without work. Its process starts when it is needed. */
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
 * How the workers of all places stand: as the one that stands worst.
 *
 * @param faults While they are enough nothing is begun, whichever of the places are still there.
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
