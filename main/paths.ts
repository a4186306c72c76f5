/**
 * Where the desktop program keeps its things. Main process; asks Electron, so it is called after the app is ready.
 *
 * [Note: Two data folders] The desktop and `framewright serve` each have a data folder, so that they can run side by
 * side (on two ports) without disturbing each other; the folders have the same form. To serve the desktop's data while
 * it is closed: `framewright serve --data <userData>/data --output <Videos>/Framewright`.
 */
import { app } from 'electron';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { iconFolder } from '../server/system/paths.ts';

/** Templates, renders, keys and work of the server, apart from the browser's own files beside it. */
export function dataFolder(): string {
  return chosen('FRAMEWRIGHT_DATA') ?? path.join(app.getPath('userData'), 'data');
}

/** Finished files, unless the server's settings name another folder: the user's Videos folder. */
export function outputFolder(): string {
  return chosen('FRAMEWRIGHT_OUTPUT') ?? path.join(videoFolder(), programName);
}

/** Port of the API, unless the server's settings name another one; 0 = any free one. */
export function port(): number {
  const number = Number(process.env['FRAMEWRIGHT_PORT'] || 4820);
  if (Number.isInteger(number) && number >= 0 && number < 65_536) return number;
  throw new Error(
    `FRAMEWRIGHT_PORT: Expected a number from 0 to 65535, found '${process.env['FRAMEWRIGHT_PORT']}'.`,
  );
}

/** The preload script, built beside this bundle. */
export function preloadScript(): string {
  return fileURLToPath(new URL('./preload.cjs', import.meta.url));
}

/** The picture of a window that no installed entry names, as one started from the sources. Linux only. */
export function windowIcon(): string {
  return path.join(iconFolder(), 'app', '128x128.png');
}

/** Windows returns none if it was moved to a drive that is now missing. */
function videoFolder(): string {
  try {
    return app.getPath('videos');
  } catch {
    return path.join(app.getPath('home'), 'Videos');
  }
}

/** A folder that the environment names. */
function chosen(name: string): string | null {
  const folder = process.env[name];
  return folder === undefined || folder === '' ? null : path.resolve(folder);
}

/*
 * The names by which people and systems know the program, and telling Electron of them. Main process, before it is
 * ready. electron-builder.yml and installer.nsh have the same ones; tests compare them.
 */

/** The program's name as people see it; also the name of its folders. */
export const programName = 'Framewright';

/**
 * Windows' taskbar and notifications find the program by it, through its shortcut; `open at login` is kept under it.
 */
export const appId = 'app.framewright.desktop';

/**
 * The key under which Windows finds who answers a notification. Electron writes it to the registry and to the Start
 * menu's shortcut with the first notification, and makes up another one at each start unless it is told; the
 * uninstaller removes it.
 */
export const toastActivator = '{46B944F7-58FB-46B1-A7B8-51F883A66695}';

/**
 * The program's ID on Linux, a name of domains in reverse: Wayland shows the icon of the entry with this name, and
 * portals serve only what has one. At least three parts, of which the last is not `desktop`: Electron takes that for an
 * ending.
 */
export const desktopName = 'app.framewright.Framewright';

/**
 * Tells Electron the names. A program from its sources keeps Electron's own on Windows: ours would lead to the
 * installed one.
 */
export function introduce(platform: string = process.platform): void {
  // First of all: the folder for data and settings is named after it, even if Electron has already chosen one.
  app.setName(programName);
  if (!app.commandLine.hasSwitch('user-data-dir')) {
    app.setPath('userData', path.join(app.getPath('appData'), programName));
  }
  if (platform === 'linux') app.setDesktopName(desktopName);
  if (platform === 'win32' && app.isPackaged) {
    app.setAppUserModelId(appId);
    app.setToastActivatorCLSID(toastActivator);
  }
}
