/**
 * Phase 1: requests a file, up to the head of the answer: checks addresses, follows redirects one by one. No cookies,
 * no credentials, no referrer.
 */
import {
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  STATUS_CODES,
} from 'node:http';
import {
  AddressRefused,
  openRequest,
  type ResolveName,
  retryAfterOf,
} from '../../../system/connect.ts';
import { errorCode } from '../../../system/files.ts';
import { RenderError } from '../../../../shared/engine/errors.ts';
import { counted } from '../../../../shared/counted.ts';
import type { AddressRule } from '../../../system/address-rule.ts';

const maxRedirects = 5;
const redirects = new Set([301, 302, 303, 307, 308]);
const passing = new Set([429, 500, 502, 503, 504]);

/**
 * Requests an address, and follows its redirects.
 *
 * @returns an answer with status 200, or 304 if validators were sent. The caller must read or destroy its body.
 * @throws RenderError if final, PassingFailure if another try may succeed.
 */
export async function followRedirects(
  start: URL,
  options: DownloadOptions,
  times: DownloadTimes,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  let url = start;
  for (let count = 0; ; count++) {
    checkUrl(url);
    const answer = await ask(url, options, times, signal);
    const { statusCode = 0, statusMessage = '', headers } = answer;
    if (redirects.has(statusCode) && headers.location !== undefined) {
      answer.destroy();
      if (count === maxRedirects)
        throw new RenderError('media_missing', `More than ${maxRedirects} redirects`);
      if (!URL.canParse(headers.location, url.href)) throw addressRefused(headers.location);
      url = new URL(headers.location, url);
      continue;
    }
    if (statusCode === 200 || (statusCode === 304 && options.validators)) return answer;
    answer.destroy();
    const text = STATUS_CODES[statusCode] ?? statusMessage;
    const failure = new RenderError(
      'media_missing',
      `The server answered ${statusCode} ${text}`.trim(),
    );
    if (passing.has(statusCode))
      throw new PassingFailure(
        failure,
        retryAfterOf(headers['retry-after'], Date.now()) ?? undefined,
      );
    throw failure;
  }
}

/** Refuses addresses that no media have; the connection checks where they lead. */
function checkUrl(url: URL): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw addressRefused(url.href);
  if (url.username !== '' || url.password !== '') {
    throw new RenderError(
      'media_refused',
      'Addresses with a user name or password are not allowed',
    );
  }
}

/** Sends one request and waits for the head of the answer. */
function ask(
  url: URL,
  options: DownloadOptions,
  times: DownloadTimes,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const headers: OutgoingHttpHeaders = {
    accept: '*/*',
    'accept-encoding': 'identity',
  };
  if (options.validators?.etag !== undefined) headers['if-none-match'] = options.validators.etag;
  if (options.validators?.lastModified !== undefined)
    headers['if-modified-since'] = options.validators.lastModified;

  return new Promise((resolve, reject) => {
    const request = opened(() => openRequest(url, options, { headers, signal }, options.resolve));
    let timer = setTimeout(
      () => giveUp(`Could not connect (no answer for ${duration(times.connect)})`),
      times.connect,
    );
    const giveUp = (message: string): void => {
      reject(new PassingFailure(new NotReached(message)));
      request.destroy();
    };
    request.on('socket', (socket) => {
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        clearTimeout(timer);
        timer = setTimeout(
          () => giveUp(`No data for ${duration(times.firstByte)}`),
          times.firstByte,
        );
      });
    });
    request.on('response', (answer) => {
      clearTimeout(timer);
      resolve(answer);
    });
    request.on('error', (error) => {
      clearTimeout(timer);
      reject(signal.aborted ? error : connectionFailure(error));
    });
    request.end();
  });
}

/** Opens a request to an allowed address. @throws RenderError for others. */
function opened(open: () => ClientRequest): ClientRequest {
  try {
    return open();
  } catch (error) {
    throw connectionFailure(error);
  }
}

/** Retrying does not fix certificates; everything else may pass. */
function connectionFailure(error: unknown): Error {
  if (error instanceof AddressRefused) return new RenderError('media_refused', error.message);
  if (!(error instanceof Error)) return new Error(String(error));
  const failure = new NotReached(`Could not connect (${reason(error)})`, error);
  const certificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL/.test(
    errorCode(error) ?? '',
  );
  return certificate ? failure : new PassingFailure(failure);
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name does not exist',
  EAI_AGAIN: 'the name could not be looked up',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed by the server',
  ENETUNREACH: 'network unreachable',
  EHOSTUNREACH: 'computer unreachable',
  ETIMEDOUT: 'no answer',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name',
};

function reason(error: Error): string {
  const code = errorCode(error);
  return code === undefined ? 'unknown reason' : (reasons[code] ?? code);
}

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

/** How long to wait, in milliseconds. */
export interface DownloadTimes {
  /** Until the connection is open. */
  readonly connect: number;
  /** From then until the answer begins. */
  readonly firstByte: number;
  /** Between two pieces of the answer. */
  readonly silence: number;
  /** For one try as a whole. */
  readonly whole: number;
  /** Before the second try, the third, …; their number limits the tries. */
  readonly pauses: readonly number[];
  /** Longest pause that a server may ask for. */
  readonly longestPause: number;
}

/** The times for renders; tests wait less. */
export const usualTimes: DownloadTimes = {
  connect: 10_000,
  firstByte: 30_000,
  silence: 30_000,
  whole: 600_000,
  pauses: [1_000, 4_000],
  longestPause: 60_000,
};

/** What a download may do. */
export interface DownloadOptions extends AddressRule {
  /** Largest file, bytes, counted while reading and after decompression. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly times?: DownloadTimes;
  /** Another resolver, for tests. */
  readonly resolve?: ResolveName;
  /** Called while the file arrives: bytes of this try so far, and the total if the server announces it (compressed). */
  readonly onBytes?: (received: number, announced: number | null) => void;
  /** The validators of an earlier copy; the server may then answer that it is unchanged. */
  readonly validators?: Validators;
}

/** Marks of a file's version, as given by its server. */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}
