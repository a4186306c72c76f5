/** Opens what a worker of several servers is made of: the database, the queue, storage, and the slots that render. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { type Clock, systemClock } from '../system/clock.ts';
import { Desk } from '../jobs/desk/desk.ts';
import { FarmWorker } from './jobs/farm-worker.ts';
import { JobQueue } from './jobs/job-queue.ts';
import { sharedSupply, StorageSupply, type Supply } from './jobs/supplies.ts';
import type { EngineSettings } from '../jobs/attempt.ts';
import { webhookUrlsOf } from '../jobs/status.ts';
import { createOutputFiles } from '../jobs/files/output-files.ts';
import { OutputWatch } from '../jobs/files/output-watch.ts';
import type { ForkWorker } from '../jobs/worker/protocol.ts';
import type { WorkerTuning } from '../jobs/worker/vitals.ts';
import { type Log, terminalLog } from '../system/log.ts';
import { fontFolder, sampleFolder } from '../system/paths.ts';
import { StartError } from '../system/start-error.ts';
import { ContentCache } from './storage/content-cache.ts';
import { namedStorage, openStorage } from './storage/open-storage.ts';
import type { Storage } from '../store/storage.ts';
import { FontStore } from '../store/fonts.ts';
import { StoreHealth } from '../store/health.ts';
import { openDatabase } from './postgres/open-database.ts';
import { PostgresKeeper } from './postgres/keeper.ts';
import { ProjectStore } from '../store/projects.ts';
import { SettingStore } from '../store/settings.ts';
import { downloadFolder } from '../system/download-cache.ts';
import { isAlive, toldToEnd } from '../system/programs.ts';
import { modelFolder } from '../system/speech-folder.ts';
import { transcriberSetting } from '../jobs/worker/transcriber.ts';
import { tmpdir } from 'node:os';
import { familyNamed, type HardwareFamily } from '../../shared/hardware.ts';
import { concurrencyLimit } from '../../shared/limits.ts';
import { commandRows } from '../commands/command-rows.ts';
import { CommandError, readOptions, wholeNumber } from '../commands/option-rows.ts';
import { workerStarter } from '../jobs/worker/starter.ts';
import { LastResort } from '../commands/last-resort.ts';
import { voiceSetting } from '../jobs/worker/voices.ts';

/** How a worker is to run. */
export interface OpenWorkerOptions {
  /** `postgres://…`, which the servers share. */
  readonly database: string;
  /** The folder that they share. Absent: what is there comes from the database and from storage. */
  readonly shared?: string | undefined;
  /** The worker's own folder, for downloads and what it works on; may be emptied while it does not run. */
  readonly data: string;
  /**
   * Where finished files go, or with storage where they are made. Default: `output` in its own folder, or without
   * storage in the shared one.
   */
  readonly output?: string | undefined;
  /** See ServerOptions. Needed without a shared folder. */
  readonly storage?: string | undefined;
  /** Folders that sources may name files of, beside those of the settings. */
  readonly mediaFolders: readonly string[];
  /**
   * Whether media may come from this computer and its network. Default: as the setting of the servers says, else not.
   */
  readonly allowPrivateAddresses?: boolean;
  /** Renders at the same time. */
  readonly concurrency: number;
  /** See ServerOptions. */
  readonly perProject?: number | undefined;
  /** See ServerOptions. */
  readonly largestSide?: number | undefined;
  /** The ffmpeg to use. Default: the one that is found. */
  readonly ffmpegPath?: string | undefined;
  /** Hardware that codes films where it can. Default: software. */
  readonly encodeWith?: HardwareFamily | undefined;
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

/** What a worker without either is told. */
export const placeWords =
  'Name the storage of the servers with --storage, or their shared folder with --shared.';

/** @throws StartError if the servers have another storage. */
async function checkStorage(
  keeper: PostgresKeeper,
  storage: Storage | null,
  isShared: boolean,
): Promise<void> {
  const known = await keeper.storage();
  // No server has started yet.
  if (!known || (known.id === '' && isShared) || known.id === storage?.id) return;
  const servers = `The servers of ${keeper.name}`;
  if (known.id === '') {
    throw new StartError(
      `${servers} have no storage: start them with the --storage of this worker, or name their shared folder with --shared.`,
    );
  }
  throw new StartError(
    `${servers} keep their files in the storage ${known.name}, and this worker in ${storage?.name ?? 'the shared folder'}: name the same one with --storage.`,
  );
}

/** A worker that takes renders. */
export interface OpenWorker {
  /** Of the database, for people. */
  readonly database: string;
  /** Gives back what it works on, and ends. */
  close(): Promise<void>;
}

/**
 * Opens it; from then on it works.
 * @throws StartError with a sentence: the database, the queue or storage can't be used.
 */
export async function openWorker(options: OpenWorkerOptions): Promise<OpenWorker> {
  const { database, shared, data, log, clock, fork, concurrency, workers, perProject } = options;
  const { largestSide } = options;
  const parts: { close(): unknown }[] = [];
  const close = async (): Promise<void> => {
    for (const part of parts.splice(0).reverse()) await part.close();
  };
  try {
    const storage = await namedStorage(options.storage);
    if (storage) parts.push(storage);
    // A worker may be the first to come.
    const home = path.join(shared ?? data, 'store');
    await mkdir(home, { recursive: true, mode: 0o700 });
    const health = new StoreHealth(home, log);
    const keeper =
      shared === undefined
        ? await PostgresKeeper.open({ url: database, log, health, exclusive: false })
        : await openDatabase(shared, database, log, health, true);
    parts.push(keeper);
    await keeper.endStart();
    await checkStorage(keeper, storage, shared !== undefined);
    const settings = await SettingStore.open(keeper);
    const projects = await ProjectStore.open(keeper, clock);
    const workFolder = path.join(data, `work-${process.pid}`);
    const fonts = await FontStore.open(keeper, clock, {
      folder: path.join(shared ?? workFolder, 'fonts'),
      isShared: true,
    });
    const desk = new Desk();
    parts.push(desk);
    const jobs = await JobQueue.open({ url: database, log, supervises: false, perProject });
    parts.push(jobs);
    const ownOutput = path.join(storage ? data : (shared ?? data), 'output');
    // With storage the folder is only where files are made.
    const files = createOutputFiles(options.output ?? ownOutput, storage);
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
    const mediaFolder = path.join(shared ?? data, 'media', 'content');
    const engine = engineSettings(options, settings, fonts, mediaFolder);
    const worker = new FarmWorker({
      ...{ keeper, jobs, clock, log, fork, concurrency, workers, largestSide, engine, workFolder },
      priority: () => settings.values.renderPriority,
      version: packageFile.version,
      supply: openSupply(options, storage, settings, mediaFolder, {
        ...{ keeper, fonts, engine, workFolder },
      }),
      pieceStorage: storage ?? (await openStorage(shared ?? '')),
      files,
      beforeRender: () => output.check(),
      lastFrames: { keep: () => Promise.resolve() },
      elementName: (source, place) => desk.elementName(source, place),
      transcriber: () => transcriberSetting({ chosen: settings.values, models: modelFolder(data) }),
      isPaused: () => settings.values.queuePaused,
      webhookUrlOf: webhookUrlsOf(projects),
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

/** Read for each render: settings and added fonts may change. */
function engineSettings(
  options: OpenWorkerOptions,
  settings: SettingStore,
  fonts: FontStore,
  mediaFolder: string,
): EngineSettings {
  const { shared, data, ffmpegPath, encodeWith } = options;
  return {
    cacheFolder: downloadFolder(data),
    get cacheLimit() {
      return settings.values.cacheLimit;
    },
    get piecesLimit() {
      return settings.values.piecesLimit;
    },
    get paintingThreads() {
      return settings.values.paintingThreads ?? undefined;
    },
    get voices() {
      return voiceSetting(settings.values);
    },
    get mediaFolders() {
      return [
        ...options.mediaFolders,
        ...settings.values.mediaFolders,
        sampleFolder(),
        ...(shared === undefined ? [] : [mediaFolder]),
      ];
    },
    fontFolder: fontFolder(),
    get addedFonts() {
      return fonts.forRenders();
    },
    get allowPrivateAddresses() {
      // The servers' addresses are not known here: what reaches this network must be allowed for all.
      return options.allowPrivateAddresses ?? settings.values.allowPrivateAddresses ?? false;
    },
    ownPorts: [],
    ...(ffmpegPath !== undefined && { ffmpegPath }),
    ...(encodeWith !== undefined && { encodeWith }),
  };
}

/** Brings what renders need: from the shared folder if there is one, else from storage. */
function openSupply(
  { shared, data, log }: OpenWorkerOptions,
  storage: Storage | null,
  settings: SettingStore,
  mediaFolder: string,
  from: Omit<ConstructorParameters<typeof StorageSupply>[0], 'cache'>,
): Supply {
  const { keeper, engine } = from;
  if (shared !== undefined) {
    const storeFolder = path.join(shared, 'store');
    return sharedSupply({ keeper, engine, log, storeFolder, mediaFolder });
  }
  if (!storage) throw new StartError(placeWords);
  const cache = new ContentCache({
    storage,
    folder: path.join(data, 'contents'),
    limit: () => settings.values.cacheLimit,
  });
  return new StorageSupply({ ...from, cache });
}

/*
 * `framewright worker`: works on the renders of servers that share a database. Has no state of its own: it may be ended
 * at any time.
 */

/**
 * Runs until it is told to end; then it gives back what it works on.
 * @returns the exit status: 0, or 1 after a sentence that says why.
 */
export async function workerCommand(args: readonly string[]): Promise<number> {
  try {
    return await work(args);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    console.error(error.message);
    return 1;
  }
}

async function work(args: readonly string[]): Promise<number> {
  const { values } = readOptions(commandRows.worker, args);
  const told = toldToEnd();
  const { database, shared, storage } = values;
  if (database === undefined) throw new CommandError('Name the database with --database.');
  if (shared === undefined && storage === undefined) throw new CommandError(placeWords);
  const resolved = (name: string | undefined): string | undefined =>
    name === undefined ? undefined : path.resolve(name);
  const number = (name: 'per-project' | 'largest-side'): number | undefined => {
    const text = values[name];
    return text === undefined ? undefined : wholeNumber(`--${name}`, text, 10_000);
  };
  const log = terminalLog(process.stderr);
  const lastResort = new LastResort('The worker', log);
  const options = {
    ...{ database, storage },
    shared: resolved(shared),
    data: path.resolve(values.data ?? path.join(tmpdir(), 'framewright-worker')),
    output: resolved(values.output),
    mediaFolders: (values.media ?? []).map((folder) => path.resolve(folder)),
    concurrency: wholeNumber('--concurrency', values.concurrency ?? '1', concurrencyLimit),
    perProject: number('per-project'),
    ...(values['local-addresses'] !== undefined && {
      allowPrivateAddresses: values['local-addresses'] === 'always',
    }),
    largestSide: number('largest-side'),
    ffmpegPath: resolved(values.ffmpeg),
    encodeWith: familyNamed(values['encode-with']),
    fork: workerStarter(),
    clock: systemClock,
    log,
  };
  for (let isFirst = true; ; isFirst = false) {
    const fault = lastResort.fault();
    const worker = await openWorker(options);
    if (isFirst) {
      console.log(`Framewright works for ${worker.database}. Press Ctrl+C to end it.`);
      process.send?.({ working: true });
    }
    if ((await Promise.race([told, fault])) === 'fault') {
      const status = await lastResort.close(worker, told);
      if (status !== null) return status;
      continue;
    }
    await worker.close();
    return 0;
  }
}
