/**
 * What the window does with renders beyond the public API: the list, cancelling, rendering again, moving, removing, and
 * what was asked, logged and told about one. Below `/api`, behind the window's token.
 */
import { Router } from 'express';
import { z } from 'zod';
import {
  isFinal,
  type DeliveryRecord,
  type RenderList,
  type StoredRequest,
} from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import { bodyOf, jsonBody, parseParameters } from '../api/body.ts';
import { createRenderAgain } from '../jobs/create-render.ts';
import { answerText, JsonText } from '../json-text.ts';
import { inProject, type ServerServices } from '../services.ts';
import type { StoredRender } from '../store/renders.ts';
import { windowRender } from './view.ts';

/** Twice as many as a store is made for. */
const mostRemoved = 100_000;
const idList = `an array of at most ${mostRemoved} IDs of renders`;
const removal = z.object({ ids: z.array(z.string(idList), idList).max(mostRemoved, idList) });

/** Routes below `/api`. */
export function renderWindowRoutes(services: ServerServices): Router {
  const { queue, events: bus, store, files, lastFrames, renderLogs } = services;
  const { renders, deliveries } = store;
  const routes = Router({ caseSensitive: true });
  const sure = (id: string): StoredRender => {
    const render = renders.find(id);
    if (!render) throw new ApiError('render_not_found', { id });
    return render;
  };

  routes.get('/renders', (_request, response) => {
    // The number first: an event that arrives while the list is made is told again, which is harmless.
    const eventNumber = bus.number;
    const list = renders.list().map((render) => windowRender(render, services));
    // Not as `json()` does, which also makes a hash of these megabytes that nobody asks for.
    response.type('json').end(JSON.stringify({ renders: list, eventNumber } satisfies RenderList));
  });

  routes.post('/renders/:id/cancel', async (request, response) => {
    const { id } = request.params;
    await queue.cancel(id);
    response.json(windowRender(sure(id), services));
  });

  routes.post('/renders/:id/again', async (request, response) => {
    const { id } = request.params;
    const project = inProject(services, renders.find(id)?.project ?? '');
    const { render } = await createRenderAgain(project, id);
    response.status(202).json(windowRender(render, services));
  });

  /** The frame drawn last, of a running render or a failed one; without a body while there is none. */
  routes.get('/renders/:id/picture', async (request, response) => {
    const { id } = sure(request.params.id);
    const picture = queue.pictureOf(id) ?? (await lastFrames.read(id));
    if (picture) response.type('jpg').send(picture);
    else response.status(204).end();
  });

  routes.get('/renders/:id/request', async (request, response) => {
    const render = sure(request.params.id);
    const source = await renders.readSource(render.id);
    const asked = await renders.withRequest(render);
    const wire = new JsonText(answerText(wireRequest(asked, source)));
    const answer: Record<keyof StoredRequest, JsonText | null> = { request: wire, source };
    response.type('json').send(answerText(answer));
  });

  routes.get('/renders/:id/log', (request, response) => {
    response.json(renderLogs.linesOf(sure(request.params.id).id));
  });

  routes.get('/renders/:id/deliveries', (request, response) => {
    const { id } = sure(request.params.id);
    const told = deliveries.list().filter(({ render }) => render === id);
    response.json(told satisfies DeliveryRecord[]);
  });

  /** Record, document and file go. What has not ended is left alone; the answer names what went. */
  routes.post('/renders/remove', jsonBody, async (request, response) => {
    const { ids } = parseParameters(removal, bodyOf(request));
    const removed: string[] = [];
    for (const id of ids) {
      const render = renders.find(id);
      if (!render || !isFinal(render.status)) continue;
      await files.remove(render);
      await renders.remove(id);
      // After the render: the other way round a crash in between would have it told again.
      if (render.event) await deliveries.remove(render.event.id);
      bus.emit({ type: 'render.removed', id });
      removed.push(id);
    }
    response.json({ removed });
  });

  return routes;
}

/** The request in the public API's words. A render of a template names it; others, those of drafts too, carry the document. */
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
