/**
 * What the server tells the window as it happens (`GET /api/events`, server-sent events read from a fetch stream).
 *
 * Every event has a number that grows by one. A gap tells the window that it missed something, and it reloads the
 * lists. The stream opens with `hello`, which names the newest number so far.
 */
import * as z from 'zod/mini';
import { renderProgress, windowRender } from './api/renders.ts';
import { requestEntry } from './api/requests.ts';
import type { Of } from './api/row.ts';
import { serverState } from './api/state.ts';
import { windowTemplate } from './api/templates.ts';

const type = <const T extends string>(name: T): z.ZodMiniLiteral<T> => z.literal(name);
const number = z.number();

export const serverEvent = z.discriminatedUnion('type', [
  /** The first message of every stream; its number is that of the newest event before it. */
  z.object({ type: type('hello'), number }),
  z.object({ type: type('render.created'), render: windowRender, number }),
  /** Anything but progress changed: status, attempts, facts, place in the queue. */
  z.object({ type: type('render.updated'), render: windowRender, number }),
  /** At most four a second for one render. */
  z.object({ type: type('render.progress'), id: z.string(), progress: renderProgress, number }),
  z.object({ type: type('render.removed'), id: z.string(), number }),
  z.object({ type: type('template.created'), template: windowTemplate, number }),
  z.object({ type: type('template.updated'), template: windowTemplate, number }),
  z.object({ type: type('template.removed'), id: z.string(), number }),
  z.object({ type: type('server.state'), state: serverState, number }),
  /** A project or a key was made, changed or removed: `GET /api/projects` has them. */
  z.object({ type: type('projects.changed'), number }),
  /** A feed or a batch was made, changed or removed: `GET /api/feeds` and `GET /api/batches` have them. */
  z.object({ type: type('feeds.changed'), number }),
  /** A machine of the farm came, went, fell silent, or does something else: `GET /api/machines` has them. */
  z.object({ type: type('machines.changed'), number }),
  /**
   * A webhook delivery changed, or the test receiver: `GET /api/projects/ID/deliveries` and `/api/webhook-receiver`.
   */
  z.object({ type: type('webhooks.changed'), number }),
  /** A font was added or removed: `GET /api/fonts` has them. These templates look different now. */
  z.object({ type: type('fonts.changed'), templates: z.array(z.string()), number }),
  /** The public API has answered a request. */
  z.object({ type: type('api.request'), entry: requestEntry, number }),
]);
/** One event of the stream. */
export type ServerEvent = Of<typeof serverEvent>;

/** What happened, without its number. */
export type ServerEventBody =
  Exclude<ServerEvent, { type: 'hello' }> extends infer One
    ? One extends unknown
      ? Omit<One, 'number'>
      : never
    : never;
