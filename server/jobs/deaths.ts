/** Counts how often a worker process has died, and says when the next one may start. Only time lets it forget. */
import { workLimits } from '../../shared/limits.ts';
import type { Clock } from '../clock.ts';

/** The deaths of one worker process and of those that took its place. */
export class Deaths {
  readonly #clock: Pick<Clock, 'steady'>;
  readonly #pauses: readonly number[];
  /** Steady times, each within the window after the one before it; no more than there are pauses. */
  #times: number[] = [];

  /** @param pauses ms before the start after the first, second … death of a row. Default: see shared/limits.ts. */
  constructor(clock: Pick<Clock, 'steady'>, pauses: readonly number[] = workLimits.restartPauses) {
    this.#clock = clock;
    this.#pauses = pauses;
  }

  /** Notes one. @returns ms before the next start; null when so many in so short a time are enough. */
  add(): number | null {
    const now = this.#clock.steady();
    const last = this.#times.at(-1);
    if (last !== undefined && !this.#isRecent(last)) this.#times = [];
    this.#times = [...this.#times, now].slice(-this.#pauses.length);
    if (this.recent >= this.most) return null;
    return this.#pauses[this.#times.length - 1] ?? 0;
  }

  /** Those within the window that ends now. */
  get recent(): number {
    return this.#times.filter((time) => this.#isRecent(time)).length;
  }

  /** As many within the window are enough. */
  get most(): number {
    return this.#pauses.length;
  }

  /** A person wants it tried again. */
  forget(): void {
    this.#times = [];
  }

  #isRecent(time: number): boolean {
    return this.#clock.steady() - time <= workLimits.deathWindow;
  }
}
