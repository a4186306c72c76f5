/** `framewright media`: lists, adds, loads and deletes media files of a running server. */
import path from 'node:path';
import type { Framewright, Media } from '../../client/index.ts';
import { commandRows } from './command-rows.ts';
import { allNamed, named, serverClient } from './running-server.ts';
import { actionOf, readOptions, type Given } from './option-rows.ts';
import { streamOf, writeStream } from './files.ts';
import { onOneLine, sayJson, sayTable } from './text-table.ts';

const row = commandRows.media;
type Options = Given<typeof row.options>;
type Action = (client: Framewright, args: readonly string[], options: Options) => Promise<void>;

/** @returns the exit status. @throws CommandError, FramewrightError. */
export async function mediaCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(row, args);
  const { action, rest } = actionOf('media', row, positionals);
  await actions[action](serverClient(values).client, rest, values);
  return 0;
}

const fileKind = {
  kind: 'media file',
  listing: 'media list',
  facts: ({ created_at }: Media) => `, added ${created_at.slice(0, 16)}`,
};

async function all({ media }: Framewright, kind?: Media['kind']): Promise<readonly Media[]> {
  const found = [];
  for await (const file of media.all({ limit: 100, kind })) found.push(file);
  return found;
}

const kinds = row.options[0].choices;

const actions: Readonly<Record<ReturnType<typeof actionOf<typeof row>>['action'], Action>> = {
  async list(client, _args, { kind, json }) {
    const files = await all(
      client,
      kinds.find((one) => one === kind),
    );
    if (json) sayJson(files);
    else {
      const rows = files.map((file) => [
        file.source,
        file.name,
        file.format,
        file.width === undefined ? '' : `${file.width} × ${file.height ?? 0}`,
        `${(file.file_size / 1e6).toFixed(1)} MB`,
      ]);
      sayTable(['SOURCE', 'NAME', 'FORMAT', 'PIXELS', 'SIZE'], rows, 'There are no media files.');
    }
  },

  async add({ media }, files, { json }) {
    const added = [];
    for (const file of files) {
      const one = await media.upload(streamOf(file), { name: path.basename(file) });
      added.push(one);
      if (!json) console.log(`${one.source}  ${onOneLine(one.name)}`);
    }
    if (json) sayJson(added);
  },

  async get(client, [word = '', given]) {
    const { id, name } = named(await all(client), word, fileKind);
    const file = given ?? path.basename(name);
    const bytes = await writeStream(file, await client.media.content(id));
    console.log(`Wrote ${file} (${(bytes / 1e6).toFixed(1)} MB)`);
  },

  async delete(client, names) {
    for (const { id, name } of allNamed(await all(client), names, fileKind)) {
      await client.media.delete(id);
      console.log(`Deleted ${onOneLine(name)} (${id})`);
    }
  },
};
