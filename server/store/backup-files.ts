/**
 * The files that records name, as backups have them: documents of templates and feeds, media and fonts. None of them
 * ever changes, so a backup on the same drive takes them as hard links, which need no space and outlive the removal of
 * the originals. On another drive they are copies, or links to those of the backup before.
 */
import { constants } from 'node:fs';
import { copyFile, link, mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorCode, flushFolder, renameOver } from '../system/files.ts';
import { flushFile, isUnfinished } from './files.ts';

/** Documents: beside the data files. */
const documentParts = ['template-documents', 'feed-rows'] as const;
/** Contents of the media library and of added fonts: beside the folder of the data files. */
const contentParts = ['media/content', 'media/thumbnails', 'fonts/content'] as const;
const parts = [...documentParts, ...contentParts];
type FilePart = (typeof parts)[number];

/** Where the files of each part are. */
export type FilePlaces = (part: FilePart) => string;

const isDocument = (part: FilePart): boolean => documentParts.some((name) => name === part);

/** Of an installation. @param folder of its data files */
export function filesOfData(folder: string): FilePlaces {
  return (part) => path.join(isDocument(part) ? folder : path.dirname(folder), part);
}

/** Of a backup, or of what is made ready in the form of one. */
export function filesOfBackup(place: string): FilePlaces {
  return (part) => path.join(place, part);
}

/** How to take files. */
export interface FileTaking {
  /** Contents are taken if that needs no space, else not at all: nobody asked for this backup. Default false. */
  readonly linksOnly?: boolean;
  /** Has some of them already, which are left out. */
  readonly except?: FilePlaces;
  /** Has copies on the drive of the target, perhaps. */
  readonly earlier?: FilePlaces;
}

/**
 * Takes files into folders that lack them; makes these.
 *
 * @returns false if media and fonts were left out. @throws what the disk says.
 */
export async function takeFiles(
  from: FilePlaces,
  to: FilePlaces,
  taking: FileTaking = {},
): Promise<boolean> {
  for (const part of parts) {
    const isContent = !isDocument(part);
    const linksOnly = isContent && (taking.linksOnly ?? false);
    try {
      await takePart(from(part), to(part), {
        linksOnly,
        except: taking.except?.(part) ?? null,
        earlier: isContent ? (taking.earlier?.(part) ?? null) : null,
      });
    } catch (error) {
      if (!linksOnly || !(error instanceof NoLink)) throw error;
      for (const one of contentParts) await rm(to(one), { recursive: true, force: true });
      return false;
    }
  }
  return true;
}

/** The drive has no links, or there are too many to this file already. */
class NoLink extends Error {
  override readonly name = 'NoLink';
}

async function takePart(
  from: string,
  to: string,
  how: { linksOnly: boolean; except: string | null; earlier: string | null },
): Promise<void> {
  const names = await namesIn(from);
  const there = new Set(how.except === null ? [] : await namesIn(how.except));
  const missing = names.filter((name) => !isUnfinished(name) && !there.has(name));
  if (missing.length === 0) return;
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of missing) {
    const [source, target] = [path.join(from, name), path.join(to, name)];
    if (how.linksOnly) await linkOnly(source, target);
    else await takeFile(source, target, how.earlier === null ? null : path.join(how.earlier, name));
  }
  await flushFolder(to);
  await flushFolder(path.dirname(to));
}

/** Moves all files to where they belong; the same again after a crash. @throws what the disk says. */
export async function moveFiles(from: FilePlaces, to: FilePlaces): Promise<void> {
  for (const part of parts) {
    const names = await namesIn(from(part));
    if (names.length === 0) continue;
    await mkdir(to(part), { recursive: true, mode: 0o700 });
    for (const name of names) {
      const [source, target] = [path.join(from(part), name), path.join(to(part), name)];
      await renameOver(source, target).catch((error: unknown) => {
        // The user may have given the library a drive of its own.
        if (errorCode(error) === 'EXDEV') return takeFile(source, target);
        throw error;
      });
    }
    await flushFolder(to(part));
  }
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch((): string[] => []);

async function linkOnly(from: string, to: string): Promise<void> {
  await link(from, to).catch((error: unknown) => {
    if (!isThereOrGone(error)) throw new NoLink(to, { cause: error });
  });
}

const isThereOrGone = (error: unknown): boolean =>
  ['EEXIST', 'ENOENT'].includes(errorCode(error) ?? '');

/**
 * A file under another name, as a link if the drive can. One that is there already, or is gone, stays as it is.
 * @param earlier the same content on the target's drive, perhaps; null: none
 */
export async function takeFile(
  from: string,
  to: string,
  earlier: string | null = null,
): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (isThereOrGone(error)) return;
    if (earlier !== null && (await isSameLength(from, earlier))) {
      const linked = await link(earlier, to).then(
        () => true,
        () => false,
      );
      if (linked) return;
    }
    const part = `${to}.part`;
    await copyFile(from, part, constants.COPYFILE_FICLONE);
    await flushFile(part);
    await renameOver(part, to);
  }
}

async function isSameLength(one: string, other: string): Promise<boolean> {
  const lengthOf = (file: string): Promise<number | null> =>
    stat(file).then(
      ({ size }) => size,
      () => null,
    );
  const length = await lengthOf(one);
  return length !== null && length === (await lengthOf(other));
}

/** How much there is of something. */
export interface FileSum {
  readonly files: number;
  readonly bytes: number;
}

/**
 * What a backup has of files: documents, and the contents of media and fonts (their small pictures are not counted as
 * files).
 */
export async function sumFiles(
  place: string,
): Promise<{ readonly documents: FileSum; readonly contents: FileSum }> {
  const of = filesOfBackup(place);
  const sums = new Map<FilePart, FileSum>();
  for (const part of parts) {
    let bytes = 0;
    const names = await namesIn(of(part));
    for (const [n, name] of names.entries()) {
      bytes += (await stat(path.join(of(part), name))).size;
      if (n % 500 === 499) await nextTurn();
    }
    sums.set(part, { files: names.length, bytes });
  }
  const sum = (names: readonly FilePart[]): FileSum => ({
    files: names.reduce((all, part) => all + (sums.get(part)?.files ?? 0), 0),
    bytes: names.reduce((all, part) => all + (sums.get(part)?.bytes ?? 0), 0),
  });
  const pictures = sums.get('media/thumbnails')?.files ?? 0;
  const contents = sum(contentParts);
  return {
    documents: sum(documentParts),
    contents: { ...contents, files: contents.files - pictures },
  };
}
