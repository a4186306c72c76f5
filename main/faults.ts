/**
 * Processes that die or hang, and errors that nobody caught. Main process.
 * The window is loaded again by itself once, then a person is asked; a worker is the queue's business; graphics that keep
 * crashing are drawn without the graphics card from the next start; the program starts anew when its own errors pile up.
 */
import { app, dialog, type BrowserWindow } from 'electron';
import { describeError, type Log } from '../server/log.ts';
import { words } from './messages.ts';
import type { SettingsFile } from './settings.ts';
import { workerName } from './worker-process.ts';

/** A page that dies again within this time, in ms, is not loaded again by itself. */
const pageTime = 60_000;
/** So many crashes of the graphics process within this time, in ms, are too many. */
const graphicsLimit = { count: 3, time: 10 * 60_000 };
/** So many errors that nobody caught within this time, in ms, are too many. */
const errorLimit = { count: 3, time: 60_000 };

/** Counts happenings within a time. @returns what notes one and tells whether it was one too many. */
function tooMany({ count, time }: { count: number; time: number }): () => boolean {
  let times: number[] = [];
  return () => {
    const now = Date.now();
    times = [...times.filter((one) => now - one < time), now];
    return times.length >= count;
  };
}

/** Before the program is ready: draws without the graphics card where it crashed too often with this version. */
export function chooseDrawing({ current }: SettingsFile): void {
  if (current.softwareDrawing === app.getVersion()) app.disableHardwareAcceleration();
}

/** Watches processes of Electron that are nobody's: graphics, network, and the like. */
export function watchProcesses(settings: Pick<SettingsFile, 'save'>, log: Log): void {
  const isBroken = tooMany(graphicsLimit);
  app.on('child-process-gone', (_event, { type, reason, exitCode, name }) => {
    // A worker is killed on purpose, too; where it was not, the queue says so and names the render.
    if (reason === 'clean-exit' || (reason === 'killed' && name === workerName)) return;
    log('warning', 'main', `A process ended: ${name ?? type}, ${reason}, code ${exitCode}`);
    if (type === 'GPU' && isBroken()) settings.save({ softwareDrawing: app.getVersion() });
  });
}

/** Errors of background work are logged and the program goes on; when they pile up it starts anew, in order. */
export function watchErrors(log: Log, restart: () => void): void {
  const isBroken = tooMany(errorLimit);
  const onError = (error: unknown): void => {
    log('error', 'main', `Nobody caught this: ${describeError(error)}`);
    if (isBroken()) restart();
  };
  process.on('uncaughtException', onError);
  process.on('unhandledRejection', onError);
}

/** Loads a page again that died or hangs. @param reload Loads the page with its token. */
export function watchPage(window: BrowserWindow, log: Log, reload: () => void): void {
  const page = window.webContents;
  let diedAt = -Infinity;
  page.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    log('error', 'main', `The window's page ended: ${reason}`);
    const now = Date.now();
    const wasJustLoaded = now - diedAt < pageTime;
    diedAt = now;
    if (wasJustLoaded) askToReload(window, words.pageGoneTitle, words.pageGoneBody, reload, log);
    else reload();
  });

  let question: AbortController | null = null;
  page.on('unresponsive', () => {
    if (question) return;
    log('warning', 'main', 'The window does not respond');
    question = new AbortController();
    const { signal } = question;
    ask(window, [words.wait, words.reload], words.hangTitle, words.hangBody, signal)
      .then((answer) => {
        question = null;
        if (answer !== 1 || signal.aborted || window.isDestroyed()) return;
        // A page in an endless loop hears of no reloading; ended, it is loaded again above.
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
  ask(window, [words.reload, words.quit], title, body)
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
