/** The Render object of the public API (snake_case, `/v1` and `/v2`), and its states. */
import type { OutputFormat } from './renderscript/formats.ts';
import type { JsonObject } from './renderscript/source.ts';

/** The states of a render, in order. The last two are final. */
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

/** True if a render in this state will not change again. */
export function isFinal(status: RenderStatus): boolean {
  return status === 'succeeded' || status === 'failed';
}

/** The Render object: answer of the create and status endpoints, and body of the webhook. Absent, never null. */
export interface RenderRecord {
  readonly id: string;
  readonly status: RenderStatus;
  /** Only with `failed`. */
  readonly error_message?: string;
  /** Only with `waiting`, while the renderer itself does not work: the reason. Not in webhooks. */
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
  /** As requested; always present with `succeeded`. */
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
