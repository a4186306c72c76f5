/** Makes animated GIF, WebP and PNG files of single-colour patches, and says what each frame should show. */
import { createCanvas } from '@napi-rs/canvas';
import { crc32 } from 'node:zlib';

/** Red, green, blue, opacity; opacity is 0 or 255 in a GIF. */
type Colour = readonly [number, number, number, number];

/** A frame: a rectangle in one colour, and what it does to the canvas. */
export interface Patch {
  readonly place: readonly [x: number, y: number, width: number, height: number];
  readonly colour: Colour;
  readonly milliseconds?: number;
  readonly blend?: 'over' | 'replace';
  readonly disposal?: 'keep' | 'clear' | 'restore';
}

/** An animation; `plays`: 0 means for ever. */
export interface PatchAnimation {
  readonly width: number;
  readonly height: number;
  readonly plays: number;
  readonly patches: readonly Patch[];
}

/** The visible pixels of each frame: straight RGBA rows, calculated on plain lists without a canvas. */
export function expectedFrames({ width, height, patches }: PatchAnimation): Uint8ClampedArray[] {
  let ground = new Uint8ClampedArray(width * height * 4);
  return patches.map(({ place: [left, top, across, down], colour, blend, disposal }) => {
    const seen = ground.slice();
    const cleared = ground.slice();
    for (let y = top; y < top + down; y++) {
      for (let x = left; x < left + across; x++) {
        const at = (y * width + x) * 4;
        seen.set(blend === 'replace' ? colour : over(colour, seen.slice(at, at + 4)), at);
        cleared.set([0, 0, 0, 0], at);
      }
    }
    if (disposal === 'clear') ground = cleared;
    else if (disposal !== 'restore') ground = seen;
    return seen;
  });
}

function over([r, g, b, a]: Colour, below: Uint8ClampedArray): number[] {
  const [opacity, under] = [a / 255, ((below[3] ?? 0) / 255) * (1 - a / 255)];
  const all = opacity + under;
  const mix = (one: number, two: number): number =>
    all === 0 ? 0 : (one * opacity + two * under) / all;
  return [mix(r, below[0] ?? 0), mix(g, below[1] ?? 0), mix(b, below[2] ?? 0), all * 255];
}

function drawnPatch({ place: [, , width, height], colour: [r, g, b, a] }: Patch) {
  const canvas = createCanvas(width, height);
  const ctx = canvas.getContext('2d');
  ctx.fillStyle = `rgba(${r}, ${g}, ${b}, ${a / 255})`;
  ctx.fillRect(0, 0, width, height);
  return canvas;
}

/** As an animated PNG. */
export function asPng({ width, height, plays, patches }: PatchAnimation): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const control = Buffer.alloc(8);
  control.writeUInt32BE(patches.length, 0);
  control.writeUInt32BE(plays, 4);
  let sequence = 0;
  const frames = patches.flatMap((patch, index) => {
    const [x, y, across, down] = patch.place;
    const place = Buffer.alloc(26);
    [sequence++, across, down, x, y].forEach((value, at) => place.writeUInt32BE(value, at * 4));
    place.writeUInt16BE(patch.milliseconds ?? 100, 20);
    place.writeUInt16BE(1000, 22);
    place.writeUInt8({ keep: 0, clear: 1, restore: 2 }[patch.disposal ?? 'keep'], 24);
    place.writeUInt8(patch.blend === 'replace' ? 0 : 1, 25);
    const pixels = pngPixels(drawnPatch(patch).toBuffer('image/png'));
    if (index === 0) return [chunk('fcTL', place), chunk('IDAT', pixels)];
    const number = Buffer.alloc(4);
    number.writeUInt32BE(sequence++);
    return [chunk('fcTL', place), chunk('fdAT', Buffer.concat([number, pixels]))];
  });
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('acTL', control),
    ...frames,
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngPixels(file: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let offset = 8; offset + 12 <= file.length; offset += file.readUInt32BE(offset) + 12) {
    if (file.toString('latin1', offset + 4, offset + 8) === 'IDAT')
      parts.push(file.subarray(offset + 8, offset + 8 + file.readUInt32BE(offset)));
  }
  return Buffer.concat(parts);
}

