/**
 * Phase 1: downloads kept between renders. An entry is used only if its server confirms it (or can't be reached, which
 * becomes a warning). Several workers may share the folder: everything appears by rename.
 */
import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Validators } from './download-options.ts';
import { shrinkDownloads } from '../../../system/download-cache.ts';
import { errorCode, renameOver } from '../../../system/files.ts';

/** A cached download. */
export interface CachedFile {
  readonly path: string;
  readonly validators: Validators;
  /** When it was fetched or last found unchanged. */
  readonly checkedAt: Date;
}

/** The cached download of an address, or null. A damaged entry counts as none. */
export async function findCached(folder: string, address: string): Promise<CachedFile | null> {
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
export async function keepCached(
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

/** Puts a cached download into the work folder, as a hard link if possible. @returns false if it has been removed */
export async function takeCached(cached: CachedFile, filePath: string): Promise<boolean> {
  const now = new Date();
  await utimes(cached.path, now, now).catch(() => undefined);
  try {
    await link(cached.path, filePath);
  } catch {
    try {
      await copyFile(cached.path, filePath, constants.COPYFILE_FICLONE);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    }
  }
  return true;
}

/** Records that the server confirmed an entry. */
export async function confirmCached(folder: string, address: string): Promise<void> {
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
