/** Runs the built command line: its output line by line, and how it ends. */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { noteLeft } from './long.ts';

/** Path of the built command line. */
export const cli = path.join(import.meta.dirname, '..', '..', 'dist', 'server', 'cli.mjs');

/** A running command line. */
export interface RunningCli {
  readonly child: ChildProcess;
  /** Lines of stdout so far. */
  readonly lines: string[];
  /** Lines of stderr so far. */
  readonly errors: string[];
  /** Resolves with the exit status once it has ended and all output is read. */
  readonly ended: Promise<number | null>;
}

/** Starts it in a folder. */
export function startCli(
  folder: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): RunningCli {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  const lines: string[] = [];
  const errors: string[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  createInterface(child.stderr).on('line', (line) => errors.push(line));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, lines, errors, ended };
}

/** How a command ended, and what it said, without the last line end. */
interface EndedCli {
  readonly status: number | null;
  readonly out: string;
  readonly error: string;
}

/** Runs it to its end. */
export async function runCli(
  folder: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<EndedCli> {
  const { lines, errors, ended } = startCli(folder, args, environment);
  const status = await ended;
  return { status, out: lines.join('\n'), error: errors.join('\n') };
}

/** Processes that run commands, each in one folder with the same variables. */
const hosts = new Map<string, ChildProcess>();

function hostOf(folder: string, environment: NodeJS.ProcessEnv): ChildProcess {
  const key = JSON.stringify([folder, environment]);
  let host = hosts.get(key);
  if (!host) {
    host = fork(path.join(import.meta.dirname, 'command-host.mjs'), [cli], {
      cwd: folder,
      env: { ...process.env, ...environment },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    hosts.set(key, host);
  }
  return host;
}

/**
 * Runs a command that starts nothing which goes on after it, one after the other. In `npm test` they share a process,
 * whose start is most of their work; in CI each is a program of its own. Call `endCommands` after the last.
 */
export async function runCommand(
  folder: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<EndedCli> {
  if (process.env['QUICK'] !== '1') return runCli(folder, args, environment);
  noteLeft('programs that npm test runs in one process');
  const host = hostOf(folder, environment);
  const answer = new Promise<EndedCli>((resolve, reject) => {
    const onEnd = (): void => reject(new Error(`Its process ended: ${args.join(' ')}`));
    host.once('exit', onEnd);
    host.once('message', (message) => {
      host.off('exit', onEnd);
      resolve(message as EndedCli); // what command-host.mjs sends
    });
  });
  host.send(args);
  const { status, out, error } = await answer;
  return { status, out: out.replace(/\n$/, ''), error: error.replace(/\n$/, '') };
}

/** Ends the processes of `runCommand`. */
export async function endCommands(): Promise<void> {
  for (const host of hosts.values()) {
    const ended = once(host, 'exit');
    host.disconnect();
    await ended;
  }
  hosts.clear();
}

/** Waits until it has written something to stdout. @throws Error if it ends before */
export async function said(
  { child, lines, errors, ended }: RunningCli,
  text: string,
): Promise<void> {
  const isSaid = (): boolean => lines.some((line) => line.includes(text));
  let timer: NodeJS.Timeout | undefined;
  const heard = new Promise<void>((resolve) => {
    timer = setInterval(() => isSaid() && resolve(), 20);
  });
  await Promise.race([heard, ended]);
  clearInterval(timer);
  if (!isSaid()) throw new Error(`${child.spawnargs.join(' ')} ended: ${errors.join('\n')}`);
}

/** The present worker processes of a program. Linux only. */
export function workersOf(pid: number): readonly number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
      const isWorker =
        Number(parent) === pid &&
        readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('worker.mjs');
      return isWorker ? [Number(name)] : [];
    } catch {
      return []; // it ended meanwhile
    }
  });
}

/** Waits until none of these processes exists; zombies don't count. */
export async function gone(pids: readonly number[]): Promise<void> {
  const isThere = (pid: number): boolean => {
    try {
      return !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return false;
    }
  };
  await expect.poll(() => pids.filter(isThere)).toEqual([]);
}
