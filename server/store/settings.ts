/** Facts about the data folder itself and the settings of the server (shared/settings.ts), a record for each group. */
import { z } from 'zod';
import { languageOf, type Language } from '../../shared/languages.ts';
import { storedForms } from '../../shared/settings.ts';
import type { RecordKeeper, Records } from './records.ts';
import type { StoreNotice } from './repair.ts';

const samplesDoc = z.object({ _id: z.literal('samples'), loaded: z.literal(true) });
const serverSettings = z.object({
  ...storedForms,
  /** Earlier output folders, which still contain older files. */
  earlierOutputFolders: z.array(z.string()).readonly().default([]),
});
const serverDoc = serverSettings.extend({ _id: z.literal('server') });
const clockDoc = z.object({
  _id: z.literal('clock'),
  lastLook: z.number(),
  looks: z.array(z.number()).readonly().default([]),
});
const windowDoc = z.object({ _id: z.literal('window'), preferences: z.string() });
const settingDoc = z.discriminatedUnion('_id', [samplesDoc, serverDoc, clockDoc, windowDoc]);

type SettingDoc = z.infer<typeof settingDoc>;

/** The server's settings. */
export type ServerSettings = Readonly<z.infer<typeof serverSettings>>;

/** All settings as they are at first. */
export const defaultSettings: ServerSettings = serverSettings.parse({});

/** The settings of the data folder. */
export class SettingStore {
  readonly #collection: Records<SettingDoc>;

  private constructor(collection: Records<SettingDoc>) {
    this.#collection = collection;
  }

  /** Opens the collection `settings`. */
  static async open(keeper: RecordKeeper): Promise<SettingStore> {
    return new SettingStore(await keeper.open('settings', settingDoc));
  }

  get notices(): readonly StoreNotice[] {
    return this.#collection.notices;
  }

  /** True once the sample templates have been added; deleted ones don't come back. */
  get samplesLoaded(): boolean {
    return this.#collection.find('samples') !== null;
  }

  async markSamplesLoaded(): Promise<void> {
    if (!this.samplesLoaded) {
      await this.#collection.write({ _id: 'samples', loaded: true });
    }
  }

  /** The settings, with defaults. */
  get values(): ServerSettings {
    const doc = this.#collection.find('server');
    if (doc?._id !== 'server') return defaultSettings;
    return serverSettings.parse(doc);
  }

  /**
   * Sets the given values, or those that a function makes from the current settings; the others stay.
   *
   * @returns the new settings. @throws ApiError `cannot_save`.
   */
  async change(
    values: Partial<ServerSettings> | ((before: ServerSettings) => Partial<ServerSettings>),
  ): Promise<ServerSettings> {
    const changed = await this.#collection.put('server', (doc) => {
      const before = doc?._id === 'server' ? serverSettings.parse(doc) : defaultSettings;
      const given = typeof values === 'function' ? values(before) : values;
      return serverDoc.parse({ ...before, ...given, _id: 'server' });
    });
    return serverSettings.parse(changed);
  }

  /** The theme chosen in the window; null follows the system. */
  get theme(): 'light' | 'dark' | null {
    const { theme } = JSON.parse(this.preferences) as { theme?: unknown };
    return theme === 'light' || theme === 'dark' ? theme : null;
  }

  /** The language chosen in the window; null follows the system. */
  get language(): Language | null {
    const { language } = JSON.parse(this.preferences) as { language?: unknown };
    return languageOf(language);
  }

  /** The window's preferences as JSON text; initially `{}`. */
  get preferences(): string {
    const doc = this.#collection.find('window');
    return doc?._id === 'window' ? doc.preferences : '{}';
  }

  /** @throws ApiError `cannot_save`. */
  async setPreferences(preferences: string): Promise<void> {
    await this.#collection.write({ _id: 'window', preferences });
  }

  /** Wall times of the last checks for expired things, oldest first, in ms since 1970; empty before the first. */
  get looks(): readonly number[] {
    const doc = this.#collection.find('clock');
    if (doc?._id !== 'clock') return [];
    return doc.looks.length > 0 ? doc.looks : [doc.lastLook];
  }

  /** @param looks not empty. @throws ApiError `cannot_save`. */
  async rememberLooks(looks: readonly number[]): Promise<void> {
    await this.#collection.write({ _id: 'clock', lastLook: looks.at(-1) ?? 0, looks });
  }

  close(): Promise<void> {
    return this.#collection.close();
  }
}
