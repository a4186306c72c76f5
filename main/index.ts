/**
 * The desktop program, read top to bottom: one instance, settings, server, window, quitting in order.
 * Main process of Electron. The server runs here as it does under plain Node; it knows nothing of Electron.
 */
import { app, dialog, type BrowserWindow } from 'electron';
import { startServer, type RunningServer } from '../server/start.ts';
import { sampleFolder, windowFolder } from '../server/paths.ts';
import { answerDesktopCalls } from './ipc.ts';
import type { Log } from '../server/log.ts';
import { openLog } from './log.ts';
import { setMenu } from './menu.ts';
import { dataFolder, defaultOutputFolder, preloadScript, programName } from './paths.ts';
import { openSettings } from './settings.ts';
import { openWindow, showWindow } from './window.ts';
import { forkWorkerProcess } from './worker-process.ts';

let window: BrowserWindow | null = null;
let server: RunningServer | null = null;

// First of all: the folders for data and settings are named after it.
app.setName(programName);

if (app.requestSingleInstanceLock()) {
  app.on('second-instance', () => {
    if (window) showWindow(window);
  });
  app.on('window-all-closed', () => app.quit());
  app.on('before-quit', quitInOrder);
  // Not awaited: Electron becomes ready only after this module has been evaluated.
  app.whenReady().then(start).catch(giveUp);
} else {
  // The first one comes to the front and answers from now on.
  app.quit();
}

async function start(): Promise<void> {
  const log = openLog();
  const settings = openSettings();
  const outputFolder = settings.current.outputFolder ?? defaultOutputFolder();

  server = await startServer({
    port: settings.current.port,
    dataFolder: dataFolder(),
    outputFolder,
    rateLimit: true,
    windowFolder: windowFolder(),
    sampleFolder: sampleFolder(),
    forkWorker: forkWorkerProcess,
    log,
  });
  setMenu({ outputFolder });
  watchProcesses(log);

  const { windowUrl } = server;
  window = await openWindow({ url: windowUrl, preload: preloadScript(), settings, log });
  answerDesktopCalls({ window, outputFolder, origin: new URL(windowUrl).origin, log });
  window.on('closed', () => {
    window = null;
  });
}

/**
 * Quits once the server has let go: the running render goes back into the queue, the worker ends, the store is flushed
 * and closed. `before-quit` comes again after that and passes.
 */
function quitInOrder(event: { preventDefault(): void }): void {
  if (!server) return;
  event.preventDefault();
  const closing = server;
  server = null;
  closing
    .close()
    .catch((error: unknown) => console.error('The server did not close in order:', error))
    .finally(() => app.quit());
}

/** The start failed: says why, and ends. Nothing would work without the server. */
function giveUp(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  dialog.showErrorBox('Framewright could not start', reason);
  app.exit(1);
}

/** Notes processes that end by themselves. The page is loaded again, the worker is the queue's business. */
function watchProcesses(log: Log): void {
  app.on('child-process-gone', (_event, { type, reason, name }) => {
    log('warning', 'main', `A process ended: ${name ?? type}, ${reason}`);
  });
  app.on('render-process-gone', (_event, page, { reason }) => {
    log('error', 'main', `The window's page ended: ${reason}`);
    if (reason !== 'clean-exit') page.reload();
  });
}
