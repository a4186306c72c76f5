/**
 * Finds local files by the address that a document gives, and never outside the media folders: the real path, after all
 * links, decides. Opens nothing.
 */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { exists } from './files.ts';

/** A file, or why there is none. */
export type LocalFile =
  | { readonly kind: 'file'; readonly path: string; readonly bytes: number }
  /** It lies outside the folders. */
  | { readonly kind: 'outside' }
  | { readonly kind: 'missing' }
  /** A folder, a pipe or a device: a pipe would block, and a device might never end. */
  | { readonly kind: 'not a file'; readonly name: string };

/** The refusal of a file that lies outside of the folders. */
export const filesOutside = 'Files outside the media folders cannot be read';

/** Why a render does not read it. */
export function localRefusal(found: Exclude<LocalFile, { kind: 'file' }>): string {
  switch (found.kind) {
    case 'outside':
      return filesOutside;
    case 'missing':
      return 'The file does not exist';
    case 'not a file':
      return `${found.name} is not a file`;
  }
}

/** Files of the media library that documents of a project must not see. */
export interface HiddenMedia {
  /** The project's ID. */
  readonly project: string;
  /** Where the library's contents lie. */
  readonly folder: string;
  /** Names of those that are other projects' alone. */
  readonly names: readonly string[];
}

/** The scheme of an address in small letters; undefined for paths. */
export function schemeOf(address: string): string | undefined {
  return /^([a-z][a-z0-9+.-]+):/i.exec(address.trim())?.[1]?.toLowerCase();
}

/**
 * The file of a `file:`, `media:`, absolute or relative address.
 *
 * @param hidden These are missing, under whatever address. Default: none.
 * @returns null for addresses with another scheme.
 */
export async function findLocal(
  address: string,
  folders: readonly string[],
  hidden?: HiddenMedia,
): Promise<LocalFile | null> {
  const found = await find(address, folders);
  if (found?.kind !== 'file' || !hidden || hidden.names.length === 0) return found;
  const name = path.basename(found.path).toLowerCase();
  if (!hidden.names.includes(name)) return found;
  const library = await realpath(hidden.folder).catch(() => null);
  return path.dirname(found.path) === library ? { kind: 'missing' } : found;
}

async function find(address: string, folders: readonly string[]): Promise<LocalFile | null> {
  const text = address.trim();
  switch (schemeOf(text)) {
    case 'file':
      try {
        return await findIn(fileURLToPath(text), folders);
      } catch {
        // Of another computer, or with a host.
        return { kind: 'outside' };
      }
    case 'media':
      return findRelative(decodeName(text.slice('media:'.length).replace(/^\/+/, '')), folders);
    case undefined:
      return path.isAbsolute(text) ? findIn(text, folders) : findRelative(text, folders);
    default:
      return null;
  }
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The first media folder that has the file wins. */
async function findRelative(name: string, folders: readonly string[]): Promise<LocalFile> {
  for (const folder of folders) {
    const candidate = await asStored(path.resolve(folder, name));
    if (await exists(candidate)) return findIn(candidate, [folder]);
  }
  const escapes = path.normalize(name).startsWith('..') || folders.length === 0;
  return { kind: escapes ? 'outside' : 'missing' };
}

/** Characters of a path that are compared letter by letter. */
const longestPath = 4_096;

/** A path as the disk spells it: an accented letter is one character or two, on a Mac mostly two. */
async function asStored(file: string): Promise<string> {
  const isPlain = !/[^\0-\x7f]/.test(file) || file.length > longestPath;
  if (isPlain || (await exists(file))) return file;
  const folder = await asStored(path.dirname(file));
  const name = path.basename(file);
  for (const form of [name, name.normalize('NFC'), name.normalize('NFD')]) {
    const candidate = path.join(folder, form);
    if (await exists(candidate)) return candidate;
  }
  return path.join(folder, name);
}

async function findIn(given: string, folders: readonly string[]): Promise<LocalFile> {
  const from = await asStored(given);
  const real = await realpath(from).catch(() => null);
  const realFolders = await Promise.all(
    folders.map((folder) => realpath(folder).catch(() => null)),
  );
  const allowed = real === null ? folders.map((folder) => path.resolve(folder)) : realFolders;
  if (!allowed.some((folder) => folder !== null && liesIn(real ?? path.resolve(from), folder))) {
    return { kind: 'outside' };
  }
  const facts = real === null ? null : await stat(real).catch(() => null);
  if (real === null || facts === null) return { kind: 'missing' };
  if (!facts.isFile()) return { kind: 'not a file', name: path.basename(from) };
  return { kind: 'file', path: real, bytes: facts.size };
}

function liesIn(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return (
    relative !== '' &&
    relative !== '..' &&
    !relative.startsWith(`..${path.sep}`) &&
    !path.isAbsolute(relative)
  );
}
