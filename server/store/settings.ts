/** Facts about the data folder itself and the settings of the server, one record for each group. */
import { z } from 'zod';
import { renderPriorities } from '../../shared/api.ts';
import { languageOf, type Language } from '../../shared/languages.ts';
import { cacheLimit, outputLimits, requestLogLimits, versionLimits } from '../../shared/limits.ts';
import type { RecordKeeper, Records } from './records.ts';
import type { StoreNotice } from './repair.ts';

const samplesDoc = z.object({ _id: z.literal('samples'), loaded: z.literal(true) });
/**
 * The server's settings: what each means, its form and its default. ARCHITECTURE.md names the other files of a new one.
 */
const serverSettings = z.object({
  /** Credits for the renders of 30 days; null: unlimited, the default. */
  creditAllowance: z.number().nullable().default(null),
  /** How many renders may run at once; null: as given at the start. */
  concurrency: z.number().nullable().default(null),
  /** Renders stay planned. */
  queuePaused: z.boolean().default(false),
  /** Nothing that has expired is removed. */
  deletionPaused: z.boolean().default(false),
  /** Web pages that may call the API, e.g. `http://localhost:3000`. */
  allowedOrigins: z.array(z.string()).readonly().default([]),
  /** Path of whisper.cpp's program, which transcribes for captions; null: as the environment says. */
  transcriber: z.string().nullable().default(null),
  /** Path of its model; null: as the environment says. */
  transcriberModel: z.string().nullable().default(null),
  /** Port of the API; null: as given at the start. */
  port: z.number().nullable().default(null),
  /** The address that the API listens at, e.g. `0.0.0.0`; null: as given at the start. */
  host: z.string().nullable().default(null),
  /** Extra names that the API answers to, e.g. `server.lan`, perhaps with a port. */
  allowedHosts: z.array(z.string()).readonly().default([]),
  /**
   * The address that all links begin with, e.g. `https://films.example.com/framewright`; null: as given at the start.
   */
  publicUrl: z.string().nullable().default(null),
  /** Whether `X-Forwarded-Host` and `X-Forwarded-Proto` of a proxy are read; null: as given at the start. */
  trustProxy: z.boolean().nullable().default(null),
  /**
   * Whether media and webhooks may reach this computer and its network; null: while only this computer reaches the API.
   */
  allowPrivateAddresses: z.boolean().nullable().default(null),
  /** Where the files of renders go; null: as given at the start. */
  outputFolder: z.string().nullable().default(null),
  /** Earlier output folders, which still contain older files. */
  earlierOutputFolders: z.array(z.string()).readonly().default([]),
  /** Where the desktop's "Save a copy" opens; null: the system's choice. */
  copyFolder: z.string().nullable().default(null),
  /** More folders that `file:` and relative sources may lie in, beside those given at the start. */
  mediaFolders: z.array(z.string()).readonly().default([]),
  /** The ffmpeg to use; null: as given at the start, else the program finds one. */
  ffmpegPath: z.string().nullable().default(null),
  /** False: any number of requests is answered; null: as given at the start. */
  rateLimit: z.boolean().nullable().default(null),
  /** True if the API is on from the start; a port named at the start opens it in any case. */
  startApi: z.boolean().default(true),
  /** How many API requests the log keeps. */
  requestLogSize: z.number().default(requestLogLimits.usual),
  /** No render starts while the computer runs on a low battery (`batteryLimit`). */
  pauseOnBattery: z.boolean().default(true),
  /** No render starts with fewer free bytes on the output drive; 0: no limit. */
  freeSpaceLimit: z.number().default(outputLimits.freeBytes),
  /** The desktop keeps the computer from sleeping while something renders. */
  keepAwake: z.boolean().default(true),
  /** How many earlier versions of each template are kept; 0: none. */
  templateVersions: z.number().default(versionLimits.usual),
  /** How many threads paint the frames of one film; null: as many as pay. */
  paintingThreads: z.number().nullable().default(null),
  /** How rendering takes turns with other programs. */
  renderPriority: z.enum(renderPriorities).default('low'),
  /** Bytes of downloads that are kept between renders; 0: none. */
  cacheLimit: z.number().default(cacheLimit),
  /** Where backups that the user makes go, in a folder of their own; null: into the data folder. */
  backupFolder: z.string().nullable().default(null),
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
