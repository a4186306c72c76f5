/** `framewright media`: lists, adds, loads and deletes media files of a running server. */
import path from 'node:path';
import type { Framewright, Media } from '../../client/index.ts';
import { commandRows } from './command-rows.ts';
import { allNamed, named, serverCommand } from './running-server.ts';
import { streamOf, writeStream } from './files.ts';
import { onOneLine, sayJson, sayList } from './text-table.ts';

const row = commandRows.media;

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

export const mediaCommand = serverCommand('media', {
  async list(client, _args, { kind, json }) {
    const files = await all(
      client,
      kinds.find((one) => one === kind),
    );
    const heads = ['SOURCE', 'NAME', 'FORMAT', 'PIXELS', 'SIZE'];
    const cellsOf = ({ source, name, format, width, height = 0, file_size }: Media): string[] => [
      source,
      name,
      format,
      width === undefined ? '' : `${width} × ${height}`,
      `${(file_size / 1e6).toFixed(1)} MB`,
    ];
    sayList(files, json, heads, cellsOf, 'There are no media files.');
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
});
