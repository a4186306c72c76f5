/**
 * Expected failures of a render. Thrown anywhere in the engine, caught once in server/drawing.ts or the command line,
 * and shown as the render's `error_message`. All other errors are bugs.
 */

/** Codes are stable and for programs; the message is for people. */
export type RenderErrorCode =
  | 'invalid_source'
  | 'source_lost'
  | 'media_missing'
  | 'media_refused'
  | 'media_unreadable'
  | 'encoder_missing'
  | 'encoder_failed'
  /** This ffmpeg has no encoder for the format. */
  | 'encoder_lacks'
  /** A signal from outside ended it: another try may succeed. */
  | 'encoder_killed'
  /** Pieces of a film come from different inputs or programs: one worker can make it. */
  | 'pieces_differ'
  | 'transcriber_missing'
  | 'transcriber_failed'
  | 'voice_missing'
  | 'voice_failed'
  | 'cancelled'
  | 'output_unwritable'
  | 'limit_exceeded';

/** A render that can't be made, with the reason for its sender. */
export class RenderError extends Error {
  override readonly name = 'RenderError';
  readonly code: RenderErrorCode;
  /** The place in the source, if there is one, e.g. `elements[2].source`. */
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
