/** Tables of colours: what a file may hold, the colours between its points, and what a look does with them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { afterAll, describe, expect, test } from 'vitest';
import { RenderError } from '../../shared/engine/errors.ts';
import { gradingBy, parseLut } from '../../shared/engine/lut.ts';
import { applyLook, type ColorLook } from '../../shared/engine/paint/looks.ts';
import type { Source } from '../../shared/renderscript/source.ts';
import { renderInto } from '../helpers/engine.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'lut-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The text of a cube whose colours follow from the place, 0–1 each. */
function cube(size: number, color: (r: number, g: number, b: number) => readonly number[]): string {
  const lines = [`LUT_3D_SIZE ${size}`];
  const last = size - 1;
  for (let b = 0; b < size; b++)
    for (let g = 0; g < size; g++)
      for (let r = 0; r < size; r++) lines.push(color(r / last, g / last, b / last).join(' '));
  return lines.join('\n');
}

const swapped = cube(3, (r, g, b) => [b, r, g]);

/** The colour of the middle of a document's picture. */
async function middle(source: Source): Promise<readonly number[]> {
  const picture = { output_format: 'png', width: 8, height: 8, ...source };
  await renderInto(folder, 'picture.png', picture, { workFolder: mkdtempSync(`${folder}/work-`) });
  const ctx = createCanvas(8, 8).getContext('2d');
  ctx.drawImage(await loadImage(readFileSync(path.join(folder, 'picture.png'))), 0, 0);
  return [...ctx.getImageData(4, 4, 1, 1).data];
}

function looked(look: Partial<ColorLook>, color: readonly number[]): readonly number[] {
  const [r = 0, g = 0, b = 0, a = 255] = color;
  const pixels = new Int32Array([r | (g << 8) | (b << 16) | (a << 24)]);
  applyLook(pixels, pixels, { key: null, grade: null, lut: null, ...look });
  return [...new Uint8Array(pixels.buffer)];
}

describe('a file', () => {
  test.each([
    ['nothing', '', 'Line 1 of the color table: expected LUT_3D_SIZE or LUT_1D_SIZE; found none'],
    [
      'words',
      '<html>\n',
      'expected LUT_3D_SIZE or LUT_1D_SIZE before the first color; found <html>',
    ],
    ['no size', 'LUT_3D_SIZE\n', 'Line 1 of the color table: expected a size from 2 to 65'],
    ['a size of one', 'LUT_3D_SIZE 1\n', 'expected a size from 2 to 65'],
    [
      'a hostile size',
      '# big\nLUT_3D_SIZE 1e9\n',
      'Line 2 of the color table: expected a size from 2',
    ],
    ['half a size', 'LUT_1D_SIZE 2.5\n', 'expected a size from 2 to 65536'],
    [
      'two tables',
      'LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n',
      'Line 2 of the color table: expected one table',
    ],
    ['too few colors', 'LUT_1D_SIZE 3\n0 0 0\n1 1 1\n', 'expected 3 colors; found the end after 2'],
    [
      'too many',
      'LUT_1D_SIZE 2\n0 0 0\n1 1 1\n1 1 1\n',
      'Line 4 of the color table: expected the end after 2',
    ],
    [
      'no number',
      'LUT_1D_SIZE 2\n0 0 0\nnan 1 1\n',
      'Line 3 of the color table: expected three numbers; found nan 1 1',
    ],
    [
      'an endless one',
      'LUT_1D_SIZE 2\n0 0 1e999\n1 1 1\n',
      'Line 2 of the color table: expected three numbers',
    ],
    [
      'two numbers',
      'LUT_1D_SIZE 2\n0 0\n1 1 1\n',
      'Line 2 of the color table: expected three numbers',
    ],
    [
      'an empty range',
      'LUT_1D_SIZE 2\nDOMAIN_MIN 1 0 0\n0 0 0\n1 1 1\n',
      'a range whose end is above its start',
    ],
    [
      'a word between colors',
      'LUT_1D_SIZE 2\n0 0 0\nTITLE x\n1 1 1\n',
      'Line 3 of the color table',
    ],
  ])('with %s is refused with its line', (_, text, sentence) => {
    expect(() => parseLut(text, '')).toThrow(sentence);
    expect(() => parseLut(text, '')).toThrow(RenderError);
  });

  test('a long line is not shown whole', () => {
    const text = `LUT_1D_SIZE 2\n${'9'.repeat(1e6)} x`;
    expect(() => parseLut(text, '')).toThrow(/found 9{40}…$/);
  });

  test('may have comments, a title, ranges, words to come, and any ends of lines', () => {
    const plain = parseLut('LUT_1D_SIZE 2\n0 0 0\n1 1 1', 'a');
    const dressed = parseLut(
      '\r\n# made by\r\nTITLE "0 0 0"\r\nLUT_1D_SIZE 2\r\nDOMAIN_MIN 0 0 0\r\n\tDOMAIN_MAX 1 1 1\r\nLUT_FUTURE yes\r\n0.0 0 0e0\r\n# between\r\n 1 1 1 \r\n\r\n',
      'a',
    );
    expect(dressed).toEqual(plain);
    const ranged = parseLut('LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE 0 2\n0 0 0\n1 1 1', 'a');
    expect([ranged.from, ranged.to]).toEqual([
      [0, 0, 0],
      [2, 2, 2],
    ]);
  });
});

