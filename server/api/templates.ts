/** Templates over HTTP: create, list, read, change, delete. The records are in store/. */
import { randomUUID } from 'node:crypto';
import { Router } from 'express';
import { ApiError } from '../../shared/errors.ts';
import { requestLimits } from '../../shared/limits.ts';
import { asText } from '../json-text.ts';
import { parseParameters } from '../parameters.ts';
import type { Services } from '../services.ts';
import { sendAnswer } from './answer.ts';
import { bodyOf, largeJsonBody } from './body.ts';
import { changeTemplateBody, createTemplateBody, listTemplatesQuery } from './schemas.ts';
import { fullTemplateRecord, templateRecord } from './serialize.ts';

/** Routes that read, below `/v2/templates` and (as older clients have it) `/v1/templates`. */
export function templateReadRoutes({ templates }: Services): Router {
  const routes = Router({ caseSensitive: true });

  routes.get('/', (request, response) => {
    const list = templates.list(wantedTags(request.query));
    response.json(list.map(templateRecord));
  });

  routes.get('/:id', async (request, response) => {
    const { id } = request.params;
    const template = templates.find(id.toLowerCase());
    if (!template) throw new ApiError('template_not_found', { id });
    const source = await templates.readDocument(template);
    sendAnswer(response, fullTemplateRecord(template, source));
  });

  return routes;
}

/** Routes that write, below `/v2/templates`. */
export function templateWriteRoutes({ templates, events, desk }: Services): Router {
  const routes = Router({ caseSensitive: true });
  const jsonBody = largeJsonBody(desk, { names: ['name', 'tags', 'source'] });

  routes.post('/', jsonBody, async (request, response) => {
    const { id, ...given } = parseParameters(createTemplateBody, bodyOf(request));
    const template = await templates.insertNew((id ?? randomUUID()).toLowerCase(), {
      tags: [],
      ...given,
    });
    if (!template) throw new ApiError('template_id_taken', { id: id ?? '' });
    events.emit({ type: 'template.created', template });
    sendAnswer(response.status(201), fullTemplateRecord(template, asText(given.source)));
  });

  routes.patch('/:id', jsonBody);
  routes.patch('/:id', async (request, response) => {
    const { id } = request.params;
    const given = parseParameters(changeTemplateBody, bodyOf(request));
    // Values before existence: a request without a change is wrong whatever it names.
    if (Object.keys(given).length === 0) throw new ApiError('nothing_to_change');
    const template = await templates.change(id.toLowerCase(), given);
    if (!template) throw new ApiError('template_not_found', { id });
    events.emit({ type: 'template.updated', template });
    const source = given.source ? asText(given.source) : await templates.readDocument(template);
    sendAnswer(response, fullTemplateRecord(template, source));
  });

  routes.delete('/:id', async (request, response) => {
    const { id } = request.params;
    if (!(await templates.remove(id.toLowerCase())))
      throw new ApiError('template_not_found', { id });
    events.emit({ type: 'template.removed', id: id.toLowerCase() });
    response.status(204).end();
  });

  return routes;
}

/** The tags of `?tags=a,b`; blanks are passed over, and nothing left means no filter. */
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
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}
