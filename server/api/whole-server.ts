/** What the routes about the server itself are given: what all projects share, and the projects themselves. */
import type { FixedSetting } from '../../shared/api.ts';
import type { Work } from '../jobs/create-work.ts';
import type { EventBus } from '../jobs/events.ts';
import type { Library } from '../jobs/files/create-library.ts';
import type { Log } from '../system/log.ts';
import type { Store } from '../store/store.ts';
import type { ServerAddress } from './address.ts';
import type { ApiControl } from './listener/api-control.ts';
import type { RateLimiter } from './rate-limit.ts';

/** The server; see ServerServices for what is not explained here. */
export interface WholeServer {
  readonly store: Pick<
    Store,
    'settings' | 'backups' | 'projects' | 'keys' | 'templates' | 'feeds' | 'renders' | 'fonts'
  >;
  readonly events: EventBus;
  readonly log: Log;
  readonly work: Pick<Work, 'queue'>;
  readonly library: Pick<Library, 'files' | 'fontLibrary'>;
  readonly requests: { readonly limiter: Pick<RateLimiter, 'limit'> };
  readonly address: Pick<ServerAddress, 'publicUrl' | 'trustsProxy' | 'isProxied' | 'addressRule'>;
  readonly listener: Pick<ApiControl, 'api' | 'usePort' | 'useHost'>;
  readonly run: {
    readonly dataFolder: string;
    readonly startedConcurrency: number;
    readonly fixedSettings: readonly FixedSetting[];
    readonly useSettings: () => void;
    readonly restart: (() => void) | null;
  };
}
