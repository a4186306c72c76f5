/**
 * Where the program's own files are: from source (tests), from dist/ and from a packed application.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

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
