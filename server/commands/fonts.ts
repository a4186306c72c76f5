/** `framewright fonts`: lists the fonts of a running server with their weights, adds and removes some. */
import path from 'node:path';
import type { FontFamily } from '../../client/index.ts';
import { commandRows } from './command-rows.ts';
import { serverCommand } from './running-server.ts';
import { streamOf } from './files.ts';
import { onOneLine, sayJson, sayList } from './text-table.ts';

const row = commandRows.fonts;

const origins = row.options[0].choices;

export const fontsCommand = serverCommand('fonts', {
  async list({ fonts }, _args, { origin, json }) {
    const all = await fonts.list(origins.find((one) => one === origin));
    const heads = ['FAMILY', 'FROM', 'WEIGHTS', 'ITALIC'];
    const cellsOf = (one: FontFamily): string[] => [
      one.family,
      one.origin,
      weightsOf(one),
      one.faces?.some(({ style }) => style === 'italic') ? 'yes' : '',
    ];
    sayList(all, json, heads, cellsOf, 'There are no such fonts.');
  },

  async add({ fonts }, files, { json }) {
    const added = [];
    for (const file of files) {
      const family = await fonts.upload(streamOf(file), path.basename(file));
      added.push(family);
      if (!json) console.log(`${onOneLine(family.family)}: ${weightsOf(family)}`);
    }
    if (json) sayJson(added);
  },

  async delete({ fonts }, families) {
    for (const family of families) {
      await fonts.delete(family);
      console.log(`Removed ${onOneLine(family)}`);
    }
  },
});

/** `100–900`, or `400, 700`. */
function weightsOf({ faces = [] }: FontFamily): string {
  const ranges = faces.map(({ min_weight: least, max_weight: most }) =>
    least === most ? `${least}` : `${least}–${most}`,
  );
  return [...new Set(ranges)].join(', ');
}
