/**
 * The switch of everything that saves work: `FRAMEWRIGHT_PLAN=plain` has every frame of every film painted whole from files that
 * are read anew, e.g. to compare both ways. Runs in the worker.
 */
export function isPlainWay(): boolean {
  return process.env['FRAMEWRIGHT_PLAN'] === 'plain';
}
