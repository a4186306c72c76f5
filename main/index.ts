/**
 * The desktop program, from top to bottom: single instance, settings, server, desktop, quitting in order. Electron's
 * main process. The server runs here as under plain Node, independent of Electron.
 */
import { app, dialog, powerMonitor } from 'electron';
import { readSystemPower, type ReadPower } from '../server/jobs/power.ts';
import type { ServerOptions } from '../server/options.ts';
import { startServer, type RunningServer } from '../server/start.ts';
import { sampleFolder, windowFolder } from '../server/system/paths.ts';
import {
  asServer,
  chooseDrawing,
  toldExitCode,
  watchErrors,
  watchProcesses,
  startWithData,
} from './faults.ts';
import type { Log } from '../server/system/log.ts';
import { openLog } from './log.ts';
import { readArguments, readFiles, readLink, type Openings } from './openings.ts';
import { dataFolder, outputFolder, port, introduce } from './paths.ts';
import { Quitting, watchSessionEnd } from './quit.ts';
import { selfTest } from './self-test.ts';
import { say, speak } from './say.ts';
import { openSettings, type SettingsFile } from './settings.ts';
import { Shell } from './shell.ts';
import { forkWorkerProcess } from './worker-process.ts';

introduce();

let server: RunningServer | null = null;
let shell: Shell | null = null;
let quitting: Quitting | null = null;
/** Files and links that came before there was a window. */
const early: Openings[] = [];
/** Marks a restart after too many errors; if they return within this time, in seconds, there is no third start. */
const restarted = '--restarted';
const restartTime = 600;
const given = { args: process.argv.slice(1), folder: process.cwd() };

if (given.args.includes('--self-test')) {
  // May run beside the program: it touches no data.
  app.whenReady().then(testItself).catch(giveUp);
} else if (app.requestSingleInstanceLock(given)) {
  listenForOpenings();
  const settings = openSettings();
  chooseDrawing(settings);
  early.push(readArguments(given.args, given.folder));
  // Not awaited: Electron becomes ready only after this module has been evaluated.
  app
    .whenReady()
    .then(() => start(settings))
    .catch(giveUp);
} else {
  // The first instance has received this one's arguments.
  app.quit();
}

async function start(settings: SettingsFile): Promise<void> {
  // What was chosen is in the server's settings, which dialogs about a start that fails can't read: the last one is
  // remembered.
  speak(settings.current.language);
  const log = openLog();
  const problems: string[] = [];
  settings.reportTo((problem) => {
    problems.push(`${problem}.`);
    log('warning', 'settings', problem);
  });
  const ending = new Quitting({
    settings,
    log,
    work: () => shell?.work ?? null,
    window: () => shell?.window ?? null,
    leave: async () => shell?.leave(),
    close: closeServer,
    onStaying: () => shell?.refresh(),
  });
  quitting = ending;
  app.on('before-quit', (event) => ending.onBeforeQuit(event));
  app.on('window-all-closed', () => {
    if (!ending.stays) app.quit();
  });
  app.on('activate', () => shell?.open());
  watchProcesses(settings, log);
  const isAgain = (): boolean => given.args.includes(restarted) && process.uptime() < restartTime;
  const restart = (): void => {
    if (ending.isEnding) return;
    if (isAgain()) app.on('will-quit', sayThatItKeepsFailing);
    else startAgain([restarted]);
    ending.atOnce();
  };
  watchErrors(log, restart, isAgain);
  endWithTheSystem(ending);

  server = await startWithData(
    () => asServer(() => startServer(serverOptions(log, [...problems]))),
    dataFolder(),
    log,
  );
  if (!server) {
    app.exit(0);
    return;
  }
  await takeOverKeepAwake(settings, server);
  followPower(server);
  shell = new Shell({ server, settings, staying: ending, log });
  for (const openings of early.splice(0)) show(openings);
  if (app.isPackaged) await tryParts(settings, log);
}

function serverOptions(log: Log, notices: readonly string[]): ServerOptions {
  return {
    port: port(),
    dataFolder: dataFolder(),
    outputFolder: outputFolder(),
    rateLimit: true,
    windowFolder: windowFolder(),
    sampleFolder: sampleFolder(),
    notices,
    forkWorker: () => forkWorkerProcess(log),
    readPower,
    restart: () => {
      startAgain([]);
      quitting?.atOnce();
    },
    log,
  };
}

