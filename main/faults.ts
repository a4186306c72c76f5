/**
 * Processes that die or hang, and uncaught errors. Main process. The window reloads by itself once, then asks; the
 * queue handles workers; if graphics keep crashing, the next start does without the graphics card; the program restarts
 * after an error in the server's background, and when errors of the shell pile up.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { app, dialog, type BrowserWindow, shell } from 'electron';
import { watchUncaught } from '../server/api/listener/last-defence.ts';
import { describeError, type Log } from '../server/system/log.ts';
import { say, momentOf } from './say.ts';
import type { SettingsFile } from './settings.ts';
import { workerName } from './worker-process.ts';
import path from 'node:path';
import { DataOpenError, type RunningServer } from '../server/start.ts';
import { askToRestore, newestBackup } from '../server/store/restore.ts';

/** A page that dies again within this time, in ms, does not reload by itself. */
const pageTime = 60_000;
/** Too many crashes of the graphics process within this time, in ms. */
const graphicsLimit = { count: 3, time: 10 * 60_000 };
/** Too many uncaught errors within this time, in ms. */
const errorLimit = { count: 3, time: 60_000 };

/**
 * How the program ends when it has said itself why it could not start. `npm start` (launch.mjs) then starts no server
 * instead: that would open another data folder.
 */
export const toldExitCode = 70;

/** Counts events within a time. @returns a function that records one and says whether it was one too many. */
function tooMany({ count, time }: { count: number; time: number }): () => boolean {
  let times: number[] = [];
  return () => {
    const now = Date.now();
    times = [...times.filter((one) => now - one < time), now];
    return times.length >= count;
  };
}

/** Before the program is ready: turns off the graphics card if it crashed too often with this version. */
export function chooseDrawing({ current }: SettingsFile): void {
  if (current.softwareDrawing === app.getVersion()) app.disableHardwareAcceleration();
}

/** Watches Electron's own processes: graphics, network, and the like. */
export function watchProcesses(settings: Pick<SettingsFile, 'save'>, log: Log): void {
  const isBroken = tooMany(graphicsLimit);
  app.on('child-process-gone', (_event, { type, reason, exitCode, name }) => {
    // Workers are also killed on purpose; otherwise the queue reports it and names the render.
    if (reason === 'clean-exit' || (reason === 'killed' && name === workerName)) return;
    log('warning', 'main', `A process ended: ${name ?? type}, ${reason}, code ${exitCode}`);
    if (type === 'GPU' && isBroken()) settings.save({ softwareDrawing: app.getVersion() });
  });
}

/** Whether what runs belongs to the server, not to windows and menus. */
const ofServer = new AsyncLocalStorage<true>();

/** Runs the work of the server: an error in its background is then known as its own. */
export function asServer<Result>(work: () => Result): Result {
  return ofServer.run(true, work);
}

/**
 * Answers a request whose error nobody caught. After one of the server's background work, whose state is in doubt,
 * restarts in order. Logs errors of windows and menus and goes on; when they pile up, restarts too.
 *
 * @param isAgain Whether the program was just restarted: then it goes on until errors pile up.
 */
export function watchErrors(log: Log, restart: () => void, isAgain: () => boolean): void {
  const isBroken = tooMany(errorLimit);
  watchUncaught(log, () => {
    const inDoubt = ofServer.getStore() === true && !isAgain();
    if (isBroken() || inDoubt) restart();
  });
}

/** Reloads a page that died or hangs. @param reload Loads the page with its token. */
export function watchPage(window: BrowserWindow, log: Log, reload: () => void): void {
  const page = window.webContents;
  let diedAt = -Infinity;
  page.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    log('error', 'main', `The window's page ended: ${reason}`);
    const now = Date.now();
    const wasJustLoaded = now - diedAt < pageTime;
    diedAt = now;
    if (wasJustLoaded)
      askToReload(window, say('page.gone.title'), say('page.gone.text'), reload, log);
    else reload();
  });

  let question: AbortController | null = null;
  page.on('unresponsive', () => {
    if (question) return;
    log('warning', 'main', 'The window does not respond');
    question = new AbortController();
    const { signal } = question;
    ask(
      window,
      [say('page.wait'), say('page.reload')],
      say('page.hangs.title'),
      say('page.hangs.text'),
      signal,
    )
      .then((answer) => {
        question = null;
        if (answer !== 1 || signal.aborted || window.isDestroyed()) return;
        // A page in an endless loop does not react to a reload; ended, it is reloaded above.
        diedAt = -Infinity;
        page.forcefullyCrashRenderer();
      })
      .catch((error: unknown) => log('error', 'main', describeError(error)));
  });
  page.on('responsive', () => question?.abort());
}

function askToReload(
  window: BrowserWindow,
  title: string,
  body: string,
  reload: () => void,
  log: Log,
): void {
  ask(window, [say('page.reload'), say('quit')], title, body)
    .then((answer) => {
      if (answer === 0) reload();
      else app.quit();
    })
    .catch((error: unknown) => log('error', 'main', describeError(error)));
}

/** @returns the number of the button. */
async function ask(
  window: BrowserWindow,
  buttons: string[],
  message: string,
  detail: string,
  signal?: AbortSignal,
): Promise<number> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    message,
    detail,
    buttons,
    defaultId: 0,
    cancelId: 0,
    noLink: true,
    ...(signal && { signal }),
  });
  return response;
}

/*
 * The data can't be opened: says so, and offers the newest backup. Main process, before there is a server or a window.
 */

/**
 * Starts the server; if its data can't be opened, asks the user, as often as needed.
 *
 * @returns the server; null if the user gave up.
 * @throws other errors of `start`, and what the disk says to a restore.
 */
export async function startWithData(
  start: () => Promise<RunningServer>,
  dataFolder: string,
  log: Log,
): Promise<RunningServer | null> {
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof DataOpenError)) throw error;
      log('error', 'main', error.message);
      if (!(await mend(dataFolder, error.message, log))) return null;
    }
  }
}

/** @returns true if it is worth trying again. */
async function mend(dataFolder: string, reason: string, log: Log): Promise<boolean> {
  const backup = await newestBackup(dataFolder);
  for (;;) {
    const { response } = await dialog.showMessageBox({
      type: 'error',
      message: say('data.title'),
      detail: `${backup ? say('data.backup', { moment: momentOf(backup.madeAt, Date.now()) }) : say('data.noBackup')}\n\n${reason}`,
      buttons: [...(backup ? [say('data.restore')] : []), say('data.folder'), say('quit')],
      defaultId: 0,
      cancelId: backup ? 2 : 1,
      noLink: true,
    });
    const answers = [...(backup ? (['restore'] as const) : []), 'folder', 'quit'] as const;
    switch (answers[response]) {
      case 'folder':
        // Opening the folder is not a decision yet.
        await shell.openPath(path.join(dataFolder, 'store'));
        break;
      case 'restore': {
        if (!backup) return false;
        // The next try to open the data does it.
        await askToRestore(path.join(dataFolder, 'store'), backup, 'all', new Date());
        log('warning', 'main', `Restoring the backup ${backup.name}`);
        return true;
      }
      default:
        return false;
    }
  }
}
