/** Where the command line keeps its data when nobody says. Plain Node. */
import os from 'node:os';
import path from 'node:path';

/**
 * The place that each system has for it, beside that of the desktop program (main/paths.ts, [Note: Two data folders]).
 * A variable that is empty or no whole path counts as not set: data never go into whatever folder is the current one.
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
