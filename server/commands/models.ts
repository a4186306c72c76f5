/** `framewright models`: lists, fetches and removes the models that recognise speech. Needs no server. */
import { speechModelNamed, speechModels, spokenLanguages } from '../../shared/speech-models.ts';
import { fetchModel, ModelNotFetched } from '../system/speech-download.ts';
import { keptModels, removeModel, usualModelFolder } from '../system/speech-folder.ts';
import { onEndSignal } from '../system/programs.ts';
import { commandRows } from './command-rows.ts';
import { actionOf, CommandError, readOptions, type Given } from './option-rows.ts';
import { ProgressLine } from './progress-line.ts';
import { sayJson, sayTable } from './text-table.ts';

const row = commandRows.models;
type Options = Given<typeof row.options>;
type Action = (folder: string, args: readonly string[], options: Options) => Promise<void>;

/** @returns the exit status. @throws CommandError. */
export async function modelsCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(row, args);
  const { action, rest } = actionOf('models', row, positionals);
  await actions[action](usualModelFolder(values.data), rest, values);
  return 0;
}

const shown = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 10e6 ? 1 : 0)} MB`;

const actions: Readonly<Record<ReturnType<typeof actionOf<typeof row>>['action'], Action>> = {
  list(folder, _args, { json }) {
    const kept = keptModels(folder);
    const isThere = (name: string): boolean => kept.some((model) => model.name === name);
    const dropped = kept.filter((model) => model.row === undefined);
    if (json) {
      sayJson([
        ...speechModels.map((model) => ({ ...model, there: isThere(model.name) })),
        ...dropped.map(({ name, path: file, bytes }) => ({ name, file, bytes, there: true })),
      ]);
      return Promise.resolve();
    }
    const rows = [
      ...speechModels.map(({ name, bytes, quality, speed }) => [
        ...[name, shown(bytes), isThere(name) ? 'here' : '', quality, speed],
      ]),
      ...dropped.map(({ name, bytes }) => [name, shown(bytes), 'here', 'a file of yours', '']),
    ];
    sayTable(['NAME', 'SIZE', '', 'QUALITY', 'SPEED'], rows, '');
    console.log(`\nThey know ${spokenLanguages.length} languages, and are kept in ${folder}`);
    return Promise.resolve();
  },

  async get(folder, names, { mirror, json }) {
    const end = new AbortController();
    onEndSignal(() => end.abort(new CommandError('Stopped; the next get goes on from here.')));
    const models = names.map((name) => speechModelNamed(name) ?? unknown(name));
    const got = [];
    for (const model of models) {
      const line = new ProgressLine(`Fetching ${model.name}`);
      try {
        const file = await fetchModel(model, {
          ...{ folder, mirror: mirror ?? null, signal: end.signal },
          onProgress: (bytes) => line.show(bytes / model.bytes),
        });
        got.push({ name: model.name, file });
        line.end();
        if (!json) console.log(`${model.name} is there: ${file}`);
      } catch (error) {
        line.end();
        if (error instanceof ModelNotFetched)
          throw new CommandError(error.message, { code: 'model_not_fetched', cause: error });
        throw error;
      }
    }
    if (json) sayJson(got);
  },

  remove(folder, names) {
    for (const name of names) {
      const known = speechModelNamed(name)?.name ?? name;
      if (!removeModel(folder, known)) unknown(name, folder);
      console.log(`Removed ${known}`);
    }
    return Promise.resolve();
  },
};

function unknown(name: string, folder?: string): never {
  const names = (folder === undefined ? speechModels : keptModels(folder)).map(
    (model) => model.name,
  );
  const place = folder === undefined ? '' : ` in ${folder}`;
  const there = names.length === 0 ? 'none' : names.join(', ');
  throw new CommandError(`There is no model '${name}'${place}. Expected one of: ${there}.`);
}
