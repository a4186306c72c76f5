/** Repeats changes of state that must reach the disk, until it takes them or the program ends. */
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../../../shared/errors.ts';
import { describeError, type Log } from '../../system/log.ts';

/** Milliseconds before each new try to store what the disk refused. */
const savePauses = [1_000, 2_000, 5_000, 10_000, 30_000];

/** Repeats refused writes. */
export class Saver {
  readonly #log: Log;
  readonly #closing = new AbortController();

  constructor(log: Log) {
    this.#log = log;
  }

  /**
   * Repeats a change of state until the disk takes it. Null if the program ends first (the next start repairs it), or
   * if something other than the disk refused it, which would never succeed.
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

  /** Waits, unless the program ends. @param milliseconds Default: the pause before a third try. */
  async pause(milliseconds = savePauses[2]): Promise<void> {
    const { signal } = this.#closing;
    await pause(milliseconds, undefined, { signal }).catch(() => undefined);
  }

  /** Ends all pauses; nothing is repeated from now on. */
  close(): void {
    this.#closing.abort();
  }
}
