/**
 * Help pages that are files: Markdown in resources/help/, where `%{NAME …}` stands for what the program's tables say
 * (page-values.ts). A file is read when somebody opens its page for the first time.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { helpFolder } from '../../system/paths.ts';
import { pageValues, type PageValue } from './page-values.ts';
import type { Topic } from './topic.ts';

const known = new Map<string, string>();

/**
 * A page with the text of `resources/help/SLUG.md`; that of `/docs` itself is `index.md`.
 *
 * @param own Values of this page alone.
 */
export function written(
  slug: string,
  title: string,
  summary: string,
  own: Readonly<Record<string, PageValue>> = {},
): Topic {
  return { slug, title, summary, text: (apiUrl) => filled(proseOf(slug), apiUrl, own) };
}

function proseOf(slug: string): string {
  const prose =
    known.get(slug) ??
    readFileSync(path.join(helpFolder(), `${slug === '' ? 'index' : slug}.md`), 'utf8');
  known.set(slug, prose);
  return prose;
}

/** @throws when there is no value of a name. */
function filled(prose: string, apiUrl: string, own: Readonly<Record<string, PageValue>>): string {
  return prose.replace(/%\{([\w-]+) ?([^}]*)\}/g, (mark, name: string, words: string) => {
    const value = own[name] ?? pageValues.get(name);
    if (!value) throw new Error(`a help page names ${mark}, which page-values.ts doesn't know`);
    return value(apiUrl, ...words.split(' '));
  });
}
