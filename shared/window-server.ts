/**
 * Answers of the window's private path (`/api`) about the server itself: its state and settings, projects and their
 * keys, requests to the API; reached through api.ts.
 */
import type { JsonObject } from './renderscript/source.ts';

/** The header that carries the window's token. */
export const windowTokenHeader = 'x-framewright-token';

/** What a project's templates look like: offered first wherever such a thing is chosen. */
export interface Brand {
  /** As `#rrggbb`; the first is the one of new elements. */
  readonly colors: readonly string[];
  /** Families of titles and of texts; '' for the program's own. */
  readonly titleFont: string;
  readonly textFont: string;
  /** The `source` of a picture, e.g. `media:ID` for one of the media library; '' for none. */
  readonly logo: string;
}

/** A project with its keys and secrets. */
export interface ProjectRecord {
  readonly id: string;
  readonly name: string;
  /** ms since 1970. */
  readonly createdAt: number;
  /** Called when a render ends that has no webhook address of its own. */
  readonly webhookUrl?: string;
  /** Absent: none was chosen. */
  readonly brand?: Brand;
  readonly keys: readonly { readonly id: string; readonly name: string; readonly key: string }[];
  /** The secrets that webhooks are signed with, newest first; the previous one stays for a day. */
  readonly webhookSecrets: readonly string[];
}

/** The credits of the renders that are kept. */
export interface CreditRecord {
  /** Null: unlimited. */
  readonly allowance: number | null;
  readonly used: number;
}

/** A worker of a farm, as it last said of itself. Entry of `GET /api/machines`. */
export interface MachineRecord {
  /** Of this run of its program. */
  readonly id: string;
  /** Of the computer. */
  readonly name: string;
  /** Of the program, and so of the engine. */
  readonly version: string;
  /** Absent: it has none, or has not looked yet. */
  readonly ffmpeg?: string;
  /** How many renders it works on at once. */
  readonly slots: number;
  /** IDs of those that it works on. */
  readonly renders: readonly string[];
  /** When its program started, in ms since 1970 by its own clock; absent: an older version. */
  readonly startedAt?: number;
  /** Attempts that failed there since. */
  readonly failed: number;
  /** Why the last of them did, in words. */
  readonly lastFailure?: string;
  /** Its renderer has failed to start too often: it takes no more work. */
  readonly rendererFails: boolean;
  /** When it was last heard of, in ms since 1970; absent: it lives. Its renders were given to others. */
  readonly silentSince?: number;
}

/** One request to the public API, as the list of requests shows it. */
export interface RequestEntry {
  /** Grows by one with every request of this start. */
  readonly number: number;
  /** When it came in, ms since 1970. */
  readonly time: number;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly status: number;
  /** Milliseconds until it was answered. */
  readonly duration: number;
  /** Of the answer's body. */
  readonly bytes: number;
  /** The key that was sent, if valid: its ID and name. */
  readonly key?: string;
  readonly keyName?: string;
  /** Why it was refused, in words. */
  readonly reason?: string;
  /** ID of the render that it made. */
  readonly render?: string;
}

/** One of the two bodies of a request. */
export type BodyPart = 'request' | 'answer';

/** Of a long body only the beginning is shown; the whole is `kept`, or `gone` to make room for newer ones. */
export type CutBody = 'kept' | 'gone';

/** A request with what was sent and answered. */
export interface RequestDetails extends RequestEntry {
  /** Keys are shortened to their last four characters. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody?: string;
  /** Absent for a body that is whole. */
  readonly requestCut?: CutBody;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody?: string;
  readonly responseCut?: CutBody;
}

/** Answer of `GET /api/request-limit`: requests that the rate limit allows now, and at most. Null: no limit. */
export interface RequestLimit {
  readonly left: number | null;
  readonly most: number | null;
  /** The window of the limit in milliseconds. */
  readonly window: number;
}

