/** Phase 1, vector pictures: CSS values of an SVG in the words that its renderer knows. */
import { createCanvas } from '@napi-rs/canvas';
import type { Matrix } from '../../../../shared/engine/geometry.ts';
import { multiply } from '../../../../shared/engine/geometry.ts';

/** Pixels of CSS's units. */
const units: Readonly<Record<string, number>> = {
  ...{ '': 1, px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 96 / 2.54, mm: 96 / 25.4, q: 96 / 101.6 },
};
const namedSizes: Readonly<Record<string, number>> = {
  ...{
    'xx-small': 9,
    'x-small': 10,
    small: 13,
    medium: 16,
    large: 18,
    'x-large': 24,
    'xx-large': 32,
  },
};

/**
 * A length in pixels; null if it is none.
 *
 * @param em Pixels of 1em and of 100 %.
 */
export function lengthIn(text: string, em: number): number | null {
  const [, number = '', unit = ''] =
    /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z]*|%)$/i.exec(text.trim()) ?? [];
  if (number === '') return namedSizes[text.trim()] ?? null;
  const factor = { em, rem: 16, ex: em / 2, '%': em / 100 }[unit.toLowerCase()];
  const value = Number(number) * (factor ?? units[unit.toLowerCase()] ?? NaN);
  return Number.isFinite(value) ? value : null;
}

const mixing = createCanvas(1, 1);
const mixed = new Map<string, string>();

/** A colour function of any kind as `rgba()`; other paints as they are. */
export function plainColor(value: string): string {
  // A name of CSS that SVG 1.1 lacks.
  if (value.toLowerCase() === 'rebeccapurple') return '#663399';
  if (!/^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix)\(/i.test(value)) return value;
  const known = mixed.get(value);
  if (known !== undefined) return known;
  const context = mixing.getContext('2d');
  context.clearRect(0, 0, 1, 1);
  context.fillStyle = 'transparent';
  context.fillStyle = value;
  context.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0, a = 0] = context.getImageData(0, 0, 1, 1).data;
  const plain = `rgba(${r},${g},${b},${Math.round((a / 255) * 1000) / 1000})`;
  if (mixed.size > 1000) mixed.clear();
  mixed.set(value, plain);
  return plain;
}

/**
 * CSS's or SVG's list of transforms as a matrix; null if it has something else, such as the third dimension.
 *
 * @param box Width and height that percentages refer to.
 */
export function transformIn(text: string, box: { width: number; height: number }): Matrix | null {
  let matrix: Matrix = [1, 0, 0, 1, 0, 0];
  if (text.trim() === '' || text.trim() === 'none') return matrix;
  const calls = [...text.matchAll(/([a-z]+)\s*\(([^()]*)\)/gi)];
  if (calls.length === 0) return null;
  for (const [, name = '', inside = ''] of calls) {
    const words = inside.trim().split(/[\s,]+/);
    const angle = (word = '0'): number => {
      const factor =
        /rad$/.test(word) && !/grad$/.test(word)
          ? 1
          : /turn$/.test(word)
            ? 2 * Math.PI
            : /grad$/.test(word)
              ? Math.PI / 200
              : Math.PI / 180;
      return (parseFloat(word) || 0) * factor;
    };
    const length = (word: string | undefined, side: number): number =>
      lengthIn(word ?? '0', /%$/.test(word ?? '') ? side : 16) ?? 0;
    const number = (word: string | undefined, spare: number): number =>
      word === undefined ? spare : (parseFloat(word) || 0) / (/%$/.test(word) ? 100 : 1);
    const [first, second, third] = words;
    const step = ((): Matrix | null => {
      switch (name.toLowerCase()) {
        case 'translate':
          return [1, 0, 0, 1, length(first, box.width), length(second, box.height)];
        case 'translatex':
          return [1, 0, 0, 1, length(first, box.width), 0];
        case 'translatey':
          return [1, 0, 0, 1, 0, length(first, box.height)];
        case 'scale': {
          const x = number(first, 1);
          return [x, 0, 0, number(second, x), 0, 0];
        }
        case 'scalex':
          return [number(first, 1), 0, 0, 1, 0, 0];
        case 'scaley':
          return [1, 0, 0, number(first, 1), 0, 0];
        case 'skewx':
          return [1, 0, Math.tan(angle(first)), 1, 0, 0];
        case 'skewy':
          return [1, Math.tan(angle(first)), 0, 1, 0, 0];
        case 'rotate': {
          const [cos, sin] = [Math.cos(angle(first)), Math.sin(angle(first))];
          const [x, y] = [number(second, 0), number(third, 0)];
          return [cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y];
        }
        case 'matrix': {
          const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = words.map(Number);
          return [a, b, c, d, e, f].every(Number.isFinite) ? [a, b, c, d, e, f] : null;
        }
        default:
          return null;
      }
    })();
    if (!step) return null;
    matrix = multiply(matrix, step);
  }
  return matrix;
}

/** All numbers of a list. */
export function numbersIn(text: string): number[] {
  return (text.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi) ?? []).map(Number);
}
