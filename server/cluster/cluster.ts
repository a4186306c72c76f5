/**
 * What the rest of the server knows of `cluster/`: where records and files are with `--database` and `--storage`, and
 * what a server has only beside others on one database: their queue, what they count together, who leads. Loaded by
 * start.ts when one of the options is given.
 */
import path from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import type { RecordChange } from '../store/records.ts';
import { ContentCopies, missingChannel } from './jobs/content-copies.ts';
import { DocumentTable } from './jobs/documents.ts';
import { FarmQueue } from './jobs/farm-queue.ts';
import { FarmWorker } from './jobs/farm-worker.ts';
import { JobQueue } from './jobs/job-queue.ts';
import { PieceFiles } from './jobs/pieces.ts';
import { sharedSupply } from './jobs/supplies.ts';
import type { Clock } from '../system/clock.ts';
import type { EventBus } from '../jobs/events.ts';
import { describeError } from '../system/log.ts';
import type { ServerOptions } from '../options.ts';
import type { Farm, FarmWork } from '../jobs/create-work.ts';
import type { OtherListeners, Sharing } from '../services.ts';
import { namedStorage, openStorage } from './storage/open-storage.ts';
import type { Storage } from '../store/storage.ts';
import { openDatabase } from './postgres/open-database.ts';
import type { PostgresKeeper } from './postgres/keeper.ts';
import { SharedCredits, SharedRateLimiter } from './shared-limits.ts';
import type { Store, StorePlaces } from '../store/store.ts';

/** Which of a server's options it needs. */
type ClusterOptions = Pick<
  ServerOptions,
  'database' | 'storage' | 'shared' | 'works' | 'perProject' | 'log'
>;

/** What a server's part is made of. */
interface FarmOptions extends ClusterOptions {
  readonly store: Store;
  readonly events: EventBus;
  readonly clock: Clock;
  /** Null: files stay in the folder. */
  readonly fileStorage: Storage | null;
}

/** Where a server's records and files are. */
export interface Cluster {
  /** Where finished files go; null: they stay in the output folder. */
  readonly storage: Storage | null;
  /** Null: the records are in the data folder. */
  readonly places: StorePlaces | null;
  /** What the server has beside others; null: it is alone. Call it once the store is open. */
  share(store: Store, clock: Clock): Sharing | null;
}

/** Opens storage and prepares the database. @throws StartError */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { database, shared, log } = options;
  const storage = await namedStorage(options.storage);
  const opened: { keeper?: PostgresKeeper } = {};
  return {
    storage,
    places:
      database === undefined
        ? null
        : {
            shared,
            storage,
            async open(home, health) {
              opened.keeper = await openDatabase(home, database, log, health, shared !== undefined);
              return opened.keeper;
            },
          },
    share: (store, clock) =>
      opened.keeper && shared !== undefined
        ? shareWith(opened.keeper, { ...options, store, clock, fileStorage: storage })
        : null,
  };
}

/** What a server has beside others on a database. */
function shareWith(keeper: PostgresKeeper, options: Omit<FarmOptions, 'events'>): Sharing {
  const { store, clock, log } = options;
  let leads = false;
  return {
    leads: () => leads,
    lead(onLead) {
      keeper.lead((isLeader) => {
        leads = isLeader;
        const words = isLeader ? 'this server leads' : 'this server does not lead any more';
        log('info', 'server', words);
        if (isLeader)
          void onLead().catch((error: unknown) => log('error', 'server', String(error)));
      });
    },
    sync: () => keeper.sync(),
    endStart: () => keeper.endStart(),
    follow: (events, listeners) => tellOfOthers(keeper, store, events, listeners),
    credits: () => new SharedCredits(keeper, store.renders, store.settings),
    limiter: (limit, window) => new SharedRateLimiter(keeper, limit, window, clock),
    openFarm: (events, work) => openFarm({ ...options, events }, keeper, work),
  };
}

/** Opens it. @throws StartError */
async function openFarm(
  options: FarmOptions,
  keeper: PostgresKeeper,
  work: FarmWork,
): Promise<Farm> {
  const { store, events, log, clock, database = '', works, perProject, shared = '' } = options;
  const { fileStorage } = options;
  const { renders, settings, feeds, media, fonts } = store;
  const jobs = await JobQueue.open({
    url: database,
    log,
    perProject,
    supervises: true,
    isBatchPaused: (id) => feeds.findBatch(id)?.paused === true,
  });
  await keeper.noteStorage(fileStorage);
  const pieceStorage = fileStorage ?? (await openStorage(shared));
  const pieces = new PieceFiles(pieceStorage);
  // Workers without the folder need a storage.
  const documents = fileStorage && new DocumentTable(keeper);
  if (documents) renders.copyDocuments(documents);
  const contents = { media: media.contentFolder, fonts: fonts.contentFolder };
  const copies = fileStorage && new ContentCopies(fileStorage, contents);
  const complete = async (): Promise<void> => {
    await documents?.complete(renders.listUnfinished(), (id) => renders.readSource(id));
    await copies?.keep(clock.now());
  };
  if (fileStorage) {
    await keeper.listen(missingChannel, () => {
      if (!work.leads()) return;
      log('warning', 'server', 'a worker misses a file: storage is compared with the folder');
      complete().catch((error: unknown) => log('warning', 'server', describeError(error)));
    });
  }
  const worker =
    works === false
      ? null
      : new FarmWorker({
          ...work,
          keeper,
          jobs,
          pieceStorage,
          supply: sharedSupply({
            keeper,
            log,
            engine: work.engine,
            storeFolder: path.join(shared, 'store'),
            mediaFolder: media.contentFolder,
          }),
          isPaused: () => settings.values.queuePaused,
          version: packageFile.version,
          onState: () => events.emit({ type: 'server.state' }),
        });
  const { status } = work;
  return {
    queue: await FarmQueue.open({ renders, settings, status, events, keeper, jobs, worker, log }),
    async sweep(now) {
      await pieces.sweep(renders, now);
      await pieces.shrink(settings.values.piecesLimit, now);
      await documents?.sweep();
      await complete();
    },
  };
}

/**
 * Tells a server's listeners what other servers and workers have changed, as if it had done so itself, for as long as
 * the store is open.
 */
function tellOfOthers(
  keeper: PostgresKeeper,
  { renders, templates }: Store,
  events: EventBus,
  { useSettings, onDelivery, onTranscript, onEnd }: OtherListeners,
): void {
  keeper.follow(({ collection, id, before, after }: RecordChange) => {
    switch (collection) {
      case 'renders': {
        const render = renders.find(id);
        if (render) {
          events.emit({ type: before ? 'render.updated' : 'render.created', render });
          if (render.event) onEnd(id);
        } else if (!after) events.emit({ type: 'render.removed', id });
        break;
      }
      case 'templates': {
        const template = templates.find(id);
        if (template) {
          events.emit({ type: before ? 'template.updated' : 'template.created', template });
        } else events.emit({ type: 'template.removed', id });
        break;
      }
      case 'projects':
      case 'keys':
        events.emit({ type: 'projects.changed' });
        break;
      case 'feeds':
      case 'batches':
        events.emit({ type: 'feeds.changed' });
        break;
      case 'deliveries':
        onDelivery(id);
        events.emit({ type: 'webhooks.changed' });
        break;
      case 'transcripts':
        onTranscript(id);
        break;
      case 'fonts':
        useSettings();
        events.emit({ type: 'fonts.changed', templates: [] });
        break;
      case 'settings':
        useSettings();
        events.emit({ type: 'server.state' });
        break;
      case 'media':
      case 'template-versions':
        break;
    }
  });
}
