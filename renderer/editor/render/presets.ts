/** THE TABLE of presets of the render dialog: where a file goes, and what each asks of a document. Pure. */
import {
  formatOf,
  formats,
  isSound,
  isStill,
  type OutputFormat,
  usualQuality,
} from '../../../shared/renderscript/formats.ts';
import { brokenLimits } from '../../../shared/renderscript/output.ts';
import type { Source } from '../../../shared/renderscript/source.ts';
import {
  chosenFormat,
  fileSides,
  neededFrameRate,
  noOptions,
  ownFile,
  ownFrameRate,
  type FileChoice,
  type RenderOptions,
} from './render-request.ts';

/** What a preset makes of a document. */
interface PresetRow {
  /** Null: the document's own. */
  readonly format: OutputFormat | null;
  /** Pixels of the shorter side, reduced or enlarged; null: as designed. */
  readonly shortSide: number | null;
  /** A document that is larger stays so. */
  readonly keepsLarger: boolean;
  /** Pixels that the longer side may have at most; null: any number. */
  readonly longSide: number | null;
  /** The shape that is shown there, as its width divided by its height; null: any. */
  readonly shape: { readonly width: number; readonly height: number } | null;
  /** A value of the format's quality, '' for the document's own; null: the usual one. */
  readonly quality: string | null;
  /** Frames per second at most; null: any. */
  readonly frameRate: number | null;
}

/** A row, with its name. */
export interface Preset extends PresetRow {
  /** Its text is `editor.preset.ID`. */
  readonly id: PresetId;
}

const any = {
  format: null,
  shortSide: null,
  longSide: null,
  shape: null,
  frameRate: null,
  keepsLarger: false,
} as const;
const film = { ...any, format: 'mp4', quality: '20' } as const;

const rows = [
  { ...any, id: 'own', quality: null },
  { ...film, id: 'vertical', shortSide: 1080, shape: { width: 9, height: 16 } },
  {
    ...film,
    id: 'youtube',
    shortSide: 1080,
    keepsLarger: true,
    shape: { width: 16, height: 9 },
    quality: '17',
  },
  { ...film, id: 'hd', shortSide: 1080 },
  { ...film, id: 'hd720', shortSide: 720 },
  { ...film, id: 'uhd', shortSide: 2160 },
  { ...any, id: 'gif', format: 'gif', longSide: 480, quality: 'fast', frameRate: 12 },
  { ...any, id: 'picture', format: 'png', quality: '' },
  { ...any, id: 'sound', format: 'mp3', quality: '' },
] as const satisfies readonly (PresetRow & { readonly id: string })[];

/** Name of a preset. */
export type PresetId = (typeof rows)[number]['id'];

/** All presets, in the order in which they are shown. */
const presets: readonly Preset[] = rows;

