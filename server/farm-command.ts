/** `framewright worker`: works on the renders of servers that share a database. Has no state of its own: it may be ended at any time. */
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import packageFile from '../package.json' with { type: 'json' };
import { concurrencyLimit } from '../shared/limits.ts';
import { systemClock } from './clock.ts';
import { commandRows } from './commands/command-rows.ts';
import { CommandError, readOptions, wholeNumber } from './commands/option-rows.ts';
import { Desk } from './jobs/desk/desk.ts';
import { FarmWorker } from './jobs/farm/farm-worker.ts';
import { JobQueue } from './jobs/farm/job-queue.ts';
import { webhookUrlsOf } from './jobs/status.ts';
import { createOutputFiles } from './jobs/files/output-files.ts';
import { workerStarter } from './jobs/worker/starter.ts';
import { terminalLog } from './log.ts';
import { fontFolder, sampleFolder } from './paths.ts';
import { StartError } from './start-error.ts';
import { namedStorage } from './storage/open-storage.ts';
import { FontStore } from './store/fonts.ts';
import { StoreHealth } from './store/health.ts';
import { openDatabase } from './store/home.ts';
import { ProjectStore } from './store/projects.ts';
import { SettingStore } from './store/settings.ts';
import { toldToEnd } from './told-to-end.ts';
import { transcriberSetting } from './transcriber.ts';

/** Runs until it is told to end; then it gives back what it works on. @returns the exit status: 0, or 1 after a sentence that says why. */
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
  const { database } = values;
  if (database === undefined || values.shared === undefined) {
    throw new CommandError(
      'Name the database with --database, and the shared folder with --shared.',
    );
  }
  const shared = path.resolve(values.shared);
  const data = path.resolve(values.data ?? path.join(tmpdir(), 'framewright-worker'));
  const log = terminalLog(process.stderr);
  const clock = systemClock;
  const parts: { close(): unknown }[] = [];
  const closeAll = async (): Promise<void> => {
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
    const perProject = values['per-project'];
    const jobs = await JobQueue.open({
      ...{ url: database, log, supervises: false },
      ...(perProject !== undefined && {
        perProject: wholeNumber('--per-project', perProject, 10_000),
      }),
    });
    parts.push(jobs);
    const storage = await namedStorage(values.storage);
    if (storage) parts.push(storage);
    const media = (values.media ?? []).map((folder) => path.resolve(folder));
    const worker = new FarmWorker({
      ...{ keeper, jobs, clock, log, storeFolder },
      fork: workerStarter(),
      concurrency: wholeNumber('--concurrency', values.concurrency ?? '1', concurrencyLimit),
      version: packageFile.version,
      files: createOutputFiles(
        // With storage the folder is only where files are made.
        path.resolve(values.output ?? path.join(storage ? data : shared, 'output')),
        storage,
      ),
      workFolder: path.join(data, `work-${process.pid}`),
      lastFrames: { keep: () => Promise.resolve() },
      elementName: (source, place) => desk.elementName(source, place),
      transcriber: () => transcriberSetting(settings.values),
      isPaused: () => settings.values.queuePaused,
      webhookUrlOf: webhookUrlsOf(projects),
      ...(values['largest-side'] !== undefined && {
        largestSide: wholeNumber('--largest-side', values['largest-side'], 10_000),
      }),
      // Read for each render.
      engine: {
        cacheFolder: path.join(data, 'cache'),
        get mediaFolders() {
          const own = path.join(shared, 'media', 'content');
          return [...media, ...settings.values.mediaFolders, sampleFolder(), own];
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
        ...(values.ffmpeg !== undefined && { ffmpegPath: path.resolve(values.ffmpeg) }),
      },
    });
    parts.push(worker);
    await worker.start();
    console.log(`Framewright works for ${keeper.name}. Press Ctrl+C to end it.`);
    process.send?.({ working: true });
    await told;
    return 0;
  } finally {
    await closeAll();
  }
}
