/** `framewright templates`: lists, reads and changes the templates of a running server. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { asRenderScript, type Framewright } from '../../client/index.ts';
import { counted } from '../../shared/counted.ts';
import { commandRows } from './command-rows.ts';
import { readDocumentFile, sourceOf } from './document-file.ts';
import { actionOf, CommandError, readOptions, type Given } from './option-rows.ts';
import { plainName } from './render-rows.ts';
import { findTemplate, knownTemplate, readTemplate, serverClient } from './running-server.ts';
import { onOneLine, sayTable } from './text-table.ts';

const row = commandRows.templates;
type Options = Given<typeof row.options>;
type Action = (client: Framewright, args: readonly string[], options: Options) => Promise<unknown>;

/** @returns the exit status. @throws CommandError, FramewrightError. */
export async function templatesCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(row, args);
  const { action, rest } = actionOf('templates', row, positionals);
  await actions[action](serverClient(values).client, rest, values);
  return 0;
}

const actions: Readonly<Record<ReturnType<typeof actionOf<typeof row>>['action'], Action>> = {
  async list(client, _args, { tag = [], json }) {
    const all = await client.templates.list(tag);
    if (json) {
      sayJson(all);
      return;
    }
    const rows = all.map(({ id, name, tags, updated_at }) => [
      id,
      name,
      tags.join(', '),
      updated_at.slice(0, 16),
    ]);
    sayTable(['ID', 'NAME', 'TAGS', 'CHANGED'], rows, 'There are no templates.');
  },

  async get(client, [name = '', file], { json }) {
    const template = await readTemplate(client, name);
    const content = json ? template : template.source;
    if (file === undefined) sayJson(content);
    else writeDocument(file, content);
  },

  async put(client, [file = '', given], { tag, json }) {
    const document = asRenderScript(sourceOf(readDocumentFile(file)));
    const name = given ?? nameOf(file);
    const known = await findTemplate(client, name);
    const tags = tag === undefined ? {} : { tags: tag };
    const stored = known
      ? await client.templates.change(known.id, { source: document, ...tags })
      : await client.templates.create({ name, source: document, ...tags });
    if (json) sayJson(stored);
    else console.log(`${known ? 'Changed' : 'Created'} ${onOneLine(stored.name)} (${stored.id})`);
  },

  async delete(client, names) {
    // Finds all of them first: with a wrong name, nothing is deleted.
    const all = [];
    for (const name of names) all.push(await knownTemplate(client, name));
    for (const { id, name } of all) {
      await client.templates.delete(id);
      console.log(`Moved ${onOneLine(name)} (${id}) to the Trash`);
    }
  },

  async export(client, [folder = '.'], { tag = [] }) {
    const all = await client.templates.list(tag);
    const taken = new Set<string>();
    for (const { id, name } of all) {
      const plain = plainName(name);
      const free = taken.has(plain.toLowerCase()) ? `${plain} ${id}` : plain;
      taken.add(free.toLowerCase());
      writeDocument(path.join(folder, `${free}.json`), (await client.templates.get(id)).source);
    }
    console.log(`Wrote ${counted(all.length, 'template')} to ${folder}`);
  },
};

/** The template's name for a file. Samples are called source.json, in a folder with their name. */
function nameOf(file: string): string {
  if (file === '-') throw new CommandError('What is piped in needs a name: templates put - NAME');
  const { name } = path.parse(file);
  return name === 'source' ? path.basename(path.dirname(path.resolve(file))) : name;
}

function writeDocument(file: string, content: unknown): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
  } catch (error) {
    throw new CommandError(`${file} can't be written.`, { cause: error });
  }
}

function sayJson(value: unknown): void {
  console.log(JSON.stringify(value, null, 2));
}
