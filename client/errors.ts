/** The client's error classes: refusals of the server by status, failed work, a server that can't be reached. */
import type { RecordingTranscript, Refusal, Render } from './generated/api-types.ts';

/** The base of all errors of this client. */
export class FramewrightError extends Error {
  override name = 'FramewrightError';
}

/** The server did not answer, or is not a Framewright server. */
export class ConnectionError extends FramewrightError {
  override name = 'ConnectionError';
}

/** A render failed; the message is its `error_message`. */
export class RenderFailedError extends FramewrightError {
  override name = 'RenderFailedError';
  readonly render: Render;

  constructor(render: Render) {
    super(render.error_message ?? 'The render failed');
    this.render = render;
  }
}

/** A recording could not be transcribed; the message is its `error_message`. */
export class TranscriptFailedError extends FramewrightError {
  override name = 'TranscriptFailedError';
  readonly transcript: RecordingTranscript;

  constructor(transcript: RecordingTranscript) {
    super(transcript.error_message ?? 'The recording could not be transcribed');
    this.transcript = transcript;
  }
}

/** The server refused a request; the message says why and what to do. */
export class RefusedError extends FramewrightError {
  override name = 'RefusedError';
  /** HTTP status. */
  readonly status: number;
  /** The stable code of the refusal, e.g. `template-not-found`; empty if the answer has none. */
  readonly code: string;
  /** Address of the help page. */
  readonly documentation: string;
  /** Seconds to wait before sending the request again; undefined if the server does not say. */
  readonly retryAfter: number | undefined;

  constructor(status: number, { hint, documentation }: Refusal, retryAfter?: number) {
    super(hint);
    this.status = status;
    this.documentation = documentation;
    this.code = documentation.split('/').at(-1) ?? '';
    this.retryAfter = retryAfter;
  }
}

/** 400, 413, 422 …: the request itself is wrong. */
export class BadRequestError extends RefusedError {
  override name = 'BadRequestError';
}

/** 401: the API key is missing or wrong. */
export class InvalidKeyError extends RefusedError {
  override name = 'InvalidKeyError';
}

/** 402: the allowance of credits is used up. */
export class OutOfCreditsError extends RefusedError {
  override name = 'OutOfCreditsError';
}

/** 404: the key's project has no such render, template or feed. */
export class NotFoundError extends RefusedError {
  override name = 'NotFoundError';
}

/** 409: the request conflicts with another one. */
export class ConflictError extends RefusedError {
  override name = 'ConflictError';
}

/** 429: too many requests; `retryAfter` says how long to wait. */
export class RateLimitError extends RefusedError {
  override name = 'RateLimitError';
}

/** 500 and above: the server failed. */
export class ServerError extends RefusedError {
  override name = 'ServerError';
}

const byStatus: Readonly<Record<number, typeof RefusedError>> = {
  401: InvalidKeyError,
  402: OutOfCreditsError,
  404: NotFoundError,
  409: ConflictError,
  429: RateLimitError,
};

/** The error for a refusal. */
export function refusedError(status: number, refusal: Refusal, retryAfter?: number): RefusedError {
  const Kind = byStatus[status] ?? (status >= 500 ? ServerError : BadRequestError);
  return new Kind(status, refusal, retryAfter);
}
