/**
 * The only place where a render changes its state. Each change is on the disk before anyone hears of it, and the two
 * final states are final.
 */
import { isFinal, type RenderStatus } from '../../shared/api.ts';
import { describeError, type Log } from '../system/log.ts';
import type { ProjectStore } from '../store/projects.ts';
import type { StoredRender } from '../store/render-record.ts';
import type { RenderStore } from '../store/renders.ts';
import { chargeOf } from './credits.ts';
import type { EventBus } from './events.ts';
import { outOfMemory, sourceLost } from './worker/protocol.ts';
import type { RenderFacts } from './worker/render-protocol.ts';
import { newEvent } from './webhooks/webhooks.ts';

/** What `error_message` says. */
export const failures = {
  cancelled: 'Render error: Cancelled',
  died: 'Render error: The renderer stopped unexpectedly 3 times while working on this render',
  silent: 'Render error: The renderer stopped responding',
  stuck: 'Render error: The renderer stopped responding',
  frameless: 'Render error: No progress for 2 minutes',
  idle: 'Render error: No progress for 10 minutes',
  overtime: 'Render error: The render took longer than 6 hours',
  memory: outOfMemory,
  sourceLost,
} as const;

/** Why a render ends without a file. */
export interface Failure {
  readonly message: string;
  /** Where in the document, e.g. `elements[2].source`. */
  readonly path?: string | undefined;
  /** The name of the element there. */
  readonly element?: string | undefined;
  readonly cancelled?: boolean;
  /** The renderer was lost with each of its attempts. */
  readonly stopsRenderer?: boolean;
}

/** How a render ends whose document is known to be wrong; null for any other. */
export function sourceFailureOf({
  sourceError,
  errorPath,
  errorElement,
}: StoredRender): Failure | null {
  if (sourceError === undefined) return null;
  return { message: sourceError, path: errorPath, element: errorElement };
}

/** What status changes need, and whom they notify. */
export interface StatusContext {
  readonly renders: Pick<RenderStore, 'change'>;
  readonly events: Pick<EventBus, 'emit'>;
  readonly now: () => number;
  /** The webhook for a render's end; undefined for none. */
  readonly webhookUrlOf: (render: StoredRender) => string | undefined;
  /** Called once for every render that ends; its errors are logged. */
  readonly onEnd: (render: StoredRender) => void;
  readonly log: Log;
}

/** For `webhookUrlOf`: what the request names, else the project's. */
export function webhookUrlsOf(projects: Pick<ProjectStore, 'find'>): StatusContext['webhookUrlOf'] {
  return ({ request, project }) => request.webhookUrl ?? projects.find(project)?.webhookUrl;
}

/** Changes of state; each returns the stored render, or null if it is gone or had already ended. */
export interface RenderStatusChanges {
  /** An attempt starts: counted now, so that one that crashes the program counts too. */
  begin(id: string, first: 'waiting' | 'rendering'): Promise<StoredRender | null>;
  /** The worker has moved to another phase. */
  proceed(
    id: string,
    status: Exclude<RenderStatus, 'planned' | 'succeeded' | 'failed'>,
  ): Promise<StoredRender | null>;
  /** Back into the queue; `counted` false takes the attempt back (the program ends, not the render's fault). */
  putBack(id: string, counted: boolean): Promise<StoredRender | null>;
  /** @param stored Where its files are in storage; undefined without one. */
  succeed(
    id: string,
    facts: RenderFacts,
    stored?: StoredRender['stored'],
  ): Promise<StoredRender | null>;
  fail(id: string, failure: Failure): Promise<StoredRender | null>;
}

/** See RenderStatusChanges. All of them throw ApiError `cannot_save` when the disk refuses. */
export function createStatusChanges(context: StatusContext): RenderStatusChanges {
  const { renders, events, now, onEnd, log } = context;

  async function change(
    id: string,
    make: (render: StoredRender) => StoredRender | null,
  ): Promise<StoredRender | null> {
    const render = await renders.change(id, (found) => {
      const made = isFinal(found.status) ? null : make(found);
      if (!made || !isFinal(made.status)) return made;
      const url = context.webhookUrlOf(made);
      return url === undefined ? made : { ...made, event: newEvent(url) };
    });
    if (!render) return null;
    events.emit({ type: 'render.updated', render });
    if (isFinal(render.status)) tellEnd(render);
    return render;
  }

  /** The end is stored: no later error may suggest otherwise. */
  function tellEnd(render: StoredRender): void {
    try {
      onEnd(render);
    } catch (error) {
      log(
        'error',
        'queue',
        `the end of render ${render.id} was told in vain: ${describeError(error)}`,
      );
    }
  }

  return {
    begin: (id, first) =>
      change(id, (render) => ({
        ...render,
        status: first,
        attempts: render.attempts + 1,
        startedAt: now(),
      })),
    proceed: (id, status) =>
      change(id, (render) => (render.status === status ? null : { ...render, status })),
    putBack: (id, counted) =>
      change(id, (render) => ({
        ...render,
        status: 'planned',
        attempts: counted ? render.attempts : Math.max(0, render.attempts - 1),
      })),
    succeed: (id, facts, stored) =>
      change(id, (render) => ({
        ...render,
        status: 'succeeded',
        finishedAt: now(),
        facts,
        ...(stored && { stored }),
        credits: chargeOf(render, facts),
      })),
    fail: (id, { message, path, element, cancelled = false, stopsRenderer = false }) =>
      change(id, (render) => ({
        ...render,
        status: 'failed',
        credits: 0,
        finishedAt: now(),
        errorMessage: message,
        ...(path !== undefined && { errorPath: path }),
        ...(element !== undefined && element !== '' && { errorElement: element }),
        ...(cancelled && { cancelled }),
        ...(stopsRenderer && { rendererStops: render.attempts }),
      })),
  };
}
