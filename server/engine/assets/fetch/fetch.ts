/**
 * Phase 1: copies one address of a document to a file in the work folder, whatever its scheme. Opens nothing outside
 * the media folders, and fetches nothing that server/system refuses.
 */
import { constants } from 'node:fs';
import { copyFile, mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { createHash, randomUUID } from 'node:crypto';
import path from 'node:path';
import { cacheLimit } from '../../../../shared/limits.ts';
import { RenderError } from '../../../../shared/engine/errors.ts';
import { fileAddress } from '../../../../shared/renderscript/page-links.ts';
import { errorCode, refusalKind, refusalWords, renameOver } from '../../../system/files.ts';
import {
  filesOutside,
  findLocal,
  type HiddenMedia,
  localRefusal,
  schemeOf,
} from '../../../system/media-folders.ts';
import {
  addressRefused,
  type DownloadOptions,
  NotReached,
  tooLarge,
  type Validators,
} from './download-request.ts';
import { spokenText } from '../../../../shared/renderscript/voices.ts';
import { speak, type SpeakOptions } from '../voices/voices.ts';
import { download } from './download.ts';
import { shrinkDownloads } from '../../../system/download-cache.ts';
import { takeKept } from '../../../system/kept-files.ts';

/** What fetching may do; see {@link DownloadOptions} for the network's part. */
export interface FetchOptions
  extends Omit<DownloadOptions, 'validators'>, Pick<SpeakOptions, 'voices' | 'isTrial'> {
  readonly cacheFolder: string;
  /** Bytes that it may take; absent: the usual limit. */
  readonly cacheLimit?: number | undefined;
  /** Folders that `file:`, `media:` and relative addresses may lie in. */
  readonly mediaFolders: readonly string[];
  /** See `findLocal`. */
  readonly hiddenMedia?: HiddenMedia | undefined;
}

/** A fetched file, and a warning about how it was fetched. */
export interface FetchResult {
  /** A sentence without the element, e.g. `The server could not be asked; the copy of 2 May is used`. */
  readonly warning?: string;
}

const dataLimit = 10 * 1024 ** 2;

/**
 * Fetches an address to `filePath`, which must not exist yet.
 *
 * @throws RenderError `media_missing`, `media_refused`, `media_unreadable`, `limit_exceeded`; its message is only the
 * reason, without the element.
 */
export async function fetchToFile(
  address: string,
  filePath: string,
  options: FetchOptions,
): Promise<FetchResult> {
  const text = address.trim();
  switch (schemeOf(text)) {
    case 'http':
    case 'https':
      if (!URL.canParse(text))
        throw new RenderError('media_missing', `This is not a valid address (${shorten(text)})`);
      return fetchFromNetwork(fileAddress(text), filePath, options);
    case 'data':
      await writeFile(filePath, readDataAddress(text, Math.min(dataLimit, options.maxBytes)));
      return {};
    case 'file':
    case 'media':
    case undefined:
      await copyLocal(text, filePath, options);
      return {};
    default: {
      const spoken = spokenText(text);
      if (!spoken) throw addressRefused(shorten(text));
      await speak(spoken, filePath, options);
      return {};
    }
  }
}

async function fetchFromNetwork(
  address: string,
  filePath: string,
  options: FetchOptions,
): Promise<FetchResult> {
  const cached = await findCached(options.cacheFolder, address);
  try {
    const result = await download(address, filePath, {
      ...options,
      ...(cached ? { validators: cached.validators } : {}),
    });
    if (!result.unchanged) {
      if (result.mayBeKept)
        await keepQuietly(
          options.cacheFolder,
          address,
          filePath,
          result.validators,
          options.cacheLimit ?? cacheLimit,
        );
      return {};
    }
    // Validators are sent only when there is a copy.
    const isTaken = await takeCached(cached as CachedFile, filePath);
    // The user has cleared the cache meanwhile: now it is no entry, and the server is asked for the whole file.
    if (!isTaken) return await fetchFromNetwork(address, filePath, options);
    await confirmCached(options.cacheFolder, address);
    return {};
  } catch (error) {
    // Being offline must not stop a render whose files are all cached.
    if (!cached || !(error instanceof NotReached)) throw error;
    if (!(await takeCached(cached, filePath))) throw error;
    const day = cached.checkedAt.toISOString().slice(0, 10);
    return { warning: `${error.message}; the copy of ${day} is used instead` };
  }
}

/** A full or read-only cache is no reason to fail a render whose file has arrived. */
async function keepQuietly(...entry: Parameters<typeof keepCached>): Promise<void> {
  try {
    await keepCached(...entry);
  } catch {
    // It will be fetched again next time.
  }
}

/** The bytes of a `data:` address, base64 or percent-encoded. */
function readDataAddress(address: string, maxBytes: number): Buffer {
  const comma = address.indexOf(',');
  if (comma < 0)
    throw new RenderError('media_unreadable', 'The data address has no comma and so no content');
  const head = address.slice('data:'.length, comma);
  // Base64 is a third longer than its content; the size is known before anything is decoded.
  if (address.length - comma > maxBytes * 3 + 4) throw tooLarge(maxBytes);
  let bytes: Buffer;
  if (/;\s*base64\s*$/i.test(head)) {
    bytes = Buffer.from(
      address
        .slice(comma + 1)
        .replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16))),
      'base64',
    );
  } else {
    bytes = percentDecoded(address.slice(comma + 1));
  }
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}

