/** Removes documents that no record names any more; while a backup is being made, removals wait for it. */
import { rm } from 'node:fs/promises';

/** The removals of one data folder. A process that ends before a waiting one leaves a stray, which a later start removes. */
export class Removals {
  readonly #waiting: string[] = [];
  #holds = 0;

  /** Removes a file now, or after the backup; a missing one is fine. @throws what the disk says. */
  async remove(file: string): Promise<void> {
    if (this.#holds > 0) this.#waiting.push(file);
    else await rm(file, { force: true });
  }

  /** Removes nothing while `work` runs. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.#holds += 1;
    try {
      return await work();
    } finally {
      this.#holds -= 1;
      const due = this.#holds === 0 ? this.#waiting.splice(0) : [];
      // One that stays is a stray.
      for (const file of due) await rm(file, { force: true }).catch(() => undefined);
    }
  }
}
