/**
 * Which parts of the editor are in the page yet. They come one after the other, each in a turn of its own, so that the
 * first picture is shown as soon as it comes and does not wait for all of them. Window only.
 */

/** In this order. Head and preview are there from the beginning. */
const parts = ['left', 'right', 'timeline'] as const;

export type LatePart = (typeof parts)[number];

export class Mounting {
  #count = $state(0);

  has(part: LatePart): boolean {
    return parts.indexOf(part) < this.#count;
  }

  /** All may. */
  get isComplete(): boolean {
    return this.#count === parts.length;
  }

  /** Lets one part after the other come, whenever the page has nothing else to do. @returns ends that */
  begin(): () => void {
    let isEnded = false;
    const next = (): void => {
      if (isEnded || this.isComplete) return;
      this.#count += 1;
      whenIdle(next);
    };
    whenIdle(next);
    return () => (isEnded = true);
  }
}

/** Longest wait for a quiet moment, in ms. */
const patience = 200;

function whenIdle(work: () => void): void {
  // Some browsers don't know it.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(work, { timeout: patience });
  else setTimeout(work);
}