/** As an animated WebP, where places are even numbers, and `restore` does not exist. */
export function asWebp({ width, height, plays, patches }: PatchAnimation): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.write(type, 'latin1');
    head.writeUInt32LE(data.length, 4);
    return Buffer.concat([head, data, Buffer.alloc(data.length & 1)]);
  };
  const canvas = Buffer.alloc(10);
  canvas.writeUInt8(0x12, 0);
  canvas.writeUIntLE(width - 1, 4, 3);
  canvas.writeUIntLE(height - 1, 7, 3);
  const loop = Buffer.alloc(6);
  loop.writeUInt16LE(plays, 4);
  const frames = patches.map((patch) => {
    const [x, y, across, down] = patch.place;
    const place = Buffer.alloc(16);
    [x / 2, y / 2, across - 1, down - 1, patch.milliseconds ?? 100].forEach((value, at) =>
      place.writeUIntLE(value, at * 3, 3),
    );
    place.writeUInt8(
      (patch.blend === 'replace' ? 2 : 0) | (patch.disposal === 'clear' ? 1 : 0),
      15,
    );
    return chunk('ANMF', Buffer.concat([place, webpPixels(drawnPatch(patch).encodeSync('webp'))]));
  });
  const body = Buffer.concat([
    Buffer.from('WEBP', 'latin1'),
    chunk('VP8X', canvas),
    chunk('ANIM', loop),
    ...frames,
  ]);
  return chunk('RIFF', body);
}

/** The pixel chunks of a still file: opacity and colours, separate or together. */
function webpPixels(file: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let offset = 12; offset + 8 <= file.length;) {
    const length = file.readUInt32LE(offset + 4);
    const end = offset + 8 + length + (length & 1);
    if (/^(ALPH|VP8 |VP8L)$/.test(file.toString('latin1', offset, offset + 4)))
      parts.push(file.subarray(offset, end));
    offset = end;
  }
  return Buffer.concat(parts);
}

/** As an animated GIF: every frame has a table of two colours, the second transparent. */
export function asGif({ width, height, plays, patches }: PatchAnimation): Buffer {
  const words = (...values: number[]): number[] =>
    values.flatMap((value) => [value & 255, value >> 8]);
  const loop = [0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0'), 3, 1];
  const frames = patches.flatMap((patch) => {
    const { place, colour, milliseconds = 100, disposal = 'keep' } = patch;
    const [r, g, b, opacity] = colour;
    const method = { keep: 1, clear: 2, restore: 3 }[disposal];
    // The colour table has 128 places, so that codes are whole bytes until the decoder's own table is full; a clear
    // code every hundred pixels keeps it from getting there.
    const table = Buffer.alloc(128 * 3);
    table.set([r, g, b], 0);
    const codes: number[] = [];
    for (let left = place[2] * place[3]; left > 0; left -= 100)
      codes.push(128, ...Array<number>(Math.min(100, left)).fill(opacity > 0 ? 0 : 1));
    codes.push(129);
    const blocks: number[] = [];
    for (let at = 0; at < codes.length; at += 200) {
      const block = codes.slice(at, at + 200);
      blocks.push(block.length, ...block);
    }
    return [
      ...[0x21, 0xf9, 4, (method << 2) | 1, ...words(Math.round(milliseconds / 10)), 1, 0],
      ...[0x2c, ...words(...place), 0x86, ...table, 7, ...blocks, 0],
    ];
  });
  return Buffer.from([
    ...Buffer.from('GIF89a'),
    ...words(width, height),
    ...[0, 0, 0],
    // One play needs no block; the number in it counts what comes after the first.
    ...(plays === 1 ? [] : [...loop, ...words(Math.max(0, plays - 1)), 0]),
    ...frames,
    0x3b,
  ]);
}
