/**
 * Turns off every optimisation: with `FRAMEWRIGHT_PLAN=plain` every frame of every film is painted whole, from files read
 * again, to compare both ways. Runs in the worker.
 */
export function isPlainWay(): boolean {
  return process.env['FRAMEWRIGHT_PLAN'] === 'plain';
}
