/**
 * Sends a file from storage: by an address that the storage signs, where readers can reach it, or through us, whole or
 * in part, with the answers that a file of the output folder gets (files.ts).
 */
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { ApiError } from '../../shared/errors.ts';
import type { ByteRange, Storage } from '../store/storage.ts';

/** How long a signed address is valid, seconds: as long as someone may watch a film. */
const addressSeconds = 6 * 3_600;

/** A file, and what its headers say. */
export interface FarFile {
  readonly key: string;
  /** `Content-Type` */
  readonly type: string;
  /** `Content-Disposition` */
  readonly disposition: string;
}

/** See above. @throws ApiError for what is missing or asked wrongly, StorageError when the storage is away. */
export async function sendStored(
  request: Request,
  response: Response,
  storage: Storage,
  { key, type, disposition }: FarFile,
): Promise<void> {
  const file = await storage.head(key);
  if (!file) throw new ApiError('file_deleted');
  const address = await storage.signedAddress(key, { seconds: addressSeconds, type, disposition });
  if (address !== null) {
    response.removeHeader('Content-Type');
    response.redirect(302, address);
    return;
  }
  const mark = `"${file.mark}"`;
  const { headers, method } = request;
  if (!isAmong(mark, headers['if-match'])) throw new ApiError('precondition_failed');
  const known = { ETag: mark, 'Cache-Control': 'private, no-cache' };
  if (headers['if-none-match'] !== undefined && isAmong(mark, headers['if-none-match'])) {
    response.removeHeader('Content-Type');
    response.status(304).set(known).end();
    return;
  }
  const range = rangeOf(request, response, file.bytes, mark);
  const found = method === 'HEAD' ? null : await storage.get(key, range ? { range } : {});
  if (method !== 'HEAD' && !found) throw new ApiError('file_deleted');
  response
    .type(type)
    .set({ ...known, 'Content-Disposition': disposition, 'Accept-Ranges': 'bytes' });
  const { start, end } = range ?? { start: 0, end: file.bytes - 1 };
  response.set('Content-Length', String(end - start + 1));
  if (range) response.status(206).set('Content-Range', `bytes ${start}-${end}/${file.bytes}`);
  if (!found) {
    response.end();
    return;
  }
  // A reader that goes away in the middle is no error, and a storage that does ends the connection.
  await pipeline(found.stream, response).catch(() => response.destroy());
}

/** The part that was asked for; null: all of it. */
function rangeOf(
  request: Request,
  response: Response,
  size: number,
  mark: string,
): ByteRange | null {
  const { range, 'if-range': condition } = request.headers;
  if (range === undefined || (condition !== undefined && condition !== mark)) return null;
  const ranges = request.range(size);
  if (ranges === -1) {
    response.set('Content-Range', `bytes */${size}`);
    throw new ApiError('range_not_satisfiable', { size: String(size) });
  }
  if (!Array.isArray(ranges) || ranges.type !== 'bytes') return null;
  // Only the first of several ranges.
  return ranges[0] ?? null;
}

/** Whether a list of ETags names one; without a list, it does. */
function isAmong(mark: string, list: string | undefined): boolean {
  if (list === undefined || list.trim() === '*') return true;
  return list.split(',').some((one) => one.trim().replace(/^W\//, '') === mark);
}
