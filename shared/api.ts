/**
 * HTTP objects shared by window and server: here those of the public API (snake_case, `/v1` and `/v2`). The Render
 * object and the answers of the window's private path have their own files, also exported from here.
 */
import type { RenderRecord } from './api/renders.ts';
import type { Finding, RenderEstimate } from './findings.ts';
import type { JsonObject } from './renderscript/source.ts';

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
  /** With `check: media`. */
  readonly findings?: readonly Finding[];
  /** How many more there are than listed. */
  readonly more_findings?: number;
  /** Null: the document has errors. */
  readonly estimate?: RenderEstimate | null;
}