/** A document as far as its file depends on it. */
export interface PresetDocument {
  readonly source: Source;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** The presets of a document. A picture has no film to be made of it, so it keeps its own file. */
export function presetsFor(source: Source): readonly Preset[] {
  return isStill(formatOf(source)) ? presets.filter(({ id }) => id === 'own') : presets;
}

/** What a preset chooses for a document. */
export function choiceOf(preset: Preset, document: PresetDocument): FileChoice {
  const { source } = document;
  const own = formatOf(source);
  const format = preset.format ?? own;
  return {
    ...ownFile,
    format: format === own ? '' : format,
    quality: preset.quality ?? usualQuality(source, format),
    frameRate: rateOf(preset, source, format),
    ...sizeOf(preset, document),
  };
}

function rateOf({ frameRate: most }: Preset, source: Source, format: OutputFormat): string {
  if (most === null) return '';
  const rate =
    neededFrameRate(source, { ...noOptions, format }) ?? ownFrameRate(source) ?? Infinity;
  return rate > most ? String(most) : '';
}

function sizeOf(
  { shortSide, longSide, keepsLarger }: Preset,
  { width, height }: PresetDocument,
): Partial<FileChoice> {
  const isTall = height > width;
  if (longSide !== null && Math.max(width, height) > longSide)
    return { [isTall ? 'maxHeight' : 'maxWidth']: String(longSide) };
  if (shortSide === null) return {};
  const factor = shortSide / Math.min(width, height);
  if (factor < 1 && keepsLarger) return {};
  if (factor < 1) return { [isTall ? 'maxWidth' : 'maxHeight']: String(shortSide) };
  // As many digits as keep the side whole.
  return factor > 1 ? { scale: String(Number(factor.toFixed(6))) } : {};
}

/**
 * The preset whose file is chosen; null where none is.
 *
 * @param last The one that was chosen last, of several with the same file.
 */
export function chosenPreset(
  options: RenderOptions,
  document: PresetDocument,
  last: PresetId | null = null,
): Preset | null {
  const { source } = document;
  const format = chosenFormat(source, options);
  // jpg and png are one preset, and so are mp3 and wav.
  const kind = (of: OutputFormat): string => (isStill(of) || isSound(of) ? formats[of].kind : of);
  const isSame = (preset: Preset): boolean => {
    const choice = choiceOf(preset, document);
    return (
      kind(chosenFormat(source, { ...noOptions, ...choice })) === kind(format) &&
      (options.quality === choice.quality || (options.quality === '' && preset.id === 'own')) &&
      (['frameRate', 'scale', 'maxWidth', 'maxHeight'] as const).every(
        (name) => options[name].trim() === choice[name],
      )
    );
  };
  const same = presetsFor(source).filter(isSame);
  return same.find(({ id }) => id === last) ?? same[0] ?? null;
}

/** Factors that a request may ask for. */
const largestScale = 10;

/** Whether the file would be larger than its format allows, or the scale than a request may ask for. */
export function isTooLarge(preset: Preset, document: PresetDocument): boolean {
  const choice = choiceOf(preset, document);
  const facts = { frameRate: null, duration: null, ...fileSides(document, choice) };
  const format = chosenFormat(document.source, choice);
  return Number(choice.scale) > largestScale || brokenLimits({ format, ...facts }).length > 0;
}

/** Shapes that differ by a smaller share look the same. */
const sameShape = 0.02;

/** Whether a document has another shape than what a preset is for shows. */
export function isOtherShape({ shape }: Preset, { width, height }: PresetDocument): boolean {
  if (shape === null) return false;
  return Math.abs((width * shape.height) / (height * shape.width) - 1) > sameShape;
}

/** A smaller GIF. */
export interface LighterGif {
  readonly choice: FileChoice;
  /** Pixels of its longer side, and frames per second. */
  readonly side: number;
  readonly rate: number;
}

/** GIFs from large to small: pixels of the longer side, frames per second. */
const gifSteps = [
  [480, 12],
  [480, 8],
  [360, 10],
  [320, 8],
  [240, 8],
] as const;

/**
 * The largest GIF of the usual ones that stays below a number of bytes, or the smallest of them; null where the file is
 * no larger than that already.
 *
 * @param file What is chosen now, and how large it will be.
 */
export function lighterGif(
  file: { width: number; height: number; frameRate: number; bytes: number },
  most: number,
): LighterGif | null {
  const longer = Math.max(file.width, file.height);
  const weight = longer ** 2 * file.frameRate;
  const smaller = gifSteps.filter(
    ([side, rate]) => side <= longer && rate <= file.frameRate && side ** 2 * rate < weight,
  );
  const fits = smaller.find(([side, rate]) => (file.bytes * side ** 2 * rate) / weight <= most);
  const step = fits ?? smaller.at(-1);
  if (!step || file.bytes <= most) return null;
  const [side, rate] = step;
  const limit = file.height > file.width ? 'maxHeight' : 'maxWidth';
  const small = { format: 'gif', quality: 'fast', frameRate: String(rate) } as const;
  return { side, rate, choice: { ...ownFile, ...small, [limit]: String(side) } };
}
