/**
 * Whether changes can be stored. One failed write may be an accident, so a test write follows at once. While that fails
 * too, nothing can be saved, and the test is repeated with pauses, and when the user asks for it.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../system/log.ts';
import { writeWhole } from './files.ts';
import { errorCode, refusalWords } from '../system/files.ts';

/** Milliseconds between two test writes while the last one failed. */
const testPause = 10_000;
/** Bytes of a test write: more than a full disk may have left in a block. */
const testSize = 64 * 1024;

/** Where records are kept can't be reached; the message is the reason in plain words. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}

/** A system error in plain words; the log has the rest. */
export function reasonOf(error: unknown): string {
  if (error instanceof UnavailableError) return error.message;
  const words = refusalWords(error, 'the data folder');
  if (words !== undefined) return words;
  const code = errorCode(error);
  return `writing failed${code === undefined ? '' : ` (${code})`}`;
}

/** The health of one data folder. */
export class StoreHealth {
  readonly #file: string;
  readonly #log: Log;
  /** What else must work again: read-only collections load their file. They throw the disk's error. */
  readonly #tests: (() => Promise<void>)[] = [];
  readonly #listeners = new Set<() => void>();
  #problem: string | null = null;
  #testing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** False while the collections are being opened: their files can't be tried then. */
  #started = false;
  #closed = false;

  /**
   * @param folder The folder of the data files; test writes go there.
   * @param name Of the file that they write; one that no other program writes. Default `test-write`.
   */
  constructor(folder: string, log: Log, name = 'test-write') {
    this.#file = path.join(folder, name);
    this.#log = log;
  }

  /** Why nothing can be saved, in words, e.g. `the disk is full`; null while it can. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Calls when `problem` changes. @returns the function that unsubscribes. */
  follow(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Adds a check to the test. */
  include(test: () => Promise<void>): void {
    this.#tests.push(test);
  }

  /** A change could not be written: tests whether any can. */
  doubt(): void {
    if (this.#started) void this.test();
  }

  /** A change was written. */
  worked(): void {
    if (this.#problem !== null) void this.test();
  }

  /** Call when all is open: tests, because opening itself writes nothing. Also removes what a killed test left. */
  async start(): Promise<void> {
    this.#started = true;
    await this.test();
  }

  /** Tries a write. Never rejects; `problem` then has the result. */
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
