/**
 * Lets work give way to the server's own thread: people notice a slow API at once, but not a render that takes a moment
 * longer. Without contention it costs nothing. Linux desktops first share time among sessions, and each worker has its own
 * session; that share stays as it is, so that other programs don't starve renders.
 */
import { readdirSync } from 'node:fs';
import os from 'node:os';

/** A `nice` value: higher numbers wait. ffmpeg, which reads and writes ahead, waits longer (engine/ffmpeg.ts). */
const behindServer = 5;

/** Puts this process and all that it starts from now on behind the server. Call it before starting threads. */
export function giveWay(): void {
  lower(0);
  if (process.platform !== 'linux') return;
  // On Linux each thread has its own priority, including those that Node has already started.
  for (const thread of readdirSync('/proc/self/task')) lower(Number(thread));
}

/** Puts the calling thread behind the server's; only on Linux, where threads can differ. */
export function giveWayAsThread(): void {
  if (process.platform === 'linux') lower(0);
}

function lower(id: number): void {
  try {
    os.setPriority(id, behindServer);
  } catch {
    // The thread is gone, or we lack the right; both are harmless.
  }
}
