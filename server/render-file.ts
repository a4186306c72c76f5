/**
 * The command line's two jobs without a server: source.json → file, and checking a source. Runs under plain Node; the
 * engine works in a worker process as it does for the server, started with the same message.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parseRelaxedJson } from '../shared/json.ts';
import { engineLimits } from '../shared/limits.ts';
import { outputFormats, stillFormats } from '../shared/renderscript/formats.ts';
import { hintProblems } from '../shared/renderscript/hints.ts';
import { resolvePlaceholders } from '../shared/renderscript/modifications.ts';
import {
  isJsonObject,
  problemSentence,
  type Problem,
  type Source,
} from '../shared/renderscript/source.ts';
import { validate } from '../shared/renderscript/validate.ts';
import { fontFolder, sampleFolder } from './paths.ts';
import { forkWorker } from './jobs/worker/fork-worker.ts';
import { workerEvent, type StartMessage, type WorkerEvent } from './jobs/worker/protocol.ts';
import { transcriberSetting } from './transcriber.ts';
import { ProgressBar } from './progress-bar.ts';
import { errorCode } from './system/files.ts';

/** A command that can't be carried out: one sentence for the person at the terminal. */
class CommandError extends Error {}

const validateUsage = `Usage: framewright validate source.json [options]

  Lists every wrong value with its place. Ends with 1 when there are any.

  --strict    names and words that the language does not know are errors, not warnings`;

const renderUsage = `Usage: framewright render source.json out.mp4 [options]

  --frame 1.5      draw the picture at 1.5 s only (out.png or out.jpg)
  --scale 0.5      size of the file relative to the document, 0.1 to 10
  --media DIR      folder that relative media paths are looked up in (default: the source's folder)
  --ffmpeg PATH    the ffmpeg to use`;

/**
 * `framewright render source.json out.mp4`. Prints progress to stderr and the file's facts to stdout.
 *
 * @returns the process's exit status: 0, or 1 after one clear sentence.
 */
export async function renderCommand(args: readonly string[]): Promise<number> {
  return sayErrors(async () => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        frame: { type: 'string' },
        scale: { type: 'string' },
        media: { type: 'string', multiple: true },
        ffmpeg: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const [sourcePath, outputPath, ...rest] = positionals;
    if (values.help) {
      console.log(renderUsage);
      return 0;
    }
    if (sourcePath === undefined || outputPath === undefined || rest.length > 0)
      throw new CommandError(renderUsage);

    const moment = numberOption('--frame', values.frame, 0, Number.MAX_VALUE);
    const renderScale = numberOption('--scale', values.scale, 0.1, 10);
    const source = withFormat(readSource(sourcePath), outputPath, moment !== undefined);
    if (reportProblems(source) > 0) return 1;

    const workFolder = mkdtempSync(path.join(tmpdir(), 'framewright-'));
    try {
      mkdirSync(path.dirname(path.resolve(outputPath)), { recursive: true });
      return await run({
        type: 'start',
        id: path.basename(outputPath),
        source: JSON.stringify(source),
        scaling: renderScale === undefined ? {} : { renderScale },
        ...(moment !== undefined && { moment }),
        outputPath: path.resolve(outputPath),
        snapshotPath: `${path.resolve(outputPath).replace(/\.[^.]+$/, '')}-snapshot.jpg`,
        workFolder: path.join(workFolder, 'work'),
        cacheFolder: path.join(workFolder, 'cache'),
        mediaFolders: [
          ...(values.media?.map((folder) => path.resolve(folder)) ?? [
            path.resolve(path.dirname(sourcePath)),
          ]),
          sampleFolder(),
        ],
        fontFolder: fontFolder(),
        ...(values.ffmpeg !== undefined && { ffmpegPath: values.ffmpeg }),
        ...transcriberSetting({ transcriber: null, transcriberModel: null }),
        allowPrivateAddresses: true,
        ownPorts: [],
        limits: engineLimits,
      });
    } finally {
      rmSync(workFolder, { recursive: true, force: true });
    }
  });
}

