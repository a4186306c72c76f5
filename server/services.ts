/** What routes are given: everything that lives as long as the server. Made in start.ts, and by nothing else. */
import type { Clock } from './clock.ts';
import type { CreateContext } from './jobs/create-render.ts';
import type { OutputFiles } from './jobs/output-files.ts';
import type { RateLimiter } from './api/rate-limit.ts';
import type { Log } from './log.ts';
import type { Store } from './store/store.ts';

/** See start.ts. */
export interface Services extends CreateContext {
  readonly store: Store;
  readonly files: OutputFiles;
  readonly clock: Clock;
  readonly log: Log;
  /** Of the program. */
  readonly version: string;
  /** The project's key. */
  readonly apiKey: string;
  /** Counts the requests of the one account. */
  readonly limiter: RateLimiter;
  /** `http://127.0.0.1:4820`; known once the API listens. */
  readonly apiUrl: () => string;
}
