/**
 * What goes over HTTP, used by the window and the server alike: here the Render and Template objects of the public API
 * (snake_case, `/v1` and `/v2`). What the window's private path answers on top of them has files by topic, and is had
 * from here as well.
 */
import type { JsonObject, OutputFormat } from './renderscript/source.ts';

export type * from './window-library.ts';
export type * from './window-renders.ts';
export * from './window-server.ts';

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
  /** Only with `waiting`, while the renderer itself does not work: why, in words. Not in webhooks. */
  readonly waiting_reason?: string;
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

/** The project of a key. */
export interface ProjectData {
  readonly id: string;
  readonly name: string;
}

/** The fields of a template for a form, as n8n's resource mapper has them. */
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
