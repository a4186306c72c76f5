/** Makes one file for `framewright render`. */
import { createReadStream, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  fileEnding,
  formatOf,
  type OutputFormat,
  outputFormats,
  stillFormats,
} from '../../shared/renderscript/formats.ts';
import type { HardwareFamily } from '../../shared/hardware.ts';
import { problemSentence, type Source } from '../../shared/renderscript/source.ts';
import { contactSheet, type SheetFrame } from '../jobs/contact-sheet.ts';
import type { DocumentOrder } from '../jobs/desk/prepare-document.ts';
import { snapshotOf, type LoneRenders } from '../jobs/lone-renders.ts';
import type { RenderFacts, RenderInput } from '../jobs/worker/render-protocol.ts';
import { makeFolders } from '../system/files.ts';
import { usualModelFolder } from '../system/speech-folder.ts';
import { transcriberSetting } from '../jobs/worker/transcriber.ts';
import { voiceSetting } from '../jobs/worker/voices.ts';
import { problemsOf } from './document-problems.ts';
import { CommandError } from './option-rows.ts';
import { receiptNextTo } from './receipts.ts';
import type { RenderReport, Remark } from './render-report.ts';

/** What applies to all files of a command. */
export interface MadeFileSetting {
  readonly mediaFolders: readonly string[];
  readonly ffmpegPath: string | undefined;
  readonly encodeWith: HardwareFamily | undefined;
  readonly renders: LoneRenders;
  readonly report: RenderReport;
  /** Aborted by Ctrl-C: the current file is cancelled, and no other starts. */
  readonly signal: AbortSignal;
  /** Called with the document before it is rendered. */
  readonly before?: (document: Source) => Promise<void>;
}

/** One file. */
export interface FileOrder extends DocumentOrder {
  /** A path, or `-` for stdout. */
  readonly output: string;
  readonly scaling: RenderInput['scaling'];
  /** Of the table, from 1. */
  readonly row?: number;
  /** Draw only this moment, in seconds, or these side by side. */
  readonly moments?: readonly number[];
  readonly isSheet: boolean;
  /** True: write its receipt next to it. */
  readonly withReceipt: boolean;
}

/** What is drawn. */
interface Drawing {
  /** As JSON. */
  readonly text: string;
  readonly target: string;
  readonly scaling: RenderInput['scaling'];
  readonly moment?: number;
  readonly receiptPath?: string;
}

