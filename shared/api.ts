/**
 * What goes over HTTP: the Render and Template objects of the public API (snake_case, `/v1` and `/v2`), and what the
 * window's private path answers on top of them (camelCase, `/api`). Used by the window and the server alike.
 */
import type { JsonObject, OutputFormat } from './renderscript/source.ts';

/** The states of a render, in the order in which one passes through them. The last two are final. */
export const renderStatuses = [
  'planned',
  'waiting',
  'transcribing',
  'rendering',
  'succeeded',
  'failed',
] as const;

/** One of the six states. */
export type RenderStatus = (typeof renderStatuses)[number];

/** True when nothing more will happen to a render in this state. */
export function isFinal(status: RenderStatus): boolean {
  return status === 'succeeded' || status === 'failed';
}

/** The Render object: answer of the create and status endpoints, and body of the webhook. Absent, never null. */
export interface RenderRecord {
  readonly id: string;
  readonly status: RenderStatus;
  /** Only with `failed`. */
  readonly error_message?: string;
  /** Known from the start, usable after `succeeded`. */
  readonly url: string;
  /** Only with `succeeded`, when the document asked for a snapshot. */
  readonly snapshot_url?: string;
  /** The three template fields come together, only for renders made from a template. */
  readonly template_id?: string;
  readonly template_name?: string;
  readonly template_tags?: readonly string[];
  readonly output_format: OutputFormat;
  /** As asked for; with `succeeded` always there. */
  readonly render_scale?: number;
  /** This and the next two: pixels, frames a second, seconds, bytes; read from the file, only with `succeeded`. */
  readonly width?: number;
  readonly height?: number;
  /** Only mp4 and gif. */
  readonly frame_rate?: number;
  readonly duration?: number;
  readonly file_size?: number;
  /** The next three exactly as sent. */
  readonly modifications?: JsonObject;
  readonly webhook_url?: string;
  readonly metadata?: string;
}

/** The answer to a create request: the record, and what is wrong or worth knowing about the document. */
export interface CreatedRender extends RenderRecord {
  readonly errors?: readonly string[];
  readonly warnings?: readonly string[];
}

/** The answer to a create request with `dry_run`. */
export interface DryRun {
  /** False when there are errors; warnings don't count. */
  readonly valid: boolean;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** The document after modifications. */
  readonly source: JsonObject;
}

/** A template as the list shows it. */
export interface TemplateRecord {
  readonly id: string;
  readonly name: string;
  readonly tags: readonly string[];
  /** `YYYY-MM-DD HH:mm:ss.SSS +HHMM`. */
  readonly created_at: string;
  readonly updated_at: string;
}

/** A template with its document. */
export interface FullTemplateRecord extends TemplateRecord {
  readonly source: JsonObject;
}

/** A feed as the list shows it. */
export interface FeedRecord {
  readonly id: string;
  readonly name: string;
  /** `YYYY-MM-DD HH:mm:ss.SSS +HHMM`. */
  readonly created_at: string;
  readonly updated_at: string;
}

/** A feed with its columns. Its sample is an array of objects: text by the names of the columns. */
export interface FullFeedRecord extends FeedRecord {
  readonly columns: readonly { readonly id: string; readonly name: string }[];
  /** Only when it is mapped to a template. */
  readonly template_id?: string;
}

/** The body of every failing answer. */
export interface ErrorRecord {
  /** What went wrong and what to do, for people. */
  readonly hint: string;
  /** Address of the help page about it. */
  readonly documentation: string;
}

// ---- the window's private path ---------------------------------------------------------------------------------------

/** The header that carries the window's token. */
export const windowTokenHeader = 'x-framewright-token';

/** What a running render is busy with. */
export type RenderPhase = 'waiting' | 'transcribing' | 'rendering' | 'finishing';

/** How far the current attempt of a running render is. */
export interface RenderProgress {
  readonly phase: RenderPhase;
  /** Frames drawn of all frames; in phase `waiting` files fetched of all files. Both 0 while not known. */
  readonly frame: number;
  readonly frames: number;
  /** 0–99; never goes down within an attempt. */
  readonly percent: number;
  /** Average of the last 10 s; absent while not known. */
  readonly framesPerSecond?: number;
  /** Absent while it can't be told, or when nothing was drawn for 10 s. */
  readonly secondsLeft?: number;
}

