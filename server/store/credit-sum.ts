/**
 * Credits of all renders that have not expired, kept up with each change: the window asks with every change of the
 * queue, and adding up 100,000 records takes 20 ms.
 */
import { retention } from '../../shared/limits.ts';

/** What counts of a render's record. */
export interface Counted {
  readonly credits?: number | undefined;
  /** ms since 1970. */
  readonly createdAt: number;
}

/** Milliseconds between two looks for renders that have expired; so much later their credits are free. */
const lookPause = 60_000;

/** See above. */
export class CreditSum {
  /** What of each render is in the sum; those without credits are left out. */
  readonly #counted = new Map<string, number>();
  #sum = 0;
  /** When the first of them can expire. */
  #firstExpiry = Infinity;
  #lookedAt = -Infinity;
  #keptAll = false;

  /** Takes in a render as it is now; null: it is gone or has expired. */
  take(id: string, render: Counted | null): void {
    const credits = render?.credits ?? 0;
    this.#sum += credits - (this.#counted.get(id) ?? 0);
    if (credits === 0 || !render) {
      this.#counted.delete(id);
      return;
    }
    this.#counted.set(id, credits);
    this.#firstExpiry = Math.min(this.#firstExpiry, render.createdAt + retention.renders);
  }

  /**
   * The sum now.
   *
   * @param now Wall time, ms since 1970. @param keepsAll True while nothing expires.
   * @param all Those that have not expired: read again when some may have, at most once a minute.
   */
  at(now: number, keepsAll: boolean, all: () => Iterable<readonly [string, Counted]>): number {
    const mayExpire = now > this.#firstExpiry && now - this.#lookedAt >= lookPause;
    if (mayExpire || now < this.#lookedAt || keepsAll !== this.#keptAll) {
      this.#counted.clear();
      this.#sum = 0;
      this.#firstExpiry = Infinity;
      this.#lookedAt = now;
      this.#keptAll = keepsAll;
      for (const [id, render] of all()) this.take(id, render);
    }
    return this.#sum;
  }
}
