/** Finds the files that a render uses, and waits until one of them changes. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Json, Source } from '../../shared/renderscript/source.ts';

/** Time and size by file name; null for a missing file. */
export type Stamps = ReadonlyMap<string, string | null>;

/** Milliseconds between two checks. Checking works on all drives, and also finds replaced and new files. */
const lookInterval = 200;
/** Files per document; further ones are not watched. */
const mostFiles = 2_000;

/** The current stamps of files. */
export async function stampsOf(files: Iterable<string>): Promise<Stamps> {
  const entries = [...files].map(async (file): Promise<[string, string | null]> => {
    const facts = await stat(file).catch(() => null);
    return [file, facts && `${facts.mtimeMs} ${facts.size} ${facts.ino}`];
  });
  return new Map(await Promise.all(entries));
}

/** Waits until a file has changed and no other change follows at once, or until the signal aborts. */
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

/** The local files that a document names, including missing ones. */
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

/** The paths that an address can mean, as in engine/assets/fetch. */
function placesOf(address: string, folders: readonly string[]): readonly string[] {
  const [, scheme = ''] = /^([a-z][a-z0-9+.-]+):/i.exec(address) ?? [];
  try {
    if (scheme.toLowerCase() === 'file') return [fileURLToPath(address)];
  } catch {
    return []; // on another computer
  }
  if (scheme !== '' || address === '') return [];
  return folders.map((folder) => path.resolve(folder, address));
}
