/**
 * What the window's private path (`/api`) answers about the server itself: its state and settings, projects and their keys,
 * requests to the API; reached through api.ts.
 */
import type { JsonObject } from './renderscript/source.ts';

/** The header that carries the window's token. */
export const windowTokenHeader = 'x-framewright-token';

/** A project with its keys and secrets. */
export interface ProjectRecord {
  readonly id: string;
  readonly name: string;
  /** ms since 1970. */
  readonly createdAt: number;
  /** Told when a render ends that names no address itself. */
  readonly webhookUrl?: string;
  readonly keys: readonly { readonly id: string; readonly name: string; readonly key: string }[];
  /** The secrets that webhooks are signed with, newest first; the one before stays for a day. */
  readonly webhookSecrets: readonly string[];
}

/** The credits of the renders that are kept. */
export interface CreditRecord {
  /** Null: unlimited. */
  readonly allowance: number | null;
  readonly used: number;
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
  /** The key that was sent, when it is one: its ID and its name. */
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

/** Answer of `GET /api/request-limit`: requests that the rate limit lets through now, and at most. Null: no limit. */
export interface RequestLimit {
  readonly left: number | null;
  readonly most: number | null;
  /** Milliseconds in which that many are let through. */
  readonly window: number;
}

/** Answer of `GET /api/requests`. */
export interface RequestList {
  readonly recording: boolean;
  /** Newest first. */
  readonly requests: readonly RequestEntry[];
  /** When each key was last used, ms since 1970, by its ID; only since the program was started. */
  readonly keysUsed: Readonly<Record<string, number>>;
  /** Requests that are kept at most. */
  readonly size: number;
  readonly limit: RequestLimit;
}

/** Settings that a person can change, and what they come to. Answer of `GET /api/settings/all`. */
export interface SettingsRecord {
  /** In force now. */
  readonly port: number;
  /** The address that the API listens at; `127.0.0.1`: this computer alone. */
  readonly host: string;
  /** Names beside its own that the API answers to, e.g. `server.lan`. */
  readonly allowedHosts: readonly string[];
  /** Whether media and webhooks may reach this computer and its network; null: while the API listens to this computer alone. */
  readonly allowPrivateAddresses: boolean | null;
  /** What that comes to now. */
  readonly reachesPrivate: boolean;
  /** IP addresses that this computer has in its networks, IPv4 first. */
  readonly addresses: readonly string[];
  readonly outputFolder: string;
  /** Where the desktop's "Save a copy" begins; null: where the system thinks best. */
  readonly copyFolder: string | null;
  readonly mediaFolders: readonly string[];
  /** Web pages that may call the API, e.g. `http://localhost:3000`. */
  readonly allowedOrigins: readonly string[];
  /** Null: the program looks for one itself. */
  readonly ffmpegPath: string | null;
  /** Of whisper.cpp's program, and of its model; null: as the environment says. */
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
  /** Requests to the API that are kept to be looked at. */
  readonly requestLogSize: number;
  /** Free bytes of the output drive below which nothing is begun; 0: never mind. */
  readonly freeSpaceLimit: number;
  /** Nothing is begun while the computer runs on a battery that is low. */
  readonly pauseOnBattery: boolean;
  /** The desktop keeps the computer from sleeping while something renders. */
  readonly keepAwake: boolean;
  /** Named when the program was started; these can't be changed here. */
  readonly fixed: readonly FixedSetting[];
  /** What the start of the program named beside the lists that are kept; it can't be removed here. */
  readonly started: StartedLists;
  readonly dataFolder: string;
}

/** Lists of settings to which the start of the program can add. */
export type StartedLists = Readonly<Record<'allowedHosts' | 'mediaFolders', readonly string[]>>;

/** A setting that can be named when the program is started. */
export type FixedSetting =
  'port' | 'host' | 'outputFolder' | 'ffmpegPath' | 'rateLimit' | 'concurrency';

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
  /** What the system does against faults in it, besides what Framewright does. */
  readonly cage: FfmpegCage;
  /** The system ends it with the process that started it, however that ends; false: Framewright alone does. */
  readonly endsWithWorker: boolean;
}

