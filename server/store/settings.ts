/** Facts about the data folder itself and the settings of the server, one record for each group. */
import path from 'node:path';
import { z } from 'zod';
import { outputLimits, requestLogLimits } from '../../shared/limits.ts';
import type { Log } from '../log.ts';
import { Collection } from './database.ts';
import type { StoreHealth } from './health.ts';
import type { StoreNotice } from './repair.ts';

const samplesDoc = z.object({ _id: z.literal('samples'), loaded: z.literal(true) });
const serverSettings = z.object({
  creditAllowance: z.number().nullable(),
  concurrency: z.number().nullable(),
  queuePaused: z.boolean(),
  deletionPaused: z.boolean(),
  allowedOrigins: z.array(z.string()).readonly().default([]),
  transcriber: z.string().nullable().default(null),
  transcriberModel: z.string().nullable().default(null),
  port: z.number().nullable().default(null),
  host: z.string().nullable().default(null),
  allowedHosts: z.array(z.string()).readonly().default([]),
  allowPrivateAddresses: z.boolean().nullable().default(null),
  outputFolder: z.string().nullable().default(null),
  earlierOutputFolders: z.array(z.string()).readonly().default([]),
  copyFolder: z.string().nullable().default(null),
  mediaFolders: z.array(z.string()).readonly().default([]),
  ffmpegPath: z.string().nullable().default(null),
  rateLimit: z.boolean().nullable().default(null),
  startApi: z.boolean().default(true),
  requestLogSize: z.number().default(requestLogLimits.usual),
  pauseOnBattery: z.boolean().default(true),
  freeSpaceLimit: z.number().default(outputLimits.freeBytes),
  keepAwake: z.boolean().default(true),
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

/** What can be set. */
export interface ServerSettings {
  /** Credits for the renders of 30 days; null: unlimited, the default. */
  readonly creditAllowance: number | null;
  /** Renders at the same time; null: as the program was started. */
  readonly concurrency: number | null;
  /** Renders stay planned. */
  readonly queuePaused: boolean;
  /** Nothing that has expired is removed. */
  readonly deletionPaused: boolean;
  /** Web pages that may call the API, e.g. `http://localhost:3000`. */
  readonly allowedOrigins: readonly string[];
  /** Names beside its own that the API answers to, e.g. `server.lan`, perhaps with a port. */
  readonly allowedHosts: readonly string[];
  /** Whether media and webhooks may reach this computer and its network; null: while only this computer reaches the API. */
  readonly allowPrivateAddresses: boolean | null;
  /** Path of whisper.cpp's program, which transcribes for captions; null: as the environment says. */
  readonly transcriber: string | null;
  /** Path of its model; null: as the environment says. */
  readonly transcriberModel: string | null;
  /** Of the API; null: as the program was started. So are the next, where they are null. */
  readonly port: number | null;
  /** The address that the API listens at, e.g. `0.0.0.0`. */
  readonly host: string | null;
  readonly outputFolder: string | null;
  /** Output folders of before; files of earlier renders still lie there. */
  readonly earlierOutputFolders: readonly string[];
  /** Where the desktop's "Save a copy" begins; null: where the system thinks best. */
  readonly copyFolder: string | null;
  /** Folders that `file:` and relative sources may lie in, beside those of the start. */
  readonly mediaFolders: readonly string[];
  readonly ffmpegPath: string | null;
  /** False answers any number of requests. */
  readonly rateLimit: boolean | null;
  /** The API is on from the start of the program; a port that the start names opens it in any case. */
  readonly startApi: boolean;
  /** Requests to the API that are kept to be looked at. */
  readonly requestLogSize: number;
  /** No render is begun while the computer runs on a battery that is low (`batteryLimit`). */
  readonly pauseOnBattery: boolean;
  /** Free bytes of the output drive below which no render is begun; 0: never mind. */
  readonly freeSpaceLimit: number;
  /** The desktop keeps the computer from sleeping while something renders. */
  readonly keepAwake: boolean;
}

const defaults: ServerSettings = {
  creditAllowance: null,
  concurrency: null,
  queuePaused: false,
  deletionPaused: false,
  allowedOrigins: [],
  transcriber: null,
  transcriberModel: null,
  port: null,
  host: null,
  allowedHosts: [],
  allowPrivateAddresses: null,
  outputFolder: null,
  earlierOutputFolders: [],
  copyFolder: null,
  mediaFolders: [],
  ffmpegPath: null,
  rateLimit: null,
  startApi: true,
  requestLogSize: requestLogLimits.usual,
  pauseOnBattery: true,
  freeSpaceLimit: outputLimits.freeBytes,
  keepAwake: true,
};

/** The settings of the data folder. */
export class SettingStore {
  readonly #collection: Collection<SettingDoc>;

  private constructor(collection: Collection<SettingDoc>) {
    this.#collection = collection;
  }

  /** Opens `settings.db` in a folder. */
  static async open(folder: string, log: Log, health?: StoreHealth): Promise<SettingStore> {
    const file = path.join(folder, 'settings.db');
    return new SettingStore(await Collection.open({ file, schema: settingDoc, log, health }));
  }

  get notices(): readonly StoreNotice[] {
    return this.#collection.notices;
  }

  /** True once the sample templates were brought in; they don't come back after someone deleted them. */
  get samplesLoaded(): boolean {
    return this.#collection.find('samples') !== null;
  }

  async markSamplesLoaded(): Promise<void> {
    if (!this.samplesLoaded) {
      await this.#collection.write({ _id: 'samples', loaded: true });
    }
  }

  /** As set, or the defaults. */
  get values(): ServerSettings {
    const doc = this.#collection.find('server');
    if (doc?._id !== 'server') return defaults;
    return serverSettings.parse(doc);
  }

  /**
   * Sets what is given, or what a function makes of the settings before; the others keep what they are at that moment.
   *
   * @returns the settings from now on. @throws ApiError `cannot_save`.
   */
  async change(
    values: Partial<ServerSettings> | ((before: ServerSettings) => Partial<ServerSettings>),
  ): Promise<ServerSettings> {
    const changed = await this.#collection.put('server', (doc) => {
      const before = doc?._id === 'server' ? serverSettings.parse(doc) : defaults;
      const given = typeof values === 'function' ? values(before) : values;
      return serverDoc.parse({ ...before, ...given, _id: 'server' });
    });
    return serverSettings.parse(changed);
  }

  /** The theme that was chosen in the window; null follows the system. */
  get theme(): 'light' | 'dark' | null {
    const { theme } = JSON.parse(this.preferences) as { theme?: unknown };
    return theme === 'light' || theme === 'dark' ? theme : null;
  }

  /** JSON text of what the window remembers about itself; `{}` at first. */
  get preferences(): string {
    const doc = this.#collection.find('window');
    return doc?._id === 'window' ? doc.preferences : '{}';
  }

  /** @throws ApiError `cannot_save`. */
  async setPreferences(preferences: string): Promise<void> {
    await this.#collection.write({ _id: 'window', preferences });
  }

  /** Wall times of the last looks for expired things, oldest first, in ms since 1970; empty before the first. */
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
