/**
 * The command line's renders without a server: one document, or one for each row of a table, to files. Runs under plain
 * Node; the engine runs in a worker process, started with the same message as for the server.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { engineLimits } from '../shared/limits.ts';
import { outputFormats, stillFormats } from '../shared/renderscript/formats.ts';
import { problemSentence, type Problem, type Source } from '../shared/renderscript/source.ts';
import { validate } from '../shared/renderscript/validate.ts';
import { contactSheet, type SheetFrame } from './commands/contact-sheet.ts';
import { CommandError, readDocumentFile, sayErrors, sourceOf } from './commands/document-file.ts';
import { readOptions, usageOf, type CommandRow } from './commands/option-rows.ts';
import { filesOf, modified, readRows, setModifications } from './commands/render-rows.ts';
import { forkWorker } from './jobs/worker/fork-worker.ts';
import {
  workerEvent,
  type RenderFacts,
  type StartMessage,
  type WorkerEvent,
} from './jobs/worker/protocol.ts';
import { fontFolder, sampleFolder } from './paths.ts';
import { ProgressBar } from './progress-bar.ts';
import { transcriberSetting } from './transcriber.ts';

/** See cli.ts. */
export const renderRow = {
  name: 'render',
  summary: 'render a source.json to a file, without a server',
  takes: 'source.json out.mp4 [options]',
  about: `The ending of the file decides the format; - as the source reads what is piped in.
With --data, one file is made for each row, and {n} and {column} in the file's name stand for its number and its values:
framewright render card.json 'cards/{n}-{Title}.png' --data people.csv`,
  options: [
    {
      name: 'set',
      value: 'KEY=VALUE',
      many: true,
      help: "a modification, e.g. Title='Today only'; KEY:=JSON for other than texts;\nmay be repeated",
    },
    {
      name: 'data',
      value: 'FILE',
      help: 'rows of modifications: CSV, TSV, JSON or XLSX, a column for each key',
    },
    { name: 'frame', value: '1.5', help: 'draw the picture at 1.5 s only (out.png or out.jpg)' },
    {
      name: 'frames',
      value: '0,1.5,3',
      help: 'draw these moments side by side, with their times (out.png or out.jpg)',
    },
    { name: 'scale', value: '0.5', help: 'size of the file relative to the document, 0.1 to 10' },
    { name: 'json', help: 'print a line of JSON for each file, with its facts or what went wrong' },
    {
      name: 'media',
      value: 'DIR',
      many: true,
      help: "folder that relative media paths are looked up in (default: the source's folder)",
    },
    { name: 'ffmpeg', value: 'PATH', help: 'the ffmpeg to use' },
  ],
} as const satisfies CommandRow;

/** What applies to all files of a command. */
interface Setting {
  readonly scale: number | undefined;
  readonly mediaFolders: readonly string[];
  readonly ffmpegPath: string | undefined;
  readonly isJson: boolean;
  /** True while making parts of something else: prints nothing about them. */
  readonly isQuiet?: boolean;
  /** This command's own folder, removed at its end. */
  readonly folder: string;
}

/**
 * `framewright render source.json out.mp4`. Prints progress to stderr and the file's facts to stdout.
 *
 * @returns the process's exit status: 0, or 1 after one clear sentence.
 */
