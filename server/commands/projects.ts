/** `framewright projects`: lists, makes and changes the projects of a running server; `keys` is about their keys. */
import type { Framewright, Project, WebhookSecret, WebhookDelivery } from '../../client/index.ts';
import { named, serverCommand, type ServerActions } from './running-server.ts';
import { onOneLine, sayJson, sayList } from './text-table.ts';

async function projectNamed({ projects }: Framewright, word: string): Promise<Project> {
  return named(await projects.list(), word, { kind: 'project', listing: 'projects list' });
}

function projectCells({ id, name, keys, webhook_url: url = '' }: Project): readonly string[] {
  return [id, name, `${keys.length}`, url];
}

function say(done: string, project: Project, isJson = false): void {
  if (isJson) sayJson(project);
  else console.log(`${done} ${onOneLine(project.name)} (${project.id})`);
}

/** An action about the secret of a project. */
const secretAction =
  (
    ask: (client: Framewright, id: string) => Promise<WebhookSecret | null>,
  ): ServerActions<'projects'>['secret'] =>
  async (client, [word = ''], { json }) => {
    saySecret(await ask(client, (await projectNamed(client, word)).id), json);
  };

export const projectsCommand = serverCommand('projects', {
  async list({ projects }, _args, { json }) {
    const heads = ['ID', 'NAME', 'KEYS', 'WEBHOOKS TO'];
    sayList(await projects.list(), json, heads, projectCells, 'There are no projects.');
  },

  async create({ projects }, [name = ''], { json }) {
    say('Created', await projects.create(name), json);
  },

  async rename(client, [word = '', name = ''], { json }) {
    const { id } = await projectNamed(client, word);
    say('Renamed', await client.projects.change(id, { name }), json);
  },

  async 'webhook-url'(client, [word = '', url = null], { json }) {
    const { id } = await projectNamed(client, word);
    say('Changed', await client.projects.change(id, { webhook_url: url }), json);
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
});

/* `framewright webhooks`: deliveries of a running server, and the secret that its webhooks are signed with. */

/** Prints a secret; null: there is nothing to tell. */
export function saySecret(secret: WebhookSecret | null, isJson = false): void {
  if (isJson) sayJson(secret ?? {});
  else if (secret) console.log(secret.secret);
  if (secret?.previous_until !== undefined && !isJson)
    console.error(`The secret before signs, too, until ${secret.previous_until}.`);
}

export const webhooksCommand = serverCommand('webhooks', {
  async deliveries({ webhooks }, _ids, { json }) {
    const heads = ['ID', 'CREATED', 'STATE', 'TRIES', 'LAST ANSWER', 'TO'];
    const all = await webhooks.deliveries();
    sayList(all, json, heads, deliveryCells, 'There are no deliveries.');
  },
  async retry({ webhooks }, ids, { json }) {
    const sent = [];
    for (const id of ids) {
      sent.push(await webhooks.retry(id));
      if (!json) console.log(`Sending ${id} again`);
    }
    if (json) sayJson(sent);
  },
  async secret({ webhooks }, _ids, { json }) {
    saySecret(await webhooks.secret(), json);
  },
  async rotate({ webhooks }, _ids, { json }) {
    saySecret(await webhooks.rotateSecret(), json);
  },
  async revoke({ webhooks }, _ids, { json }) {
    await webhooks.revokePreviousSecret();
    saySecret(null, json);
  },
});

function deliveryCells(delivery: WebhookDelivery): readonly string[] {
  const { id, created_at, state, tries, result = '', url } = delivery;
  return [id, created_at.slice(0, 16), state.replace('_', ' '), `${tries}`, result, url];
}
