/** The Render object of the public API (snake_case, `/v1` and `/v2`), and its states. */
import * as z from 'zod/mini';
import { anyObject, type Of } from './api/row.ts';
import { outputFormats } from './renderscript/formats.ts';

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

/** The Render object in lists: without modifications. Absent, never null. */
export const listedShape = {
  id: z.string(),
  status: z.enum(renderStatuses),
  /** Only with `failed`. */
  error_message: z.exactOptional(z.string()),
  /** Only with `planned`, while the renderer itself does not work: the reason. Not in webhooks. */
  waiting_reason: z.exactOptional(z.string()),
  /** Known from the start, usable after `succeeded`. */
  url: z.string(),
  /** Only with `succeeded`, when the document asked for a snapshot. */
  snapshot_url: z.exactOptional(z.string()),
  /** The three template fields come together, only for renders made from a template. */
  template_id: z.exactOptional(z.string()),
  template_name: z.exactOptional(z.string()),
  template_tags: z.exactOptional(z.array(z.string())),
  output_format: z.enum(outputFormats),
  /** As requested; always present with `succeeded`. */
  render_scale: z.exactOptional(z.number()),
  /** This and the next two: pixels, frames a second, seconds, bytes; read from the file, only with `succeeded`. */
  width: z.exactOptional(z.number()),
  height: z.exactOptional(z.number()),
  /** Only mp4 and gif. */
  frame_rate: z.exactOptional(z.number()),
  duration: z.exactOptional(z.number()),
  file_size: z.exactOptional(z.number()),
  /** These and `modifications` exactly as sent. */
  webhook_url: z.exactOptional(z.string()),
  metadata: z.exactOptional(z.string()),
};

export const renderRecord = z.object({
  ...listedShape,
  modifications: z.exactOptional(anyObject()),
});
/** The Render object: answer of the create and status endpoints, and body of the webhook. Absent, never null. */
export type RenderRecord = Of<typeof renderRecord>;
