/**
 * What the desktop knows about the server's work, and the few actions it has. Main process. Follows the server's events
 * in the same process; everything here can be restored from store and queue.
 */
import { existsSync } from 'node:fs';
import { tellAll, type Happening } from '../server/jobs/events.ts';
import type { ServerServices } from '../server/services.ts';
import type { StoredRender } from '../server/store/render-record.ts';
import type { Language } from '../shared/languages.ts';
import { isFilm } from '../shared/renderscript/formats.ts';
import { QueueProgress } from './queue-progress.ts';
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

/** The desktop's view of the work. */
export interface Work {
  readonly state: WorkState;
  /** When the API last answered a request, ms since 1970; null: not since the start. */
  readonly apiUsedAt: number | null;
  readonly apiUrl: string;
  /** False while nothing answers at `apiUrl`. */
  readonly isApiOn: boolean;
  /** Whether the computer is to stay awake while something renders. */
  readonly keepAwake: boolean;
  /** The theme chosen in the window; null follows the system. */
  readonly theme: 'light' | 'dark' | null;
  /** The language chosen in the window; null follows the system. */
  readonly language: Language | null;
  /** Folder of finished files now. */
  readonly outputFolder: string;
  /** Folder in which "Save a copy" opens; null: the system's choice. */
  readonly copyFolder: string | null;
  /** Path of a render's finished file, which need not be there; null for an unknown render or another format. */
  fileOf(id: string, format: string): string | null;
  /** Path of a file of damaged records named in a notice; null for any other name. */
  setAsideFile(name: string): string | null;
  follow(listener: WorkListener): void;
  /** Pauses or resumes the queue, remembered as the window does it. */
  setPaused(paused: boolean): Promise<void>;
  /** Starts nothing new until `release`; not stored. Resolves when nothing runs any more. */
  holdUntilIdle(): Promise<void>;
  release(): void;
  close(): void;
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

/** Follows a server from now on. */
export function followWork(services: ServerServices): Work {
  const { store, events, library, work, listener, address } = services;
  const { queue, power } = work;
  const { files } = library;
  const progress = new QueueProgress();
  const running = new Map<string, { name: string; fraction: number }>();
  const listeners: WorkListener[] = [];
  const idle: (() => void)[] = [];
  let apiUsedAt: number | null = null;

  const take = (render: StoredRender): void => {
    const { id, status } = render;
    if (!isFinal(render)) {
      progress.add(id);
      if (status === 'planned') running.delete(id);
      else if (!running.has(id)) running.set(id, { name: nameOf(render), fraction: 0 });
      return;
    }
    if (!progress.isOpen(id)) return;
    progress.end(id, render.cancelled === true);
    running.delete(id);
    if (render.cancelled !== true) tell((listener) => listener.onEnd?.(ended(render)));
    const batch = batchEnd(render);
    if (batch) tell((listener) => listener.onBatchEnd?.(batch));
  };

  const ended = (render: StoredRender): EndedRender => {
    const { id, status, startedAt, finishedAt, errorMessage, outputFormat, facts, request } =
      render;
    const isPicture = !isFilm(outputFormat);
    const picture = isPicture ? files.outputPath(render) : files.snapshotPath(render);
    const { width, height, snapshot } = facts ?? { width: 0, height: 0, snapshot: false };
    const hasPicture =
      status === 'succeeded' && (isPicture || snapshot) && width * height <= mostPixels;
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
  };

  /** The batch of a render, if this was its last one. */
  const batchEnd = ({ request }: StoredRender): EndedBatch | null => {
    const { batch } = request;
    if (!batch) return null;
    const renders = store.renders
      .list()
      .filter(({ request: other }) => other.batch?.id === batch.id);
    const stored = store.feeds.listBatches().find(({ id }) => id === batch.id);
    // Renders are created one after the other; all existing ones may have ended already.
    const isComplete = stored?.done !== false || renders.length === stored.rowCount;
    if (!isComplete || !renders.every(isFinal)) return null;
    const cancelled = renders.filter((render) => render.cancelled === true).length;
    const done = renders.filter(({ status }) => status === 'succeeded').length;
    return { name: batch.name, done, cancelled, failed: renders.length - done - cancelled };
  };

  const tell = (call: (listener: WorkListener) => void): void => {
    tellAll(listeners, services.log, call);
  };

  const onHappening = (happening: Happening): void => {
    switch (happening.type) {
      case 'render.created':
      case 'render.updated':
        take(happening.render);
        break;
      case 'render.progress': {
        const fraction = happening.progress.percent / 100;
        progress.proceed(happening.id, fraction);
        const current = running.get(happening.id);
        if (current) current.fraction = fraction;
        break;
      }
      case 'render.removed':
        progress.end(happening.id, true);
        running.delete(happening.id);
        break;
      case 'api.request':
        apiUsedAt = Date.now();
        return;
      case 'server.state':
        break;
      default:
        return;
    }
    if (queue.state.queue.running === 0) for (const done of idle.splice(0)) done();
    tell((listener) => listener.onChange?.());
  };

  for (const render of store.renders.listUnfinished()) take(render);
  const unfollow = events.subscribe(onHappening);
  return {
    get state() {
      const { renderer, queue: counts } = queue.state;
      const { running: active, waiting, paused, heldBy = [] } = counts;
      return {
        running: active,
        waiting,
        paused,
        held: heldBy.length > 0,
        lowBattery: power.lowPercent,
        off: renderer.state === 'off',
        fraction: progress.fraction,
        current: [...running.values()][0] ?? null,
      };
    },
    get apiUsedAt() {
      return apiUsedAt;
    },
    get apiUrl() {
      return address.apiUrl();
    },
    get isApiOn() {
      return listener.api.state === 'on';
    },
    get keepAwake() {
      return store.settings.values.keepAwake;
    },
    get theme() {
      return store.settings.theme;
    },
    get language() {
      return store.settings.language;
    },
    get outputFolder() {
      return files.folder;
    },
    get copyFolder() {
      return store.settings.values.copyFolder;
    },
    fileOf(id, format) {
      const render = store.renders.find(id);
      return render?.outputFormat === format ? files.outputPath(render) : null;
    },
    setAsideFile: (name) => store.setAsideFile(name),
    follow: (listener) => void listeners.push(listener),
    async setPaused(paused) {
      await store.settings.change({ queuePaused: paused });
      if (paused) queue.pause();
      else queue.resume();
    },
    async holdUntilIdle() {
      const isIdle = new Promise<void>((resolve) => idle.push(resolve));
      // Publishes the state, which resolves at once if nothing runs.
      queue.pause();
      await isIdle;
    },
    release() {
      idle.length = 0;
      if (!store.settings.values.queuePaused) queue.resume();
    },
    close() {
      unfollow();
      listeners.length = 0;
      idle.length = 0;
    },
  };
}
