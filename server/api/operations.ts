/**
 * THE ROUTES of the API as a table: what each takes, answers and refuses. The OpenAPI document and the help pages are made
 * from it; the tests hold the running server against it, both ways.
 */
import type { z } from 'zod';
import type { ErrorCode } from '../../shared/errors.ts';
import {
  changeTemplateBody,
  createdRenderAnswer,
  createRenderBody,
  createRendersBody,
  createTemplateBody,
  dryRunAnswer,
  feedAnswer,
  feedRowAnswer,
  fullFeedAnswer,
  fullTemplateAnswer,
  listTemplatesQuery,
  mapperFieldsAnswer,
  projectDataAnswer,
  renderAnswer,
  templateAnswer,
  templateFieldsQuery,
} from './schemas.ts';

/** An answer that is no refusal. `one` and `many` name the form: one object or an array of them; null = no body. */
export interface AnswerRow {
  readonly status: number;
  readonly description: string;
  readonly content: { readonly form: 'one' | 'many'; readonly schema: z.ZodType } | null;
}

/** One route. */
export interface Operation {
  /** Stable word, e.g. for generated clients. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With `{id}` where an ID stands. */
  readonly path: string;
  /** The help page that it stands on. */
  readonly topic: 'renders' | 'templates' | 'feeds';
  readonly summary: string;
  readonly explanation?: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly answers: readonly AnswerRow[];
  /** Those of its own; `commonRefusals` and `bodyRefusals` come on top. */
  readonly refusals: readonly ErrorCode[];
}

/** What every route with a key may refuse. */
export const commonRefusals: readonly ErrorCode[] = [
  'malformed_request',
  'invalid_key',
  'wrong_host',
  'wrong_origin',
  'request_timeout',
  'rate_limit_exceeded',
  'headers_too_large',
  'internal_error',
];

/** What routes that read a body may refuse on top. */
export const bodyRefusals: readonly ErrorCode[] = [
  'invalid_json',
  'invalid_encoding',
  'wrong_content_type',
  'not_an_object',
  'too_deep',
  'number_too_large',
  'incomplete_body',
  'invalid_parameter',
  'body_too_large',
  'cannot_save',
];

const one = (status: number, schema: z.ZodType, description: string): AnswerRow => ({
  status,
  description,
  content: { form: 'one', schema },
});
const many = (status: number, schema: z.ZodType, description: string): AnswerRow => ({
  status,
  description,
  content: { form: 'many', schema },
});

const createRefusals: readonly ErrorCode[] = [
  'nothing_to_render',
  'too_many_elements',
  'asks_too_much',
  'template_not_found',
  'template_damaged',
  'out_of_credits',
];

