/**
 * Phase 1, pictures: a png's `cICP` chunk, which the drawing library doesn't know, as the colour profile (`iCCP`) that
 * it does. Pure functions on bytes.
 */
import { deflateSync } from 'node:zlib';
import { pngChunk } from './picture-animation.ts';

/** Red, green and blue in XYZ under D50, by the code of the primaries (ITU-T H.273). */
const primaries: Readonly<Record<number, readonly (readonly number[])[]>> = {
  9: [
    [0.67346, 0.27903, -0.00193],
    [0.16566, 0.67534, 0.02998],
    [0.1251, 0.04563, 0.79716],
  ],
  12: [
    [0.5151, 0.24118, -0.00105],
    [0.29197, 0.69224, 0.04188],
    [0.15715, 0.06658, 0.78438],
  ],
};

/** Codes of curves that count as sRGB's: BT.709, its kin, and sRGB. Those of high dynamic range are none. */
const standardCurves = new Set([1, 6, 13, 14, 15]);

/** Chunks that say less than `cICP` does about the same. */
const overruled = new Set(['cICP', 'iCCP', 'sRGB', 'gAMA', 'cHRM']);

const headerEnd = 33;

/** A png whose colours a `cICP` chunk says, with a profile instead; any other bytes as they are. */
export function withProfile(bytes: Buffer): Buffer {
  if (bytes.length < headerEnd || bytes.readUInt32BE(0) !== 0x8950_4e47) return bytes;
  const kept: Buffer[] = [];
  let profile: Buffer | null = null;
  let at = headerEnd;
  while (at + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'IDAT' || at + 12 + length > bytes.length) break;
    if (type === 'cICP' && length === 4)
      profile = profileOf(bytes[at + 8] ?? 0, bytes[at + 9] ?? 0);
    if (!overruled.has(type)) kept.push(bytes.subarray(at, at + 12 + length));
    at += 12 + length;
  }
  if (!profile) return bytes;
  const chunk = pngChunk('iCCP', Buffer.concat([Buffer.from('cICP\0\0'), deflateSync(profile)]));
  return Buffer.concat([bytes.subarray(0, headerEnd), chunk, ...kept, bytes.subarray(at)]);
}

function profileOf(primary: number, curve: number): Buffer | null {
  const colors = primaries[primary];
  return colors && standardCurves.has(curve) ? matrixProfile(colors) : null;
}

/** An ICC profile of three colours and the curve of sRGB. */
function matrixProfile(colors: readonly (readonly number[])[]): Buffer {
  const curve = tag('para', [3 << 16], [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]);
  const whitePoint = tag('XYZ ', [], [0.9642, 1, 0.8249]);
  const tags = [
    ['wtpt', whitePoint] as const,
    ...['rXYZ', 'gXYZ', 'bXYZ'].map((name, index) => {
      return [name, tag('XYZ ', [], colors[index] ?? [])] as const;
    }),
    ...['rTRC', 'gTRC', 'bTRC'].map((name) => [name, curve] as const),
  ];
  const head = Buffer.alloc(132 + tags.length * 12);
  let end = head.length;
  tags.forEach(([name, content], index) => {
    const row = 132 + index * 12;
    head.write(name, row, 'latin1');
    head.writeUInt32BE(end, row + 4);
    head.writeUInt32BE(content.length, row + 8);
    end += content.length;
  });
  head.writeUInt32BE(end, 0);
  head.writeUInt32BE(0x0400_0000, 8);
  head.write('mntrRGB XYZ ', 12, 'latin1');
  head.write('acsp', 36, 'latin1');
  whitePoint.copy(head, 68, 8);
  head.writeUInt32BE(tags.length, 128);
  return Buffer.concat([head, ...tags.map(([, content]) => content)]);
}

/** A tag's type, whole numbers, and numbers with 16 bits after the point. */
function tag(type: string, whole: readonly number[], fractions: readonly number[]): Buffer {
  const numbers = [0, ...whole, ...fractions.map((value) => Math.round(value * 65536))];
  const bytes = Buffer.alloc(4 + numbers.length * 4);
  bytes.write(type, 'latin1');
  numbers.forEach((value, index) => bytes.writeInt32BE(value, 4 + index * 4));
  return bytes;
}
