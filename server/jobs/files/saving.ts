/** Changes of state that must reach the disk: repeated until it takes them, or until the program ends. */
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../../../shared/errors.ts';
import { describeError, type Log } from '../../log.ts';

/** Milliseconds before trying again to store something that the disk refused. */
const savePauses = [1_000, 2_000, 5_000, 10_000, 30_000];

/** Repeats what the disk refuses. */
export class Saver {
  readonly #log: Log;
  readonly #closing = new AbortController();

  constructor(log: Log) {
    this.#log = log;
  }

  /**
   * Repeats a change of state until the disk takes it; null when the program ended before (the next start sees to it), and
   * when something else than the disk refused it, which would refuse it for ever.
   */
  async untilSaved<T>(change: () => Promise<T>): Promise<T | null> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await change();
      } catch (error) {
        this.#log('error', 'queue', describeError(error));
        const isDisk = error instanceof ApiError && error.code === 'cannot_save';
        if (!isDisk || this.#closing.signal.aborted) return null;
        await this.pause(savePauses[Math.min(attempt, savePauses.length - 1)] ?? 0);
      }
    }
  }

  /** Waits, unless the program ends. @param milliseconds Default: before something is tried a third time. */
  async pause(milliseconds = savePauses[2]): Promise<void> {
    const { signal } = this.#closing;
    await pause(milliseconds, undefined, { signal }).catch(() => undefined);
  }

  /** Ends all pauses; nothing is repeated from now on. */
  close(): void {
    this.#closing.abort();
  }
}
