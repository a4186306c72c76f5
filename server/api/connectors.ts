/**
 * Two routes that automation tools ask beside the documented ones: whether a key works, and which fields a form for a template
 * has, in the shape that n8n's resource mapper takes as it is.
 */
import { Router } from 'express';
import type { MapperFields, ProjectData } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import type { TemplateField } from '../jobs/template-fields.ts';
import { parseParameters } from '../parameters.ts';
import type { Services } from '../services.ts';
import { templateFieldsQuery } from './schemas.ts';

/** Routes below `/v1`, for the project of the key. */
export function connectorRoutes({ templates, desk, project }: Services): Router {
  const routes = Router({ caseSensitive: true });

  routes.get('/projects/data', (_request, response) => {
    response.json(project() satisfies ProjectData);
  });

  routes.get('/internal/n8n/fields', async (request, response) => {
    const { 'template-id': id } = parseParameters(templateFieldsQuery, request.query);
    const template = templates.find(id.toLowerCase());
    if (!template) throw new ApiError('template_not_found', { id });
    const fields = (await desk.fieldsOf(await templates.readDocument(template))).map(mapperField);
    response.json({ fields } satisfies MapperFields);
  });

  return routes;
}

const mapperTypes = {
  text: 'string',
  number: 'number',
  boolean: 'boolean',
  choice: 'options',
} as const satisfies Record<TemplateField['kind'], MapperFields['fields'][number]['type']>;

function mapperField({ id, name, kind, choices }: TemplateField): MapperFields['fields'][number] {
  return {
    id,
    displayName: name,
    type: mapperTypes[kind],
    required: false,
    display: true,
    defaultMatch: false,
    removed: false,
    readOnly: false,
    ...(choices && { options: choices.map((value) => ({ name: value, value })) }),
  };
}