/** Makes one file of a document, and reports it. @returns whether it was made. @throws CommandError. */
export async function renderOne(order: FileOrder, setting: MadeFileSetting): Promise<boolean> {
  const { output, moments } = order;
  if (output !== '-') return makeFile(order, output, setting);
  const folder = mkdtempSync(path.join(setting.renders.folder, 'out-'));
  try {
    const ending = moments ? 'png' : fileEnding(formatOf(order.source));
    const file = path.join(folder, `stdout.${ending}`);
    const isMade = await makeFile(order, file, setting);
    // The reader may need no more, e.g. head.
    if (isMade) await pipeline(createReadStream(file), process.stdout, { end: false });
    return isMade;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function makeFile(
  order: FileOrder,
  output: string,
  setting: MadeFileSetting,
): Promise<boolean> {
  const { moments, isSheet, scaling, row, withReceipt } = order;
  const { report } = setting;
  const place = { file: order.output, ...(row !== undefined && { row }) };
  const format = formatNamedBy(output, moments ? null : order.source);
  const asked = moments === undefined ? { ...order, outputFormat: format } : order;
  const { problems, prepared, source } = problemsOf(asked);
  const remarks = problems.map((problem): Remark & { readonly severity: string } => ({
    severity: problem.severity,
    code: problem.code,
    path: problem.path,
    message: problemSentence(problem),
  }));
  const [errors, warnings] = (['error', 'warning'] as const).map((severity) =>
    remarks.flatMap(({ severity: own, ...rest }) => (own === severity ? [rest] : [])),
  ) as [Remark[], Remark[]]; // one for each word
  if (prepared === null || source === null || errors.length > 0) {
    report.refused(place, errors, warnings);
    return false;
  }
  await setting.before?.(source);
  const target = path.resolve(output);
  makeFolder(path.dirname(target), output);
  const { text } = prepared;
  const begun = performance.now();
  const snapshot = snapshotOf(target);
  const before = stampOf(snapshot);
  const made =
    isSheet && moments
      ? await drawSheet(text, target, moments, scaling, setting)
      : await draw(
          {
            ...{ text, target, scaling },
            ...(moments && { moment: moments[0] ?? 0 }),
            ...(withReceipt && { receiptPath: receiptNextTo(target) }),
          },
          setting,
        );
  if (!('facts' in made)) {
    report.failed(place, made, warnings);
    return false;
  }
  const receipt = receiptNextTo(target);
  const lost = withReceipt && !existsSync(receipt) ? [`${receipt} could not be written`] : [];
  const hasSnapshot = output === order.output && stampOf(snapshot) !== before;
  report.succeeded(place, {
    facts: made.facts,
    // The engine repeats some.
    warnings: [...warnings, ...[...made.warnings, ...lost].map((message) => ({ message }))].filter(
      ({ message }, index, all) => all.findIndex((one) => one.message === message) === index,
    ),
    seconds: (performance.now() - begun) / 1000,
    ...(hasSnapshot && {
      snapshot: { file: path.relative('', snapshot), isReplaced: before !== null },
    }),
  });
  return true;
}

/** Tells a file from the one that took its name; null if there is none. */
function stampOf(file: string): string | null {
  if (!existsSync(file)) return null;
  const { mtimeMs, ino } = statSync(file);
  return `${mtimeMs} ${ino}`;
}

function makeFolder(folder: string, output: string): void {
  try {
    makeFolders(folder);
  } catch (error) {
    const message = `${output}: its folder can't be made. Name another place.`;
    throw new CommandError(message, { code: 'output_unwritable', cause: error });
  }
}

type Made = { readonly facts: RenderFacts; readonly warnings: readonly string[] } | Remark;

/** Several moments in one picture: draws each as a single frame; the sheet is a document of those pictures. */
async function drawSheet(
  text: string,
  target: string,
  moments: readonly number[],
  scaling: RenderInput['scaling'],
  setting: MadeFileSetting,
): Promise<Made> {
  const folder = mkdtempSync(path.join(setting.renders.folder, 'frames-'));
  try {
    const frames: SheetFrame[] = [];
    const warnings = new Set<string>();
    let size: RenderFacts | null = null;
    for (const [index, moment] of moments.entries()) {
      const file = `${index}.png`;
      const made = await draw({ text, target: path.join(folder, file), scaling, moment }, setting);
      if (!('facts' in made)) return made;
      size = made.facts;
      for (const warning of made.warnings) warnings.add(warning);
      frames.push({ file, moment });
    }
    if (!size) throw new Error('unreachable: a sheet has a moment');
    const format = formatNamedBy(target, null);
    const sheet = JSON.stringify({ ...contactSheet(frames, size), output_format: format });
    const own = { ...setting, mediaFolders: [folder] };
    const made = await draw({ text: sheet, target, scaling: {} }, own);
    return 'facts' in made ? { ...made, warnings: [...warnings] } : made;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Renders, and shows the progress. */
async function draw(
  { text, target, ...rest }: Drawing,
  { mediaFolders, ffmpegPath, encodeWith, renders, signal }: MadeFileSetting,
): Promise<Made> {
  const bar = new ProgressBar(process.stderr);
  const outcome = await renders.run(
    {
      source: text,
      outputPath: target,
      mediaFolders: [...mediaFolders],
      allowPrivateAddresses: true,
      ...(ffmpegPath !== undefined && { ffmpegPath }),
      ...(encodeWith !== undefined && { encodeWith }),
      ...transcriberSetting({ models: usualModelFolder() }),
      voices: voiceSetting(),
      ...rest,
    },
    { onProgress: (progress) => bar.show(progress), signal },
  );
  bar.end();
  return outcome;
}

/**
 * The ending of the output file decides the format; of several with it, that of the document.
 *
 * @param source Null: a picture is made.
 */
function formatNamedBy(output: string, source: Source | null): OutputFormat {
  const ending = path.extname(output).slice(1).toLowerCase().replace('jpeg', 'jpg');
  const allowed = source ? outputFormats : stillFormats;
  const found = allowed.filter((format) => fileEnding(format) === ending);
  const format = found.find((one) => source && one === formatOf(source)) ?? found[0];
  if (format !== undefined) return format;
  const names = [...new Set(allowed.map((one) => `.${fileEnding(one)}`))].join(' or ');
  throw new CommandError(`${output}: Expected a file name ending with ${names}.`);
}

/** What a worker reports. */
interface Progress {
  readonly phase: 'waiting' | 'transcribing' | 'rendering' | 'finishing';
  readonly frame: number;
  readonly frames: number;
  readonly share?: number;
}

const barWidth = 30;
const phaseWords = {
  waiting: 'Fetching media',
  transcribing: 'Transcribing',
  rendering: 'Drawing frames',
  finishing: 'Finishing file',
};

/**
 * One line of progress in a terminal: bar, frames, speed, time left. Draws over its own line until `end()`; silent
 * where stderr is not a terminal.
 */
class ProgressBar {
  readonly #out: NodeJS.WriteStream;
  readonly #opened = performance.now();
  #drawingSince: number | null = null;

  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
  }

  /** Seconds since the bar was made. */
  get seconds(): number {
    return (performance.now() - this.#opened) / 1000;
  }

  show({ phase, frame, frames, share: told }: Progress): void {
    if (!this.#out.isTTY) return;
    if (phase === 'rendering' && frame > 0) this.#drawingSince ??= performance.now();
    const share = told ?? (phase === 'waiting' || frames === 0 ? 0 : frame / frames);
    const filled = Math.round(share * barWidth);
    const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
    const counts = frames > 0 ? ` ${frame} of ${frames}` : '';
    this.#out.write(`\r\u001b[K${bar} ${phaseWords[phase]}${counts}${this.#speed(frame, frames)}`);
  }

  /** Clears the line. */
  end(): void {
    if (this.#out.isTTY) this.#out.write('\r\u001b[K');
  }

  /** Frames per second and time left, once there is enough to tell from. */
  #speed(frame: number, frames: number): string {
    if (this.#drawingSince === null) return '';
    const seconds = (performance.now() - this.#drawingSince) / 1000;
    if (seconds < 0.5 || frame === 0) return '';
    const rate = frame / seconds;
    const left = Math.ceil((frames - frame) / rate);
    return ` · ${rate.toFixed(0)} frames/s · ${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')} left`;
  }
}