/** Which bounds the system has for an ffmpeg: no network; so much memory and so many files. */
export type FfmpegCage = 'network and limits' | 'network' | 'limits' | 'none';

/** Answer of `POST /api/settings/port-test`. `own`: the API has it; otherwise as in `ApiProblem`. */
export interface PortTest {
  readonly found: 'free' | 'own' | ApiProblem['reason'];
}

/** What the window remembers about itself: theme, columns, the chosen project. The window's own business. */
export type Preferences = JsonObject;

/**
 * `idle` waits for work; `restarting` is being started again; `off` can't draw a picture of its own: nothing is begun until
 * it can, which is tried by itself with growing pauses, and whenever someone starts it.
 */
export type RendererState = 'idle' | 'rendering' | 'restarting' | 'off';

/** The start of the renderer that is tried next. */
export interface RendererRestart {
  /** One more than the starts in a row that failed; that renders ended the renderer doesn't count. */
  readonly attempt: number;
  /** Failures in a row before it is `off`. */
  readonly most: number;
}

/**
 * Why queued renders wait although there is room: a person paused the queue; films wait for a usable ffmpeg; the battery is
 * low; the output drive is almost full; the output folder is missing or can't be written.
 */
export type HoldReason = 'person' | 'encoder' | 'battery' | 'space' | 'folder';

/** Whether the public API answers. `off`: a person stopped it, it is not started with the program, or see `ApiProblem`. */
export type ApiState = 'on' | 'starting' | 'off';

/** Why the API is off although it should be on. */
export interface ApiProblem {
  /** That could not be opened. */
  readonly port: number;
  /** Another program has it, or the system does not let it be opened. */
  readonly reason: 'taken' | 'refused';
  /** The next port above that could be opened; absent when there was none near. */
  readonly freePort?: number;
}

/** Something to know about this start. */
export interface ServerNotice {
  /** In words, as the log has it. */
  readonly text: string;
  /** Damaged records were taken out of the data: how many, and the name of the file that `GET /api/set-aside/NAME` has. */
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
    /** When it is tried again by itself, in ms since 1970; only with `off`. */
    readonly nextTryAt?: number;
  };
  /** Whether a usable ffmpeg is there; films wait for one. Unknown until a renderer has looked. */
  readonly encoder: 'unknown' | 'found' | 'missing';
  /** What is wrong with the ffmpeg that was named, in words; absent when it is not `missing`, or none was found anywhere. */
  readonly encoderReason?: string;
  /** The ffmpeg that is used; absent when it is not `found`. */
  readonly ffmpeg?: FfmpegInUse;
  /** Renders waiting for their turn, and renders being worked on. */
  readonly queue: {
    readonly waiting: number;
    readonly running: number;
    /** Nothing new is begun until someone resumes the queue. */
    readonly paused: boolean;
    /** What else keeps renders waiting; absent when nothing does. */
    readonly heldBy?: readonly HoldReason[];
    /** The render at whose end the queue pauses; absent when none is chosen for that. */
    readonly pausesAfter?: string;
  };
  /** How full the battery is, in per cent; there only while it keeps renders waiting (`heldBy` has `battery`). */
  readonly lowBattery?: number;
  /** Free bytes on the output drive; absent where the system doesn't tell. */
  readonly freeBytes?: number;
  readonly outputFolder: string;
  /** Why nothing can be saved, in words, e.g. `the disk is full`; absent while it can. */
  readonly storeProblem?: string;
  /** Renders that were being worked on when the program ended without closing; they are in the queue again. */
  readonly recovered: number;
  /** Things to know about this start, e.g. repaired data; the most severe first. */
  readonly notices: readonly ServerNotice[];
}
