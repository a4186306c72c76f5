/**
 * Finished files: `/renders/ID.mp4`, `/snapshots/ID.jpg`. They need no key, because their IDs can't be guessed. Only
 * renders in the store are looked up; no part of an address is ever joined to a folder.
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Request, type Response, Router } from 'express';
import { ApiError } from '../../shared/errors.ts';
import { cleanFileName } from '../../shared/file-name.ts';
import { fileEnding, fileEndings, formats } from '../../shared/renderscript/formats.ts';
import type { OutputFiles } from '../jobs/files/output-files.ts';
import type { StoredRender } from '../store/render-record.ts';
import type { RenderStore } from '../store/renders.ts';
import { shownAs } from './answer.ts';
import type { ByteRange, Storage } from '../store/storage.ts';

const id = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const renderName = new RegExp(`^(${id})\\.(${fileEndings.join('|')})$`, 'i');
const snapshotName = new RegExp(`^(${id})\\.jpg$`, 'i');

/** Routes for both listeners: the API's and the window's. */
export function fileRoutes({
  renders,
  files,
}: {
  renders: RenderStore;
  files: OutputFiles;
}): Router {
  const routes = Router({ caseSensitive: true });

  routes.get('/renders/:name', async (request, response) => {
    const [, renderId = '', ending] = renderName.exec(request.params.name.toLowerCase()) ?? [];
    const render = renders.find(renderId);
    if (render?.status !== 'succeeded' || fileEnding(render.outputFormat) !== ending)
      throw missing(request);
    const type = formats[render.outputFormat].mimeType;
    const name = wantedName(request) ?? downloadName(render, ending);
    const key = render.stored?.output;
    await sendEither(request, response, { key, file: files.outputPath(render), type, name });
  });

  routes.get('/snapshots/:name', async (request, response) => {
    const [, renderId = ''] = snapshotName.exec(request.params.name.toLowerCase()) ?? [];
    const render = renders.find(renderId);
    if (render?.status !== 'succeeded' || render.facts?.snapshot !== true) throw missing(request);
    await sendEither(request, response, {
      key: render.stored?.snapshot,
      file: files.snapshotPath(render),
      type: formats.jpg.mimeType,
      name: downloadName(render, 'jpg'),
    });
  });

  /** From storage if the record names a key there; else the file. */
  async function sendEither(
    request: Request,
    response: Response,
    {
      key,
      file,
      type,
      name,
    }: { key: string | undefined; file: string; type: string; name: string },
  ): Promise<void> {
    const { storage } = files;
    if (key === undefined) await sendInParts(request, response, { file, type, name });
    // The server was started without the storage that the file is in.
    else if (!storage) throw new ApiError('storage_unavailable', { reason: 'no storage is named' });
    else await sendStored(request, response, storage, { key, type, disposition: shownAs(name) });
  }

  return routes;
}

/** The file name that the link asks for (`?as=Promo`), with the file's own ending. */
function wantedName({ query, params }: Request): string | null {
  const { as: wanted } = query;
  const name = typeof wanted === 'string' ? cleanFileName(wanted) : '';
  return name === '' ? null : `${name}${path.extname(String(params['name']))}`;
}

function missing(request: Request): ApiError {
  return new ApiError('file_not_found', { path: request.path });
}

/** Sends a file, whole or the requested part, or says that the reader's copy is still valid. @param name When saved. */
export async function sendInParts(
  request: Request,
  response: Response,
  { file, type, name }: { readonly file: string; readonly type: string; readonly name: string },
): Promise<void> {
  // Of several ranges only the first is sent; Express would send the whole file.
  const { range } = request.headers;
  if (range !== undefined) request.headers.range = range.split(',')[0];
  response.type(type);
  response.set('Content-Disposition', shownAs(name));
  const mark = await markOf(file);
  if (mark !== null) {
    // People may change or delete the file, so readers must revalidate their copy.
    response.set({ ETag: mark, 'Cache-Control': 'private, no-cache' });
  }
  await new Promise<void>((resolve, reject) => {
    // With a root, so that Express accepts a data folder whose name begins with a dot.
    const options = { root: path.dirname(file), cacheControl: false, acceptRanges: true };
    response.sendFile(path.basename(file), options, (error?: Error & { status?: number }) => {
      // A reader that goes away in the middle is no error.
      if (!error || response.headersSent) resolve();
      else reject(sendingError(error, response));
    });
  });
}

/** The ETag of the current file; null if it is not there. */
async function markOf(file: string): Promise<string | null> {
  const facts = await stat(file, { bigint: true }).catch(() => null);
  return facts && `"${facts.size.toString(36)}-${facts.mtimeNs.toString(36)}"`;
}

function sendingError(error: Error & { status?: number }, response: Response): Error {
  for (const header of ['Content-Disposition', 'ETag', 'Last-Modified', 'Accept-Ranges'])
    response.removeHeader(header);
  response.set('Cache-Control', 'no-store');
  if (error.status === 412) return new ApiError('precondition_failed');
  if (error.status === 416) {
    const size = String(response.getHeader('Content-Range') ?? '').replace(/^bytes \*\//, '');
    return new ApiError('range_not_satisfiable', { size: size === '' ? 'fewer' : size });
  }
  return error.status === 404 ? new ApiError('file_deleted') : error;
}

/** A name for "Save as": the template's, without characters that trouble file systems or people; else the ID. */
function downloadName({ id: renderId, request }: StoredRender, extension: string): string {
  const cleaned = cleanFileName(request.template?.name ?? '');
  return `${cleaned || renderId}.${extension}`;
}

// From storage: by an address that the storage signs, where readers can reach it, or through us, whole or in part,
// with the answers that a file of the output folder gets.

/** How long a signed address is valid, seconds: as long as someone may watch a film. */
const addressSeconds = 6 * 3_600;

/** A file, and what its headers say. */
interface FarFile {
  readonly key: string;
  /** `Content-Type` */
  readonly type: string;
  /** `Content-Disposition` */
  readonly disposition: string;
}

/** See above. @throws ApiError for what is missing or asked wrongly, StorageError when the storage is away. */
async function sendStored(
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
