/**
 * What the desktop knows about the server's work, and the few actions it has. Main process. Follows the server's events
 * in the same process; everything here can be restored from store and queue.
 */
import { existsSync } from 'node:fs';
import { tellAll, type Happening } from '../server/jobs/events.ts';
import type { ServerServices } from '../server/services.ts';
import type { OutputFiles } from '../server/jobs/files/output-files.ts';
import type { StoredRender } from '../server/store/render-record.ts';
import type { Store } from '../server/store/store.ts';
import type { Language } from '../shared/languages.ts';
import { isPicture } from '../shared/renderscript/formats.ts';
import { say } from './say.ts';

/** The state of the work. */
export interface WorkState {
  /** Running renders, and waiting ones. */
  readonly running: number;
  readonly waiting: number;
  /** The user paused the queue. */
  readonly paused: boolean;
  /** Something else keeps renders waiting, e.g. a low battery. */
  readonly held: boolean;
  /** How full the battery is, in per cent, while it keeps renders waiting; else null. */
  readonly lowBattery: number | null;
  /** True when the renderer gave up until someone starts it. */
  readonly off: boolean;
  /** Of the whole queue, 0–1; null while there is nothing to do. */
  readonly fraction: number | null;
  /** The running render that started first. */
  readonly current: { readonly name: string; readonly fraction: number } | null;
}

/** A render that has just ended. Not for cancelled ones. */
export interface EndedRender {
  readonly id: string;
  readonly name: string;
  readonly succeeded: boolean;
  /** Of the attempt that ended it. */
  readonly seconds: number;
  /** Why it failed. */
  readonly message?: string;
  /** Path of a picture of it, if any. */
  readonly picture?: string;
  /** Path of its file, if it succeeded. */
  readonly file?: string;
  /** It belongs to a feed's batch, which `onBatchEnd` reports as a whole. */
  readonly inBatch: boolean;
}

/** All renders of a feed's batch have ended. */
export interface EndedBatch {
  readonly name: string;
  readonly done: number;
  readonly failed: number;
  readonly cancelled: number;
}

/** Callbacks, called at once, in the order of the server's events. */
export interface WorkListener {
  onChange?(): void;
  onEnd?(render: EndedRender): void;
  onBatchEnd?(batch: EndedBatch): void;
}

/**
 * Pictures with more pixels are not shown with a notification: reading one would hold up the server in the same
 * process.
 */
const mostPixels = 3840 * 2160;

const isFinal = ({ status }: StoredRender): boolean =>
  status === 'succeeded' || status === 'failed';
const nameOf = ({ id, request }: StoredRender): string =>
  request.template?.name ?? say('notice.direct', { id: id.slice(0, 8) });

function endedRender(render: StoredRender, files: OutputFiles): EndedRender {
  const { id, status, startedAt, finishedAt, errorMessage, outputFormat, facts, request } = render;
  const isShown = isPicture(outputFormat);
  const picture = isShown ? files.outputPath(render) : files.snapshotPath(render);
  const { width, height, snapshot } = facts ?? { width: 0, height: 0, snapshot: false };
  const hasPicture =
    status === 'succeeded' && (isShown || snapshot) && width * height <= mostPixels;
  return {
    id,
    name: nameOf(render),
    succeeded: status === 'succeeded',
    seconds: startedAt === undefined ? 0 : ((finishedAt ?? startedAt) - startedAt) / 1000,
    ...(errorMessage !== undefined && { message: errorMessage }),
    ...(hasPicture && existsSync(picture) && { picture }),
    ...(status === 'succeeded' && { file: files.outputPath(render) }),
    inBatch: request.batch !== undefined,
  };
}

/** The batch of a render, if this was its last one. */
function batchEnd({ request }: StoredRender, store: Store): EndedBatch | null {
  const { batch } = request;
  if (!batch) return null;
  const renders = store.renders.list().filter(({ request: other }) => other.batch?.id === batch.id);
  const stored = store.feeds.listBatches().find(({ id }) => id === batch.id);
  // Renders are created one after the other; all existing ones may have ended already.
  const isComplete = stored?.done !== false || renders.length === stored.rowCount;
  if (!isComplete || !renders.every(isFinal)) return null;
  const cancelled = renders.filter((render) => render.cancelled === true).length;
  const done = renders.filter(({ status }) => status === 'succeeded').length;
  return { name: batch.name, done, cancelled, failed: renders.length - done - cancelled };
}

/** The desktop's view of the work. Follows a server from when it is made. */
export class Work {
  readonly #services: ServerServices;
  readonly #progress = new QueueProgress();
  readonly #running = new Map<string, { name: string; fraction: number }>();
  readonly #listeners: WorkListener[] = [];
  readonly #idle: (() => void)[] = [];
  readonly #unfollow: () => void;
  #apiUsedAt: number | null = null;

  constructor(services: ServerServices) {
    this.#services = services;
    for (const render of services.store.renders.listUnfinished()) this.#take(render);
    this.#unfollow = services.events.subscribe((happening) => this.#onHappening(happening));
  }