/** The switch used to be a setting of the shell; now it is one of the server's, on the Settings page. */
async function takeOverKeepAwake(
  settings: SettingsFile,
  { services }: RunningServer,
): Promise<void> {
  const { keepAwake } = settings.current;
  if (keepAwake === null) return;
  await services.store.settings.change({ keepAwake });
  settings.save({ keepAwake: null });
}

/** Reads the battery only when the computer runs on it: that takes a moment on some systems. */
const readPower: ReadPower = async () => {
  if (!powerMonitor.isOnBatteryPower()) return { onBattery: false, percent: 100 };
  const power = await readSystemPower();
  return power && { ...power, onBattery: true };
};

/** Plugged in or out, or awake again: the queue may resume, or must wait. */
function followPower({ services }: RunningServer): void {
  const look = (): void => services.work.power.look();
  powerMonitor.on('on-ac', look);
  powerMonitor.on('on-battery', look);
  powerMonitor.on('resume', look);
}

/** At the first start of a version: tries its packed parts, and logs what does not work. */
async function tryParts(settings: SettingsFile, log: Log): Promise<void> {
  if (settings.current.testedVersion === app.getVersion()) return;
  const results = await selfTest(() => forkWorkerProcess());
  const broken = results.filter(({ problem }) => problem !== null);
  for (const { part, problem } of broken) log('error', 'self-test', `${part}: ${problem}`);
  if (broken.length === 0) settings.save({ testedVersion: app.getVersion() });
}

/** Handles system shutdown and signals at once, without a question. */
function endWithTheSystem(quitting: Quitting): void {
  powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
    // Delays the shutdown for the moment that closing takes.
    event?.preventDefault();
    quitting.atOnce();
  });
  watchSessionEnd(() => quitting.atOnce());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => quitting.atOnce());
  }
}

async function closeServer(): Promise<void> {
  shell?.close();
  const closing = server;
  server = null;
  await closing?.close();
}

/** Second starts, files and links; on macOS these come as separate events, elsewhere as a second start. */
function listenForOpenings(): void {
  app.on('second-instance', (_event, args, folder, handed) => {
    // Passed on by our own second start; only its command line if something else interfered.
    const { args: own = args, folder: from = folder } = Object(handed) as Partial<typeof given>;
    const openings = readArguments(own, from);
    if (quitting?.isEnding === true) {
      // It came too late for this run, and has already ended.
      startAgain([...openings.files, ...openings.links]);
      return;
    }
    show(openings);
    shell?.open();
  });
  app.on('open-file', (event, file) => {
    event.preventDefault();
    show({ files: [file], links: [] });
  });
  app.on('open-url', (event, link) => {
    event.preventDefault();
    show({ files: [], links: [link] });
  });
}

/** Shows files and links in the window: the import dialog, or a page. */
function show(openings: Openings): void {
  const { files, links } = openings;
  if (!shell) {
    early.push(openings);
    return;
  }
  const { send } = shell;
  for (const link of links) {
    const message = readLink(link);
    if (message) send(message);
  }
  if (files.length > 0) {
    readFiles(files)
      .then((read) => send({ type: 'import-files', files: read }))
      .catch(giveUp);
  }
}

/** Restarts the program after it has ended. */
function startAgain(args: readonly string[]): void {
  // An AppImage is unpacked to a temporary folder.
  const image = app.isPackaged ? process.env['APPIMAGE'] : undefined;
  if (image !== undefined) {
    app.relaunch({ execPath: image, args: ['--appimage-extract-and-run', ...args] });
  } else {
    // When started from its sources, the first argument is their folder.
    app.relaunch({ args: [...process.argv.slice(1, app.isPackaged ? 1 : 2), ...args] });
  }
}

/** Draws and encodes a little with the packed parts, reports the result, and ends. */
async function testItself(): Promise<void> {
  const results = await selfTest(() => forkWorkerProcess());
  for (const { part, problem } of results) console.log(`${part}: ${problem ?? 'works'}`);
  app.exit(results.some(({ problem }) => problem !== null) ? toldExitCode : 0);
}

function sayThatItKeepsFailing(): void {
  dialog.showErrorBox(say('errors.title'), say('errors.text'));
}

/** The start failed: says why, and ends. Nothing would work without the server. */
function giveUp(error: unknown): void {
  dialog.showErrorBox(say('start.failed'), error instanceof Error ? error.message : String(error));
  app.exit(toldExitCode);
}
