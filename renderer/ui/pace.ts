/** Throttles values that arrive faster than needed. Pure except for the clock. */

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
