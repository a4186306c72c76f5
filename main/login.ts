/**
 * Opens the program when the user signs in. Main process. Windows and macOS have their own list, which Electron
 * changes; on Linux every desktop reads the folder `autostart`, in which a small file names the program.
 */
import { app } from 'electron';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { desktopName, programName } from './paths.ts';

const isLinux = process.platform === 'linux';

/** Whether it is on. Null: only an installed program can; one started from its sources has no path to name. */
export function opensAtLogin(): boolean | null {
  if (!app.isPackaged) return null;
  if (!isLinux) return app.getLoginItemSettings().openAtLogin;
  try {
    // Desktops disable an entry in place.
    return !/^(?:Hidden=true|X-GNOME-Autostart-enabled=false)$/m.test(
      readFileSync(entryFile(), 'utf8'),
    );
  } catch {
    return false;
  }
}

/** Turns it on or off. @throws the system's error */
export function openAtLogin(opens: boolean): void {
  if (!isLinux) {
    app.setLoginItemSettings({ openAtLogin: opens });
  } else if (opens) {
    mkdirSync(path.dirname(entryFile()), { recursive: true });
    // An AppImage runs from a new folder at every start.
    writeFileSync(entryFile(), loginEntry(process.env['APPIMAGE'] ?? process.execPath));
  } else {
    rmSync(entryFile(), { force: true });
  }
}

/** The file that names a program, in the form of the Desktop Entry Specification. @param program Its absolute path. */
export function loginEntry(program: string): string {
  // Quoted as an argument first, and then escaped as a value of the file.
  const quoted = `"${program.replace(/["`$\\]/g, '\\$&').replaceAll('%', '%%')}"`;
  return [
    '[Desktop Entry]',
    'Type=Application',
    `Name=${programName}`,
    // Not an argument, so without quotation marks. Desktops pass over an entry whose program is gone, as after an
    // AppImage was deleted.
    `TryExec=${program.replaceAll('\\', '\\\\')}`,
    `Exec=${quoted.replaceAll('\\', '\\\\')}`,
    'Terminal=false',
    '',
  ].join('\n');
}

function entryFile(): string {
  // Electron's name for ~/.config, or wherever XDG_CONFIG_HOME says that is.
  // Named as the installed entry: desktops and portals take its name for the program's ID.
  return path.join(app.getPath('appData'), 'autostart', `${desktopName}.desktop`);
}
