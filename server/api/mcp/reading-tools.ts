/** Tools that read: the help, the templates, and what can be changed in one. */
import { z } from 'zod';
import { ApiError } from '../../../shared/errors.ts';
import { requestLimits } from '../../../shared/limits.ts';
import { templateRecord } from '../serialize.ts';
import { guide, readSection, sectionList } from './docs-sections.ts';
import { cut, documentFields, pageField, pageOf, shownTemplate, tool, type Tool } from './tool.ts';

const readDocs = tool({
  name: 'read_docs',
  title: 'Read the help',
  description:
    'The help. Call it without arguments first: you get the guide to RenderScript, the language of the documents, and the names of all sections (properties/text, animations/fade, api/renders …).',
  input: z.strictObject({
    section: z.string('the name of a section').max(100, 'the name of a section').exactOptional(),
    page: pageField,
  }),
  output: z.object({
    section: z.string(),
    page: z.int(),
    pages: z.int(),
    text: z.string(),
  }),
  isReadOnly: true,
  run: async ({ section, page }, { url }) => {
    const read = await readSection(section ?? guide, page, url);
    const list = section === undefined ? `\n\n## Sections of read_docs\n\n${sectionList()}` : '';
    const more = page < read.pages ? `\n\n(page ${page} of ${read.pages})` : '';
    const text = `${read.text}${list}${more}`;
    return { facts: { ...read, text }, text };
  },
});

const listTemplates = tool({
  name: 'list_templates',
  title: 'List templates',
  description: 'The stored templates, the newest change first: IDs, names and tags. 50 on a page.',
  input: z.strictObject({
    search: z
      .string('a text')
      .max(requestLimits.nameLength, `at most ${requestLimits.nameLength} characters long`)
      .describe('Part of a name, or a tag.')
      .exactOptional(),
    page: pageField,
  }),
  output: z.object({ templates: z.array(shownTemplate), page: z.int(), pages: z.int() }),
  isReadOnly: true,
  run: ({ search = '', page }, { services }) => {
    const wanted = search.trim().toLowerCase();
    const found = services.templates
      .list([])
      .filter(
        ({ name, tags }) =>
          name.toLowerCase().includes(wanted) || tags.some((tag) => tag.toLowerCase() === wanted),
      );
    const { shown, pages } = pageOf(found, page);
    return { facts: { templates: shown.map(templateRecord), page, pages } };
  },
});

const templateFields = tool({
  name: 'template_fields',
  title: 'List the fields of a template',
  description:
    'What can be changed in a template: the keys for modifications, what each takes, and the choices. 50 on a page.',
  input: z.strictObject({
    template_id: documentFields.template_id.unwrap().describe('From list_templates.'),
    page: pageField,
  }),
  output: z.object({
    fields: z.array(
      z.object({
        key: z.string(),
        name: z.string(),
        kind: z.enum(['text', 'number', 'boolean', 'choice']),
        choices: z.array(z.string()).exactOptional(),
      }),
    ),
    page: z.int(),
    pages: z.int(),
  }),
  isReadOnly: true,
  run: async ({ template_id: id, page }, { services: { templates, desk } }) => {
    const template = templates.find(id.toLowerCase());
    if (!template) throw new ApiError('template_not_found', { id });
    const all = await desk.fieldsOf(await templates.readDocument(template));
    // Nobody repeats a key this long, and the answer must end.
    const { shown, pages } = pageOf(
      all.filter((field) => field.id === cut(field.id)),
      page,
    );
    const fields = shown.map(({ id: key, name, kind, choices }) => ({
      key,
      name: cut(name),
      kind,
      ...(choices && { choices: [...choices] }),
    }));
    return { facts: { fields, page, pages } };
  },
});

/** In the order in which agents use them. */
export const readingTools: readonly Tool[] = [readDocs, listTemplates, templateFields];
