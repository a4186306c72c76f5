/**
 * Turns optimisations off, to compare with and without. Runs in the worker.
 *
 * - `FRAMEWRIGHT_PLAN=plain`: all of them; every frame of every film is painted whole, from files read again.
 * - `FRAMEWRIGHT_PLAN=frames`: only the films that one ffmpeg makes; every frame passes through the worker.
 *
 * `FRAMEWRIGHT_PAINTERS=3`: so many painting threads from the first frames on, 0 for none; otherwise they come when
 * they pay.
 */
const plan = (): string => process.env['FRAMEWRIGHT_PLAN'] ?? '';

/** True when every frame is to be painted whole. */
export function isPlainWay(): boolean {
  return plan() === 'plain';
}

/** True when one ffmpeg may make a whole film. */
export function isInOneProcess(): boolean {
  return plan() !== 'plain' && plan() !== 'frames';
}

/** How many painting threads are demanded; null: as many as pay. */
export function paintersWanted(): number | null {
  const wanted = process.env['FRAMEWRIGHT_PAINTERS'] ?? '';
  return /^\d$/.test(wanted) ? Number(wanted) : null;
}
