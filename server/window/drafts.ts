/**
 * The editor's private path: a template with its document and draft, saving with a check for others' changes, and
 * renders requested as in the public API.
 */
import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Response, Router } from 'express';
import * as z from 'zod/mini';
import {
  draft as draftForm,
  editorRows,
  type OpenedTemplate,
  type SaveAnswer,
} from '../../shared/api/editor.ts';
import type { Of } from '../../shared/api/row.ts';
import { ApiError } from '../../shared/errors.ts';
import type { HandedOver } from '../../shared/handover.ts';
import { isJsonObject } from '../../shared/renderscript/source.ts';
import { sendAnswer } from '../api/answer.ts';
import { bodyOf, bytesOf, jsonBytes, largeJsonBody } from '../api/body.ts';
import { refuseErrors } from '../api/previews.ts';
import { answerCreate, createBody } from '../api/renders.ts';
import { asText, JsonText } from '../system/json-text.ts';
import { inProject } from '../api/project.ts';
import type { ServerServices } from '../services.ts';
import type { StoredTemplate } from '../store/template-record.ts';
import type { IdleRenders, OpenDocument } from '../jobs/worker/idle-renders.ts';
import { sent, serveRows } from './rows.ts';
import { windowTemplate } from './view.ts';
import { describeError, type Log } from '../system/log.ts';
import { isEnclosed, readWhole, writeWhole } from '../store/files.ts';

/** Routes below `/api`. */
export function editorRoutes(
  services: ServerServices,
  drafts: DraftFiles,
  idleRenders: Pick<IdleRenders, 'note'>,
): Router {
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
    handOver: largeJsonBody(desk, { names: Object.keys(editorRows.handOver.body.shape) }),
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
        idleRenders.note(openDocument(services, drafts, template));
        sendAnswer(response.type('json'), saveAnswer(template, asText(change.source), false));
        return sent;
      },
      keepDraft: async ({ params, request }) => {
        const template = found(params.id);
        await drafts.write(template.id, await desk.draftText(bytesOf(request.body), clock.now()));
        idleRenders.note(openDocument(services, drafts, template));
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
      handOver: ({ params: { id }, body, response }) =>
        handOver(services, found(id).project, body, response),
    },
    readers,
  );
}

/** Letters: what is longer would hold up the API while it is answered. */
const longestExport = 1_000_000;

/** What is typed as a file for other programs. @throws ApiError `document_wrong`, `export_failed`, `busy` */
async function handOver(
  { desk, pending: { checks } }: Pick<ServerServices, 'desk' | 'pending'>,
  project: string,
  { source, markers, ...rest }: Of<typeof editorRows.handOver.body>,
  response: Response,
): Promise<HandedOver> {
  const order = { source: asText(source), scaling: {}, hints: false };
  const { text, problems } = await desk.prepare(order, project);
  refuseErrors(problems);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  // Words are heard where the editor shows them, not while someone waits for a file.
  const own = { transcribes: false, longest: longestExport };
  const question = { ...rest, ...own, source: text, markers: [...markers] };
  return checks.handOver(question, project, gone.signal);
}

/** A template as it is in the editor: its newest draft, or what is stored. */
function openDocument(
  { store, desk }: Pick<ServerServices, 'store' | 'desk'>,
  drafts: DraftFiles,
  { id, project }: StoredTemplate,
): OpenDocument {
  return {
    project,
    async read() {
      const template = store.templates.find(id);
      if (!template) return null;
      const typed = typedIn(await drafts.read(id));
      const source = typed ?? (await store.templates.readDocument(template));
      // What is typed may be no JSON yet.
      const prepared = await desk
        .prepare({ source, scaling: {}, hints: false }, project)
        .catch(() => null);
      if (!prepared) return null;
      const { text, problems } = prepared;
      return problems.some(({ severity }) => severity === 'error') ? null : text;
    },
  };
}

/** The document of a draft as it was typed; null: there is none, or it is long, and what is stored is near enough. */
function typedIn(draft: JsonText | null): JsonText | null {
  return draft?.isShort ? new JsonText(z.parse(draftForm, draft.value).text) : null;
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

// Drafts: unsaved changes to templates, one file each. Written whole or not at all, so that a crash only loses what
// came after the last one.

/** Drafts by the ID of their template. */
interface DraftFiles {
  /** A `Draft`; null if there is none or it can't be read (a long one is not parsed to find out). */
  read(id: string): Promise<JsonText | null>;
  /** @param draft JSON of a `Draft`. @throws ApiError `cannot_save`. */
  write(id: string, draft: Uint8Array): Promise<void>;
  /** A draft that can't be removed is logged; it would only be offered once more. */
  remove(id: string): Promise<void>;
}

/** Drafts below a folder, which the first one creates. */
export function createDraftFiles(folder: string, log: Log): DraftFiles {
  // IDs come from requests; a digest of them is always a file name.
  const fileOf = (id: string): string =>
    path.join(folder, `${createHash('sha256').update(id).digest('hex').slice(0, 40)}.json`);
  /** The last write or removal of each, to keep them in order. */
  const last = new Map<string, Promise<void>>();
  const inTurn = (id: string, work: () => Promise<void>): Promise<void> => {
    const turn = (last.get(id) ?? Promise.resolve()).then(work, work);
    last.set(id, turn);
    const forget = (): void => {
      if (last.get(id) === turn) last.delete(id);
    };
    turn.then(forget, forget);
    return turn;
  };
  return {
    async read(id) {
      try {
        const bytes = await readWhole(fileOf(id));
        const draft = new JsonText(bytes);
        if (draft.isShort) z.parse(draftForm, draft.value);
        return isEnclosed(bytes) ? draft : null;
      } catch {
        return null;
      }
    },
    async write(id, draft) {
      try {
        await inTurn(id, async () => {
          await mkdir(folder, { recursive: true });
          await writeWhole(fileOf(id), draft);
        });
      } catch (error) {
        log('error', 'drafts', describeError(error));
        throw new ApiError('cannot_save', { reason: 'the draft could not be written' });
      }
    },
    async remove(id) {
      await inTurn(id, () => rm(fileOf(id), { force: true })).catch((error: unknown) => {
        log('warning', 'drafts', describeError(error));
      });
    },
  };
}
