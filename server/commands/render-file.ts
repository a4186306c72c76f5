/**
 * The command line's renders without a queue: one document, or one for each row of a table, to files; once, or again
 * after each change. Runs under plain Node; the engine runs in one worker process for all files.
 */
import path from 'node:path';
import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { FramewrightError } from '../../client/index.ts';
import type { Source, Json } from '../../shared/renderscript/source.ts';
import { commandRows } from './command-rows.ts';
import { askedOf, readDocumentFile, type Asked, type DocumentFile } from './document-file.ts';
import { foldersOf } from './document-problems.ts';
import { renderOne, type FileOrder, type MadeFileSetting } from './made-file.ts';
import { CommandError, readOptions, usageOf, type Given } from './option-rows.ts';
import { RenderReport, type Remark } from './render-report.ts';
import { filesOf, readRows, setModifications, type RowFile } from './render-rows.ts';
import { documentOfTemplate } from './server-document.ts';
import { LoneRenders } from '../jobs/lone-renders.ts';
import { familyNamed } from '../../shared/hardware.ts';
import { forkWorker } from '../jobs/worker/fork-worker.ts';
import { stopAtSignal } from '../system/programs.ts';

const row = commandRows.render;
type Options = Given<typeof row.options>;

/** The checked arguments. */
interface Order {
  /** A file or `-`; null with `--template`. */
  readonly sourcePath: string | null;
  readonly outputPath: string;
  readonly options: Options;
  readonly scale: number | undefined;
  /** One with `--frame`, several with `--frames`. */
  readonly moments: readonly number[] | undefined;
}

/** The document and the files to make. */
interface Work {
  readonly asked: Asked;
  readonly files: readonly RowFile[];
  readonly mediaFolders: readonly string[];
}

/**
 * `framewright render source.json out.mp4`. Prints progress to stderr and the files' facts to stdout.
 *
 * @returns the process's exit status: 0, or 1 when a file was not made. Where Ctrl-C ended it, the process ends by that
 * signal.
 * @throws CommandError, FramewrightError; with `--json` they are told in a line.
 */
export async function renderCommand(args: readonly string[]): Promise<number> {
  const isJson = args.includes('--json');
  try {
    return await render(args, isJson);
  } catch (error) {
    const failure = isJson ? failureOf(error) : null;
    if (failure === null) throw error;
    new RenderReport(isJson, false).failed(null, failure);
    return 1;
  }
}

async function render(args: readonly string[], isJson: boolean): Promise<number> {
  const { values, positionals } = readOptions(row, args);
  const order = orderOf(values, positionals);
  // A pipe may never be opened by its writer: until then, only a signal that nobody listens to ends the process.
  const inputs = await inputsOf(order);
  const { signal, endIfTold } = stopAtSignal();
  const renders = new LoneRenders(forkWorker, (level, place, text) => {
    if (level === 'error' && place !== 'worker') console.error(text);
  });
  const setting = {
    ffmpegPath: values.ffmpeg,
    encodeWith: familyNamed(values['encode-with']),
    renders,
    report: new RenderReport(isJson, order.outputPath === '-'),
    signal,
  };
  let status: number;
  try {
    status =
      values.watch === true
        ? await watch(order, setting)
        : await makeAll(order, await workOf(order, inputs, renders.folder), setting);
  } finally {
    renders.close();
  }
  // Watching has no other end.
  if (values.watch !== true) endIfTold();
  return status;
}

/** What stopped the command, for programs; null if nobody expected it. */
function failureOf(error: unknown): Remark | null {
  if (error instanceof CommandError) return error;
  if (error instanceof FramewrightError) return { message: error.message, code: 'server_refused' };
  return null;
}

/** Checks the arguments without reading any file. */
function orderOf(options: Options, positionals: readonly string[]): Order {
  const names = options.template === undefined ? positionals : [null, ...positionals];
  const [sourcePath, outputPath, ...rest] = names;
  if (sourcePath === undefined || typeof outputPath !== 'string' || rest.length > 0) {
    const [more] = rest;
    const found = more === undefined ? '' : `Expected one file to make, found another: ${more}\n\n`;
    throw new CommandError(found + usageOf('render', row));
  }
  const { data, frame, frames } = options;
  const refuse = (message: string): never => {
    throw new CommandError(message);
  };
  if (frames !== undefined && (frame !== undefined || data !== undefined))
    refuse('--frames: Expected it without --frame and --data.');
  if (options.receipt && frames !== undefined)
    refuse('--receipt: Expected it without --frames, whose sheet is a picture of pictures.');
  if (options.watch && (sourcePath === null || sourcePath === '-' || data === '-'))
    refuse('--watch: Expected a source and rows in files.');
  if (data === '-' && sourcePath === '-')
    refuse('--data -: Expected a source in a file; only one of them can be piped in.');
  if (outputPath === '-') {
    if (data !== undefined || options.watch)
      refuse('-: Expected the name of a file; stdout takes one file.');
    if (options.receipt) refuse('--receipt: Expected the name of a file, found stdout.');
    if (process.stdout.isTTY)
      refuse('-: Expected stdout to lead to a file or a program, not to a terminal.');
  }
  const moment = numberOption('--frame', frame, 0, Number.MAX_VALUE);
  return {
    ...{ sourcePath, outputPath, options },
    scale: numberOption('--scale', options.scale, 0.1, 10),
    moments: momentsOf(frames) ?? (moment === undefined ? undefined : [moment]),
  };
}

