/**
 * Makes what turns requests into files: the desk, the queue and what keeps it waiting, webhooks and feeds. Nothing runs
 * yet.
 */
import path from 'node:path';
import type { LocalAddress } from '../../shared/renderscript/hints.ts';
import type { AddressRule } from '../system/address-rule.ts';
import type { Clock } from '../system/clock.ts';
import type { JsonText } from '../system/json-text.ts';
import type { Log } from '../system/log.ts';
import type { StoredRender } from '../store/render-record.ts';
import type { Store } from '../store/store.ts';
import type { Credits } from './credits.ts';
import { Desk, type DeskOptions } from './desk/desk.ts';
import type { EventBus } from './events.ts';
import { FeedBatches } from './feeds/feed-batch.ts';
import { FeedWatch } from './feeds/feed-watch.ts';
import { FileTrials, type FileTrialOptions } from './feeds/file-trials.ts';
import { SheetReader } from './feeds/sheet-reader.ts';
import type { OutputFiles } from './files/output-files.ts';
import { OutputWatch } from './files/output-watch.ts';
import { PowerWatch, readSystemPower, type ReadPower } from './power.ts';
import { Queue, type QueueOptions, type RenderQueue } from './queue.ts';
import { refusedAddresses } from './refused-addresses.ts';
import { createStatusChanges, webhookUrlsOf } from './status.ts';
import { TestReceiver } from './webhooks/test-receiver.ts';
import { Webhooks, type WebhookOptions } from './webhooks/webhooks.ts';
import type { ForkWorker } from './worker/protocol.ts';
import { downloadFolder } from '../system/download-cache.ts';
import { giveUpPieces, pieceFolder } from '../system/kept-pieces.ts';
import { modelFolder } from '../system/speech-folder.ts';
import { transcriberSetting } from './worker/transcriber.ts';

/** Something that must be closed again. */
export interface Part {
  close(): void | Promise<void>;
}

/** What all parts of a server stand on. */
export interface Ground {
  readonly store: Store;
  readonly events: EventBus;
  readonly clock: Clock;
  readonly log: Log;
  readonly fork: ForkWorker;
  readonly dataFolder: string;
  /** Whether this one of several servers does what is done once. */
  readonly leads: () => boolean;
  /** Collects what must be closed, in the order of making. */
  readonly parts: Part[];
}

/** What becomes of requests, and who is told. */
export interface Work {
  readonly queue: RenderQueue;
  readonly credits: Credits;
  readonly webhooks: Webhooks;
  /** Where the user can look at webhooks. */
  readonly testReceiver: TestReceiver;
  readonly feedBatches: FeedBatches;
  readonly feedWatch: FeedWatch;
  /** Keeps the queue waiting while there is nowhere to put its files. */
  readonly output: OutputWatch;
  /** Keeps the queue waiting while the battery is low. */
  readonly power: PowerWatch;
}

/** The queue of several servers. */
export interface Farm {
  readonly queue: RenderQueue;
  /**
   * Removes what is left of lost work, and mends the copies of the servers' files. For the leader.
   * @param now ms since 1970.
   */
  sweep(now: number): Promise<void>;
}

/** What a server's own worker and queue work with. */
export type FarmWork = Omit<QueueOptions, 'renders' | 'events' | 'paused' | 'onPaused'> & {
  /** Renders at the same time. */
  readonly concurrency: number;
  readonly webhookUrlOf: ReturnType<typeof webhookUrlsOf>;
  /** Whether this server leads. */
  readonly leads: () => boolean;
};

/** Makes the desk, which then checks every template. @param rule Which addresses documents may name. */
export function createDesk(
  { store, fork, dataFolder, log, parts }: Ground,
  rule: () => AddressRule,
  mediaFolders: () => readonly string[],
  options: DeskOptions | undefined,
): Desk {
  const desk = new Desk({
    sheets: new SheetReader({ fork, workFolder: workFolderIn(dataFolder), log }),
    refused: (local: readonly LocalAddress[], project?: string) =>
      refusedAddresses(local, {
        rule,
        mediaFolders,
        hidden: project === undefined ? undefined : store.media.hiddenFrom(project),
      }),
    ...options,
  });
  parts.push(desk);
  store.templates.check = (source) => desk.checkLimits(source);
  return desk;
}

/** Makes what reports ends of renders. */
export function createWebhooks(
  { store, events, clock, log, leads }: Ground,
  options: Pick<WebhookOptions, 'rule' | 'bodyOf' | 'pauses' | 'timeout'>,
): Pick<Work, 'webhooks' | 'testReceiver'> {
  const { renders, deliveries, projects } = store;
  const onChange = (): void => events.emit({ type: 'webhooks.changed' });
  const secretsOf = (project: string): readonly string[] => projects.secretsOf(project);
  const webhooks = new Webhooks({
    ...options,
    renders,
    leads,
    deliveries,
    secretsOf,
    clock,
    log,
    onChange,
  });
  const secrets = (): readonly string[] => projects.list().flatMap(({ id }) => secretsOf(id));
  return { webhooks, testReceiver: new TestReceiver({ secrets, clock, onChange }) };
}