  get state(): WorkState {
    const { queue, power } = this.#services.work;
    const { renderer, queue: counts } = queue.state;
    const { running, waiting, paused, heldBy = [] } = counts;
    return {
      running,
      waiting,
      paused,
      held: heldBy.length > 0,
      lowBattery: power.lowPercent,
      off: renderer.state === 'off',
      fraction: this.#progress.fraction,
      current: [...this.#running.values()][0] ?? null,
    };
  }

  /** When the API last answered a request, ms since 1970; null: not since the start. */
  get apiUsedAt(): number | null {
    return this.#apiUsedAt;
  }

  get apiUrl(): string {
    return this.#services.address.apiUrl();
  }

  /** False while nothing answers at `apiUrl`. */
  get isApiOn(): boolean {
    return this.#services.listener.api.state === 'on';
  }

  /** Whether the computer is to stay awake while something renders. */
  get keepAwake(): boolean {
    return this.#services.store.settings.values.keepAwake;
  }

  /** The theme chosen in the window; null follows the system. */
  get theme(): 'light' | 'dark' | null {
    return this.#services.store.settings.theme;
  }

  /** The language chosen in the window; null follows the system. */
  get language(): Language | null {
    return this.#services.store.settings.language;
  }

  /** Folder of finished files now. */
  get outputFolder(): string {
    return this.#services.library.files.folder;
  }

  /** Folder in which "Save a copy" opens; null: the system's choice. */
  get copyFolder(): string | null {
    return this.#services.store.settings.values.copyFolder;
  }

  /** Path of a render's finished file, which need not be there; null for an unknown render or another format. */
  fileOf(id: string, format: string): string | null {
    const { store, library } = this.#services;
    const render = store.renders.find(id);
    return render?.outputFormat === format ? library.files.outputPath(render) : null;
  }

  /** Path of a file of damaged records named in a notice; null for any other name. */
  setAsideFile(name: string): string | null {
    return this.#services.store.setAsideFile(name);
  }

  follow(listener: WorkListener): void {
    this.#listeners.push(listener);
  }

  /** Pauses or resumes the queue, remembered as the window does it. */
  async setPaused(paused: boolean): Promise<void> {
    const { store, work } = this.#services;
    await store.settings.change({ queuePaused: paused });
    if (paused) work.queue.pause();
    else work.queue.resume();
  }

  /** Starts nothing new until `release`; not stored. Resolves when nothing runs any more. */
  async holdUntilIdle(): Promise<void> {
    const isIdle = new Promise<void>((resolve) => this.#idle.push(resolve));
    // Publishes the state, which resolves at once if nothing runs.
    this.#services.work.queue.pause();
    await isIdle;
  }

  release(): void {
    const { store, work } = this.#services;
    this.#idle.length = 0;
    if (!store.settings.values.queuePaused) work.queue.resume();
  }

  close(): void {
    this.#unfollow();
    this.#listeners.length = 0;
    this.#idle.length = 0;
  }

  #onHappening(happening: Happening): void {
    switch (happening.type) {
      case 'render.created':
      case 'render.updated':
        this.#take(happening.render);
        break;
      case 'render.progress': {
        const fraction = happening.progress.percent / 100;
        this.#progress.proceed(happening.id, fraction);
        const current = this.#running.get(happening.id);
        if (current) current.fraction = fraction;
        break;
      }
      case 'render.removed':
        this.#progress.end(happening.id, true);
        this.#running.delete(happening.id);
        break;
      case 'api.request':
        this.#apiUsedAt = Date.now();
        return;
      case 'server.state':
        break;
      default:
        return;
    }
    const { running } = this.#services.work.queue.state.queue;
    if (running === 0) for (const done of this.#idle.splice(0)) done();
    this.#tell((listener) => listener.onChange?.());
  }

  #take(render: StoredRender): void {
    const { id, status } = render;
    if (!isFinal(render)) {
      this.#progress.add(id);
      if (status === 'planned') this.#running.delete(id);
      else if (!this.#running.has(id)) this.#running.set(id, { name: nameOf(render), fraction: 0 });
      return;
    }
    if (!this.#progress.isOpen(id)) return;
    this.#progress.end(id, render.cancelled === true);
    this.#running.delete(id);
    const { library, store } = this.#services;
    if (render.cancelled !== true) {
      this.#tell((listener) => listener.onEnd?.(endedRender(render, library.files)));
    }
    const batch = batchEnd(render, store);
    if (batch) this.#tell((listener) => listener.onBatchEnd?.(batch));
  }

  #tell(call: (listener: WorkListener) => void): void {
    tellAll(this.#listeners, this.#services.log, call);
  }
}

/**
 * How far the whole queue is: the share of work done since it was last empty. Pure; fed by work.ts. Every render counts
 * the same: its duration is unknown before it starts.
 */
export class QueueProgress {
  /** The share done, 0–1, of every render since the queue was last empty. */
  readonly #parts = new Map<string, number>();
  #open = 0;

  /** A render that is queued or being worked on. */
  add(id: string): void {
    if (this.#parts.has(id)) return;
    this.#parts.set(id, 0);
    this.#open++;
  }

  /** True for a render that was added and has not ended. */
  isOpen(id: string): boolean {
    return (this.#parts.get(id) ?? 1) < 1;
  }

  /** @param fraction Done of it, 0–1. */
  proceed(id: string, fraction: number): void {
    // Below 1 until it has ended: the last per cent may take a while.
    if (this.isOpen(id)) this.#parts.set(id, Math.min(Math.max(fraction, 0), 0.99));
  }

  /** The render has ended; a cancelled one no longer counts. */
  end(id: string, wasCancelled: boolean): void {
    if (!this.isOpen(id)) return;
    if (wasCancelled) this.#parts.delete(id);
    else this.#parts.set(id, 1);
    this.#open--;
    if (this.#open === 0) this.#parts.clear();
  }

  /** 0–1; null while there is nothing to do. */
  get fraction(): number | null {
    if (this.#open === 0) return null;
    let done = 0;
    for (const part of this.#parts.values()) done += part;
    return done / this.#parts.size;
  }
}
