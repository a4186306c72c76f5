/**
 * Tables of colours in `.cube` files (Adobe's, and Resolve's words for ranges): read with bounds, and looked up between
 * their points. Arithmetic only, so that the worker and the page have the same numbers.
 */
import { RenderError } from './errors.ts';

/** Bytes of a file: twice what the largest table takes with nine digits. */
export const lutBytes = 20e6;
/** Points along each side of a cube, and of a curve. */
const sides = { cube: 65, curve: 65_536 } as const;
/** Characters of a line in a message. */
const longestShown = 40;

/** A table that was read. */
export interface Lut {
  /** Equal for equal contents. */
  readonly name: string;
  /** A cube gives a colour for each place, red first; a curve gives each channel its own value. */
  readonly kind: 'cube' | 'curve';
  /** Points along each side. */
  readonly size: number;
  /** Three numbers a point, 0–1 as they were written, which may leave it. */
  readonly values: Float32Array;
  /** Colours at which the table begins and ends. */
  readonly from: Triple;
  readonly to: Triple;
}

/** Tables of colours by the address in the document; null if there is none. */
export type Luts = (source: string) => Lut | null;

type Triple = readonly [red: number, green: number, blue: number];

/** Reads the text of a `.cube` file. @throws RenderError `media_unreadable`, with the line. */
export function parseLut(text: string, name: string): Lut {
  let head: Pick<Lut, 'kind' | 'size'> | null = null;
  let [from, to]: [Triple, Triple] = [
    [0, 0, 0],
    [1, 1, 1],
  ];
  let values = new Float32Array(0);
  let [filled, number] = [0, 0];
  for (const whole of linesOf(text)) {
    number++;
    const line = whole.trim();
    if (line === '' || line.startsWith('#')) continue;
    const wrong = (expected: string): RenderError => refusal(number, expected, line);
    const [word = '', ...rest] = line.split(/\s+/);
    if (filled === 0 && /^[A-Z_]\w*$/i.test(word) && !Number.isFinite(Number(word))) {
      const numbers = rest.map(Number);
      if (word === 'LUT_3D_SIZE' || word === 'LUT_1D_SIZE') {
        if (head) throw wrong('one table: a cube or a curve, not both');
        head = headOf(word === 'LUT_3D_SIZE' ? 'cube' : 'curve', numbers, wrong);
        values = new Float32Array(3 * (head.kind === 'cube' ? head.size ** 3 : head.size));
      } else if (word === 'DOMAIN_MIN') from = tripleOf(numbers, wrong);
      else if (word === 'DOMAIN_MAX') to = tripleOf(numbers, wrong);
      else if (/^LUT_[13]D_INPUT_RANGE$/.test(word)) {
        const [low, high] = numbers;
        if (low === undefined || high === undefined) throw wrong('two numbers');
        [from, to] = [tripleOf([low, low, low], wrong), tripleOf([high, high, high], wrong)];
      }
      // TITLE, and words of programs to come.
      continue;
    }
    if (!head) throw wrong('LUT_3D_SIZE or LUT_1D_SIZE before the first color');
    if (filled === values.length) throw wrong(`the end after ${values.length / 3} colors`);
    values.set(tripleOf([word, ...rest].map(Number), wrong), filled);
    filled += 3;
  }
  if (!head) throw refusal(number, 'LUT_3D_SIZE or LUT_1D_SIZE', null);
  if (filled < values.length)
    throw refusal(number, `${values.length / 3} colors`, `the end after ${filled / 3}`);
  if ([0, 1, 2].some((channel) => (to[channel] ?? 0) - (from[channel] ?? 0) < 1e-6))
    throw refusal(
      number,
      'a range whose end is above its start',
      `${from.join(' ')} – ${to.join(' ')}`,
    );
  return { ...head, name, values, from, to };
}

/** The lines of a text one by one: a list of all would take as much again. */
function* linesOf(text: string): Generator<string> {
  for (let start = 0; start <= text.length;) {
    const line = text.indexOf('\n', start);
    const end = line < 0 ? text.length : line;
    // Nothing is read of a line that is longer than any.
    yield text.slice(start, Math.min(end, start + 1_000));
    start = end + 1;
  }
}

