/**
 * Small copies of videos that the browser of the window can't decode: each made once by a worker process of its own,
 * kept on the disk by content, and ended when nobody waits for it any more. One is made at a time.
 */
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { proxyLimits } from '../../../shared/limits.ts';
import { describeError, type Log } from '../../system/log.ts';
import { exists } from '../../system/files.ts';
import { keptFiles } from '../../system/kept-files.ts';
import { askWorker, inWorkFolder } from './ask-worker.ts';
import type { ForkWorker } from './protocol.ts';
import { explain, stopped, type TaskOutcome } from './task-faults.ts';
import type { TaskInput } from './tasks.ts';

/** What became of a copy; never a rejection. */
export type ProxyOutcome =
  | { readonly kind: 'made'; readonly path: string }
  | { readonly kind: 'failed'; readonly message: string };

/** What the service is made with. */
export interface ProxyOptions {
  readonly fork: ForkWorker;
  readonly engine: Pick<TaskInput<'proxy'>, 'ffmpegPath'>;
  /** Only this service writes here. What is in it may be removed while nothing runs. */
  readonly folder: string;
  readonly log: Log;
}

/** A copy that is being made. */
interface Making {
  readonly outcome: Promise<ProxyOutcome>;
  readonly stop: AbortController;
  waiting: number;
}

/** Videos known to have a copy; those found out longest ago go first. */
const mostKnown = 500;
const nobodyWaits: ProxyOutcome = { kind: 'failed', message: 'Nobody waits for it any more' };

/** Copies of videos, as files. */
export class ProxyService {
  readonly #options: ProxyOptions;
  /** Both by path, size and time of the video. */
  readonly #making = new Map<string, Making>();
  readonly #known = new Map<string, string>();
  /** Ends with the newest piece of work. */
  #line: Promise<unknown> = Promise.resolve();
  #isOpen = true;

  constructor(options: ProxyOptions) {
    this.#options = options;
  }

  /**
   * The small copy of a video.
   *
   * @param signal Who asked does not wait any more.
   */
  async make(filePath: string, signal: AbortSignal): Promise<ProxyOutcome> {
    const facts = await stat(filePath).catch(() => null);
    if (!facts) return { kind: 'failed', message: 'The file is gone' };
    const key = `${filePath} ${facts.size} ${facts.mtimeMs}`;
    const known = this.#known.get(key);
    if (known !== undefined && (await exists(known))) return { kind: 'made', path: known };
    if (signal.aborted || !this.#isOpen) return nobodyWaits;
    let making = this.#making.get(key);
    if (!making || making.stop.signal.aborted) {
      const stop = new AbortController();
      const outcome = this.#line.then(() => this.#write(filePath, key, stop.signal));
      this.#line = outcome;
      making = { outcome, stop, waiting: 0 };
      this.#making.set(key, making);
    }
    const own = making;
    own.waiting += 1;
    const leave = (): void => {
      own.waiting -= 1;
      if (own.waiting === 0) own.stop.abort();
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await own.outcome;
    } finally {
      signal.removeEventListener('abort', leave);
      if (this.#making.get(key) === own) this.#making.delete(key);
    }
  }

  /** Ends what is being made. */
  close(): void {
    this.#isOpen = false;
    for (const { stop } of this.#making.values()) stop.abort();
  }

  async #write(filePath: string, key: string, signal: AbortSignal): Promise<ProxyOutcome> {
    if (signal.aborted || !this.#isOpen) return nobodyWaits;
    const { folder, engine, fork, log } = this.#options;
    // There is one at a time.
    const workFolder = path.join(folder, 'work');
    try {
      // Not all of the engine's settings: a copy needs its program alone.
      const input = { filePath, folder, workFolder, ffmpegPath: engine.ffmpegPath };
      const copied = await inWorkFolder(workFolder, () =>
        askWorker({ fork, log }, 'proxy', input, { signal }),
      );
      if (copied.kind === 'ended' && copied.how === stopped) return nobodyWaits;
      const outcome = await this.#outcomeOf(copied);
      if (outcome.kind === 'made') this.#known.set(key, outcome.path);
      for (const oldest of this.#known.keys()) {
        if (this.#known.size <= mostKnown) break;
        this.#known.delete(oldest);
      }
      return outcome;
    } catch (error) {
      log('error', 'proxy', describeError(error));
      return { kind: 'failed', message: 'Something went wrong. The log has the details.' };
    }
  }

  async #outcomeOf(copied: TaskOutcome<'proxy'>): Promise<ProxyOutcome> {
    const { folder, log } = this.#options;
    if (copied.kind !== 'done') return { kind: 'failed', message: explain('proxy', copied, log) };
    const { name } = copied.output;
    await this.#makeRoom(name);
    return { kind: 'made', path: path.join(folder, name) };
  }

  /** Removes those that were used longest ago. @param newest stays whatever its size */
  async #makeRoom(newest: string): Promise<void> {
    const { folder } = this.#options;
    let bytes = 0;
    for (const { name, size } of (await keptFiles(folder, '.mp4')).reverse()) {
      bytes += size;
      if (bytes > proxyLimits.kept && name !== newest)
        await rm(path.join(folder, name), { force: true });
    }
  }
}
