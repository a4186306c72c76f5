/** The data folder as a whole: locked, checked for its format, opened, closed. */
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { StartError } from '../start-error.ts';
import { errorCode, writeWhole } from './files.ts';
import { KeyStore } from './keys.ts';
import { lockFolder } from './lock.ts';
import { RenderStore } from './renders.ts';
import { SettingStore } from './settings.ts';
import { TemplateStore } from './templates.ts';

/** The form of the data files that this version writes. Raise it with every change that an older version can't read. */
const currentFormat = 1;

const formatFile = z.object({ format: z.number().int() });

/** Everything that is kept. */
export interface Store {
  readonly renders: RenderStore;
  readonly templates: TemplateStore;
  readonly keys: KeyStore;
  readonly settings: SettingStore;
  /** What had to be repaired, for people. */
  readonly notices: readonly string[];
  /** Waits for changes under way and releases the folder. */
  close(): Promise<void>;
}

/** The data folder can't be used by this version. */
export class DataFormatError extends StartError {
  override readonly name = 'DataFormatError';
}

/**
 * Opens a data folder, making it if needed.
 *
 * @throws FolderInUseError when another program has it, DataFormatError when a newer version wrote it.
 */
export async function openStore(dataFolder: string, log: Log, clock: Clock): Promise<Store> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const unlock = await lockFolder(dataFolder);
  try {
    const folder = path.join(dataFolder, 'store');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await checkFormat(path.join(folder, 'format.json'));
    const [renders, templates, keys, settings] = await Promise.all([
      RenderStore.open(folder, log),
      TemplateStore.open(folder, log, clock),
      KeyStore.open(folder, log, clock),
      SettingStore.open(folder, log),
    ]);
    const collections = [renders, templates, keys, settings];
    const notices = collections.flatMap((collection) => collection.notices);
    for (const notice of notices) log('warning', 'store', notice);
    return {
      renders,
      templates,
      keys,
      settings,
      notices,
      async close() {
        await Promise.all(collections.map((collection) => collection.close()));
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** Refuses data of a newer version without touching it. */
async function checkFormat(file: string): Promise<void> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    await writeWhole(file, `${JSON.stringify({ format: currentFormat })}\n`);
    return;
  }
  const { format } = formatFile.parse(JSON.parse(text));
  if (format > currentFormat) {
    throw new DataFormatError(
      `The data in ${path.dirname(file)} was made by a newer version of the app (format ${format}, this version knows ${currentFormat}).`,
    );
  }
}
