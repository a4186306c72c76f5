/**
 * Makes what a server has only beside others on one database: their queue, and what its files are for workers without
 * its folder.
 */
import path from 'node:path';
import packageFile from '../package.json' with { type: 'json' };
import { ContentCopies, missingChannel } from './jobs/farm/content-copies.ts';
import { DocumentTable } from './jobs/farm/documents.ts';
import { FarmQueue } from './jobs/farm/farm-queue.ts';
import { FarmWorker, type FarmWorkerOptions } from './jobs/farm/farm-worker.ts';
import { JobQueue } from './jobs/farm/job-queue.ts';
import { PieceFiles } from './jobs/farm/piece-files.ts';
import { sharedSupply } from './jobs/farm/supplies.ts';
import type { Clock } from './system/clock.ts';
import type { EventBus } from './jobs/events.ts';
import type { RenderQueue } from './jobs/queue.ts';
import type { RenderStatusChanges } from './jobs/status.ts';
import { describeError } from './system/log.ts';
import type { ServerOptions } from './options.ts';
import { openStorage } from './storage/open-storage.ts';
import type { Storage } from './storage/storage.ts';
import type { PostgresKeeper } from './store/postgres/keeper.ts';
import type { Store } from './store/store.ts';

/** What it is made of. */
interface FarmOptions extends Pick<
  ServerOptions,
  'database' | 'shared' | 'works' | 'perProject' | 'log'
> {
  readonly store: Store;
  readonly events: EventBus;
  readonly clock: Clock;
  /** Null: files stay in the folder. */
  readonly fileStorage: Storage | null;
}

/** What is made of it. */
export interface Farm {
  readonly queue: RenderQueue;
  /**
   * Removes what is left of lost work, and mends the copies of the servers' files. For the leader.
   * @param now ms since 1970.
   */
  sweep(now: number): Promise<void>;
}

/** What its worker and its queue work with, beside what they have from the store. */
type FarmWork = Omit<
  FarmWorkerOptions,
  'keeper' | 'jobs' | 'supply' | 'pieceStorage' | 'isPaused' | 'version'
> & {
  readonly status: RenderStatusChanges;
  /** Whether this server leads. */
  readonly leads: () => boolean;
};

/** Opens it. @throws StartError */
export async function openFarm(
  options: FarmOptions,
  keeper: PostgresKeeper,
  work: FarmWork,
): Promise<Farm> {
  const { store, events, log, clock, database = '', works, perProject, shared = '' } = options;
  const { fileStorage } = options;
  const { renders, settings, feeds, media, fonts } = store;
  const jobs = await JobQueue.open({
    ...{ url: database, log, perProject },
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
          ...{ keeper, jobs, pieceStorage },
          supply: sharedSupply({
            ...{ keeper, log, engine: work.engine },
            ...{ storeFolder: path.join(shared, 'store'), mediaFolder: media.contentFolder },
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
      await documents?.sweep();
      await complete();
    },
  };
}
