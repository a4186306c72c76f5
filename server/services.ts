/** What routes are given: everything that lives as long as the server. Made in create-services.ts, and by nothing else. */
import type { FixedSetting, PortTest, StartedLists } from '../shared/api.ts';
import type { ApiListener } from './api-listener.ts';
import type { Clock } from './clock.ts';
import type { CreateContext } from './jobs/create-render.ts';
import type { OutputFiles } from './jobs/files/output-files.ts';
import type { OutputWatch } from './jobs/files/output-watch.ts';
import type { FeedBatches } from './jobs/feeds/feed-batch.ts';
import type { LastFrames } from './jobs/files/last-frames.ts';
import type { FontFamilies } from './jobs/font-families.ts';
import type { MediaLibrary } from './jobs/files/media-library.ts';
import type { PowerWatch } from './jobs/power.ts';
import type { Retention } from './jobs/files/retention.ts';
import type { RenderWaits } from './jobs/render-waits.ts';
import type { PreviewService } from './jobs/worker/preview.ts';
import type { Webhooks } from './jobs/webhooks/webhooks.ts';
import type { EventStreams } from './api/event-streams.ts';
import type { RateLimiter } from './api/rate-limit.ts';
import type { Log } from './log.ts';
import type { AddressRule } from './system/address-rule.ts';
import type { Store } from './store/store.ts';
import type { RenderLogs } from './window/render-logs.ts';
import type { RequestLog } from './window/request-log.ts';

/** See create-services.ts. */
export interface ServerServices extends Omit<CreateContext, 'renders' | 'templates'> {
  readonly store: Store;
  readonly webhooks: Webhooks;
  readonly feedBatches: FeedBatches;
  readonly mediaLibrary: MediaLibrary;
  readonly fonts: FontFamilies;
  readonly retention: Retention;
  /** Keeps the queue waiting while its files have no place to go. */
  readonly output: OutputWatch;
  /** Keeps the queue waiting while the battery is low. */
  readonly power: PowerWatch;
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
  /** Renders at the same time as the program was started; a setting may say otherwise. */
  readonly startedConcurrency: number;
  /** Of the program. */
  readonly version: string;
  /** The first project's key. */
  readonly apiKey: string;
  /** Counts the requests of the one account. */
  readonly limiter: RateLimiter;
  /** The last requests to the API. */
  readonly requestLog: RequestLog;
  readonly renderLogs: RenderLogs;
  readonly dataFolder: string;
  /** Renders that an earlier run, which was not closed properly, left in the middle. */
  readonly recovered: number;
  /** What was wrong at the start, beside the data: sentences for the window. */
  readonly startNotices: readonly string[];
  /** Settings that the start names; they can't be changed while it runs. */
  readonly fixedSettings: readonly FixedSetting[];
  readonly started: StartedLists;
  /** Takes the stored settings into use, as far as that needs no new listener. */
  readonly useSettings: () => void;
  /** Where the public API listens, and whether it does. */
  readonly api: Pick<ApiListener, 'state' | 'problem' | 'port' | 'host'>;
  /** Looks whether the API could have a port, without taking it. */
  readonly testPort: (port: number) => Promise<PortTest['found']>;
  /** Moves the API to another port. @throws ApiError `invalid_parameter` when it is taken. */
  readonly usePort: (port: number | null) => Promise<void>;
  /** Has the API listen at another address. @throws ApiError `host_refused` when this computer does not have it. */
  readonly useHost: (host: string | null) => Promise<void>;
  /**
   * Opens the API where it is off, or elsewhere until the end. Whether it worked is in `api` then.
   * @param port null = the one it wanted.
   */
  readonly openApi: (port: number | null) => Promise<void>;
  /** Closes the API until someone opens it; the window goes on. */
  readonly stopApi: () => Promise<void>;
  /** `http://127.0.0.1:4820`; known once the API listens. While it is off, the address that it would have. */
  readonly apiUrl: () => string;
  /** Names beside its own that the API answers to. */
  readonly allowedHosts: () => readonly string[];
  /** Where media may come from and webhooks go to now. */
  readonly addressRule: () => AddressRule;
}
