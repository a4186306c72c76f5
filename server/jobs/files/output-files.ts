/**
 * Where finished files are. In the output folder a file has its template's name, for people, and the beginning of its
 * render's ID; every render is asked for by its record, so nothing ever looks for a name from outside. With storage,
 * the folder is where they are made; each then goes to storage under a name of its attempt, and the record says which.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { isFinal } from '../../../shared/api.ts';
import { cleanFileName } from '../../../shared/file-name.ts';
import { fileEnding, formats } from '../../../shared/renderscript/formats.ts';
import {
  outputKey,
  prefixes,
  receiptKey,
  removeStrays,
  renderOf,
  renderPrefix,
  snapshotKey,
  type Storage,
} from '../../store/storage.ts';
import type { StoredRender } from '../../store/render-record.ts';
import { retention, workLimits } from '../../../shared/limits.ts';

/** The part of a render that names its files. */
type Named = Pick<StoredRender, 'id' | 'outputFormat' | 'attempt' | 'request'>;

/** With several workers, each attempt has files of its own: one that was given up may still be writing. */
function nameOf({ id, attempt }: Pick<StoredRender, 'id' | 'attempt'>): string {
  return attempt === undefined ? id : `${id}.${attempt}`;
}

/**
 * How much of a template's name and of a render's ID a file is called: with its ending the longest stays below 255
 * bytes, and of a million renders with one name, two hardly ever begin alike.
 */
const called = { name: 60, id: 13 };

/**
 * `Ridge reel 1527d44e-8a2b`: the template's name when the render was created. Null: it has none that a file can have.
 */
function peopleName({ id, attempt, request }: Named): string | null {
  // Sweeps know attempts by their names.
  if (attempt !== undefined || !request.template) return null;
  const name = cleanFileName(request.template.name.slice(0, called.name));
  return name === '' ? null : `${name} ${id.slice(0, called.id)}`;
}

/** Keys of a render's files in storage. */
export type StoredFiles = NonNullable<StoredRender['stored']>;

/** The records that tell which files stay. */
interface Renders {
  find(id: string): StoredRender | null;
}

/** The output folder, and storage if there is one. */
export interface OutputFiles {
  readonly folder: string;
  /** Null: finished files stay in the folder. */
  readonly storage: Storage | null;
  /** Puts finished files into another folder from now on; older ones are still found in `earlier`. */
  use(folder: string, earlier: readonly string[]): void;
  /**
   * `NAME ID.mp4`, with the beginning of its ID; `ID.mp4` without a template and of earlier versions, `ID.ATTEMPT.mp4`
   * with several workers.
   */
  outputPath(render: Named): string;
  /** `snapshots/ID.jpg`: a folder of its own, because a jpg render is `ID.jpg`. */
  snapshotPath(render: Named): string;
  /** `snapshots/NAME.mp4.json`: what the file was made from. */
  receiptPath(render: Named): string;
  /** What is kept there, or in storage; null: nothing. @throws StorageError */
  readReceipt(render: StoredRender): Promise<Buffer | null>;
  /** Makes the folders when they are gone. */
  prepare(): Promise<void>;
  /**
   * Puts what an attempt has made into storage; the folder keeps it until `removeLocal`.
   *
   * @returns the keys for the record; undefined without storage.
   * @throws StorageError
   */
  store(render: StoredRender, hasSnapshot: boolean): Promise<StoredFiles | undefined>;
  /** Removes a render's files from the folder. */
  removeLocal(render: Named): Promise<void>;
  /**
   * Removes a render's files. In storage only those of a render that has ended: of another one, somebody may be working
   * on it.
   *
   * @throws StorageError
   */
  remove(render: StoredRender): Promise<void>;
  /**
   * Removes what no record names, from storage, and of attempts with names of their own from the folder: half files of
   * attempts that were given up, and of renders that have ended, once nobody writes them; whole ones of these after the
   * longest time that an attempt may take; of those without a record, after the longest that a render is kept, because
   * a backup may bring it back.
   *
   * @param now ms since 1970.
   * @throws StorageError
   */
  sweep(renders: Renders, now: number): Promise<number>;
  /**
   * Removes from a folder where nothing stays what attempts have left there whose worker was killed.
   * @param now ms since 1970.
   */
  sweepOwn(now: number): Promise<number>;
}

/** Where the receipt of a file of an output folder is: with its snapshot, not among the films. */
export function receiptBeside(outputPath: string): string {
  const { dir, base } = path.parse(outputPath);
  return path.join(dir, 'snapshots', `${base}.json`);
}

