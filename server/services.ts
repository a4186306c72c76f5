/** Everything that lives as long as the server, by rooms: what routes are given, and how it is made. */
import path from 'node:path';
import type { FixedSetting, StartedLists } from '../shared/api.ts';
import {
  type Choices,
  createAddress,
  createChoices,
  createEngines,
  type Engines,
  type ServerAddress,
} from './api/choices.ts';
import { EventStreams } from './api/event-streams.ts';
import { type ApiControl, createApiControl } from './api/listener/api-control.ts';
import { Metrics } from './api/metrics.ts';
import { RateLimiter } from './api/rate-limit.ts';
import {
  createDesk,
  createFeeds,
  createQueue,
  createWebhooks,
  type Farm,
  type FarmWork,
  type Ground,
  type Work,
} from './jobs/create-work.ts';
import { Credits } from './jobs/credits.ts';
import type { Desk } from './jobs/desk/desk.ts';
import type { EventBus } from './jobs/events.ts';
import { createLibrary, type Library, openFiles } from './jobs/files/create-library.ts';
import { RenderWaits } from './jobs/render-waits.ts';
import { CheckService } from './jobs/worker/checks.ts';
import { EncoderTrials } from './jobs/worker/encoder-trials.ts';
import { PreviewService } from './jobs/worker/preview.ts';
import type { Store } from './store/store.ts';
import type { Clock } from './system/clock.ts';
import type { Log } from './system/log.ts';
import type { RenderLogs } from './window/render-logs.ts';
import { RequestLog } from './window/request-log.ts';
import packageFile from '../package.json' with { type: 'json' };
import { openLimits, rateLimit } from '../shared/limits.ts';
import type { ApiListener } from './api/listener/api-listener.ts';
import { renderRecord } from './api/serialize.ts';
import { modelFolder } from './system/speech-folder.ts';
import { TranscriptList } from './jobs/transcripts.ts';
import { TranscriptionService } from './jobs/worker/transcriptions.ts';
import type { HiddenMedia } from './system/media-folders.ts';
import { transcriberSetting } from './jobs/worker/transcriber.ts';
import type { ServerOptions } from './options.ts';
import type { StoredRender } from './store/render-record.ts';
import type { Storage } from './store/storage.ts';
import { answerText } from './system/json-text.ts';
import { loopbackAddresses } from './system/api-address.ts';

/** Who needs less says so: `Pick<ServerServices, …>`. */
export interface ServerServices {
  readonly store: Store;
  readonly events: EventBus;
  readonly clock: Clock;
  readonly log: Log;
  readonly desk: Desk;
  readonly run: RunFacts;
  readonly address: ServerAddress;
  readonly listener: ApiControl;
  readonly work: Work;
  readonly library: Library;
  readonly requests: Requests;
  readonly pending: Pending;
}

/** What belongs to this run of the program. */
export interface RunFacts {
  /** The program's version. */
  readonly version: string;
  readonly dataFolder: string;
  /** The first project's key. */
  readonly apiKey: string;
  /** How many renders may run at once, as given at the start; a setting may change it. */
  readonly startedConcurrency: number;
  readonly started: StartedLists;
  /** Settings named at the start; they can't change while the program runs. */
  readonly fixedSettings: readonly FixedSetting[];
  /** Applies the stored settings, except those that need a new listener. */
  readonly useSettings: () => void;
  /** Problems at the start, other than with the data: sentences for the window. */
  readonly startNotices: readonly string[];
  /** Renders that the last run left unfinished because it did not close properly. */
  readonly recovered: number;
  /** Ends the server and starts it again; null: it can't by itself. */
  readonly restart: (() => void) | null;
  readonly renderLogs: RenderLogs;
}

/** What counts and keeps the requests. */
export interface Requests {
  /** Counts the account's requests. */
  readonly limiter: RateLimiter;
  /** The last requests to the API. */
  readonly requestLog: RequestLog;
  /** Numbers for Prometheus. */
  readonly metrics: Metrics;
  /** Waits until readers see all that other servers had answered before. Null: there are none. */
  readonly sync: (() => Promise<void>) | null;
}

/** Answers that take a while. */
export interface Pending {
  /** Requests that wait for renders to end. */
  readonly waits: RenderWaits;
  /** Open event streams of the API. */
  readonly streams: EventStreams;
  /** Pictures of documents, for the window and the API. */
  readonly previews: PreviewService;
  /** Words of recordings, likewise, and those that the API was asked for. */
  readonly transcriptions: TranscriptionService;
  readonly transcripts: TranscriptList;
  /** Documents before they are rendered. */
  readonly checks: CheckService;
  /** Which encoders of hardware work. */
  readonly encoderTrials: EncoderTrials;
}

/** Whom else it concerns. */
export interface OtherListeners {
  /** The settings are other ones. */
  readonly useSettings: () => void;
  /** A delivery is another one. */
  readonly onDelivery: (id: string) => void;
  /** A transcript was asked for, or has ended. */
  readonly onTranscript: (id: string) => void;
  /** A render has ended, or an event of its end is to be told. */
  readonly onEnd: (id: string) => void;
}

