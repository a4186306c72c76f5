/** Files made worse: cut off, with flipped bits, with zeros, doubled or missing pieces, and sizes that lie. */
import type { Random } from './cases.ts';

const changes: readonly ((random: Random, file: Buffer, at: number) => Buffer)[] = [
  (_random, file, at) => file.subarray(0, at),
  (random, file, at) => flipped(random, file, at, 1),
  (random, file, at) => flipped(random, file, at, 40),
  (random, file, at) => filled(file, at, 1 + random.below(200), 0),
  // Lengths and counts in all formats: the largest there are.
  (random, file, at) => filled(file, at, 1 + random.below(4), 255),
  (random, file, at) =>
    Buffer.concat([
      file.subarray(0, at),
      file.subarray(Math.min(file.length, at + random.below(500))),
    ]),
  (random, file, at) =>
    Buffer.concat([file.subarray(0, at + random.below(500)), file.subarray(at)]),
];

/** The file after one to four changes, more of them near its beginning, where headers are. */
export function brokenFile(random: Random, file: Buffer): Buffer {
  let broken = file;
  for (let left = 1 + random.below(4); left > 0; left--) {
    const reach = random.oneIn(2) ? Math.min(400, broken.length) : broken.length;
    broken = random.pick(changes)(random, broken, random.below(reach + 1));
  }
  return broken;
}

function flipped(random: Random, file: Buffer, at: number, count: number): Buffer {
  const copy = Buffer.from(file);
  for (let left = count; left > 0; left--) {
    const place = Math.min(copy.length - 1, at + (left === 1 ? 0 : random.below(2_000)));
    if (place >= 0) copy[place] = (copy[place] ?? 0) ^ (1 << random.below(8));
  }
  return copy;
}

function filled(file: Buffer, at: number, count: number, value: number): Buffer {
  const copy = Buffer.from(file);
  return copy.fill(value, at, Math.min(copy.length, at + count));
}
