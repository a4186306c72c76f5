/**
 * Puts what a render has made into storage, with patience: hours of work must not be lost to a storage that is away for
 * a moment.
 */
import { StorageError } from '../../store/storage.ts';
import { describeError, type Log } from '../../system/log.ts';
import type { StoredRender } from '../../store/render-record.ts';
import type { OutputFiles, StoredFiles } from './output-files.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../../../shared/errors.ts';

/** Milliseconds before each new try; ten minutes in all while the storage may come back by itself. */
const passingPauses = [1_000, 2_000, 5_000, 10_000, 30_000, ...Array<number>(9).fill(60_000)];
/** The same for a storage that is full or refuses: someone may be at it. */
const lastingPauses = [1_000, 5_000];

/** What storing works with. */
export interface StoringContext {
  readonly log: Log;
  /** Waits, unless the program ends. */
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly isClosed: () => boolean;
}

/** How it ended: with a result, with the end of the program, or with a failure in words. */
export type Storing<Result> =
  | { readonly kind: 'stored'; readonly stored: Result }
  | { readonly kind: 'closed' }
  | { readonly kind: 'failed'; readonly message: string };

/** The error message of a render that fails for a reason. @param why A sentence without a full stop. */
export function renderError(why: string): string {
  return `Render error: ${why.charAt(0).toUpperCase()}${why.slice(1)}`;
}

/** The files of a finished render. The result are their keys; undefined without storage. */
export function storeFiles(
  render: StoredRender,
  hasSnapshot: boolean,
  { files, ...context }: StoringContext & { readonly files: OutputFiles },
): Promise<Storing<StoredFiles | undefined>> {
  return storeWithPatience(`render ${render.id}`, () => files.store(render, hasSnapshot), context);
}

/** Puts something into storage. @param what It is of, for the log. @param put May be called more than once. */
export async function storeWithPatience<Result>(
  what: string,
  put: () => Promise<Result>,
  { log, pause, isClosed }: StoringContext,
): Promise<Storing<Result>> {
  for (let tries = 0; ; tries++) {
    try {
      return { kind: 'stored', stored: await put() };
    } catch (error) {
      const isOurs = error instanceof StorageError;
      const words = isOurs ? error.message : describeError(error);
      log('warning', what, `its file was not stored: ${words}`);
      if (isClosed()) return { kind: 'closed' };
      const pauses = isOurs && error.isPassing ? passingPauses : lastingPauses;
      const wait = pauses[tries];
      if (wait === undefined) {
        const why = isOurs ? error.message : 'the finished file can not be read';
        return {
          kind: 'failed',
          message: renderError(why),
        };
      }
      await pause(wait);
      if (isClosed()) return { kind: 'closed' };
    }
  }
}

/* Repeats changes of state that must reach the disk, until it takes them or the program ends. */

/** Milliseconds before each new try to store what the disk refused. */
const savePauses = [1_000, 2_000, 5_000, 10_000, 30_000];

/** Repeats refused writes. */
export class Saver {
  readonly #log: Log;
  readonly #closing = new AbortController();

  constructor(log: Log) {
    this.#log = log;
  }

  /**
   * Repeats a change of state until the disk takes it. Null if the program ends first (the next start repairs it), or
   * if something other than the disk refused it, which would never succeed.
   */
  async untilSaved<T>(change: () => Promise<T>): Promise<T | null> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await change();
      } catch (error) {
        this.#log('error', 'queue', describeError(error));
        const isDisk = error instanceof ApiError && error.code === 'cannot_save';
        if (!isDisk || this.#closing.signal.aborted) return null;
        await this.pause(savePauses[Math.min(attempt, savePauses.length - 1)] ?? 0);
      }
    }
  }

  /** Waits, unless the program ends. @param milliseconds Default: the pause before a third try. */
  async pause(milliseconds = savePauses[2]): Promise<void> {
    const { signal } = this.#closing;
    await pause(milliseconds, undefined, { signal }).catch(() => undefined);
  }

  /** Ends all pauses; nothing is repeated from now on. */
  close(): void {
    this.#closing.abort();
  }
}
