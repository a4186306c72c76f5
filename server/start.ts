/**
 * Starts and ends the server: store ▸ services ▸ what the last run left ▸ API ▸ window ▸ work. The order of opening is
 * the order of the lines, and closing goes backwards.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { ApiListener } from './api/listener/api-listener.ts';
import { warnOfOthers } from './api/listener/api-control.ts';
import { remainingText } from './api/rate-limit.ts';
import { createApp } from './app.ts';
import type { Choices, Engines } from './api/choices.ts';
import { writeWhole } from './store/files.ts';
import { systemClock, type Clock } from './system/clock.ts';
import { createServices, type ServerServices, type Sharing } from './services.ts';
import type { Part } from './jobs/create-work.ts';
import { bringFirstTemplates } from './jobs/first-templates.ts';
import { EventBus } from './jobs/events.ts';
import { ProxyService } from './jobs/worker/proxies.ts';
import { SpeechModelService } from './jobs/speech-models.ts';
import { transcriberSetting } from './jobs/worker/transcriber.ts';
import { IdleRenders } from './jobs/worker/idle-renders.ts';
import { SoundService } from './jobs/worker/sounds.ts';
import { SpeakingService } from './jobs/worker/speaking.ts';
import { PortError } from './api/listener/listen.ts';
import type { ServerOptions } from './options.ts';
import { describeError, type Log } from './system/log.ts';
import { refusalWords } from './system/files.ts';
import { StartError } from './system/start-error.ts';
import type { Cluster } from './cluster/cluster.ts';
import type { Storage } from './store/storage.ts';
import { openStore, type Store } from './store/store.ts';
import { modelFolder } from './system/speech-folder.ts';
import { openWindowListener } from './window/address.ts';
import { createWindowApp, type WindowApp } from './window/app.ts';
import { RenderLogs } from './window/render-logs.ts';

/** A running server. */
export interface RunningServer {
  /**
   * `http://127.0.0.1:4820`, whatever its public address; while the API is off, where it would answer: see
   * `services.api`.
   */
  readonly apiUrl: string;
  /** Address of the page with its token, the same at each start; anyone who has it can do all that the window can. */
  readonly windowUrl: string;
  readonly apiKey: string;
  /** Process ids of the workers, for tests and reports. */
  readonly workerPids: () => readonly number[];
  /** What the desktop shell follows in the same process. */
  readonly services: ServerServices;
  /** Ends all of it in order; a running render goes back into the queue. Once. */
  close(): Promise<void>;
}

/** The data folder exists but can't be read: our files are damaged, or we may not read them. */
export class DataOpenError extends StartError {
  override readonly name = 'DataOpenError';

  constructor(dataFolder: string, reason: unknown) {
    const { path: place } = Object(reason) as NodeJS.ErrnoException; // read of any error
    const words = refusalWords(reason, place === dataFolder ? 'it' : place);
    const why = words ?? (reason instanceof Error ? reason.message : String(reason));
    super(`The data in ${dataFolder} could not be opened: ${why}.`, { cause: reason });
  }
}

