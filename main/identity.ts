/**
 * The names by which people and systems know the program, and telling Electron of them. Main process, before it is
 * ready. electron-builder.yml and installer.nsh have the same ones; tests compare them.
 */
import { app } from 'electron';
import path from 'node:path';

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
