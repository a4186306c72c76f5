/**
 * Lets work give way to the server's own thread: people notice a slow API at once, but not a render that takes a moment
 * longer. Without contention it costs nothing. Linux desktops first share time among sessions, and each worker has its
 * own session; that share stays as it is, so that other programs don't starve renders.
 */
import { readdirSync } from 'node:fs';
import os from 'node:os';
import type { RenderPriority } from '../../shared/api.ts';

/** A `nice` value: higher numbers wait. ffmpeg, which reads and writes ahead, waits longer (`setProgramPriority`). */
const behindServer = 5;

/**
 * Puts this process, and all that it starts from now on, behind the server or beside it. Most systems let only an
 * administrator go back to `normal`: then it stays as it is.
 */
export function takePriority(priority: RenderPriority): void {
  const value = priority === 'low' ? behindServer : os.constants.priority.PRIORITY_NORMAL;
  set(0, value);
  if (process.platform !== 'linux') return;
  // On Linux each thread has its own priority, including those that Node has already started.
  for (const thread of readdirSync('/proc/self/task')) set(Number(thread), value);
}

/** Puts the calling thread behind the server's; only on Linux, where threads can differ. */
export function giveWayAsThread(): void {
  if (process.platform === 'linux') set(0, behindServer);
}

/**
 * The same for a program that this process has started: it waits for the process, unless that takes its turn like all
 * others.
 */
export function setProgramPriority(pid: number, priority: RenderPriority): void {
  const { PRIORITY_BELOW_NORMAL, PRIORITY_NORMAL } = os.constants.priority;
  set(pid, priority === 'low' ? PRIORITY_BELOW_NORMAL : PRIORITY_NORMAL);
}

function set(id: number, value: number): void {
  try {
    os.setPriority(id, value);
  } catch {
    // The thread is gone, or we lack the right; both are harmless.
  }
}

// The environment of programs that we start: none of the server's own variables, no secrets, no settings that change
// what they do.

/**
 * What any program needs to find programs and folders; without its own, Windows may refuse to start them or to open
 * sockets.
 */
const usual = ['PATH', 'TEMP', 'TMP', 'TMPDIR', 'SystemRoot', 'windir'];

/** This process's usual variables and the named ones, if set. */
export function environmentWith(...names: readonly string[]): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of [...usual, ...names]) {
    const value = process.env[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

/** False if there is no process with this number; true also for one of another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
