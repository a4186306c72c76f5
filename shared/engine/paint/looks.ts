/**
 * The look of pictures and videos: a colour is keyed out, then light and colours change, then a table of colours has
 * its say. Phase 4, arithmetic only, so that the worker and the page have the same numbers.
 */
import { brightnessOf, brightnessShares, lightOfSignal, signalOfLight } from '../srgb.ts';
import type { ColorKey, Grade, PixelEffects } from '../layout/paint-values.ts';
import { gradingBy, type Lut, type Luts } from '../lut.ts';

/** What a look consists of. */
export interface ColorLook extends Pick<PixelEffects, 'key' | 'grade'> {
  readonly lut: { readonly table: Lut; readonly strength: number } | null;
}

/** The look that effects ask for, or null if it changes nothing: a table that is not there counts as none. */
export function colorLook(effects: PixelEffects | null, luts: Luts | undefined): ColorLook | null {
  if (!effects) return null;
  const { key, grade, lut } = effects;
  const table = lut && luts?.(lut.source);
  if (!key && !grade && !table) return null;
  return { key, grade, lut: lut && table ? { table, strength: lut.strength } : null };
}

/** Looks of equal names change colours alike. */
export function lookName({ key, grade, lut }: ColorLook): string {
  return JSON.stringify([key, grade, lut && [lut.table.name, lut.strength]]);
}

/**
 * Writes straight pixels with a look (red is the lowest byte, opacity the highest): the key first, so that it meets the
 * colours of the file. Each pixel depends on its own colour alone. `to` may be `from`.
 */
export function applyLook(from: Int32Array, to: Int32Array, look: ColorLook): void {
  if (!look.key && !look.lut && look.grade) {
    applyGrade(from, to, look.grade);
    return;
  }
  const table = tableOf(look);
  const { blocks } = table;
  let { results } = table;
  for (let at = 0; at < from.length; at++) {
    const pixel = from[at] ?? 0;
    const alpha = pixel >>> 24;
    if (alpha === 0) {
      to[at] = 0;
      continue;
    }
    let result = results[(blocks[blockOf(pixel)] ?? 0) + placeIn(pixel)] ?? 0;
    if (result === 0) {
      result = learn(table, pixel);
      ({ results } = table);
    }
    to[at] =
      alpha === 255
        ? result
        : (result & 0xffffff) | (Math.round(((result >>> 24) * alpha) / 255) << 24);
  }
}

/** Light and colours alone: three curves and their mix, which is as fast as a table, and needs none. */
function applyGrade(from: Int32Array, to: Int32Array, grade: Grade): void {
  const { curves, more } = channelsOf(grade);
  const valuesOf = (curve: Curve): Float64Array => Float64Array.from(byteValues, curve);
  const [reds, greens, blues] = [valuesOf(curves[0]), valuesOf(curves[1]), valuesOf(curves[2])];
  const less = 1 - more;
  const bytes = new Uint8ClampedArray(to.buffer, to.byteOffset, to.byteLength);
  for (let at = 0; at < from.length; at++) {
    const pixel = from[at] ?? 0;
    const alpha = pixel >>> 24;
    if (alpha === 0) {
      to[at] = 0;
      continue;
    }
    const red = reds[pixel & 255] ?? 0;
    const green = greens[(pixel >> 8) & 255] ?? 0;
    const blue = blues[(pixel >> 16) & 255] ?? 0;
    const light = brightnessOf(red, green, blue) * less;
    bytes[4 * at] = light + red * more;
    bytes[4 * at + 1] = light + green * more;
    bytes[4 * at + 2] = light + blue * more;
    bytes[4 * at + 3] = alpha;
  }
}

const byteValues = Uint8Array.from({ length: 256 }, (_, value) => value);

/** A look's pixel for an opaque colour of 0–255 each. */
type Change = (red: number, green: number, blue: number) => number;

/**
 * [Note: Colours of a look] Working a pixel out takes twenty times as long as finding it in a table. One of all colours
 * would take 64 MB; pictures use few of them, near each other. So the table has a block for each blue and sixteenth of
 * green that occurs, and each colour is worked out when it is first met.
 */
