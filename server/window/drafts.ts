/**
 * The editor's private path: a template with its document and draft, saving with a check for others' changes, and
 * renders requested as in the public API.
 */
import type { Router } from 'express';
import { editorRows, type OpenedTemplate, type SaveAnswer } from '../../shared/api/editor.ts';
import { ApiError } from '../../shared/errors.ts';
import { isJsonObject } from '../../shared/renderscript/source.ts';
import { sendAnswer } from '../api/answer.ts';
import { bodyOf, bytesOf, jsonBytes, largeJsonBody } from '../api/body.ts';
import { answerCreate, createBody } from '../api/renders.ts';
import type { DraftFiles } from './draft-files.ts';
import { asText, type JsonText } from '../system/json-text.ts';
import { inProject } from '../api/project.ts';
import type { ServerServices } from '../services.ts';
import type { StoredTemplate } from '../store/template-record.ts';
import { sent, serveRows } from './rows.ts';
import { windowTemplate } from './view.ts';

/** Routes below `/api`. */
export function editorRoutes(services: ServerServices, drafts: DraftFiles): Router {
  const { store, events, clock, desk } = services;
  const { previews } = services.pending;
  const found = (id: string): StoredTemplate => {
    const template = store.templates.find(id);
    if (!template) throw new ApiError('template_not_found', { id });
    return template;
  };
  const readers = {
    save: largeJsonBody(desk, { names: Object.keys(editorRows.save.body.shape) }),
    keepDraft: jsonBytes,
    render: createBody(desk),
  };

  return serveRows(
    editorRows,
    {
      open: async ({ params: { id }, response }) => {
        // The page will soon ask for the first picture.
        previews.wake();
        const template = found(id);
        const opened: Record<keyof OpenedTemplate, unknown> = {
          template: windowTemplate(template),
          source: await store.templates.readDocument(template),
          markers: template.markers,
          draft: await drafts.read(template.id),
        };
        sendAnswer(response.type('json'), opened);
        return sent;
      },
      save: async ({ params: { id }, body: { base, ...change }, response }) => {
        const template = await store.templates.change(id, change, base);
        if (!template) {
          // Someone else's change came first, or it is gone.
          const theirs = found(id);
          const source = await store.templates.readDocument(theirs);
          sendAnswer(response.type('json'), saveAnswer(theirs, source, true));
          return sent;
        }
        events.emit({ type: 'template.updated', template });
        await drafts.remove(id);
        sendAnswer(response.type('json'), saveAnswer(template, asText(change.source), false));
        return sent;
      },
      keepDraft: async ({ params, request }) => {
        const { id } = found(params.id);
        await drafts.write(id, await desk.draftText(bytesOf(request.body), clock.now()));
      },
      dropDraft: ({ params: { id } }) => drafts.remove(found(id).id),
      render: async ({ params: { id }, query: { name }, request, response }) => {
        const template = found(id);
        const project = inProject(services, template.project);
        const { source, ...body } = bodyOf(request);
        if (!isJsonObject(source) || body.template_id !== undefined) {
          await answerCreate(project, bodyOf(request), services.address.apiUrl(), response);
          return sent;
        }
        // An unsaved document: the render still belongs to its template.
        const draft = draftOf({ ...template, name: name ?? template.name }, asText(source));
        const templates = { ...project.templates, find: () => draft };
        const order = { ...body, template_id: template.id };
        await answerCreate({ ...project, templates }, order, services.address.apiUrl(), response);
        return sent;
      },
    },
    readers,
  );
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
