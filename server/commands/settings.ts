/** `framewright settings`: reads and changes the settings of a running server. */
import type { ChangeSettings, Settings } from '../../client/index.ts';
import { CommandError } from './option-rows.ts';
import { serverCommand } from './running-server.ts';
import { onOneLine, sayJson, sayTable } from './text-table.ts';

export const settingsCommand = serverCommand('settings', {
  async list({ settings }, _args, { json }) {
    const now = await settings.get();
    if (json) sayJson(now);
    else {
      const rows = Object.entries(now).map(([name, value]) => [name, textOf(value)]);
      sayTable(['NAME', 'VALUE'], rows, 'There are no settings.');
    }
  },

  async get({ settings }, [name = ''], { json }) {
    const found = valueOf(await settings.get(), name);
    console.log(json ? JSON.stringify(found) : textOf(found));
  },

  async set({ settings }, [name = '', ...texts], { json }) {
    const isList = Array.isArray(valueOf(await settings.get(), name));
    // The server knows what each may be.
    const change: ChangeSettings = { [name]: given(name, texts, isList) };
    const value = valueOf(await settings.change(change), name);
    console.log(json ? JSON.stringify(value) : `${name}: ${onOneLine(textOf(value))}`);
  },
});

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
