/** The editor's requests about its open template. Window only. */
import type { DryRun } from '../../../shared/api.ts';
import {
  editorRows,
  type Draft,
  type OpenedTemplate,
  type SaveAnswer,
  type SaveRequest,
} from '../../../shared/api/editor.ts';
import type { JsonObject } from '../../../shared/renderscript/source.ts';
import { say } from '../../ui/say.ts';
import { RequestProblem } from './api.ts';
import { call } from './call.ts';

/** The stored template, and its draft if there is one. */
export const openTemplate = (id: string): Promise<OpenedTemplate> =>
  call(editorRows.open, { params: { id } });

/** Saves, unless someone else did since. */
export const saveTemplate = (id: string, body: SaveRequest): Promise<SaveAnswer> =>
  call(editorRows.save, { params: { id }, body });

/** Stores unsaved changes as a draft. */
export const keepDraft = (id: string, body: Omit<Draft, 'savedAt'>): Promise<undefined> =>
  call(editorRows.keepDraft, { params: { id }, body });

/** Deletes the draft. */
export const dropDraft = (id: string): Promise<undefined> =>
  call(editorRows.dropDraft, { params: { id } });

/** What a render request would say. */
export async function tryRender(id: string, body: JsonObject): Promise<DryRun> {
  const row = editorRows.render;
  const answer = await call(row, { params: { id }, query: {}, body: { ...body, dry_run: true } });
  if ('valid' in answer) return answer;
  throw new RequestProblem(say('problem.answer'));
}

/** Puts a render into the queue; the body is the public API's. */
export async function queueRender(
  id: string,
  body: JsonObject,
  name?: string,
): Promise<{ readonly id: string }> {
  const query = name === undefined ? {} : { name };
  const answer = await call(editorRows.render, { params: { id }, query, body });
  if ('id' in answer) return answer;
  throw new RequestProblem(say('problem.answer'));
}