function headOf(
  kind: Lut['kind'],
  [size]: readonly number[],
  wrong: (expected: string) => RenderError,
): Pick<Lut, 'kind' | 'size'> {
  if (size === undefined || !Number.isInteger(size) || size < 2 || size > sides[kind]) {
    const cure = kind === 'cube' ? ' (33 is usual: export it with so many)' : '';
    throw wrong(`a size from 2 to ${sides[kind]}${cure}`);
  }
  return { kind, size };
}

/** Numbers beyond are no colours, and would overflow what is reckoned with them. */
const mostValue = 65_536;

function tripleOf(numbers: readonly number[], wrong: (expected: string) => RenderError): Triple {
  const [red = NaN, green = NaN, blue = NaN] = numbers;
  const isFine = [red, green, blue].every((value) => Math.abs(value) <= mostValue);
  if (!isFine || numbers.length !== 3) throw wrong('three numbers');
  return [red, green, blue];
}

function refusal(line: number, expected: string, found: string | null): RenderError {
  const cut = found !== null && found.length > longestShown;
  const shown = cut ? `${found.slice(0, longestShown)}…` : (found ?? 'none');
  const message = `Line ${line} of the color table: expected ${expected}; found ${shown}`;
  return new RenderError('media_unreadable', message);
}

/** A colour on its way, 0–255 each; it may leave that range. */
interface Passing {
  red: number;
  green: number;
  blue: number;
}

/** Moves colours towards those of a table. @param strength 0–1: how far. */
export function gradingBy(lut: Lut, strength: number): (passing: Passing) => void {
  const { size, values, from, to } = lut;
  const last = size - 1;
  const scale = to.map((end, channel) => last / (255 * (end - (from[channel] ?? 0))));
  const start = from.map((value) => value * 255);
  const place = (value: number, channel: number): number =>
    Math.min(last, Math.max(0, (value - (start[channel] ?? 0)) * (scale[channel] ?? 0)));
  const found = new Float64Array(3);
  const look = lut.kind === 'cube' ? lookIntoCube : lookAlongCurve;
  return (passing) => {
    const { red, green, blue } = passing;
    look(values, size, place(red, 0), place(green, 1), place(blue, 2), found);
    passing.red = red + ((found[0] ?? 0) * 255 - red) * strength;
    passing.green = green + ((found[1] ?? 0) * 255 - green) * strength;
    passing.blue = blue + ((found[2] ?? 0) * 255 - blue) * strength;
  };
}

/** Finds the colour at a place of a table, in points from its start. */
type Look = (
  values: Float32Array,
  size: number,
  red: number,
  green: number,
  blue: number,
  found: Float64Array,
) => void;

/**
 * Between the corners of one of the six tetrahedra of a cell, all of which hold its diagonal from black to white: greys
 * stay free of other colours, unlike between all eight corners.
 */
const lookIntoCube: Look = (values, size, red, green, blue, found) => {
  const most = size - 2;
  const [r, g, b] = [Math.min(most, red | 0), Math.min(most, green | 0), Math.min(most, blue | 0)];
  const [x, y, z] = [red - r, green - g, blue - b];
  const across = 3;
  const [down, deep] = [3 * size, 3 * size * size];
  const first = r * across + g * down + b * deep;
  // The way from the first corner to the last goes along the side of the largest part, then of the next.
  const [large, middle] =
    x >= y
      ? y >= z
        ? [across, down]
        : x >= z
          ? [across, deep]
          : [deep, across]
      : x >= z
        ? [down, across]
        : y >= z
          ? [down, deep]
          : [deep, down];
  const largest = Math.max(x, y, z);
  const least = Math.min(x, y, z);
  const between = x + y + z - largest - least;
  const second = first + large;
  const third = second + middle;
  const end = first + across + down + deep;
  for (let channel = 0; channel < 3; channel++) {
    found[channel] =
      (values[first + channel] ?? 0) * (1 - largest) +
      (values[second + channel] ?? 0) * (largest - between) +
      (values[third + channel] ?? 0) * (between - least) +
      (values[end + channel] ?? 0) * least;
  }
};

const lookAlongCurve: Look = (values, size, red, green, blue, found) => {
  for (let channel = 0; channel < 3; channel++) {
    const place = channel === 0 ? red : channel === 1 ? green : blue;
    const point = Math.min(size - 2, place | 0);
    const low = values[3 * point + channel] ?? 0;
    const high = values[3 * point + 3 + channel] ?? 0;
    found[channel] = low + (high - low) * (place - point);
  }
};
