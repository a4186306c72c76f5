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

// The names of files in storage. Only these functions make keys, so that a look at a key says whose file it is.

/** Segments of letters, digits, `.`, `_` and `-`, none of which begins with a dot: safe as paths and in addresses. */
const keyForm = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** Beginnings of the keys of each kind. */
export const prefixes = {
  renders: 'renders/',
  media: 'media/',
  fonts: 'fonts/',
  pieces: 'pieces/',
  kept: 'kept/',
} as const;

/** What content is shared by its hash. */
export type ContentKind = 'media' | 'fonts';

/** One attempt of a render: its name tells it from every other, also from one that came back from the dead. */
interface AttemptName {
  /** The render. */
  readonly id: string;
  /** Its number and what makes it unique, e.g. `2-5f0c1a9e`. */
  readonly attempt: string;
}

/** `renders/ID/ATTEMPT.mp4`: the file that an attempt made. @param ending The output format. */
export function outputKey({ id, attempt }: AttemptName, ending: string): string {
  return checkedKey(`${prefixes.renders}${id}/${attempt}.${ending}`);
}

/** `renders/ID/ATTEMPT-snapshot.jpg` */
export function snapshotKey({ id, attempt }: AttemptName): string {
  return checkedKey(`${prefixes.renders}${id}/${attempt}-snapshot.jpg`);
}

/** `renders/ID/ATTEMPT-receipt.json` */
export function receiptKey({ id, attempt }: AttemptName): string {
  return checkedKey(`${prefixes.renders}${id}/${attempt}-receipt.json`);
}

/** `renders/ID/`: the files of all attempts of a render. */
export function renderPrefix(id: string): string {
  return `${checkedKey(`${prefixes.renders}${id}`)}/`;
}

/** The render that a key under `renders/` belongs to; null for any other key. */
export function renderOf(key: string): string | null {
  return key.startsWith(prefixes.renders) ? (key.split('/')[1] ?? null) : null;
}

/** `media/HASH`. @param hash The content's SHA-256, or its beginning, in hexadecimal digits: an ID of the library. */
export function contentKey(kind: ContentKind, hash: string): string {
  return checkedKey(`${prefixes[kind]}${hash}`);
}

/** `pieces/ID/`: what workers have made of a long film. */
export function piecePrefix(id: string): string {
  return `${checkedKey(`${prefixes.pieces}${id}`)}/`;
}

/** `pieces/ID/NAME`: one file of it. */
export function pieceKey(id: string, name: string): string {
  return checkedKey(`${piecePrefix(id)}${name}`);
}

/** `kept/NAME`: a piece of films that has no place in it which only one of them knows. */
export function keptKey(name: string): string {
  return checkedKey(`${prefixes.kept}${name}`);
}

/** Whether a text has the form of a key. */
export function isKey(text: string): boolean {
  return text.length <= 512 && keyForm.test(text);
}

/**
 * Returns a key as it is.
 * @throws Error for any other text: a caller has a bug, or someone tries to get out of the storage.
 */
export function checkedKey(key: string): string {
  if (!isKey(key)) throw new Error(`'${key}' can't be the key of a file in storage`);
  return key;
}
