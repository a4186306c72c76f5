/**
 * `framewright check`: everything that can go wrong with a document's render, before it is rendered. Without a server;
 * a worker process looks at the files.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { counted } from '../../shared/counted.ts';
import { ApiError } from '../../shared/errors.ts';
import {
  countOf,
  findingSentence,
  type CheckReport,
  type Finding,
  type RenderEstimate,
} from '../../shared/findings.ts';
import { engineLimits } from '../../shared/limits.ts';
import { LoneFolder } from '../jobs/lone-renders.ts';
import { CheckService } from '../jobs/worker/checks.ts';
import { forkWorker } from '../jobs/worker/fork-worker.ts';
import { transcriberSetting } from '../jobs/worker/transcriber.ts';
import { voiceSetting } from '../jobs/worker/voices.ts';
import { fontFolder } from '../system/paths.ts';
import { endBy, onEndSignal } from '../system/programs.ts';
import { usualModelFolder } from '../system/speech-folder.ts';
import { commandRows } from './command-rows.ts';
import { askedOf, readDocumentFile } from './document-file.ts';
import { foldersOf, problemsOf } from './document-problems.ts';
import { CommandError, readOptions, usageOf, type Given } from './option-rows.ts';
import { documentOfTemplate, type ServerDocument } from './server-document.ts';

const row = commandRows.check;
type Options = Given<typeof row.options>;

/** @returns 0 without errors, 1 with. @throws CommandError, FramewrightError. */
export async function checkCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(row, args);
  const [given, more] = positionals;
  if (more !== undefined || (given === undefined) === (values.template === undefined))
    throw new CommandError(usageOf('check', row));
  const folder = new LoneFolder();
  const end = new AbortController();
  const told: { by: NodeJS.Signals | null } = { by: null };
  onEndSignal((signal) => {
    told.by = signal;
    end.abort();
  });
  let report: CheckReport;
  try {
    const document = await documentOf(given, values, folder.path);
    report = await checked(document, values, { folder: folder.path, signal: end.signal });
  } catch (error) {
    if (told.by !== null) endBy(told.by);
    throw error instanceof ApiError ? new CommandError(error.message) : error;
  } finally {
    folder.remove();
  }
  if (told.by !== null) endBy(told.by);
  if (values.json) console.log(JSON.stringify(report, null, 2));
  else console.log(linesOf(report, given ?? values.template ?? '').join('\n'));
  return countOf(report.findings, 'error') > 0 ? 1 : 0;
}

/** The document of a file, or a template by its name or ID. */
async function documentOf(
  given: string | undefined,
  options: Options,
  folder: string,
): Promise<ServerDocument> {
  const isId = given !== undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given);
  if (given === undefined || (isId && !existsSync(given))) {
    const template = given ?? options.template;
    return documentOfTemplate({ ...options, ...(template !== undefined && { template }) }, folder);
  }
  const asked = askedOf(readDocumentFile(given));
  return { asked, mediaFolders: foldersOf(given, options.media) };
}

async function checked(
  { asked, mediaFolders }: ServerDocument,
  { ffmpeg: ffmpegPath }: Options,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal },
): Promise<CheckReport> {
  const { problems, source } = problemsOf(asked);
  const service = new CheckService({
    fork: forkWorker,
    engine: {
      cacheFolder: path.join(folder, 'cache'),
      mediaFolders: [...mediaFolders],
      fontFolder: fontFolder(),
      ffmpegPath,
      // A command reads what the person who calls it may read.
      allowPrivateAddresses: true,
      ownPorts: [],
      limits: engineLimits,
      voices: voiceSetting(),
    },
    transcriber: () => transcriberSetting({ models: usualModelFolder() }),
    folder: path.join(folder, 'checking'),
    log: (level, place, text) => {
      if (level === 'error' && place !== 'worker') console.error(text);
    },
  });
  const { scaling } = asked;
  return service.check({ source: source ?? asked.source, problems, scaling }, null, signal);
}

/** The findings for people: place and cause, and the cure below. */
function linesOf({ findings, more, estimate }: CheckReport, name: string): string[] {
  const counts = (['error', 'warning', 'hint'] as const).flatMap((level) => {
    const count = countOf(findings, level);
    return count === 0 ? [] : [counted(count, level)];
  });
  return [
    ...findings.flatMap((finding) => [lineOf(finding), `  ${finding.cure}`]),
    ...(more === 0 ? [] : [`${more} more are not listed.`]),
    `${name}: ${counts.length === 0 ? 'nothing was found' : counts.join(', ')}`,
    ...(estimate === null ? [] : [estimateLine(estimate)]),
  ];
}

function lineOf(finding: Finding): string {
  const { level, path: at, time } = finding;
  const moment = time === undefined ? '' : ` at ${Math.round(time * 10) / 10} s`;
  const place = at === '' ? '' : ` (${at}${moment})`;
  return `${level}: ${findingSentence(finding)}${place}`;
}

function estimateLine({ seconds, bytes, width, height, duration }: RenderEstimate): string {
  const frame = width === 0 ? [] : [`${width} × ${height}`];
  const length = duration === 0 ? [] : [`${Math.round(duration * 10) / 10} s`];
  const size =
    bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
  const work = [`about ${Math.ceil(seconds)} s to render`, `about ${size}`];
  return `Estimated: ${[...frame, ...length, ...work].join(', ')}`;
}
