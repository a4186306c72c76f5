/**
 * Where the program's own files are: from source (tests), from dist/ and from a packed application.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import os from 'node:os';

/** The folder with package.json, in the repository or in the packed application. */
function programRoot(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, 'package.json'))) {
    const parent = path.dirname(folder);
    if (parent === folder) throw new Error('package.json was not found above the program');
    folder = parent;
  }
  return folder;
}

/** A file that other processes or the drawing library open: outside of the archive when packed. */
function unpacked(...parts: string[]): string {
  return path.join(programRoot().replace(/\.asar$/, '.asar.unpacked'), ...parts);
}

/** The shipped fonts with their `fonts.json`; filled by the build. */
export function fontFolder(): string {
  return unpacked('resources', 'fonts');
}

/** The sample templates for the first start, one folder each. */
export function sampleFolder(): string {
  return unpacked('resources', 'samples');
}

/** Pictures of the animations for the help pages, `{type}.jpg`. */
export function galleryFolder(): string {
  return path.join(programRoot(), 'resources', 'gallery');
}

/** The texts of the help pages, `{slug}.md`. */
export function helpFolder(): string {
  return path.join(programRoot(), 'resources', 'help');
}

/** What agents read first about the language. */
export function skillFile(): string {
  return path.join(programRoot(), 'skills', 'framewright', 'SKILL.md');
}

/** The program's icons. */
export function iconFolder(): string {
  return path.join(programRoot(), 'resources', 'icons');
}

/** The built window. */
export function windowFolder(): string {
  return path.join(programRoot(), 'dist', 'window');
}

/** The package of the client alone. */
export function clientPackage(): string {
  return path.join(programRoot(), 'dist', 'client.tgz');
}

/** The bundled command line. */
export function cliScript(): string {
  return path.join(programRoot(), 'dist', 'server', 'cli.mjs');
}

/** The worker's bundled entry. */
export function workerScript(): string {
  return path.join(programRoot(), 'dist', 'server', 'worker.mjs');
}

/** The bundled entry of the thread that starts workers. */
export function starterScript(): string {
  return path.join(programRoot(), 'dist', 'server', 'starter.mjs');
}

/** The bundled entry of the desk's threads. */
export function deskScript(): string {
  return path.join(programRoot(), 'dist', 'server', 'desk.mjs');
}

/* Where the program keeps its data by default, on each system. */

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
