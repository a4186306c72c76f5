/**
 * Copies of media and fonts in storage, where workers without the servers' folder find them. Each is put there when it
 * is added (../../store/content-folder.ts). The server that leads adds those that are missing (added before there was a
 * storage, or damaged), and removes what the folder does not have any more.
 */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { contentKey, type ContentKind, prefixes, type Storage } from '../../store/storage.ts';

/** Told by a worker that misses a content or a document. */
export const missingChannel = 'framewright_missing';
/** What was put there only now may have a place in the folder next. */
const arrivalTime = 3_600_000;
/** The name of a content: the beginning of its SHA-256. */
const idForm = /^[0-9a-f]{32}$/;

/** Looks after the copies of the servers' folder, one time after the other. */
export class ContentCopies {
  readonly #storage: Storage;
  readonly #folders: Readonly<Record<ContentKind, string>>;
  #running: Promise<unknown> = Promise.resolve();

  /** @param folders With the contents of each kind. */
  constructor(storage: Storage, folders: Readonly<Record<ContentKind, string>>) {
    this.#storage = storage;
    this.#folders = folders;
  }

  /**
   * Makes storage have what the folders have.
   *
   * @param now ms since 1970. @returns how many were added and removed. @throws StorageError, or what the disk says.
   */
  keep(now: number): Promise<number> {
    const next = this.#running.then(
      async () => (await this.#keep('media', now)) + (await this.#keep('fonts', now)),
    );
    this.#running = next.catch(() => undefined);
    return next;
  }

  async #keep(kind: ContentKind, now: number): Promise<number> {
    const folder = this.#folders[kind];
    // Throws where the folder is away: that all are gone must not be believed.
    const own = new Set((await readdir(folder)).filter((name) => idForm.test(name)));
    let changed = 0;
    for await (const { key, bytes, changedAt } of this.#storage.list(prefixes[kind])) {
      const id = key.slice(prefixes[kind].length);
      if (own.has(id)) {
        const facts = await stat(path.join(folder, id)).catch(() => null);
        if (facts?.size === bytes) own.delete(id);
      } else if (changedAt < now - arrivalTime) {
        await this.#storage.remove(key);
        changed++;
      }
    }
    for (const id of own) {
      await this.#storage.put(contentKey(kind, id), { file: path.join(folder, id) });
      changed++;
    }
    return changed;
  }
}