interface ColorTable {
  readonly change: Change;
  /** Where each block begins in the results; 0 = nowhere yet. */
  readonly blocks: Int32Array;
  /** Block after block, the first one unused; 0 = not known yet. */
  results: Int32Array;
  end: number;
}

/** Blue and the upper half of green's bits. */
const blockOf = (pixel: number): number => (pixel >>> 12) & 0xfff;
/** The lower half of them and red. */
const placeIn = (pixel: number): number => pixel & 0xfff;

function learn(table: ColorTable, pixel: number): number {
  const { blocks, change } = table;
  const block = blockOf(pixel);
  let start = blocks[block] ?? 0;
  if (start === 0) {
    start = blocks[block] = table.end;
    table.end += blockSize;
    if (table.end > table.results.length) {
      const results = new Int32Array(Math.min(table.results.length * 2, mostResults));
      results.set(table.results);
      table.results = results;
    }
  }
  // Nothing is any colour without opacity.
  const result = change(pixel & 255, (pixel >>> 8) & 255, (pixel >>> 16) & 255) || 1;
  table.results[start + placeIn(pixel)] = result;
  return result;
}

const blockSize = 4096;
/** Results of a table with every colour: 64 MB. */
const mostResults = (blockSize + 1) * blockSize;
/** The looks of a thread by what they do, the longest unused first. With keyframes, a look is another in each frame. */
const tables = new Map<string, ColorTable>();

/** A look's table; the oldest ones go, so that all together are no larger than two with every colour. */
function tableOf(look: ColorLook): ColorTable {
  const name = lookName(look);
  const table = tables.get(name) ?? emptyTable(changeOf(look));
  tables.delete(name);
  tables.set(name, table);
  let size = [...tables.values()].reduce((sum, { results }) => sum + results.length, 0);
  for (const [oldest, { results }] of tables) {
    if (size <= mostResults || oldest === name) break;
    tables.delete(oldest);
    size -= results.length;
  }
  return table;
}

function emptyTable(change: Change): ColorTable {
  const results = new Int32Array(32 * blockSize);
  return { change, blocks: new Int32Array(blockSize), results, end: blockSize };
}

/** A colour on its way through a look, 0–255, which it may leave in between, and how much of it is left, 0–1. */
interface Passing {
  red: number;
  green: number;
  blue: number;
  cover: number;
}

function changeOf({ key, grade, lut }: ColorLook): Change {
  const keyOut = key && keying(key);
  const regrade = grade && grading(grade);
  const lookUp = lut && gradingBy(lut.table, lut.strength);
  const bytes = new Uint8ClampedArray(4);
  const passing: Passing = { red: 0, green: 0, blue: 0, cover: 1 };
  return (red, green, blue) => {
    passing.red = red;
    passing.green = green;
    passing.blue = blue;
    passing.cover = 1;
    keyOut?.(passing);
    bytes[3] = passing.cover * 255;
    if (bytes[3] === 0) return 0;
    regrade?.(passing);
    lookUp?.(passing);
    bytes[0] = passing.red;
    bytes[1] = passing.green;
    bytes[2] = passing.blue;
    return bytes[0] | (bytes[1] << 8) | (bytes[2] << 16) | (bytes[3] << 24);
  };
}

const [ofRed, ofGreen, ofBlue] = brightnessShares;
/** What scales blue and red less brightness to −½–½. */
const [toBlue, toRed] = [1 / 1.8556, 1 / 1.5748] as const;
/** A key with less colour than that is a grey: it has no direction to remove. */
const leastColor = 12;
/** Colours so far beside a key, for each step along it, keep what they have of it. */
const sixtyDegrees = 1 / Math.sqrt(3);
/** Shadows on a screen count as if lit like the key, but at most so many times: noise of black has a colour, too. */
const mostLift = 2;

/**
 * Removes a colour. A pixel's distance is that of its colour from the key's, where 1 is the way from the key to grey:
 * up to `tolerance` it is transparent, from there over `softness` it becomes opaque. Stronger colours than the key's
 * count by their direction. `spill` takes the key's colour out of what is left, and leaves colours alone that lie more
 * than 60° beside it: yellow and cyan beside green, but not skin that shines green.
 */
