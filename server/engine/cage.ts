/**
 * What the system keeps an ffmpeg from: the network, more memory and files than its work takes, and living longer than what
 * started it. Only Linux has these as programs that start another in their place (util-linux: same process, same number);
 * elsewhere ffmpeg is started as it is.
 * Found out once in a process, by trying. What it costs and what was not taken: SECURITY.md.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { FfmpegCage } from '../../shared/api.ts';
import { decodeLimits } from '../../shared/limits.ts';

/** What an ffmpeg may take; `Infinity`: what the system lets it. */
export interface ProcessLimits {
  /** Bytes of memory that it may reserve for itself, used or not. */
  readonly memory: number;
  /** Bytes of each file that it writes. Pipes are not counted. */
  readonly writes: number;
  /** Files and pipes open at a time. */
  readonly files: number;
}

/** What reads the file of somebody else and answers over a pipe. */
export const decoderLimits: ProcessLimits = {
  memory: decodeLimits.processMemory,
  writes: decodeLimits.processWrites,
  files: decodeLimits.processFiles,
};

/** What reads our own frames and writes the film: of any size, and x264 reserves 6 GB for 8K with 16 threads. */
export const encoderLimits: ProcessLimits = {
  memory: Infinity,
  writes: Infinity,
  files: Infinity,
};

/** What this system offers. */
export interface Cage {
  /** The start of a command that has no network; empty without. */
  readonly network: readonly string[];
  /** Above these nobody but an administrator may go; null where nothing can be limited. */
  readonly most: ProcessLimits | null;
  /** The start of a command that ends with the process that started it, however that ends; empty without. */
  readonly lifeline: readonly string[];
}

const none: Cage = { network: [], most: null, lifeline: [] };
let known: Promise<Cage> | undefined;

/** What it comes to, in a word: for whoever tells a person. @param cage Absent: nothing. */
export function cageInWords({ network, most }: Cage = none): FfmpegCage {
  if (network.length > 0) return most ? 'network and limits' : 'network';
  return most ? 'limits' : 'none';
}

/** What this system offers, tried with a program that does nothing. Never rejects. */
export function findCage(): Promise<Cage> {
  known ??= process.platform === 'linux' ? tryOut() : Promise.resolve(none);
  return known;
}

async function tryOut(): Promise<Cage> {
  // An administrator in a space of its own could read none but its own files; it needs none for this.
  const unshare = ['unshare', process.getuid?.() === 0 ? '-n' : '-rn', '--'];
  const most = await hardLimits();
  const lifeline = ['setpriv', '--pdeathsig', 'KILL', '--'];
  const [hasNetwork, hasLimits, hasLifeline] = await Promise.all([
    works([...unshare, 'true']),
    works(caged({ ...none, most }, decoderLimits, ['true'])),
    works([...lifeline, 'true']),
  ]);
  return {
    network: hasNetwork ? unshare : [],
    most: hasLimits ? most : null,
    lifeline: hasLifeline ? lifeline : [],
  };
}

async function works([program = '', ...args]: readonly string[]): Promise<boolean> {
  return promisify(execFile)(program, args, { timeout: 5_000 }).then(
    () => true,
    () => false,
  );
}

async function hardLimits(): Promise<ProcessLimits> {
  const table = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const of = (name: string): number => {
    const hard = new RegExp(`^${name} +\\S+ +(\\d+)`, 'm').exec(table)?.[1];
    return hard === undefined ? Infinity : Number(hard);
  };
  return { memory: of('Max data size'), writes: of('Max file size'), files: of('Max open files') };
}

/** A command as it is started in the cage; the same command where there is none. */
export function caged(
  { network, most, lifeline }: Cage,
  limits: ProcessLimits,
  command: readonly string[],
): string[] {
  // Last, because the system forgets the lifeline when a process changes its rights.
  const inner = [...lifeline, ...command];
  if (!most) return [...network, ...inner];
  const option = (name: string, wanted: number, hard: number): string[] =>
    wanted === Infinity ? [] : [`--${name}=${Math.min(wanted, hard)}`];
  return [
    ...network,
    ...['prlimit', '--core=0'],
    ...option('data', limits.memory, most.memory),
    ...option('fsize', limits.writes, most.writes),
    ...option('nofile', limits.files, most.files),
    ...['--', ...inner],
  ];
}

/** The system's code for a program that the cage could not start, by what it said and ended with; null for all else. */
export function startFailure(code: number | null, text: string): 'ENOENT' | 'EACCES' | null {
  if (!/^(?:unshare|prlimit|setpriv): failed to execute /m.test(text)) return null;
  return code === 127 ? 'ENOENT' : 'EACCES';
}
