/** `framewright webhooks`: deliveries of a running server, and the secret that its webhooks are signed with. */
import type { Framewright, WebhookDelivery, WebhookSecret } from '../../client/index.ts';
import { commandRows } from './command-rows.ts';
import { actionOf, readOptions } from './option-rows.ts';
import { serverClient } from './running-server.ts';
import { sayJson, sayTable } from './text-table.ts';

const row = commandRows.webhooks;

/** @returns the exit status. @throws CommandError, FramewrightError. */
export async function webhooksCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(row, args);
  const { action, rest } = actionOf('webhooks', row, positionals);
  await actions[action](serverClient(values).client, values.json === true, rest);
  return 0;
}

/** Prints a secret; null: there is nothing to tell. */
export function saySecret(secret: WebhookSecret | null, isJson: boolean): void {
  if (isJson) sayJson(secret ?? {});
  else if (secret) console.log(secret.secret);
  if (secret?.previous_until !== undefined && !isJson)
    console.error(`The secret before signs, too, until ${secret.previous_until}.`);
}

type Action = (client: Framewright, isJson: boolean, args: readonly string[]) => Promise<void>;

const actions: Readonly<Record<ReturnType<typeof actionOf<typeof row>>['action'], Action>> = {
  async deliveries({ webhooks }, isJson) {
    const all = await webhooks.deliveries();
    if (isJson) sayJson(all);
    else {
      const heads = ['ID', 'CREATED', 'STATE', 'TRIES', 'LAST ANSWER', 'TO'];
      sayTable(heads, all.map(deliveryCells), 'There are no deliveries.');
    }
  },
  async retry({ webhooks }, isJson, ids) {
    const sent = [];
    for (const id of ids) {
      sent.push(await webhooks.retry(id));
      if (!isJson) console.log(`Sending ${id} again`);
    }
    if (isJson) sayJson(sent);
  },
  async secret({ webhooks }, isJson) {
    saySecret(await webhooks.secret(), isJson);
  },
  async rotate({ webhooks }, isJson) {
    saySecret(await webhooks.rotateSecret(), isJson);
  },
  async revoke({ webhooks }, isJson) {
    await webhooks.revokePreviousSecret();
    saySecret(null, isJson);
  },
};

function deliveryCells(delivery: WebhookDelivery): readonly string[] {
  const { id, created_at, state, tries, result = '', url } = delivery;
  return [id, created_at.slice(0, 16), state.replace('_', ' '), `${tries}`, result, url];
}
