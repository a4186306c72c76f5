/** The files that a render is made of, and the moment when one of them has changed. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Json, Source } from '../../shared/renderscript/source.ts';

/** Time and size of files as they were; null where there is none. */
export type Stamps = ReadonlyMap<string, string | null>;

/** Milliseconds between two looks. Looking works on all drives, and sees files that are replaced or come later. */
const lookInterval = 200;
/** Of one document; more than that are not looked at. */
const mostFiles = 2_000;

/** How files are now. */
export async function stampsOf(files: Iterable<string>): Promise<Stamps> {
  const entries = [...files].map(async (file): Promise<[string, string | null]> => {
    const facts = await stat(file).catch(() => null);
    return [file, facts && `${facts.mtimeMs} ${facts.size} ${facts.ino}`];
  });
  return new Map(await Promise.all(entries));
}

/** Waits until one of them has changed and none has been written to for a moment, or until the signal. */
export async function changeOf(before: Stamps, signal: AbortSignal): Promise<void> {
  let last = before;
  let hasChanged = false;
  while (!signal.aborted) {
    await pause(lookInterval, undefined, { signal }).catch(() => undefined);
    const now = await stampsOf(before.keys());
    const isQuiet = [...now].every(([file, stamp]) => last.get(file) === stamp);
    if (hasChanged && isQuiet) return;
    hasChanged ||= !isQuiet;
    last = now;
  }
}

/** Files of this computer that a document names, also those that are not there yet. */
export function mediaFiles(document: Source, folders: readonly string[]): ReadonlySet<string> {
  const files = new Set<string>();
  const todo: (Json | undefined)[] = [document];
  while (todo.length > 0 && files.size < mostFiles) {
    const value = todo.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner !== 'string') todo.push(inner);
      else if (name.endsWith('source'))
        for (const file of placesOf(inner.trim(), folders)) files.add(file);
    }
  }
  return files;
}

/** Where an address is looked for; see engine/assets/fetch. */
function placesOf(address: string, folders: readonly string[]): readonly string[] {
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]+):/i.exec(address) ?? [];
  try {
    if (scheme.toLowerCase() === 'file') return [fileURLToPath(address)];
  } catch {
    return []; // of another computer
  }
  if (scheme !== '' || address === '') return [];
  return folders.map((folder) => path.resolve(folder, address));
}