/** `framewright validate source.json`: all problems, one a line. @returns 0 without errors, 1 with. */
export async function validateCommand(args: readonly string[]): Promise<number> {
  return sayErrors(() => {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { strict: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
    const [sourcePath, ...rest] = positionals;
    if (values.help) {
      console.log(validateUsage);
      return Promise.resolve(0);
    }
    if (sourcePath === undefined || rest.length > 0) throw new CommandError(validateUsage);
    const source = readSource(sourcePath);
    const hints = hintProblems(source, values.strict);
    const errors = reportProblems(source, hints, 'warnings too');
    if (errors === 0) console.log(`${sourcePath}: no errors`);
    return Promise.resolve(errors === 0 ? 0 : 1);
  });
}

/** Runs one job in a fresh worker and shows how far it is. */
function run(job: StartMessage): Promise<number> {
  const worker = forkWorker();
  const bar = new ProgressBar(process.stderr);
  const cancel = (): void => worker.send({ type: 'cancel' });
  process.once('SIGINT', cancel);
  process.once('SIGTERM', cancel);

  return new Promise<number>((resolve) => {
    let status: number | undefined;
    const finish = (code: number): void => {
      status = code;
      worker.kill();
    };
    worker.onMessage((message) => {
      const event: WorkerEvent = workerEvent.parse(message);
      if (event.type === 'ready') worker.send(job);
      else if (event.type === 'progress') bar.show(event);
      else if (event.type === 'log' && event.level === 'error') console.error(event.text);
      else if (event.type === 'done') {
        bar.end();
        for (const warning of event.warnings) console.error(`Warning: ${warning}`);
        console.log(`${path.relative('', job.outputPath)}: ${factsLine(event.facts, bar.seconds)}`);
        finish(0);
      } else if (event.type === 'failed') {
        bar.end();
        console.error(event.message);
        finish(1);
      }
    });
    worker.onExit(({ code, signal }) => {
      process.off('SIGINT', cancel);
      process.off('SIGTERM', cancel);
      if (status === undefined)
        console.error(
          `Render error: The renderer stopped unexpectedly (${signal ?? code ?? 'unknown'})`,
        );
      resolve(status ?? 1);
    });
  });
}

function factsLine(
  facts: {
    width: number;
    height: number;
    frameRate?: number | undefined;
    duration?: number | undefined;
    fileSize: number;
  },
  seconds: number,
): string {
  const parts = [`${facts.width}×${facts.height}`];
  if (facts.duration !== undefined) parts.push(`${Number(facts.duration.toFixed(3))} s`);
  if (facts.frameRate !== undefined) parts.push(`${Number(facts.frameRate.toFixed(3))} fps`);
  parts.push(`${(facts.fileSize / 1e6).toFixed(2)} MB`, `rendered in ${seconds.toFixed(1)} s`);
  return parts.join(', ');
}

/** The document in a file: JSON, with comments and trailing commas allowed, and with its variables put in. */
function readSource(sourcePath: string): Source {
  let text: string;
  try {
    text = readFileSync(sourcePath, 'utf8');
  } catch (error) {
    const missing = errorCode(error) === 'ENOENT';
    throw new CommandError(
      missing ? `There is no file ${sourcePath}.` : `${sourcePath} can't be read.`,
    );
  }
  const result = parseRelaxedJson(text);
  if (!result.ok) {
    const { reason, line, column } = result.fault;
    throw new CommandError(
      `${sourcePath} is not valid JSON: ${reason} at line ${line}, column ${column}.`,
    );
  }
  if (!isJsonObject(result.value))
    throw new CommandError(`${sourcePath}: Expected an object with RenderScript in it.`);
  return resolvePlaceholders(result.value);
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

/** Prints every problem with its place; returns how many are errors. A render tells warnings at its end. */
function reportProblems(
  source: Source,
  hints: readonly Problem[] = [],
  which: 'errors' | 'warnings too' = 'errors',
): number {
  const problems = [...validate(source), ...hints];
  let errors = 0;
  for (const problem of problems) {
    const isError = problem.severity === 'error';
    if (isError) errors += 1;
    else if (which === 'errors') continue;
    const place = problem.path === '' ? '' : ` (at ${problem.path})`;
    console.error(`${isError ? 'Error' : 'Warning'}: ${problemSentence(problem)}${place}`);
  }
  if (errors > 0)
    console.error(
      `${errors} ${errors === 1 ? 'value is' : 'values are'} wrong; nothing was rendered.`,
    );
  return errors;
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

/** Turns expected failures of a command into one sentence and status 1. */
async function sayErrors(command: () => Promise<number>): Promise<number> {
  try {
    return await command();
  } catch (error) {
    const wrongOption =
      error instanceof TypeError && errorCode(error)?.startsWith('ERR_PARSE_ARGS') === true;
    if (!(error instanceof CommandError) && !wrongOption) throw error;
    console.error(error.message);
    return 1;
  }
}
