/**
 * What goes wrong with the workers themselves: starts that fail, and the known picture that a worker can't draw. What
 * happens while a render is worked on is the render's affair (verdict.ts) and counts for nothing here, so that no
 * number of bad documents turns rendering off.
 */
import { workLimits } from '../../../shared/limits.ts';

/** Failures in a row, of all worker processes together. */
export class OwnFaults {
  readonly #pauses: readonly number[];
  #count = 0;
  #nextTryAt: number | null = null;

  /** @param pauses ms before the start after the first, second … failure; the last holds for all that follow. */
  constructor(pauses: readonly number[] = workLimits.restartPauses) {
    this.#pauses = pauses;
  }

  /** Notes one. @param now In ms since 1970. @returns ms before the next start. */
  add(now: number): number {
    const pause = this.#pauses[Math.min(this.#count, this.#pauses.length - 1)] ?? 0;
    this.#count += 1;
    this.#nextTryAt = now + pause;
    return pause;
  }

  /** A worker started and can draw, or a person wants it tried again. */
  forget(): void {
    this.#count = 0;
    this.#nextTryAt = null;
  }

  /** Nothing is to be begun before one goes well. It is tried all the same. */
  get areEnough(): boolean {
    return this.#count >= workLimits.offFrom;
  }

  /** In a row. */
  get count(): number {
    return this.#count;
  }

  /** When the next start is due, in ms since 1970; null without failures. */
  get nextTryAt(): number | null {
    return this.#nextTryAt;
  }
}
