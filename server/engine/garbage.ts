/**
 * Garbage collection on demand. The engine does not see how large the pixels are that were read from a canvas, so that they
 * stay until it happens to collect; and what they held is given back in a later turn only.
 */
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

/** Frees pixels that nobody holds any more. Takes some 10 ms. */
export async function freeReadPixels(): Promise<void> {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    // Only contexts that are made from now on have it.
    collect = runInNewContext('gc') as () => void;
  }
  collect();
  await setImmediate();
}
