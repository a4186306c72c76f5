/** `framewright renders`: the renders of a running server. */
import { writeFileSync } from 'node:fs';
import type { Framewright, ListedRender, Render, RenderEvent } from '../../client/index.ts';
import { commandRows } from './command-rows.ts';
import { actionOf, CommandError, readOptions, type Given } from './option-rows.ts';
import { knownTemplate, serverClient } from './running-server.ts';
import { onOneLine, sayTable } from './text-table.ts';

const row = commandRows.renders;
type Options = Given<typeof row.options>;
type Action = (client: Framewright, args: readonly string[], options: Options) => Promise<number>;

/** @returns the exit status. @throws CommandError, FramewrightError. */
export async function rendersCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(row, args);
  const { action, rest } = actionOf('renders', row, positionals);
  return actions[action](serverClient(values).client, rest, values);
}

const actions: Readonly<Record<ReturnType<typeof actionOf<typeof row>>['action'], Action>> = {
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
    if (json) {
      console.log(JSON.stringify(found, null, 2));
      return 0;
    }
    const rows = found.map((one) => [one.id, one.status, one.template_name ?? '', one.url]);
    sayTable(['ID', 'STATUS', 'TEMPLATE', 'FILE'], rows, 'There are no such renders.');
    return 0;
  },

  async get(client, [id = '', file]) {
    const render = await client.renders.get(id);
    if (file === undefined) {
      console.log(JSON.stringify(render, null, 2));
      return 0;
    }
    if (render.status !== 'succeeded')
      throw new CommandError(`Render ${id} has no file: ${stateOf(render)}.`);
    const bytes = await client.renders.download(render);
    try {
      writeFileSync(file, bytes);
    } catch (error) {
      throw new CommandError(`${file} can't be written.`, { cause: error });
    }
    return 0;
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
    return 0;
  },
};

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
