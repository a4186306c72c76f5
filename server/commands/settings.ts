/** `framewright settings`: reads and changes the settings of a running server. */
import type { ChangeSettings, Settings } from '../../client/index.ts';
import { commandRows } from './command-rows.ts';
import { actionOf, CommandError, readOptions } from './option-rows.ts';
import { serverClient } from './running-server.ts';
import { onOneLine, sayTable } from './text-table.ts';

const row = commandRows.settings;

/** @returns the exit status. @throws CommandError, FramewrightError. */
export async function settingsCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(row, args);
  const { action, rest } = actionOf('settings', row, positionals);
  const { settings } = serverClient(values).client;
  const [name = '', ...texts] = rest;
  const now = await settings.get();
  if (action === 'list') {
    if (values.json) console.log(JSON.stringify(now, null, 2));
    else sayTable(['NAME', 'VALUE'], Object.entries(now).map(rowOf), 'There are no settings.');
    return 0;
  }
  const found = valueOf(now, name);
  if (action === 'get') {
    console.log(values.json ? JSON.stringify(found) : textOf(found));
    return 0;
  }
  // The server knows what each may be.
  const change: ChangeSettings = { [name]: given(name, texts, Array.isArray(found)) };
  const value = valueOf(await settings.change(change), name);
  console.log(values.json ? JSON.stringify(value) : `${name}: ${onOneLine(textOf(value))}`);
  return 0;
}

const rowOf = ([name, value]: readonly [string, unknown]): readonly string[] => [
  name,
  textOf(value),
];

function valueOf(settings: Settings, name: string): unknown {
  const found = Object.entries(settings).find(([one]) => one === name);
  if (found) return found[1];
  throw new CommandError(
    `There is no setting '${name}'. framewright settings list shows those that there are.`,
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What is typed: JSON, or a text as it is. */
function given(name: string, texts: readonly string[], isList: boolean): unknown {
  const values = texts.map((text): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  });
  const [first] = values;
  if (values.length === 1) return isList && !Array.isArray(first) ? [first] : first;
  if (isList) return values;
  throw new CommandError(`${name}: Expected one value, found ${values.length}.`);
}
