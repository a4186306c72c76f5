/** What ffmpeg leaves to mend in the frames of an animated webp. Runs in the worker, on a finished file's bytes. */

/** The longest time of a frame, milliseconds. */
const longestTime = 0xff_ffff;

/** Lets a webp end where its film does: ffmpeg gives the last frame the mean time of the others. Changes the bytes. */
export function endAt(webp: Buffer, milliseconds: number): void {
  const frames = frameTimes(webp);
  const last = frames.pop();
  if (last === undefined) return;
  const start = frames.reduce((sum, at) => sum + webp.readUIntLE(at, 3), 0);
  webp.writeUIntLE(Math.min(longestTime, Math.max(1, milliseconds - start)), last, 3);
}

/** Offsets of the times of all frames. */
function frameTimes(webp: Buffer): number[] {
  const found: number[] = [];
  for (let at = 12; at + 8 <= webp.length;) {
    const size = webp.readUInt32LE(at + 4);
    if (webp.toString('latin1', at, at + 4) === 'ANMF') found.push(at + 20);
    at += 8 + size + (size % 2);
  }
  return found;
}