/** Answer of `GET /api/requests`. */
export interface RequestList {
  readonly recording: boolean;
  /** Newest first. */
  readonly requests: readonly RequestEntry[];
  /** When each key was last used, ms since 1970, by its ID; only since the program was started. */
  readonly keysUsed: Readonly<Record<string, number>>;
  /** How many requests are kept. */
  readonly size: number;
  readonly limit: RequestLimit;
}

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

/** What takes space on the disk; `cache`: what comes back by itself. In the order in which it is shown. */
export const spaceKinds = ['renders', 'media', 'fonts', 'records', 'backups', 'cache'] as const;

export type SpaceKind = (typeof spaceKinds)[number];

/** Answer of `GET /api/downloads` and of `DELETE /api/downloads`: downloads that are kept between renders. */
export interface KeptDownloads {
  readonly bytes: number;
  readonly files: number;
}

/** Answer of `GET /api/space`. */
export interface SpaceUse {
  /** All kinds. What is linked to twice counts once, where it is used. */
  readonly kinds: readonly {
    readonly kind: SpaceKind;
    readonly bytes: number;
    readonly files: number;
  }[];
}

/** Each day's first start, an upgrade, the user, or restoring another one made it. */
export type BackupKind = 'day' | 'upgrade' | 'own' | 'replaced';

/** How many records there are; templates without those in the Trash. */
export interface BackupCounts {
  readonly templates: number;
  readonly feeds: number;
  readonly renders: number;
  readonly projects: number;
  readonly keys: number;
}

/** How much a backup has of media and fonts. */
export interface BackupFiles {
  readonly files: number;
  readonly bytes: number;
}

/** A backup of the records and of the files that they name. */
export interface BackupRecord {
  /** With `place`, its ID, e.g. `day-2026-11-21`. */
  readonly name: string;
  /** In the data folder, or in `backupFolder`. */
  readonly place: 'data' | 'chosen';
  readonly kind: BackupKind;
  /** ms since 1970. */
  readonly madeAt: number;
  /** Of its records and documents. */
  readonly bytes: number;
  /** Its media and fonts, as large as they are where they have to be copied; null: it has none. */
  readonly contents: BackupFiles | null;
  /** Null: not known, as for those of earlier versions. */
  readonly counts: BackupCounts | null;
}

/** Answer of `GET /api/backups`. */
export interface BackupList {
  /** Newest first. */
  readonly backups: readonly BackupRecord[];
  /** Where the next one goes; null: the records are in a database, which has backups of its own. */
  readonly folder: string | null;
  /** What the records are now. */
  readonly now: BackupCounts | null;
}

/** What to put back: templates with their versions, and feeds; or everything. */
export type RestoredPart = 'work' | 'all';

/** Answer of `POST /api/backups/PLACE/NAME/restore`. */
export interface RestoreStart {
  /** The server starts again now, and puts the backup back; false: the next start of the program does. */
  readonly restarts: boolean;
}

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

/** The ffmpeg that renders use. */
export interface FfmpegInUse {
  readonly path: string;
  /** The release that it corresponds to, e.g. `7.1`. */
  readonly version: string;
  /** Too old for videos and sounds of other computers. */
  readonly ownFilesOnly: boolean;
  /** How the system confines it, in addition to Framewright. */
  readonly cage: FfmpegCage;
  /** True if the system ends it with its parent, however that ends; false: only Framewright does. */
  readonly endsWithWorker: boolean;
}

/** Which bounds the system has for an ffmpeg: no network; so much memory and so many files. */
export type FfmpegCage = 'network and limits' | 'network' | 'limits' | 'none';

/** Answer of `POST /api/settings/port-test`. `own`: the API has it; otherwise as in `ApiProblem`. */
export interface PortTest {
  readonly found: 'free' | 'own' | ApiProblem['reason'];
}

/**
 * What the window remembers about itself: theme, language, columns, the chosen project. Only the window reads it all.
 */
