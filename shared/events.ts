/**
 * What the server tells the window as it happens (`GET /api/events`, server-sent events read from a fetch stream).
 *
 * Every event has a number that grows by one. A gap tells the window that it missed something, and it reloads the
 * lists. The stream opens with `hello`, which names the newest number so far.
 */
import type {
  RenderProgress,
  RequestEntry,
  ServerState,
  WindowRender,
  WindowTemplate,
} from './api.ts';

/** What happened, without its number. */
export type ServerEventBody =
  | { readonly type: 'render.created'; readonly render: WindowRender }
  /** Anything but progress changed: status, attempts, facts, place in the queue. */
  | { readonly type: 'render.updated'; readonly render: WindowRender }
  /** At most four a second for one render. */
  | { readonly type: 'render.progress'; readonly id: string; readonly progress: RenderProgress }
  | { readonly type: 'render.removed'; readonly id: string }
  | { readonly type: 'template.created'; readonly template: WindowTemplate }
  | { readonly type: 'template.updated'; readonly template: WindowTemplate }
  | { readonly type: 'template.removed'; readonly id: string }
  | { readonly type: 'server.state'; readonly state: ServerState }
  /** A project or a key was made, changed or removed: `GET /api/projects` has them. */
  | { readonly type: 'projects.changed' }
  /** A feed or a batch was made, changed or removed: `GET /api/feeds` and `GET /api/batches` have them. */
  | { readonly type: 'feeds.changed' }
  /** A machine of the farm came, went, fell silent, or does something else: `GET /api/machines` has them. */
  | { readonly type: 'machines.changed' }
  /**
   * A webhook delivery changed, or the test receiver: `GET /api/projects/ID/deliveries` and `/api/webhook-receiver`.
   */
  | { readonly type: 'webhooks.changed' }
  /** A font was added or removed: `GET /api/fonts` has them. These templates look different now. */
  | { readonly type: 'fonts.changed'; readonly templates: readonly string[] }
  /** The public API has answered a request. */
  | { readonly type: 'api.request'; readonly entry: RequestEntry };

/** One event of the stream. */
export type ServerEvent =
  | (ServerEventBody & { readonly number: number })
  /** The first message of every stream; its number is that of the newest event before it. */
  | { readonly type: 'hello'; readonly number: number };
