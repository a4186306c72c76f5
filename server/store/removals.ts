/** Removes files that no record names any more; while a backup is being made, removals wait for it. */
import { rm } from 'node:fs/promises';

/**
 * The removals of one data folder. A process that ends before a waiting one leaves a stray, which a later start
 * removes.
 */
export class Removals {
  readonly #waiting = new Set<string>();
  #holds = 0;
  /** The last one of those that waited. */
  #late: Promise<unknown> = Promise.resolve();

  /** Removes a file now, or after the backup; a missing one is fine. @throws what the disk says. */
  async remove(file: string): Promise<void> {
    if (this.#holds > 0) this.#waiting.add(file);
    else await rm(file, { force: true });
  }

  /** Call before a file with a name that may wait here is written again. */
  async keep(file: string): Promise<void> {
    this.#waiting.delete(file);
    await this.#late;
  }

  /** Removes nothing while `work` runs. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.#holds += 1;
    try {
      return await work();
    } finally {
      this.#holds -= 1;
      for (const file of this.#waiting) {
        if (this.#holds > 0) break;
        this.#waiting.delete(file);
        // One that stays is a stray.
        this.#late = rm(file, { force: true }).catch(() => undefined);
        await this.#late;
      }
    }
  }
}
