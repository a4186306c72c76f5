/**
 * Phase 1: one file over HTTP(S) to the disk: asked for (download-request.ts), written down (download-body.ts), times
 * limited, failures that may pass tried again.
 */
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { AddressRule } from '../../network/address-rule.ts';
import type { ResolveName } from '../../network/connect.ts';
import { RenderError } from '../../../shared/engine/errors.ts';
import { saveBody } from './download-body.ts';
import { duration, PassingFailure } from './download-failures.ts';
import { followRedirects } from './download-request.ts';

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
export interface DownloadOptions extends AddressRule {
  /** Largest file, bytes, counted while reading and after decompression. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly times?: DownloadTimes;
  /** Another resolver, for tests. */
  readonly resolve?: ResolveName;
  /** Told while the file arrives: bytes so far of this try, and in all where the server says how many (before unpacking). */
  readonly onBytes?: (received: number, announced: number | null) => void;
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
    if (answer.statusCode === 304) {
      answer.destroy();
      return { unchanged: true };
    }
    const bytes = await saveBody(answer, filePath, options, times, signal);
    return {
      unchanged: false,
      bytes,
      validators: validatorsOf(answer),
      mayBeKept: !/no-store/i.test(answer.headers['cache-control'] ?? ''),
    };
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

function validatorsOf({ headers }: IncomingMessage): Validators {
  return {
    ...(headers.etag === undefined ? {} : { etag: headers.etag }),
    ...(headers['last-modified'] === undefined ? {} : { lastModified: headers['last-modified'] }),
  };
}
