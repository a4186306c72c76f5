/**
 * Starting and ending the server, read top to bottom: store, queue, listeners. Runs in Electron's main process or in a
 * process of its own under Node; it knows nothing of either.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import packageFile from '../package.json' with { type: 'json' };
import { rateLimit } from '../shared/limits.ts';
import { RateLimiter } from './api/rate-limit.ts';
import { renderRecord } from './api/serialize.ts';
import { createApp } from './app.ts';
import { systemClock, type Clock } from './clock.ts';
import { bringFirstTemplates } from './first-templates.ts';
import { Credits } from './jobs/credits.ts';
import { EventBus } from './jobs/events.ts';
import { FeedBatches } from './jobs/feed-batch.ts';
import { createOutputFiles } from './jobs/output-files.ts';
import type { ForkWorker } from './jobs/protocol.ts';
import { Queue } from './jobs/queue.ts';
import { Retention } from './jobs/retention.ts';
import { createStatusChanges } from './jobs/status.ts';
import { Webhooks } from './jobs/webhooks.ts';
import { listen, type Listener } from './listen.ts';
import { describeError, type Log } from './log.ts';
import { fontFolder } from './paths.ts';
import { inProject, type ServerServices } from './services.ts';
import { writeWhole } from './store/files.ts';
import { openStore, type Store } from './store/store.ts';
import { createWindowApp } from './window/app.ts';

/** How the server is to run. */
export interface ServerOptions {
  /** Of the API; 0 = any free one. */
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
  /** Pauses between tries of a webhook, ms. Default: see shared/limits.ts. */
  readonly webhookPauses?: readonly number[];
  /** Of one call of a receiver, ms. Default: see shared/limits.ts. */
  readonly webhookTimeout?: number;
  readonly forkWorker: ForkWorker;
  readonly log: Log;
  /** Default: the computer's clocks. */
  readonly clock?: Clock;
}

/** A server that runs. */
export interface RunningServer {
  /** `http://127.0.0.1:4820` */
  readonly apiUrl: string;
  /** Address of the page with its token; whoever has it can do all that the window can. */
  readonly windowUrl: string;
  readonly apiKey: string;
  /** Process ids of the workers, for tests and reports. */
  readonly workerPids: () => readonly number[];
  /** Ends all of it in order; a running render goes back into the queue. Once. */
  close(): Promise<void>;
}

/**
 * Starts the server: store, queue with what was left of the last run, retention, both listeners, `runtime.json`.
 *
 * @throws FolderInUseError, DataFormatError, PortError with a sentence for people. Nothing is left open then.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { dataFolder, log, clock = systemClock } = options;
  const store = await openStore(dataFolder, log, clock);
  const parts: { close(): void | Promise<void> }[] = [store];
  /** In reverse order of opening; all of them, whatever one of them throws. */
  const closeAll = async (): Promise<void> => {
    for (const part of parts.splice(0).reverse()) await part.close();
  };
  try {
    return await open(options, { store, parts, closeAll, clock });
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
}

async function open(options: ServerOptions, opening: Opening): Promise<RunningServer> {
  const { store, parts, closeAll, clock } = opening;
  const { dataFolder, sampleFolder, log } = options;
  const { key: apiKey } = await store.keys.ensure(options.apiKey);
  if (sampleFolder !== undefined) await bringFirstTemplates(store, sampleFolder, log);
  await mkdir(options.outputFolder, { recursive: true });

  let listener: Listener | null = null;
  const apiUrl = (): string => `http://127.0.0.1:${listener?.port ?? options.port}`;
  const { renders } = store;
  const settings = store.settings.values;
  const events = new EventBus();
  const files = createOutputFiles(options.outputFolder);
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
    fork: options.forkWorker,
    engine: engineSettings(options),
    workFolder: path.join(dataFolder, 'work'),
    concurrency: settings.concurrency ?? options.concurrency ?? 1,
    paused: settings.queuePaused,
    clock,
    log,
  });
  const retention = new Retention({ store, files, events, clock, log });
  const { requests, window } = rateLimit;
  const limiter = new RateLimiter(options.rateLimit ? requests : Infinity, window, clock);
  const feedBatches = new FeedBatches({
    store,
    inProject: (project) => inProject(services, project),
    log,
  });
  const services: ServerServices = {
    store,
    queue,
    credits: new Credits(renders, store.settings),
    webhooks,
    feedBatches,
    retention,
    startedConcurrency: options.concurrency ?? 1,
    events,
    files,
    clock,
    log,
    limiter,
    version: packageFile.version,
    apiKey,
    apiUrl,
  };
  // Queue before webhooks: what ends while closing is not told any more.
  parts.push(webhooks, queue, feedBatches);
  await queue.recover();
  await webhooks.recover();

  listener = await listen(createApp(services), options.port);
  parts.push(listener);
  const token = randomBytes(24).toString('base64url');
  const windowApp = createWindowApp(services, { folder: options.windowFolder, token });
  const windowListener = await listen(windowApp.app, 0);
  parts.push(windowListener, windowApp);
  const windowUrl = `http://127.0.0.1:${windowListener.port}/#token=${token}`;

  webhooks.start();
  queue.start();
  feedBatches.recover();
  retention.start();
  parts.push(retention);

  const runtimeFile = path.join(dataFolder, 'runtime.json');
  const runtime = { apiUrl: apiUrl(), windowUrl, pid: process.pid };
  // On a full disk the server still answers what it can.
  await writeWhole(runtimeFile, `${JSON.stringify(runtime, null, 2)}\n`).catch((error: unknown) => {
    log('error', 'server', `${runtimeFile} can't be written: ${describeError(error)}`);
  });
  parts.push({ close: () => rm(runtimeFile, { force: true }) });

  return {
    apiUrl: apiUrl(),
    windowUrl,
    apiKey,
    workerPids: () => queue.workerPids,
    close: closeAll,
  };
}

function engineSettings(options: ServerOptions): ConstructorParameters<typeof Queue>[0]['engine'] {
  const { sampleFolder, mediaFolders = [], ffmpegPath, allowPrivateAddresses = true } = options;
  return {
    cacheFolder: path.join(options.dataFolder, 'cache'),
    // The samples name their media as `media/…`.
    mediaFolders: [...mediaFolders, ...(sampleFolder === undefined ? [] : [sampleFolder])],
    fontFolder: fontFolder(),
    ...(ffmpegPath !== undefined && { ffmpegPath }),
    allowPrivateAddresses,
  };
}
