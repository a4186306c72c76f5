/** Limits work that would come too fast: some runs at a time, or the newest of it once per pause. Pure. */

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

/** Hands on at most once per pause: all values since then together, only the newest for each key. */
export class Pace<Value> {
  readonly #pause: number;
  readonly #hand: (key: string, value: Value) => void;
  readonly #waiting = new Map<string, Value>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  #handedAt = Number.NEGATIVE_INFINITY;

  /** @param pause ms between two times that something is handed on */
  constructor(pause: number, hand: (key: string, value: Value) => void) {
    this.#pause = pause;
    this.#hand = hand;
  }

  add(key: string, value: Value): void {
    this.#waiting.set(key, value);
    if (this.#timer !== null) return;
    const rest = this.#handedAt + this.#pause - performance.now();
    if (rest <= 0) this.#handOn();
    else this.#timer = setTimeout(() => this.#handOn(), rest);
  }

  /** Forgets what waits under a key, because something newer is known; without a key: all that waits. */
  drop(key?: string): void {
    if (key === undefined) this.#waiting.clear();
    else this.#waiting.delete(key);
  }

  #handOn(): void {
    this.#timer = null;
    this.#handedAt = performance.now();
    const values = [...this.#waiting];
    this.#waiting.clear();
    for (const [key, value] of values) this.#hand(key, value);
  }
}

/**
 * Passes on the first at once, then those that come within `pause` ms together, in order, and so on.
 *
 * @returns the function to call with each
 */
export function gathered<T>(take: (one: T) => void, pause: number): (one: T) => void {
  let waiting: T[] = [];
  let isPausing = false;
  const hand = (): void => {
    const together = waiting;
    waiting = [];
    isPausing = together.length > 0;
    if (isPausing) setTimeout(hand, pause);
    for (const one of together) take(one);
  };
  return (one) => {
    waiting.push(one);
    if (!isPausing) hand();
  };
}