/** All of them, in the order of the help pages. */
export const operations: readonly Operation[] = [
  {
    id: 'createRender',
    method: 'POST',
    path: '/v2/renders',
    topic: 'renders',
    summary: 'Create a render',
    explanation:
      'The render is stored and queued before the answer goes out. Wrong values inside the document do not refuse the request: they are listed under `errors`, and the render fails with the first of them.',
    body: createRenderBody,
    answers: [
      one(202, createdRenderAnswer, 'The render, planned.'),
      one(200, dryRunAnswer, 'With `dry_run`: what was found; nothing is stored.'),
    ],
    refusals: createRefusals,
  },
  {
    id: 'readRender',
    method: 'GET',
    path: '/v2/renders/{id}',
    topic: 'renders',
    summary: 'Read a render',
    explanation: 'Ask every few seconds until the status is succeeded or failed, or use a webhook.',
    answers: [one(200, renderAnswer, 'The render as it is now.')],
    refusals: ['render_not_found'],
  },
  {
    id: 'createRenders',
    method: 'POST',
    path: '/v1/renders',
    topic: 'renders',
    summary: 'Create one or many renders (older form)',
    explanation:
      'The document stands under `source`; `output_format` and `frame_rate` beside it replace its own. With `tags`, every template that carries one of them is rendered. The answer is an array, also for one render.',
    body: createRendersBody,
    answers: [
      many(202, createdRenderAnswer, 'The renders, planned; empty when no template has the tags.'),
      many(200, dryRunAnswer, 'With `dry_run`: what was found in each.'),
    ],
    refusals: createRefusals,
  },
  {
    id: 'readRenderOlder',
    method: 'GET',
    path: '/v1/renders/{id}',
    topic: 'renders',
    summary: 'Read a render (older form)',
    answers: [one(200, renderAnswer, 'The same as under /v2.')],
    refusals: ['render_not_found'],
  },
  {
    id: 'createTemplate',
    method: 'POST',
    path: '/v2/templates',
    topic: 'templates',
    summary: 'Create a template',
    body: createTemplateBody,
    answers: [one(201, fullTemplateAnswer, 'The template with its new ID.')],
    refusals: ['template_id_taken'],
  },
  {
    id: 'listTemplates',
    method: 'GET',
    path: '/v2/templates',
    topic: 'templates',
    summary: 'List templates',
    explanation: 'All of them in one answer, the newest change first, without their documents.',
    query: listTemplatesQuery,
    answers: [many(200, templateAnswer, 'The templates.')],
    refusals: ['invalid_parameter'],
  },
  {
    id: 'readTemplate',
    method: 'GET',
    path: '/v2/templates/{id}',
    topic: 'templates',
    summary: 'Read a template',
    answers: [one(200, fullTemplateAnswer, 'The template with its document.')],
    refusals: ['template_not_found', 'template_damaged'],
  },
  {
    id: 'changeTemplate',
    method: 'PATCH',
    path: '/v2/templates/{id}',
    topic: 'templates',
    summary: 'Change a template',
    body: changeTemplateBody,
    answers: [one(200, fullTemplateAnswer, 'The template as it is now.')],
    refusals: ['nothing_to_change', 'template_not_found', 'template_damaged'],
  },
  {
    id: 'deleteTemplate',
    method: 'DELETE',
    path: '/v2/templates/{id}',
    topic: 'templates',
    summary: 'Delete a template',
    explanation:
      'It can be brought back in the app for 30 days. Renders that were made from it stay as they are.',
    answers: [{ status: 204, description: 'Deleted; no body.', content: null }],
    refusals: ['template_not_found', 'cannot_save'],
  },
  {
    id: 'listTemplatesOlder',
    method: 'GET',
    path: '/v1/templates',
    topic: 'templates',
    summary: 'List templates (for older clients)',
    query: listTemplatesQuery,
    answers: [many(200, templateAnswer, 'The same as under /v2.')],
    refusals: ['invalid_parameter'],
  },
  {
    id: 'readTemplateOlder',
    method: 'GET',
    path: '/v1/templates/{id}',
    topic: 'templates',
    summary: 'Read a template (for older clients)',
    answers: [one(200, fullTemplateAnswer, 'The same as under /v2.')],
    refusals: ['template_not_found', 'template_damaged'],
  },
  {
    id: 'readProject',
    method: 'GET',
    path: '/v1/projects/data',
    topic: 'templates',
    summary: 'Read the project of the key (for connectors)',
    explanation: 'Automation tools ask it to find out whether a key works.',
    answers: [one(200, projectDataAnswer, 'The project.')],
    refusals: [],
  },
  {
    id: 'listTemplateFields',
    method: 'GET',
    path: '/v1/internal/n8n/fields',
    topic: 'templates',
    summary: 'List the fields of a template (for connectors)',
    explanation:
      "The form that n8n's resource mapper takes. Where elements are marked as dynamic, only theirs are listed, else those of all elements with a name; then the placeholders, and the values of the document.",
    query: templateFieldsQuery,
    answers: [one(200, mapperFieldsAnswer, 'The fields, at most 500.')],
    refusals: ['invalid_parameter', 'template_not_found', 'template_damaged'],
  },
  {
    id: 'listFeeds',
    method: 'GET',
    path: '/v1/feeds',
    topic: 'feeds',
    summary: 'List feeds',
    explanation: 'All of them in one answer, the newest change first.',
    answers: [many(200, feedAnswer, 'The feeds.')],
    refusals: [],
  },
  {
    id: 'readFeed',
    method: 'GET',
    path: '/v1/feeds/{id}',
    topic: 'feeds',
    summary: 'Read a feed',
    answers: [one(200, fullFeedAnswer, 'The feed with its columns.')],
    refusals: ['feed_not_found'],
  },
  {
    id: 'readFeedSample',
    method: 'GET',
    path: '/v1/feeds/{id}/sample',
    topic: 'feeds',
    summary: 'Read the last rows of a feed',
    answers: [many(200, feedRowAnswer, 'At most 10 rows, the last one at the end.')],
    refusals: ['feed_not_found'],
  },
];

/** Every code that a route may answer with, in the order of the table. */
export function refusalsOf({ body, refusals }: Operation): readonly ErrorCode[] {
  return [...new Set([...commonRefusals, ...(body ? bodyRefusals : []), ...refusals])];
}
