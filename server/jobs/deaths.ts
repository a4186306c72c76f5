/** Counts how often the queue's worker processes have died, and says when the next one may start. Only time lets it forget. */
import { workLimits } from '../../shared/limits.ts';
import type { Clock } from '../clock.ts';

/** The deaths of all worker processes: with several at the same time, what kills one may kill the next. */
export class Deaths {
  readonly #clock: Pick<Clock, 'steady'>;
  readonly #pauses: readonly number[];
  /** Steady times, each within the window after the one before it; no more than there are pauses. */
  #times: number[] = [];
  #areEnough = false;

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
    this.#areEnough ||= this.recent >= this.most;
    if (this.#areEnough) return null;
    return this.#pauses[this.#times.length - 1] ?? 0;
  }

  /** There were so many in so short a time that nothing is to start until a person wants it. */
  get areEnough(): boolean {
    return this.#areEnough;
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
    this.#areEnough = false;
  }

  #isRecent(time: number): boolean {
    return this.#clock.steady() - time <= workLimits.deathWindow;
  }
}