/** What the order's files hold; null for those that it does not name. */
interface Inputs {
  readonly file: DocumentFile | null;
  readonly rows: Awaited<ReturnType<typeof readRows>> | null;
}

/** Reads the document and the rows. @throws CommandError */
async function inputsOf({ sourcePath, options: { data } }: Order): Promise<Inputs> {
  return {
    file: sourcePath === null ? null : readDocumentFile(sourcePath),
    rows: data === undefined ? null : await readRows(data),
  };
}

/** @param folder For what is loaded from a server. */
async function workOf(
  { sourcePath, outputPath, options }: Order,
  { file, rows }: Inputs,
  folder: string,
): Promise<Work> {
  const found =
    sourcePath === null || file === null
      ? await documentOfTemplate(options, folder)
      : { asked: askedOf(file), mediaFolders: foldersOf(sourcePath, options.media) };
  const set = setModifications(options.set ?? []);
  return { ...found, files: filesOf(outputPath, rows, set) };
}

/** What applies to all files, before the document is read. */
type Setting = Omit<MadeFileSetting, 'mediaFolders'>;

/** Makes all files, one after the other. @returns 1 if one of them failed. */
async function makeAll(
  { options, scale, moments }: Order,
  { asked, files, mediaFolders }: Work,
  setting: Setting,
): Promise<number> {
  let status = 0;
  const { source, frameRate } = asked;
  for (const { output, modifications, row: number } of files) {
    const order: FileOrder = {
      ...{ source, output, isSheet: options.frames !== undefined },
      ...(frameRate !== undefined && { frameRate }),
      ...(number !== undefined && { row: number }),
      ...(moments !== undefined && { moments }),
      modifications: { ...asked.modifications, ...modifications },
      scaling: scale === undefined ? asked.scaling : { renderScale: scale },
      strict: options.strict === true,
      withReceipt: options.receipt === true,
    };
    if (!(await renderOne(order, { ...setting, mediaFolders }))) status = 1;
    if (setting.signal.aborted) break;
  }
  return status;
}

/**
 * Makes the files, and again after each change of document, rows or media, until Ctrl-C. Reports mistakes and goes on.
 */
async function watch(order: Order, setting: Setting): Promise<number> {
  const { sourcePath, options } = order;
  const { signal, report } = setting;
  const named = [sourcePath, options.data].filter((file) => typeof file === 'string');
  // A function: TypeScript assumes that a property stays the same.
  const isOver = (): boolean => signal.aborted;
  while (!isOver()) {
    // Before reading anything, so that no change is missed.
    const stamps = new Map(await stampsOf(named));
    try {
      const work = await workOf(order, await inputsOf(order), setting.renders.folder);
      // A document may show the file that was made of it before; that must not go on for ever.
      const made = new Set(work.files.map(({ output }) => path.resolve(output)));
      const before = async (document: Source): Promise<void> => {
        const files = await stampsOf(mediaFiles(document, work.mediaFolders));
        for (const [file, stamp] of files) {
          if (!stamps.has(file) && !made.has(file)) stamps.set(file, stamp);
        }
      };
      await makeAll(order, work, { ...setting, before });
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      report.failed(null, error);
    }
    if (isOver()) break;
    console.error('Watching for changes; Ctrl+C ends it.');
    await changeOf(stamps, signal);
  }
  return 0;
}

/** Moments of one sheet. */
const mostMoments = 100;

function momentsOf(text: string | undefined): readonly number[] | undefined {
  if (text === undefined) return undefined;
  const parts = text.split(',');
  if (parts.length > mostMoments) {
    throw new CommandError(
      `--frames: Expected at most ${mostMoments} moments, found ${parts.length}.`,
    );
  }
  return parts.map((part) => numberOption('--frames', part.trim(), 0, Number.MAX_VALUE) ?? 0);
}

function numberOption(
  name: string,
  text: string | undefined,
  minimum: number,
  maximum: number,
): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < minimum || value > maximum) {
    const range =
      maximum === Number.MAX_VALUE ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
    throw new CommandError(`${name}: Expected a number ${range}, found '${text}'.`);
  }
  return value;
}

/** Time and size by file name; null for a missing file. */
type Stamps = ReadonlyMap<string, string | null>;

/** Milliseconds between two checks. Checking works on all drives, and also finds replaced and new files. */
const lookInterval = 200;
/** Files per document; further ones are not watched. */
const mostFiles = 2_000;

/** The current stamps of files. */
async function stampsOf(files: Iterable<string>): Promise<Stamps> {
  const entries = [...files].map(async (file): Promise<[string, string | null]> => {
    const facts = await stat(file).catch(() => null);
    return [file, facts && `${facts.mtimeMs} ${facts.size} ${facts.ino}`];
  });
  return new Map(await Promise.all(entries));
}

/** Waits until a file has changed and no other change follows at once, or until the signal aborts. */
async function changeOf(before: Stamps, signal: AbortSignal): Promise<void> {
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
function mediaFiles(document: Source, folders: readonly string[]): ReadonlySet<string> {
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