/** What the queue is made of beside the ground. */
export interface QueueParts extends Pick<
  QueueOptions,
  'files' | 'lastFrames' | 'engine' | 'largestSide' | 'workers'
> {
  readonly concurrency: number;
  readonly desk: Desk;
  /** The end of a render is stored. */
  readonly onEnd: (render: StoredRender) => void;
  /** Makes the queue of several servers; null: this one is alone. */
  readonly openFarm: ((work: FarmWork) => Promise<Farm>) | null;
  /** Free bytes on a folder's drive. Default: asks the system. */
  readonly freeBytes: ((folder: string) => Promise<number | null>) | undefined;
  /** How the computer is powered. Default: asks the system. */
  readonly readPower: ReadPower | undefined;
}

/** Makes the queue, and what keeps it waiting. */
export async function createQueue(
  ground: Ground,
  { desk, onEnd, openFarm, freeBytes, readPower, ...own }: QueueParts,
): Promise<Pick<Work, 'queue' | 'output' | 'power'> & { readonly farm: Farm | null }> {
  const { store, events, clock, log, fork, dataFolder, leads } = ground;
  const { renders, settings } = store;
  const webhookUrlOf = webhookUrlsOf(store.projects);
  const now = (): number => clock.now();
  const status = createStatusChanges({ renders, events, log, now, webhookUrlOf, onEnd });
  const work = {
    ...own,
    status,
    clock,
    log,
    fork,
    hiddenMedia: (project: string) => store.media.hiddenFrom(project),
    elementName: (source: JsonText, place: string) => desk.elementName(source, place),
    transcriber: () =>
      transcriberSetting({ chosen: settings.values, models: modelFolder(dataFolder) }),
    workFolder: workFolderIn(dataFolder),
    priority: () => settings.values.renderPriority,
    beforeRender: async () => {
      await Promise.all([watches.power.check(), watches.output.check()]);
    },
  };
  const farm = openFarm ? await openFarm({ ...work, webhookUrlOf, leads }) : null;
  const queue: RenderQueue =
    farm?.queue ??
    new Queue({
      ...work,
      renders,
      events,
      paused: settings.values.queuePaused,
      onPaused: () => settings.change({ queuePaused: true }),
    });
  const watches = createWatches(ground, queue, own.files, { freeBytes, readPower });
  return { queue, farm, ...watches };
}

/**
 * Makes what renders tables.
 *
 * @param work The queue, and who pays.
 * @param engine What their files are tried with.
 * @param pause See FeedWatch.
 */
export function createFeeds(
  { store, events, clock, log, leads, fork, dataFolder }: Ground,
  desk: Desk,
  { queue, credits }: Pick<Work, 'queue' | 'credits'>,
  engine: FileTrialOptions['engine'],
  pause: number | undefined,
): Pick<Work, 'feedBatches' | 'feedWatch'> {
  const feedBatches = new FeedBatches({
    store,
    inProject: (project) => ({
      renders: store.renders.inProject(project),
      templates: store.templates.inProject(project),
      credits,
      queue,
      events,
      clock,
      desk,
    }),
    queue,
    log,
    mediaFolders: () => engine.mediaFolders,
    trials: new FileTrials({
      fork,
      engine,
      hiddenMedia: (project) => store.media.hiddenFrom(project),
      workFolder: workFolderIn(dataFolder),
      log,
    }),
  });
  const feedWatch = new FeedWatch({
    feeds: store.feeds,
    desk,
    render: (feed) => feedBatches.start(feed, { changed: true }),
    onChange: () => events.emit({ type: 'feeds.changed' }),
    clock,
    log,
    pause,
    leads,
  });
  return { feedBatches, feedWatch };
}

/** Where attempts have their folders. */
const workFolderIn = (dataFolder: string): string => path.join(dataFolder, 'work');

/** What keeps the queue waiting: checked before each render, and again while it waits. */
function createWatches(
  { store, clock, log, events, dataFolder, parts }: Ground,
  queue: Pick<RenderQueue, 'hold' | 'hasWork'>,
  files: OutputFiles,
  { freeBytes, readPower }: Pick<QueueParts, 'freeBytes' | 'readPower'>,
): Pick<Work, 'output' | 'power'> {
  const output: OutputWatch = new OutputWatch({
    folder: () => files.folder,
    limit: () => store.settings.values.freeSpaceLimit,
    ...(files.storage && { answers: () => files.storage?.answers() ?? Promise.resolve(true) }),
    ...(freeBytes && { freeBytes }),
    makeRoom: () => giveUpPieces(pieceFolder(downloadFolder(dataFolder))),
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
