/**
 * Phase 1: writes an answer's body to the disk: decompresses it, counts its bytes, and gives up when nothing arrives.
 */
import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { RenderError } from '../../../../shared/engine/errors.ts';
import { refusalKind } from '../../../system/files.ts';
import { duration, NotReached, PassingFailure, tooLarge } from './download-failures.ts';
import type { DownloadOptions, DownloadTimes } from './download-options.ts';

/**
 * Writes the body to the file.
 *
 * @returns its bytes after decompression.
 * @throws RenderError if final, PassingFailure if another try may succeed.
 */
export async function saveBody(
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
