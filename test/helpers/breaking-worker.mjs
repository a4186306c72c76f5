/**
 * Loaded into a real worker with `--import`: makes the drawing library break on request. Drawing a shape in the colour
 * `#fa0b0N` does what row N says; everything else works as usual.
 */
import { promises } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/** Stops this thread, because the signal may reach another one first. */
const endBy = (signal) => {
  process.kill(process.pid, signal);
  for (;;);
};
const tables = {
  // Ends as the system ends a process after a bad memory access.
  1: () => endBy('SIGSEGV'),
  2: () => {
    for (;;);
  },
  // Takes memory bit by bit and never frees it.
  3: () => {
    for (const pieces = []; ;) pieces.push(Buffer.alloc(32 << 20, 1));
  },
  4: () => {
    throw new TypeError('a fault of the drawing library');
  },
  // One slow step that ends.
  5: () => {
    for (const before = performance.now(); performance.now() - before < 3_000;);
  },
  6: () => endBy('SIGABRT'),
  7: () => endBy('SIGKILL'),
  // Where nobody can catch it.
  8: () => setTimeout(() => Promise.reject(new RangeError('a rejection that nobody waits for')), 0),
  // Folders can't be removed from now on, as where another program has one of their files open.
  9: () => {
    promises.rm = () => Promise.reject(new Error('EBUSY: resource busy or locked'));
    syncBuiltinESMExports();
  },
};

if (!isMainThread) {
  const { createCanvas } = createRequire(import.meta.url)('@napi-rs/canvas');
  const prototype = Object.getPrototypeOf(createCanvas(1, 1).getContext('2d'));
  const { get, set } = Object.getOwnPropertyDescriptor(prototype, 'fillStyle');
  Object.defineProperty(prototype, 'fillStyle', {
    get,
    set(value) {
      const row = /^rgba\(250,11,(\d),/.exec(String(value))?.[1];
      if (row !== undefined) tables[row]?.();
      set.call(this, value);
    },
  });
}
