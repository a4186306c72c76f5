/** `framewright projects`: lists, makes and changes the projects of a running server; `keys` is about their keys. */
import type { Framewright, Project, WebhookSecret } from '../../client/index.ts';
import { commandRows } from './command-rows.ts';
import { named, serverClient } from './running-server.ts';
import { actionOf, readOptions } from './option-rows.ts';
import { onOneLine, sayJson, sayTable } from './text-table.ts';
import { saySecret } from './webhooks.ts';

const row = commandRows.projects;
type Action = (client: Framewright, args: readonly string[], isJson: boolean) => Promise<void>;

/** @returns the exit status. @throws CommandError, FramewrightError. */
export async function projectsCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(row, args);
  const { action, rest } = actionOf('projects', row, positionals);
  await actions[action](serverClient(values).client, rest, values.json === true);
  return 0;
}

async function projectNamed({ projects }: Framewright, word: string): Promise<Project> {
  return named(await projects.list(), word, { kind: 'project', listing: 'projects list' });
}

function say(done: string, project: Project, isJson: boolean): void {
  if (isJson) sayJson(project);
  else console.log(`${done} ${onOneLine(project.name)} (${project.id})`);
}

/** An action about the secret of a project. */
const secretAction =
  (ask: (client: Framewright, id: string) => Promise<WebhookSecret | null>): Action =>
  async (client, [word = ''], isJson) => {
    saySecret(await ask(client, (await projectNamed(client, word)).id), isJson);
  };

const actions: Readonly<Record<ReturnType<typeof actionOf<typeof row>>['action'], Action>> = {
  async list({ projects }, _args, isJson) {
    const all = await projects.list();
    if (isJson) sayJson(all);
    else {
      const rows = all.map(({ id, name, keys, webhook_url: url = '' }) => [
        id,
        name,
        `${keys.length}`,
        url,
      ]);
      sayTable(['ID', 'NAME', 'KEYS', 'WEBHOOKS TO'], rows, 'There are no projects.');
    }
  },

  async create({ projects }, [name = ''], isJson) {
    say('Created', await projects.create(name), isJson);
  },

  async rename(client, [word = '', name = ''], isJson) {
    const { id } = await projectNamed(client, word);
    say('Renamed', await client.projects.change(id, { name }), isJson);
  },

  async 'webhook-url'(client, [word = '', url = null], isJson) {
    const { id } = await projectNamed(client, word);
    say('Changed', await client.projects.change(id, { webhook_url: url }), isJson);
  },

  async delete(client, [word = '']) {
    const { id, name } = await projectNamed(client, word);
    await client.projects.delete(id);
    console.log(`Deleted ${onOneLine(name)} (${id})`);
  },

  secret: secretAction(({ projects }, id) => projects.webhookSecret(id)),
  rotate: secretAction(({ projects }, id) => projects.rotateWebhookSecret(id)),
  revoke: secretAction(async ({ projects }, id) => {
    await projects.revokePreviousWebhookSecret(id);
    return null;
  }),
};
