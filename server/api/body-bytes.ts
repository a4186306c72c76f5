/**
 * Reads the bytes of a body as they arrive, each once: a long one goes piece by piece into memory shared with the
 * desk's threads, so that the API's thread never handles more than one piece at a time.
 */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ApiError } from '../../shared/errors.ts';
import { deskLimits } from '../../shared/limits.ts';

/** How a body may be compressed. */
const unpackers = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const;

/** Memory that grows. TypeScript has it since ES2024, Node since 20. */
type GrowingBuffer = SharedArrayBuffer & { grow(length: number): void };
const GrowingBuffer = SharedArrayBuffer as unknown as new (
  length: number,
  options: { maxByteLength: number },
) => GrowingBuffer;

/**
 * The body of a request, unpacked; null when it has none.
 *
 * @param limit Bytes that it may have, before and after decompression.
 * @throws ApiError `body_too_large`, `wrong_content_type`, `incomplete_body`.
 */
export async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer | null> {
  const { 'transfer-encoding': isSentInParts, 'content-length': announced } = request.headers;
  if (isSentInParts === undefined && announced === undefined) return null;
  const packing = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (packing === 'identity') {
    if (Number(announced) > limit) throw tooLarge(request, limit);
    return collect(request, request, limit);
  }
  const unpack = isUnpacker(packing) ? unpackers[packing] : null;
  if (!unpack) throw new ApiError('wrong_content_type');
  return collect(request, request.pipe(unpack()), limit);
}

function isUnpacker(name: string): name is keyof typeof unpackers {
  return Object.hasOwn(unpackers, name);
}

function collect(request: IncomingMessage, stream: Readable, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const short: Buffer[] = [];
    let long: GrowingBuffer | null = null;
    let length = 0;
    const add = (piece: Buffer, at: number): void => {
      if (!long && length > deskLimits.inlineDocument) {
        long = new GrowingBuffer(0, { maxByteLength: limit });
        for (const [index, earlier] of short.entries()) {
          fill(long, earlier, index === 0 ? 0 : long.byteLength);
        }
        short.length = 0;
      }
      if (long) fill(long, piece, at);
      else short.push(piece);
    };
    const end = (settle: () => void): void => {
      stream.off('data', take).off('end', finish).off('error', broken);
      request.off('close', cut).off('error', broken);
      settle();
    };
    const take = (piece: Buffer): void => {
      const at = length;
      length += piece.length;
      if (length <= limit) {
        add(piece, at);
        return;
      }
      if (stream !== request) {
        request.unpipe();
        stream.destroy();
      }
      request.pause();
      end(() => reject(tooLarge(request, limit)));
    };
    const finish = (): void => end(() => resolve(long ? Buffer.from(long) : Buffer.concat(short)));
    const broken = (): void => {
      request.unpipe();
      // The rest of a compressed body is dropped.
      if (stream !== request) request.resume();
      end(() => reject(new ApiError('incomplete_body')));
    };
    const cut = (): void => {
      if (!request.complete) broken();
    };
    stream.on('data', take).on('end', finish).on('error', broken);
    request.on('close', cut);
    if (stream !== request) request.on('error', broken);
  });
}

function fill(memory: GrowingBuffer, piece: Buffer, at: number): void {
  memory.grow(at + piece.length);
  new Uint8Array(memory, at, piece.length).set(piece);
}

/** Names the announced size, unless the body is compressed: then it is not the content's. */
export function tooLarge(request: IncomingMessage, limit: number): ApiError {
  const announced = Number(request.headers['content-length']);
  const megabytes = limit / 1_000_000;
  const size =
    announced > limit
      ? `${(announced / 1_000_000).toFixed(megabytes < 1 ? 3 : 1)} MB`
      : `more than ${megabytes} MB`;
  return new ApiError('body_too_large', { size, limit: megabytes });
}
