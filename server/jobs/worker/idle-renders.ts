/**
 * Renders what is open in the editor while the queue has nothing to do, so that an export finds its pieces there
 * (engine/pieces/). One at a time, by a worker process of its own: the newest document counts, and any render comes
 * first.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { JsonText } from '../../system/json-text.ts';
import { describeError, type Log } from '../../system/log.ts';
import type { HiddenMedia } from '../../system/media-folders.ts';
import { isFinal } from '../../../shared/api.ts';
import type { EventBus } from '../events.ts';
import { askWorker, inWorkFolder } from './ask-worker.ts';
import { handOver } from './engine-settings.ts';
import type { ForkWorker } from './protocol.ts';
import type { TaskInput } from './tasks.ts';

/** A document that is open. */
export interface OpenDocument {
  readonly project: string;
  /** Read when its turn comes; null: it is gone, or can't be rendered. */
  readonly read: () => Promise<JsonText | null>;
}

/** What the service is made with. */
export interface IdleRendersOptions {
  readonly fork: ForkWorker;
  readonly engine: Omit<
    TaskInput<'render'>,
    | ('id' | 'source' | 'scaling' | 'outputPath' | 'snapshotPath' | 'workFolder')
    | ('hiddenMedia' | 'transcriber')
  >;
  /** The current recogniser; read before every render. */
  readonly transcriber: () => Pick<TaskInput<'render'>, 'transcriber'>;
  readonly hiddenMedia: (project: string) => HiddenMedia;
  /** Only this service writes here. */
  readonly folder: string;
  /** Whether the setting is on. */
  readonly isWanted: () => boolean;
  /** Whether the queue has something to do. */
  readonly isBusy: () => boolean;
  readonly events: Pick<EventBus, 'subscribe'>;
  readonly log: Log;
}

/** Milliseconds without an edit. */
const pause = 3_000;

/** Documents of the editor, rendered ahead. */
export class IdleRenders {
  readonly #options: IdleRendersOptions;
  readonly #unfollow: () => void;
  #next: OpenDocument | null = null;
  #timer: NodeJS.Timeout | undefined;
  #running: AbortController | null = null;
  #isOpen = true;

  constructor(options: IdleRendersOptions) {
    this.#options = options;
    this.#unfollow = options.events.subscribe((happening) => {
      const isWork = happening.type === 'render.updated' && !isFinal(happening.render.status);
      // What was begun is tried again once there is time.
      if (isWork) this.#running?.abort();
    });
  }

  /** A document was changed. */
  note(document: OpenDocument): void {
    if (!this.#isOpen || !this.#options.isWanted()) return;
    this.#next = document;
    this.#running?.abort();
    this.#wait();
  }

  /** Ends what is being made. */
  close(): void {
    this.#isOpen = false;
    this.#unfollow();
    clearTimeout(this.#timer);
    this.#running?.abort();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    if (!this.#isOpen || !this.#next) return;
    this.#timer = setTimeout(() => void this.#begin(), pause).unref();
  }

  async #begin(): Promise<void> {
    const { isWanted, isBusy, log } = this.#options;
    const document = this.#next;
    if (!document || this.#running || !isWanted()) return;
    if (isBusy()) {
      this.#wait();
      return;
    }
    const running = new AbortController();
    this.#running = running;
    try {
      await this.#render(document, running.signal);
    } catch (error) {
      log('error', 'idle render', describeError(error));
    } finally {
      this.#running = null;
      if (this.#next === document && !running.signal.aborted) this.#next = null;
      this.#wait();
    }
  }

  /** Makes the film and drops it: its pieces stay. Why it can't be made is said where it is exported. */
  async #render({ project, read }: OpenDocument, signal: AbortSignal): Promise<void> {
    const { fork, log, engine, hiddenMedia, transcriber, folder } = this.#options;
    const text = await read();
    if (!text) return;
    const workFolder = path.join(folder, 'work');
    await inWorkFolder(workFolder, async () => {
      await mkdir(workFolder, { recursive: true });
      const input = {
        ...engine,
        ...transcriber(),
        id: 'idle',
        source: await handOver(text, path.join(workFolder, 'document.json')),
        scaling: {},
        outputPath: path.join(workFolder, 'film.mp4'),
        snapshotPath: path.join(workFolder, 'snapshot.jpg'),
        workFolder,
        hiddenMedia: hiddenMedia(project),
      };
      await askWorker({ fork, log }, 'render', input, { signal });
    });
  }
}
