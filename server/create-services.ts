/**
 * Makes everything that lives as long as the server, and ties it together. Nothing runs, listens or is recovered yet.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import packageFile from '../package.json' with { type: 'json' };
import { engineLimits, openLimits, rateLimit } from '../shared/limits.ts';
import type { LocalAddress } from '../shared/renderscript/hints.ts';
import type { Problem } from '../shared/renderscript/source.ts';
import { loopbackAddresses } from './system/api-address.ts';
import { createApiControl } from './api/listener/api-control.ts';
import type { ApiListener } from './api/listener/api-listener.ts';
import { Metrics } from './api/metrics.ts';
import { EventStreams } from './api/event-streams.ts';
import { RateLimiter } from './api/rate-limit.ts';
import { renderRecord } from './api/serialize.ts';
import { createChoices, type Choices, type Engine } from './api/choices.ts';
import type { Clock } from './system/clock.ts';
import { Credits } from './jobs/credits.ts';
import { SheetReader } from './jobs/feeds/sheet-reader.ts';
import { Desk } from './jobs/desk/desk.ts';
import type { EventBus } from './jobs/events.ts';
import { FeedBatches } from './jobs/feeds/feed-batch.ts';
import { FeedWatch } from './jobs/feeds/feed-watch.ts';
import { FontFamilies } from './jobs/font-families.ts';
import { LastFrames } from './jobs/files/last-frames.ts';
import { FontLibrary } from './jobs/files/font-library.ts';
import { MediaLibrary } from './jobs/files/media-library.ts';
import { TemplateShares } from './jobs/share/template-shares.ts';
import { createOutputFiles, type OutputFiles } from './jobs/files/output-files.ts';
import { OutputWatch } from './jobs/files/output-watch.ts';
import { PowerWatch, readSystemPower } from './jobs/power.ts';
import { PreviewService } from './jobs/worker/preview.ts';
import { Queue, type RenderQueue } from './jobs/queue.ts';
import { refusedAddresses } from './jobs/refused-addresses.ts';
import { RenderWaits } from './jobs/render-waits.ts';
import { Retention } from './jobs/files/retention.ts';
import { createStatusChanges, webhookUrlsOf } from './jobs/status.ts';
import { TestReceiver } from './jobs/webhooks/test-receiver.ts';
import { Webhooks } from './jobs/webhooks/webhooks.ts';
import { answerText, type JsonText } from './system/json-text.ts';
import type { AddressRule } from './system/address-rule.ts';
import type { ServerOptions } from './options.ts';
import { inProject } from './api/project.ts';
import type { ServerServices, Sharing } from './services.ts';
import type { Storage } from './store/storage.ts';
import type { Store } from './store/store.ts';
import { transcriberSetting } from './jobs/worker/transcriber.ts';
import type { RenderLogs } from './window/render-logs.ts';
import { RequestLog } from './window/request-log.ts';

/** Something that must be closed again. */
export interface Part {
  close(): void | Promise<void>;
}

/** What services are made of. */
export interface ServiceOptions extends ServerOptions {
  readonly store: Store;
  /** Null: no other server uses the store. */
  readonly sharing: Sharing | null;
  /** Where finished files go; null: they stay in the output folder. */
  readonly fileStorage: Storage | null;
  readonly clock: Clock;
  readonly renderLogs: RenderLogs;
  readonly events: EventBus;
  readonly api: ApiListener;
  /** The first project's key. */
  readonly apiKey: string;
  /** Ports that this program listens on now. */
  readonly ownPorts: () => readonly number[];
  /** Awaited whenever the API moves or stops listening; called when its public address changes. */
  readonly onApiMoved: () => Promise<void>;
  /** Collects what is made here and must be closed, in the order of making. */
  readonly parts: Part[];
}

/** The services, and what start.ts needs beside them. */
export interface MadeServices {
  readonly services: ServerServices;
  readonly queue: RenderQueue;
  readonly choices: Choices;
  /** What the queue's workers are told, with limits; follows the settings. */
  readonly previewEngine: Engine & AddressRule & { readonly limits: typeof engineLimits };
}

