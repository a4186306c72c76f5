/** Where the program keeps its data by default, on each system. Plain Node. */
import os from 'node:os';
import path from 'node:path';

/** A folder that the system has a usual place for. */
interface UsualFolder {
  /** The variable that names the place instead; null: none does. */
  readonly variable: string | null;
  /** The place below the home folder. */
  readonly inHome: readonly string[];
  /** Below the place. */
  readonly own: readonly string[];
}

type System = 'linux' | 'darwin' | 'win32';
type Program = 'server' | 'desktop';

const library = { variable: null, inHome: ['Library', 'Application Support'] } as const;
const roaming = { variable: 'APPDATA', inHome: ['AppData', 'Roaming'] } as const;
const share = { variable: 'XDG_DATA_HOME', inHome: ['.local', 'share'] } as const;
const config = { variable: 'XDG_CONFIG_HOME', inHome: ['.config'] } as const;
const desktop = ['Framewright', 'data'] as const;

/**
 * The folders of both programs ([Note: Two data folders] in main/paths.ts). Each system's other names are those of
 * Linux.
 */
const usual: Readonly<Record<System, Readonly<Record<Program, UsualFolder>>>> = {
  linux: { server: { ...share, own: ['framewright'] }, desktop: { ...config, own: desktop } },
  darwin: {
    server: { ...library, own: ['Framewright Server'] },
    desktop: { ...library, own: desktop },
  },
  win32: {
    server: { ...roaming, own: ['Framewright Server'] },
    desktop: { ...roaming, own: desktop },
  },
};

/**
 * Each system's usual place, beside the desktop program's. A variable that is empty or not an absolute path counts as
 * not set: data never end up in the current folder by accident.
 */
export function defaultDataFolder(): string {
  return usualFolder('server');
}

/** Where the desktop program keeps its data: as main/paths.ts has it, which asks Electron. */
export function desktopDataFolder(): string {
  const chosen = process.env['FRAMEWRIGHT_DATA'];
  if (chosen !== undefined && chosen !== '') return path.resolve(chosen);
  return usualFolder('desktop');
}

/** A folder as people write it on a system: `~/.local/share/framewright`, `%APPDATA%\Framewright Server`. */
export function shownDataFolder(system: System, program: Program): string {
  const { variable, inHome, own } = usual[system][program];
  if (system === 'win32') return [`%${variable ?? 'USERPROFILE'}%`, ...own].join('\\');
  return ['~', ...inHome, ...own].join('/');
}

function usualFolder(program: Program): string {
  const { platform } = process;
  const system = platform === 'darwin' || platform === 'win32' ? platform : 'linux';
  const { variable, inHome, own } = usual[system][program];
  const place = variable === null ? null : whole(process.env[variable]);
  return path.join(place ?? path.join(homeFolder(), ...inHome), ...own);
}

function homeFolder(): string {
  return whole(os.homedir()) ?? os.userInfo().homedir;
}

function whole(folder: string | undefined): string | null {
  return folder !== undefined && path.isAbsolute(folder) ? folder : null;
}
