/**
 * Starting and ending the server, read top to bottom: store, queue, listeners. Runs in Electron's main process or in a
 * process of its own under Node; it knows nothing of either.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { FixedSetting } from '../shared/api.ts';
import packageFile from '../package.json' with { type: 'json' };
import { ApiError } from '../shared/errors.ts';
import { engineLimits, rateLimit } from '../shared/limits.ts';
import { RateLimiter } from './api/rate-limit.ts';
import { renderRecord } from './api/serialize.ts';
import { createApp } from './app.ts';
import { systemClock, type Clock } from './clock.ts';
import { bringFirstTemplates } from './first-templates.ts';
import type { EngineSettings } from './jobs/attempt.ts';
import { Credits } from './jobs/credits.ts';
import { EventBus } from './jobs/events.ts';
import { FeedBatches } from './jobs/feed-batch.ts';
import { FontFamilies } from './jobs/font-families.ts';
import { LastFrames } from './jobs/last-frames.ts';
import { MediaLibrary } from './jobs/media-library.ts';
import { createOutputFiles } from './jobs/output-files.ts';
import { OutputWatch } from './jobs/output-watch.ts';
import type { ForkWorker } from './jobs/protocol.ts';
import { PowerWatch, readSystemPower, type ReadPower } from './jobs/power.ts';
import { PreviewService } from './jobs/preview.ts';
import { transcriberSetting } from './transcriber.ts';
import { Queue, type WorkerTuning } from './jobs/queue.ts';
import { Retention } from './jobs/retention.ts';
import { createStatusChanges } from './jobs/status.ts';
import { Webhooks } from './jobs/webhooks.ts';
import { ApiListener } from './api-listener.ts';
import { listen, PortError } from './listen.ts';
import { describeError, type Log } from './log.ts';
import { fontFolder } from './paths.ts';
import { inProject, type ServerServices } from './services.ts';
import { StartError } from './start-error.ts';
import { writeWhole } from './store/files.ts';
import { openStore, type Store } from './store/store.ts';
import type { ServerSettings } from './store/settings.ts';
import { createWindowApp } from './window/app.ts';
import { RenderLogs } from './window/render-logs.ts';
import { RequestLog } from './window/request-log.ts';

/** How the server is to run. */
export interface ServerOptions {
  /** Of the API; 0 = any free one. When it is taken, the API stays off; with the port in `fixedSettings` the start fails. */
  readonly port: number;
  /** Templates, renders, keys; made when missing. One program at a time. */
  readonly dataFolder: string;
  /** Finished files; made when missing. */
  readonly outputFolder: string;
  /** The project's key from now on. Absent: the stored one, or a new one at first. */
  readonly apiKey?: string;
  /** False answers any number of requests. */
  readonly rateLimit: boolean;
  /** The built window; absent: the listener of the window serves data only. */
  readonly windowFolder?: string;
  /** Sample templates for a new data folder, and their media. */
  readonly sampleFolder?: string;
  /** Folders beside the samples' that `file:` and relative sources may lie in. */
  readonly mediaFolders?: readonly string[];
  /** A chosen ffmpeg; absent: the worker finds one. */
  readonly ffmpegPath?: string;
  /** Whether media may come from this computer and the local network. Default true. */
  readonly allowPrivateAddresses?: boolean;
  /** Renders at the same time. Default 1. */
  readonly concurrency?: number;
  /** Which of the options above a person has named, so that stored settings don't replace them. Default: none. */
  readonly fixedSettings?: readonly FixedSetting[];
  /** Pauses between tries of a webhook, ms. Default: see shared/limits.ts. */
  readonly webhookPauses?: readonly number[];
  /** When workers are started again, and when ended. */
  readonly workers?: WorkerTuning;
  /** Of one call of a receiver, ms. Default: see shared/limits.ts. */
  readonly webhookTimeout?: number;
  /** Free bytes of the drive of a folder, null where that is not known. Default: as the system says. */
  readonly freeBytes?: (folder: string) => Promise<number | null>;
  /** Tells how the computer is powered. Default: as the system says. */
  readonly readPower?: ReadPower;
  readonly forkWorker: ForkWorker;
  readonly log: Log;
  /** Default: the computer's clocks. */
  readonly clock?: Clock;
}