/** Percent-encoded bytes need not be valid text, so decodeURIComponent would refuse pictures. */
function percentDecoded(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  let length = 0;
  for (let index = 0; index < bytes.length; index++, length++) {
    const code = bytes[index] === 0x25 ? bytes.toString('latin1', index + 1, index + 3) : '';
    if (/^[0-9a-f]{2}$/i.test(code)) {
      bytes[length] = parseInt(code, 16);
      index += 2;
    } else {
      bytes[length] = bytes[index] ?? 0;
    }
  }
  return bytes.subarray(0, length);
}

/**
 * Copies a local file, so that later changes don't affect the render.
 */
async function copyLocal(
  address: string,
  filePath: string,
  { maxBytes, mediaFolders, hiddenMedia }: FetchOptions,
): Promise<void> {
  const found = await findLocal(address, mediaFolders, hiddenMedia);
  if (found === null) throw new RenderError('media_refused', filesOutside);
  if (found.kind !== 'file') {
    const code = found.kind === 'missing' ? 'media_missing' : 'media_refused';
    throw new RenderError(code, localRefusal(found));
  }
  if (found.bytes > maxBytes) throw tooLarge(maxBytes);
  try {
    await copyFile(found.path, filePath, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  } catch (error) {
    if (refusalKind(error) === 'full')
      throw new RenderError('output_unwritable', 'The disk is full', { cause: error });
    throw new RenderError(
      'media_missing',
      `The file cannot be read: ${refusalWords(error) ?? 'the system refuses it'}`,
      { cause: error },
    );
  }
}

function shorten(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}

// Downloads are kept between renders. An entry is used only if its server confirms it (or can't be reached, which
// becomes a warning). Several workers may share the folder: everything appears by rename.

/** A cached download. */
interface CachedFile {
  readonly path: string;
  readonly validators: Validators;
  /** When it was fetched or last found unchanged. */
  readonly checkedAt: Date;
}

/** The cached download of an address, or null. A damaged entry counts as none. */
async function findCached(folder: string, address: string): Promise<CachedFile | null> {
  const entryPath = path.join(folder, `${digest(address)}.json`);
  try {
    const entry: unknown = JSON.parse(await readFile(entryPath, 'utf8'));
    if (!isEntry(entry)) return null;
    const filePath = path.join(folder, path.basename(entry.file));
    const facts = await stat(filePath);
    if (facts.size !== entry.size) return null;
    const { mtime } = await stat(entryPath);
    const { etag, lastModified } = entry;
    return {
      path: filePath,
      validators: {
        ...(etag === undefined ? {} : { etag }),
        ...(lastModified === undefined ? {} : { lastModified }),
      },
      checkedAt: mtime,
    };
  } catch {
    // Missing, half removed or unreadable: fetching it again repairs it.
    return null;
  }
}

/**
 * Caches a download. Without validators it could never be revalidated, so it is not cached.
 * @param limit Bytes that the folder may take; the least recently used files go.
 */
async function keepCached(
  folder: string,
  address: string,
  filePath: string,
  validators: Validators,
  limit: number,
): Promise<void> {
  if (validators.etag === undefined && validators.lastModified === undefined) return;
  const name = digest(address);
  const file = `${name}-${digest(JSON.stringify(validators)).slice(0, 16)}.bin`;
  const { size } = await stat(filePath);
  if (size > limit) return;
  await mkdir(folder, { recursive: true });
  const part = path.join(folder, `${randomUUID()}.part`);
  await copyFile(filePath, part, constants.COPYFILE_FICLONE);
  await renameOver(part, path.join(folder, file));
  await writeFile(part, JSON.stringify({ file, size, ...validators }));
  await renameOver(part, path.join(folder, `${name}.json`));
  await shrinkDownloads(folder, limit, file);
}

/** Puts a cached download into the work folder. @returns false if it has been removed */
async function takeCached(cached: CachedFile, filePath: string): Promise<boolean> {
  try {
    await takeKept(cached.path, filePath);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Records that the server confirmed an entry. */
async function confirmCached(folder: string, address: string): Promise<void> {
  const now = new Date();
  await utimes(path.join(folder, `${digest(address)}.json`), now, now).catch(() => undefined);
}

/** Addresses may contain secrets, so only their digest is stored. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 40);
}

function isEntry(
  value: unknown,
): value is { file: string; size: number; etag?: string; lastModified?: string } {
  if (typeof value !== 'object' || value === null) return false;
  const isText = (part: unknown): boolean => part === undefined || typeof part === 'string';
  return (
    'file' in value &&
    typeof value.file === 'string' &&
    'size' in value &&
    typeof value.size === 'number' &&
    isText('etag' in value ? value.etag : undefined) &&
    isText('lastModified' in value ? value.lastModified : undefined)
  );
}
