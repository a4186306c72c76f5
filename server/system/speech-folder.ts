/** The folder of speech models, and those that are in it. Server, worker's start messages and command line. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { speechModelNamed, speechModels, type SpeechModel } from '../../shared/speech-models.ts';
import { defaultDataFolder, desktopDataFolder } from './paths.ts';

/** The name of a model whose file the table does not know. */
export const nameOfFile = (file: string): string => file.replace(/^ggml-|\.bin$/g, '');

/** A model that is there. */
export interface KeptModel {
  /** As in the table; of a file that was dropped in, its name without `ggml-` and `.bin`. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  /** Its row; absent = a file that the table does not know. */
  readonly row?: SpeechModel;
}

/**
 * Where models are: `FRAMEWRIGHT_MODELS`, which several programs may share, else below a data folder.
 *
 * @param dataFolder of the server, or where commands without one keep theirs
 */
export function modelFolder(dataFolder: string, environment = process.env): string {
  const named = environment['FRAMEWRIGHT_MODELS']?.trim() ?? '';
  return named === '' ? path.join(dataFolder, 'models') : path.resolve(named);
}

/**
 * The folder of commands that need no server: below the data folder that is named, else below that of the server or of
 * the desktop program, whichever has models.
 */
export function usualModelFolder(dataFolder?: string): string {
  if (dataFolder !== undefined) return modelFolder(path.resolve(dataFolder));
  const folders = [defaultDataFolder(), desktopDataFolder()].map((data) => modelFolder(data));
  return (
    folders.find((folder) => keptModels(folder).length > 0) ?? modelFolder(defaultDataFolder())
  );
}

/** Removes a model, and what was fetched of it. @returns whether there was something */
export function removeModel(folder: string, name: string): boolean {
  const file = speechModelNamed(name)?.file;
  const kept = keptModels(folder).find((model) => model.name === name)?.path;
  const places = [kept ?? [], file === undefined ? [] : path.join(folder, `${file}.part`)].flat();
  const found = places.filter((place) => existsSync(place));
  for (const place of found) rmSync(place);
  return found.length > 0;
}

/** Bytes of models of the table that were fetched in part, by name. */
export function begunModels(folder: string): { readonly name: string; readonly bytes: number }[] {
  return speechModels.flatMap(({ name, file }) => {
    const facts = statSync(path.join(folder, `${file}.part`), { throwIfNoEntry: false });
    return facts?.isFile() ? { name, bytes: facts.size } : [];
  });
}

/** The models of a folder, those of the table first and in its order. None where there is no folder. */
export function keptModels(folder: string): KeptModel[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  const found = names.flatMap((file): KeptModel[] => {
    if (!file.endsWith('.bin')) return [];
    const place = path.join(folder, file);
    const facts = statSync(place, { throwIfNoEntry: false });
    if (!facts?.isFile()) return [];
    const row = speechModelNamed(file);
    const name = row?.name ?? nameOfFile(file);
    const model = { name, path: place, bytes: facts.size };
    return [row ? { ...model, row } : model];
  });
  const placeOf = ({ row }: KeptModel): number => (row ? speechModels.indexOf(row) : Infinity);
  return found.sort((a, b) => placeOf(a) - placeOf(b) || a.name.localeCompare(b.name));
}

/**
 * The model that recognises speech, and the one that finds voices.
 *
 * @param wanted its name; null = the best of the table that is there, else a file that was dropped in
 * @returns null without one
 */
export function chosenModel(
  folder: string,
  wanted: string | null,
): { readonly model: KeptModel; readonly voices?: KeptModel } | null {
  const kept = keptModels(folder);
  const hearing = kept.filter(({ row }) => row?.hears !== false);
  const named = speechModelNamed(wanted ?? '')?.name ?? wanted;
  const known = hearing.filter(({ row }) => row !== undefined);
  const model =
    wanted === null ? (known.at(-1) ?? hearing[0]) : hearing.find(({ name }) => name === named);
  if (!model) return null;
  const voices = kept.find(({ row }) => row?.hears === false);
  return voices ? { model, voices } : { model };
}
