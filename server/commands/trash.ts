/** `framewright trash`: deleted templates of a running server: lists them, brings them back, deletes them for good. */
import type { DeletedTemplate, Framewright } from '../../client/index.ts';
import { counted } from '../../shared/counted.ts';
import { commandRows } from './command-rows.ts';
import { allNamed, type NamedKind, serverClient } from './running-server.ts';
import { actionOf, readOptions } from './option-rows.ts';
import { onOneLine, sayJson, sayTable } from './text-table.ts';

const row = commandRows.trash;
type Action = (client: Framewright, names: readonly string[], isJson: boolean) => Promise<void>;

/** @returns the exit status. @throws CommandError, FramewrightError. */
export async function trashCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(row, args);
  const { action, rest } = actionOf('trash', row, positionals);
  await actions[action](serverClient(values).client, rest, values.json === true);
  return 0;
}

const deletedKind = (listing: string): NamedKind<DeletedTemplate> => ({
  kind: 'deleted template',
  listing,
  facts: ({ deleted_at }) => `, deleted ${deleted_at.slice(0, 16)}`,
});

/** Prints what can be restored, and until when. */
export async function listDeleted({ templates }: Framewright, isJson: boolean): Promise<void> {
  const all = await templates.deleted();
  if (isJson) {
    sayJson(all);
    return;
  }
  const rows = all.map(({ id, name, deleted_at, expires_at }) => [
    id,
    name,
    deleted_at.slice(0, 16),
    expires_at.slice(0, 10),
  ]);
  sayTable(['ID', 'NAME', 'DELETED', 'GONE ON'], rows, 'There are no deleted templates.');
}

/** Brings templates back. @param listing The command that lists them. */
export async function restoreDeleted(
  { templates }: Framewright,
  names: readonly string[],
  isJson: boolean,
  listing: string,
): Promise<void> {
  const restored = [];
  for (const { id } of allNamed(await templates.deleted(), names, deletedKind(listing))) {
    const template = await templates.restore(id);
    restored.push(template);
    if (!isJson) console.log(`Restored ${onOneLine(template.name)} (${id})`);
  }
  if (isJson) sayJson(restored);
}

const actions: Readonly<Record<ReturnType<typeof actionOf<typeof row>>['action'], Action>> = {
  list: (client, _names, isJson) => listDeleted(client, isJson),
  restore: (client, names, isJson) => restoreDeleted(client, names, isJson, 'trash list'),
  async delete({ templates }, names) {
    for (const { id, name } of allNamed(
      await templates.deleted(),
      names,
      deletedKind('trash list'),
    )) {
      await templates.purge(id);
      console.log(`Deleted ${onOneLine(name)} (${id}) for good`);
    }
  },
  async empty({ templates }) {
    const all = await templates.deleted();
    for (const { id } of all) await templates.purge(id);
    console.log(`Deleted ${counted(all.length, 'template')} for good`);
  },
};
