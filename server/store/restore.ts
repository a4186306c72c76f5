/**
 * Puts a backup back. `restore.json` says which one; the next opening of the folder does it, while nobody else has the
 * folder open. First everything is made ready in `restoring.part/`, which then gets the name `restoring/`: until that
 * moment the data stay as they were, from then on they become the backup's, however often the program is ended in
 * between. What was replaced is a backup, too.
 */
import { copyFile, mkdir, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { isFinal, renderStatuses, type BackupCounts, type RestoredPart } from '../../shared/api.ts';
import { describeError, type Log } from '../system/log.ts';
import { errorCode, exists, flushFolder, renameOver } from '../system/files.ts';
import {
  backupFolder,
  dropOldest,
  isRecordFile,
  listBackups,
  noteFacts,
  stampOf,
  writeRecords,
  type Backup,
} from './backups.ts';
import { filesOfBackup, filesOfData, moveFiles, takeFile, takeFiles } from './backup-files.ts';
import { readDataFile } from './data-file.ts';
import { flushFile, writeWhole } from './files.ts';
import { reasonOf } from './health.ts';
import { currentFormat, readFormat } from './migrate.ts';
import { collectionNames, type CollectionName, type Identified } from './records.ts';

const journalForm = z.object({
  /** The backup's name, and its folder. */
  name: z.string(),
  path: z.string(),
  what: z.enum(['work', 'all']),
  /** When it was made and when this was asked for, ms since 1970. */
  madeAt: z.number(),
  askedAt: z.number(),
  /** What the replaced records are, for the list of backups. */
  counts: z.custom<BackupCounts>((value) => typeof value === 'object').optional(),
});
type Journal = z.infer<typeof journalForm>;

/** What a part replaces, or adds to (`workMerges`). */
const workParts: readonly CollectionName[] = [
  'templates',
  'template-versions',
  'feeds',
  'projects',
  'media',
  'fonts',
];

const journalOf = (folder: string): string => path.join(folder, 'restore.json');
const stagedIn = (folder: string): string => path.join(folder, 'restoring');
/** Files that the backup does not have, for `removed`. */
const removedFile = 'removed.json';

/** What came of putting a backup back. */
export interface RestoreOutcome {
  /** The backup's name. */
  readonly name: string;
  /** When it was asked for, ms since 1970. */
  readonly askedAt: number;
  /** False: it could not be, and the data are as they were. */
  readonly isDone: boolean;
  /** In words. */
  readonly text: string;
}

/** The newest backup of a data folder; null if there is none. For a start that fails: later ones are listed. */
export async function newestBackup(dataFolder: string): Promise<Backup | null> {
  const found = await listBackups(backupFolder(path.join(dataFolder, 'store'), null));
  return found.find(({ kind }) => kind !== 'replaced') ?? null;
}

/**
 * Has the next opening of the folder put a backup back.
 *
 * @param folder of the data files @param counts of the present records, if known
 * @throws what the disk says; then nothing is put back.
 */
export async function askToRestore(
  folder: string,
  backup: Backup,
  what: RestoredPart,
  now: Date,
  counts?: BackupCounts,
): Promise<void> {
  const { name, path: place, madeAt } = backup;
  const journal: Journal = { name, path: place, what, madeAt, askedAt: now.getTime(), counts };
  await writeWhole(journalOf(folder), `${JSON.stringify(journal)}\n`);
}

/**
 * Puts back what `askToRestore` named, or goes on with what an earlier start began. Call before the data files are
 * opened.
 *
 * @returns what was done, or why it was not; null: nothing was asked.
 * @throws what the disk says while files are exchanged; the next start goes on.
 */
export async function finishRestore(folder: string, log: Log): Promise<RestoreOutcome | null> {
  const part = `${stagedIn(folder)}.part`;
  const journal = await readJournal(folder);
  if (!journal) {
    for (const rest of [part, stagedIn(folder)]) {
      await rm(rest, { recursive: true, force: true }).catch(() => undefined);
    }
    return null;
  }
  const day = new Date(journal.madeAt).toISOString().slice(0, 16).replace('T', ' ');
  const which = `The backup ${journal.name} of ${day} UTC`;
  const outcome = { name: journal.name, askedAt: journal.askedAt };
  let left = 0;
  if (!(await exists(stagedIn(folder)))) {
    try {
      left = await stage(folder, part, journal, log);
    } catch (error) {
      log('error', 'store', `${which}: ${describeError(error)}`);
      await rm(part, { recursive: true, force: true });
      await rm(journalOf(folder), { force: true });
      // Only if it is empty.
      await rmdir(asideOf(folder, journal)).catch(() => undefined);
      const reason = error instanceof UnusableBackup ? error.message : reasonOf(error);
      const text = `${which} could not be restored: ${reason}. The data are as they were.`;
      return { ...outcome, isDone: false, text };
    }
  }
  const aside = await exchange(folder, journal, log);
  log('warning', 'store', `${which} was restored; what was there is in ${aside}`);
  const paused = journal.what === 'all' ? ' The queue is paused.' : '';
  const lost =
    left > 0 ? ` Unfinished renders left out, because their documents are gone: ${left}.` : '';
  return {
    ...outcome,
    isDone: true,
    text: `${which} was restored.${lost}${paused} What it replaced is among the backups as ${path.basename(aside)}.`,
  };
}

/** Why a backup can't be put back, as the end of a sentence. */
class UnusableBackup extends Error {
  override readonly name = 'UnusableBackup';
}

async function readJournal(folder: string): Promise<Journal | null> {
  try {
    return journalForm.parse(JSON.parse(await readFile(journalOf(folder), 'utf8')));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Makes ready what will replace data files, and the files that are missing. @returns renders left out */
async function stage(folder: string, part: string, journal: Journal, log: Log): Promise<number> {
  const { path: from, what } = journal;
  const format = await readFormat(path.join(from, 'format.json')).catch(() => null);
  if (format === null) throw new UnusableBackup('it is missing or incomplete');
  if (format > currentFormat) throw new UnusableBackup('a newer version of the app made it');
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true, mode: 0o700 });
  await mkdir(asideOf(folder, journal), { recursive: true, mode: 0o700 });
  const present = filesOfData(folder);
  const staged = filesOfBackup(part);
  await takeFiles(filesOfBackup(from), staged, { except: present });
  const sides: Sides = {
    folder,
    hasContent: async (kind, id) =>
      (await exists(path.join(present(kind), id))) || (await exists(path.join(staged(kind), id))),
    backup: (name) => recordsOf(from, name),
    present: (name) =>
      recordsOf(folder, name).catch((error: unknown) => {
        log('warning', 'store', `${name}.db is not used: ${describeError(error)}`);
        return new Map<string, Identified>();
      }),
  };
  const names = what === 'all' ? collectionNames : workParts;
  const removed: string[] = [];
  let left = 0;
  for (const name of names) {
    const source = await dataFileIn(from, name);
    const merge = (what === 'all' ? allMerges : workMerges)[name];
    if (!merge) {
      if (source !== null) await copyWhole(source, path.join(part, `${name}.db`));
      else if (what === 'all') removed.push(`${name}.db`);
      continue;
    }
    const merged = await merge(sides, name);
    left += merged.left ?? 0;
    await writeRecords(path.join(part, `${name}.db`), merged.docs);
  }
  // An older form: the upgrade follows. Its steps leave records of the present form as they are.
  if (what === 'all' || format < currentFormat) {
    await copyWhole(path.join(from, 'format.json'), path.join(part, 'format.json'));
  }
  await writeWhole(path.join(part, removedFile), JSON.stringify(removed));
  await flushFolder(part);
  await renameOver(part, stagedIn(folder));
  await flushFolder(folder);
  return left;
}

/** The records of both sides, by ID. */
interface Sides {
  /** Of the data files. */
  readonly folder: string;
  /** True if a content is there, or will be. */
  readonly hasContent: (part: 'media/content' | 'fonts/content', id: string) => Promise<boolean>;
  readonly backup: (name: CollectionName) => Promise<Map<string, Identified>>;
  readonly present: (name: CollectionName) => Promise<Map<string, Identified>>;
}

type Merge = (
  sides: Sides,
  name: CollectionName,
) => Promise<{ readonly docs: readonly object[]; readonly left?: number }>;

/** What has gone on since stays so: a webhook that was sent, a batch that has ended. */
const goOn: Merge = async ({ backup, present }, name) => {
  const now = await present(name);
  return { docs: [...(await backup(name)).values()].map((doc) => now.get(doc._id) ?? doc) };
};

const addPresent: Merge = async ({ backup, present }, name) => ({
  docs: [...new Map([...(await present(name)), ...(await backup(name))]).values()],
});

/** Media and fonts are added, never removed: templates of either side may name them. */
const addContents =
  (part: 'media/content' | 'fonts/content'): Merge =>
  async ({ backup, present, hasContent }, name) => {
    const docs = await present(name);
    for (const [id, doc] of await backup(name)) {
      if (!docs.has(id) && (await hasContent(part, id))) docs.set(id, doc);
    }
    return { docs: [...docs.values()] };
  };

type Merges = Readonly<Partial<Record<CollectionName, Merge>>>;

const contentMerges: Merges = {
  media: addContents('media/content'),
  fonts: addContents('fonts/content'),
};

/** Projects that the backup lacks stay: renders and keys belong to them. */
const workMerges: Merges = { projects: addPresent, ...contentMerges };

const renderForm = z.object({ status: z.enum(renderStatuses) });

/** Collections of which more than the backup's records is wanted when everything is put back. */
const allMerges: Merges = {
  ...contentMerges,
  deliveries: goOn,
  batches: goOn,
  /**
   * A render that has ended since must not be drawn and told a second time; one without its document can't be drawn.
   */
  renders: async ({ folder, backup, present }, name) => {
    const now = await present(name);
    const docs: Identified[] = [];
    let left = 0;
    for (const doc of (await backup(name)).values()) {
      const { data } = renderForm.safeParse(doc);
      const isOver = data !== undefined && isFinal(data.status);
      const current = isOver ? doc : now.get(doc._id);
      if (current) docs.push(current);
      else if (await exists(path.join(folder, 'sources', `${doc._id}.json`))) docs.push(doc);
      else left += 1;
    }
    return { docs, left };
  },
  /** Nothing is drawn before the user has seen what the queue is now. */
  settings: async ({ backup }, name) => {
    const records = await backup(name);
    const server = { ...records.get('server'), _id: 'server', queuePaused: true };
    return { docs: [...records.values()].filter(({ _id }) => _id !== 'server').concat(server) };
  },
};

/** A collection's records; none if it has no file. */
async function recordsOf(folder: string, name: CollectionName): Promise<Map<string, Identified>> {
  const file = await dataFileIn(folder, name);
  if (file === null) return new Map();
  // Every record has an ID, or readDataFile leaves it out.
  return (await readDataFile(file)).records as Map<string, Identified>;
}

/** A collection's file, or the complete rewrite that a crash left of it. */
async function dataFileIn(folder: string, name: CollectionName): Promise<string | null> {
  for (const file of [`${name}.db`, `${name}.db~`]) {
    if (await exists(path.join(folder, file))) return path.join(folder, file);
  }
  return null;
}

async function copyWhole(from: string, to: string): Promise<void> {
  await copyFile(from, `${to}.part`);
  await flushFile(`${to}.part`);
  await renameOver(`${to}.part`, to);
}

const asideOf = (folder: string, { askedAt }: Journal): string =>
  path.join(backupFolder(folder, null), `replaced-${stampOf(new Date(askedAt))}`);

/** Exchanges the files, one after the other; the last step ends it. Whatever is done already is left out. */
async function exchange(folder: string, journal: Journal, log: Log): Promise<string> {
  const staged = stagedIn(folder);
  const aside = asideOf(folder, journal);
  /** What is not replaced is kept as well, so that this is a whole backup; a disk without room must not stop here. */
  const keep = async (work: Promise<void>): Promise<void> => {
    await work.catch((error: unknown) => log('warning', 'store', describeError(error)));
  };
  const files = (await readdir(staged)).filter(isRecordFile);
  const removed = z
    .array(z.string())
    .parse(JSON.parse(await readFile(path.join(staged, removedFile), 'utf8')));
  let hasContents = false;
  const here = filesOfData(folder);
  await keep(
    takeFiles(here, filesOfBackup(aside), { linksOnly: true }).then((taken) => {
      hasContents = taken;
    }),
  );
  // Files first: a record is never without them.
  await moveFiles(filesOfBackup(staged), here);
  for (const name of files) {
    await putAside(folder, aside, name);
    await renameOver(path.join(staged, name), path.join(folder, name));
  }
  for (const name of removed) {
    await putAside(folder, aside, name);
    await rm(path.join(folder, name), { force: true });
  }
  for (const name of (await readdir(folder)).filter(isRecordFile)) {
    if (!(await exists(path.join(aside, name)))) {
      await keep(copyWhole(path.join(folder, name), path.join(aside, name)));
    }
  }
  await keep(noteFacts(aside, journal.askedAt, journal.counts, hasContents));
  await flushFolder(aside);
  await flushFolder(folder);
  // This ends it: what is staged is done.
  await rm(journalOf(folder));
  await flushFolder(folder);
  await keep(rm(staged, { recursive: true, force: true }));
  await keep(dropOldest(path.dirname(aside), 'replaced'));
  return aside;
}

/**
 * Keeps a data file that is about to be replaced, and what a rewrite left of it. It is not written again, so a link
 * will do; else a copy, or the file itself.
 */
async function putAside(folder: string, aside: string, name: string): Promise<void> {
  for (const one of [name, `${name}~`]) {
    const file = path.join(folder, one);
    await takeFile(file, path.join(aside, one)).catch(() => rename(file, path.join(aside, one)));
  }
  await rm(path.join(folder, `${name}~`), { force: true });
}
