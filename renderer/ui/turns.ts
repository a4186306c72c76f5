/** Limits concurrent work: only some runs at a time, and unwanted work leaves the line. Pure. */

/** Runs so much at a time; the rest waits, first come, first served. */
export class Turns {
  #free: number;
  readonly #waiting = new Set<() => void>();

  /** @param most What may go on at a time, from 1. */
  constructor(most: number) {
    this.#free = most;
  }

  /**
   * Runs work when its turn comes.
   * @param signal Removes it from the line; running work must watch the signal itself.
   * @throws what the work throws, and the signal's reason when it was aborted before the turn came
   */
  async take<Value>(work: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
    await this.#turn(signal);
    try {
      return await work();
    } finally {
      this.#pass();
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.delete(begin);
        reject(signal.reason as Error);
      };
      this.#waiting.add(begin);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** Passes a finished turn to the longest waiting one. */
  #pass(): void {
    const [next] = this.#waiting;
    if (!next) this.#free++;
    else {
      this.#waiting.delete(next);
      next();
    }
  }
}
