/**
 * The editor's private path: a template with its document and draft, saving with a check for others' changes, and
 * renders requested as in the public API.
 */
import { Router } from 'express';
import { z } from 'zod';
import { ApiError } from '../../shared/errors.ts';
import { requestLimits as limits } from '../../shared/limits.ts';
import type { OpenedTemplate, SaveAnswer } from '../../shared/preview.ts';
import { isJsonObject, type JsonObject } from '../../shared/renderscript/source.ts';
import { sendAnswer } from '../api/answer.ts';
import { bodyOf, bytesOf, jsonBytes, largeJsonBody } from '../api/body.ts';
import { answerCreate, createBody } from '../api/renders.ts';
import type { DraftFiles } from './draft-files.ts';
import { asText, type JsonText } from '../system/json-text.ts';
import { parseParameters } from '../system/parameters.ts';
import { inProject } from '../api/project.ts';
import type { ServerServices } from '../services.ts';
import { markerList } from '../store/markers.ts';
import type { StoredTemplate } from '../store/template-record.ts';
import { windowTemplate } from './view.ts';

const words = {
  name: `a string of 1 to ${limits.nameLength} characters`,
  tags: `an array of at most ${limits.tags} strings of 1 to ${limits.tagLength} characters`,
  source: 'a RenderScript object',
  base: 'the time of the change that was edited, or null',
};

const name = z.string(words.name).min(1, words.name).max(limits.nameLength, words.name);
const tags = z
  .array(z.string(words.tags).min(1, words.tags).max(limits.tagLength, words.tags), words.tags)
  .max(limits.tags, words.tags);
const saved = z.object({
  name,
  tags,
  source: z.custom<JsonObject | JsonText>((value) => isJsonObject(value), words.source),
  base: z.number(words.base).nullable(),
  /** Left out: as they are. */
  markers: markerList.exactOptional(),
});

/** Routes below `/api/editor`. */
export function editorRoutes(services: ServerServices, drafts: DraftFiles): Router {
  const { store, events, clock } = services;
  const routes = Router({ caseSensitive: true });
  const found = (id: string): StoredTemplate => {
    const template = store.templates.find(id);
    if (!template) throw new ApiError('template_not_found', { id });
    return template;
  };

  routes.get('/:id', async (request, response) => {
    const template = found(request.params.id);
    const opened: Record<keyof OpenedTemplate, unknown> = {
      template: windowTemplate(template),
      source: await store.templates.readDocument(template),
      markers: template.markers,
      draft: await drafts.read(template.id),
    };
    sendAnswer(response.type('json'), opened);
  });

  routes.put('/:id', largeJsonBody(services.desk, { names: Object.keys(saved.shape) }));
  routes.put('/:id', async (request, response) => {
    const { id } = request.params;
    const { base, ...change } = parseParameters(saved, bodyOf(request));
    const template = await store.templates.change(id, change, base);
    if (!template) {
      // Someone else's change came first, or it is gone.
      const theirs = found(id);
      const source = await store.templates.readDocument(theirs);
      sendAnswer(response.type('json'), saveAnswer(theirs, source, true));
      return;
    }
    events.emit({ type: 'template.updated', template });
    await drafts.remove(id);
    sendAnswer(response.type('json'), saveAnswer(template, asText(change.source), false));
  });

  routes.put('/:id/draft', jsonBytes);
  routes.put('/:id/draft', async (request, response) => {
    const { id } = found(request.params.id);
    await drafts.write(id, await services.desk.draftText(bytesOf(request.body), clock.now()));
    response.status(204).end();
  });

  routes.delete('/:id/draft', async (request, response) => {
    await drafts.remove(found(request.params.id).id);
    response.status(204).end();
  });

  // The body is the public API's: what "Copy as cURL" copies is what the window sends.
  routes.post('/:id/renders', createBody(services.desk));
  routes.post('/:id/renders', async (request, response) => {
    const template = found(request.params.id);
    const project = inProject(services, template.project);
    const { source, ...body } = bodyOf(request);
    if (!isJsonObject(source) || body.template_id !== undefined) {
      await answerCreate(project, bodyOf(request), services.apiUrl(), response);
      return;
    }
    // An unsaved document: the render still belongs to its template.
    const draft = draftOf(template, asText(source));
    const templates = { ...project.templates, find: () => draft };
    const order = { ...body, template_id: template.id };
    await answerCreate({ ...project, templates }, order, services.apiUrl(), response);
  });

  return routes;
}

/** A template in the editor. */
function draftOf(
  { id, project, name, tags, createdAt, updatedAt, markers }: StoredTemplate,
  document: JsonText,
): StoredTemplate {
  return { id, project, name, tags, createdAt, updatedAt, markers, document, isDraft: true };
}

function saveAnswer(
  template: StoredTemplate,
  source: JsonText,
  conflict: boolean,
): Record<keyof SaveAnswer, unknown> {
  return { conflict, template: windowTemplate(template), source, markers: template.markers };
}
