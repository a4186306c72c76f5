/** Where the bundle of a thread is. Runs in the worker. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The threads that the engine starts, and the process that is one under Electron. */
type ThreadName = 'examine-thread' | 'trial-thread' | 'painter-thread' | 'recogniser-process';

/**
 * Beside the worker's bundle; tests run from the sources. A packed program keeps those outside of its archive whose
 * packages are inside of them.
 *
 * @throws Error when it was not built.
 */
export function threadFile(name: ThreadName): string {
  const places = ['./', '../../dist/server/']
    .map((folder) => fileURLToPath(new URL(`${folder}${name}.mjs`, import.meta.url)))
    .flatMap((place) => [place.replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked'), place]);
  const file = places.find((place) => existsSync(place));
  if (file === undefined) throw new Error(`${name}.mjs was not built: run "npm run build" first`);
  return file;
}
