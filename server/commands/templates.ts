/** `framewright templates`: lists, reads and changes the templates of a running server. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  asRenderScript,
  type TemplateFacts,
  type DeletedTemplate,
  type Framewright,
} from '../../client/index.ts';
import { counted } from '../../shared/counted.ts';
import { placedSentence } from '../../shared/renderscript/source.ts';
import { makeFolders } from '../system/files.ts';
import { askedOf, readDocumentFile } from './document-file.ts';
import { ownFolders, problemsOf } from './document-problems.ts';
import { CommandError } from './option-rows.ts';
import { plainName } from './render-rows.ts';
import { streamOf, withSentFiles, writeStream } from './files.ts';
import {
  findTemplate,
  knownTemplate,
  readTemplate,
  serverCommand,
  allNamed,
  type NamedKind,
} from './running-server.ts';
import { onOneLine, sayJson, sayList } from './text-table.ts';

export const templatesCommand = serverCommand('templates', {
  async list(client, _args, { tag = [], json }) {
    const heads = ['ID', 'NAME', 'TAGS', 'CHANGED'];
    const cellsOf = ({ id, name, tags, updated_at }: TemplateFacts): string[] => [
      id,
      name,
      tags.join(', '),
      updated_at.slice(0, 16),
    ];
    sayList(await client.templates.list(tag), json, heads, cellsOf, 'There are no templates.');
  },

  async get(client, [name = '', file], { json }) {
    const template = await readTemplate(client, name);
    const content = json ? template : template.source;
    if (file === undefined) sayJson(content);
    else writeDocument(file, content);
  },

  async put(client, [file = '', given], { tag, media, json }) {
    const { source } = askedOf(readDocumentFile(file));
    // What is wrong is stored all the same, as by the API.
    for (const problem of problemsOf({ source, scaling: {} }).problems) {
      const kind = problem.severity === 'error' ? 'Error' : 'Warning';
      console.error(`${kind}: ${onOneLine(placedSentence(problem))}`);
    }
    const { source: sent, left } = await withSentFiles(client, source, ownFolders(file, media));
    for (const one of left) console.error(onOneLine(one));
    const document = asRenderScript(sent);
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

  deleted: (client, _args, { json }) => listDeleted(client, json),

  restore: (client, names, { json }) => restoreDeleted(client, names, json, 'templates deleted'),

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

  async share(client, names, { json }) {
    // Of several, the last one is the file.
    const given = names.length > 1 ? names.at(-1) : undefined;
    const all = [];
    for (const name of given === undefined ? names : names.slice(0, -1))
      all.push(await knownTemplate(client, name));
    const name = all.map((one) => one.name).join(', ');
    const file = given ?? `${plainName(name)}.framewright`;
    const { content, missing } = await client.templates.share(all.map(({ id }) => id));
    const bytes = await writeStream(file, content);
    if (json) {
      sayJson({ file, bytes, missing });
      return;
    }
    console.log(`Wrote ${onOneLine(name)} to ${file} (${(bytes / 1e6).toFixed(1)} MB)`);
    if (missing.length === 0) return;
    console.error(`${counted(missing.length, 'file')} could not be packed:`);
    for (const one of missing) console.error(`  ${onOneLine(one)}`);
  },

  async import(client, files, { json }) {
    const all = [];
    for (const file of files) {
      const template = await client.templates.import(streamOf(file));
      all.push(template);
      if (json) continue;
      const { templates = [template], unreadable = [] } = template.kit ?? {};
      for (const { id, name } of templates) console.log(`Created ${onOneLine(name)} (${id})`);
      for (const { name, reason } of unreadable)
        console.error(`Could not read ${onOneLine(name)}: ${onOneLine(reason)}`);
    }
    if (json) sayJson(all);
  },
});

/** The template's name for a file. Samples are called source.json, in a folder with their name. */
function nameOf(file: string): string {
  if (file === '-') throw new CommandError('What is piped in needs a name: templates put - NAME');
  const { name } = path.parse(file);
  return name === 'source' ? path.basename(path.dirname(path.resolve(file))) : name;
}

function writeDocument(file: string, content: unknown): void {
  try {
    makeFolders(path.dirname(file));
    writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
  } catch (error) {
    throw new CommandError(`${file} can't be written.`, { cause: error });
  }
}

/* `framewright trash`: deleted templates of a running server: lists them, brings them back, deletes them for good. */

const deletedKind = (listing: string): NamedKind<DeletedTemplate> => ({
  kind: 'deleted template',
  listing,
  facts: ({ deleted_at }) => `, deleted ${deleted_at.slice(0, 16)}`,
});

/** Prints what can be restored, and until when. */
export async function listDeleted({ templates }: Framewright, isJson = false): Promise<void> {
  const heads = ['ID', 'NAME', 'DELETED', 'GONE ON'];
  const cellsOf = ({ id, name, deleted_at, expires_at }: DeletedTemplate): string[] => [
    id,
    name,
    deleted_at.slice(0, 16),
    expires_at.slice(0, 10),
  ];
  sayList(await templates.deleted(), isJson, heads, cellsOf, 'There are no deleted templates.');
}

/** Brings templates back. @param listing The command that lists them. */
export async function restoreDeleted(
  { templates }: Framewright,
  names: readonly string[],
  isJson = false,
  listing: string,
): Promise<void> {
  const restored = [];
  for (const { id } of allNamed(await templates.deleted(), names, deletedKind(listing))) {
    const template = await templates.restore(id);
    restored.push(template);
    if (!isJson) console.log(`Restored ${onOneLine(template.name)} (${id})`);
  }
  if (isJson) sayJson(restored);
}

export const trashCommand = serverCommand('trash', {
  list: (client, _names, { json }) => listDeleted(client, json),
  restore: (client, names, { json }) => restoreDeleted(client, names, json, 'trash list'),
  async delete({ templates }, names) {
    for (const { id, name } of allNamed(
      await templates.deleted(),
      names,
      deletedKind('trash list'),
    )) {
      await templates.purge(id);
      console.log(`Deleted ${onOneLine(name)} (${id}) for good`);
    }
  },
  async empty({ templates }) {
    const all = await templates.deleted();
    for (const { id } of all) await templates.purge(id);
    console.log(`Deleted ${counted(all.length, 'template')} for good`);
  },
});