/** A server that runs. */
export interface RunningServer {
  /** `http://127.0.0.1:4820`; where it would answer while the API is off, see `services.api`. */
  readonly apiUrl: string;
  /** Address of the page with its token; whoever has it can do all that the window can. */
  readonly windowUrl: string;
  readonly apiKey: string;
  /** Process ids of the workers, for tests and reports. */
  readonly workerPids: () => readonly number[];
  /** What the desktop shell follows in the same process. */
  readonly services: ServerServices;
  /** Ends all of it in order; a running render goes back into the queue. Once. */
  close(): Promise<void>;
}

/** The data folder is there and can't be read: damaged files of ours, or no right to read them. */
export class DataOpenError extends StartError {
  override readonly name = 'DataOpenError';

  constructor(dataFolder: string, reason: unknown) {
    const why = reason instanceof Error ? reason.message : String(reason);
    super(`The data in ${dataFolder} could not be opened: ${why}`, { cause: reason });
  }
}

/**
 * Starts the server: store, queue with what was left of the last run, retention, both listeners, `runtime.json`.
 *
 * @throws FolderInUseError, DataFormatError, DataOpenError, PortError (a port in `fixedSettings`) with a sentence for people.
 *   Nothing is left open then.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { dataFolder, clock = systemClock } = options;
  const renderLogs = new RenderLogs(clock);
  const log = renderLogs.listenTo(options.log);
  const store = await openStore(dataFolder, log, clock).catch((error: unknown) => {
    if (error instanceof StartError) throw error;
    throw new DataOpenError(dataFolder, error);
  });
  const parts: { close(): void | Promise<void> }[] = [store];
  /** In reverse order of opening; all of them, whatever one of them throws. */
  const closeAll = async (): Promise<void> => {
    for (const part of parts.splice(0).reverse()) await part.close();
  };
  try {
    return await open({ ...options, log }, { store, parts, closeAll, clock, renderLogs });
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** What `startServer` has when the store is open. */
interface Opening {
  readonly store: Store;
  /** Whatever must be closed again. */
  readonly parts: { close(): void | Promise<void> }[];
  readonly closeAll: () => Promise<void>;
  readonly clock: Clock;
  readonly renderLogs: RenderLogs;
}

async function open(options: ServerOptions, opening: Opening): Promise<RunningServer> {
  const { store, parts, closeAll, clock, renderLogs } = opening;
  const { dataFolder, sampleFolder, log, fixedSettings = [] } = options;
  const { key: apiKey } = await store.keys.ensure(options.apiKey);
  if (sampleFolder !== undefined) await bringFirstTemplates(store, sampleFolder, log);

  const api = new ApiListener({
    app: () => createApp(services),
    onChange: () => events.emit({ type: 'server.state' }),
  });
  const apiUrl = (): string => `http://127.0.0.1:${api.port}`;
  const { renders } = store;
  const settings = store.settings.values;
  const chosen = createChoices(options, store.settings);
  const events = new EventBus();
  parts.push({ close: renderLogs.follow(events) });
  parts.push({ close: store.health.follow(() => events.emit({ type: 'server.state' })) });
  const files = createOutputFiles(options.outputFolder);
  files.use(chosen.outputFolder(), settings.earlierOutputFolders);
  // The folder of the start is made with all above it. A chosen one may lie on a drive that is not there now: the queue waits
  // for it then, and nothing is written in its place.
  if (files.folder === options.outputFolder) await mkdir(files.folder, { recursive: true });
  const lastFrames = await LastFrames.open(
    path.join(dataFolder, 'last-frames'),
    (id) => renders.find(id) !== null,
    log,
  );
  parts.push({ close: lastFrames.follow(events) });
  const engine = chosen.engine(store.media.contentFolder);
  const webhooks = new Webhooks({
    renders,
    deliveries: store.deliveries,
    secretsOf: (project) => store.projects.secretsOf(project),
    bodyOf: (render) => renderRecord(render, apiUrl()),
    clock,
    log,
    ...(options.webhookPauses && { pauses: options.webhookPauses }),
    ...(options.webhookTimeout !== undefined && { timeout: options.webhookTimeout }),
  });
  const status = createStatusChanges({
    renders,
    events,
    now: () => clock.now(),
    webhookUrlOf: ({ request, project }) =>
      request.webhookUrl ?? store.projects.find(project)?.webhookUrl,
    onEnd: (render) => webhooks.plan(render),
  });
  const queue = new Queue({
    renders,
    status,
    events,
    files,
    lastFrames,
    fork: options.forkWorker,
    engine,
    transcriber: () => transcriberSetting(store.settings.values),
    workFolder: path.join(dataFolder, 'work'),
    concurrency: settings.concurrency ?? options.concurrency ?? 1,
    paused: settings.queuePaused,
    beforeRender: async () => {
      await Promise.all([power.check(), output.check()]);
    },
    onPaused: () => store.settings.change({ queuePaused: true }),
    workers: options.workers,
    clock,
    log,
  });
  const output: OutputWatch = new OutputWatch({
    folder: () => files.folder,
    limit: () => store.settings.values.freeSpaceLimit,
    ...(options.freeBytes && { freeBytes: options.freeBytes }),
    hasWork: () => queue.hasWork,
    onChange: () => {
      for (const fault of ['space', 'folder'] as const) queue.hold(fault, output.fault === fault);
    },
  });
  const power: PowerWatch = new PowerWatch({
    read: options.readPower ?? readSystemPower,
    isWanted: () => store.settings.values.pauseOnBattery,
    hasWork: () => queue.hasWork,
    onChange: () => queue.hold('battery', power.lowPercent !== null),
    ...{ clock, log },
  });
  // Of all that changes the state, only a queue that fills or empties matters to it.
  const unfollow = events.subscribe(({ type }) => {
    if (type !== 'server.state') return;
    power.follow();
    output.follow();
  });
  parts.push({ close: unfollow }, power, output);
  const retention = new Retention({ store, files, events, clock, log });
  const { requests, window } = rateLimit;
  const limit = (): number => (chosen.rateLimit() ? requests : Infinity);
  // One that was closed properly has put them back by itself.
  const recovered = renders.listUnfinished().filter(({ status: one }) => one !== 'planned').length;
  const limiter = new RateLimiter(limit(), window, clock);
  const feedBatches = new FeedBatches({
    store,
    inProject: (project) => inProject(services, project),
    log,
  });
  const previewEngine = { ...engine, limits: engineLimits };
  const mediaLibrary = new MediaLibrary({
    media: store.media,
    fork: options.forkWorker,
    engine,
    log,
  });
  const services: ServerServices = {
    store,
    queue,
    credits: new Credits(renders, store.settings),
    webhooks,
    feedBatches,
    mediaLibrary,
    fonts: new FontFamilies(options.forkWorker, engine.fontFolder),
    retention,
    ...{ power, output, recovered },
    startedConcurrency: options.concurrency ?? 1,
    events,
    files,
    lastFrames,
    clock,
    log,
    limiter,
    requestLog: new RequestLog({
      keys: store.keys,
      ...{ events, clock, size: () => store.settings.values.requestLogSize },
    }),
    renderLogs,
    dataFolder,
    fixedSettings,
    useSettings: () => {
      files.use(chosen.outputFolder(), store.settings.values.earlierOutputFolders);
      limiter.limit = limit();
      services.requestLog.trim();
      power.follow();
      // Another folder or limit may be what the queue waits for.
      if (output.fault) void output.check();
      const now = chosen.engine(store.media.contentFolder);
      for (const part of [engine, previewEngine]) {
        delete part.ffmpegPath;
        Object.assign(part, now);
      }
    },
    usePort: (port) => usePort(port ?? options.port),
    openApi: (port) => openApi(port ?? api.port),
    testPort: (port) => api.test(port),
    stopApi: async () => {
      await api.stop();
      await writeRuntime();
    },
    api,
    version: packageFile.version,
    apiKey,
    apiUrl,
  };
  // Queue before webhooks: what ends while closing is not told any more.
  parts.push(webhooks, queue, feedBatches);
  await queue.recover();
  await webhooks.recover();

  parts.push(api);
  // A script that named a port waits for just this one; a person can still choose another in the window.
  const isPortNamed = fixedSettings.includes('port');
  if (settings.startApi || isPortNamed) {
    await api.open(chosen.port()).catch((error: unknown) => {
      if (!(error instanceof PortError) || isPortNamed) throw error;
      log('warning', 'server', `The API is off. ${error.message}`);
    });
  } else {
    api.want(chosen.port());
  }
  const openApi = async (port: number): Promise<void> => {
    await api.open(port).catch((error: unknown) => {
      if (!(error instanceof PortError)) throw error;
    });
    await writeRuntime();
  };
  const usePort = async (port: number): Promise<void> => {
    try {
      await api.move(port);
    } catch (error) {
      if (!(error instanceof PortError)) throw error;
      throw new ApiError(error.reason === 'taken' ? 'port_taken' : 'port_refused', { port });
    }
    await writeRuntime();
  };
  const token = randomBytes(24).toString('base64url');
  const previews = new PreviewService({
    fork: options.forkWorker,
    engine: previewEngine,
    transcriber: () => transcriberSetting(store.settings.values),
    folder: path.join(dataFolder, 'preview'),
    log,
  });
  parts.push(previews);
  const windowApp = createWindowApp(services, {
    folder: options.windowFolder,
    token,
    previews,
    draftFolder: path.join(dataFolder, 'drafts'),
    thumbnailFolder: path.join(dataFolder, 'thumbnails'),
    sampleFolder,
  });
  const windowListener = await listen(windowApp.app, 0);
  parts.push(windowListener, windowApp);
  const windowUrl = `http://127.0.0.1:${windowListener.port}/#token=${token}`;

  webhooks.start();
  queue.start();
  feedBatches.recover();
  retention.start();
  parts.push(retention);

  const runtimeFile = path.join(dataFolder, 'runtime.json');
  const writeRuntime = async (): Promise<void> => {
    const url = api.state === 'on' ? apiUrl() : null;
    const runtime = { apiUrl: url, windowUrl, pid: process.pid };
    // On a full disk the server still answers what it can.
    await writeWhole(runtimeFile, `${JSON.stringify(runtime, null, 2)}\n`).catch(
      (error: unknown) => {
        log('error', 'server', `${runtimeFile} can't be written: ${describeError(error)}`);
      },
    );
  };
  await writeRuntime();
  parts.push({ close: () => rm(runtimeFile, { force: true }) });

  return {
    get apiUrl() {
      return apiUrl();
    },
    windowUrl,
    apiKey,
    workerPids: () => queue.workerPids,
    services,
    close: closeAll,
  };
}

type Engine = { -readonly [Name in keyof EngineSettings]: EngineSettings[Name] };

/** What holds now: what the start names, else the stored setting, else the start's default. */
interface Choices {
  port(): number;
  outputFolder(): string;
  rateLimit(): boolean;
  /** @param library Content of the media library: `media:ID` is looked up in the media folders. */
  engine(library: string): Engine;
}

function createChoices(
  options: ServerOptions,
  store: { readonly values: ServerSettings },
): Choices {
  const { fixedSettings = [] } = options;
  const choose = <Name extends FixedSetting>(name: Name): ServerSettings[Name] =>
    fixedSettings.includes(name) ? null : store.values[name];
  const { sampleFolder, mediaFolders = [], allowPrivateAddresses = true } = options;
  return {
    port: () => choose('port') ?? options.port,
    outputFolder: () => choose('outputFolder') ?? options.outputFolder,
    rateLimit: () => choose('rateLimit') ?? options.rateLimit,
    engine: (library) => {
      const ffmpegPath = choose('ffmpegPath') ?? options.ffmpegPath;
      // The samples name their media as `media/…`.
      const samples = sampleFolder === undefined ? [] : [sampleFolder];
      return {
        cacheFolder: path.join(options.dataFolder, 'cache'),
        mediaFolders: [...mediaFolders, ...store.values.mediaFolders, ...samples, library],
        fontFolder: fontFolder(),
        ...(ffmpegPath !== undefined && { ffmpegPath }),
        allowPrivateAddresses,
      };
    },
  };
}
