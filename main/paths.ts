/** Where the desktop program keeps its things. Main process; asks Electron, so it is called after the app is ready. */
import { app } from 'electron';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The program's name as people see it; also the name of its folders. */
export const programName = 'Framewright';

/** Templates, renders, keys and logs of the server. */
export function dataFolder(): string {
  return path.join(app.getPath('userData'), 'data');
}

/** Finished files, unless the settings name another folder: the person's own Videos folder. */
export function defaultOutputFolder(): string {
  return path.join(app.getPath('videos'), programName);
}

/** The preload script, built beside this bundle. */
export function preloadScript(): string {
  return fileURLToPath(new URL('./preload.cjs', import.meta.url));
}
