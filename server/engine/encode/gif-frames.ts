/** What ffmpeg leaves to mend in the frames of a gif. Runs in the worker, on the bytes of a finished file. */

/** What happens to a frame before the next one is drawn; bits 2 to 4 of a control block's flags. */
const disposalMask = 0b0001_1100;
const clearFrame = 2 << 2;

/** The longest time of a frame, hundredths of a second. */
const longestDelay = 0xffff;

/** Lets a gif end where its film does: ffmpeg shows the last frame as long as the one before it. Changes the bytes. */
export function endAt(gif: Buffer, hundredths: number): void {
  const delays = controlFlags(gif).map((at) => at + 1);
  const last = delays.pop();
  if (last === undefined) return;
  const start = delays.reduce((sum, at) => sum + gif.readUInt16LE(at), 0);
  gif.writeUInt16LE(Math.min(longestDelay, Math.max(1, hundredths - start)), last);
}

/**
 * Marks every frame to be cleared before the next one; ffmpeg before 5.0 marks them as "keep", and where a later frame
 * is transparent the earlier one shows through. Only right if every frame covers the whole picture. Changes the bytes.
 */
export function clearBetweenFrames(gif: Buffer): void {
  for (const at of controlFlags(gif)) gif[at] = ((gif[at] ?? 0) & ~disposalMask) | clearFrame;
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
