/**
 * What the system keeps an ffmpeg from: the network, more memory and files than its work needs, and outliving its
 * parent. Only Linux offers this, as programs that replace themselves with another (util-linux: same process, same id);
 * elsewhere ffmpeg starts without. Determined once per process, by trying. SECURITY.md has the costs and the
 * alternatives.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { FfmpegCage } from '../../shared/api.ts';
import { decodeLimits } from '../../shared/limits.ts';

/** What an ffmpeg may take; `Infinity`: as much as the system allows. */
export interface ProcessLimits {
  /** Bytes of memory that it may reserve, used or not. */
  readonly memory: number;
  /** Bytes of each file that it writes. Pipes are not counted. */
  readonly writes: number;
  /** Files and pipes open at a time. */
  readonly files: number;
  /** Bytes of one block of memory; ffmpeg itself keeps it, on every system. */
  readonly block: number;
}

/** For a process that reads a stranger's file and answers over a pipe. */
export const decoderLimits: ProcessLimits = {
  memory: decodeLimits.processMemory,
  writes: decodeLimits.processWrites,
  files: decodeLimits.processFiles,
  block: decodeLimits.block,
};

/**
 * For the process that reads our frames and writes the film: as free as its worker, since x264 reserves 6 GB for 8K
 * with 16 threads.
 */
export const encoderLimits: ProcessLimits = {
  memory: Infinity,
  writes: Infinity,
  files: Infinity,
  block: Infinity,
};

/** What this system offers. */
export interface Cage {
  /** The prefix of a command without network; empty if not available. */
  readonly network: readonly string[];
  /** Only an administrator may exceed these; null if nothing can be limited. */
  readonly most: Omit<ProcessLimits, 'block'> | null;
  /** The prefix of a command that ends with its parent, however that ends; empty if not available. */
  readonly lifeline: readonly string[];
}

const none: Cage = { network: [], most: null, lifeline: [] };
let known: Promise<Cage> | undefined;

/** The cage in words, for people. @param cage Absent: nothing. */
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
  // In a user namespace root could only read its own files, and root does not need one for this.
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

async function hardLimits(): Promise<NonNullable<Cage['most']>> {
  const table = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const of = (name: string): number => {
    const hard = new RegExp(`^${name} +\\S+ +(\\d+)`, 'm').exec(table)?.[1];
    return hard === undefined ? Infinity : Number(hard);
  };
  return { memory: of('Max data size'), writes: of('Max file size'), files: of('Max open files') };
}

/** The command for starting a program in the cage; unchanged without one. */
export function caged(
  { network, most, lifeline }: Cage,
  limits: ProcessLimits,
  command: readonly string[],
): string[] {
  // Last, because the system drops the lifeline when a process changes its rights.
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

/** The system's error code if the cage could not start the program, from its output and exit code; else null. */
export function startFailure(code: number | null, text: string): 'ENOENT' | 'EACCES' | null {
  if (!/^(?:unshare|prlimit|setpriv): failed to execute /m.test(text)) return null;
  return code === 127 ? 'ENOENT' : 'EACCES';
}
