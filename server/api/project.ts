/** What the routes of one project are given: its renders and templates, and only what they use of the server. */
import type { CreateContext } from '../jobs/create-render.ts';
import type { FontFamilies } from '../jobs/font-families.ts';
import type { MediaLibrary } from '../jobs/files/media-library.ts';
import type { RenderWaits } from '../jobs/render-waits.ts';
import type { TemplateShares } from '../jobs/share/template-shares.ts';
import type { PreviewService } from '../jobs/worker/preview.ts';
import type { Log } from '../system/log.ts';
import type { ProjectMedia } from '../store/media.ts';
import type { ProjectSecret } from '../store/projects.ts';
import type { Store } from '../store/store.ts';
import type { AddressRule } from '../system/address-rule.ts';
import type { EventStreams } from './event-streams.ts';

/** For one project. */
export interface ProjectServices extends CreateContext {
  /** The project itself. */
  readonly project: () => { readonly id: string; readonly name: string };
  readonly store: Pick<Store, 'feeds'>;
  /** What its webhooks are signed with. */
  readonly webhookSecret: ProjectSecret;
  /** Requests that wait for renders to end, and listeners for events. */
  readonly waits: RenderWaits;
  readonly streams: EventStreams;
  readonly previews: PreviewService;
  /** Templates as one file. */
  readonly shares: TemplateShares;
  /** The media library as this project sees it, and what adds to it. */
  readonly media: ProjectMedia;
  readonly mediaLibrary: MediaLibrary;
  /** Families that texts can use. */
  readonly fonts: FontFamilies;
  /** See ServerServices, like the next. */
  readonly apiUrl: () => string;
  readonly addressRule: () => AddressRule;
  readonly log: Log;
}

/** What it is made of. */
type Common = Omit<
  ProjectServices,
  'renders' | 'templates' | 'media' | 'project' | 'store' | 'webhookSecret'
>;

/** The services of a project; routes that have only these can't forget to check an ID's project. */
export function inProject(
  {
    store,
    credits,
    queue,
    events,
    clock,
    desk,
    apiUrl,
    addressRule,
    waits,
    streams,
    previews,
    shares,
    mediaLibrary,
    fonts,
    log,
  }: Common & {
    readonly store: Store;
  },
  project: string,
): ProjectServices {
  return {
    store,
    credits,
    queue,
    events,
    clock,
    desk,
    apiUrl,
    addressRule,
    waits,
    streams,
    previews,
    shares,
    mediaLibrary,
    fonts,
    log,
    media: store.media.inProject(project),
    renders: store.renders.inProject(project),
    templates: store.templates.inProject(project),
    webhookSecret: store.projects.secretInProject(project),
    project: () => ({ id: project, name: store.projects.find(project)?.name ?? '' }),
  };
}
