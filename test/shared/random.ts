/** A seeded source of random JSON for property-like tests: the same seed gives the same values on every machine. */
import type { Json } from '../../shared/renderscript/source.ts';

/** Random numbers from one seed (mulberry32, public domain). */
export interface Random {
  /** 0 ≤ value < 1. */
  next(): number;
  /** A whole number, 0 ≤ value < end. */
  below(end: number): number;
  pick<T>(items: readonly T[]): T;
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return { next, below, pick: (items) => items[below(items.length)]! };
}

const oddValues: readonly Json[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  1e308,
  '',
  'auto',
  'media',
  'end',
  '50%',
  '1e999',
  '#fff',
  '#12345',
  'rgba(1,2,3,0.5)',
  'M 0 0 L 1 1 A 1e300 1 0 0 1 5 5',
  '{{a|b}}',
  '__proto__',
  '\u0000\ud800',
  [],
  {},
  [[]],
  [null],
  [{ time: 0, value: null }],
  [{ offset: '0%', color: 'red' }],
];

/** Any JSON; objects mostly use the given keys, so that it lands near real documents. */
export function randomJson(random: Random, keys: readonly string[], depth = 4): Json {
  const roll = random.below(10);
  if (depth === 0 || roll < 5) return random.pick(oddValues);
  const size = random.below(5);
  if (roll < 7) return Array.from({ length: size }, () => randomJson(random, keys, depth - 1));
  return Object.fromEntries(
    Array.from({ length: size }, () => [random.pick(keys), randomJson(random, keys, depth - 1)]),
  );
}
