/**
 * What the window does with renders beyond the public API: the list, cancelling, rendering again, moving, removing, and
 * the request, log and webhook deliveries of one. Below `/api`, behind the window's token.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import type { Router } from 'express';
import { mostRemoved, renderRows, type WindowRender, isFinal } from '../../shared/api/renders.ts';
import { ApiError } from '../../shared/errors.ts';
import { sendAnswer, sendParts } from '../api/answer.ts';
import { largeJsonBody } from '../api/body.ts';
import { renderRecord } from '../api/serialize.ts';
import { createRender, createRenderAgain } from '../jobs/create-render.ts';
import { answerParts, type JsonText } from '../system/json-text.ts';
import { inProject } from '../api/project.ts';
import type { ServerServices } from '../services.ts';
import type { StoredRender } from '../store/render-record.ts';
import { sent, serveRows } from './rows.ts';
import { windowRender } from './view.ts';

/** Routes below `/api`. */
export function renderWindowRoutes(services: ServerServices): Router {
  const { events, store } = services;
  const { queue } = services.work;
  const { lastFrames } = services.library;
  const { renderLogs } = services.run;
  const { renders, deliveries, templates } = store;
  const sure = (id: string): StoredRender => {
    const render = renders.find(id);
    if (!render) throw new ApiError('render_not_found', { id });
    return render;
  };

  const remove = largeJsonBody(services.desk, { names: ['ids'], lists: { ids: mostRemoved } });
  return serveRows(
    renderRows,
    {
      list: async ({ response }) => {
        // The number first: an event that arrives while the list is made is sent again, which is harmless.
        const eventNumber = events.number;
        response.type('json');
        try {
          await pipeline(Readable.from(listText(services, eventNumber)), response);
        } catch (error) {
          // A window closed meanwhile is no error.
          if (!response.destroyed || response.errored) throw error;
        }
        return sent;
      },
      create: async ({ params: { id } }) => {
        const project = inProject(services, templates.find(id)?.project ?? '');
        const { render } = await createRender(project, { origin: { templateId: id }, request: {} });
        return windowRender(render, services);
      },
      record: async ({ params: { id }, response }) => {
        const whole = await renders.withRequest(sure(id));
        sendAnswer(response.type('json'), renderRecord(whole, services.address.apiUrl()));
        return sent;
      },
      cancel: async ({ params: { id } }) => {
        await queue.cancel(id);
        return windowRender(sure(id), services);
      },
      again: async ({ params: { id } }) => {
        const project = inProject(services, renders.find(id)?.project ?? '');
        const { render } = await createRenderAgain(project, id);
        return windowRender(render, services);
      },
      move: async ({ params: { id }, body: { before } }) => {
        await queue.move(id, before);
        return windowRender(sure(id), services);
      },
      keep: async ({ params: { id }, body: { kept } }) => {
        return windowRender(await keep(services, sure(id).id, kept), services);
      },
      picture: async ({ params, response }) => {
        const { id } = sure(params.id);
        const picture = queue.pictureOf(id) ?? (await lastFrames.read(id));
        if (picture) response.type('jpg').send(picture);
        else response.status(204).end();
      },
      request: async ({ params: { id }, response }) => {
        const render = sure(id);
        const source = await renders.readSource(render.id);
        const asked = await renders.withRequest(render);
        // A StoredRequest with parts that may be long.
        const wire = answerParts(wireRequest(asked, source));
        const parts = ['{"request":', ...wire, ',"source":', source?.content ?? 'null', '}'];
        sendParts(response.type('json'), parts);
        return sent;
      },
      log: ({ params: { id } }) => renderLogs.linesOf(sure(id).id),
      deliveries: ({ params }) => {
        const { id } = sure(params.id);
        return deliveries.list().filter(({ render }) => render === id);
      },
      remove: async ({ body: { ids } }) => ({ removed: await removeEnded(services, ids) }),
    },
    { remove },
  );
}

/** Keeps a render beyond its time, or gives it its time anew. */
async function keep(
  { store, events, clock }: ServerServices,
  id: string,
  kept: boolean,
): Promise<StoredRender> {
  const render = await store.renders.change(id, (one) =>
    kept ? { ...one, kept } : { ...one, kept, freedAt: clock.now() },
  );
  if (!render) throw new ApiError('render_not_found', { id });
  events.emit({ type: 'render.updated', render });
  return render;
}

/** Removes renders that have ended, with their files. @returns the IDs of those that are gone now */
async function removeEnded(
  { store, library, events }: ServerServices,
  ids: readonly string[],
): Promise<string[]> {
  const removed: string[] = [];
  for (const id of ids) {
    const render = store.renders.find(id);
    if (!render || !isFinal(render.status)) continue;
    await library.files.remove(render);
    await store.renders.remove(id);
    // After the render: otherwise a crash in between would send it again.
    if (render.event) await store.deliveries.remove(render.event.id);
    events.emit({ type: 'render.removed', id });
    removed.push(id);
  }
  return removed;
}

/** Renders in a piece of the list: some milliseconds of work, then others get their turn. */
const pieceLength = 200;

/** The JSON of a `RenderList`, in pieces: all renders of a full store at once would block everyone. */
async function* listText(services: ServerServices, eventNumber: number): AsyncGenerator<string> {
  let piece: WindowRender[] = [];
  let before = `{"eventNumber":${eventNumber},"renders":[`;
  const { work, library, store } = services;
  // Looked up once, not for every render.
  const url = services.address.apiUrl();
  const given = { work, library, address: { apiUrl: () => url } };
  for (const render of store.renders.each()) {
    piece.push(windowRender(render, given));
    if (piece.length < pieceLength) continue;
    yield `${before}${listed(piece)}`;
    [piece, before] = [[], ','];
    await setImmediate();
  }
  // A comma only if something follows.
  const isFirst = before !== ',';
  yield `${isFirst || piece.length > 0 ? before : ''}${listed(piece)}]}`;
}

/** What stands between the brackets of a list. */
const listed = (piece: readonly WindowRender[]): string => JSON.stringify(piece).slice(1, -1);

/**
 * The request in the public API's words. A template's render names the template; others, including drafts' renders,
 * contain the document.
 */
function wireRequest(
  { request, outputFormat }: StoredRender,
  source: JsonText | null,
): Readonly<Record<string, unknown>> {
  const { template, modifications, renderScale, maxWidth, maxHeight, webhookUrl, metadata } =
    request;
  return {
    ...(template && template.isDraft !== true
      ? { template_id: template.id, output_format: outputFormat }
      : { ...(source && { source }) }),
    ...(modifications && { modifications }),
    ...(renderScale !== undefined && { render_scale: renderScale }),
    ...(maxWidth !== undefined && { max_width: maxWidth }),
    ...(maxHeight !== undefined && { max_height: maxHeight }),
    ...(webhookUrl !== undefined && { webhook_url: webhookUrl }),
    ...(metadata !== undefined && { metadata }),
  };
}
