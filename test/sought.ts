/**
 * Notes which installed programs a test file looks for in vain, itself or by what it calls in its process: on a fuller
 * computer it might find them and do more, so that it has to run there again (test/passed.mjs); also what a file leaves
 * to CI by itself (`noteLeft`). Vitest runs this before each file, if asked.
 */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { afterAll, expect } from 'vitest';

const root = path.dirname(import.meta.dirname);
/** Folders that hold programs, for those that are looked for by their whole path. */
const installed = /^\/(usr\/(?!share\/)|opt\/|snap\/|Applications\/)/;

interface Note {
  readonly what: string;
  readonly stack: string;
}
/** Of this process. Files that share it share modules, too, which look once. */
interface Notes {
  /** Of the file that runs. */
  now: Note[];
  /** What no test file looked for by itself: its result may serve every later file that uses the same modules. */
  readonly kept: Note[];
}
/** What of vitest's own state is read: which modules a module imports. */
interface WorkerState {
  readonly evaluatedModules: {
    readonly idToModuleMap: ReadonlyMap<
      string,
      { readonly file: string; readonly imports: ReadonlySet<string> }
    >;
  };
}
declare global {
  var framewrightSought: Notes | undefined;
  var __vitest_worker__: WorkerState;
}
const place = globalThis;

const { existsSync } = fs;

function note(what: string): void {
  // What follows an async frame imports the module whose beginning looks.
  const [calls = ''] = (new Error().stack ?? '').split('at async ');
  place.framewrightSought?.now.push({ what, stack: calls });
}

function noteFile(file: unknown): void {
  if (typeof file === 'string' && installed.test(file) && !file.startsWith(root)) note(file);
}

/** Notes a command that no folder of the PATH has, and a Node program that has to look for an ffmpeg itself. */
function noteCommand(command: unknown, rest: readonly unknown[]): void {
  if (typeof command !== 'string') return;
  const options = rest.find(
    (one) => typeof one === 'object' && one !== null && !Array.isArray(one),
  );
  const { env = process.env }: { env?: NodeJS.ProcessEnv } = options ?? {};
  const folders = (env['PATH'] ?? '').split(path.delimiter);
  if (path.isAbsolute(command)) {
    if (!existsSync(command)) noteFile(command);
    const looks = env['FFMPEG_PATH'] === undefined && folders.some((one) => installed.test(one));
    if (command === process.execPath && looks) note('ffmpeg, by a program of Node');
  } else if (!folders.some((one) => existsSync(path.join(one, command)))) note(command);
}

/** Replaces a function of a module by one that takes a look at its arguments first. */
function watch(module: object, name: string, look: (args: readonly unknown[]) => void): void {
  const own: unknown = Reflect.get(module, name);
  if (typeof own !== 'function') throw new Error(`${name} is no function`);
  const watching = new Proxy(own, {
    apply(target, receiver, args: unknown[]): unknown {
      look(args);
      return Reflect.apply(target, receiver, args);
    },
  });
  Reflect.set(module, name, watching);
}

function watchAll(): void {
  for (const name of ['spawn', 'spawnSync', 'execFile', 'execFileSync']) {
    watch(childProcess, name, ([command, ...rest]) => noteCommand(command, rest));
  }
  const lookAt = ([file]: readonly unknown[]): void => {
    if (typeof file === 'string' && !existsSync(file)) noteFile(file);
  };
  for (const name of ['existsSync', 'accessSync', 'statSync', 'readdirSync', 'access', 'stat'])
    watch(fs, name, lookAt);
  for (const name of ['access', 'stat', 'readdir']) watch(fs.promises, name, lookAt);
  syncBuiltinESMExports();
}

if (place.framewrightSought === undefined) {
  place.framewrightSought = { now: [], kept: [] };
  watchAll();
}
const notes = place.framewrightSought;
notes.now = [];

/** Files of all modules that a test file uses, itself among them. */
function modulesOf(testFile: string): ReadonlySet<string> {
  const { idToModuleMap } = place.__vitest_worker__.evaluatedModules;
  const files = new Set<string>();
  const ids = [testFile];
  for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
    const found = idToModuleMap.get(id);
    if (!found || files.has(found.file)) continue;
    files.add(found.file);
    ids.push(...found.imports);
  }
  return files;
}

/** Whether one of the modules that looked is used. What calls itself later, as from a timer, is everybody's. */
function concerns({ stack }: Note, used: ReadonlySet<string>): boolean {
  const callers = [...stack.matchAll(/(\/[^():\n]+):\d+:\d+/g)].map(([, file = '']) => file);
  const own = callers.filter(
    (file) =>
      file.startsWith(root) && !file.includes('/node_modules/') && file !== import.meta.filename,
  );
  return own.length === 0 || own.some((file) => used.has(file));
}

afterAll(() => {
  const { testPath: filepath } = expect.getState();
  if (filepath === undefined) throw new Error('vitest names no file');
  const used = modulesOf(filepath);
  const relevant = notes.kept.filter((one) => concerns(one, used));
  const sought = new Set([...notes.now, ...relevant].map(({ what }) => what));
  notes.kept.push(...notes.now.filter(({ stack }) => !stack.includes(filepath)));
  const line = JSON.stringify({ file: path.relative(root, filepath), sought: [...sought] });
  fs.appendFileSync(process.env['SOUGHT'] ?? '', `${line}\n`);
});
