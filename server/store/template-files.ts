/**
 * Long documents of templates, each version a file of its own beside the records: records are all kept in memory and written anew
 * with each change. A file is never changed; one that an earlier run wrote outlives its record for as long as a backup may be
 * gone back to.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { ApiError } from '../../shared/errors.ts';
import { retention } from '../../shared/limits.ts';
import { describeError, type Log } from '../log.ts';
import type { TextContent } from '../json-text.ts';
import { isUnfinished, readWhole, writeWhole } from './files.ts';
import { reasonOf, type StoreHealth } from './health.ts';

/** Characters of a document that stay in its record; more goes to a file. */
const documentLength = 20_000;
/** Below the folder of the data files. */
const folderName = 'template-documents';

/** A document that is a file. */
export interface DocumentFile {
  readonly name: string;
  readonly bytes: number;
}

/** True for a document that does not stay in its record. */
export function isLong(content: TextContent): boolean {
  return content.length > documentLength;
}

/** The files of one data folder. */
export interface TemplateFiles {
  /** Writes a new file. @throws ApiError `cannot_save`. */
  write(content: TextContent): Promise<DocumentFile>;
  /** The content. @throws when it is missing or cut. */
  read(file: DocumentFile): Promise<Buffer>;
  /** Call before a record forgets a file that a backup may have: its time begins now. */
  touch(file: DocumentFile | undefined): Promise<void>;
  /** A file that no record has any more: one of this run, which no backup can have, goes at once. */
  leave(file: DocumentFile | undefined): Promise<void>;
  /** Removes a file for good. */
  remove(file: DocumentFile | undefined): Promise<void>;
  /** Removes what no record has and no backup can want. @param before ms since 1970: the start of the program. */
  removeStrays(isKnown: (name: string) => boolean, before: number): Promise<void>;
}

/** Opens them, making their folder if needed. */
export async function openTemplateFiles(
  folder: string,
  log: Log,
  health?: StoreHealth,
): Promise<TemplateFiles> {
  const place = await makeFolder(folder);
  const pathOf = ({ name }: DocumentFile): string => path.join(place, name);
  /** Names of files that this run wrote. Backups are only made before it begins. */
  const own = new Set<string>();
  const remove = async (file: DocumentFile | undefined): Promise<void> => {
    if (!file) return;
    own.delete(file.name);
    await rm(pathOf(file), { force: true }).catch((error: unknown) => {
      log('warning', 'store', `${file.name} stays: ${describeError(error)}`);
    });
  };
  return {
    async write(content) {
      const file = { name: `${randomUUID()}.json`, bytes: Buffer.byteLength(content) };
      try {
        await writeWhole(pathOf(file), content);
      } catch (error) {
        log('error', 'store', `${pathOf(file)} can't be written: ${describeError(error)}`);
        health?.doubt();
        throw new ApiError('cannot_save', { reason: reasonOf(error) });
      }
      own.add(file.name);
      return file;
    },
    async read(file) {
      const content = await readWhole(pathOf(file));
      if (content.length === file.bytes) return content;
      throw new Error(`${file.name} has ${content.length} bytes of ${file.bytes}`);
    },
    async touch(file) {
      if (!file || own.has(file.name)) return;
      const now = new Date();
      // One that is missing has no time.
      await utimes(pathOf(file), now, now).catch(() => undefined);
    },
    async leave(file) {
      if (file && own.has(file.name)) await remove(file);
    },
    remove,
    async removeStrays(isKnown, before) {
      for (const name of await readdir(place)) {
        const isLeft = isUnfinished(name);
        if (!isLeft && (isKnown(name) || own.has(name))) continue;
        const file = path.join(place, name);
        const facts = await stat(file).catch(() => null);
        const age = isLeft ? 0 : retention.deletedTemplates;
        if (!facts || facts.mtimeMs >= before - age) continue;
        await rm(file, { force: true }).catch(() => undefined);
      }
    },
  };
}

/**
 * Writes a document for the upgrade of older records, always under the same name, because an upgrade may be done twice.
 *
 * @throws what the disk says.
 */
export async function writeUpgraded(
  folder: string,
  id: string,
  text: string,
): Promise<DocumentFile> {
  const hash = createHash('sha256').update(`${id}\n${text}`).digest('hex');
  const name = `${hash.slice(0, 32)}.json`;
  await writeWhole(path.join(await makeFolder(folder), name), text);
  return { name, bytes: Buffer.byteLength(text) };
}

async function makeFolder(folder: string): Promise<string> {
  const place = path.join(folder, folderName);
  await mkdir(place, { recursive: true, mode: 0o700 });
  return place;
}
