/**
 * Two more routes for automation tools: whether a key works, and which fields a template's form has, in exactly the
 * shape of n8n's resource mapper.
 */
import type { MapperFields, ProjectData } from '../../shared/api.ts';
import { ApiError } from '../../shared/errors.ts';
import type { TemplateField } from '../jobs/desk/template-fields.ts';
import { parseQuery } from '../system/parameters.ts';
import { one, type Operation } from './operation.ts';
import { mapperFieldsAnswer, projectDataAnswer, templateFieldsQuery } from './schemas.ts';

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

/** The routes of connectors. */
export const connectorOperations: readonly Operation[] = [
  {
    id: 'readProject',
    method: 'GET',
    path: '/v1/projects/data',
    topic: 'templates',
    summary: 'Read the project of the key (for connectors)',
    explanation: 'For automation tools, to find out whether a key works.',
    answers: [one(200, projectDataAnswer, 'The project.')],
    refusals: [],
    serve: ({ project }) => [
      (_request, response) => {
        const { id, name } = project;
        response.json({ id, name: name() } satisfies ProjectData);
      },
    ],
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
    serve: ({ templates, desk }) => [
      async (request, response) => {
        const { 'template-id': id } = parseQuery(templateFieldsQuery, request.query);
        const template = templates.find(id.toLowerCase());
        if (!template) throw new ApiError('template_not_found', { id });
        const fields = await desk.fieldsOf(await templates.readDocument(template));
        response.json({ fields: fields.map(mapperField) } satisfies MapperFields);
      },
    ],
  },
];
