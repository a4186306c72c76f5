/**
 * Lets work give way to the server's own thread: people notice a slow API at once, but not a render that takes a moment
 * longer. Without contention it costs nothing. Linux desktops first share time among sessions, and each worker has its
 * own session; that share stays as it is, so that other programs don't starve renders.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import type { Readable } from 'node:stream';
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

/** How a program ended. */
export interface ProgramEnd {
  /** Null where it was killed. */
  readonly code: number | null;
  readonly killer: NodeJS.Signals | null;
  /** The end of what it wrote to stderr. */
  readonly said: string;
  /** Why it could not be started (`ENOENT`: there is none of this name); null: it ran. */
  readonly fault: NodeJS.ErrnoException | null;
}

/** One run of a program. */
export interface ProgramRun {
  readonly environment: Readonly<Record<string, string>>;
  /** Kills it. */
  readonly signal: AbortSignal;
  /** Milliseconds until it is killed. Default: it takes its time. */
  readonly time?: number;
  /** Told each line of stderr, once. Default: nobody. */
  readonly onLine?: (line: string) => void;
}

/**
 * Runs a program to its end; its output is thrown away.
 *
 * @throws What the signal says.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  { environment, signal, time, onLine }: ProgramRun,
): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    let child: ChildProcessByStdio<null, null, Readable>;
    try {
      child = spawn(program, args, {
        env: environment,
        windowsHide: true,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
    } catch (error) {
      // Node throws some of the system's refusals at once.
      resolve({ code: null, killer: null, said: '', fault: error as NodeJS.ErrnoException });
      return;
    }
    const kill = (): void => void child.kill('SIGKILL');
    const late = time === undefined ? undefined : setTimeout(kill, time);
    signal.addEventListener('abort', kill, { once: true });
    let said = '';
    let begun = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4096);
      // A chunk may contain many lines or part of one.
      const lines = (begun + text).split(/[\r\n]+/);
      begun = lines.pop()?.slice(-4096) ?? '';
      for (const line of lines) onLine?.(line);
    });
    const settle = (end: Omit<ProgramEnd, 'said'>): void => {
      clearTimeout(late);
      signal.removeEventListener('abort', kill);
      if (signal.aborted && end.fault === null) reject(signal.reason as Error);
      else resolve({ ...end, said });
    };
    child.once('error', (fault) => settle({ code: null, killer: null, fault }));
    child.once('close', (code, killer) => settle({ code, killer, fault: null }));
  });
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

/* How long programs have computed, where the system says. */

/** Linux's clock ticks per second in /proc. */
const ticks = 100;

/** Seconds of computing. */
interface Computed {
  /** Of the process itself, all threads together. */
  readonly own: number;
  /** Of the ended programs that it started. */
  readonly children: number;
}

/** What a process has computed so far; null where the system does not say, and for one that is gone. */
export function computedBy(pid: number | 'self'): Computed | null {
  if (process.platform !== 'linux') return null;
  try {
    // The name, in brackets, may contain anything; the fields after it are numbers (man 5 proc).
    const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?=[^)]*$)/);
    const [user = 0, system = 0, ended = 0, endedSystem = 0] = fields
      .split(' ')
      .slice(11, 15)
      .map(Number);
    return { own: (user + system) / ticks, children: (ended + endedSystem) / ticks };
  } catch {
    return null;
  }
}

/*
 * When a program of the command line is told to end: by Ctrl+C, by the system, or because a terminal or a parent is
 * gone.
 */

/**
 * One Ctrl+C may arrive several times: the terminal sends it to every program in it, and `npm` and main/launch.mjs pass
 * it on. Signals within this time, in ms, count as one; a later one is from a user who doesn't want to wait, and ends
 * the process at once.
 */
const sameSignal = 1000;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls the listener once, at the first of the signals that ask for an orderly end. */
export function onEndSignal(listener: (signal: NodeJS.Signals) => void): void {
  let isTold = false;
  const hear = (signal: NodeJS.Signals): void => {
    if (isTold) return;
    isTold = true;
    setTimeout(() => {
      for (const signal of signals) process.off(signal, hear);
    }, sameSignal).unref();
    listener(signal);
  };
  for (const signal of signals) process.on(signal, hear);
}

/**
 * Ends this process by the signal that it was told to end by, so that shells and scripts stop as well: 130 for Ctrl+C.
 */
function endBy(signal: NodeJS.Signals): void {
  for (const one of signals) process.removeAllListeners(one);
  process.kill(process.pid, signal);
}

/** Work that a signal stops. */
export interface StoppedWork {
  /** Aborted by the first signal that asks for an orderly end. */
  readonly signal: AbortSignal;
  /** Ends this process by that signal, if there was one. */
  readonly endIfTold: () => void;
}

/** Has work of a command stop at a signal, and the process end by it once that has cleaned up. */
export function stopAtSignal(): StoppedWork {
  const end = new AbortController();
  const told: { by: NodeJS.Signals | null } = { by: null };
  onEndSignal((signal) => {
    told.by = signal;
    end.abort();
  });
  return {
    signal: end.signal,
    endIfTold() {
      if (told.by !== null) endBy(told.by);
    },
  };
}

/** Resolves when this process is asked to end, or when the parent that listens to it is gone. */
export function toldToEnd(): Promise<void> {
  return new Promise((resolve) => {
    onEndSignal(() => resolve());
    if (process.connected) process.once('disconnect', () => resolve());
  });
}

/**
 * Whether threads without work may be ended. Any process.
 *
 * Electron's Node can abort its whole process while one of its threads is being ended (electron#47986: `!flush_tasks_`
 * fails), so that there a thread which was started once stays. Threads that take too long or too much memory are ended
 * everywhere.
 */
export function endsIdleThreads(): boolean {
  return !('electron' in process.versions);
}
