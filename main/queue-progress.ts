/**
 * How far the whole queue is: the share of work done since it was last empty. Pure; fed by work.ts. Every render counts
 * the same: its duration is unknown before it starts.
 */
export class QueueProgress {
  /** The share done, 0–1, of every render since the queue was last empty. */
  readonly #parts = new Map<string, number>();
  #open = 0;

  /** A render that is queued or being worked on. */
  add(id: string): void {
    if (this.#parts.has(id)) return;
    this.#parts.set(id, 0);
    this.#open++;
  }

  /** True for a render that was added and has not ended. */
  isOpen(id: string): boolean {
    return (this.#parts.get(id) ?? 1) < 1;
  }

  /** @param fraction Done of it, 0–1. */
  proceed(id: string, fraction: number): void {
    // Below 1 until it has ended: the last per cent may take a while.
    if (this.isOpen(id)) this.#parts.set(id, Math.min(Math.max(fraction, 0), 0.99));
  }

  /** The render has ended; a cancelled one no longer counts. */
  end(id: string, wasCancelled: boolean): void {
    if (!this.isOpen(id)) return;
    if (wasCancelled) this.#parts.delete(id);
    else this.#parts.set(id, 1);
    this.#open--;
    if (this.#open === 0) this.#parts.clear();
  }

  /** 0–1; null while there is nothing to do. */
  get fraction(): number | null {
    if (this.#open === 0) return null;
    let done = 0;
    for (const part of this.#parts.values()) done += part;
    return done / this.#parts.size;
  }
}
