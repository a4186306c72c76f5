/** `framewright feeds`: imports tables into a running server, maps them to templates, and renders their rows. */
import path from 'node:path';
import type { FeedTable, FeedTableRow, Framewright, TableOptions } from '../../client/index.ts';
import { counted } from '../../shared/counted.ts';
import { allNamed, knownTemplate, named, serverCommand } from './running-server.ts';
import type { commandRows } from './command-rows.ts';
import { CommandError, type Given } from './option-rows.ts';
import { streamOf } from './files.ts';
import { onOneLine, sayJson, sayList, sayTable } from './text-table.ts';

const feedKind = { kind: 'feed', listing: 'feeds list' };

async function feedNamed({ feeds }: Framewright, word: string): Promise<FeedTable> {
  return named(await feeds.tables(), word, feedKind);
}

type TableChoice = Given<(typeof commandRows)['feeds']['options']>;

const separators = { comma: ',', semicolon: ';', tab: '\t', bar: '|' } as const;

/** How the file is read. @throws CommandError for a wrong sheet. */
function tableOptions({ separator, encoding, sheet, head }: TableChoice): TableOptions {
  if (sheet !== undefined && !/^[1-9]\d*$/.test(sheet))
    throw new CommandError(`--sheet: Expected a whole number of at least 1, found '${sheet}'.`);
  const sign = Object.entries(separators).find(([name]) => name === separator)?.[1];
  return {
    separator: sign,
    encoding,
    sheet: sheet === undefined ? undefined : Number(sheet),
    head: head === undefined ? undefined : head === 'true',
  };
}

function say(done: string, feed: FeedTable, { json }: { readonly json?: boolean }): void {
  if (json) sayJson(feed);
  else {
    const { id, name, row_count: rows } = feed;
    console.log(`${done} ${onOneLine(name)} (${id}), ${counted(rows, 'row')}`);
  }
}

/** The columns with targets from `COLUMN=TARGET`. @throws CommandError for a column that is not there. */
function mapped({ columns }: FeedTable, given: readonly string[]): FeedTable['columns'] {
  const targets = new Map(
    given.map((text): [string, string] => {
      const [name = '', ...rest] = text.split('=');
      const column = columns.find((one) => one.name === name);
      if (!column || rest.length === 0) {
        const names = columns.map((one) => onOneLine(one.name)).join(', ');
        throw new CommandError(
          `--map: Expected COLUMN=TARGET with one of the columns ${names}, found '${text}'.`,
        );
      }
      return [column.id, rest.join('=')];
    }),
  );
  return columns.map(({ id, name, target }) => {
    const wanted = targets.get(id) ?? target;
    return { id, name, ...(wanted !== undefined && wanted !== '' && { target: wanted }) };
  });
}

export const feedsCommand = serverCommand('feeds', {
  async list({ feeds, templates }, _args, { json }) {
    const all = await feeds.tables();
    const names = new Map((await templates.list()).map(({ id, name }) => [id, name]));
    const heads = ['ID', 'NAME', 'ROWS', 'COLUMNS', 'TEMPLATE'];
    const cellsOf = ({ id, name, row_count, columns, template_id = '' }: FeedTable): string[] => [
      id,
      name,
      `${row_count}`,
      `${columns.length}`,
      names.get(template_id) ?? template_id,
    ];
    sayList(all, json, heads, cellsOf, 'There are no feeds.');
  },

  async import({ feeds }, [file = '', given], options) {
    const name = given ?? path.parse(file).name;
    say('Imported', await feeds.import(streamOf(file), name, tableOptions(options)), options);
  },

  async update(client, [word = '', file = ''], options) {
    const { id } = await feedNamed(client, word);
    const feed = await client.feeds.replace(id, streamOf(file), tableOptions(options));
    say('Updated', feed, options);
  },

  async map(client, [word = '', template = ''], options) {
    const feed = await feedNamed(client, word);
    const change = {
      template_id: (await knownTemplate(client, template)).id,
      columns: mapped(feed, options.map ?? []),
    };
    const changed = await client.feeds.change(feed.id, change);
    if (options.json) {
      sayJson(changed);
      return;
    }
    const rows = changed.columns.map(({ name, target = '' }) => [name, target]);
    sayTable(['COLUMN', 'BECOMES'], rows, 'The feed has no columns.');
  },

  async rows(client, [word = ''], { json }) {
    const { id, columns } = await feedNamed(client, word);
    const rows = await client.feeds.rows(id);
    const heads = ['ID', ...columns.map(({ name }) => name)];
    const cellsOf = ({ id: row, values }: FeedTableRow): string[] => [
      row,
      ...columns.map((column) => values[column.id] ?? ''),
    ];
    sayList(rows, json, heads, cellsOf, 'The feed has no rows.');
  },

  async render(client, [word = '', ...rows], { changed, json }) {
    const { id } = await feedNamed(client, word);
    const wanted = { ...(rows.length > 0 && { rows }), ...(changed && { changed }) };
    const batch = await client.feeds.render(id, wanted);
    if (json) sayJson(batch);
    else if (batch) {
      console.log(`Rendering ${counted(batch.row_count, 'row')}: batch ${batch.id}`);
      console.error(`framewright renders list --batch ${batch.id} shows them.`);
    } else console.log('There is no row to render.');
  },

  async delete(client, words) {
    for (const { id, name } of allNamed(await client.feeds.tables(), words, feedKind)) {
      await client.feeds.delete(id);
      console.log(`Deleted ${onOneLine(name)} (${id})`);
    }
  },
});
