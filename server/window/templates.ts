/**
 * Templates in the window: list, make, rename, duplicate, picture, and the Trash. Below `/api`, behind the window's
 * token. Documents are opened and saved by the editor's own routes (drafts.ts).
 */
import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import { z } from 'zod';
import type { TemplateList, TrashedTemplate } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import { pictureType } from '../../shared/preview.ts';
import { requestLimits as limits } from '../../shared/limits.ts';
import { isJsonObject, type JsonObject } from '../../shared/renderscript/source.ts';
import { bodyOf, jsonBody, largeJsonBody } from '../api/body.ts';
import { createRender } from '../jobs/create-render.ts';
import type { JsonText } from '../system/json-text.ts';
import { describeError } from '../system/log.ts';
import { markerList } from '../store/markers.ts';
import { parseParameters } from '../system/parameters.ts';
import { inProject } from '../api/project.ts';
import { goneAt, restoreTemplate } from '../api/templates.ts';
import type { ServerServices } from '../services.ts';
import type { StoredTemplate } from '../store/template-record.ts';
import type { NewTemplate } from '../store/templates.ts';
import { learnLong, learnShort } from './template-facts.ts';
import type { Thumbnails } from './thumbnails.ts';
import { windowRender, windowTemplate } from './view.ts';

const words = {
  name: `a string of 1 to ${limits.nameLength} characters`,
  tags: `an array of at most ${limits.tags} strings of 1 to ${limits.tagLength} characters`,
  source: 'a RenderScript object',
  project: 'the ID of a project',
  id: 'a UUID',
};
const name = z.string(words.name).min(1, words.name).max(limits.nameLength, words.name);
const tags = z
  .array(z.string(words.tags).min(1, words.tags).max(limits.tagLength, words.tags), words.tags)
  .max(limits.tags, words.tags);
const newTemplate = z.object({
  project: z.string(words.project),
  name,
  tags: tags.default([]),
  source: z.custom<JsonObject | JsonText>((value) => isJsonObject(value), words.source),
  markers: markerList.exactOptional(),
  /** Of an imported file; replaced by a new one if it is taken. */
  id: z.guid(words.id).exactOptional(),
});
const change = z.object({ name: name.exactOptional(), tags: tags.exactOptional() });

/** Routes below `/api`. */
export function templateWindowRoutes(services: ServerServices, thumbnails: Thumbnails): Router {
  const { store, events } = services;
  const { templates, projects } = store;
  const routes = Router({ caseSensitive: true });
  const sure = (template: StoredTemplate | null, id: string): StoredTemplate => {
    if (!template) throw new ApiError('template_not_found', { id });
    return template;
  };
  const insert = async (
    project: string,
    given: NewTemplate,
    id?: string,
  ): Promise<StoredTemplate> => {
    const kept = id && (await templates.insertNew(project, id.toLowerCase(), given));
    const template = kept || (await templates.insert(project, randomUUID(), given));
    events.emit({ type: 'template.created', template });
    return template;
  };

  let learning: Promise<void> | null = null;
  /** Lists don't wait for the facts of long documents: events report them as they come. */
  const learn = (): void => {
    learning ??= learnLong(templates, services.desk, (template) =>
      events.emit({ type: 'template.updated', template }),
    )
      .catch((error: unknown) => services.log('warning', 'templates', describeError(error)))
      .finally(() => (learning = null));
  };
  // Most are then known by the time a window asks.
  void learnShort(templates.list()).then(learn);

  routes.get('/templates', async (_request, response) => {
    const eventNumber = events.number;
    const list = templates.list();
    await learnShort(list);
    learn();
    response.json({ templates: list.map(windowTemplate), eventNumber } satisfies TemplateList);
  });

  const newBody = largeJsonBody(services.desk, { names: Object.keys(newTemplate.shape) });
  routes.post('/templates', newBody, async (request, response) => {
    const { project, id, ...given } = parseParameters(newTemplate, bodyOf(request));
    if (!projects.find(project)) throw new ApiError('project_not_found', { id: project });
    response.status(201).json(windowTemplate(await insert(project, given, id)));
  });

  routes.post('/templates/:id/duplicate', jsonBody);
  routes.post('/templates/:id/duplicate', async (request, response) => {
    const { id } = request.params;
    const given = parseParameters(z.object({ name }), bodyOf(request));
    const template = sure(templates.find(id), id);
    const { project, tags: same, markers } = template;
    const source = await templates.readDocument(template);
    const copy = await insert(project, { name: given.name, tags: same, source, markers });
    response.status(201).json(windowTemplate(copy));
  });

  routes.patch('/templates/:id', jsonBody);
  routes.patch('/templates/:id', async (request, response) => {
    const { id } = request.params;
    const given = parseParameters(change, bodyOf(request));
    const template = sure(await templates.change(id, given), id);
    events.emit({ type: 'template.updated', template });
    response.json(windowTemplate(template));
  });

  routes.delete('/templates/:id', async (request, response) => {
    const { id } = request.params;
    if (!(await templates.remove(id))) throw new ApiError('template_not_found', { id });
    events.emit({ type: 'template.removed', id });
    response.status(204).end();
  });

  /** A picture drawn by the engine; 204 if there is none. */
  routes.get('/templates/:id/picture', async (request, response) => {
    const { id } = request.params;
    const trashed = templates.listDeleted().find((one) => one.id === id);
    const waiting = new AbortController();
    response.once('close', () => waiting.abort());
    const template = sure(templates.find(id) ?? trashed ?? null, id);
    const picture = await thumbnails.of(template, waiting.signal);
    if (waiting.signal.aborted) return;
    if (picture) response.type(pictureType(picture.toString('base64', 0, 6))).send(picture);
    else response.status(204).end();
  });

  routes.post('/templates/:id/render', async (request, response) => {
    const { id } = request.params;
    const project = inProject(services, templates.find(id)?.project ?? '');
    const { render } = await createRender(project, { origin: { templateId: id }, request: {} });
    response.status(202).json(windowRender(render, services));
  });

  trashRoutes(routes, services);
  return routes;
}

function trashRoutes(routes: Router, { store, events }: ServerServices): void {
  const { templates } = store;

  routes.get('/deleted-templates', (_request, response) => {
    response.json(
      templates.listDeleted().map((template) => ({
        ...windowTemplate(template),
        deletedAt: template.deletedAt,
        goneAt: goneAt(template),
      })) satisfies TrashedTemplate[],
    );
  });

  routes.post('/deleted-templates/:id/restore', async (request, response) => {
    const { id } = request.params;
    response.json(windowTemplate(await restoreTemplate({ templates, events }, id)));
  });

  /** Permanently. */
  routes.delete('/deleted-templates/:id', async (request, response) => {
    const { id } = request.params;
    if (!templates.listDeleted().some((template) => template.id === id)) {
      throw new ApiError('template_not_found', { id });
    }
    await templates.purge(id);
    // Emitted again, so that other windows reload the Trash.
    events.emit({ type: 'template.removed', id });
    response.status(204).end();
  });
}
