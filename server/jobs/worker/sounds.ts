/**
 * The sound of each document open in the window, as a file made by a separate worker process, so that pictures go on
 * meanwhile. One at a time; for each client only the newest document counts.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { soundLimits } from '../../../shared/limits.ts';
import type { JsonText } from '../../system/json-text.ts';
import { contentOf } from '../../system/json-text.ts';
import { describeError, type Log } from '../../system/log.ts';
import { lastSpoken } from '../../system/voice-folder.ts';
import { askWorker, inWorkFolder } from './ask-worker.ts';
import type { ForkWorker } from './protocol.ts';
import { handOver } from './engine-settings.ts';
import { explain, stopped, type TaskOutcome } from './task-faults.ts';
import type { TaskInput } from './tasks.ts';

/** The outcome for a document's sound; never a rejection. */
export type SoundOutcome =
  | { readonly kind: 'made'; readonly id: string; readonly duration: number }
  /** The document is silent. */
  | { readonly kind: 'silent' }
  | { readonly kind: 'failed'; readonly message: string }
  /** The same client wants another one. */
  | { readonly kind: 'superseded' };

/** What the service is made with. */
export interface SoundOptions {
  readonly fork: ForkWorker;
  /** Where media and downloads lie, and what may be read; as for renders. */
  readonly engine: Omit<
    TaskInput<'sound'>,
    'source' | 'soundPath' | 'longest' | 'workFolder' | 'transcriber'
  >;
  /** Only this service writes here; emptied when the first sound is made. */
  readonly folder: string;
  readonly log: Log;
}

/** A cached outcome, or its promise. */
interface Kept {
  readonly outcome: Promise<SoundOutcome>;
  readonly until: number;
}

const superseded: SoundOutcome = { kind: 'superseded' };

/** Sounds of documents, as files. */
export class SoundService {
  readonly #options: SoundOptions;
  /** By content of the document, and when a text was last spoken; oldest first. */
  readonly #kept = new Map<string, Kept>();
  /** Paths by ID; oldest first. */
  readonly #files = new Map<string, string>();
  /** What each client waits for now. */
  readonly #wanted = new Map<string, AbortController>();
  /** Resolves with the newest task. */
  #line: Promise<unknown>;
  #isOpen = true;
  #isEmpty = false;

  constructor(options: SoundOptions) {
    this.#options = options;
    this.#line = Promise.resolve();
  }

  /** The sound of a document; the same document is not mixed twice. @param client Who asks. */
  async make(client: string, source: JsonText): Promise<SoundOutcome> {
    const content = createHash('sha256').update(contentOf(source)).digest('base64url');
    // A voice that was silent may have been heard since.
    const key = `${content} ${await lastSpoken(this.#options.engine.cacheFolder)}`;
    const known = this.#kept.get(key);
    if (known && known.until > performance.now()) return known.outcome;
    this.#wanted.get(client)?.abort();
    const stop = new AbortController();
    this.#wanted.set(client, stop);
    const outcome = this.#line.then(() => this.#mix(source, stop.signal));
    this.#line = outcome;
    this.#kept.delete(key);
    this.#kept.set(key, { outcome, until: performance.now() + soundLimits.freshFor });
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= soundLimits.kept) break;
      this.#kept.delete(oldest);
    }
    const { kind } = await outcome;
    if (this.#wanted.get(client) === stop) this.#wanted.delete(client);
    // Neither says anything about the document.
    if (kind === 'failed' || kind === 'superseded') this.#kept.delete(key);
    return outcome;
  }

  /** Path of a sound; null if it is gone. */
  find(id: string): string | null {
    return this.#files.get(id) ?? null;
  }

  /** Ends what is being made. */
  close(): void {
    this.#isOpen = false;
    for (const stop of this.#wanted.values()) stop.abort();
  }

  async #mix(document: JsonText, signal: AbortSignal): Promise<SoundOutcome> {
    if (signal.aborted || !this.#isOpen) return superseded;
    const { folder, engine, fork, log } = this.#options;
    const id = randomUUID();
    const [soundPath, workFolder] = [`${id}.flac`, id].map((name) => path.join(folder, name));
    if (!soundPath || !workFolder) throw new Error('unreachable: two names, two paths');
    try {
      // What an earlier run has left.
      if (!this.#isEmpty) await rm(folder, { recursive: true, force: true });
      this.#isEmpty = true;
      const mixed = await inWorkFolder(workFolder, async () => {
        await mkdir(workFolder, { recursive: true });
        const source = await handOver(document, path.join(workFolder, 'document.json'));
        const { longest } = soundLimits;
        const input = { source, soundPath, longest, workFolder, ...engine };
        return askWorker({ fork, log }, 'sound', input, { signal });
      });
      return await this.#outcomeOf(mixed, id, soundPath);
    } catch (error) {
      log('error', 'sound', describeError(error));
      return { kind: 'failed', message: 'Something went wrong. The log has the details.' };
    }
  }

  async #outcomeOf(
    mixed: TaskOutcome<'sound'>,
    id: string,
    soundPath: string,
  ): Promise<SoundOutcome> {
    if (mixed.kind === 'ended' && mixed.how === stopped) return superseded;
    if (mixed.kind !== 'done')
      return { kind: 'failed', message: explain('sound', mixed, this.#options.log) };
    const { duration } = mixed.output;
    if (duration === null) return { kind: 'silent' };
    await this.#keep(id, soundPath);
    return { kind: 'made', id, duration };
  }

  async #keep(id: string, soundPath: string): Promise<void> {
    this.#files.set(id, soundPath);
    for (const [oldest, file] of this.#files) {
      if (this.#files.size <= soundLimits.kept) break;
      this.#files.delete(oldest);
      await rm(file, { force: true });
    }
  }
}
