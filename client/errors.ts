/** What can go wrong, as classes: refusals of the server by their status, a render that failed, a server that is not there. */
import type { Refusal, Render } from './api-types.ts';

/** The base of all errors of this client. */
export class FramewrightError extends Error {
  override name = 'FramewrightError';
}

/** The server did not answer, or not as a Framewright server does. */
export class ConnectionError extends FramewrightError {
  override name = 'ConnectionError';
}

/** A render ended as failed; the message is its `error_message`. */
export class RenderFailedError extends FramewrightError {
  override name = 'RenderFailedError';
  readonly render: Render;

  constructor(render: Render) {
    super(render.error_message ?? 'The render failed');
    this.render = render;
  }
}

/** The server refused a request; the message says why and what to do. */
export class RefusedError extends FramewrightError {
  override name = 'RefusedError';
  /** HTTP status. */
  readonly status: number;
  /** The stable word of the refusal, e.g. `template-not-found`; empty where the answer names none. */
  readonly code: string;
  /** Address of the help page. */
  readonly documentation: string;
  /** Seconds after which the request may be sent again; undefined where the server does not say. */
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

/** 401: the key is missing or wrong. */
export class InvalidKeyError extends RefusedError {
  override name = 'InvalidKeyError';
}

/** 402: the allowance of credits is used up. */
export class OutOfCreditsError extends RefusedError {
  override name = 'OutOfCreditsError';
}

/** 404: there is no such render, template or feed in the project of the key. */
export class NotFoundError extends RefusedError {
  override name = 'NotFoundError';
}

/** 409: something else has what the request wants. */
export class ConflictError extends RefusedError {
  override name = 'ConflictError';
}

/** 429: too many requests; `retryAfter` says how long to wait. */
export class RateLimitError extends RefusedError {
  override name = 'RateLimitError';
}

/** 500 and above: the server could not do it. */
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

/** The error for an answer that is a refusal. */
export function refusedError(status: number, refusal: Refusal, retryAfter?: number): RefusedError {
  const Kind = byStatus[status] ?? (status >= 500 ? ServerError : BadRequestError);
  return new Kind(status, refusal, retryAfter);
}
