/** Media that lie beside the repository and are no part of it; tests are skipped where they are absent. */
import { existsSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(import.meta.dirname, '..', '..', '..', 'shared', 'media');

/** The path of one; null where it is absent. */
export function sharedMedia(name: string): string | null {
  const file = path.join(folder, name);
  return existsSync(file) ? file : null;
}