describe('colors', () => {
  const at = (text: string, color: readonly number[], strength = 1): number[] => {
    const [red = 0, green = 0, blue = 0] = color;
    const passing = { red, green, blue };
    gradingBy(parseLut(text, ''), strength)(passing);
    return Object.values(passing).map((value) => Math.round(value * 100) / 100);
  };
  const same = cube(5, (...color) => color);

  test.each([
    ['black', [0, 0, 0]],
    ['white', [255, 255, 255]],
    ['any', [13, 200, 91]],
    ['any', [91, 13, 200]],
    ['any', [200, 91, 13]],
    ['any', [13, 91, 200]],
    ['any', [91, 200, 13]],
    ['any', [200, 13, 91]],
    ['two equal', [77, 77, 190]],
    ['a grey', [128, 128, 128]],
  ])('a table that changes nothing leaves %s %j', (_, color) => {
    expect(at(same, color)).toEqual(color);
  });

  test('of a table are found, red first, and mixed by strength', () => {
    expect(at(swapped, [10, 20, 30])).toEqual([30, 10, 20]);
    expect(at(swapped, [10, 20, 30], 0.5)).toEqual([20, 15, 25]);
  });

  test('greys stay grey between points whose greys are', () => {
    const curved = cube(4, (r, g, b) => [
      r * r * (1 + g - b),
      g * g * (1 + b - r),
      b * b * (1 + r - g),
    ]);
    for (let grey = 0; grey < 256; grey += 7) {
      const [red, green, blue] = at(curved, [grey, grey, grey]);
      expect([green, blue]).toEqual([red, red]);
    }
  });

  test('beyond the range are those of its ends; a range says where it is', () => {
    expect(at(same, [-40, 300, 128])).toEqual([0, 255, 128]);
    const half = `DOMAIN_MAX 0.5 0.5 0.5\n${same}`;
    expect(at(half, [64, 0, 200])).toEqual([128, 0, 255]);
  });

  test('a curve has its own values for each channel', () => {
    const curve = 'LUT_1D_SIZE 3\n1 0 0\n0.5 1 0\n0 1 0.5';
    expect(at(curve, [0, 63.75, 255])).toEqual([255, 127.5, 127.5]);
  });

  test('come after key, light and colors; opacity stays', () => {
    const lut = { table: parseLut(swapped, 'swapped'), strength: 1 };
    expect(looked({ lut }, [10, 20, 30])).toEqual([30, 10, 20, 255]);
    expect(looked({ lut }, [10, 20, 30, 99])).toEqual([30, 10, 20, 99]);
    expect(looked({ lut }, [10, 20, 30, 0])).toEqual([0, 0, 0, 0]);
    const grade = { exposure: 0, contrast: 0, saturation: -1, temperature: 0, tint: 0 };
    const [red, green, blue] = looked({ grade, lut }, [200, 20, 30]);
    expect([green, blue]).toEqual([red, red]);
    const key = { color: [0, 255, 0, 1], tolerance: 0.4, softness: 0.3, spill: 1 } as const;
    expect(looked({ key, lut }, [0, 255, 0])[3]).toBe(0);
  });

  test('of another table of the same document are not remembered', () => {
    const one = { table: parseLut(swapped, 'one'), strength: 1 };
    const other = { table: parseLut(same, 'other'), strength: 1 };
    expect(looked({ lut: one }, [1, 2, 3])).toEqual([3, 1, 2, 255]);
    expect(looked({ lut: other }, [1, 2, 3])).toEqual([1, 2, 3, 255]);
  });
});

describe('a document', () => {
  test('gets the colors of its file, and those of the next one at the same place', async () => {
    const file = path.join(folder, 'own.cube');
    const shape = { type: 'shape', fill_color: '#0a141e', width: '100%', height: '100%' };
    const source = { elements: [{ ...shape, look_lut: 'own.cube' }] };
    writeFileSync(file, swapped);
    expect(await middle(source)).toEqual([30, 10, 20, 255]);
    writeFileSync(
      file,
      cube(2, (r, g, b) => [1 - r, 1 - g, 1 - b]),
    );
    expect(await middle(source)).toEqual([245, 235, 225, 255]);
  });

  test('with a wrong one says where', async () => {
    writeFileSync(path.join(folder, 'wrong.cube'), 'LUT_3D_SIZE 99\n');
    const element = { type: 'shape', name: 'Sky', look_lut: 'wrong.cube' };
    await expect(middle({ elements: [element] })).rejects.toMatchObject({
      code: 'media_unreadable',
      path: 'elements[0].look_lut',
      message: expect.stringMatching(
        /^Source error: Sky\.look_lut: Line 1 of the color table: expected a size from 2 to 65 .*\(wrong\.cube\)$/,
      ) as string,
    });
    const picture = readFileSync('test/fixtures/photo.jpg');
    writeFileSync(path.join(folder, 'picture.cube'), picture);
    const other = { ...element, look_lut: 'picture.cube' };
    await expect(middle({ elements: [other] })).rejects.toThrow('no .cube color table');
  });
});
