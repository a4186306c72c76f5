/** Values that nobody expects, for fuzzers: of every kind, of odd sizes, with keys that mean something to programs. */
import type { Random } from './cases.ts';

const odd: readonly (() => unknown)[] = [
  () => null,
  () => '',
  () => -1,
  () => 0,
  () => 1e300,
  () => true,
  () => 'media',
  () => '50%',
  () => '5 vmin',
  () => '\u0000\ud800',
  () => '{{a}}{{b|c}}',
  () => ({ length: { toString: {} } }),
  () => ({ then: 1, toJSON: 2, constructor: 3, text: 'x', keys: 4 }),
  () => JSON.parse('{"__proto__":{"x":1}}') as unknown,
  () => [
    { time: 0, value: 1, easing: 'spring(9,9,9)' },
    { time: 'end', value: '2' },
  ],
  () => [{ copy: 'A' }, { copy: 'B', 'A.text': 1 }],
  () => Array.from({ length: 3_000 }, () => ({ time: 'q', value: {} })),
  () => 'x'.repeat(200_000),
  () => '{{a}}'.repeat(2_000),
];

/** Any JSON value; objects and lists at most three deep. */
export function hostileValue(random: Random, depth = 3): unknown {
  if (depth === 0 || !random.oneIn(3)) return random.pick(odd)();
  const items = Array.from({ length: random.below(4) }, () => hostileValue(random, depth - 1));
  if (random.oneIn(2)) return items;
  return Object.fromEntries(items.map((item, index) => [`k${index}`, item]));
}

/** Of all values of a request: a little more than a body may have, so that its limit is met, too. */
export const mostCharacters = 11_000_000;

/** The value while there is room for it, and a short one from then on. */
export function fitting(value: unknown, room: { left: number }): unknown {
  const length = room.left > 0 ? JSON.stringify(value).length : 0;
  if (length === 0 || length > room.left) return 'x';
  room.left -= length;
  return value;
}
