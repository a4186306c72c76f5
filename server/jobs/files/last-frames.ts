/**
 * The last frame of each failed render, as a small jpg below the data folder. It goes with its render, whether that is
 * removed or expires.
 */
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { describeError, type Log } from '../../system/log.ts';
import { removeUnfinished, writeWhole } from '../../store/files.ts';
import type { EventBus } from '../events.ts';

const ending = '.jpg';

/** Pictures of failed renders. */
export class LastFrames {
  readonly #folder: string;
  readonly #log: Log;
  /** IDs of renders that have one. */
  readonly #ids: Set<string>;

  private constructor(folder: string, log: Log, ids: Iterable<string>) {
    this.#folder = folder;
    this.#log = log;
    this.#ids = new Set(ids);
  }

  /**
   * Reads what exists, and removes what a crash left half written. A folder that can't be read counts as empty.
   *
   * @param folder made when needed
   * @param isKept false for renders that are gone: their pictures go too
   */
  static async open(
    folder: string,
    isKept: (id: string) => boolean,
    log: Log,
  ): Promise<LastFrames> {
    await removeUnfinished(folder);
    const names = await readdir(folder).catch(() => []);
    const ids = names
      .filter((name) => name.endsWith(ending))
      .map((name) => path.basename(name, ending));
    const frames = new LastFrames(folder, log, ids);
    for (const id of ids) if (!isKept(id)) await frames.#remove(id);
    return frames;
  }

  /** Removes the pictures of removed renders. @returns the function that stops this. */
  follow(events: EventBus): () => void {
    return events.subscribe((happening) => {
      if (happening.type === 'render.removed') void this.#remove(happening.id);
    });
  }

  /** Keeps a picture. If it can't be written, there is just no picture. */
  async keep(id: string, jpg: Buffer): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true });
      await writeWhole(this.#file(id), jpg);
      this.#ids.add(id);
    } catch (error) {
      this.#log('warning', `render ${id}`, `its last frame is not kept: ${describeError(error)}`);
    }
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** The picture; null when there is none, or someone has removed the file. */
  async read(id: string): Promise<Buffer | null> {
    return this.#ids.has(id) ? readFile(this.#file(id)).catch(() => null) : null;
  }

  async #remove(id: string): Promise<void> {
    if (!this.#ids.delete(id)) return;
    // The next start removes what stays.
    await rm(this.#file(id), { force: true }).catch((error: unknown) => {
      this.#log('warning', `render ${id}`, `its last frame stays: ${describeError(error)}`);
    });
  }

  #file(id: string): string {
    return path.join(this.#folder, `${id}${ending}`);
  }
}