export async function renderCommand(args: readonly string[]): Promise<number> {
  return sayErrors(async () => {
    const { values, positionals } = readOptions(renderRow, args);
    const [sourcePath, outputPath, ...rest] = positionals;
    if (values.help) {
      console.log(usageOf(renderRow));
      return 0;
    }
    if (sourcePath === undefined || outputPath === undefined || rest.length > 0)
      throw new CommandError(usageOf(renderRow));
    if (values.frames !== undefined && (values.frame !== undefined || values.data !== undefined))
      throw new CommandError('--frames: Expected it without --frame and --data.');

    const moment = numberOption('--frame', values.frame, 0, Number.MAX_VALUE);
    const moments = momentsOf(values.frames);
    const scale = numberOption('--scale', values.scale, 0.1, 10);
    const source = sourceOf(readDocumentFile(sourcePath));
    const set = setModifications(values.set ?? []);
    const rows = values.data === undefined ? null : await readRows(values.data);
    const files = filesOf(outputPath, rows, set);
    const folder = mkdtempSync(path.join(tmpdir(), 'framewright-'));
    const beside = sourcePath === '-' ? '.' : path.dirname(sourcePath);
    const setting: Setting = {
      scale,
      mediaFolders: [
        ...(values.media ?? [beside]).map((name) => path.resolve(name)),
        sampleFolder(),
      ],
      ffmpegPath: values.ffmpeg,
      isJson: values.json === true,
      folder,
    };
    try {
      let status = 0;
      for (const { output, modifications } of files) {
        const document = modified(source, modifications);
        const done =
          moments === null
            ? await renderOne(document, output, moment, setting)
            : await renderSheet(document, output, moments, setting);
        if (done === null) status = 1;
      }
      return status;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 1);
}

/** One file of a document. @returns its facts; null when it failed, which has been reported. */
async function renderOne(
  document: Source,
  output: string,
  moment: number | undefined,
  setting: Setting,
): Promise<RenderFacts | null> {
  const source = withFormat(document, output, moment !== undefined);
  const errors = validate(source).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    sayProblems(errors, output, setting);
    return null;
  }
  const target = path.resolve(output);
  mkdirSync(path.dirname(target), { recursive: true });
  return run(jobOf(source, target, moment, setting), setting);
}

function jobOf(
  source: Source,
  outputPath: string,
  moment: number | undefined,
  { scale, mediaFolders, ffmpegPath, folder }: Setting,
): StartMessage {
  return {
    type: 'start',
    id: path.basename(outputPath),
    source: JSON.stringify(source),
    scaling: scale === undefined ? {} : { renderScale: scale },
    ...(moment !== undefined && { moment }),
    outputPath,
    snapshotPath: `${outputPath.replace(/\.[^.]+$/, '')}-snapshot.jpg`,
    workFolder: path.join(folder, 'work'),
    cacheFolder: path.join(folder, 'cache'),
    mediaFolders: [...mediaFolders],
    fontFolder: fontFolder(),
    ...(ffmpegPath !== undefined && { ffmpegPath }),
    ...transcriberSetting({ transcriber: null, transcriberModel: null }),
    allowPrivateAddresses: true,
    ownPorts: [],
    limits: engineLimits,
  };
}

/** Several moments in one picture: draws each as a single frame; the sheet is a document of those pictures. */
async function renderSheet(
  document: Source,
  output: string,
  moments: readonly number[],
  setting: Setting,
): Promise<RenderFacts | null> {
  const folder = path.join(setting.folder, 'frames');
  const frames: SheetFrame[] = [];
  let size: RenderFacts | null = null;
  for (const [index, moment] of moments.entries()) {
    const file = `${index}.png`;
    size = await renderOne(document, path.join(folder, file), moment, {
      ...setting,
      isQuiet: true,
    });
    if (!size) return null;
    frames.push({ file, moment });
  }
  if (!size) return null;
  const own = { ...setting, scale: undefined, mediaFolders: [folder] };
  return renderOne(contactSheet(frames, size), output, undefined, own);
}

/**
 * Runs one job in a fresh worker and shows its progress. @returns the file's facts; null when it failed, which has been
 * reported.
 */
function run(job: StartMessage, { isJson, isQuiet = false }: Setting): Promise<RenderFacts | null> {
  const worker = forkWorker();
  const bar = new ProgressBar(process.stderr);
  const cancel = (): void => worker.send({ type: 'cancel' });
  process.once('SIGINT', cancel);
  process.once('SIGTERM', cancel);
  const file = path.relative('', job.outputPath);
  const fail = (message: string): void => {
    if (isJson) sayLine({ file, status: 'failed', error_message: message });
    else console.error(message);
  };

  return new Promise((resolve) => {
    let outcome: RenderFacts | null | undefined;
    const finish = (facts: RenderFacts | null): void => {
      outcome = facts;
      worker.kill();
    };
    worker.onMessage((message) => {
      const event: WorkerEvent = workerEvent.parse(message);
      if (event.type === 'ready') worker.send(job);
      else if (event.type === 'progress') bar.show(event);
      else if (event.type === 'log' && event.level === 'error') console.error(event.text);
      else if (event.type === 'done') {
        const { facts, warnings } = event;
        bar.end();
        if (isJson && !isQuiet)
          sayLine({ file, status: 'succeeded', ...wireFacts(facts), warnings });
        else for (const warning of warnings) console.error(`Warning: ${warning}`);
        if (!isJson && !isQuiet) console.log(`${file}: ${factsLine(facts, bar.seconds)}`);
        finish(facts);
      } else if (event.type === 'failed') {
        bar.end();
        fail(event.message);
        finish(null);
      }
    });
    worker.onExit(({ code, signal }) => {
      process.off('SIGINT', cancel);
      process.off('SIGTERM', cancel);
      if (outcome === undefined) {
        fail(`Render error: The renderer stopped unexpectedly (${signal ?? code ?? 'unknown'})`);
      }
      resolve(outcome ?? null);
    });
  });
}

/** For programs: prints a line of JSON with the API's names. */
function sayLine(line: object): void {
  console.log(JSON.stringify(line));
}

function wireFacts({ width, height, frameRate, duration, fileSize }: RenderFacts): object {
  return { width, height, frame_rate: frameRate, duration, file_size: fileSize };
}

function factsLine(facts: RenderFacts, seconds: number): string {
  const parts = [`${facts.width}×${facts.height}`];
  if (facts.duration !== undefined) parts.push(`${Number(facts.duration.toFixed(3))} s`);
  if (facts.frameRate !== undefined) parts.push(`${Number(facts.frameRate.toFixed(3))} fps`);
  parts.push(`${(facts.fileSize / 1e6).toFixed(2)} MB`, `rendered in ${seconds.toFixed(1)} s`);
  return parts.join(', ');
}

/** The ending of the output file decides the format. */
function withFormat(source: Source, outputPath: string, still: boolean): Source {
  const ending = path.extname(outputPath).slice(1).toLowerCase().replace('jpeg', 'jpg');
  const allowed: readonly string[] = still ? stillFormats : outputFormats;
  if (!allowed.includes(ending)) {
    throw new CommandError(
      `${outputPath}: Expected a file name ending with ${allowed.map((format) => `.${format}`).join(' or ')}.`,
    );
  }
  return still ? source : { ...source, output_format: ending };
}

/** Prints every problem with its place. A render prints warnings at its end. */
function sayProblems(errors: readonly Problem[], file: string, { isJson }: Setting): void {
  const lines = errors.map((problem) => {
    const place = problem.path === '' ? '' : ` (at ${problem.path})`;
    return `${problemSentence(problem)}${place}`;
  });
  if (isJson) {
    sayLine({ file, status: 'failed', errors: lines });
    return;
  }
  for (const line of lines) console.error(`Error: ${line}`);
  const count = `${errors.length} ${errors.length === 1 ? 'value is' : 'values are'} wrong`;
  console.error(`${count}; nothing was rendered.`);
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
