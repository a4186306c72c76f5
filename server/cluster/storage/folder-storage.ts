/**
 * Storage in a folder: one of this computer, or one that several share over a network (NFS, SMB). A file is written
 * under a name of its own, flushed, and renamed to its key, so that nobody sees a part of it.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream, type BigIntStats, type Dirent } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { errorCode, flushFolder, refusalKind, renameOver } from '../../system/files.ts';
import {
  type ByteRange,
  checkedKey,
  type Content,
  markName,
  type PutOptions,
  type Storage,
  StorageError,
  type StoredFile,
} from '../../store/storage.ts';
import { patiently, within } from './patience.ts';

/** Where files are written before they get their names; no key begins with a dot. */
const incoming = '.incoming';
/** Bytes to copy at a time. */
const pieceBytes = 1024 * 1024;

/** See above. */
export class FolderStorage implements Storage {
  readonly name: string;
  readonly id: string;
  readonly #patience: number;

  private constructor(folder: string, id: string, patience: number) {
    this.name = folder;
    this.id = id;
    this.#patience = patience;
  }

  /**
   * Opens a folder, making it if needed.
   *
   * @param patience How long one step may take before the storage counts as slow, ms.
   * @throws StorageError
   */
  static async open(folder: string, patience: number): Promise<FolderStorage> {
    try {
      const id = await within(patience, claim(folder));
      return new FolderStorage(folder, id, patience);
    } catch (error) {
      throw asFault(folder, error);
    }
  }

  async put(key: string, content: Content, { signal }: PutOptions = {}): Promise<StoredFile> {
    const place = this.#place(key);
    const beside = path.join(this.name, incoming, randomUUID());
    const source = streamOf(content);
    // One that fails before it is read would end the process; reading it throws the error again.
    source.on('error', () => undefined);
    try {
      await this.#try(() => this.#check());
      await this.#write(beside, source, signal);
      await this.#step(this.#reveal(beside, place));
      return factsOf(key, await this.#step(stat(place, { bigint: true })));
    } catch (error) {
      await rm(beside, { force: true }).catch(() => undefined);
      throw error;
    } finally {
      source.destroy();
    }
  }

  head(key: string): Promise<StoredFile | null> {
    const place = this.#place(key);
    return this.#try(async () => {
      const facts = await this.#orNull(stat(place, { bigint: true }));
      return facts?.isFile() === true ? factsOf(key, facts) : null;
    });
  }

  async get(
    key: string,
    { range, signal }: { readonly range?: ByteRange; readonly signal?: AbortSignal } = {},
  ): Promise<{ readonly file: StoredFile; readonly stream: Readable } | null> {
    const place = this.#place(key);
    return this.#try(async () => {
      const handle = await this.#orNull(open(place, 'r'));
      if (!handle) return null;
      try {
        const file = factsOf(key, await this.#within(handle.stat({ bigint: true })));
        const stream = handle.createReadStream({ ...range, highWaterMark: pieceBytes });
        if (signal) addAbortSignal(signal, stream);
        return { file, stream: patiently(stream, this.#patience, this.#fault) };
      } catch (error) {
        await handle.close().catch(() => undefined);
        throw error;
      }
    });
  }

  async remove(key: string): Promise<void> {
    const place = this.#place(key);
    await this.#try(async () => {
      await this.#check();
      await this.#within(rm(place, { force: true }));
      // The folder of a render goes with its last file.
      const folder = path.dirname(place);
      if (key.split('/').length > 2) await this.#within(rmdir(folder)).catch(() => undefined);
    });
  }

  async *list(prefix: string): AsyncGenerator<StoredFile> {
    await this.#try(() => this.#check());
    const cut = prefix.lastIndexOf('/') + 1;
    yield* this.#walk(prefix.slice(0, cut), prefix);
  }

  signedAddress(): Promise<null> {
    return Promise.resolve(null);
  }

  async removeUnfinished(before: number): Promise<number> {
    return this.#try(async () => {
      await this.#check();
      const folder = path.join(this.name, incoming);
      let count = 0;
      for (const name of await this.#within(readdir(folder))) {
        const file = path.join(folder, name);
        const facts = await this.#within(stat(file)).catch(() => null);
        if (!facts || facts.mtimeMs >= before) continue;
        await this.#within(rm(file, { force: true }));
        count++;
      }
      return count;
    });
  }

  async answers(): Promise<boolean> {
    const mark = await within(Math.min(this.#patience, 5_000), readMark(this.name)).catch(
      () => null,
    );
    return mark === this.id;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** In the order of keys: a folder counts as its name with a slash. */
  async *#walk(folder: string, prefix: string): AsyncGenerator<StoredFile> {
    const entries = await this.#try(() =>
      this.#orEmpty(readdir(path.join(this.name, folder), { withFileTypes: true })),
    );
    const names = entries
      .filter(({ name }) => !name.startsWith('.'))
      .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
      .sort();
    for (const name of names) {
      if (name.endsWith('/')) {
        if (name.startsWith(prefix) || prefix.startsWith(name)) yield* this.#walk(name, prefix);
      } else if (name.startsWith(prefix)) {
        const file = await this.head(name);
        if (file) yield file;
      }
    }
  }

  /** Errors of the source are passed on as they are: they are none of the storage's. */
  async #write(file: string, source: Readable, signal?: AbortSignal): Promise<void> {
    if (signal) addAbortSignal(signal, source);
    const handle = await this.#step(open(file, 'wx', 0o644));
    try {
      for await (const piece of source) await this.#step(handle.writeFile(piece as Uint8Array));
      await this.#step(handle.sync());
    } finally {
      await handle.close().catch(() => undefined);
    }
  }

  async #reveal(beside: string, place: string): Promise<void> {
    const folder = path.dirname(place);
    for (let tries = 3; ; tries--) {
      try {
        await this.#makeFolder(folder);
        await renameOver(beside, place);
        break;
      } catch (error) {
        // Somebody has just removed the last file of this folder, and it with that.
        if (errorCode(error) !== 'ENOENT' || tries === 0) {
          await this.#check();
          throw error;
        }
      }
    }
    await flushFolder(folder);
  }

  /**
   * Makes a folder with those above it, but never the storage's own: where a drive is not mounted, nothing must be in
   * its place.
   */
  async #makeFolder(folder: string): Promise<void> {
    let made = this.name;
    for (const name of path.relative(this.name, folder).split(path.sep)) {
      made = path.join(made, name);
      await mkdir(made).catch((error: unknown) => {
        if (errorCode(error) !== 'EEXIST') throw error;
      });
    }
  }

  /** Null for a file that is missing. @throws if the storage is. */
  async #orNull<Result>(asked: Promise<Result>): Promise<Result | null> {
    try {
      return await this.#within(asked);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') throw error;
      await this.#check();
      return null;
    }
  }

  async #orEmpty(asked: Promise<Dirent[]>): Promise<Dirent[]> {
    return (await this.#orNull(asked)) ?? [];
  }

  /** @throws if the folder is not the storage that was opened. */
  async #check(): Promise<void> {
    const mark = await this.#within(readMark(this.name));
    if (mark !== this.id) throw new StorageError(this.name, 'away');
  }

  #within<Result>(asked: Promise<Result>): Promise<Result> {
    return within(this.#patience, asked);
  }

  /** One step of a transfer. @throws StorageError */
  #step<Result>(asked: Promise<Result>): Promise<Result> {
    return this.#try(() => this.#within(asked));
  }

  async #try<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw this.#fault(error);
    }
  }

  readonly #fault = (error: unknown): Error => asFault(this.name, error);

  #place(key: string): string {
    return path.join(this.name, ...checkedKey(key).split('/'));
  }
}

