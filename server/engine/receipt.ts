/**
 * The receipt of a render: what its file was made from, by digest. Made after the file, from its stage. Runs in the
 * worker.
 */
import { createHash } from 'node:crypto';
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { receiptForm, type Receipt } from '../../shared/api/receipt.ts';
import { isFilm } from '../../shared/renderscript/formats.ts';
import { contentDigest } from '../system/files.ts';
import { fontsOf } from './assets/fonts/font-needs.ts';
import { drawingBuild, encoderVersion, engineBuild } from './build.ts';
import { filmCoding } from './encode/film-formats.ts';
import { hashOf } from './pieces/prints.ts';
import type { RenderJob } from './render-job.ts';
import type { Stage } from './stage.ts';

/** Characters of a source; that of a picture within the document is longer, and known by its digest. */
const longestSource = 200;

/**
 * Writes the receipt of a job whose file is there, whole or not at all.
 *
 * @param hardware As `RenderResult.encoder`. @throws what the disk says.
 */
export async function writeReceipt(
  job: RenderJob,
  stage: Stage,
  receiptPath: string,
  hardware?: string,
): Promise<void> {
  const receipt = await receiptOf(job, stage, hardware);
  const part = `${receiptPath}.part`;
  await mkdir(path.dirname(receiptPath), { recursive: true });
  try {
    await writeFile(part, `${JSON.stringify(receipt, null, 2)}\n`);
    await rename(part, receiptPath);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function receiptOf(
  job: RenderJob,
  stage: Stage,
  hardware: string | undefined,
): Promise<Receipt> {
  const { source, scaling, moment, madeFrom, outputPath } = job;
  const { renderScale, maxWidth, maxHeight, largestSide } = scaling;
  return {
    receipt: receiptForm,
    build: {
      framewright: packageFile.version,
      ...(stage.ffmpeg
        ? await engineBuild(stage.ffmpeg, job.fontFolder)
        : { ffmpeg: null, x264: null, ...drawingBuild(job.fontFolder) }),
      ...(hardware === undefined ? await encoderOf(job, stage) : { encoder: hardware }),
    },
    ...(madeFrom && { template: { ...madeFrom } }),
    document: { digest: digestOf(source), source: { ...source } },
    scaling: {
      ...(renderScale !== undefined && { render_scale: renderScale }),
      ...(maxWidth !== undefined && { max_width: maxWidth }),
      ...(maxHeight !== undefined && { max_height: maxHeight }),
      ...(largestSide !== undefined && { largest_side: largestSide }),
    },
    ...(moment !== undefined && { moment }),
    ...(hardware === undefined ? piecesOf(job) : { pieces: 'none' as const }),
    settings: settingsOf(job, stage),
    inputs: await inputsOf(stage),
    words: stage.transcripts.size === 0 ? null : digestOf([...stage.transcripts]),
    fonts: await fontsIn(job, stage),
    // Just written, and never twice the same: no reason to remember it.
    file: { digest: await contentDigest(outputPath), bytes: (await stat(outputPath)).size },
  };
}

async function encoderOf(
  { moment }: RenderJob,
  { ffmpeg, timeline: { output } }: Stage,
): Promise<Pick<Receipt['build'], 'encoder'>> {
  const { format, videoCodec } = output;
  if (!ffmpeg || moment !== undefined || !isFilm(format)) return {};
  const encoder = await encoderVersion(ffmpeg, filmCoding({ format, videoCodec }).needs.video);
  return encoder === null ? {} : { encoder };
}

function piecesOf({ isDivided, piecesLimit, isShared }: RenderJob): Pick<Receipt, 'pieces'> {
  if (isDivided === true) return { pieces: 'divided' };
  if (piecesLimit === 0) return { pieces: 'none' };
  return isShared === true ? { pieces: 'shared' } : {};
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

function settingsOf({ outputPath, moment }: RenderJob, { timeline }: Stage): Receipt['settings'] {
  const settings: Receipt['settings'] = {};
  for (const [name, value] of Object.entries<Receipt['settings'][string]>({ ...timeline.output }))
    settings[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] = value;
  // The picture of a moment is no film.
  if (moment !== undefined) settings.format = path.extname(outputPath).slice(1);
  return settings;
}

/** In the order of their names, so that equal documents have equal receipts. */
async function inputsOf({ files, materials }: Stage): Promise<Receipt['inputs']> {
  const named = [
    ...[...files].map(([source, { path: at }]) => ({ source, at })),
    ...[...(materials.assets.fonts ?? [])].map(([source, at]) => ({ source, at })),
    ...[...(materials.assets.luts ?? [])].map(([source, at]) => ({ source, at })),
  ];
  const inputs: Receipt['inputs'] = [];
  for (const { source, at } of named.toSorted((one, two) => (one.source < two.source ? -1 : 1))) {
    const isLong = source.length > longestSource;
    inputs.push({
      source: isLong ? `${source.slice(0, longestSource)}…` : source,
      digest: await hashOf(at),
      bytes: (await stat(at)).size,
    });
  }
  return inputs;
}

async function fontsIn(
  { source }: RenderJob,
  { fonts, materials }: Stage,
): Promise<Receipt['fonts']> {
  const used: Receipt['fonts'] = [];
  for (const { family, face } of fonts.files(fontsOf(source, materials.assets).families)) {
    const { style, minWeight, maxWeight } = face ?? { style: 'normal', minWeight: 0, maxWeight: 0 };
    const weight = minWeight === maxWeight ? String(minWeight) : `${minWeight} ${maxWeight}`;
    used.push({
      ...{ family, style, weight: face ? weight : 'any' },
      digest: face ? await hashOf(face.path) : null,
    });
  }
  const nameOf = (font: Receipt['fonts'][number]): string => Object.values(font).join('\n');
  return used.toSorted((one, two) => (nameOf(one) < nameOf(two) ? -1 : 1));
}
