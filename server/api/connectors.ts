/**
 * Two more routes for automation tools: whether a key works, and which fields a template's form has, in exactly the
 * shape of n8n's resource mapper.
 */
import { z } from 'zod';
import { ApiError } from '../../shared/errors.ts';
import type { TemplateField } from '../jobs/desk/template-fields.ts';
import { one, type Operation, projectRoutes } from './operation.ts';
import { type Answer } from './answer-schemas.ts';

/** Query of the list of fields. */
const templateFieldsQuery = z.object({
  'template-id': z.guid('a valid template ID').describe('The template whose fields are wanted.'),
});

/** The project of a key. */
const projectDataAnswer = z
  .strictObject({ id: z.string(), name: z.string() })
  .meta({ id: 'ProjectData' });
type ProjectData = Answer<typeof projectDataAnswer>;

/** The fields of a template, as n8n's resource mapper takes them. */
const mapperFieldsAnswer = z
  .strictObject({
    fields: z.array(
      z.strictObject({
        id: z.string().describe('The key in `modifications`.'),
        displayName: z.string().describe('For people.'),
        type: z.enum(['string', 'number', 'boolean', 'options']),
        required: z.literal(false),
        display: z.literal(true),
        defaultMatch: z.literal(false),
        removed: z.literal(false),
        readOnly: z.literal(false),
        options: z
          .array(z.strictObject({ name: z.string(), value: z.string() }))
          .describe('Only with type options.')
          .exactOptional(),
      }),
    ),
  })
  .meta({
    id: 'TemplateFields',
    description: 'One field for each value of the template that can be replaced.',
  });
export type MapperFields = Answer<typeof mapperFieldsAnswer>;

const route = projectRoutes('templates');

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
  route('GET /v1/projects/data', {
    id: 'readProject',
    summary: 'Read the project of the key (for connectors)',
    explanation: 'For automation tools, to find out whether a key works.',
    answers: [one(200, projectDataAnswer, 'The project.')],
    refusals: [],
    answer: ({ project }) => {
      const { id, name } = project;
      return { id, name: name() } satisfies ProjectData;
    },
  }),
  route('GET /v1/internal/n8n/fields', {
    id: 'listTemplateFields',
    summary: 'List the fields of a template (for connectors)',
    explanation:
      "The form that n8n's resource mapper takes. Where elements are marked as dynamic, only theirs are listed, else those of all elements with a name; then the placeholders, and the values of the document.",
    query: templateFieldsQuery,
    answers: [one(200, mapperFieldsAnswer, 'The fields, at most 500.')],
    refusals: ['invalid_parameter', 'template_not_found', 'template_damaged'],
    answer: async ({ templates, desk }, { query: { 'template-id': id } }) => {
      const template = templates.find(id.toLowerCase());
      if (!template) throw new ApiError('template_not_found', { id });
      const fields = await desk.fieldsOf(await templates.readDocument(template));
      return { fields: fields.map(mapperField) } satisfies MapperFields;
    },
  }),
];
