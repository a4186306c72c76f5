/**
 * Phase 1: one file over HTTP(S) to the disk: addresses checked, redirects followed one by one, sizes and times limited,
 * failures that may pass tried again. No cookies, no credentials, no referrer.
 */
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import {
  request as httpRequest,
  STATUS_CODES,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { RenderError } from '../errors.ts';
import {
  addressRefused,
  checkedLookup,
  isAddressAllowed,
  type ResolveName,
} from './address-check.ts';

/** How long to wait, in milliseconds. */
export interface DownloadTimes {
  /** Until a connection stands. */
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

export const usualTimes: DownloadTimes = {
  connect: 10_000,
  firstByte: 30_000,
  silence: 30_000,
  whole: 600_000,
  pauses: [1_000, 4_000],
  longestPause: 60_000,
};

/** What a download may do. */
export interface DownloadOptions {
  readonly allowPrivateAddresses: boolean;
  /** Ports of this program's own server: refused on this computer whatever the settings say. */
  readonly ownPorts?: readonly number[];
  /** Largest file, bytes, counted while reading and after decompression. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly times?: DownloadTimes;
  /** Another resolver, for tests. */
  readonly resolve?: ResolveName;
  /** What is known of an earlier copy; the server then may answer that it still holds. */
  readonly validators?: Validators;
}

/** Marks of a version of a file, as its server gave them. */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

/** How a download ended well. */
export type DownloadResult =
  | { readonly unchanged: true }
  | {
      readonly unchanged: false;
      readonly bytes: number;
      readonly validators: Validators;
      readonly mayBeKept: boolean;
    };

const maxRedirects = 5;
const redirects = new Set([301, 302, 303, 307, 308]);
const passing = new Set([429, 500, 502, 503, 504]);

/** No answer at all, or none to the end: says nothing about the file, only about the way to it. */
export class NotReached extends RenderError {
  constructor(message: string, cause?: unknown) {
    super('media_missing', message, { cause });
  }
}

/** A failure that another try may not meet. */
class PassingFailure extends Error {
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
 * Downloads an address to a file.
 *
 * @throws RenderError `media_missing`, `media_refused`, `media_unreadable` or `limit_exceeded` whose message is the
 *   reason alone (`The server answered 404 Not Found`); the caller puts the element before it. Nothing is left at
 *   `filePath` then.
 */
export async function download(
  address: string,
  filePath: string,
  options: DownloadOptions,
): Promise<DownloadResult> {
  const times = options.times ?? usualTimes;
  for (let tries = 0; ; tries++) {
    options.signal.throwIfAborted();
    try {
      return await downloadOnce(new URL(address), filePath, options, times);
    } catch (error) {
      await rm(filePath, { force: true });
      options.signal.throwIfAborted();
      if (!(error instanceof PassingFailure)) throw error;
      const planned = times.pauses[tries];
      if (planned === undefined) throw error.failure;
      const wait =
        error.wait === undefined
          ? planned
          : Math.min(Math.max(error.wait, planned), times.longestPause);
      await pause(wait, undefined, { signal: options.signal });
    }
  }
}

async function downloadOnce(
  start: URL,
  filePath: string,
  options: DownloadOptions,
  times: DownloadTimes,
): Promise<DownloadResult> {
  const whole = new AbortController();
  const timer = setTimeout(() => whole.abort(), times.whole);
  const signal = AbortSignal.any([options.signal, whole.signal]);
  try {
    const answer = await followRedirects(start, options, times, signal);
    return await save(answer, filePath, options, times, signal);
  } catch (error) {
    if (whole.signal.aborted && !options.signal.aborted) {
      throw new RenderError('media_missing', `Not finished after ${duration(times.whole)}`, {
        cause: error,
      });
    }
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function followRedirects(
  start: URL,
  options: DownloadOptions,
  times: DownloadTimes,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  let url = start;
  for (let count = 0; ; count++) {
    checkUrl(url, options);
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
      throw new PassingFailure(failure, retryAfter(headers['retry-after']));
    throw failure;
  }
}

/** Refuses what can be seen in the address itself; names are checked when they are resolved. */
function checkUrl(url: URL, options: DownloadOptions): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw addressRefused(url.href);
  if (url.username !== '' || url.password !== '') {
    throw new RenderError(
      'media_refused',
      'Addresses with a user name or password are not allowed',
    );
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isAddressAllowed(host, allowsPrivate(url, options)))
    throw addressRefused(host);
}

/** Our own server's port is refused on private addresses whatever the setting says. */
function allowsPrivate(
  url: URL,
  { allowPrivateAddresses, ownPorts = [] }: DownloadOptions,
): boolean {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  return allowPrivateAddresses && !ownPorts.includes(port);
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
    'user-agent': 'Framewright',
  };
  if (options.validators?.etag !== undefined) headers['if-none-match'] = options.validators.etag;
  if (options.validators?.lastModified !== undefined)
    headers['if-modified-since'] = options.validators.lastModified;

  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send(url, {
      headers,
      signal,
      agent: false,
      lookup: checkedLookup(allowsPrivate(url, options), options.resolve),
    });
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

/** Certificates don't get better by trying again; everything else might. */
function connectionFailure(error: Error & { code?: string }): Error {
  if (error instanceof RenderError) return error;
  const failure = new NotReached(`Could not connect (${reason(error)})`, error);
  const certificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL/.test(error.code ?? '');
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

function reason(error: Error & { code?: string }): string {
  return reasons[error.code ?? ''] ?? error.code ?? 'unknown reason';
}

/** Writes the body to the file, counting. */
async function save(
  answer: IncomingMessage,
  filePath: string,
  { maxBytes }: DownloadOptions,
  times: DownloadTimes,
  signal: AbortSignal,
): Promise<DownloadResult> {
  if (answer.statusCode === 304) {
    answer.destroy();
    return { unchanged: true };
  }
  const announced = Number(answer.headers['content-length'] ?? Number.NaN);
  if (announced > maxBytes) {
    answer.destroy();
    throw tooLarge(maxBytes);
  }

  const silent = new PassingFailure(new NotReached(`No data for ${duration(times.silence)}`));
  const timer = setTimeout(() => answer.destroy(silent), times.silence);
  let received = 0;
  let bytes = 0;
  const counted = (count: (length: number) => void): Transform =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        count(chunk.length);
        done(bytes > maxBytes ? tooLarge(maxBytes) : null, chunk);
      },
    });
  const arriving = counted((length) => {
    received += length;
    timer.refresh();
  });
  const arrived = counted((length) => (bytes += length));
  try {
    const steps = [answer, arriving, ...decompression(answer.headers['content-encoding']), arrived];
    // pipeline() has no signature for a list whose parts are known to fit only at run time.
    await pipeline([...steps, createWriteStream(filePath)] as unknown as [Readable, Transform], {
      signal,
    });
  } catch (error) {
    if (signal.aborted || error instanceof RenderError || error instanceof PassingFailure)
      throw error;
    throw brokenOff(error);
  } finally {
    clearTimeout(timer);
  }
  if (received < announced) throw endsEarly();
  return {
    unchanged: false,
    bytes,
    validators: validatorsOf(answer),
    mayBeKept: !/no-store/i.test(answer.headers['cache-control'] ?? ''),
  };
}

/** A body that stops is worth another try; a full disk is not. */
function brokenOff(error: unknown): Error {
  const { code = '' } = error as NodeJS.ErrnoException; // every stream failure is a system error or has no code
  if (code === 'ENOSPC') {
    return new RenderError('output_unwritable', 'The disk is full', { cause: error });
  }
  if (/^(Z_|ERR_|ECONN|EPIPE|ETIMEDOUT)/.test(code)) return endsEarly(error);
  return error instanceof Error ? error : new Error(String(error));
}

function endsEarly(cause?: unknown): PassingFailure {
  return new PassingFailure(
    new RenderError('media_unreadable', 'The file ends too early', { cause }),
  );
}

/** We ask for the plain file; some servers compress all the same. */
function decompression(encoding = 'identity'): Transform[] {
  const table: Readonly<Record<string, () => Transform>> = {
    gzip: createGunzip,
    'x-gzip': createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  };
  const names = encoding.split(',').map((name) => name.trim().toLowerCase());
  return names
    .filter((name) => name !== 'identity' && name !== '')
    .reverse()
    .map((name) => {
      const make = table[name];
      if (!make)
        throw new RenderError(
          'media_unreadable',
          `The server sent an unknown compression (${name})`,
        );
      return make();
    });
}

function validatorsOf({ headers }: IncomingMessage): Validators {
  return {
    ...(headers.etag === undefined ? {} : { etag: headers.etag }),
    ...(headers['last-modified'] === undefined ? {} : { lastModified: headers['last-modified'] }),
  };
}

/** `Retry-After` in milliseconds: a number of seconds or a date; nonsense counts as absent. */
function retryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const time = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(time) && time > 0 ? time : undefined;
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

function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${milliseconds} milliseconds`;
  if (milliseconds < 120_000) return `${round(milliseconds / 1000)} seconds`;
  return `${round(milliseconds / 60_000)} minutes`;
}
