/**
 * The command line's renders without a queue: one document, or one for each row of a table, to files; once, or again after each
 * change. Runs under plain Node; the engine runs in one worker process for all files.
 */
import path from 'node:path';
import type { Source } from '../shared/renderscript/source.ts';
import { commandRows } from './commands/command-rows.ts';
import { readDocumentFile, sourceOf } from './commands/document-file.ts';
import { renderOne, renderSheet, type MadeFileSetting } from './commands/made-file.ts';
import { CommandError, readOptions, usageOf, type Given } from './commands/option-rows.ts';
import {
  filesOf,
  modified,
  readRows,
  setModifications,
  type RowFile,
} from './commands/render-rows.ts';
import { readTemplate, serverClient } from './commands/running-server.ts';
import { changeOf, mediaFiles, stampsOf } from './commands/watched-files.ts';
import { LoneRenders } from './jobs/lone-renders.ts';
import { forkWorker } from './jobs/worker/fork-worker.ts';
import { sampleFolder } from './paths.ts';
import { onEndSignal } from './told-to-end.ts';

const row = commandRows.render;
type Options = Given<typeof row.options>;

/** The checked arguments. */
interface Order {
  /** A file or `-`; null with `--template`. */
  readonly sourcePath: string | null;
  readonly outputPath: string;
  readonly options: Options;
  readonly moment: number | undefined;
  readonly moments: readonly number[] | null;
}

/** The document and the files to make. */
interface Work {
  readonly source: Source;
  readonly files: readonly RowFile[];
  readonly mediaFolders: readonly string[];
}

/**
 * `framewright render source.json out.mp4`. Prints progress to stderr and the files' facts to stdout.
 *
 * @returns the process's exit status: 0, or 1 when a file was not made.
 * @throws CommandError, FramewrightError.
 */
export async function renderCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(row, args);
  const order = orderOf(values, positionals);
  const signal = endOfTerminal();
  const renders = new LoneRenders(forkWorker, (level, place, text) => {
    if (level === 'error' && place !== 'worker') console.error(text);
  });
  const setting = {
    scale: numberOption('--scale', values.scale, 0.1, 10),
    ffmpegPath: values.ffmpeg,
    isJson: values.json === true,
    renders,
    signal,
  };
  const make: Make = (work, before) =>
    makeAll(order, work, { ...setting, mediaFolders: work.mediaFolders }, before);
  try {
    return values.watch === true
      ? await watch(order, make, signal)
      : await make(await workOf(order));
  } finally {
    renders.close();
  }
}

/** Checks the arguments without reading any file. */
function orderOf(options: Options, positionals: readonly string[]): Order {
  const names = options.template === undefined ? positionals : [null, ...positionals];
  const [sourcePath, outputPath, ...rest] = names;
  if (sourcePath === undefined || typeof outputPath !== 'string' || rest.length > 0) {
    throw new CommandError(usageOf('render', row));
  }
  if (options.frames !== undefined && (options.frame !== undefined || options.data !== undefined)) {
    throw new CommandError('--frames: Expected it without --frame and --data.');
  }
  if (options.watch && (sourcePath === null || sourcePath === '-')) {
    throw new CommandError('--watch: Expected a source in a file.');
  }
  const moment = numberOption('--frame', options.frame, 0, Number.MAX_VALUE);
  return { sourcePath, outputPath, options, moment, moments: momentsOf(options.frames) };
}

/** Reads the document and the rows. */
async function workOf({ sourcePath, outputPath, options }: Order): Promise<Work> {
  const { source, mediaFolder } =
    sourcePath === null
      ? await documentOfTemplate(options)
      : {
          source: sourceOf(readDocumentFile(sourcePath)),
          mediaFolder: sourcePath === '-' ? '.' : path.dirname(sourcePath),
        };
  const set = setModifications(options.set ?? []);
  const rows = options.data === undefined ? null : await readRows(options.data);
  const files = filesOf(outputPath, rows, set);
  const folders = (options.media ?? [mediaFolder]).map((name) => path.resolve(name));
  return { source, files, mediaFolders: [...folders, sampleFolder()] };
}

/** Reads a template from the server. Its media are in the server's library, if that is on this computer. */
async function documentOfTemplate(
  options: Options,
): Promise<{ source: Source; mediaFolder: string }> {
  const { template = '', url, key, 'server-data': data } = options;
  const { client, dataFolder } = serverClient({
    ...(url !== undefined && { url }),
    ...(key !== undefined && { key }),
    ...(data !== undefined && { data }),
  });
  const { source } = await readTemplate(client, template);
  return {
    source: source as Source, // JSON that the server checked
    mediaFolder: dataFolder === undefined ? '.' : path.join(dataFolder, 'media', 'content'),
  };
}

/** Makes all files. @param before Called with each document before it is rendered. */
type Make = (work: Work, before?: (document: Source) => Promise<void>) => Promise<number>;

/** Makes all files, one after the other. @returns 1 if one of them failed. */
async function makeAll(
  { moment, moments }: Order,
  { source, files }: Work,
  setting: MadeFileSetting,
  before?: (document: Source) => Promise<void>,
): Promise<number> {
  let status = 0;
  for (const { output, modifications } of files) {
    const document = modified(source, modifications);
    await before?.(document);
    const made =
      moments === null
        ? await renderOne(document, output, moment, setting)
        : await renderSheet(document, output, moments, setting);
    if (made === null) status = 1;
    if (setting.signal.aborted) break;
  }
  return status;
}

/** Makes the files, and again after each change of document, rows or media, until Ctrl-C. Reports mistakes and goes on. */
async function watch(order: Order, make: Make, signal: AbortSignal): Promise<number> {
  const { sourcePath, options } = order;
  const named = [sourcePath, options.data].filter((file) => typeof file === 'string');
  // A function: TypeScript assumes that a property stays the same.
  const isOver = (): boolean => signal.aborted;
  while (!isOver()) {
    // Before reading anything, so that no change is missed.
    const stamps = new Map(await stampsOf(named));
    try {
      const work = await workOf(order);
      // A document may show the file that was made of it before; that must not go on for ever.
      const made = new Set(work.files.map(({ output }) => path.resolve(output)));
      await make(work, async (document) => {
        const files = await stampsOf(mediaFiles(document, work.mediaFolders));
        for (const [file, stamp] of files) {
          if (!stamps.has(file) && !made.has(file)) stamps.set(file, stamp);
        }
      });
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      console.error(error.message);
    }
    if (isOver()) break;
    console.error('Watching for changes; Ctrl+C ends it.');
    await changeOf(stamps, signal);
  }
  return 0;
}

/** Aborts on Ctrl-C, and when the system ends the program. */
function endOfTerminal(): AbortSignal {
  const end = new AbortController();
  onEndSignal(() => end.abort());
  return end.signal;
}

/** Moments of one sheet. */
const mostMoments = 100;

function momentsOf(text: string | undefined): readonly number[] | null {
  if (text === undefined) return null;
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
