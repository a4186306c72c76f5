/**
 * About where an element lies, without the engine: its box as written, and of a text the lines that it will have.
 * Pure.
 */
import type { Rect } from '../../../shared/engine/geometry.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/renderscript/source.ts';
import { keyframesOf } from '../../../shared/renderscript/keyframes.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';
import { pixelsIn, type Size } from '../canvas/length.ts';

/** Widths of letters as shares of their size: wide ones, those of bold fonts, of others. */
const letters = { wide: 1, bold: 0.66, plain: 0.56 };

/** What of a text counts: its box, so that it can grow, or only the lines that it has. */
export type Measure = 'box' | 'lines';

/**
 * Around an element at all its keyframes, without its animations; null where nothing is seen, or it can't be known.
 *
 * @param frame Pixels of the room that it stands in.
 * @param document Pixels of the whole; by default it stands in the document itself.
 */
export function areaOf(
  element: JsonObject,
  frame: Size,
  how: Measure = 'box',
  document: Size = frame,
): Rect | null {
  if (element.type === 'audio') return null;
  const pixels = (value: Json | undefined, whole: number, standard: Json): readonly number[] => {
    const values = Array.isArray(value)
      ? (value as readonly Json[]).map((key) => (isJsonObject(key) ? key.value : null))
      : [value ?? standard];
    return values.flatMap((one) => pixelsIn(one, { whole, document }) ?? []);
  };
  const isText = element.type === 'text';
  const text = isText ? textSize(element, frame, document) : null;
  const side = (name: 'width' | 'height'): number =>
    isText && (element[name] ?? null) === null
      ? (text?.[name] ?? 0)
      : Math.max(0, rangeOf(pixels(element[name], frame[name], '100%'))?.most ?? 0);
  const padding = text?.padding ?? { x: 0, y: 0 };
  const [width, height] = [side('width') + 2 * padding.x, side('height') + 2 * padding.y];
  const starts = (name: 'x' | 'y', size: number, whole: number): readonly number[] => {
    const [anchor = size / 2] = pixels(element[`${name}_anchor`], size, '50%');
    return pixels(element[name], whole, '50%').map((at) => at - anchor);
  };
  const across = rangeOf(starts('x', width, frame.width));
  const down = rangeOf(starts('y', height, frame.height));
  if (!across || !down) return null;
  const area = {
    ...{ x: across.least, width: across.most - across.least + width },
    ...{ y: down.least, height: down.most - down.least + height },
  };
  if (how === 'box' || !text) return area;
  const free = Math.max(0, width - text.width - 2 * padding.x);
  const [left = 0] = pixels(element.x_alignment, free, '0%');
  return { ...area, x: area.x + left, width: area.width - free };
}

/** The least and the most of some numbers, of which there may be very many; null: there are none. */
function rangeOf(numbers: readonly number[]): { least: number; most: number } | null {
  const [first] = numbers;
  if (first === undefined) return null;
  return numbers.reduce(
    ({ least, most }, one) => ({ least: Math.min(least, one), most: Math.max(most, one) }),
    { least: first, most: first },
  );
}

/** About how large the lines of a text are, in pixels, and what its background adds on each side. */
function textSize(
  element: JsonObject,
  frame: Size,
  document: Size,
): Size & { readonly padding: { readonly x: number; readonly y: number } } {
  const length = (value: Json | undefined, whole: number): number | null =>
    pixelsIn(value, { whole, document });
  const size =
    length(element.font_size, frame.height) ??
    length(element.font_size_maximum, frame.height) ??
    0.08 * Math.min(frame.width, frame.height);
  const weight = parseAmount(element.font_weight)?.value ?? 400;
  const most = parseAmount(element.transcript_maximum_length)?.value;
  const isSpoken = (element.transcript_source ?? null) !== null;
  const plain = typeof element.text === 'string' ? element.text : '';
  const said = isSpoken ? 'm'.repeat(Math.min(most ?? 40, 200)) : plain.slice(0, 2_000);
  const lines = said.split('\n').map((line) => widthOf(line, weight) * size);
  const widest = rangeOf(lines)?.most ?? 0;
  const room = length(element.width, frame.width) ?? frame.width;
  const count = lines.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / room)), 0);
  const line = parseAmount(element.line_height);
  const share = line?.unit === '%' ? line.value / 100 : 1.15;
  const around = (name: string): number => {
    const padding = parseAmount(element[name] ?? '25%');
    return (element.background_color ?? null) === null || padding?.unit !== '%'
      ? 0
      : (padding.value / 100) * size;
  };
  return {
    width: Math.min(widest, room),
    height: count * share * size,
    padding: { x: around('background_x_padding'), y: around('background_y_padding') },
  };
}

/** Of a line, in ems. */
function widthOf(line: string, weight: number): number {
  const usual = weight >= 600 ? letters.bold : letters.plain;
  return Array.from(line).reduce(
    // From here on letters are as wide as high: Chinese, Japanese, Korean, emoji.
    (sum, letter) => sum + ((letter.codePointAt(0) ?? 0) >= 0x2e80 ? letters.wide : usual),
    0,
  );
}

/**
 * About how high the letters of a text are, in hundredths of the document's smaller side: as written, or as its box has
 * room for.
 *
 * @param box Pixels of the text.
 * @param room Pixels of the room that it stands in.
 */
export function lettersOf(element: JsonObject, box: Size, room: Size, document: Size): number {
  const one = Math.min(document.width, document.height) / 100;
  const length = (value: Json | undefined): number | null =>
    pixelsIn(value, { whole: Math.min(room.width, room.height), document });
  const written = length(settled(element.font_size));
  if (written !== null) return written / one;
  const weight = parseAmount(element.font_weight)?.value ?? 400;
  const said = typeof element.text === 'string' ? element.text.slice(0, 2_000) : '';
  const ems = said.split('\n').reduce((sum, line) => sum + Math.max(1, widthOf(line, weight)), 0);
  const fits = Math.sqrt((box.width * box.height) / Math.max(1, ems));
  const most = length(element.font_size_maximum) ?? Infinity;
  return Math.min(most, fits, box.height) / one;
}

/** The last value of keyframes, or the value itself. */
const settled = (value: Json | undefined): Json | undefined =>
  keyframesOf(value)?.at(-1)?.value ?? value;
