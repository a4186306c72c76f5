/** Opens what a worker of several servers is made of: the database, the queue, storage, and the slots that render. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import packageFile from '../package.json' with { type: 'json' };
import type { Clock } from './clock.ts';
import { Desk } from './jobs/desk/desk.ts';
import { FarmWorker } from './jobs/farm/farm-worker.ts';
import { JobQueue } from './jobs/farm/job-queue.ts';
import { webhookUrlsOf } from './jobs/status.ts';
import { createOutputFiles } from './jobs/files/output-files.ts';
import { OutputWatch } from './jobs/files/output-watch.ts';
import type { ForkWorker } from './jobs/worker/protocol.ts';
import type { WorkerTuning } from './jobs/worker/worker-client.ts';
import type { Log } from './log.ts';
import { fontFolder, sampleFolder } from './paths.ts';
import { namedStorage } from './storage/open-storage.ts';
import { FontStore } from './store/fonts.ts';
import { StoreHealth } from './store/health.ts';
import { openDatabase } from './store/home.ts';
import { ProjectStore } from './store/projects.ts';
import { SettingStore } from './store/settings.ts';
import { downloadFolder } from './system/download-cache.ts';
import { isAlive } from './system/is-alive.ts';
import { transcriberSetting } from './transcriber.ts';

/** How a worker is to run. */
export interface OpenWorkerOptions {
  /** `postgres://…`, which the servers share. */
  readonly database: string;
  /** The folder that they share. */
  readonly shared: string;
  /** The worker's own folder, for downloads and what it works on; may be emptied while it does not run. */
  readonly data: string;
  /** Where finished files go, or with storage where they are made. Default: `output` in the shared folder, or in its own. */
  readonly output?: string | undefined;
  /** See ServerOptions. */
  readonly storage?: string | undefined;
  /** Folders that sources may name files of, beside those of the settings. */
  readonly mediaFolders: readonly string[];
  /** Renders at the same time. */
  readonly concurrency: number;
  /** See ServerOptions. */
  readonly perProject?: number | undefined;
  /** See ServerOptions. */
  readonly largestSide?: number | undefined;
  /** The ffmpeg to use. Default: the one that is found. */
  readonly ffmpegPath?: string | undefined;
  readonly fork: ForkWorker;
  /** When renderers are restarted and ended. */
  readonly workers?: WorkerTuning | undefined;
  /** See ServerOptions. */
  readonly freeBytes?: ((folder: string) => Promise<number | null>) | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** Removes the folders of workers that were killed; several may have the same data folder. */
async function removeWork(data: string): Promise<void> {
  for (const name of await readdir(data).catch(() => [])) {
    const [, pid] = /^work-(\d+)$/.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    await rm(path.join(data, name), { recursive: true, force: true });
  }
}

/** A worker that takes renders. */
export interface OpenWorker {
  /** Of the database, for people. */
  readonly database: string;
  /** Gives back what it works on, and ends. */
  close(): Promise<void>;
}

/** Opens it; from then on it works. @throws StartError with a sentence: the database, the queue or storage can't be used. */
export async function openWorker(options: OpenWorkerOptions): Promise<OpenWorker> {
  const { database, shared, data, log, clock, fork, concurrency, workers, perProject } = options;
  const { largestSide, ffmpegPath } = options;
  const parts: { close(): unknown }[] = [];
  const close = async (): Promise<void> => {
    for (const part of parts.splice(0).reverse()) await part.close();
  };
  try {
    const storeFolder = path.join(shared, 'store');
    // A worker may be the first to come.
    await mkdir(storeFolder, { recursive: true, mode: 0o700 });
    const health = new StoreHealth(storeFolder, log);
    const keeper = await openDatabase(shared, database, log, health, true);
    parts.push(keeper);
    await keeper.endStart();
    const settings = await SettingStore.open(keeper);
    const projects = await ProjectStore.open(keeper, clock);
    const fonts = await FontStore.open(keeper, path.join(shared, 'fonts'), clock, true);
    const desk = new Desk();
    parts.push(desk);
    const jobs = await JobQueue.open({ url: database, log, supervises: false, perProject });
    parts.push(jobs);
    const storage = await namedStorage(options.storage);
    if (storage) parts.push(storage);
    const files = createOutputFiles(
      // With storage the folder is only where files are made.
      options.output ?? path.join(storage ? data : shared, 'output'),
      storage,
    );
    await mkdir(files.folder, { recursive: true });
    const output: OutputWatch = new OutputWatch({
      folder: () => files.folder,
      limit: () => settings.values.freeSpaceLimit,
      answers: () => files.storage?.answers() ?? Promise.resolve(true),
      ...(options.freeBytes && { freeBytes: options.freeBytes }),
      hasWork: () => true,
      onChange: () => {
        for (const fault of ['space', 'folder'] as const)
          worker.hold(fault, output.fault === fault);
      },
    });
    parts.push(output);
    const worker = new FarmWorker({
      ...{ keeper, jobs, clock, log, storeFolder, fork, concurrency, workers, largestSide },
      version: packageFile.version,
      pieceFolder: path.join(shared, 'pieces'),
      files,
      beforeRender: () => output.check(),
      workFolder: path.join(data, `work-${process.pid}`),
      lastFrames: { keep: () => Promise.resolve() },
      elementName: (source, place) => desk.elementName(source, place),
      transcriber: () => transcriberSetting(settings.values),
      isPaused: () => settings.values.queuePaused,
      webhookUrlOf: webhookUrlsOf(projects),
      // Read for each render.
      engine: {
        cacheFolder: downloadFolder(data),
        get cacheLimit() {
          return settings.values.cacheLimit;
        },
        get paintingThreads() {
          return settings.values.paintingThreads ?? undefined;
        },
        get mediaFolders() {
          const own = path.join(shared, 'media', 'content');
          return [
            ...options.mediaFolders,
            ...settings.values.mediaFolders,
            ...[sampleFolder(), own],
          ];
        },
        fontFolder: fontFolder(),
        get addedFonts() {
          return fonts.forRenders();
        },
        get allowPrivateAddresses() {
          // The servers' addresses are not known here: what reaches this network must be allowed for all.
          return settings.values.allowPrivateAddresses ?? false;
        },
        ownPorts: [],
        ...(ffmpegPath !== undefined && { ffmpegPath }),
      },
    });
    parts.push(worker);
    // A folder that was named may have finished films, which the leader knows.
    if (storage && options.output === undefined) await files.sweepOwn(clock.now());
    await removeWork(data);
    await worker.start();
    return { database: keeper.name, close };
  } catch (error) {
    await close();
    throw error;
  }
}
