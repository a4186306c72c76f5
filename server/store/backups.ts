/**
 * Backups: copies of the records with the files that they name (backup-files.ts), each a folder that can be put back on
 * its own (restore.ts). Finished files and the documents of renders are not part of it.
 */
import { cp, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import type { BackupCounts, BackupFiles, BackupKind } from '../../shared/api.ts';
import { flushFolder, renameOver } from '../system/files.ts';
import {
  filesOfBackup,
  filesOfData,
  sumFiles,
  takeFiles,
  type FilePlaces,
} from './backup-files.ts';
import { openedNote } from './data-file.ts';
import { flushFile, writeInParts, writeWhole } from './files.ts';
import type { CollectionName, Identified } from './records.ts';

/** How many backups of each kind to keep in the data folder. */
const kept: Readonly<Record<BackupKind, number>> = { day: 7, upgrade: 3, own: 10, replaced: 5 };
/** In a folder that the user chose. */
const chosenName = 'Framewright backups';
const factsFile = 'backup.json';
/** Records to write in one go. */
const pieceLength = 500;

const factsForm = z.object({
  /** ms since 1970. */
  madeAt: z.number(),
  bytes: z.number().optional(),
  /** Media and fonts; null: left out. Backups of earlier versions don't say: they have none. */
  contents: z.object({ files: z.number(), bytes: z.number() }).nullable().default(null),
  counts: z
    .object({
      templates: z.number(),
      feeds: z.number(),
      renders: z.number(),
      projects: z.number(),
      keys: z.number(),
    })
    .optional(),
});

/** A complete backup. */
export interface Backup {
  /** Its folder's name, e.g. `day-2026-11-21`. */
  readonly name: string;
  readonly kind: BackupKind;
  /** The folder. */
  readonly path: string;
  /** When it was made, ms since 1970. */
  readonly madeAt: number;
  /** Of its records and documents. */
  readonly bytes: number;
  /** Its media and fonts; null: it has none of them, because they would have needed space of their own. */
  readonly contents: BackupFiles | null;
  /** Null: not counted, as in those of earlier versions. */
  readonly counts: BackupCounts | null;
}

/** The records of a store at one moment. */
export type Snapshot = ReadonlyMap<CollectionName, readonly Identified[]>;

/** The data files, leftovers of rewrites, and the format. */
export const isRecordFile = (name: string): boolean => /\.db~?$|^format\.json$/.test(name);

/** Where backups are. @param chosen a folder that the user chose; null: in the data folder. */
export function backupFolder(storeFolder: string, chosen: string | null): string {
  return chosen === null ? path.join(storeFolder, 'backups') : path.join(chosen, chosenName);
}

/** `2026-11-21T10-00-00-000Z`, for names of files. */
export function stampOf(now: Date): string {
  return now.toISOString().replace(/[:.]/g, '-');
}

/** The complete backups in a folder, newest first; none if it is missing. */
export async function listBackups(folder: string): Promise<Backup[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const found = await Promise.all(names.map((name) => lookAt(folder, name)));
  return found.flatMap((one) => one ?? []).sort((a, b) => b.madeAt - a.madeAt);
}

async function lookAt(folder: string, name: string): Promise<Backup | null> {
  const kind = /^(day|upgrade|own|replaced)-[\w-]+$/.exec(name)?.[1] as BackupKind | undefined;
  if (!kind) return null;
  const place = path.join(folder, name);
  const found = await stat(place).catch(() => null);
  if (!found?.isDirectory()) return null;
  const facts = await readFacts(place);
  const bytes = facts?.bytes ?? (await recordBytes(place));
  // Earlier versions wrote no facts.
  const madeAt = facts?.madeAt ?? found.mtimeMs;
  const { contents = null, counts = null } = facts ?? {};
  return { name, kind, path: place, madeAt, bytes, contents, counts };
}

async function readFacts(place: string): Promise<z.infer<typeof factsForm> | undefined> {
  const text = await readFile(path.join(place, factsFile), 'utf8').catch(() => '{}');
  return factsForm.safeParse(parsed(text)).data;
}

async function recordBytes(place: string): Promise<number> {
  let bytes = 0;
  for (const name of (await readdir(place)).filter(isRecordFile)) {
    bytes += await stat(path.join(place, name)).then(({ size }) => size);
  }
  return bytes;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/**
 * Writes what a backup has, for lists.
 * @param hasContents false: media and fonts were left out; absent: as noted before.
 */
export async function noteFacts(
  place: string,
  madeAt: number,
  counts: BackupCounts | undefined,
  hasContents?: boolean,
): Promise<void> {
  const before = hasContents ?? ((await readFacts(place))?.contents ?? null) !== null;
  const { documents, contents } = await sumFiles(place);
  const facts = {
    madeAt,
    bytes: (await recordBytes(place)) + documents.bytes,
    contents: before ? contents : null,
    ...(counts && { counts }),
  };
  await writeWhole(path.join(place, factsFile), `${JSON.stringify(facts)}\n`);
}

/** What the records of a moment are. */
export function countsOf(records: Snapshot): BackupCounts {
  const count = (name: CollectionName): number => records.get(name)?.length ?? 0;
  // Those in the Trash are not counted: lists don't show them either.
  const templates = (records.get('templates') ?? []).filter((one) => !('deletedAt' in one));
  return {
    templates: templates.length,
    feeds: count('feeds'),
    renders: count('renders'),
    projects: count('projects'),
    keys: count('keys'),
  };
}

/**
 * Makes the daily copy of the data files, if there is none yet. Call before they are opened.
 * @returns its folder, if made.
 */
export async function backUpDaily(folder: string, now: Date): Promise<string | null> {
  const name = `day-${now.toISOString().slice(0, 10)}`;
  const known = await readdir(path.join(folder, 'backups')).catch((): string[] => []);
  return known.includes(name) ? null : backUpFiles(folder, 'day', name, now);
}

/** The day of the newest daily backup, as `2026-11-21`; null when there is none. */
export async function lastBackup(folder: string): Promise<string | null> {
  const known = await readdir(path.join(folder, 'backups')).catch((): string[] => []);
  const days = known.flatMap((name) => /^day-([\d-]+)$/.exec(name)?.[1] ?? []);
  return days.sort().at(-1) ?? null;
}

/** Copies data files that nobody has open to `backups/NAME`; removes the oldest of its kind. @returns its folder. */
export async function backUpFiles(
  folder: string,
  kind: BackupKind,
  name: string,
  now: Date,
): Promise<string> {
  const backups = backupFolder(folder, null);
  const place = await inWhole(backups, name, async (part) => {
    for (const file of await readdir(folder)) {
      if (!/\.db$|^format\.json$/.test(file)) continue;
      await cp(path.join(folder, file), path.join(part, file));
      await flushFile(path.join(part, file));
    }
    const of = filesOfBackup(part);
    const hasContents = await takeFiles(filesOfData(folder), of, { linksOnly: true });
    await noteFacts(part, now.getTime(), undefined, hasContents);
  });
  await dropOldest(backups, kind);
  return place;
}

/**
 * Writes the records of a moment to a new folder, with the files that they name beside them.
 *
 * @param folder of the data files @param into where backups are; made if missing
 * @throws what the disk says; then nothing is left.
 */
export async function backUpRecords(
  folder: string,
  into: string,
  records: Snapshot,
  now: Date,
): Promise<Backup> {
  const name = `own-${stampOf(now)}`;
  await inWhole(into, name, async (part) => {
    for (const [collection, docs] of records) {
      await writeRecords(path.join(part, `${collection}.db`), docs);
    }
    await cp(path.join(folder, 'format.json'), path.join(part, 'format.json'));
    await flushFile(path.join(part, 'format.json'));
    const earlier = await newestWithContents(into);
    await takeFiles(filesOfData(folder), filesOfBackup(part), { ...(earlier && { earlier }) });
    await noteFacts(part, now.getTime(), countsOf(records), true);
  });
  // In their own folder only users remove anything.
  if (into === backupFolder(folder, null)) await dropOldest(into, 'own');
  const made = await lookAt(into, name);
  if (!made) throw new Error(`${name} is gone`);
  return made;
}

/** On another drive, a backup shares its media and fonts with the one before. */
async function newestWithContents(into: string): Promise<FilePlaces | null> {
  const newest = (await listBackups(into)).find(({ contents }) => contents !== null);
  return newest ? filesOfBackup(newest.path) : null;
}

/** Writes a data file. In pieces: others have a turn in between. */
export async function writeRecords(file: string, docs: Iterable<object>): Promise<void> {
  await writeInParts(file, async (add) => {
    await add(openedNote);
    let lines: string[] = [];
    for (const doc of docs) {
      lines.push(`${JSON.stringify(doc)}\n`);
      if (lines.length < pieceLength) continue;
      await add(lines.join(''));
      lines = [];
      await nextTurn();
    }
    await add(lines.join(''));
  });
}

/** Makes a folder that gets its name only when it is complete and on the disk: half a backup must not pass for one. */
async function inWhole(
  backups: string,
  name: string,
  fill: (part: string) => Promise<void>,
): Promise<string> {
  const place = path.join(backups, name);
  const part = `${place}.part`;
  await rm(part, { recursive: true, force: true });
  try {
    await mkdir(part, { recursive: true, mode: 0o700 });
    await fill(part);
    await flushFolder(part);
    await renameOver(part, place);
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    throw error;
  }
  await flushFolder(backups);
  return place;
}

/** Removes the oldest backups of a kind that are too many. */
export async function dropOldest(backups: string, kind: BackupKind): Promise<void> {
  const same = (await readdir(backups)).filter((name) => name.startsWith(`${kind}-`)).sort();
  for (const old of same.slice(0, -kept[kind])) await removeBackup(path.join(backups, old));
}

/** Removes a backup. It loses its name first: half a backup must not pass for one. @throws what the disk says. */
export async function removeBackup(place: string): Promise<void> {
  const part = `${place}.part`;
  await renameOver(place, part);
  await rm(part, { recursive: true, force: true });
}
