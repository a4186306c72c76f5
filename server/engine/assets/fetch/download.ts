/**
 * Phase 1: downloads one file over HTTP(S): requests it (download-request.ts), writes it (download-body.ts), limits
 * times, and retries after failures that may pass.
 */
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { RenderError } from '../../../../shared/engine/errors.ts';
import { saveBody } from './download-body.ts';
import { duration, PassingFailure } from './download-failures.ts';
import {
  usualTimes,
  type DownloadOptions,
  type DownloadTimes,
  type Validators,
} from './download-options.ts';
import { followRedirects } from './download-request.ts';

/** The result of a successful download. */
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
 * @throws RenderError `media_missing`, `media_refused`, `media_unreadable` or `limit_exceeded` whose message is only
 * the reason (`The server answered 404 Not Found`); the caller adds the element. Nothing is then left at `filePath`.
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
