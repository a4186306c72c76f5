/** Work that takes turns: only some of it goes on at a time, and what is no longer wanted loses its place. Pure. */

/** Lets so much go on at a time; the rest waits, first come, first served. */
export class Turns {
  #free: number;
  readonly #waiting = new Set<() => void>();

  /** @param most What may go on at a time, from 1. */
  constructor(most: number) {
    this.#free = most;
  }

  /**
   * Does something when its turn has come.
   * @param signal Takes it out of the line; work that has begun must follow it itself.
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

  /** Gives a turn that is over to the one who has waited longest. */
  #pass(): void {
    const [next] = this.#waiting;
    if (!next) this.#free++;
    else {
      this.#waiting.delete(next);
      next();
    }
  }
}
