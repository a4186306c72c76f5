/**
 * Stands between the store and the disk, for tests: fails writes as a full disk does and renames as a scanner does, is
 * slow as a drive far away, and knows what a power cut would leave. Import it before the store, because the database
 * takes its file functions when it is loaded.
 */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';

type Handle = fs.promises.FileHandle;

/** Which writes fail: their number from now on, `for good` all from it on. Null: none. */
let failing: { at: number; forGood: boolean } | null = null;
let writes = 0;

/** Lets the n-th write from now on fail, alone or with all that follow. */
export function failWrite(at: number, { forGood }: { forGood: boolean }): void {
  writes = 0;
  failing = { at, forGood };
}

/** The code with which flushes fail; null: they work. */
let failingFlush: string | null = null;

/** Lets flushes fail from now on, as on a drive that is about to die. */
export function failFlush(code: string): void {
  failingFlush = code;
}

/** How many renames are still refused, and how. */
const refused = { renames: 0, code: '' };

/** Lets the next renames fail, as a scanner does that holds the file. */
export function failRenames(count: number, code: string): void {
  Object.assign(refused, { renames: count, code });
}

/** Which links are refused. */
let isRefused: (from: string, to: string) => boolean = () => false;

/** Refuses links from now on: all, as on a drive that has none, or those between drives. */
export function failLinks(refuses: (from: string, to: string) => boolean = () => true): void {
  isRefused = refuses;
}

/** Milliseconds that each write and flush takes. */
let slowness = 0;

/** Makes every write and flush slow, as on a drive far away. */
export function slowDown(milliseconds: number): void {
  slowness = milliseconds;
}

const takeTime = (): Promise<void> =>
  slowness === 0 ? Promise.resolve() : new Promise((resolve) => void setTimeout(resolve, slowness));

/** There is room again. @returns whether a write failed. */
export function repairDisk(): boolean {
  failingFlush = null;
  refused.renames = 0;
  isRefused = () => false;
  slowness = 0;
  const failed = failing !== null && writes >= failing.at;
  failing = null;
  return failed;
}

function fails(): boolean {
  writes++;
  if (!failing) return false;
  return failing.forGood ? writes >= failing.at : writes === failing.at;
}

function diskFull(): Error {
  return diskError('ENOSPC');
}

function diskError(code: string): Error {
  return Object.assign(new Error(`${code}: the disk of the tests`), { code });
}

/** What is surely on the disk: contents by inode, names by folder. */
const contents = new Map<number, Buffer>();
const names = new Map<string, Map<string, number>>();

function noteFlush(place: string): void {
  const facts = statSync(place);
  if (!facts.isDirectory()) {
    contents.set(facts.ino, readFileSync(place));
    return;
  }
  const found = new Map<string, number>();
  for (const name of readdirSync(place)) {
    // Others rename and remove files of the folder meanwhile.
    const file = statSync(path.join(place, name), { throwIfNoEntry: false });
    if (file?.isFile()) found.set(name, file.ino);
  }
  names.set(place, found);
}

/** Writes a folder as it would be after a power cut now: flushed names with flushed bytes, nothing else. */
export function copyFlushed(folder: string, to: string): void {
  for (const [place, files] of names) {
    const inside = path.relative(folder, place);
    if (inside.startsWith('..')) continue;
    mkdirSync(path.join(to, inside), { recursive: true });
    for (const [name, ino] of files) {
      writeFileSync(path.join(to, inside, name), contents.get(ino) ?? '');
    }
  }
}

const { promises } = fs;
const real = {
  open: promises.open,
  writeFile: promises.writeFile,
  appendFile: promises.appendFile,
  copyFile: promises.copyFile,
  cp: promises.cp,
  createWriteStream: fs.createWriteStream,
  rename: promises.rename,
  link: promises.link,
};

/** Half of what was to be written gets there, as on a real disk. */
async function writeHalf(handle: Handle, data: unknown): Promise<never> {
  const text = typeof data === 'string' ? data : '';
  await real.appendFile.call(promises, handle, text.slice(0, text.length / 2));
  throw diskFull();
}

promises.open = async (file, flags, mode) => {
  const handle = await real.open.call(promises, file, flags, mode);
  const sync = handle.sync.bind(handle);
  const datasync = handle.datasync.bind(handle);
  const writeFile = handle.writeFile.bind(handle);
  // Of its two forms the store uses the one with text.
  const write: (text: string, position?: number) => Promise<unknown> = handle.write.bind(handle);
  const place = String(file);
  return Object.assign(handle, {
    sync: async () => {
      await takeTime();
      if (failingFlush !== null) throw diskError(failingFlush);
      await sync();
      noteFlush(place);
    },
    datasync: async () => {
      await takeTime();
      if (failingFlush !== null) throw diskError(failingFlush);
      await datasync();
      noteFlush(place);
    },
    writeFile: (data: string) => (fails() ? writeHalf(handle, data) : writeFile(data)),
    write: (text: string, position?: number) =>
      fails() ? writeHalf(handle, text) : write(text, position),
  });
};
promises.rename = async (from, to) => {
  if (refused.renames > 0) {
    refused.renames--;
    throw diskError(refused.code);
  }
  await real.rename.call(promises, from, to);
};
promises.link = async (from, to) => {
  if (isRefused(String(from), String(to))) throw diskError('EXDEV');
  await real.link.call(promises, from, to);
};
promises.writeFile = async (file, data, options) => {
  if (fails()) throw diskFull();
  await real.writeFile.call(promises, file, data, options);
};
promises.appendFile = async (file, data, options) => {
  await takeTime();
  if (!fails()) return real.appendFile.call(promises, file, data, options);
  const text = typeof data === 'string' ? data : '';
  await real.appendFile.call(promises, file, text.slice(0, text.length / 2), options);
  throw diskFull();
};
promises.copyFile = async (from, to, mode) => {
  if (fails()) throw diskFull();
  await real.copyFile.call(promises, from, to, mode);
};
promises.cp = async (from, to, options) => {
  if (fails()) throw diskFull();
  await real.cp.call(promises, from, to, options);
};
fs.createWriteStream = (file, options) => {
  const stream = real.createWriteStream.call(fs, file, options);
  const write = stream._write.bind(stream);
  stream._write = (chunk, encoding, done) => {
    if (fails()) done(diskFull());
    else write(chunk, encoding, done);
  };
  // Many lines at once would go past the one above.
  delete (stream as { _writev?: unknown })._writev;
  Object.assign(stream, { _writev: null });
  return stream;
};
syncBuiltinESMExports();
