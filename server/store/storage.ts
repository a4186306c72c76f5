/**
 * STORAGE: finished files and shared content outside of one computer's data folder, for several servers and workers: a
 * shared folder (folder-storage.ts) or S3 (s3-storage.ts), opened by open-storage.ts. What both promise is here; one
 * test suite holds them to it.
 *
 * A file is seen whole or not at all, under its key (keys.ts), and never changes: what is made again gets another key,
 * or has the same content. So nobody locks, and copies stay valid.
 */
import type { Readable } from 'node:stream';
import type { RefusalKind } from '../system/files.ts';

/** A file in storage. */
export interface StoredFile {
  readonly key: string;
  readonly bytes: number;
  /** Changes with the content; for an ETag. Printable ASCII without quotes. */
  readonly mark: string;
  /** When it was put there, ms since 1970, by the storage's clock. */
  readonly changedAt: number;
}

/** What to put: bytes, the path of a file (which stays where it is), or a stream, which is read to its end once. */
export type Content = Uint8Array | { readonly file: string } | Readable;

/** How to put a file. */
export interface PutOptions {
  /** Its media type, e.g. `video/mp4`, for signed addresses. Default `application/octet-stream`. */
  readonly type?: string;
  /** Gives up; the file is then not there. */
  readonly signal?: AbortSignal;
}

/** Bytes of a file: from `start` up to and with `end`, as in HTTP. Both lie within the file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** How a browser is to take a file from a signed address. */
export interface AddressOptions {
  /** How long the address is valid, in seconds; at most a week. */
  readonly seconds: number;
  /** The answer's `Content-Type`. */
  readonly type: string;
  /** The answer's `Content-Disposition`. */
  readonly disposition: string;
}

/**
 * Files by key. Every method throws StorageError when the storage can't do it, after some patience; a missing file is
 * no error. Keys are checked (keys.ts).
 */
export interface Storage {
  /** For people, without secrets: `/mnt/films` or `s3://bucket/films`. */
  readonly name: string;
  /** Chosen at the first opening and kept in the storage itself: two programs with the same one share their files. */
  readonly id: string;
  /** Puts a file; it is seen when this has returned, and not before. An existing one is replaced, whole. */
  put(key: string, content: Content, options?: PutOptions): Promise<StoredFile>;
  /** Facts of a file; null if there is none. */
  head(key: string): Promise<StoredFile | null>;
  /** A file to read, or a range of it; null if there is none. The caller reads the stream to its end or destroys it. */
  get(
    key: string,
    options?: { readonly range?: ByteRange; readonly signal?: AbortSignal },
  ): Promise<{ readonly file: StoredFile; readonly stream: Readable } | null>;
  /** Removes a file. Nothing happens if there is none. */
  remove(key: string): Promise<void>;
  /** All files whose key begins with a prefix (`renders/`), in the order of their keys, read on demand. */
  list(prefix: string): AsyncIterable<StoredFile>;
  /** An address where anyone can read the file for a while without asking us; null: this storage has none to offer. */
  signedAddress(key: string, options: AddressOptions): Promise<string | null>;
  /** Removes what was being put before a moment (ms since 1970) and never finished. @returns how many. */
  removeUnfinished(before: number): Promise<number>;
  /** True while it answers: a small question with little patience. Never throws. */
  answers(): Promise<boolean>;
  /** Ends connections. */
  close(): Promise<void>;
}

/** Where each storage keeps its own mark, beside the keys and none of them: that it is one, and which. */
export const markName = '.framewright-storage';

/** Why storage can't do something. */
export type StorageFault = RefusalKind | 'other';

const sentences: Record<StorageFault, string> = {
  away: 'does not answer',
  slow: 'takes too long to answer',
  denied: 'refuses access',
  full: 'is full',
  other: 'has failed',
};

/**
 * The storage can't do something. The message is a sentence without a full stop; `cause` has the system's or library's
 * error.
 */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly fault: StorageFault;

  /** @param storage Its name. */
  constructor(storage: string, fault: StorageFault, cause?: unknown) {
    const detail = fault === 'other' && cause instanceof Error ? `: ${cause.message}` : '';
    super(`the storage ${storage} ${sentences[fault]}${detail}`, { cause });
    this.fault = fault;
  }

  /** The same for anyone: without the name, which may be a path of this computer. */
  get reason(): string {
    return `the storage ${sentences[this.fault]}`;
  }

  /** True if the same may work later without anyone's doing. */
  get isPassing(): boolean {
    return this.fault === 'away' || this.fault === 'slow';
  }
}

/**
 * Removes files that nobody needs: those of a prefix that are older than a moment and that `isNeeded` does not name.
 * The moment must lie before the oldest attempt that may still be running, because its files have no record yet.
 *
 * @param before ms since 1970, by the storage's clock.
 * @returns how many were removed.
 */
export async function removeStrays(
  storage: Storage,
  prefix: string,
  before: number,
  isNeeded: (file: StoredFile) => boolean,
): Promise<number> {
  let count = 0;
  for await (const file of storage.list(prefix)) {
    if (file.changedAt >= before || isNeeded(file)) continue;
    await storage.remove(file.key);
    count++;
  }
  return count;
}