function keying({ color, tolerance, softness, spill }: ColorKey): (passing: Passing) => void {
  const [keyRed, keyGreen, keyBlue] = color;
  const keyLight = brightnessOf(keyRed, keyGreen, keyBlue);
  const keyU = (keyBlue - keyLight) * toBlue;
  const keyV = (keyRed - keyLight) * toRed;
  const strength = Math.hypot(keyU, keyV);
  const cover = (distance: number): number =>
    Math.min(1, Math.max(0, (distance - tolerance) / Math.max(1e-6, softness)));
  if (strength < leastColor) return greyKeying(keyLight, keyU, keyV, cover);

  const [towardsU, towardsV] = [keyU / strength, keyV / strength];
  return (passing) => {
    const { red, green, blue } = passing;
    const light = brightnessOf(red, green, blue);
    const u = (blue - light) * toBlue;
    const v = (red - light) * toRed;
    const along = u * towardsU + v * towardsV;
    const beside = Math.abs(u * towardsV - v * towardsU);
    const lift = light < keyLight ? Math.min(mostLift, keyLight / Math.max(1, light)) : 1;
    const scale = Math.min(lift, along > 0 ? strength / along : lift);
    passing.cover = cover(Math.hypot(strength - along * scale, beside * scale) / strength);
    const spilt = (along - beside * sixtyDegrees) * spill;
    if (spilt <= 0) return;
    const lessRed = (spilt * towardsV) / toRed;
    const lessBlue = (spilt * towardsU) / toBlue;
    passing.red = red - lessRed;
    passing.green = green + (ofRed * lessRed + ofBlue * lessBlue) / ofGreen;
    passing.blue = blue - lessBlue;
  };
}

/** White, black and grey go by brightness as well; 1 is half of the way from black to white. */
function greyKeying(
  keyLight: number,
  keyU: number,
  keyV: number,
  cover: (distance: number) => number,
): (passing: Passing) => void {
  return (passing) => {
    const { red, green, blue } = passing;
    const light = brightnessOf(red, green, blue);
    const [u, v] = [(blue - light) * toBlue - keyU, (red - light) * toRed - keyV];
    passing.cover = cover(Math.hypot(light - keyLight, u, v) / 127.5);
  };
}

/** How much full temperature and tint change the light of a channel: half a stop. */
const fullShift = 0.5;

/**
 * Exposure, temperature and tint scale the light (sRGB decoded), contrast the coded values around the middle;
 * saturation moves colours from and to their brightness. Nothing is cut off in between.
 */
function grading(grade: Grade): (passing: Passing) => void {
  const {
    curves: [reds, greens, blues],
    more,
  } = channelsOf(grade);
  return (passing) => {
    const red = reds(passing.red);
    const green = greens(passing.green);
    const blue = blues(passing.blue);
    const light = brightnessOf(red, green, blue) * (1 - more);
    passing.red = light + red * more;
    passing.green = light + green * more;
    passing.blue = light + blue * more;
  };
}

/** What becomes of one channel's values. */
type Curve = (value: number) => number;

/** The curves of red, green and blue, and how much of its colour a pixel then keeps; 1 = all. */
function channelsOf({ exposure, contrast, saturation, temperature, tint }: Grade): {
  readonly curves: readonly [red: Curve, green: Curve, blue: Curve];
  readonly more: number;
} {
  const warmth = temperature * fullShift;
  const magenta = tint * fullShift;
  return {
    curves: [
      channel(exposure + warmth + magenta / 2, contrast),
      channel(exposure - magenta, contrast),
      channel(exposure - warmth + magenta / 2, contrast),
    ],
    more: Math.max(0, 1 + saturation),
  };
}

/** What becomes of a channel whose light changes by so many stops; may leave 0–255. */
function channel(stops: number, contrast: number): Curve {
  const gain = 2 ** stops;
  const slope = Math.max(0, 1 + contrast);
  return (value) => {
    const share = Math.max(0, value) / 255;
    const lit = stops === 0 ? share : signalOfLight(lightOfSignal(share) * gain);
    return ((lit - 0.5) * slope + 0.5) * 255;
  };
}
