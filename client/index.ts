/**
 * `framewright/client`: what scripts use to render. No dependency, nothing but `fetch`: Node 20 and newer, Deno, Bun
 * and browsers (whose page has to be allowed in the server's settings).
 */
import type { RenderScript } from './generated/renderscript-types.ts';

export * from './errors.ts';
export {
  Framewright,
  type CreateOptions,
  type CreateResult,
  type Fonts,
  type ListOptions,
  type MediaLibrary,
  type MediaListOptions,
  type Preview,
  type RenderOptions,
  type RenderOrder,
  type Renders,
  type SharedTemplate,
  type Templates,
  type Webhooks,
} from './framewright.ts';
export type { ConnectionOptions, Fetch, FileContent, HttpAnswer, HttpRequest } from './http.ts';
export type { Feeds, TableOptions } from './feeds.ts';
export type { TranscriptOptions, Transcripts } from './transcripts.ts';
export type { Backups, Projects, ServerSettings } from './whole-server.ts';
export { verifyWebhook, WebhookError, type WebhookCall } from './webhooks.ts';
export type * from './generated/api-types.ts';
export type * from './generated/renderscript-types.ts';

/** A document that was read from a file or made by something else: nothing of it is checked, `validate` does that. */
export function asRenderScript(document: object): RenderScript {
  return document as RenderScript; // said to be one by the caller
}
