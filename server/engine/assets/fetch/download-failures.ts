/** Phase 1: how a download fails, finally or so that another try may succeed; and sentences with sizes and times. */
import { counted } from '../../../../shared/counted.ts';
import { RenderError } from '../../../../shared/engine/errors.ts';

/** No answer, or an incomplete one: says nothing about the file, only about the connection. */
export class NotReached extends RenderError {
  constructor(message: string, cause?: unknown) {
    super('media_missing', message, { cause });
  }
}

/** A failure after which another try may succeed. */
export class PassingFailure extends Error {
  readonly failure: RenderError;
  /** Milliseconds that the server asked to wait. */
  readonly wait: number | undefined;
  constructor(failure: RenderError, wait?: number) {
    super(failure.message);
    this.failure = failure;
    this.wait = wait;
  }
}

/**
 * The refusal of what is no address of media, e.g. `This address is not allowed (ftp://…)`. Callers add the element.
 */
export function addressRefused(address: string): RenderError {
  return new RenderError('media_refused', `This address is not allowed (${address})`);
}

/** The refusal of a file that is too big, e.g. `Larger than the limit of 4 GB`. */
export function tooLarge(maxBytes: number): RenderError {
  const size =
    maxBytes >= 1e9
      ? `${round(maxBytes / 1024 ** 3)} GB`
      : maxBytes >= 1e6
        ? `${round(maxBytes / 1024 ** 2)} MB`
        : `${maxBytes} bytes`;
  return new RenderError('limit_exceeded', `Larger than the limit of ${size}`);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A time in words: `10 seconds`, `4 minutes`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return counted(milliseconds, 'millisecond');
  if (milliseconds < 120_000) return counted(round(milliseconds / 1000), 'second');
  return counted(round(milliseconds / 60_000), 'minute');
}
