/**
 * `framewright receipt` and `framewright verify`: what a file was made from, and whether this computer makes the same
 * again. Runs under plain Node.
 */
import { existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { receiptForm, receiptSchema, type Receipt } from '../../shared/api/receipt.ts';
import { isHardware } from '../../shared/hardware.ts';
import { parseJson } from '../../shared/json.ts';
import { fileEnding, formatNamed, usualFormat } from '../../shared/renderscript/formats.ts';
import { isJsonObject } from '../../shared/renderscript/source.ts';
import { receiptBeside } from '../jobs/files/output-files.ts';
import { LoneRenders } from '../jobs/lone-renders.ts';
import { forkWorker } from '../jobs/worker/fork-worker.ts';
import { transcriberSetting } from '../jobs/worker/transcriber.ts';
import { voiceSetting } from '../jobs/worker/voices.ts';
import { contentDigest } from '../system/files.ts';
import { defaultDataFolder } from '../system/paths.ts';
import { onEndSignal } from '../system/programs.ts';
import { usualModelFolder } from '../system/speech-folder.ts';
import { embedReceipt, readEmbedded, receiptTakers } from './embedded-receipt.ts';
import { commandRows } from './command-rows.ts';
import { foldersOf } from './document-problems.ts';
import { CommandError, readOptions, usageOf, type CommandRow } from './option-rows.ts';
import { sayJson, sayTable } from './text-table.ts';

/** Where `framewright render --receipt` puts that of a file. */
export function receiptNextTo(file: string): string {
  return `${file}.receipt.json`;
}

/** `framewright receipt out.mp4`. @throws CommandError */
export async function receiptCommand(args: readonly string[]): Promise<number> {
  const row = commandRows.receipt;
  const { values, positionals } = readOptions(row, args);
  const file = fileOf('receipt', row, positionals);
  const receipt = await receiptOf(file, values.from);
  if (values.embed === true && !(await embedReceipt(file, JSON.stringify(receipt)))) {
    const message = `${file}: Expected ${receiptTakers}, which take a receipt.`;
    throw new CommandError(message, { code: 'receipt_not_embedded' });
  }
  if (values.json === true) sayJson(receipt);
  else sayTable(['FACT', 'VALUE', 'SHA-256', 'BYTES'], rowsOf(receipt), '');
  return 0;
}

/** `framewright verify out.mp4`. @returns 0: the same; 1: something differs. @throws CommandError */
export async function verifyCommand(args: readonly string[]): Promise<number> {
  const row = commandRows.verify;
  const { values, positionals } = readOptions(row, args);
  const file = fileOf('verify', row, positionals);
  const receipt = await receiptOf(file, values.from);
  const found = (await readEmbedded(file))?.digest ?? (await contentDigest(file));
  const isUntouched = found === receipt.file.digest;
  const again = await renderAgain(file, receipt, values);
  const isSame = again.file.digest === receipt.file.digest;
  const differences = isSame ? [] : differencesOf(receipt, again);
  if (values.json === true) {
    const told = { file, same: isSame && isUntouched, untouched: isUntouched, repeated: isSame };
    console.log(JSON.stringify({ ...told, differences }));
    return isSame && isUntouched ? 0 : 1;
  }
  if (!isUntouched) {
    const bytes = `${statSync(file).size} bytes, ${receipt.file.bytes} then`;
    console.log(`${file}: It was changed after it was rendered (${bytes}).`);
  }
  if (isSame) console.log(`${file}: Rendered again, the file is the same, byte for byte.`);
  else {
    console.log(`${file}: Rendered again, the file is another one.`);
    for (const line of differences) console.log(`  ${line}`);
    if (differences.length === 0)
      console.log('  All that it is made from is the same. Please report that.');
  }
  return isSame && isUntouched ? 0 : 1;
}

function fileOf(name: string, row: CommandRow, [file, ...rest]: readonly string[]): string {
  if (file === undefined || rest.length > 0) throw new CommandError(usageOf(name, row));
  if (existsSync(file)) return file;
  throw new CommandError(`${file}: There is no such file.`, { code: 'file_unreadable' });
}

/** The receipt of a file. @param from Where it is, if it was moved. @throws CommandError */
async function receiptOf(file: string, from: string | undefined): Promise<Receipt> {
  const places = from === undefined ? [receiptNextTo(file), receiptBeside(file)] : [from];
  const beside = places.find((one) => existsSync(one));
  const embedded = beside === undefined && from === undefined ? await readEmbedded(file) : null;
  const place = beside ?? file;
  if (beside === undefined && embedded === null) {
    throw new CommandError(
      `${file}: Expected its receipt as ${places.join(' or ')}, or in the file. Render it with --receipt, or name the receipt with --from.`,
      { code: 'receipt_missing' },
    );
  }
  const read = parseJson(embedded?.text ?? readFileSync(place, 'utf8'));
  const form = read.ok && isJsonObject(read.value) ? read.value.receipt : undefined;
  const parsed = receiptSchema.safeParse(read.ok ? read.value : null);
  if (parsed.success) return parsed.data;
  const isNewer = typeof form === 'number' && form > receiptForm;
  const why = isNewer
    ? 'It was written by a newer version, which can read it'
    : 'It is no receipt, or was changed';
  throw new CommandError(`${place}: ${why}.`, { code: 'receipt_unreadable' });
}

/** Renders a document again to a folder that is removed afterwards. @returns the receipt of that. */
async function renderAgain(
  file: string,
  { document, scaling, moment, template, settings, pieces }: Receipt,
  { media, ffmpeg }: { readonly media?: string[]; readonly ffmpeg?: string },
): Promise<Receipt> {
  const end = new AbortController();
  onEndSignal(() => end.abort());
  const renders = new LoneRenders(forkWorker, (level, place, text) => {
    if (level === 'error' && place !== 'worker') console.error(text);
  });
  try {
    const folder = mkdtempSync(path.join(renders.folder, 'again-'));
    const ending = fileEnding(formatNamed(settings.format) ?? usualFormat);
    const outputPath = path.join(folder, `again.${ending}`);
    const library = path.join(defaultDataFolder(), 'media', 'content');
    const { render_scale: renderScale, largest_side: largestSide } = scaling;
    const { max_width: maxWidth, max_height: maxHeight } = scaling;
    const outcome = await renders.run(
      {
        source: JSON.stringify(document.source),
        scaling: { renderScale, maxWidth, maxHeight, largestSide },
        outputPath,
        receiptPath: receiptNextTo(outputPath),
        mediaFolders: [...foldersOf(file, media), ...(existsSync(library) ? [library] : [])],
        allowPrivateAddresses: true,
        ...(moment !== undefined && { moment }),
        ...(pieces === 'shared' && { isShared: true }),
        ...(pieces === 'divided' && { isDivided: true }),
        ...(pieces === 'none' && { piecesLimit: 0 }),
        ...(template && { madeFrom: template }),
        ...(ffmpeg !== undefined && { ffmpegPath: ffmpeg }),
        ...transcriberSetting({ models: usualModelFolder() }),
        voices: voiceSetting(),
      },
      { signal: end.signal },
    );
    if (outcome.kind === 'failed') {
      const message = `${file}: It can't be rendered again. ${outcome.message}`;
      throw new CommandError(message, { code: outcome.code });
    }
    return await receiptOf(outputPath, undefined);
  } finally {
    renders.close();
  }
}

/** What is not the same in two receipts of one document, as lines for people. Pure. */
export function differencesOf(before: Receipt, now: Receipt): string[] {
  const words = { framewright: 'Framewright', ffmpeg: 'ffmpeg', x264: 'x264', encoder: 'encoder' };
  const others = { drawing: 'drawing', fonts: 'shipped fonts' };
  const { encoder } = before.build;
  const byHardware = encoder !== undefined && isHardware(encoder);
  const lines = byHardware
    ? [`${encoder} made the file: hardware promises no equal bytes, and this one is by software`]
    : [];
  const told = Object.entries({ ...words, ...others }).flatMap(([key, name]) => {
    const [then, other] = [before, now].map(({ build }) => build[key as keyof typeof build]); // its own keys
    // Older receipts don't say the encoder.
    if (then === other || then === undefined || (key === 'encoder' && byHardware)) return [];
    return [`${name}: ${other ?? 'none'}, ${then ?? 'none'} then`];
  });
  lines.push(...told);
  if (before.document.digest !== now.document.digest) lines.push('the document is another one');
  for (const name of new Set([...Object.keys(before.settings), ...Object.keys(now.settings)])) {
    const [then, other] = [before.settings[name], now.settings[name]];
    if (then !== other) lines.push(`${name}: ${String(other)}, ${String(then)} then`);
  }
  lines.push(
    ...changesIn(before.inputs, now.inputs, ({ source }) => `input ${source}`),
    ...changesIn(before.fonts, now.fonts, ({ family, style, weight }) =>
      `font ${family} ${weight === 'any' ? '' : weight} ${style === 'italic' ? style : ''}`.trim(),
    ),
  );
  if (before.words !== now.words) lines.push('the words that texts follow are others');
  return lines;
}

/** Names whose files changed, came or went. */
function changesIn<Item extends { readonly digest: string | null }>(
  before: readonly Item[],
  now: readonly Item[],
  nameOf: (item: Item) => string,
): string[] {
  const byName = (items: readonly Item[]): ReadonlyMap<string, string> => {
    const digests = new Map<string, string>();
    for (const item of items) {
      const name = nameOf(item);
      digests.set(name, `${digests.get(name) ?? ''} ${item.digest}`);
    }
    return digests;
  };
  const [then, other] = [byName(before), byName(now)];
  return [...new Set([...then.keys(), ...other.keys()])].flatMap((name) => {
    const [one, two] = [then.get(name), other.get(name)];
    if (one === two) return [];
    if (one === undefined) return [`${name} was not used then`];
    return [`${name} ${two === undefined ? 'is not used now' : 'has other content'}`];
  });
}

/** A receipt for people: names, values, digests, bytes. */
function rowsOf({ build, template, document, settings, inputs, fonts, file }: Receipt): string[][] {
  const { framewright, ffmpeg, x264, encoder, drawing } = build;
  const coder = x264 === null ? ffmpeg : `${ffmpeg}, ${encoder ?? `x264 ${x264}`}`;
  return [
    ['file', '', file.digest, String(file.bytes)],
    ['document', template === undefined ? '' : template.name, document.digest],
    ['version', `Framewright ${framewright}, drawing ${drawing}`],
    ['encoder', coder ?? 'of Framewright'],
    ...Object.entries(settings).map(([name, value]) => [name, String(value)]),
    ...inputs.map(({ source, digest, bytes }) => ['input', source, digest, String(bytes)]),
    ...fonts.map(({ family, style, weight, digest }) => [
      'font',
      `${family} ${weight} ${style}`,
      digest ?? 'of the computer',
    ]),
  ];
}
