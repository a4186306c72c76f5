/**
 * Repairs gifs from ffmpeg before 5.0, which marks every frame as "keep": where a later frame is transparent, the earlier
 * one shows through. Runs in the worker, only for transparent gifs of those versions.
 */
import { open, readFile } from 'node:fs/promises';

/** What happens to a frame before the next one is drawn; bits 2 to 4 of a control block's flags. */
const disposalMask = 0b0001_1100;
const clearFrame = 2 << 2;

/** Marks every frame of a gif to be cleared before the next one. Only correct if every frame covers the whole picture. */
export async function clearBetweenFrames(filePath: string): Promise<void> {
  const bytes = await readFile(filePath);
  await using file = await open(filePath, 'r+');
  for (const at of controlFlags(bytes)) {
    const flags = ((bytes[at] ?? 0) & ~disposalMask) | clearFrame;
    await file.write(Uint8Array.of(flags), 0, 1, at);
  }
}

/** Offsets of the flags byte of every graphic control block. */
export function controlFlags(gif: Uint8Array): number[] {
  const byte = (at: number): number => gif[at] ?? 0;
  const paletteSize = (flags: number): number =>
    (flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1);
  const found: number[] = [];
  let at = 13 + paletteSize(byte(10));
  while (at < gif.length && byte(at) !== 0x3b) {
    if (byte(at) === 0x21) {
      if (byte(at + 1) === 0xf9) found.push(at + 3);
      at += 2;
    } else if (byte(at) === 0x2c) {
      at += 11 + paletteSize(byte(at + 9));
    } else {
      throw new Error(`the gif has an unknown block ${byte(at)} at ${at}`);
    }
    // Data blocks: a length, so many bytes, and again, until a length of 0.
    while (byte(at) !== 0) at += byte(at) + 1;
    at++;
  }
  return found;
}
