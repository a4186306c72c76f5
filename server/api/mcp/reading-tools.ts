/** Tools that read: the help, the templates, and what can be changed in one. */
import { z } from 'zod';
import { ApiError } from '../../../shared/errors.ts';
import { looseName } from '../../../shared/renderscript/same-name.ts';
import type { ProjectServices } from '../project.ts';
import { templateRecord } from '../serialize.ts';
import { guide, readSection, sectionList } from './docs-sections.ts';
import {
  cut,
  documentFields,
  pageField,
  pageOf,
  searchField,
  shownTemplate,
  tool,
  type Tool,
} from './tool.ts';

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
    search: searchField.describe('Part of a name, or a tag.'),
    page: pageField,
  }),
  output: z.object({ templates: z.array(shownTemplate), page: z.int(), pages: z.int() }),
  isReadOnly: true,
  run: ({ search = '', page }, { services }) => {
    const wanted = looseName(search);
    const found = services.templates
      .list([])
      .filter(
        ({ name, tags }) =>
          looseName(name).includes(wanted) || tags.some((tag) => looseName(tag) === wanted),
      );
    const { shown, pages } = pageOf(found, page);
    return { facts: { templates: shown.map(templateRecord), page, pages } };
  },
});

function templateOf(
  templates: ProjectServices['templates'],
  id: string,
): NonNullable<ReturnType<typeof templates.find>> {
  const template = templates.find(id.toLowerCase());
  if (!template) throw new ApiError('template_not_found', { id });
  return template;
}

/** Characters of a document in an answer: agents pay for each. */
const longestDocument = 100_000;

const idField = documentFields.template_id.unwrap().describe('From list_templates.');

const getTemplate = tool({
  name: 'get_template',
  title: 'Read a template',
  description: 'The document of a template, to learn from it or to change it with save_template.',
  input: z.strictObject({ template_id: idField }),
  output: z.object({ template: shownTemplate, source: z.record(z.string(), z.unknown()) }),
  isReadOnly: true,
  run: async ({ template_id: id }, { services: { templates } }) => {
    const template = templateOf(templates, id);
    const source = await templates.readDocument(template);
    if (source.length > longestDocument) {
      const what = `a document of at most ${longestDocument / 1_000} kB; template_fields lists what can be changed in it, and GET /v2/templates/ID has all of it`;
      throw new ApiError('invalid_parameter', { name: 'template_id', what });
    }
    return { facts: { template: templateRecord(template), source: source.value } };
  },
});

const templateFields = tool({
  name: 'template_fields',
  title: 'List the fields of a template',
  description:
    'What can be changed in a template: the keys for modifications, what each takes, the choices, and the value now. 50 on a page.',
  input: z.strictObject({
    template_id: idField,
    page: pageField,
  }),
  output: z.object({
    fields: z.array(
      z.object({
        key: z.string(),
        name: z.string(),
        kind: z.enum(['text', 'number', 'boolean', 'choice']),
        choices: z.array(z.string()).exactOptional(),
        value: z.unknown().exactOptional(),
      }),
    ),
    page: z.int(),
    pages: z.int(),
  }),
  isReadOnly: true,
  run: async ({ template_id: id, page }, { services: { templates, desk } }) => {
    const all = await desk.fieldsOf(await templates.readDocument(templateOf(templates, id)));
    // Nobody repeats a key this long, and the answer must end.
    const { shown, pages } = pageOf(
      all.filter((field) => field.id === cut(field.id)),
      page,
    );
    const fields = shown.map(({ id: key, name, kind, choices, value }) => ({
      key,
      name: cut(name),
      kind,
      ...(choices && { choices: [...choices] }),
      ...(value !== undefined && { value: typeof value === 'string' ? cut(value) : value }),
    }));
    return { facts: { fields, page, pages } };
  },
});

const listFonts = tool({
  name: 'list_fonts',
  title: 'List fonts',
  description:
    'Families that font_family can name: shipped with the program or added to it. Those of the computer are named by search alone. 50 on a page.',
  input: z.strictObject({ search: searchField, page: pageField }),
  output: z.object({ families: z.array(z.string()), page: z.int(), pages: z.int() }),
  isReadOnly: true,
  run: async ({ search = '', page }, { services }) => {
    const wanted = looseName(search);
    const { bundled, added, installed } = await services.library.fonts.list();
    const all = [...added, ...bundled, ...(wanted === '' ? [] : installed)];
    const { shown, pages } = pageOf(
      all.filter((family) => looseName(family).includes(wanted)),
      page,
    );
    return { facts: { families: shown.map(cut), page, pages } };
  },
});

/** In the order in which agents use them. */
export const readingTools: readonly Tool[] = [
  readDocs,
  listTemplates,
  getTemplate,
  templateFields,
  listFonts,
];