function streamOf(content: Content): Readable {
  if (content instanceof Readable) return content;
  if (content instanceof Uint8Array) return Readable.from([content]);
  return createReadStream(content.file, { highWaterMark: pieceBytes });
}

function asFault(name: string, error: unknown): Error {
  if (error instanceof StorageError) return error;
  if (error instanceof Error && error.name === 'AbortError') return error;
  return new StorageError(name, refusalKind(error) ?? 'other', error);
}

function factsOf(key: string, { size, mtimeNs, mtimeMs }: BigIntStats): StoredFile {
  const mark = `${size.toString(36)}-${mtimeNs.toString(36)}`;
  return { key, bytes: Number(size), mark, changedAt: Number(mtimeMs) };
}

async function readMark(folder: string): Promise<string | null> {
  return readFile(path.join(folder, markName), 'utf8').then(
    (text) => text.trim(),
    (error: unknown) => {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    },
  );
}

/** Makes a folder a storage, unless it is one. @returns its ID. Of several that do it at once, one wins. */
async function claim(folder: string): Promise<string> {
  await mkdir(path.join(folder, incoming), { recursive: true });
  const known = await readMark(folder);
  if (known !== null) return known;
  const beside = path.join(folder, incoming, randomUUID());
  const handle = await open(beside, 'wx', 0o644);
  try {
    await handle.writeFile(`${randomUUID()}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    const mark = path.join(folder, markName);
    await link(beside, mark).catch((error: unknown) => {
      if (errorCode(error) === 'EEXIST') return undefined;
      // A file system without links: two that start together for the first time might each have their own.
      return rename(beside, mark);
    });
  } finally {
    await rm(beside, { force: true });
  }
  return (await readMark(folder)) ?? '';
}
