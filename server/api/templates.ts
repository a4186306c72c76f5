/** Templates over HTTP: create, list, read, change, delete, restore. The records are in store/. */
import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import type { z } from 'zod';
import { ApiError } from '../../shared/errors.ts';
import { requestLimits, retention } from '../../shared/limits.ts';
import { sameName } from '../../shared/renderscript/same-name.ts';
import { asText, type JsonText } from '../system/json-text.ts';
import { parseParameters, sureChange } from '../system/parameters.ts';
import type { StoredTemplate } from '../store/template-record.ts';
import type { DeletedTemplate, NewTemplate, ProjectTemplates } from '../store/templates.ts';
import { largeJsonBody } from './body.ts';
import { many, one, type Operation, projectRoutes } from './operation.ts';
import type { ProjectServices } from './project.ts';
import {
  deletedTemplateAnswer,
  fullTemplateAnswer,
  templateAnswer,
  type DeletedTemplateRecord,
  type TemplateRecord,
} from './answer-schemas.ts';
import { changeTemplateBody, createTemplateBody, listTemplatesQuery } from './request-schemas.ts';
import { formatDate, fullTemplateRecord, templateRecord } from './serialize.ts';

const route = projectRoutes('templates');

function list(
  { templates }: ProjectServices,
  { request }: { readonly request: Request },
): readonly TemplateRecord[] {
  return templates.list(wantedTags(request.query)).map(templateRecord);
}

async function readOne(
  { templates }: ProjectServices,
  { id }: { readonly id: string },
): Promise<object> {
  const template = templates.find(id.toLowerCase());
  if (!template) throw new ApiError('template_not_found', { id });
  return fullTemplateRecord(template, await templates.readDocument(template));
}

/** A stored template with its document. */
export interface WholeTemplate {
  readonly template: StoredTemplate;
  readonly source: JsonText;
}

/** Stores a new template. @throws ApiError `too_many_elements`, `template_id_taken`, `cannot_save`. */
export async function createTemplate(
  { templates, events }: ProjectServices,
  { id, ...given }: z.infer<typeof createTemplateBody> & Pick<NewTemplate, 'markers'>,
): Promise<WholeTemplate> {
  const template = await templates.insertNew((id ?? randomUUID()).toLowerCase(), {
    tags: [],
    ...given,
  });
  if (!template) throw new ApiError('template_id_taken', { id: id ?? '' });
  events.emit({ type: 'template.created', template });
  return { template, source: asText(given.source) };
}

/**
 * Changes a template.
 * @throws ApiError `too_many_elements`, `nothing_to_change`, `template_not_found`, `cannot_save`.
 */
export async function changeTemplate(
  { templates, events }: ProjectServices,
  id: string,
  given: z.infer<typeof changeTemplateBody>,
): Promise<WholeTemplate> {
  // Values before existence: a request without a change is wrong even for a missing template.
  sureChange(given, ['name', 'tags', 'source']);
  const template = await templates.change(id.toLowerCase(), given);
  if (!template) throw new ApiError('template_not_found', { id });
  events.emit({ type: 'template.updated', template });
  const source = given.source ? asText(given.source) : await templates.readDocument(template);
  return { template, source };
}

/** When a deleted template is removed for good, in ms since 1970. */
export function goneAt({ deletedAt }: DeletedTemplate): number {
  return deletedAt + retention.deletedTemplates;
}

/**
 * Takes a template out of the Trash; one that is not deleted stays as it is.
 *
 * @throws ApiError `deleted_template_not_found`, `cannot_save`.
 */
export async function restoreTemplate(
  {
    templates,
    events,
  }: {
    readonly templates: Pick<ProjectTemplates, 'find' | 'restore'>;
    readonly events: ProjectServices['events'];
  },
  id: string,
): Promise<StoredTemplate> {
  const known = templates.find(id.toLowerCase());
  if (known) return known;
  const template = await templates.restore(id.toLowerCase());
  if (!template) throw new ApiError('deleted_template_not_found', { id });
  events.emit({ type: 'template.created', template });
  return template;
}

/** The tags of `?tags=a,b`; blanks are ignored, and an empty list means no filter. */
function wantedTags(query: unknown): string[] {
  // Some clients write lists as `tags[]=a&tags[]=b`, or with numbers inside.
  const lists = Object.entries(Object(query) as Record<string, unknown>).filter(([name]) =>
    /^tags(\[\d{0,3}\])?$/.test(name),
  );
  const texts = lists.flatMap(([, value]) => {
    const { tags: given = [] } = parseParameters(listTemplatesQuery, { tags: value });
    return given;
  });
  const text = texts.join(',');
  if (text.length > requestLimits.tagQueryLength) {
    const what = `at most ${requestLimits.tagQueryLength} characters long`;
    throw new ApiError('invalid_parameter', { name: 'tags', what });
  }
  return text
    .split(',')
    .map((tag) => sameName(tag.trim()))
    .filter((tag) => tag !== '');
}

