/** Makes one file for `framewright render`, and reports it: as text, or as a line of JSON. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { outputFormats, stillFormats } from '../../shared/renderscript/formats.ts';
import { problemSentence, type Problem, type Source } from '../../shared/renderscript/source.ts';
import { validate } from '../../shared/renderscript/validate.ts';
import { contactSheet, type SheetFrame } from '../jobs/contact-sheet.ts';
import type { LoneRenders } from '../jobs/lone-renders.ts';
import type { RenderFacts } from '../jobs/worker/protocol.ts';
import { ProgressBar } from '../progress-bar.ts';
import { transcriberSetting } from '../transcriber.ts';
import { CommandError } from './option-rows.ts';

/** What applies to all files of a command. */
export interface MadeFileSetting {
  readonly scale: number | undefined;
  readonly mediaFolders: readonly string[];
  readonly ffmpegPath: string | undefined;
  readonly isJson: boolean;
  /** True while making parts of something else: prints nothing about them. */
  readonly isQuiet?: boolean;
  readonly renders: LoneRenders;
  /** Aborted by Ctrl-C: the current file is cancelled, and no other starts. */
  readonly signal: AbortSignal;
}

/** Makes one file of a document. @returns its facts; null when it failed, which has been reported. */
export async function renderOne(
  document: Source,
  output: string,
  moment: number | undefined,
  setting: MadeFileSetting,
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

/** Several moments in one picture: draws each as a single frame; the sheet is a document of those pictures. */
export async function renderSheet(
  document: Source,
  output: string,
  moments: readonly number[],
  setting: MadeFileSetting,
): Promise<RenderFacts | null> {
  const folder = mkdtempSync(path.join(setting.renders.folder, 'frames-'));
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

/** Renders, and shows the progress. @returns the file's facts; null when it failed, which has been reported. */
async function run(
  source: Source,
  outputPath: string,
  moment: number | undefined,
  { scale, mediaFolders, ffmpegPath, isJson, isQuiet = false, renders, signal }: MadeFileSetting,
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

/** One line of JSON for programs, with the API's field names. */
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

/** Prints all errors with their places. Warnings come with the finished render. */
function sayProblems(errors: readonly Problem[], file: string, { isJson }: MadeFileSetting): void {
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
