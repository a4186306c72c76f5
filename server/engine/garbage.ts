/**
 * Garbage collection on demand. JavaScript's engine does not see the size of pixels read from a canvas, so they stay until
 * it happens to collect; and their memory is only returned in a later turn.
 */
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

/** Frees unreferenced pixels. Takes about 10 ms. */
export async function freeReadPixels(): Promise<void> {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    // Only contexts created from now on have it.
    collect = runInNewContext('gc') as () => void;
  }
  collect();
  await setImmediate();
}
