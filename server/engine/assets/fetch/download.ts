/**
 * Phase 1: downloads one file over HTTP(S): requests it (download-request.ts), writes it,
 * limits times, and retries after failures that may pass.
 */
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createWriteStream } from 'node:fs';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { RenderError } from '../../../../shared/engine/errors.ts';
import {
  type DownloadOptions,
  type DownloadTimes,
  duration,
  followRedirects,
  NotReached,
  PassingFailure,
  tooLarge,
  usualTimes,
  type Validators,
} from './download-request.ts';
import { refusalKind } from '../../../system/files.ts';

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

/**
 * Writes the body to the file.
 *
 * @returns its bytes after decompression.
 * @throws RenderError if final, PassingFailure if another try may succeed.
 */
async function saveBody(
  answer: IncomingMessage,
  filePath: string,
  { maxBytes, onBytes }: DownloadOptions,
  times: DownloadTimes,
  signal: AbortSignal,
): Promise<number> {
  const announced = Number(answer.headers['content-length'] ?? Number.NaN);
  if (announced > maxBytes) {
    answer.destroy();
    throw tooLarge(maxBytes);
  }

  const silent = new PassingFailure(new NotReached(`No data for ${duration(times.silence)}`));
  const timer = setTimeout(() => answer.destroy(silent), times.silence);
  const known = Number.isFinite(announced) ? announced : null;
  let received = 0;
  let bytes = 0;
  onBytes?.(0, known);
  const counted = (count: (length: number) => void): Transform =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        count(chunk.length);
        done(bytes > maxBytes ? tooLarge(maxBytes) : null, chunk);
      },
    });
  const arriving = counted((length) => {
    received += length;
    onBytes?.(received, known);
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
  return bytes;
}

/** A body that stops is worth another try; a full disk is not. */
function brokenOff(error: unknown): Error {
  const { code = '' } = error as NodeJS.ErrnoException; // every stream failure is a system error or has no code
  if (refusalKind(error) === 'full') {
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

/** We ask for the plain file; some servers compress it anyway. */
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
