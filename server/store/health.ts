/**
 * Whether changes can be stored. One refused write may be an accident, so it is followed by a test write at once; while that
 * fails too, nothing can be saved, and the test is repeated until it succeeds or a person asks for it.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../log.ts';
import { writeWhole } from './files.ts';
import { errorCode } from '../system/files.ts';

/** Milliseconds between two test writes while the last one failed. */
const testPause = 10_000;
/** Bytes of a test write: more than the rest of a block that a full disk may still have. */
const testSize = 64 * 1024;

/** A system error in words for people; the log has the rest. */
export function reasonOf(error: unknown): string {
  const words: Readonly<Record<string, string>> = {
    ENOSPC: 'the disk is full',
    EDQUOT: 'the disk quota is used up',
    EROFS: 'the drive is read-only',
    EACCES: 'the data folder may not be written',
    EPERM: 'the data folder may not be written',
    ENOENT: 'the data folder is missing',
    EIO: 'the drive reports an error',
  };
  const code = errorCode(error);
  return words[code ?? ''] ?? `writing failed${code === undefined ? '' : ` (${code})`}`;
}

/** The health of one data folder. */
export class StoreHealth {
  readonly #file: string;
  readonly #log: Log;
  /** What else must work again: collections that are read-only load their file. They throw what the disk says. */
  readonly #tests: (() => Promise<void>)[] = [];
  readonly #listeners = new Set<() => void>();
  #problem: string | null = null;
  #testing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** False while the collections are being opened: their files can't be tried then. */
  #started = false;
  #closed = false;

  /** @param folder That of the data files; test writes go there. */
  constructor(folder: string, log: Log) {
    this.#file = path.join(folder, 'test-write');
    this.#log = log;
  }

  /** Why nothing can be saved, in words, e.g. `the disk is full`; null while it can. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Calls when `problem` changes. @returns what ends it. */
  follow(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Adds something that a test of the folder includes. */
  include(test: () => Promise<void>): void {
    this.#tests.push(test);
  }

  /** A change could not be written: looks whether any can. */
  doubt(): void {
    if (this.#started) void this.test();
  }

  /** A change was written. */
  worked(): void {
    if (this.#problem !== null) void this.test();
  }

  /** All is opened: looks, because opening writes nothing by itself. What a kill left of a test goes with it. */
  async start(): Promise<void> {
    this.#started = true;
    await this.test();
  }

  /** Writes something for trial. Never rejects; `problem` tells afterwards. */
  test(): Promise<void> {
    this.#testing ??= this.#testOnce().finally(() => {
      this.#testing = null;
    });
    return this.#testing;
  }

  async #testOnce(): Promise<void> {
    if (this.#isClosed()) return;
    let problem: string | null = null;
    try {
      await writeWhole(this.#file, new Uint8Array(testSize));
      await rm(this.#file, { force: true });
      for (const test of this.#tests) await test();
    } catch (error) {
      problem = reasonOf(error);
    }
    clearTimeout(this.#timer);
    if (problem !== null && !this.#isClosed()) {
      this.#timer = setTimeout(() => void this.test(), testPause).unref();
    }
    if (problem === this.#problem) return;
    this.#problem = problem;
    const words =
      problem === null ? 'Data can be saved again.' : `Nothing can be saved: ${problem}.`;
    this.#log(problem === null ? 'info' : 'error', 'store', words);
    for (const listener of this.#listeners) listener();
  }

  #isClosed(): boolean {
    return this.#closed;
  }

  /** Ends the tests; waits for one under way. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#testing;
  }
}
