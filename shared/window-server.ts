/**
 * Answers of the window's private path (`/api`) about the server itself: its state and settings, projects and their
 * keys, requests to the API; reached through api.ts.
 */
import type { ApiProblem } from './api/state.ts';
import type { JsonObject } from './renderscript/source.ts';

/** The header that carries the window's token. */
export const windowTokenHeader = 'x-framewright-token';

/** Settings that the user can change, with their current effect. Answer of `GET /api/settings/all`. */
export interface SettingsRecord {
  /** In force now. */
  readonly port: number;
  /** The address that the API listens at; `127.0.0.1`: this computer alone. */
  readonly host: string;
  /** Extra names that the API answers to, e.g. `server.lan`. */
  readonly allowedHosts: readonly string[];
  /** The address that links begin with, e.g. `https://films.example.com`; null: the one that a request used. */
  readonly publicUrl: string | null;
  /** Whether the headers of a proxy say which address a request used. */
  readonly trustProxy: boolean;
  /**
   * Whether media and webhooks may reach this computer and its network; null: while the API listens to this computer
   * alone and knows of no proxy.
   */
  readonly allowPrivateAddresses: boolean | null;
  /** The current effect of that. */
  readonly reachesPrivate: boolean;
  /** IP addresses that this computer has in its networks, IPv4 first. */
  readonly addresses: readonly string[];
  readonly outputFolder: string;
  /** Where the desktop's "Save a copy" opens; null: the system's choice. */
  readonly copyFolder: string | null;
  /** Where backups that the user makes go; null: into the data folder. */
  readonly backupFolder: string | null;
  readonly mediaFolders: readonly string[];
  /** Web pages that may call the API, e.g. `http://localhost:3000`. */
  readonly allowedOrigins: readonly string[];
  /** Null: the program finds one. */
  readonly ffmpegPath: string | null;
  /** Paths of whisper.cpp's program and model; null: from the environment. */
  readonly transcriber: string | null;
  readonly transcriberModel: string | null;
  readonly rateLimit: boolean;
  readonly concurrency: number;
  readonly concurrencyLimit: number;
  /** Null: unlimited. */
  readonly creditAllowance: number | null;
  readonly creditsUsed: number;
  /** The API is on from the start of the program. */
  readonly startApi: boolean;
  /** How many API requests the log keeps. */
  readonly requestLogSize: number;
  /** How many earlier versions of each template are kept. */
  readonly templateVersions: number;
  /** With fewer free bytes on the output drive nothing starts; 0: no limit. */
  readonly freeSpaceLimit: number;
  /** Nothing starts while the computer runs on a low battery. */
  readonly pauseOnBattery: boolean;
  /** The desktop keeps the computer from sleeping while something renders. */
  readonly keepAwake: boolean;
  /** How many threads paint one film; null: as many as pay. */
  readonly paintingThreads: number | null;
  readonly renderPriority: RenderPriority;
  /** Bytes of downloads kept between renders; 0: none. */
  readonly cacheLimit: number;
  /** Set at the program's start; these can't be changed here. */
  readonly fixed: readonly FixedSetting[];
  /** List entries named at the program's start in addition to the stored ones; they can't be removed here. */
  readonly started: StartedLists;
  readonly dataFolder: string;
}

/** `low`: renders wait for the server and for other programs; `normal`: they take turns like all others. */
export const renderPriorities = ['low', 'normal'] as const;

export type RenderPriority = (typeof renderPriorities)[number];

/** Settings lists to which the program's start can add. */
export type StartedLists = Readonly<Record<'allowedHosts' | 'mediaFolders', readonly string[]>>;

/** A setting that can be named at the program's start. */
export type FixedSetting =
  | 'port'
  | 'host'
  | 'publicUrl'
  | 'trustProxy'
  | 'allowPrivateAddresses'
  | 'outputFolder'
  | 'ffmpegPath'
  | 'rateLimit'
  | 'concurrency';

/** Answer of `POST /api/settings/ffmpeg-test`. */
export type FfmpegTest =
  | { readonly works: true; readonly version: string }
  | { readonly works: false; readonly reason: string };

/** Answer of `POST /api/settings/port-test`. `own`: the API has it; otherwise as in `ApiProblem`. */
export interface PortTest {
  readonly found: 'free' | 'own' | ApiProblem['reason'];
}

/**
 * What the window remembers about itself: theme, language, columns, the chosen project. Only the window reads it all.
 */
export type Preferences = JsonObject;
