/**
 * The data folder as a whole, with its records in files or in a database: locked, checked for its format, opened,
 * closed.
 */
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../system/clock.ts';
import type { Log } from '../system/log.ts';
import type { ContentKind, Storage } from './storage.ts';
import { countsOf, noteFacts } from './backups.ts';
import { keepInFiles } from './database.ts';
import type { ContentPlace } from './content-folder.ts';
import { DeliveryStore } from './deliveries.ts';
import { FeedStore } from './feeds.ts';
import { StoreHealth } from './health.ts';
import { FontStore } from './fonts.ts';
import { MediaStore } from './media.ts';
import { removeUnfinished, Removals } from './files.ts';
import { prepareFiles, refuseBound } from './data-folder.ts';
import { lockFolder } from './lock.ts';
import { ProjectStore, KeyStore } from './projects.ts';
import type { RecordKeeper } from './records.ts';
import type { StoreNotice } from './repair.ts';
import { RenderStore } from './renders.ts';
import { SettingStore } from './settings.ts';
import { StoreBackups } from './store-backups.ts';
import { TemplateStore } from './templates.ts';
import { TranscriptStore } from './transcripts.ts';

/** Everything that is stored. */
export interface Store {
  readonly renders: RenderStore;
  readonly templates: TemplateStore;
  readonly projects: ProjectStore;
  readonly keys: KeyStore;
  readonly deliveries: DeliveryStore;
  readonly feeds: FeedStore;
  readonly media: MediaStore;
  readonly fonts: FontStore;
  readonly transcripts: TranscriptStore;
  readonly settings: SettingStore;
  /** Whether changes can be stored. */
  readonly health: StoreHealth;
  /** Null: the records are in a database, which has backups of its own. */
  readonly backups: StoreBackups | null;
  /** What had to be repaired. */
  readonly notices: readonly StoreNotice[];
  /** The file of damaged records named in a notice of this start; null for any other name. */
  setAsideFile(name: string): string | null;
  /** Waits for changes under way and releases the folder. */
  close(): Promise<void>;
}

/** Where records and files are, other than in the data folder. */
export interface StorePlaces {
  /** Opens what keeps the records. @param home The folder of the files that they name. @throws StartError */
  open(home: string, health: StoreHealth): Promise<RecordKeeper>;
  /**
   * The folder that several servers share: documents, media, fonts. The data folder then only has what belongs to this
   * server. Undefined: the data folder has them, and one server has all.
   */
  readonly shared: string | undefined;
  /** With `shared`: gets copies of media and fonts, for workers that don't reach the folder. Null: none. */
  readonly storage: Storage | null;
}

/**
 * Opens a data folder, making it if needed.
 *
 * @throws FolderInUseError if another program has it, DataFormatError if a newer version wrote it, StartError if the
 *   records can't be opened or are not the folder's.
 */
export async function openStore(
  dataFolder: string,
  log: Log,
  clock: Clock,
  places: StorePlaces | null = null,
): Promise<Store> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const unlock = await lockFolder(dataFolder, log);
  /** What a start that fails has opened. */
  const opened: (() => Promise<void>)[] = [unlock];
  try {
    const folders = await openFolders(dataFolder, places);
    const { folder, isShared } = folders;
    const testName = isShared ? `test-write-${randomUUID()}` : undefined;
    const health = new StoreHealth(folder, log, testName);
    opened.push(() => health.close());
    const openedAt = clock.now();
    if (!places) await refuseBound(dataFolder);
    const prepared = places ? null : await prepareFiles(folder, log, clock);
    const files = places ? null : keepInFiles(folder, log, health);
    const keeper = files ?? (await places?.open(folders.home, health));
    if (!keeper) throw new Error('unreachable: records are in files or elsewhere');
    opened.push(() => keeper.close());
    const removals = new Removals();
    const collections = await openCollections(keeper, folders, { log, clock, health, removals });
    const madeToday = prepared?.backup ?? null;
    if (files && madeToday !== null) {
      // Only now is it known what the files hold. Without it the list says less.
      await noteFacts(madeToday, openedAt, countsOf(files.snapshot())).catch(() => undefined);
    }
    await health.start();
    const all = Object.values(collections);
    const notices = [...(prepared?.notices ?? []), ...all.flatMap((one) => one.notices)];
    for (const { text } of notices) log('warning', 'store', text);
    return {
      ...collections,
      health,
      backups:
        files &&
        new StoreBackups({
          folder,
          snapshot: files.snapshot,
          removals,
          clock,
          chosen: () => collections.settings.values.backupFolder,
          restored: prepared?.restored ?? null,
        }),
      notices,
      setAsideFile(name) {
        const names = notices.flatMap(({ setAside }) => setAside?.file ?? []);
        return names.find((file) => path.basename(file) === name) ?? null;
      },
      async close() {
        await health.close();
        await Promise.all(all.map((collection) => collection.close()));
        await keeper.close();
        await unlock();
      },
    };
  } catch (error) {
    for (const close of opened.reverse()) await close();
    throw error;
  }
}

/** Where a store has its files. */
interface StoreFolders {
  /** Documents, media and fonts. */
  readonly home: string;
  /** Records, and the documents beside them. */
  readonly folder: string;
  /** Other servers use `home` as well. */
  readonly isShared: boolean;
  /** Gets copies of media and fonts. */
  readonly copies: Storage | null;
}

/** Makes the folders, and removes from them what a killed server left unfinished. */
async function openFolders(dataFolder: string, places: StorePlaces | null): Promise<StoreFolders> {
  const home = places?.shared ?? dataFolder;
  const isShared = places?.shared !== undefined;
  const folder = path.join(home, 'store');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const own = ['', 'drafts', 'thumbnails'].map((name) => path.join(dataFolder, name));
  // Another server may be writing in a shared one.
  await Promise.all((isShared ? own : [...own, folder]).map(removeUnfinished));
  return { home, folder, isShared, copies: isShared ? places.storage : null };
}

interface CollectionParts {
  readonly log: Log;
  readonly clock: Clock;
  readonly health: StoreHealth;
  readonly removals: Removals;
}

type Collections = Omit<Store, 'health' | 'backups' | 'notices' | 'setAsideFile' | 'close'>;

async function openCollections(
  keeper: RecordKeeper,
  { home, folder, isShared, copies }: StoreFolders,
  { log, clock, health, removals }: CollectionParts,
): Promise<Collections> {
  const settings = await SettingStore.open(keeper);
  const keepsAll = (): boolean => settings.values.deletionPaused;
  const versionsKept = (): number => settings.values.templateVersions;
  const contents = (kind: ContentKind): ContentPlace => ({
    ...{ folder: path.join(home, kind), isShared, storage: copies, removals },
  });
  const [renders, templates, projects, keys, deliveries, feeds, media, fonts, transcripts] =
    await Promise.all([
      RenderStore.open(keeper, folder, { log, clock, health, keepsAll }),
      TemplateStore.open(keeper, folder, { log, clock, health, versionsKept, removals }),
      ProjectStore.open(keeper, clock),
      KeyStore.open(keeper, clock),
      DeliveryStore.open(keeper),
      FeedStore.open(keeper, folder, log, clock, health, removals),
      MediaStore.open(keeper, clock, contents('media')),
      FontStore.open(keeper, clock, contents('fonts')),
      TranscriptStore.open(keeper),
    ]);
  return {
    ...{ renders, templates, projects, keys, deliveries, feeds, settings, media, fonts },
    transcripts,
  };
}
