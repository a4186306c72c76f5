/**
 * Counts the workers' own failures: starts that fail, and workers that can't draw the known picture. What goes wrong
 * during a render is judged in verdict.ts and does not count here, so that no number of bad documents turns rendering
 * off.
 */
import { workLimits } from '../../../shared/limits.ts';

/** Failures in a row, of all worker processes together. */
export class OwnFaults {
  readonly #pauses: readonly number[];
  #count = 0;
  #nextTryAt: number | null = null;

  /** @param pauses ms before the next start after the first, second … failure; the last one repeats. */
  constructor(pauses: readonly number[] = workLimits.restartPauses) {
    this.#pauses = pauses;
  }

  /** Records one. @param now In ms since 1970. @returns ms before the next start. */
  add(now: number): number {
    const pause = this.#pauses[Math.min(this.#count, this.#pauses.length - 1)] ?? 0;
    this.#count += 1;
    this.#nextTryAt = now + pause;
    return pause;
  }

  /** A worker has started and can draw, or the user wants another try. */
  forget(): void {
    this.#count = 0;
    this.#nextTryAt = null;
  }

  /** True when no render may start until a worker does. Starts are still tried. */
  get areEnough(): boolean {
    return this.#count >= workLimits.offFrom;
  }

  /** How many in a row. */
  get count(): number {
    return this.#count;
  }

  /** When the next start is due, in ms since 1970; null without failures. */
  get nextTryAt(): number | null {
    return this.#nextTryAt;
  }
}
