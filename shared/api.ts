/**
 * HTTP objects shared by window and server: here those of the public API (snake_case, `/v1` and `/v2`). The Render
 * object and the answers of the window's private path have their own files, also exported from here.
 */
import type { RenderRecord } from './api/renders.ts';
import type { JsonObject } from './renderscript/source.ts';
import type { mediaKinds } from './api/media.ts';
import type { BackupCounts, BackupKind } from './api/data-folder.ts';

export type * from './feed-mapping.ts';
export { renderPriorities, type RenderPriority } from './setting-forms.ts';
export type { FixedSetting } from './settings.ts';
export { windowTokenHeader } from './window-proof.ts';
export * from './api/data-folder.ts';
export * from './api/feeds.ts';
export * from './api/fonts.ts';
export * from './api/media.ts';
export * from './api/projects.ts';
export * from './api/renders.ts';
export * from './api/requests.ts';
export * from './api/settings.ts';
export * from './api/state.ts';
export * from './api/templates.ts';

/** The answer to a create request: the record, with errors and warnings about the document. */
export interface CreatedRender extends RenderRecord {
  readonly errors?: readonly string[];
  readonly warnings?: readonly string[];
}

/** The answer to a create request with `dry_run`. */
export interface DryRun {
  /** False if there are errors; warnings don't count. */
  readonly valid: boolean;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** The document after modifications. */
  readonly source: JsonObject;
}

/** A render as lists and events show it: long modifications are left out. */
export interface ListedRender extends RenderRecord {
  /** `YYYY-MM-DD HH:mm:ss.SSS +HHMM`. */
  readonly created_at: string;
  /** Only with `succeeded` and `failed`. */
  readonly finished_at?: string;
}

/** A part of the list of renders. */
export interface RenderPage {
  readonly renders: readonly ListedRender[];
  /** The cursor for the next page; absent on the last one. */
  readonly next_cursor?: string;
}

/** One item of a batch of renders: accepted, refused, or checked by a dry run. */
export type BatchResult =
  | { readonly status: 202; readonly render: CreatedRender }
  | { readonly status: 200; readonly check: DryRun }
  | { readonly status: number; readonly error: ErrorRecord };

/** The answer to a batch of renders. */
export interface RenderBatch {
  readonly accepted: number;
  readonly refused: number;
  /** In the order of the request. */
  readonly results: readonly BatchResult[];
}

/** A file of the media library. */
export interface MediaRecord {
  readonly id: string;
  /** `media:ID`. */
  readonly source: string;
  readonly name: string;
  readonly kind: (typeof mediaKinds)[number];
  readonly format: string;
  /** Pixels; not of sounds. */
  readonly width?: number;
  readonly height?: number;
  /** Seconds; not of still pictures. */
  readonly duration?: number;
  readonly frame_rate?: number;
  readonly has_audio?: boolean;
  readonly has_alpha?: boolean;
  /** Bytes. */
  readonly file_size: number;
  /** `YYYY-MM-DD HH:mm:ss.SSS +HHMM`. */
  readonly created_at: string;
}

/** A part of the list of files. */
export interface MediaPage {
  readonly media: readonly MediaRecord[];
  /** The cursor for the next page; absent on the last one. */
  readonly next_cursor?: string;
}

/** How far a render is. */
export interface ProgressRecord {
  readonly id: string;
  readonly phase: 'waiting' | 'transcribing' | 'rendering' | 'finishing';
  /** 0–99; never decreases while the render runs. */
  readonly percent: number;
  /** Frames drawn of all frames; files or recordings in other phases. Both 0 while not known. */
  readonly frame: number;
  readonly frames: number;
  readonly frames_per_second?: number;
  readonly seconds_left?: number;
}

/** One event of a stream of renders: its name and its data. */
export type RenderEvent =
  | { readonly event: 'ready'; readonly data: Readonly<Record<string, never>> }
  | { readonly event: 'render'; readonly data: ListedRender }
  | { readonly event: 'progress'; readonly data: ProgressRecord }
  | { readonly event: 'removed'; readonly data: { readonly id: string } };

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

/** A template in the Trash. */
export interface DeletedTemplateRecord extends TemplateRecord {
  readonly deleted_at: string;
  /** When it is removed for good. */
  readonly expires_at: string;
}

/** The secret of a project's webhooks. */
export interface WebhookSecretRecord {
  readonly secret: string;
  /** Until then the secret before signs, too. */
  readonly previous_until?: string;
}

/** A backup. */
export interface BackupFacts {
  readonly id: string;
  readonly kind: BackupKind;
  readonly place: 'data_folder' | 'backup_folder';
  readonly created_at: string;
  /** Bytes of records and documents. */
  readonly file_size: number;
  /** Its media and fonts. */
  readonly media?: { readonly files: number; readonly file_size: number };
  readonly records?: BackupCounts;
}

/** All backups. */
export interface BackupPage {
  readonly backups: readonly BackupFacts[];
  readonly folder: string;
  readonly last_restore?: {
    readonly backup: string;
    readonly asked_at: string;
    readonly succeeded: boolean;
    readonly message: string;
  };
}

/** A backup will be put back. */
export interface StartedRestore {
  readonly restarts: boolean;
  readonly asked_at: string;
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

/** The project of a key. */
export interface ProjectData {
  readonly id: string;
  readonly name: string;
}

/** The fields of a template for a form, in the shape of n8n's resource mapper. */
export interface MapperFields {
  readonly fields: readonly {
    /** The key in `modifications`. */
    readonly id: string;
    readonly displayName: string;
    readonly type: 'string' | 'number' | 'boolean' | 'options';
    readonly required: false;
    readonly display: true;
    readonly defaultMatch: false;
    readonly removed: false;
    readonly readOnly: false;
    /** Only with `options`. */
    readonly options?: readonly { readonly name: string; readonly value: string }[];
  }[];
}

/** The body of every failing answer. */
export interface ErrorRecord {
  /** What went wrong and what to do, for people. */
  readonly hint: string;
  /** Address of the help page about it. */
  readonly documentation: string;
}
