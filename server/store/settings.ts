/** Facts about the data folder itself, one record each; only the samples' so far. */
import path from 'node:path';
import { z } from 'zod';
import type { Log } from '../log.ts';
import { Collection } from './database.ts';

const settingDoc = z.object({ _id: z.literal('samples'), loaded: z.literal(true) });

/** The settings of the data folder. */
export class SettingStore {
  readonly #collection: Collection<z.infer<typeof settingDoc>>;

  private constructor(collection: Collection<z.infer<typeof settingDoc>>) {
    this.#collection = collection;
  }

  /** Opens `settings.db` in a folder. */
  static async open(folder: string, log: Log): Promise<SettingStore> {
    const file = path.join(folder, 'settings.db');
    return new SettingStore(await Collection.open({ file, schema: settingDoc, log }));
  }

  get notices(): readonly string[] {
    return this.#collection.notices;
  }

  /** True once the sample templates were brought in; they don't come back after someone deleted them. */
  get samplesLoaded(): boolean {
    return this.#collection.find('samples') !== null;
  }

  async markSamplesLoaded(): Promise<void> {
    if (!this.samplesLoaded) {
      await this.#collection.insert({ _id: 'samples', loaded: true });
    }
  }

  close(): Promise<void> {
    return this.#collection.close();
  }
}