/** A render as the window shows it. */
export interface WindowRender {
  readonly id: string;
  /** The ID of the project that it belongs to. */
  readonly project: string;
  /** Exactly what the API answers for this render. */
  readonly record: RenderRecord;
  /** The template's name; absent for renders sent directly. */
  readonly name?: string;
  /** Times in ms since 1970. */
  readonly createdAt: number;
  /** Start of the newest attempt. */
  readonly startedAt?: number;
  readonly finishedAt?: number;
  /** The day on which record and file go. */
  readonly expiresAt: number;
  /** Work attempts begun; 0 while it never ran. */
  readonly attempts: number;
  /** True for a failed render that a person stopped. */
  readonly cancelled: boolean;
  /** Only while it is being worked on. */
  readonly progress?: RenderProgress;
  /** Its place in the queue: of two queued renders the one with the smaller number runs first. */
  readonly order: number;
  /** The element that made it fail, when one did. */
  readonly errorElement?: { readonly path: string; readonly name: string };
  /** The finished file on the window's own listener, e.g. `/renders/ID.mp4`; only with `succeeded`. */
  readonly filePath?: string;
  /** A picture of it there, if there is one: the file itself, or its snapshot. */
  readonly picturePath?: string;
  /** The feed batch that it was made by. */
  readonly batch?: { readonly id: string; readonly name: string };
}

/** Answer of `GET /api/renders/ID/request`: what was asked for, and the document that it came to. */
export interface StoredRequest {
  /** As the public API takes it. */
  readonly request: JsonObject;
  /** Null when the stored document is missing or damaged. */
  readonly source: JsonObject | null;
}

/** A line of a render's log. */
export interface LogLine {
  /** ms since 1970. */
  readonly time: number;
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
}

/** Answer of `GET /api/renders`: newest first. */
export interface RenderList {
  readonly renders: readonly WindowRender[];
  /** The number of the newest event that the list already contains. */
  readonly eventNumber: number;
}

/** A template as the window's list shows it. */
export interface WindowTemplate {
  readonly id: string;
  /** The ID of the project that it belongs to. */
  readonly project: string;
  readonly name: string;
  readonly tags: readonly string[];
  /** ms since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** As the document has it; absent where it says nothing usable. */
  readonly outputFormat?: OutputFormat;
  readonly width?: number;
  readonly height?: number;
}

/** A template in the Trash. */
export interface TrashedTemplate extends WindowTemplate {
  /** Times in ms since 1970: when it came there, and when it goes for good. */
  readonly deletedAt: number;
  readonly goneAt: number;
}

/** Answer of `GET /api/templates`: newest change first. */
export interface TemplateList {
  readonly templates: readonly WindowTemplate[];
  readonly eventNumber: number;
}

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

/** A feed as the window shows it. */
export interface WindowFeed {
  readonly id: string;
  readonly project: string;
  readonly name: string;
  /** ms since 1970. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** `target` is the modification that the values become. */
  readonly columns: readonly {
    readonly id: string;
    readonly name: string;
    readonly target?: string | undefined;
  }[];
  readonly rowCount: number;
  /** The ID of the template that its rows are rendered with. */
  readonly template?: string;
}

/** What a media file is and holds. */
export interface MediaFacts {
  readonly kind: 'image' | 'video' | 'audio';
  /** Container or picture format found by content, e.g. `mp4`, `png`, `svg`, `gif`. */
  readonly format: string;
  /** Upright pixels (rotation marks applied); 0 for sounds. */
  readonly width: number;
  readonly height: number;
  /** Seconds; 0 for still pictures. Animated pictures have one (that of one run) though their kind is `image`. */
  readonly duration: number;
  /** Average frames per second of the picture; 0 when there is none. */
  readonly frameRate: number;
  readonly hasAudio: boolean;
  readonly hasAlpha: boolean;
}

/** A file of the media library as the window shows it. */
export interface WindowMedia extends MediaFacts {
  readonly id: string;
  /** What elements name it by: `media:ID`. */
  readonly source: string;
  /** The file's name where it came from. */
  readonly name: string;
  readonly bytes: number;
  /** ms since 1970. */
  readonly addedAt: number;
  /** True: there is a small picture at `/api/media/ID/thumbnail`. */
  readonly hasThumbnail: boolean;
}

/** The credits of the renders that are kept. */
export interface CreditRecord {
  /** Null: unlimited. */
  readonly allowance: number | null;
  readonly used: number;
}