/** Makes them. */
export async function createServices(options: ServiceOptions): Promise<MadeServices> {
  const { store, sharing, clock, log, events, api, parts, dataFolder } = options;
  const { ownPorts, fixedSettings = [] } = options;
  const { renders } = store;
  const choices = createChoices(options, store.settings);
  const ownUrl = (): string => choices.ownUrl(api.port);
  const apiUrl = (): string => choices.publicUrl() ?? ownUrl();
  const addressRule = (): AddressRule => choices.addressRule(ownPorts());
  const allowedHosts = (): readonly string[] => choices.allowedHosts();
  parts.push({ close: options.renderLogs.follow(events) });
  parts.push({ close: store.feeds.follow(() => events.emit({ type: 'feeds.changed' })) });
  parts.push({ close: store.health.follow(() => events.emit({ type: 'server.state' })) });
  const files = await openOutputFiles(options, choices);
  const isKnown = (id: string): boolean => renders.has(id);
  const lastFrames = await LastFrames.open(path.join(dataFolder, 'last-frames'), isKnown, log);
  parts.push({ close: lastFrames.follow(events) });
  const engine = withRule(engineNow(store, choices), addressRule);
  const previewEngine = withRule({ ...engine, limits: engineLimits }, addressRule);
  /** Whether this one of several servers does what is done once. */
  const leads = (): boolean => sharing?.leads() ?? true;
  const webhooks = new Webhooks({
    renders,
    leads,
    deliveries: store.deliveries,
    secretsOf: (project) => store.projects.secretsOf(project),
    bodyOf: async (render) => answerText(renderRecord(await renders.withRequest(render), apiUrl())),
    rule: addressRule,
    clock,
    log,
    ...(options.webhookPauses && { pauses: options.webhookPauses }),
    ...(options.webhookTimeout !== undefined && { timeout: options.webhookTimeout }),
    onChange: () => events.emit({ type: 'webhooks.changed' }),
  });
  const testReceiver = new TestReceiver({
    secrets: () => store.projects.list().flatMap(({ id }) => store.projects.secretsOf(id)),
    clock,
    onChange: () => events.emit({ type: 'webhooks.changed' }),
  });
  const webhookUrlOf = webhookUrlsOf(store.projects);
  const status = createStatusChanges({
    renders,
    events,
    log,
    now: () => clock.now(),
    webhookUrlOf,
    onEnd: (render) => webhooks.plan(render),
  });
  const workFolder = path.join(dataFolder, 'work');
  const sheets = new SheetReader({ fork: options.forkWorker, workFolder, log });
  const mediaFolders = (): readonly string[] => engine.mediaFolders;
  const refused = (local: readonly LocalAddress[]): Promise<readonly Problem[]> =>
    refusedAddresses(local, { rule: addressRule, mediaFolders });
  const desk = new Desk({ sheets, refused, ...options.desk });
  parts.push(desk);
  store.templates.check = (source) => desk.checkLimits(source);
  const work = {
    files,
    lastFrames,
    engine,
    hiddenMedia: (project: string) => store.media.hiddenFrom(project),
    clock,
    log,
    elementName: (source: JsonText, place: string) => desk.elementName(source, place),
    fork: options.forkWorker,
    transcriber: () => transcriberSetting(store.settings.values),
    workFolder,
    largestSide: options.largestSide,
    priority: () => store.settings.values.renderPriority,
    concurrency: choices.concurrency(),
    workers: options.workers,
  };
  const beforeRender = async (): Promise<void> => {
    await Promise.all([power.check(), output.check()]);
  };
  const farm = sharing
    ? await sharing.openFarm(events, { ...work, status, webhookUrlOf, beforeRender, leads })
    : null;
  const queue: RenderQueue =
    farm?.queue ??
    new Queue({
      ...work,
      renders,
      status,
      events,
      paused: store.settings.values.queuePaused,
      beforeRender,
      onPaused: () => store.settings.change({ queuePaused: true }),
    });
  const { output, power } = createWatches(options, queue, files);
  // A run that closed properly has put them back itself.
  const recovered = renders.listUnfinished().filter(({ status: one }) => one !== 'planned').length;
  let priority = store.settings.values.renderPriority;
  let toldUrls = `${ownUrl()} ${apiUrl()}`;
  const limit = (): number => (choices.rateLimit() ? rateLimit.requests : Infinity);
  const mediaLibrary = new MediaLibrary({
    media: store.media,
    fork: options.forkWorker,
    engine,
    log,
  });
  const services: ServerServices = {
    store,
    sharing,
    queue,
    webhooks,
    testReceiver,
    output,
    power,
    recovered,
    events,
    files,
    lastFrames,
    clock,
    log,
    dataFolder,
    fixedSettings,
    api,
    apiUrl,
    ownUrl,
    publicUrl: () => choices.publicUrl(),
    trustsProxy: () => choices.trustsProxy(),
    isProxied: () => choices.isProxied(),
    addressRule,
    allowedHosts,
    desk,
    started: {
      allowedHosts: options.allowedHosts ?? [],
      mediaFolders: options.mediaFolders ?? [],
    },
    ...createApiControl(
      api,
      { port: options.port, host: options.host ?? loopbackAddresses[0] },
      log,
      options.onApiMoved,
    ),
    metrics: new Metrics({ queue, store, files, events, version: packageFile.version }),
    waits: new RenderWaits(renders, events),
    streams: new EventStreams(openLimits.streams),
    previews: new PreviewService({
      fork: options.forkWorker,
      engine: previewEngine,
      hiddenMedia: work.hiddenMedia,
      transcriber: () => transcriberSetting(store.settings.values),
      folder: path.join(dataFolder, 'preview'),
      log,
    }),
    credits: sharing ? sharing.credits() : new Credits(renders, store.settings),
    feedBatches: new FeedBatches({
      store,
      inProject: (id) => inProject(services, id),
      queue,
      log,
    }),
    feedWatch: new FeedWatch({
      feeds: store.feeds,
      desk,
      render: (feed) => services.feedBatches.start(feed, { changed: true }),
      onChange: () => events.emit({ type: 'feeds.changed' }),
      clock,
      log,
      leads,
    }),
    mediaLibrary,
    shares: new TemplateShares({
      desk,
      media: store.media,
      library: mediaLibrary,
      mediaFolders,
      addedFonts: () => store.fonts.list(),
      log,
    }),
    fonts: new FontFamilies(options.forkWorker, log, engine.fontFolder, () => store.fonts.list()),
    fontLibrary: new FontLibrary({
      fonts: store.fonts,
      templates: store.templates,
      desk,
      fork: options.forkWorker,
      fontFolder: engine.fontFolder,
      log,
      onChange: (users) => {
        services.useSettings();
        events.emit({ type: 'fonts.changed', templates: users.map(({ id }) => id) });
      },
    }),
    retention: new Retention({
      ...{ store, files, events, clock, log, leads },
      ...(farm && { sweepShared: (now: number) => farm.sweep(now) }),
    }),
    startedConcurrency: options.concurrency ?? 1,
    startNotices: options.notices ?? [],
    restart: options.restart ?? null,
    limiter: sharing
      ? sharing.limiter(limit(), rateLimit.window)
      : new RateLimiter(limit(), rateLimit.window, clock),
    requestLog: new RequestLog({
      keys: store.keys,
      events,
      clock,
      size: () => store.settings.values.requestLogSize,
    }),
    renderLogs: options.renderLogs,
    useSettings: () => {
      files.use(choices.outputFolder(), store.settings.values.earlierOutputFolders);
      services.limiter.limit = limit();
      services.requestLog.trim();
      power.follow();
      if (toldUrls !== `${ownUrl()} ${apiUrl()}`) {
        toldUrls = `${ownUrl()} ${apiUrl()}`;
        void options.onApiMoved();
      }
      if (priority !== store.settings.values.renderPriority) {
        priority = store.settings.values.renderPriority;
        queue.usePriority();
      }
      // The queue may be waiting for another folder or limit.
      if (output.fault) void output.check();
      const now = engineNow(store, choices);
      for (const part of [engine, previewEngine]) {
        delete part.ffmpegPath;
        delete part.paintingThreads;
        Object.assign(part, now);
      }
    },
    version: packageFile.version,
    apiKey: options.apiKey,
  };
  sharing?.follow(events, {
    useSettings: () => services.useSettings(),
    onDelivery: (id) => webhooks.hear(id),
    onEnd: (id) => {
      const render = renders.find(id);
      if (render) webhooks.plan(render);
    },
  });
  // Queue before webhooks: what ends during closing is no longer reported.
  parts.push(services.metrics, testReceiver, webhooks, queue, services.feedBatches);
  return { services, queue, choices, previewEngine };
}

