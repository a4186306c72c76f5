/**
 * Expected failures of a render. Thrown anywhere in the engine, caught once in server/worker.ts or the command line,
 * and shown as the render's `error_message`. Anything else that is thrown is a bug.
 */

/** Codes are stable words for programs; the message is the sentence for people. */
export type RenderErrorCode =
  | 'invalid_source'
  | 'source_lost'
  | 'media_missing'
  | 'media_refused'
  | 'media_unreadable'
  | 'encoder_missing'
  | 'encoder_failed'
  /** A signal from outside ended it: the same again may go well. */
  | 'encoder_killed'
  | 'transcriber_missing'
  | 'transcriber_failed'
  | 'cancelled'
  | 'output_unwritable'
  | 'limit_exceeded';

/** A render that can't be made, with the reason for the person who sent it. */
export class RenderError extends Error {
  override readonly name = 'RenderError';
  readonly code: RenderErrorCode;
  /** The place in the source, when there is one, e.g. `elements[2].source`. */
  readonly path: string | undefined;

  constructor(
    code: RenderErrorCode,
    message: string,
    options: { path?: string; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.path = options.path;
  }
}
