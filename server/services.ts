/** What routes are given: everything that lives as long as the server. Only create-services.ts makes it. */
import type { FixedSetting, StartedLists } from '../shared/api.ts';
import type { ApiControl } from './api/listener/api-control.ts';
import type { ApiListener } from './api/listener/api-listener.ts';
import type { Clock } from './system/clock.ts';
import type { CreateContext } from './jobs/create-render.ts';
import type { Credits } from './jobs/credits.ts';
import type { EventBus } from './jobs/events.ts';
import type { QueueOptions, RenderQueue } from './jobs/queue.ts';
import type { webhookUrlsOf } from './jobs/status.ts';
import type { OutputFiles } from './jobs/files/output-files.ts';
import type { OutputWatch } from './jobs/files/output-watch.ts';
import type { FeedBatches } from './jobs/feeds/feed-batch.ts';
import type { FeedWatch } from './jobs/feeds/feed-watch.ts';
import type { LastFrames } from './jobs/files/last-frames.ts';
import type { FontFamilies } from './jobs/font-families.ts';
import type { FontLibrary } from './jobs/files/font-library.ts';
import type { MediaLibrary } from './jobs/files/media-library.ts';
import type { PowerWatch } from './jobs/power.ts';
import type { Retention } from './jobs/files/retention.ts';
import type { RenderWaits } from './jobs/render-waits.ts';
import type { PreviewService } from './jobs/worker/preview.ts';
import type { TemplateShares } from './jobs/share/template-shares.ts';
import type { TestReceiver } from './jobs/webhooks/test-receiver.ts';
import type { Webhooks } from './jobs/webhooks/webhooks.ts';
import type { Metrics } from './api/metrics.ts';
import type { EventStreams } from './api/event-streams.ts';
import type { RateLimiter } from './api/rate-limit.ts';
import type { Log } from './system/log.ts';
import type { AddressRule } from './system/address-rule.ts';
import type { Store } from './store/store.ts';
import type { RenderLogs } from './window/render-logs.ts';
import type { RequestLog } from './window/request-log.ts';

/** See create-services.ts. */
export interface ServerServices extends Omit<CreateContext, 'renders' | 'templates'>, ApiControl {
  readonly store: Store;
  /** Null: no other server uses the store. */
  readonly sharing: Sharing | null;
  readonly webhooks: Webhooks;
  /** Where the user can look at webhooks. */
  readonly testReceiver: TestReceiver;
  readonly feedBatches: FeedBatches;
  readonly feedWatch: FeedWatch;
  readonly mediaLibrary: MediaLibrary;
  /** Templates as one file, with their media and fonts. */
  readonly shares: TemplateShares;
  readonly fonts: FontFamilies;
  readonly fontLibrary: FontLibrary;
  readonly retention: Retention;
  /** Keeps the queue waiting while there is nowhere to put its files. */
  readonly output: OutputWatch;
  /** Keeps the queue waiting while the battery is low. */
  readonly power: PowerWatch;
  /** Numbers for Prometheus. */
  readonly metrics: Metrics;
  /** Requests that wait for renders to end. */
  readonly waits: RenderWaits;
  /** Open event streams of the API. */
  readonly streams: EventStreams;
  /** Pictures of documents, for the window and the API. */
  readonly previews: PreviewService;
  readonly files: OutputFiles;
  readonly lastFrames: LastFrames;
  readonly clock: Clock;
  readonly log: Log;
  /** How many renders may run at once, as given at the start; a setting may change it. */
  readonly startedConcurrency: number;
  /** The program's version. */
  readonly version: string;
  /** The first project's key. */
  readonly apiKey: string;
  /** Counts the account's requests. */
  readonly limiter: RateLimiter;
  /** The last requests to the API. */
  readonly requestLog: RequestLog;
  readonly renderLogs: RenderLogs;
  readonly dataFolder: string;
  /** Ends the server and starts it again; null: it can't by itself. */
  readonly restart: (() => void) | null;
  /** Renders that the last run left unfinished because it did not close properly. */
  readonly recovered: number;
  /** Problems at the start, other than with the data: sentences for the window. */
  readonly startNotices: readonly string[];
  /** Settings named at the start; they can't change while the program runs. */
  readonly fixedSettings: readonly FixedSetting[];
  readonly started: StartedLists;
  /** Applies the stored settings, except those that need a new listener. */
  readonly useSettings: () => void;
  /** Where the public API listens, and whether it does. */
  readonly api: Pick<ApiListener, 'state' | 'problem' | 'port' | 'host'>;
  /**
   * What links begin with when no request names an address: the public one, else `http://127.0.0.1:4820`. Known once
   * the API listens; while it is off, the address it would have.
   */
  readonly apiUrl: () => string;
  /** The same for programs on this computer, which need no proxy. */
  readonly ownUrl: () => string;
  /** The address that all links begin with; null: the one that a request used. */
  readonly publicUrl: () => string | null;
  /** Whether a proxy's headers say which address a request used. */
  readonly trustsProxy: () => boolean;
  /** See Choices. */
  readonly isProxied: () => boolean;
  /** Names that the API answers to beside its own. */
  readonly allowedHosts: () => readonly string[];
  /** Where media may come from and webhooks may go now. */
  readonly addressRule: () => AddressRule;
}

/** Whom else it concerns. */
export interface OtherListeners {
  /** The settings are other ones. */
  readonly useSettings: () => void;
  /** A delivery is another one. */
  readonly onDelivery: (id: string) => void;
  /** A render has ended, or an event of its end is to be told. */
  readonly onEnd: (id: string) => void;
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