export type Preferences = JsonObject;

/**
 * `idle` waits for work; `restarting` is being started again; `off` can't draw the known picture: nothing starts until
 * it can, which is tried automatically with growing pauses, and whenever the user starts it.
 */
export type RendererState = 'idle' | 'rendering' | 'restarting' | 'off';

/** The renderer's next attempt to start. */
export interface RendererRestart {
  /** One more than the failed starts in a row; crashes during renders don't count. */
  readonly attempt: number;
  /** Failures in a row before it is `off`. */
  readonly most: number;
}

/**
 * Why queued renders wait although a slot is free: the user paused the queue; films wait for a usable ffmpeg; the
 * battery is low; the output drive is almost full; the output folder is missing or can't be written.
 */
export type HoldReason = 'person' | 'encoder' | 'battery' | 'space' | 'folder';

/**
 * Whether the public API answers. `off`: the user stopped it, it does not start with the program, or see `ApiProblem`.
 */
export type ApiState = 'on' | 'starting' | 'off';

/** Why the API is off although it should be on. */
export interface ApiProblem {
  /** That could not be opened. */
  readonly port: number;
  /** Another program has it, or the system refuses it. */
  readonly reason: 'taken' | 'refused';
  /** The next port above that could be opened; absent if none was near. */
  readonly freePort?: number;
}

/** Something to know about this start. */
export interface ServerNotice {
  /** In words, as the log has it. */
  readonly text: string;
  /** Damaged records were set aside: how many, and the file's name for `GET /api/set-aside/NAME`. */
  readonly setAside?: { readonly records: number; readonly file: string };
}

/** Answer of `GET /api/state`, and content of the `server.state` event. */
export interface ServerState {
  /** Of the program, e.g. `1.0.0`. */
  readonly version: string;
  readonly api: {
    readonly state: ApiState;
    /** `http://127.0.0.1:4820`; where it would answer while it is not on. */
    readonly url: string;
    readonly key: string;
    /** Why its port could not be opened; absent while it is on, and when it was stopped. */
    readonly problem?: ApiProblem;
  };
  readonly renderer: {
    readonly state: RendererState;
    /** Why it is `restarting` or `off`. */
    readonly reason?: string;
    /** Only with `restarting`, when a start failed. */
    readonly restart?: RendererRestart;
    /** When it is next tried automatically, in ms since 1970; only with `off`. */
    readonly nextTryAt?: number;
  };
  /** Whether there is a usable ffmpeg; films wait for one. Unknown until a worker has looked. */
  readonly encoder: 'unknown' | 'found' | 'missing';
  /** What is wrong with the named ffmpeg; absent when it is not `missing`, or none was found anywhere. */
  readonly encoderReason?: string;
  /** The ffmpeg that is used; absent when it is not `found`. */
  readonly ffmpeg?: FfmpegInUse;
  /** Waiting and running renders. */
  readonly queue: {
    readonly waiting: number;
    readonly running: number;
    /** Nothing new starts until the user resumes the queue. */
    readonly paused: boolean;
    /** What else keeps renders waiting; absent if nothing. */
    readonly heldBy?: readonly HoldReason[];
    /** The render after which the queue pauses; absent if none is chosen. */
    readonly pausesAfter?: string;
  };
  /** How full the battery is, in per cent; present only while it keeps renders waiting (`heldBy` has `battery`). */
  readonly lowBattery?: number;
  /** Free bytes on the output drive; absent if the system doesn't say. */
  readonly freeBytes?: number;
  readonly outputFolder: string;
  /** Why nothing can be saved, in words, e.g. `the disk is full`; absent while it can. */
  readonly storeProblem?: string;
  /** Renders that were running when the program ended without closing; they are back in the queue. */
  readonly recovered: number;
  /** Things to know about this start, e.g. repaired data; the most severe first. */
  readonly notices: readonly ServerNotice[];
}