/** What workers are told now. */
function engineNow({ media, fonts }: Store, choices: Choices): Engine {
  return choices.engine(media.contentFolder, fonts.forRenders());
}

/** Workers' settings with the current address rule in each message made of them: ports move. */
function withRule<Settings extends object>(
  settings: Settings,
  rule: () => AddressRule,
): Settings & AddressRule {
  return Object.defineProperties(settings, {
    allowPrivateAddresses: { enumerable: true, get: () => rule().allowPrivateAddresses },
    ownPorts: { enumerable: true, get: () => rule().ownPorts },
  }) as Settings & AddressRule; // what has just been defined
}

async function openOutputFiles(options: ServiceOptions, choices: Choices): Promise<OutputFiles> {
  const files = createOutputFiles(options.outputFolder, options.fileStorage);
  files.use(choices.outputFolder(), options.store.settings.values.earlierOutputFolders);
  // The folder named at the start is made with all its parents. A folder chosen later may lie on a drive that is
  // missing now: then the queue waits for it, and nothing is written in its place.
  if (files.folder === options.outputFolder) await mkdir(files.folder, { recursive: true });
  return files;
}

/** What keeps the queue waiting: checked before each render, and again while it waits. */
function createWatches(
  { store, clock, log, events, parts, freeBytes, readPower }: ServiceOptions,
  queue: Pick<RenderQueue, 'hold' | 'hasWork'>,
  files: OutputFiles,
): { output: OutputWatch; power: PowerWatch } {
  const output: OutputWatch = new OutputWatch({
    folder: () => files.folder,
    limit: () => store.settings.values.freeSpaceLimit,
    ...(files.storage && { answers: () => files.storage?.answers() ?? Promise.resolve(true) }),
    ...(freeBytes && { freeBytes }),
    hasWork: () => queue.hasWork,
    onChange: () => {
      for (const fault of ['space', 'folder'] as const) queue.hold(fault, output.fault === fault);
    },
  });
  const power: PowerWatch = new PowerWatch({
    read: readPower ?? readSystemPower,
    isWanted: () => store.settings.values.pauseOnBattery,
    hasWork: () => queue.hasWork,
    onChange: () => queue.hold('battery', power.lowPercent !== null),
    clock,
    log,
  });
  // Of all changes of state, they only care when the queue fills or empties.
  const unfollow = events.subscribe(({ type }) => {
    if (type !== 'server.state') return;
    power.follow();
    output.follow();
  });
  parts.push({ close: unfollow }, power, output);
  return { output, power };
}
