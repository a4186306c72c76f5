/**
 * Contents of storage on a worker's own disk. Each is checked against its name on arrival, seen whole or not at all,
 * and goes when the folder takes too much and others were used since. Who uses one has a link of its own, so that
 * nobody waits for anybody. Several processes may have the same folder.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorCode } from '../../system/files.ts';
import { keptFiles, sizeOf, takeKept, type KeptFile } from '../../system/kept-files.ts';
import { contentKey, type ContentKind, type Storage } from '../../store/storage.ts';

/** Milliseconds after which what was arriving is left over from a process that was killed. */
const arrivalTime = 24 * 3_600_000;
/** Ends the name of what is arriving; no ID does. */
const arriving = '.part';

/** A file in storage is not what its name says. The message is a sentence without a full stop. */
export class DamagedError extends Error {
  override readonly name = 'DamagedError';

  constructor(key: string, storage: string, expected: string, found: string) {
    super(
      `the file ${key} in the storage ${storage} is damaged: expected a SHA-256 that begins with ${expected}, found ${found}`,
    );
  }
}

/**
 * Copies a file from storage and checks it.
 *
 * @param hash What the SHA-256 of its content begins with, in hexadecimal digits.
 * @param place Where it goes; nothing is there yet, and nothing stays there if this throws.
 * @returns false: there is none.
 * @throws StorageError, DamagedError; then the file is removed from storage, where nobody can use it. Or what the disk
 * says.
 */
export async function takeChecked(
  storage: Storage,
  key: string,
  hash: string,
  place: string,
): Promise<boolean> {
  const found = await storage.get(key);
  if (!found) return false;
  const sum = createHash('sha256');
  const summing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sum.update(chunk);
      done(null, chunk);
    },
  });
  try {
    await pipeline(found.stream, summing, createWriteStream(place, { flags: 'wx', mode: 0o600 }));
    const digest = sum.digest('hex');
    if (digest.startsWith(hash)) return true;
    await storage.remove(key);
    throw new DamagedError(key, storage.name, hash, digest.slice(0, hash.length));
  } catch (error) {
    await rm(place, { force: true });
    throw error;
  }
}

/** What a cache works with. */
export interface ContentCacheOptions {
  readonly storage: Storage;
  readonly folder: string;
  /** Bytes that it may take; read after each arrival. */
  readonly limit: () => number;
}

/** See above. */
export class ContentCache {
  readonly #options: ContentCacheOptions;
  /** What is arriving, by key: two who want the same wait for one. */
  readonly #arriving = new Map<string, Promise<boolean>>();

  constructor(options: ContentCacheOptions) {
    this.#options = options;
  }

  /**
   * Links a content to a place, which may have it already; from storage if it is not here.
   *
   * @param id What its SHA-256 begins with. @param place In a folder that there is.
   * @returns false: storage has none.
   * @throws StorageError, DamagedError, or what the disk says.
   */
  async bring(kind: ContentKind, id: string, place: string): Promise<boolean> {
    const file = path.join(this.#options.folder, kind, id);
    for (let tries = 0; ; tries++) {
      try {
        await takeKept(file, place);
        return true;
      } catch (error) {
        // Others may have removed it since it came; but not time and again.
        if (errorCode(error) !== 'ENOENT' || tries === 3) throw error;
      }
      if (!(await this.#arrive(kind, id))) return false;
    }
  }

  #arrive(kind: ContentKind, id: string): Promise<boolean> {
    const key = contentKey(kind, id);
    const known = this.#arriving.get(key);
    if (known) return known;
    const arrival = this.#fetch(kind, id, key).finally(() => this.#arriving.delete(key));
    this.#arriving.set(key, arrival);
    return arrival;
  }

  async #fetch(kind: ContentKind, id: string, key: string): Promise<boolean> {
    const { storage, folder } = this.#options;
    const beside = path.join(folder, kind, `${randomUUID()}${arriving}`);
    await mkdir(path.dirname(beside), { recursive: true, mode: 0o700 });
    if (!(await takeChecked(storage, key, id, beside))) return false;
    await rename(beside, path.join(folder, kind, id));
    await this.#shrink(path.join(kind, id));
    return true;
  }

  /** Removes what was used longest ago beyond the limit. @param justCame Stays. */
  async #shrink(justCame: string): Promise<void> {
    const { folder, limit } = this.#options;
    const files: KeptFile[] = [];
    for (const kind of await readdir(folder)) {
      for (const file of await keptFiles(path.join(folder, kind))) {
        const name = path.join(kind, file.name);
        if (!name.endsWith(arriving)) files.push({ ...file, name });
        else if (file.usedAt < Date.now() - arrivalTime)
          await rm(path.join(folder, name), { force: true });
      }
    }
    let total = sizeOf(files);
    for (const { name, size } of files.sort((a, b) => a.usedAt - b.usedAt)) {
      if (total <= limit()) return;
      if (name === justCame) continue;
      await rm(path.join(folder, name), { force: true });
      total -= size;
    }
  }
}
