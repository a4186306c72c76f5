/** What the routes of one project are given: its renders and templates, and only what they use of the server. */
import type { Brand } from '../../shared/api.ts';
import type { Work } from '../jobs/create-work.ts';
import type { CreateContext } from '../jobs/create-render.ts';
import type { Library } from '../jobs/files/create-library.ts';
import type { RenderWaits } from '../jobs/render-waits.ts';
import type { TranscriptList } from '../jobs/transcripts.ts';
import type { CheckService } from '../jobs/worker/checks.ts';
import type { PreviewService } from '../jobs/worker/preview.ts';
import type { Log } from '../system/log.ts';
import type { ProjectMedia } from '../store/media.ts';
import type { ProjectSecret } from '../store/projects.ts';
import type { Store } from '../store/store.ts';
import type { ServerAddress } from './choices.ts';
import type { EventStreams } from './event-streams.ts';

/** For one project. */
export interface ProjectServices extends CreateContext, Common {
  readonly project: Project;
}

/** What is its own beside renders and templates. */
export interface Project {
  readonly id: string;
  readonly name: () => string;
  /** What its templates look like; undefined: nothing was chosen. */
  readonly brand: () => Brand | undefined;
  /** Stores it. @throws ApiError `cannot_save`. */
  readonly takeBrand: (brand: Brand) => Promise<void>;
  /** What its webhooks are signed with. */
  readonly secret: ProjectSecret;
  /** The media library as this project sees it. */
  readonly media: ProjectMedia;
  readonly feeds: Store['feeds'];
  readonly fonts: Pick<Store['fonts'], 'list'>;
  readonly deliveries: Pick<Store['deliveries'], 'find' | 'newest'>;
}

/** What all projects share beside what creates renders; see ServerServices. */
interface Common {
  readonly log: Log;
  readonly address: Pick<ServerAddress, 'apiUrl' | 'addressRule'>;
  readonly library: Pick<Library, 'files' | 'shares' | 'mediaLibrary' | 'fonts'>;
  readonly work: Pick<Work, 'webhooks' | 'feedBatches' | 'feedWatch'>;
  readonly pending: {
    readonly waits: RenderWaits;
    readonly streams: EventStreams;
    readonly previews: PreviewService;
    readonly transcripts: TranscriptList;
    readonly checks: CheckService;
  };
}

/** The server, as far as projects use it. */
type Server = Common &
  Pick<CreateContext, 'events' | 'clock' | 'desk'> & {
    readonly store: Store;
    readonly work: Pick<Work, 'credits' | 'queue'>;
  };

/** The services of a project; routes that have only these can't forget to check an ID's project. */
export function inProject(
  { store, work, events, clock, desk, log, address, library, pending }: Server,
  id: string,
): ProjectServices {
  const { credits, queue } = work;
  return {
    credits,
    queue,
    events,
    clock,
    desk,
    log,
    address,
    library,
    work,
    pending,
    renders: store.renders.inProject(id),
    templates: store.templates.inProject(id),
    project: {
      id,
      name: () => store.projects.find(id)?.name ?? '',
      brand: () => store.projects.find(id)?.brand,
      takeBrand: async (brand) => {
        await store.projects.change(id, { brand });
        events.emit({ type: 'projects.changed' });
      },
      secret: store.projects.secretInProject(id),
      media: store.media.inProject(id),
      feeds: store.feeds,
      fonts: store.fonts,
      deliveries: store.deliveries,
    },
  };
}
