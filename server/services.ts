/** What routes are given: everything that lives as long as the server. Made in start.ts, and by nothing else. */
import type { ApiProblem, FixedSetting } from '../shared/api.ts';
import type { Clock } from './clock.ts';
import type { CreateContext } from './jobs/create-render.ts';
import type { OutputFiles } from './jobs/output-files.ts';
import type { FeedBatches } from './jobs/feed-batch.ts';
import type { MediaLibrary } from './jobs/media-library.ts';
import type { Retention } from './jobs/retention.ts';
import type { Webhooks } from './jobs/webhooks.ts';
import type { RateLimiter } from './api/rate-limit.ts';
import type { Log } from './log.ts';
import type { ProjectRenders } from './store/renders.ts';
import type { Store } from './store/store.ts';
import type { ProjectTemplates } from './store/templates.ts';
import type { RenderLogs } from './window/render-logs.ts';
import type { RequestLog } from './window/request-log.ts';

/** What the routes of one project work with. */
export interface Services extends ServerServices {
  /** Of the project, like the next. */
  readonly renders: ProjectRenders;
  readonly templates: ProjectTemplates;
}

/** The same for one project. */
export function inProject(services: ServerServices, project: string): Services {
  const { renders, templates } = services.store;
  return {
    ...services,
    renders: renders.inProject(project),
    templates: templates.inProject(project),
  };
}

/** See start.ts. */
export interface ServerServices extends Omit<CreateContext, 'renders' | 'templates'> {
  readonly store: Store;
  readonly webhooks: Webhooks;
  readonly feedBatches: FeedBatches;
  readonly mediaLibrary: MediaLibrary;
  readonly retention: Retention;
  readonly files: OutputFiles;
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
  /** Settings that the start names; they can't be changed while it runs. */
  readonly fixedSettings: readonly FixedSetting[];
  /** Takes the stored settings into use, as far as that needs no new listener. */
  readonly useSettings: () => void;
  /** Moves the API to another port. @throws ApiError `invalid_parameter` when it is taken. */
  readonly usePort: (port: number | null) => Promise<void>;
  /** Tries to open the API where it is off, or elsewhere until the end. @param port null = the one it wanted. */
  readonly openApi: (port: number | null) => Promise<void>;
  /** Why the API is off; null while it answers. */
  readonly apiProblem: () => ApiProblem | null;
  /** `http://127.0.0.1:4820`; known once the API listens. While it is off, the address that it would have. */
  readonly apiUrl: () => string;
}
