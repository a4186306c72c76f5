/** What routes are given: everything that lives as long as the server, by rooms. Only create-services.ts makes it. */
import type { FixedSetting, StartedLists } from '../shared/api.ts';
import type { ServerAddress } from './api/choices.ts';
import type { EventStreams } from './api/event-streams.ts';
import type { ApiControl } from './api/listener/api-control.ts';
import type { Metrics } from './api/metrics.ts';
import type { RateLimiter } from './api/rate-limit.ts';
import type { Farm, FarmWork, Work } from './jobs/create-work.ts';
import type { Credits } from './jobs/credits.ts';
import type { Desk } from './jobs/desk/desk.ts';
import type { EventBus } from './jobs/events.ts';
import type { Library } from './jobs/files/create-library.ts';
import type { RenderWaits } from './jobs/render-waits.ts';
import type { PreviewService } from './jobs/worker/preview.ts';
import type { Store } from './store/store.ts';
import type { Clock } from './system/clock.ts';
import type { Log } from './system/log.ts';
import type { RenderLogs } from './window/render-logs.ts';
import type { RequestLog } from './window/request-log.ts';

/** See create-services.ts. Who needs less says so: `Pick<ServerServices, …>`. */
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
