/** Where the command line keeps its data by default. Plain Node. */
import os from 'node:os';
import path from 'node:path';

/**
 * Each system's usual place, beside the desktop program's (main/paths.ts, [Note: Two data folders]). A variable that is
 * empty or not an absolute path counts as not set: data never end up in the current folder by accident.
 */
export function defaultDataFolder(): string {
  if (process.platform === 'darwin' || process.platform === 'win32') {
    return path.join(programFolder(), 'Framewright Server');
  }
  const share = whole(process.env.XDG_DATA_HOME) ?? path.join(homeFolder(), '.local', 'share');
  return path.join(share, 'framewright');
}

/** Where the desktop program keeps its data: as main/paths.ts has it, which asks Electron. */
export function desktopDataFolder(): string {
  const chosen = process.env['FRAMEWRIGHT_DATA'];
  if (chosen !== undefined && chosen !== '') return path.resolve(chosen);
  return path.join(programFolder(), 'Framewright', 'data');
}

/** The folder that Electron calls `appData`. */
function programFolder(): string {
  const home = homeFolder();
  if (process.platform === 'darwin') return path.join(home, 'Library', 'Application Support');
  if (process.platform === 'win32') {
    return whole(process.env.APPDATA) ?? path.join(home, 'AppData', 'Roaming');
  }
  return whole(process.env.XDG_CONFIG_HOME) ?? path.join(home, '.config');
}

function homeFolder(): string {
  return whole(os.homedir()) ?? os.userInfo().homedir;
}

function whole(folder: string | undefined): string | null {
  return folder !== undefined && path.isAbsolute(folder) ? folder : null;
}
