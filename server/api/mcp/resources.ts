/**
 * What agents can read as resources: the guide, the schema of the language, and the sample documents. And the prompt.
 */
import type { McpServer } from '@modelcontextprotocol/server';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { renderScriptSchema } from '../../../shared/renderscript/schema.ts';
import { sampleFolder } from '../../system/paths.ts';
import { guide, readSection } from './docs-sections.ts';

interface Resource {
  readonly name: string;
  readonly uri: string;
  readonly title: string;
  readonly description: string;
  readonly type: string;
  readonly read: () => string | Promise<string>;
}

const scheme = 'framewright:/';

let known: readonly Resource[] | null = null;

/** All of them; they don't change while the program runs. */
function resources(): readonly Resource[] {
  known ??= [
    {
      name: 'guide',
      uri: `${scheme}/guide`,
      title: 'Guide to RenderScript',
      description: 'The language in a few kilobytes, with examples.',
      type: 'text/markdown',
      read: async () => (await readSection(guide, 1, '')).text,
    },
    {
      name: 'schema',
      uri: `${scheme}/schema`,
      title: 'JSON Schema of RenderScript',
      description: 'All properties of all elements, for validators. Large: read_docs is shorter.',
      type: 'application/schema+json',
      read: () => JSON.stringify(renderScriptSchema()),
    },
    ...sampleNames().map((name) => ({
      name: `samples/${name}`,
      uri: `${scheme}/samples/${name}`,
      title: `Sample ${name}`,
      description: 'A finished document to learn from.',
      type: 'application/json',
      read: () => readFile(sampleFile(name), 'utf8'),
    })),
  ];
  return known;
}

function sampleFile(name: string): string {
  return path.join(sampleFolder(), name, 'source.json');
}

function sampleNames(): readonly string[] {
  const entries = readdirSync(sampleFolder(), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && !['media', 'gallery', 'recipes'].includes(entry.name))
    .map(({ name }) => name)
    .sort();
}

/** Adds the resources to a server. */
export function addResources(server: McpServer): void {
  for (const { name, uri, title, description, type, read } of resources()) {
    server.registerResource(name, uri, { title, description, mimeType: type }, async () => ({
      contents: [{ uri, mimeType: type, text: await read() }],
    }));
  }
}

/** Adds the prompt to a server. */
export function addPrompt(server: McpServer): void {
  server.registerPrompt(
    'make_video',
    {
      title: 'Make a video or picture',
      description: 'From an idea to a finished file, looking at it on the way.',
      argsSchema: z.object({
        idea: z.string().max(10_000).describe('What it should show, how long, in which format.'),
      }),
    },
    ({ idea }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: promptText(idea) } }],
    }),
  );
}

function promptText(idea: string): string {
  return `Make this with Framewright: ${idea}

1. read_docs, without arguments, for the language and its examples. Look at list_templates: perhaps one fits, and modifications are enough (template_fields).
2. Write the document. Give every text that may change a name.
3. validate it. Apply the fixes, and check again until there are no errors and no warnings.
4. Look at it with contact_sheet, and with preview_frame at the moments that matter. Correct what is cut off, covered, unreadable or empty, and look again.
5. save_template, if it will be used again.
6. render, then get_render until it has succeeded. Tell me the address of the file.`;
}
