/**
 * Phase 1: downloads kept between renders. An entry is used only if its server confirms it (or can't be reached, which
 * becomes a warning). Several workers may share the folder: everything appears by rename.
 */
import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  copyFile,
  link,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import type { Validators } from './download-options.ts';
import { renameOver } from '../../../system/files.ts';

/** A cached download. */
export interface CachedFile {
  readonly path: string;
  readonly validators: Validators;
  /** When it was fetched or last found unchanged. */
  readonly checkedAt: Date;
}

/** Most bytes in the folder; the least recently used files go first. */
const cacheLimit = 10 * 1024 ** 3;

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

/** Caches a download. Without validators it could never be revalidated, so it is not cached. */
export async function keepCached(
  folder: string,
  address: string,
  filePath: string,
  validators: Validators,
): Promise<void> {
  if (validators.etag === undefined && validators.lastModified === undefined) return;
  await mkdir(folder, { recursive: true });
  const name = digest(address);
  const file = `${name}-${digest(JSON.stringify(validators)).slice(0, 16)}.bin`;
  const { size } = await stat(filePath);
  const part = path.join(folder, `${randomUUID()}.part`);
  await copyFile(filePath, part, constants.COPYFILE_FICLONE);
  await renameOver(part, path.join(folder, file));
  await writeFile(part, JSON.stringify({ file, size, ...validators }));
  await renameOver(part, path.join(folder, `${name}.json`));
  await shrink(folder, file);
}

/** Puts a cached download into the work folder, as a hard link if possible. */
export async function takeCached(cached: CachedFile, filePath: string): Promise<void> {
  const now = new Date();
  await utimes(cached.path, now, now).catch(() => undefined);
  try {
    await link(cached.path, filePath);
  } catch {
    await copyFile(cached.path, filePath, constants.COPYFILE_FICLONE);
  }
}

/** Records that the server confirmed an entry. */
export async function confirmCached(folder: string, address: string): Promise<void> {
  const now = new Date();
  await utimes(path.join(folder, `${digest(address)}.json`), now, now).catch(() => undefined);
}

/** Removes the least recently used files beyond the limit, and files that no entry names. */
async function shrink(folder: string, justKept: string): Promise<void> {
  const files: { name: string; size: number; time: number }[] = [];
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.bin') || name === justKept) continue;
    const facts = await stat(path.join(folder, name)).catch(() => null);
    if (facts) files.push({ name, size: facts.size, time: facts.mtimeMs });
  }
  files.sort((a, b) => a.time - b.time);
  const sameAddress = justKept.slice(0, justKept.indexOf('-'));
  let total = files.reduce((sum, { size }) => sum + size, 0);
  for (const { name, size } of files) {
    if (total <= cacheLimit && !name.startsWith(sameAddress)) continue;
    await rm(path.join(folder, name), { force: true });
    total -= size;
  }
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
