/** What the routes about the server itself are given: its settings and its backups, of all projects. */
import type { FixedSetting } from '../../shared/api.ts';
import type { EventBus } from '../jobs/events.ts';
import type { OutputFiles } from '../jobs/files/output-files.ts';
import type { RenderQueue } from '../jobs/queue.ts';
import type { Log } from '../system/log.ts';
import type { Store } from '../store/store.ts';
import type { RateLimiter } from './rate-limit.ts';

/** The server; see ServerServices for what is not explained here. */
export interface WholeServer {
  readonly store: Pick<Store, 'settings' | 'backups' | 'projects'>;
  readonly queue: Pick<
    RenderQueue,
    'concurrency' | 'setConcurrency' | 'lookForEncoder' | 'pause' | 'resume'
  >;
  readonly files: Pick<OutputFiles, 'folder'>;
  readonly events: EventBus;
  readonly limiter: Pick<RateLimiter, 'limit'>;
  /** Where the API listens. */
  readonly api: { readonly port: number; readonly host: string };
  readonly publicUrl: () => string | null;
  readonly trustsProxy: () => boolean;
  readonly isProxied: () => boolean;
  readonly log: Log;
  readonly dataFolder: string;
  readonly startedConcurrency: number;
  readonly fixedSettings: readonly FixedSetting[];
  readonly useSettings: () => void;
  readonly restart: (() => void) | null;
  readonly usePort: (port: number | null) => Promise<void>;
  readonly useHost: (host: string | null) => Promise<void>;
}
