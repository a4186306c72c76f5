/**
 * The help as sections that agents read one by one: the guide, the language by groups of properties and by animation,
 * and the topics of the API. From the tables and texts that the help pages are made of.
 */
import { readFile } from 'node:fs/promises';
import { ApiError } from '../../../shared/errors.ts';
import { nearest } from '../../../shared/renderscript/nearest.ts';
import { propertyReference } from '../../../shared/renderscript/reference.ts';
import { skillFile } from '../../system/paths.ts';
import { withoutPictures } from '../docs/markdown.ts';
import { apiTopics, programTopics, startTopics } from '../docs/pages-for-agents.ts';
import { checkPage } from './tool.ts';

/** The section that is read first. */
export const guide = 'guide';

/** Characters of one page. */
const pageLength = 12_000;

/** One section. */
interface Section {
  /** E.g. `properties/text`. */
  readonly name: string;
  readonly text: (apiUrl: string) => string | Promise<string>;
}

/** A page of a section. */
export interface DocsPage {
  readonly section: string;
  readonly page: number;
  readonly pages: number;
  /** Markdown. */
  readonly text: string;
}

let known: readonly Section[] | null = null;

/** All sections. */
function sections(): readonly Section[] {
  known ??= [
    { name: guide, text: readGuide },
    ...languageSections(),
    ...[...startTopics, ...apiTopics, ...programTopics].map(({ slug, title, text }) => ({
      name: `api/${slug === '' ? 'start' : slug}`,
      text: (apiUrl: string) => `# ${title}\n\n${withoutPictures(text(apiUrl))}`,
    })),
  ];
  return known;
}

/** The names of all sections, those of one kind in a line. */
export function sectionList(): string {
  const kinds = new Map<string, string[]>();
  for (const { name } of sections()) {
    const [kind = ''] = name.split('/');
    kinds.set(kind, [...(kinds.get(kind) ?? []), name]);
  }
  return [...kinds.values()].map((names) => `- ${names.join(', ')}`).join('\n');
}

/** @throws ApiError `invalid_parameter`. */
export async function readSection(name: string, page: number, apiUrl: string): Promise<DocsPage> {
  const found = sections().find((section) => section.name === name.toLowerCase());
  if (!found) {
    const names = sections().map((section) => section.name);
    const meant =
      names.find((one) => one.endsWith(`/${name.toLowerCase()}`)) ?? nearest(name, names);
    const advice = meant === null ? '' : ` (did you mean '${meant}'?)`;
    const what = `a section that read_docs lists when it is called without arguments${advice}`;
    throw new ApiError('invalid_parameter', { name: 'section', what });
  }
  const pages = pagesOf(await found.text(apiUrl));
  checkPage(page, pages.length);
  return { section: found.name, page, pages: pages.length, text: pages[page - 1] ?? '' };
}

/** The skill without its head. */
async function readGuide(): Promise<string> {
  const text = await readFile(skillFile(), 'utf8');
  return text.replace(/^---\n.*?\n---\n/s, '').trim();
}

/** The reference, taken apart at its headings. */
function languageSections(): readonly Section[] {
  let chapter = '';
  return propertyReference()
    .split(/^(?=##+ )/m)
    .map((text) => {
      const [, marks = '', title = ''] = /^(##+) (.+)/.exec(text) ?? [];
      const name = title
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '');
      if (marks === '##') chapter = name;
      return { name: marks === '##' ? chapter : `${chapter}/${name}`, text: () => text.trim() };
    });
}

/** A text in pages that end with a line. */
function pagesOf(text: string): readonly string[] {
  const pages: string[] = [];
  let from = 0;
  while (from < text.length) {
    const most = Math.min(text.length, from + pageLength);
    const line = most === text.length ? most : text.lastIndexOf('\n', most) + 1;
    const to = line > from ? line : most;
    pages.push(text.slice(from, to));
    from = to;
  }
  return pages;
}