/** What a server does in another way while others work on the same records: see `openCluster`. */
export interface Sharing {
  /** Whether this server does what is done once. */
  readonly leads: () => boolean;
  /** Wants to lead. @param onLead What to do each time that this one begins to. */
  lead(onLead: () => Promise<void>): void;
  /** Waits until readers see all that others had answered before. */
  sync(): Promise<void>;
  /** Lets others start. */
  endStart(): Promise<void>;
  /** Tells this server's listeners what others change. */
  follow(events: EventBus, listeners: OtherListeners): void;
  credits(): Credits;
  limiter(limit: number, window: number): RateLimiter;
  openFarm(events: EventBus, work: FarmWork): Promise<Farm>;
}

/** What services are made of. */
interface ServiceOptions extends ServerOptions, Omit<Ground, 'leads' | 'fork'> {
  /** Null: no other server uses the store. */
  readonly sharing: Sharing | null;
  /** Where finished files go; null: they stay in the output folder. */
  readonly fileStorage: Storage | null;
  readonly clock: Ground['clock'];
  readonly renderLogs: RenderLogs;
  readonly api: ApiListener;
  /** The first project's key. */
  readonly apiKey: string;
  /** Ports that this program listens on now. */
  readonly ownPorts: () => readonly number[];
  /** Awaited whenever the API moves or stops listening; called when its public address changes. */
  readonly onApiMoved: () => Promise<void>;
}

/** The services, and what start.ts needs beside them. */
interface MadeServices {
  readonly services: ServerServices;
  readonly choices: Choices;
  readonly engines: Engines;
}

/** Makes them. */
export async function createServices(options: ServiceOptions): Promise<MadeServices> {
  const { store, sharing, clock, log, events, api, parts } = options;
  const leads = (): boolean => sharing?.leads() ?? true;
  const ground: Ground = { ...options, fork: options.forkWorker, leads };
  const choices = createChoices(options, store.settings);
  const address = createAddress(choices, api, options.ownPorts);
  followStore(options);
  const opened = await openFiles(
    ground,
    options.outputFolder,
    choices.outputFolder(),
    options.fileStorage,
  );
  const engines = createEngines(choices, store, address.addressRule);
  const desk = createDesk(
    ground,
    address.addressRule,
    () => engines.forRenders.mediaFolders,
    options.desk,
  );
  const { farm, ...work } = await createWork(options, ground, {
    ...opened,
    desk,
    choices,
    engines,
    address,
  });
  const requests = createRequests(options, choices, work, opened.files);
  const useSettings = settingsUser(options, {
    choices,
    address,
    engines,
    work,
    requests,
    ...opened,
  });
  const library = createLibrary(ground, {
    ...opened,
    desk,
    engine: engines.forRenders,
    sweep: farm ? (now) => farm.sweep(now) : undefined,
    onFonts: useSettings,
  });
  const listener = createApiControl(
    api,
    { port: options.port, host: options.host ?? loopbackAddresses[0] },
    log,
    options.onApiMoved,
  );
  const run = createRun(options, useSettings);
  const pending = createPending(ground, engines);
  sharing?.follow(events, {
    useSettings,
    onDelivery: (id) => work.webhooks.hear(id),
    onTranscript: (id) => pending.transcripts.hear(id),
    onEnd: (id) => {
      const render = store.renders.find(id);
      if (render) work.webhooks.plan(render);
    },
  });
  // Queue before webhooks: what ends during closing is no longer reported.
  parts.push(requests.metrics, work.testReceiver, work.webhooks, work.queue, work.feedBatches);
  const services: ServerServices = {
    store,
    events,
    clock,
    log,
    desk,
    run,
    address,
    listener,
    work,
    library,
    requests,
    pending,
  };
  return { services, choices, engines };
}

/** What the store tells windows and programs. */
function followStore({ store, events, parts, renderLogs }: ServiceOptions): void {
  parts.push(
    { close: renderLogs.follow(events) },
    { close: store.feeds.follow(() => events.emit({ type: 'feeds.changed' })) },
    { close: store.health.follow(() => events.emit({ type: 'server.state' })) },
  );
}

/** What has been made before the queue. */
interface BeforeWork extends Pick<Library, 'files' | 'lastFrames'> {
  readonly desk: ServerServices['desk'];
  readonly choices: Choices;
  readonly engines: Engines;
  readonly address: ServerAddress;
}