/** @param storage Null: none. */
export function createOutputFiles(first: string, storage: Storage | null = null): OutputFiles {
  let folder = first;
  let earlierFolders: readonly string[] = [];
  /** Where a file is, or will be: under the first of its names. */
  const place = (...names: readonly [string, ...string[]]): string => {
    const places = [folder, ...earlierFolders].flatMap((one) =>
      names.map((name) => path.join(one, name)),
    );
    const found = places.length > 1 ? places.find((one) => existsSync(one)) : undefined;
    return found ?? path.join(folder, names[0]);
  };
  const outputPath = (render: Named): string => {
    const ending = fileEnding(render.outputFormat);
    const plain = `${nameOf(render)}.${ending}`;
    const people = peopleName(render);
    return people === null ? place(plain) : place(`${people}.${ending}`, plain);
  };
  const snapshotPath = (render: Named): string =>
    place(path.join('snapshots', `${nameOf(render)}.jpg`));
  const removeLocal = async (render: Named): Promise<void> => {
    // Once: where it is follows from where it is found.
    const output = outputPath(render);
    await rm(output, { force: true });
    await rm(`${output}.part`, { force: true });
    await rm(snapshotPath(render), { force: true });
    await rm(receiptBeside(output), { force: true });
  };
  return {
    get folder() {
      return folder;
    },
    storage,
    use(chosen, earlier) {
      folder = chosen;
      earlierFolders = earlier.filter((one) => one !== chosen);
    },
    outputPath,
    snapshotPath,
    receiptPath: (render) => receiptBeside(outputPath(render)),
    readReceipt: (render) => receiptOf(render, outputPath(render), storage),
    removeLocal,
    async prepare() {
      await mkdir(path.join(folder, 'snapshots'), { recursive: true });
    },
    async store(render, hasSnapshot) {
      if (!storage) return undefined;
      const snapshot = hasSnapshot ? snapshotPath(render) : null;
      return putAll(storage, render, { output: outputPath(render), snapshot });
    },
    async remove(render) {
      await removeLocal(render);
      if (!storage || !isFinal(render.status)) return;
      for await (const { key } of storage.list(renderPrefix(render.id))) await storage.remove(key);
    },
    async sweep(renders, now) {
      const left = await sweepFolder(folder, renders, now);
      return left + (storage ? await sweepStorage(storage, renders, now) : 0);
    },
    sweepOwn: (now) => removeAttempts(folder, now - longestAttempt, () => false),
  };
}

/** See `OutputFiles.store`. */
async function putAll(
  storage: Storage,
  { id, attempts, outputFormat }: StoredRender,
  { output, snapshot }: { readonly output: string; readonly snapshot: string | null },
): Promise<StoredFiles> {
  // The number alone may come again: an attempt that the program's end has broken off does not count.
  const name = { id, attempt: `${attempts}-${randomUUID().slice(0, 8)}` };
  const stored: StoredFiles = { output: outputKey(name, fileEnding(outputFormat)) };
  await storage.put(stored.output, { file: output }, { type: formats[outputFormat].mimeType });
  if (snapshot !== null) {
    stored.snapshot = snapshotKey(name);
    await storage.put(stored.snapshot, { file: snapshot }, { type: formats.jpg.mimeType });
  }
  const receipt = receiptBeside(output);
  if (existsSync(receipt)) {
    stored.receipt = receiptKey(name);
    await storage.put(stored.receipt, { file: receipt }, { type: 'application/json' });
  }
  return stored;
}

/** See `OutputFiles.readReceipt`. */
async function receiptOf(
  { stored }: StoredRender,
  output: string,
  storage: Storage | null,
): Promise<Buffer | null> {
  if (!stored) return readFile(receiptBeside(output)).catch(() => null);
  const found = stored.receipt === undefined ? null : await storage?.get(stored.receipt);
  return found ? buffer(found.stream) : null;
}

function sweepFolder(folder: string, renders: Renders, now: number): Promise<number> {
  return removeAttempts(folder, now - stillTime, (id, attempt, changedAt, isHalf) => {
    const render = renders.find(id);
    if (render && isHalf) return !isFinal(render.status) && attempt === render.attempt;
    if (changedAt >= now - longestAttempt) return true;
    if (!render) return changedAt >= now - retention.renders;
    const isResult = attempt === render.attempt && !render.stored;
    return !isFinal(render.status) || isResult;
  });
}

async function sweepStorage(storage: Storage, renders: Renders, now: number): Promise<number> {
  const before = now - longestAttempt;
  const unfinished = await storage.removeUnfinished(before);
  const strays = await removeStrays(storage, prefixes.renders, before, ({ key, changedAt }) => {
    const render = renders.find(renderOf(key) ?? '');
    if (!render) return changedAt >= now - retention.renders;
    const kept = new Set<string | undefined>(Object.values(render.stored ?? {}));
    return !isFinal(render.status) || kept.has(key);
  });
  return unfinished + strays;
}

/** A file of an attempt that has a name of its own, finished or not. */
const attemptFile = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d+-[0-9a-f]{8})\./;

/**
 * Removes files of attempts from an output folder.
 *
 * @param before Only those last changed before this moment, ms since 1970. @param isKept Whether one stays.
 */
async function removeAttempts(
  folder: string,
  before: number,
  isKept: (id: string, attempt: string, changedAt: number, isHalf: boolean) => boolean,
): Promise<number> {
  let removed = 0;
  for (const place of [folder, path.join(folder, 'snapshots')]) {
    for (const name of await readdir(place).catch(() => [])) {
      const [, id, attempt] = attemptFile.exec(name) ?? [];
      if (id === undefined || attempt === undefined) continue;
      const file = path.join(place, name);
      const facts = await stat(file).catch(() => null);
      if (
        !facts ||
        facts.mtimeMs >= before ||
        isKept(id, attempt, facts.mtimeMs, name.endsWith('.part'))
      )
        continue;
      await rm(file, { force: true });
      removed++;
    }
  }
  return removed;
}

/** So long, in ms, half a file has lain still that nobody writes any more. */
const stillTime = 600_000;
/** With time to put its files into storage, ms. */
const longestAttempt = workLimits.renderTime + 3_600_000;