/**
 * Starts the server: store, queue with what the last run left, retention, both listeners, `runtime.json`.
 *
 * @throws FolderInUseError, DataFormatError, DataOpenError, PortError (a port in `fixedSettings`) with a sentence for
 *   people. Nothing is left open then.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { dataFolder, clock = systemClock } = options;
  const renderLogs = new RenderLogs(clock);
  const log = renderLogs.listenTo(options.log);
  const cluster = await namedCluster({ ...options, log });
  const fileStorage = cluster?.storage ?? null;
  const store = await openStore(dataFolder, log, clock, cluster?.places).catch(
    async (error: unknown) => {
      await fileStorage?.close();
      if (error instanceof StartError) throw error;
      throw new DataOpenError(dataFolder, error);
    },
  );
  const sharing = cluster?.share(store, clock) ?? null;
  const parts: Part[] = [...(fileStorage ? [fileStorage] : []), store];
  /** In reverse order of opening; all of them, even if one throws. */
  const closeAll = async (): Promise<void> => {
    for (const part of parts.splice(0).reverse()) await part.close();
  };
  try {
    return await open(
      { ...options, log },
      { store, sharing, fileStorage, parts, closeAll, clock, renderLogs },
    );
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Records and files other than in the folders of this server. Loaded only where one is named. */
async function namedCluster(options: ServerOptions): Promise<Cluster | null> {
  const { database, storage = '' } = options;
  if (database === undefined && storage === '') return null;
  const { openCluster } = await import('./cluster/cluster.ts');
  return openCluster(options);
}

/** What `startServer` has once the store is open. */
interface Opening {
  readonly store: Store;
  readonly sharing: Sharing | null;
  readonly fileStorage: Storage | null;
  readonly parts: Part[];
  readonly closeAll: () => Promise<void>;
  readonly clock: Clock;
  readonly renderLogs: RenderLogs;
}

async function open(options: ServerOptions, opening: Opening): Promise<RunningServer> {
  const { store, sharing, parts, closeAll } = opening;
  const { dataFolder, log } = options;
  const apiKey = await prepareStore(options, store);
  await sharing?.endStart();

  const events = new EventBus(log);
  const api = new ApiListener({
    app: () => createApp(services),
    publicUrl: () => services.address.publicUrl(),
    headers: () => ({ 'X-RateLimit-Remaining': remainingText(services.requests.limiter) }),
    onChange: () => events.emit({ type: 'server.state' }),
    held: options.held,
  });
  let windowPort: number | null = null;
  let runtime: RuntimeFile | null = null;
  const { services, choices, engines } = await createServices({
    ...options,
    ...opening,
    events,
    api,
    apiKey,
    onApiMoved: async () => runtime?.write(),
    // The API's port even while it is off: it may come back at any time.
    ownPorts: () => [api.port, ...(windowPort === null ? [] : [windowPort])],
  });
  const { queue, webhooks, feedBatches, feedWatch } = services.work;
  const { retention } = services.library;
  const { ownUrl, publicUrl } = services.address;
  await queue.recover();
  if (!sharing) await webhooks.recover();

  // Connections held open on purpose end before their listener, which would wait for them.
  const { waits, streams, previews, transcriptions, transcripts } = services.pending;
  const { checks, encoderTrials } = services.pending;
  parts.push(api, waits, streams, checks, encoderTrials, previews, transcriptions, transcripts);
  await openApi(api, options, choices, store);
  const opened = await openWindow(options, services, engines, parts);
  const { windowUrl } = opened;
  windowPort = opened.port;

  webhooks.start();
  // First: it knows which renders wait.
  if (!sharing) feedBatches.recover();
  queue.start();
  feedWatch.start();
  transcripts.begin();
  parts.push(feedWatch);
  retention.start();
  parts.push(retention);
  sharing?.lead(async () => {
    await queue.lead?.();
    await webhooks.recover();
    webhooks.start();
    feedBatches.recover();
    retention.begin();
    transcripts.begin();
  });

  runtime = createRuntimeFile(
    dataFolder,
    () => ({
      apiUrl: api.state === 'on' ? ownUrl() : null,
      publicUrl: publicUrl(),
      apiKey,
      windowUrl,
    }),
    log,
  );
  await runtime.write();
  parts.push(runtime);

  return {
    get apiUrl() {
      return ownUrl();
    },
    windowUrl,
    apiKey,
    workerPids: () => queue.workerPids,
    services,
    close: closeAll,
  };
}

/** Sees to the first project's key, secret and templates. @returns the key. */
async function prepareStore(options: ServerOptions, store: Store): Promise<string> {
  const { sampleFolder, log } = options;
  const { key } = await store.keys.ensure(options.apiKey);
  if (options.webhookSecret !== undefined) await store.projects.ensureSecret(options.webhookSecret);
  if (options.bringSamples === false) await store.settings.markSamplesLoaded();
  else if (sampleFolder !== undefined) await bringFirstTemplates(store, sampleFolder, log);
  return key;
}

/** Opens the window's side, and what only the window needs. */
async function openWindow(
  options: ServerOptions,
  services: ServerServices,
  { forPictures: engine }: Engines,
  parts: Part[],
): Promise<{ readonly port: number; readonly windowUrl: string }> {
  const { dataFolder, forkWorker: fork, log } = options;
  const folderOf = (name: string): string => path.join(dataFolder, name);
  const sounds = new SoundService({ fork, engine, folder: folderOf('sounds'), log });
  const speaking = new SpeakingService({ fork, engine, folder: folderOf('speaking'), log });
  const proxies = new ProxyService({ fork, engine, folder: folderOf('proxies'), log });
  const transcriber = () =>
    transcriberSetting({
      chosen: services.store.settings.values,
      models: modelFolder(dataFolder),
    });
  const idleRenders = new IdleRenders({
    transcriber,
    ...{ fork, engine, folder: folderOf('idle'), log, events: services.events },
    hiddenMedia: (project) => services.store.media.hiddenFrom(project),
    // By hardware nothing is kept that an export could use.
    isWanted: () => services.store.settings.values.renderIdle && engine.encodeWith === undefined,
    isBusy: () => services.work.queue.hasWork,
  });
  const speechModels = new SpeechModelService({
    folder: modelFolder(dataFolder),
    mirror: () => services.store.settings.values.modelMirror,
    log,
  });
  parts.push(sounds, speaking, proxies, idleRenders, speechModels);
  let windowApp: WindowApp | undefined;
  const { listener, url } = await openWindowListener(
    (token) => {
      windowApp = createWindowApp(services, {
        folder: options.windowFolder,
        token,
        sounds,
        speaking,
        proxies,
        idleRenders,
        transcriptions: services.pending.transcriptions,
        speechModels,
        transcriber,
        draftFolder: folderOf('drafts'),
        thumbnailFolder: folderOf('thumbnails'),
        sampleFolder: options.sampleFolder,
      });
      return windowApp.app;
    },
    { dataFolder, port: options.windowPort, held: options.held, log },
  );
  parts.push(listener, { close: () => windowApp?.close() });
  return { port: listener.port, windowUrl: url };
}

/** Opens the API if wanted; without its port it stays off, and the window says what to do. */
async function openApi(
  api: ApiListener,
  { fixedSettings = [], log }: ServerOptions,
  choices: Choices,
  store: Store,
): Promise<void> {
  // A script that named a port waits for that one; a user can still choose another in the window.
  const isPortNamed = fixedSettings.includes('port');
  if (!store.settings.values.startApi && !isPortNamed) {
    api.want(choices.port(), choices.host());
    return;
  }
  await api.open(choices.port(), choices.host()).catch((error: unknown) => {
    if (!(error instanceof PortError) || isPortNamed) throw error;
    log('warning', 'server', `The API is off. ${error.message}`);
  });
  warnOfOthers(api, log);
}

/** What `runtime.json` in the data folder holds besides the process: where to find the running program. */
interface RuntimeAddresses {
  /** For programs on this computer; null while the API is off. */
  readonly apiUrl: string | null;
  /** What links in answers begin with; null: the address that a request used. */
  readonly publicUrl: string | null;
  /** The key of the first project. Only this user can read the file. */
  readonly apiKey: string;
  /** Includes its token. */
  readonly windowUrl: string;
}

/** That file, which exists only while the server runs. */
interface RuntimeFile {
  /** Writes the current addresses. Never rejects: on a full disk the server still answers what it can. */
  write(): Promise<void>;
  close(): Promise<void>;
}

/** @param addresses Called at each write. */
function createRuntimeFile(
  dataFolder: string,
  addresses: () => RuntimeAddresses,
  log: Log,
): RuntimeFile {
  const file = path.join(dataFolder, 'runtime.json');
  return {
    async write() {
      const runtime = { ...addresses(), pid: process.pid };
      await writeWhole(file, `${JSON.stringify(runtime, null, 2)}\n`).catch((error: unknown) => {
        log('error', 'server', `${file} can't be written: ${describeError(error)}`);
      });
    },
    close: () => rm(file, { force: true }),
  };
}
