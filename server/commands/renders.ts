/** `framewright renders`: the renders of a running server. */
import { writeFileSync } from 'node:fs';
import type { ListedRender, Render, RenderEvent } from '../../client/index.ts';
import { commandRows } from './command-rows.ts';
import { CommandError } from './option-rows.ts';
import { knownTemplate, serverCommand } from './running-server.ts';
import { onOneLine, sayJson, sayList } from './text-table.ts';

const row = commandRows.renders;

export const rendersCommand = serverCommand('renders', {
  async list(client, _args, { status, template, batch, limit = '20', json }) {
    const most = Number(limit);
    if (!/^\d+$/.test(limit) || most < 1) {
      throw new CommandError(`--limit: Expected a whole number of at least 1, found '${limit}'.`);
    }
    const found: ListedRender[] = [];
    const wanted = {
      status: isStatus(status) ? status : undefined,
      template_id: template === undefined ? undefined : (await knownTemplate(client, template)).id,
      batch_id: batch,
      limit: Math.min(most, 100),
    };
    for await (const render of client.renders.all(wanted)) {
      found.push(render);
      if (found.length === most) break;
    }
    const heads = ['ID', 'STATUS', 'TEMPLATE', 'FILE'];
    const cellsOf = ({ id, status, template_name = '', url }: ListedRender): string[] => [
      id,
      status,
      template_name,
      url,
    ];
    sayList(found, json, heads, cellsOf, 'There are no such renders.');
  },

  async get(client, [id = '', file]) {
    const render = await client.renders.get(id);
    if (file === undefined) {
      sayJson(render);
      return;
    }
    if (render.status !== 'succeeded')
      throw new CommandError(`Render ${id} has no file: ${stateOf(render)}.`);
    const bytes = await client.renders.download(render);
    try {
      writeFileSync(file, bytes);
    } catch (error) {
      throw new CommandError(`${file} can't be written.`, { cause: error });
    }
  },

  async watch(client, [id], { json }) {
    let last: Render['status'] | null = null;
    if (id !== undefined) last = (await client.renders.get(id)).status;
    for await (const event of client.renders.follow(id)) {
      const line = json ? JSON.stringify(event) : lineOf(event);
      if (line !== null) console.log(line);
      if (event.event === 'render' && event.data.id === id) last = event.data.status;
    }
    return last === 'failed' ? 1 : 0;
  },

  async cancel(client, ids) {
    for (const id of ids) console.log(`${id} ${stateOf(await client.renders.cancel(id))}`);
  },
});

function stateOf({ status, error_message: why }: Pick<Render, 'status' | 'error_message'>): string {
  return why === undefined ? status : `${status}: ${onOneLine(why)}`;
}

/** The line to print for an event; null: none. */
function lineOf({ event, data }: RenderEvent): string | null {
  switch (event) {
    case 'render':
      return `${data.id} ${stateOf(data)}${data.status === 'succeeded' ? ` ${data.url}` : ''}`;
    case 'progress':
      return `${data.id} ${data.phase} ${Math.floor(data.percent)} %`;
    case 'removed':
      return `${data.id} removed`;
    case 'ready':
      return null;
  }
}

const statuses: readonly string[] = row.options[0].choices;

/** readOptions has checked it. */
function isStatus(word: string | undefined): word is Render['status'] {
  return word !== undefined && statuses.includes(word);
}
