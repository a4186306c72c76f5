/** `framewright webhooks`: shows and replaces the secret that webhooks of a running server are signed with. */
import type { Framewright, WebhookSecret } from '../../client/index.ts';
import { commandRows } from './command-rows.ts';
import { actionOf, readOptions } from './option-rows.ts';
import { serverClient } from './running-server.ts';

const row = commandRows.webhooks;

/** @returns the exit status. @throws CommandError, FramewrightError. */
export async function webhooksCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(row, args);
  const { action } = actionOf('webhooks', row, positionals);
  const told = await actions[action](serverClient(values).client);
  if (values.json) console.log(JSON.stringify(told ?? {}, null, 2));
  else if (told) console.log(told.secret);
  if (told?.previous_until !== undefined && !values.json)
    console.error(`The secret before signs, too, until ${told.previous_until}.`);
  return 0;
}

type Action = (client: Framewright) => Promise<WebhookSecret | null>;

const actions: Readonly<Record<ReturnType<typeof actionOf<typeof row>>['action'], Action>> = {
  secret: ({ webhooks }) => webhooks.secret(),
  rotate: ({ webhooks }) => webhooks.rotateSecret(),
  async revoke({ webhooks }) {
    await webhooks.revokePreviousSecret();
    return null;
  },
};
