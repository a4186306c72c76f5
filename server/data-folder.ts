/** Where the command line keeps its data by default. Plain Node. */
import os from 'node:os';
import path from 'node:path';

/**
 * Each system's usual place, beside the desktop program's (main/paths.ts, [Note: Two data folders]). A variable that is
 * empty or not an absolute path counts as not set: data never end up in the current folder by accident.
 */
export function defaultDataFolder(): string {
  const home = whole(os.homedir()) ?? os.userInfo().homedir;
  if (process.platform === 'darwin') {
    return path.join(home, 'Library', 'Application Support', 'Framewright Server');
  }
  if (process.platform === 'win32') {
    const roaming = whole(process.env.APPDATA) ?? path.join(home, 'AppData', 'Roaming');
    return path.join(roaming, 'Framewright Server');
  }
  const share = whole(process.env.XDG_DATA_HOME) ?? path.join(home, '.local', 'share');
  return path.join(share, 'framewright');
}

function whole(folder: string | undefined): string | null {
  return folder !== undefined && path.isAbsolute(folder) ? folder : null;
}
