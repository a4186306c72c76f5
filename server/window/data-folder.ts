/**
 * Backups of the records, for the window: what there is, one more, one less, and one to put back. Below `/api`, behind
 * its token.
 */
import { opendir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Router } from 'express';
import {
  type BackupRecord,
  backupRows,
  type SpaceKind,
  spaceKinds,
  spaceRows,
  type SpaceUse,
} from '../../shared/api/data-folder.ts';
import { dropBackup, makeBackup, startRestore } from '../api/backups.ts';
import type { ServerServices } from '../services.ts';
import type { PlacedBackup } from '../store/store-backups.ts';
import { serveRows } from './rows.ts';
import { downloadFolder, downloadsKept, shrinkDownloads } from '../system/download-cache.ts';
import { backupFolder } from '../store/backups.ts';

/** Routes below `/api`. */
export function backupRoutes(services: ServerServices): Router {
  return serveRows(backupRows, {
    list: async () => {
      const { backups } = services.store;
      const found = (await backups?.list()) ?? [];
      return {
        backups: found.map(recordOf),
        folder: backups?.folder ?? null,
        now: backups?.counts ?? null,
      };
    },
    make: async () => recordOf(await makeBackup(services)),
    // A place that does not exist has no backups.
    remove: ({ params }) => dropBackup(services, params),
    restore: async ({ params, body, response }) => {
      await startRestore(services, params, body.what, response);
      return { restarts: services.run.restart !== null };
    },
  });
}

function recordOf(backup: PlacedBackup): BackupRecord {
  const { name, place, kind, madeAt, bytes, contents, counts } = backup;
  return { name, place, kind, madeAt, bytes, contents, counts };
}

/**
 * Folders of the data folder by kind; what is in none of them are caches and work files, which come back by themselves.
 */
const kindOfFolder: Readonly<Record<string, SpaceKind>> = {
  store: 'records',
  drafts: 'records',
  media: 'media',
  fonts: 'fonts',
};
/** Files of renders are named by their IDs; the folder may be one with the user's own films. */
const ofRender = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\./;

/** What takes space. */
type Spaces = Pick<ServerServices, 'run' | 'library' | 'store'>;

/** Routes below `/api`. */
export function spaceRoutes(services: Spaces): Router {
  /** One walk at a time: who asks meanwhile gets its answer. */
  let walk: Promise<SpaceUse> | null = null;
  const downloads = downloadFolder(services.run.dataFolder);
  return serveRows(spaceRows, {
    space: () =>
      (walk ??= measure(services).finally(() => {
        walk = null;
      })),
    downloads: () => downloadsKept(downloads),
    clearDownloads: async () => {
      await shrinkDownloads(downloads, 0);
      return downloadsKept(downloads);
    },
  });
}

async function measure({
  run: { dataFolder },
  library: { files },
  store,
}: Spaces): Promise<SpaceUse> {
  const sizes = Object.fromEntries(
    spaceKinds.map((kind) => [kind, { bytes: 0, files: 0 }]),
  ) as Record<SpaceKind, { bytes: number; files: number }>;
  /** Backups are links to documents that are still there: they take no space of their own. */
  const linked = new Set<string>();
  const outputs = new Set([files.folder, ...store.settings.values.earlierOutputFolders]);
  const add = async (file: string, kind: SpaceKind): Promise<void> => {
    const found = await stat(file).catch(() => null);
    if (!found?.isFile()) return;
    const link = `${found.dev}:${found.ino}`;
    if (found.nlink > 1 && linked.has(link)) return;
    if (found.nlink > 1) linked.add(link);
    sizes[kind].bytes += found.size;
    sizes[kind].files += 1;
  };
  const own = path.join(dataFolder, 'store');
  const backups = backupFolder(own, null);
  // First what is used, so that what is linked counts there.
  for await (const file of filesIn(dataFolder, [backups, ...outputs])) {
    const [top = ''] = path.relative(dataFolder, file).split(path.sep);
    await add(file, kindOfFolder[top] ?? 'cache');
  }
  const { backupFolder: chosen } = store.settings.values;
  for (const folder of new Set([backups, backupFolder(own, chosen)])) {
    for await (const file of filesIn(folder)) await add(file, 'backups');
  }
  for (const folder of outputs) {
    for (const part of [folder, path.join(folder, 'snapshots')]) {
      for await (const file of filesIn(part, [], false)) {
        if (ofRender.test(path.basename(file))) await add(file, 'renders');
      }
    }
  }
  return { kinds: spaceKinds.map((kind) => ({ kind, ...sizes[kind] })) };
}

/**
 * The files below a folder, one after the other, without following links; none where it can't be read.
 * @param except folders that are left out
 * @param deep false: only those in the folder itself
 */
async function* filesIn(
  folder: string,
  except: readonly string[] = [],
  deep = true,
): AsyncGenerator<string> {
  const entries = await opendir(folder).catch(() => null);
  if (!entries) return;
  for await (const entry of entries) {
    const place = path.join(folder, entry.name);
    if (entry.isFile()) yield place;
    else if (deep && entry.isDirectory() && !except.includes(place)) yield* filesIn(place, except);
  }
}
