/**
 * Work that gives way to the server's own thread: an API that answers late is noticed at once, a render that takes a moment
 * longer while something else computes is not. Without contention it costs nothing. Linux desktops weigh sessions against each
 * other first, and a worker has one of its own; that share is left as it is, so that other programs don't starve renders.
 */
import { readdirSync } from 'node:fs';
import os from 'node:os';

/** Above that of ffmpeg, which reads and writes ahead (engine/ffmpeg.ts), as `nice` counts: higher numbers wait. */
const behindServer = 5;

/** Puts this process behind the server, with all that it starts from now on. Call it before it starts threads. */
export function giveWay(): void {
  lower(0);
  if (process.platform !== 'linux') return;
  // There a priority is a thread's; those that Node has started already have their own.
  for (const thread of readdirSync('/proc/self/task')) lower(Number(thread));
}

/** Puts the thread that calls it behind the server's; on Linux alone, where threads can differ. */
export function giveWayAsThread(): void {
  if (process.platform === 'linux') lower(0);
}

function lower(id: number): void {
  try {
    os.setPriority(id, behindServer);
  } catch {
    // The thread is gone, or the system does not let us; both are harmless.
  }
}
