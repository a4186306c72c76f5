/** `framewright fonts`: lists the fonts of a running server with their weights, adds and removes some. */
import path from 'node:path';
import type { FontFamily, Framewright } from '../../client/index.ts';
import { commandRows } from './command-rows.ts';
import { actionOf, readOptions, type Given } from './option-rows.ts';
import { serverClient } from './running-server.ts';
import { streamOf } from './files.ts';
import { onOneLine, sayJson, sayTable } from './text-table.ts';

const row = commandRows.fonts;
type Options = Given<typeof row.options>;
type Action = (client: Framewright, args: readonly string[], options: Options) => Promise<void>;

/** @returns the exit status. @throws CommandError, FramewrightError. */
export async function fontsCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(row, args);
  const { action, rest } = actionOf('fonts', row, positionals);
  await actions[action](serverClient(values).client, rest, values);
  return 0;
}

const origins = row.options[0].choices;

const actions: Readonly<Record<ReturnType<typeof actionOf<typeof row>>['action'], Action>> = {
  async list({ fonts }, _args, { origin, json }) {
    const all = await fonts.list(origins.find((one) => one === origin));
    if (json) sayJson(all);
    else {
      const rows = all.map((one) => [one.family, one.origin, weightsOf(one), italicOf(one)]);
      sayTable(['FAMILY', 'FROM', 'WEIGHTS', 'ITALIC'], rows, 'There are no such fonts.');
    }
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
};

/** `100–900`, or `400, 700`. */
function weightsOf({ faces = [] }: FontFamily): string {
  const ranges = faces.map(({ min_weight: least, max_weight: most }) =>
    least === most ? `${least}` : `${least}–${most}`,
  );
  return [...new Set(ranges)].join(', ');
}

function italicOf({ faces = [] }: FontFamily): string {
  return faces.some(({ style }) => style === 'italic') ? 'yes' : '';
}
