/** The pages that agents read, too. Not in pages.ts: its page about agents lists the tools that read these. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Topic } from './page-frame.ts';
import { helpFolder } from '../../system/paths.ts';
import { type PageValue, pageValues } from './page-values.ts';

/** Start. */
export const startTopics: readonly Topic[] = [
  written('', 'Framewright help', 'What is where.'),
  written('quick-start', 'Quick start', 'The first render in curl, TypeScript, Python and n8n.'),
  written('recipes', 'Recipes', 'Documents for common tasks, to be copied.'),
  written('gallery', 'Gallery', 'All shipped templates with pictures, to begin with.'),
];

/** The API. */
export const apiTopics: readonly Topic[] = [
  written('authentication', 'Keys and addresses', 'Who may call, and from where.'),
  written('renders', 'Renders', 'Creating renders and following their status.'),
  written('previews', 'Previews', 'A picture of one moment, at once.'),
  written('modifications', 'Modifications', 'Changing a template for one render.'),
  written('templates', 'Templates', 'Named documents, stored here.'),
  written('media', 'Media', 'Files that documents name, stored once.'),
  written('transcripts', 'Transcripts', 'What is said in a recording, with times.'),
  written('feeds', 'Feeds', 'Tables whose rows become renders.'),
  written('webhooks', 'Webhooks', 'Calls when a render has ended.'),
  written('projects', 'Projects and keys', 'Making projects, and keys for them.'),
  written('backups', 'Backups', 'Making backups, and putting one back.'),
  written('settings', 'Settings', 'What the server does for all projects.'),
  written('limits', 'Limits', 'How much, how large, how long.'),
  written('errors', 'Refusals', 'Every sentence that a failing answer can contain.'),
];

/** Programs. */
export const programTopics: readonly Topic[] = [
  written('client', 'TypeScript client', 'The package for Node, Deno, Bun and browsers.'),
  written('python', 'Python', 'With the standard library, or with a generated client.'),
  written('n8n', 'n8n', 'In workflows of n8n.'),
  written('command-line', 'Command line', 'All commands with their options.'),
  written('testing', 'In your tests', 'A real server for tests of other programs.'),
];

// A file is read when somebody opens its page for the first time.

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