/** Reads the body of a request that writes. */
function templateBody({ desk }: ProjectServices): RequestHandler {
  return largeJsonBody(desk, { names: ['name', 'tags', 'source'] });
}

/** The routes of deleted templates; before those with an ID in their path. */
export const deletedTemplateOperations: readonly Operation[] = [
  route('GET /v2/templates/deleted', {
    id: 'listDeletedTemplates',
    summary: 'List deleted templates',
    explanation: 'All that can be restored, the last deleted first, without their documents.',
    answers: [many(200, deletedTemplateAnswer, 'The templates.')],
    refusals: [],
    answer: ({ templates }) =>
      templates.listDeleted().map((template) => ({
        ...templateRecord(template),
        deleted_at: formatDate(new Date(template.deletedAt)),
        expires_at: formatDate(new Date(goneAt(template))),
      })) satisfies DeletedTemplateRecord[],
  }),
  route('DELETE /v2/templates/deleted/{id}', {
    id: 'purgeTemplate',
    summary: 'Delete a template for good',
    explanation: 'One that was deleted before, with its earlier versions. It can not be restored.',
    answers: [{ status: 204, description: 'Deleted for good; no body.', content: null }],
    refusals: ['deleted_template_not_found', 'cannot_save'],
    answer: async ({ templates, events }, { id }) => {
      if (!(await templates.purge(id.toLowerCase())))
        throw new ApiError('deleted_template_not_found', { id });
      // Once more, so that windows load the Trash again.
      events.emit({ type: 'template.removed', id: id.toLowerCase() });
    },
  }),
  route('POST /v2/templates/{id}/restore', {
    id: 'restoreTemplate',
    summary: 'Restore a deleted template',
    explanation:
      'It comes back as it was, with its ID, its tags and its earlier versions. A template that is not deleted stays as it is.',
    answers: [one(200, fullTemplateAnswer, 'The template with its document.')],
    refusals: ['deleted_template_not_found', 'template_damaged', 'cannot_save'],
    answer: async (services, { id }) => {
      const template = await restoreTemplate(services, id);
      const source = await services.templates.readDocument(template);
      return fullTemplateRecord(template, source);
    },
  }),
];

/** The routes of templates: v2, then those for older clients. */
export const templateOperations: readonly Operation[] = [
  route('POST /v2/templates', {
    id: 'createTemplate',
    summary: 'Create a template',
    body: createTemplateBody,
    answers: [one(201, fullTemplateAnswer, 'The template with its new ID.')],
    refusals: ['too_many_elements', 'template_id_taken'],
    reader: templateBody,
    answer: async (services, { body }) => {
      const { template, source } = await createTemplate(services, body);
      return fullTemplateRecord(template, source);
    },
  }),
  route('GET /v2/templates', {
    id: 'listTemplates',
    summary: 'List templates',
    explanation: 'All templates in one answer, the newest change first, without their documents.',
    query: listTemplatesQuery,
    answers: [many(200, templateAnswer, 'The templates.')],
    refusals: ['invalid_parameter'],
    answer: list,
  }),
  route('GET /v2/templates/{id}', {
    id: 'readTemplate',
    summary: 'Read a template',
    answers: [one(200, fullTemplateAnswer, 'The template with its document.')],
    refusals: ['template_not_found', 'template_damaged'],
    answer: readOne,
  }),
  route('PATCH /v2/templates/{id}', {
    id: 'changeTemplate',
    summary: 'Change a template',
    body: changeTemplateBody,
    answers: [one(200, fullTemplateAnswer, 'The template as it is now.')],
    refusals: ['too_many_elements', 'nothing_to_change', 'template_not_found', 'template_damaged'],
    reader: templateBody,
    answer: async (services, { id, body }) => {
      const { template, source } = await changeTemplate(services, id, body);
      return fullTemplateRecord(template, source);
    },
  }),
  route('DELETE /v2/templates/{id}', {
    id: 'deleteTemplate',
    summary: 'Delete a template',
    explanation: 'It can be restored for 30 days. Its renders stay as they are.',
    answers: [{ status: 204, description: 'Deleted; no body.', content: null }],
    refusals: ['template_not_found', 'cannot_save'],
    answer: async ({ templates, events }, { id }) => {
      if (!(await templates.remove(id.toLowerCase())))
        throw new ApiError('template_not_found', { id });
      events.emit({ type: 'template.removed', id: id.toLowerCase() });
    },
  }),
  route('GET /v1/templates', {
    id: 'listTemplatesOlder',
    summary: 'List templates (for older clients)',
    query: listTemplatesQuery,
    answers: [many(200, templateAnswer, 'The same as under /v2.')],
    refusals: ['invalid_parameter'],
    answer: list,
  }),
  route('GET /v1/templates/{id}', {
    id: 'readTemplateOlder',
    summary: 'Read a template (for older clients)',
    answers: [one(200, fullTemplateAnswer, 'The same as under /v2.')],
    refusals: ['template_not_found', 'template_damaged'],
    answer: readOne,
  }),
];