async function createWork(
  options: ServiceOptions,
  ground: Ground,
  { files, lastFrames, desk, choices, engines, address }: BeforeWork,
): Promise<Work & Pick<Awaited<ReturnType<typeof createQueue>>, 'farm'>> {
  const { store, sharing, webhookPauses, webhookTimeout } = options;
  const { renders, settings } = store;
  const reports = createWebhooks(ground, {
    rule: address.addressRule,
    bodyOf: async (render: StoredRender) =>
      answerText(renderRecord(await renders.withRequest(render), address.apiUrl())),
    ...(webhookPauses && { pauses: webhookPauses }),
    ...(webhookTimeout !== undefined && { timeout: webhookTimeout }),
  });
  const made = await createQueue(ground, {
    files,
    lastFrames,
    desk,
    engine: engines.forRenders,
    largestSide: options.largestSide,
    workers: options.workers,
    concurrency: choices.concurrency(),
    onEnd: (render) => reports.webhooks.plan(render),
    openFarm: sharing && ((farmWork) => sharing.openFarm(options.events, farmWork)),
    freeBytes: options.freeBytes,
    readPower: options.readPower,
  });
  const credits = sharing ? sharing.credits() : new Credits(renders, settings);
  return {
    ...reports,
    ...made,
    credits,
    ...createFeeds(
      ground,
      desk,
      { queue: made.queue, credits },
      engines.forPictures,
      options.feedPause,
    ),
  };
}

const requestLimit = (choices: Choices): number =>
  choices.rateLimit() ? rateLimit.requests : Infinity;

function createRequests(
  { store, sharing, clock, events }: ServiceOptions,
  choices: Choices,
  { queue }: Work,
  files: Library['files'],
): Requests {
  const { keys, settings } = store;
  const limit = requestLimit(choices);
  const { window } = rateLimit;
  return {
    limiter: sharing ? sharing.limiter(limit, window) : new RateLimiter(limit, window, clock),
    requestLog: new RequestLog({
      keys,
      events,
      clock,
      size: () => settings.values.requestLogSize,
    }),
    metrics: new Metrics({ queue, store, files, events, version: packageFile.version }),
    sync: sharing && (() => sharing.sync()),
  };
}

function createPending(
  { store, events, clock, fork, dataFolder, log, leads }: Ground,
  engines: Engines,
): Pending {
  const transcriber = (): ReturnType<typeof transcriberSetting> =>
    transcriberSetting({ chosen: store.settings.values, models: modelFolder(dataFolder) });
  const hiddenMedia = (project: string): HiddenMedia => store.media.hiddenFrom(project);
  const transcriptions = new TranscriptionService({
    ...{ fork, engine: engines.forPictures, hiddenMedia, transcriber, log },
    folder: path.join(dataFolder, 'transcribing'),
  });
  return {
    transcriptions,
    transcripts: new TranscriptList({
      ...{ service: transcriptions, store: store.transcripts, clock, log },
      leads,
    }),
    checks: new CheckService({
      ...{ fork, engine: engines.forPictures, hiddenMedia, transcriber, log },
      folder: path.join(dataFolder, 'checking'),
    }),
    encoderTrials: new EncoderTrials({
      ...{ fork, engine: engines.forPictures, log },
      folder: path.join(dataFolder, 'encoders'),
    }),
    waits: new RenderWaits(store.renders, events),
    streams: new EventStreams(openLimits.streams),
    previews: new PreviewService({
      fork,
      engine: engines.forPictures,
      hiddenMedia,
      transcriber,
      folder: path.join(dataFolder, 'preview'),
      log,
    }),
  };
}

function createRun(options: ServiceOptions, useSettings: () => void): RunFacts {
  const { store, dataFolder, apiKey, renderLogs } = options;
  return {
    version: packageFile.version,
    dataFolder,
    apiKey,
    startedConcurrency: options.concurrency ?? 1,
    started: {
      allowedHosts: options.allowedHosts ?? [],
      mediaFolders: options.mediaFolders ?? [],
    },
    fixedSettings: options.fixedSettings ?? [],
    useSettings,
    startNotices: options.notices ?? [],
    // A run that closed properly has put them back itself.
    recovered: store.renders.listUnfinished().filter(({ status }) => status !== 'planned').length,
    restart: options.restart ?? null,
    renderLogs,
  };
}

/** What follows the settings. */
interface Followers {
  readonly choices: Choices;
  readonly address: ServerAddress;
  readonly engines: Engines;
  readonly work: Pick<Work, 'power' | 'queue' | 'output'>;
  readonly requests: Requests;
  readonly files: Library['files'];
}

/** Has all that follows them take over the settings of now. */
function settingsUser(
  { store, onApiMoved }: ServiceOptions,
  { choices, address, engines, work, requests, files }: Followers,
): () => void {
  const { settings } = store;
  const urls = (): string => `${address.ownUrl()} ${address.apiUrl()}`;
  let toldUrls = urls();
  let priority = settings.values.renderPriority;
  return () => {
    files.use(choices.outputFolder(), settings.values.earlierOutputFolders);
    requests.limiter.limit = requestLimit(choices);
    requests.requestLog.trim();
    work.power.follow();
    if (toldUrls !== urls()) {
      toldUrls = urls();
      void onApiMoved();
    }
    if (priority !== settings.values.renderPriority) {
      priority = settings.values.renderPriority;
      work.queue.usePriority();
    }
    // The queue may be waiting for another folder or limit.
    if (work.output.fault) void work.output.check();
    engines.refresh();
  };
}