/** One webhook that a receiver was promised. */
export interface DeliveryRecord {
  /** The `webhook-id`. */
  readonly id: string;
  readonly project: string;
  /** ID of the render. */
  readonly render: string;
  readonly url: string;
  readonly state: 'waiting' | 'delivered' | 'given-up';
  /** Calls that were made. */
  readonly tries: number;
  /** Times in ms since 1970; `dueAt` is that of the next try while it waits. */
  readonly createdAt: number;
  readonly dueAt: number;
  readonly finishedAt?: number | undefined;
  /** How the last call ended, in words. */
  readonly result?: string | undefined;
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
  /** Name of the key that was sent, when it is one. */
  readonly keyName?: string;
  /** Why it was refused, in words. */
  readonly reason?: string;
  /** ID of the render that it made. */
  readonly render?: string;
}

/** A request with what was sent and answered. Bodies are cut. */
export interface RequestDetails extends RequestEntry {
  /** Keys are shortened to their last four characters. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody?: string;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody?: string;
  /** True when one of the bodies was longer than what is kept. */
  readonly isCut: boolean;
}

/** Answer of `GET /api/requests`. */
export interface RequestList {
  readonly recording: boolean;
  /** Newest first. */
  readonly requests: readonly RequestEntry[];
  /** When each key was last used, ms since 1970, by its ID; only since the program was started. */
  readonly keysUsed: Readonly<Record<string, number>>;
  /** Requests that the rate limit lets through now, and at most; null: there is no limit. */
  readonly left: number | null;
  readonly limit: number | null;
}

/** Settings that a person can change, and what they come to. Answer of `GET /api/settings/all`. */
export interface SettingsRecord {
  /** In force now. */
  readonly port: number;
  readonly outputFolder: string;
  readonly mediaFolders: readonly string[];
  /** Null: the program looks for one itself. */
  readonly ffmpegPath: string | null;
  readonly rateLimit: boolean;
  readonly concurrency: number;
  readonly concurrencyLimit: number;
  /** Null: unlimited. */
  readonly creditAllowance: number | null;
  readonly creditsUsed: number;
  /** Named when the program was started; these can't be changed here. */
  readonly fixed: readonly FixedSetting[];
  readonly dataFolder: string;
}

/** A setting that can be named when the program is started. */
export type FixedSetting = 'port' | 'outputFolder' | 'ffmpegPath' | 'rateLimit';

/** Answer of `POST /api/settings/ffmpeg-test`. */
export type FfmpegTest =
  | { readonly works: true; readonly version: string }
  | { readonly works: false; readonly reason: string };

/** What the window remembers about itself: theme, columns, the chosen project. The window's own business. */
export type Preferences = JsonObject;

/** `idle` waits for work; `restarting` waits to try again; `off` gave up until someone starts it. */
export type RendererState = 'idle' | 'rendering' | 'restarting' | 'off';

/** Why the API is off. */
export interface ApiProblem {
  /** That could not be opened. */
  readonly port: number;
  /** Another program has it, or the system does not let it be opened. */
  readonly reason: 'taken' | 'refused';
  /** The next port above that could be opened; absent when there was none near. */
  readonly freePort?: number;
}

/** Answer of `GET /api/state`, and content of the `server.state` event. */
export interface ServerState {
  /** Of the program, e.g. `1.0.0`. */
  readonly version: string;
  readonly api: {
    /** `http://127.0.0.1:4820` */
    readonly url: string;
    readonly key: string;
    /** Why nothing answers at `url`; absent while the API is on. */
    readonly problem?: ApiProblem;
  };
  readonly renderer: {
    readonly state: RendererState;
    /** Why it is `restarting` or `off`. */
    readonly reason?: string;
  };
  /** Known after the first render that needed it. */
  readonly encoder: 'unknown' | 'found' | 'missing';
  /** Renders waiting for their turn, and renders being worked on. */
  readonly queue: {
    readonly waiting: number;
    readonly running: number;
    /** Nothing new is begun until someone resumes the queue. */
    readonly paused: boolean;
    /** The render at whose end the queue pauses; absent when none is chosen for that. */
    readonly pausesAfter?: string;
  };
  /** Free bytes on the output drive; absent where the system doesn't tell. */
  readonly freeBytes?: number;
  readonly outputFolder: string;
  /** Things to know about this start, e.g. repaired data. */
  readonly notices: readonly string[];
}
