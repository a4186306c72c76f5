/**
 * Long documents of templates, one file for each version, because records are all kept in memory and rewritten with
 * each change. A file never changes. Backups have links of their own (backups.ts); those of earlier versions have not,
 * so a file from an earlier run outlives its record for as long as such a backup may be restored.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { ApiError } from '../../shared/errors.ts';
import { retention } from '../../shared/limits.ts';
import { describeError, type Log } from '../system/log.ts';
import type { TextContent } from '../system/json-text.ts';
import { isLeftOver, isUnfinished, readWhole, writeWhole, Removals } from './files.ts';
import { reasonOf, type StoreHealth } from './health.ts';

/** Characters of a document that stay in its record; more goes to a file. */
const documentLength = 20_000;
/** A folder beside the data files. */
const folderName = 'template-documents';

/** A document stored as a file. */
export interface DocumentFile {
  readonly name: string;
  readonly bytes: number;
}

/** A document as a record has it: its text, or its file. */
export interface KeptDocument {
  readonly source?: string | undefined;
  readonly file?: DocumentFile | undefined;
}

/** True for a document too long for its record. */
export function isLong(content: TextContent): boolean {
  return content.length > documentLength;
}

/** The files of one data folder. */
export interface TemplateFiles {
  /** Writes a new file. @throws ApiError `cannot_save`. */
  write(content: TextContent): Promise<DocumentFile>;
  /** The content. @throws if it is missing or cut off. */
  read(file: DocumentFile): Promise<Buffer>;
  /** Whether two documents are the same, to the byte; one that can't be read is the same as none. */
  isSame(one: KeptDocument, other: KeptDocument): Promise<boolean>;
  /** Call before a record drops a file that an older backup may name: its retention starts now. */
  touch(file: DocumentFile | undefined): Promise<void>;
  /**
   * Drops a file that no record has any more: removes it at once if this run wrote it, because an older backup can't
   * name it.
   */
  leave(file: DocumentFile | undefined): Promise<void>;
  /** Removes a file permanently. */
  remove(file: DocumentFile | undefined): Promise<void>;
  /** Removes files that no record has and no backup can need. @param before ms since 1970: the start of the program. */
  removeStrays(isKnown: (name: string) => boolean, before: number): Promise<void>;
}

/** Opens them, making their folder if needed. */
export async function openTemplateFiles(
  folder: string,
  log: Log,
  health?: StoreHealth,
  removals = new Removals(),
): Promise<TemplateFiles> {
  const place = await makeFolder(folder);
  const pathOf = ({ name }: DocumentFile): string => path.join(place, name);
  /** Names of files written in this run: backups of earlier versions, which have no links, don't name them. */
  const own = new Set<string>();
  const remove = async (file: DocumentFile | undefined): Promise<void> => {
    if (!file) return;
    own.delete(file.name);
    await removals.remove(pathOf(file)).catch((error: unknown) => {
      log('warning', 'store', `${file.name} stays: ${describeError(error)}`);
    });
  };
  const read = async (file: DocumentFile): Promise<Buffer> => {
    const content = await readWhole(pathOf(file));
    if (content.length === file.bytes) return content;
    throw new Error(`${file.name} has ${content.length} bytes of ${file.bytes}`);
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
    read,
    async isSame({ source, file }, { source: otherSource, file: otherFile }) {
      if (!file || !otherFile) return source === otherSource && !file && !otherFile;
      if (file.bytes !== otherFile.bytes) return false;
      const one = await read(file).catch(() => null);
      const other = await read(otherFile).catch(() => null);
      return one !== null && other !== null && one.equals(other);
    },
    async touch(file) {
      if (!file || own.has(file.name)) return;
      const now = new Date();
      // It may be missing.
      await utimes(pathOf(file), now, now).catch(() => undefined);
    },
    async leave(file) {
      if (file && own.has(file.name)) await remove(file);
    },
    remove,
    async removeStrays(isKnown, before) {
      for (const name of await readdir(place)) {
        const isLeft = isLeftOver(name);
        if (!isLeft && (isUnfinished(name) || isKnown(name) || own.has(name))) continue;
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
 * Writes a document when upgrading older records, always under the same name, because an upgrade may run twice.
 *
 * @throws the disk's error.
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
