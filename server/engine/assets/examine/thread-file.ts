/** Where the bundle of a thread is. Runs in the worker. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Beside the worker's bundle; tests run from the sources. A packed program keeps it outside of its archive.
 *
 * @throws Error when it was not built.
 */
export function threadFile(name: 'examine-thread' | 'trial-thread'): string {
  const places = [
    new URL(`./${name}.mjs`, import.meta.url),
    new URL(`../../../../dist/server/${name}.mjs`, import.meta.url),
  ].map((place) => fileURLToPath(place).replace(/app\.asar(?=[\\/])/, 'app.asar.unpacked'));
  const file = places.find((place) => existsSync(place));
  if (file === undefined) throw new Error(`${name}.mjs was not built: run "npm run build" first`);
  return file;
}
