/**
 * Turns optimisations off, to compare with and without. Runs in the worker.
 *
 * - `FRAMEWRIGHT_PLAN=plain`: all of them; every frame of every film is painted whole, from files read again.
 * - `FRAMEWRIGHT_PLAN=frames`: only the films that one ffmpeg makes; every frame passes through the worker.
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
