/**
 * The command line's renders without a server: a document, or a document for each row of a table, to files. Runs under plain
 * Node; the engine works in a worker process as it does for the server, one for all files.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { outputFormats, stillFormats } from '../shared/renderscript/formats.ts';
import { problemSentence, type Problem, type Source } from '../shared/renderscript/source.ts';
import { validate } from '../shared/renderscript/validate.ts';
import { contactSheet, type SheetFrame } from './commands/contact-sheet.ts';
import { CommandError, readDocumentFile, sayErrors, sourceOf } from './commands/document-file.ts';
import { readOptions, usageOf, type CommandRow } from './commands/option-rows.ts';
import { filesOf, modified, readRows, setModifications } from './commands/render-rows.ts';
import { LoneRenders } from './jobs/lone-renders.ts';
import { forkWorker } from './jobs/worker/fork-worker.ts';
import type { RenderFacts } from './jobs/worker/protocol.ts';
import { sampleFolder } from './paths.ts';
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

/** What holds for all files of a command. */
interface Setting {
  readonly scale: number | undefined;
  readonly mediaFolders: readonly string[];
  readonly ffmpegPath: string | undefined;
  readonly isJson: boolean;
  /** True while parts of something else are made: nothing is said of them. */
  readonly isQuiet?: boolean;
  readonly renders: LoneRenders;
  /** Ctrl-C: the file under way is the last, and is not finished. */
  readonly signal: AbortSignal;
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
    const beside = sourcePath === '-' ? '.' : path.dirname(sourcePath);
    const renders = new LoneRenders(forkWorker, (level, place, text) => {
      if (level === 'error' && place !== 'worker') console.error(text);
    });
    const setting: Setting = {
      scale,
      mediaFolders: [
        ...(values.media ?? [beside]).map((name) => path.resolve(name)),
        sampleFolder(),
      ],
      ffmpegPath: values.ffmpeg,
      isJson: values.json === true,
      renders,
      signal: endOfTerminal(),
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
        if (setting.signal.aborted) break;
      }
      return status;
    } finally {
      renders.close();
    }
  }, 1);
}

/** Ctrl-C, or an end that the system asks for. */
function endOfTerminal(): AbortSignal {
  const end = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end.abort());
  return end.signal;
}

/** One file of a document. @returns what it is; null when it failed, which was said. */
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
  return run(source, target, moment, setting);
}

/** Several moments in one picture: each is drawn as a frame alone, and the sheet is a document of those pictures. */
async function renderSheet(
  document: Source,
  output: string,
  moments: readonly number[],
  setting: Setting,
): Promise<RenderFacts | null> {
  const folder = mkdtempSync(path.join(tmpdir(), 'framewright-frames-'));
  try {
    const frames: SheetFrame[] = [];
    let size: RenderFacts | null = null;
    for (const [index, at] of moments.entries()) {
      const file = `${index}.png`;
      size = await renderOne(document, path.join(folder, file), at, { ...setting, isQuiet: true });
      if (!size) return null;
      frames.push({ file, moment: at });
    }
    if (!size) return null;
    const own = { ...setting, scale: undefined, mediaFolders: [folder] };
    return await renderOne(contactSheet(frames, size), output, undefined, own);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes one file and shows how far it is. @returns its facts; null when it failed, which was said. */
async function run(
  source: Source,
  outputPath: string,
  moment: number | undefined,
  { scale, mediaFolders, ffmpegPath, isJson, isQuiet = false, renders, signal }: Setting,
): Promise<RenderFacts | null> {
  const bar = new ProgressBar(process.stderr);
  const file = path.relative('', outputPath);
  const outcome = await renders.run(
    {
      source: JSON.stringify(source),
      outputPath,
      mediaFolders: [...mediaFolders],
      allowPrivateAddresses: true,
      ...(scale !== undefined && { scale }),
      ...(moment !== undefined && { moment }),
      ...(ffmpegPath !== undefined && { ffmpegPath }),
      ...transcriberSetting({ transcriber: null, transcriberModel: null }),
    },
    { onProgress: (progress) => bar.show(progress), signal },
  );
  bar.end();
  if (outcome.kind === 'failed') {
    if (isJson) sayLine({ file, status: 'failed', error_message: outcome.message });
    else console.error(outcome.message);
    return null;
  }
  const { facts, warnings } = outcome;
  if (isJson && !isQuiet) sayLine({ file, status: 'succeeded', ...wireFacts(facts), warnings });
  else for (const warning of warnings) console.error(`Warning: ${warning}`);
  if (!isJson && !isQuiet) console.log(`${file}: ${factsLine(facts, bar.seconds)}`);
  return facts;
}

/** For programs: a line of JSON, with the names of the API. */
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

/** Says of every problem where it is. A render tells warnings at its end. */
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
