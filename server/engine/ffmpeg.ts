/**
 * Everything about ffmpeg that does not depend on a render: where it is, its version, how to start and end it.
 * How versions differ is in ffmpeg-builds.ts. Runs in the worker; knows no timeline and no output format.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { access, chmod, constants, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { RenderError } from '../../shared/engine/errors.ts';
import { messageAt } from '../../shared/renderscript/source.ts';
import {
  caged,
  decoderLimits,
  findCage,
  startFailure,
  type Cage,
  type ProcessLimits,
} from './cage.ts';
import { releaseOf, type Release } from './ffmpeg-builds.ts';
import type { RenderPriority } from '../../shared/api.ts';
import { refusalWords } from '../system/files.ts';
import { environmentWith, setProgramPriority } from '../system/programs.ts';
import { programEnded } from './stopwatch.ts';

/** A working ffmpeg with the encoders that we need. */
export interface Ffmpeg extends Release {
  readonly path: string;
  /** What the system keeps it from; absent if there is no cage, or it does not work in one. */
  readonly cage?: Cage;
  /** Names of its encoders; absent: not known. */
  readonly encoders?: ReadonlySet<string>;
}

/** How a process is started. */
export interface FfmpegOptions {
  /** Aborting kills the process and rejects with `cancelled`. */
  readonly signal?: AbortSignal;
  /** The process's current folder; the work folder for everything that belongs to a render. */
  readonly cwd?: string;
  /** Milliseconds after which the process is ended and its input is blamed. Absent: no limit. */
  readonly deadline?: number;
  /** Its limits, if the system can enforce them. Default: a decoder's. */
  readonly limits?: ProcessLimits;
}

/** Which of its streams are pipes to us. A number for `stdin` is an open file that the process reads instead. */
export interface FfmpegStreams extends FfmpegOptions {
  readonly stdin?: boolean | number;
  readonly stdout?: boolean;
}

/** How a process ended. */
export interface FfmpegEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** The last 20 lines it wrote to stderr. */
  readonly lastLines: string;
}

/** A running ffmpeg. */
export interface FfmpegProcess {
  readonly stdin: Writable | null;
  readonly stdout: Readable | null;
  readonly pid: number | undefined;
  /** Rejects with `cancelled` if the signal was aborted, `encoder_missing` if it could not start. */
  readonly finished: Promise<FfmpegEnd>;
  /** Kills the process. Safe to call at any time, more than once. */
  kill(): void;
}

const lastLineCount = 20;
/** Report text kept by runFfmpeg; a file with thousands of tags must not fill the memory. */
const reportLimit = 1 << 20;
const neededEncoders = ['libx264', 'aac'];

const found = new Map<string, Promise<Ffmpeg>>();

/**
 * The ffmpeg to use: the chosen one or `FFMPEG_PATH`, else the package ffmpeg-static, else `ffmpeg` on the PATH, else
 * the package @ffmpeg-installer/ffmpeg. A found one is used as long as it exists.
 *
 * @param chosen Path from the settings; a chosen one that doesn't work is an error, never skipped.
 * @throws RenderError `encoder_missing`.
 */
export async function findFfmpeg(chosen: string | undefined): Promise<Ffmpeg> {
  const wanted = chosen ?? process.env['FFMPEG_PATH'] ?? '';
  const known = found.get(wanted);
  if (known && (await isThere(known))) return known;
  const search =
    wanted === ''
      ? searchFfmpeg()
      : inspect(wanted, chosen === undefined ? 'FFMPEG_PATH' : 'the settings');
  found.set(wanted, search);
  // The user may install it while we run.
  search.catch(() => found.delete(wanted));
  return search;
}

/** True if it can still be started, judging by its file. */
async function isThere(known: Promise<Ffmpeg>): Promise<boolean> {
  const { path: file } = await known;
  // Found on the PATH: starting it will show.
  if (!path.isAbsolute(file)) return true;
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function searchFfmpeg(): Promise<Ffmpeg> {
  const places: [name: string, file: string | null][] = [
    ['the package ffmpeg-static', await packagedFile('ffmpeg-static')],
    ['the PATH', 'ffmpeg'],
    ['the package @ffmpeg-installer/ffmpeg', await packagedFile('@ffmpeg-installer/ffmpeg')],
  ];
  const reasons: string[] = [];
  for (const [name, file] of places) {
    if (file === null) continue;
    try {
      return await inspect(file, name);
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      reasons.push(error.message);
    }
  }
  throw new RenderError(
    'encoder_missing',
    `The video encoder was not found: install ffmpeg 4.1 or newer with ${neededEncoders.join(' and ')}, or choose its ` +
      `path in the settings (${reasons.join(' ')})`,
  );
}

/** An npm package's program, made executable; null if the package or its file is missing. */
async function packagedFile(name: string): Promise<string | null> {
  let exported: unknown;
  try {
    exported = createRequire(import.meta.url)(name);
  } catch {
    // Optional packages: missing, or without a build for this machine (then they throw a string).
    return null;
  }
  const file =
    typeof exported === 'object' && exported !== null && 'path' in exported
      ? exported.path
      : exported;
  if (typeof file !== 'string') return null;
  // A packed app keeps programs beside its archive, because nothing inside can be executed.
  const real = file.replace(`app.asar${path.sep}`, `app.asar.unpacked${path.sep}`);
  try {
    const { mode } = await stat(real);
    // Packages lose the bit if install scripts may not run.
    if (process.platform !== 'win32' && (mode & 0o100) === 0) await chmod(real, mode | 0o111);
    return real;
  } catch {
    return null;
  }
}

/** Asks a program what it is. One start: its banner has the library versions, its answer lists the encoders. */
async function inspect(file: string, origin: string): Promise<Ffmpeg> {
  const fail = (what: string): never => {
    throw new RenderError('encoder_missing', `The video encoder ${file} (from ${origin}) ${what}.`);
  };
  const cage = await findCage();
  const isCage = cage.network.length > 0 || cage.most !== null || cage.lifeline.length > 0;
  let answer = await listEncoders(caged(cage, decoderLimits, [file, '-encoders']));
  // Some packages of ffmpeg start in ways that the cage forbids.
  const isCaged = isCage && !answer.error;
  if (isCage && answer.error) answer = await listEncoders([file, '-encoders']);
  const { encoders, banner, error } = answer;
  if (error) return fail(`does not work: ${reasonOf(error)}`);
  const version = /libavcodec\s+(\d+)\.\s*(\d+)\./.exec(banner + encoders);
  if (!version) return fail('does not say its version like ffmpeg does');
  const release = releaseOf(Number(version[1]), Number(version[2]));
  if (!release) return fail('is older than ffmpeg 4.1');
  const names = new Set(
    [...encoders.matchAll(/^ [A-Z.]{6} (\S+) /gm)].map(([, name = '']) => name),
  );
  const missing = neededEncoders.filter((name) => !names.has(name));
  if (missing.length > 0) return fail(`lacks the encoder ${missing.join(' and ')}`);
  return { path: file, ...release, ...(isCaged && { cage }), encoders: names };
}

interface EncoderList {
  readonly encoders: string;
  readonly banner: string;
  readonly error: Error | null;
}

function listEncoders([program = '', ...args]: readonly string[]): Promise<EncoderList> {
  const options = {
    env: environment(),
    timeout: 15_000,
    windowsHide: true,
    maxBuffer: reportLimit,
  };
  return new Promise<EncoderList>((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ encoders: stdout, banner: stderr, error }),
    );
    // Node throws some of the system's refusals at once, e.g. of a path that leads through a file.
  }).catch((thrown: unknown) => {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    return { encoders: '', banner: '', error };
  });
}

/** What went wrong in words; an exec error's own message repeats the whole command. */
function reasonOf(error: Error | { readonly code: string }): string {
  const code: unknown = 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such file';
  if (code === 'EACCES') return 'it is not executable';
  const refusal = refusalWords(error);
  if (refusal !== undefined) return refusal;
  if (typeof code === 'number') return `it ended with ${code}`;
  return typeof code === 'string' || !(error instanceof Error) ? String(code) : error.message;
}

/**
 * Starts ffmpeg with an argument list (never a shell), a clean environment and lower priority.
 *
 * A process that reads from or writes to our pipe ends by itself when this process dies.
 */
export function startFfmpeg(
  ffmpeg: Ffmpeg,
  args: readonly string[],
  options: FfmpegStreams = {},
): FfmpegProcess {
  return launch(ffmpeg, args, options, new Report(lastLineCount));
}

/**
 * Runs ffmpeg to its end. @returns its report (stderr).
 *
 * @throws RenderError `encoder_failed` with its last line if it doesn't end with 0; `encoder_killed`;
 *   `media_unreadable` at the deadline; `cancelled`.
 */
export async function runFfmpeg(
  ffmpeg: Ffmpeg,
  args: readonly string[],
  options: FfmpegOptions = {},
): Promise<string> {
  const report = new Report(Infinity);
  const end = await launch(ffmpeg, args, options, report).finished;
  if (end.code !== 0) throw stoppedError(end);
  return report.text();
}

/** Signals that come from outside: a person, another program or the system; a process causes the others itself. */
const fromOutside = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']);

/** ffmpeg's exit code when a signal asked it to end: it completes the file so far and prints nothing. */
const askedToEnd = 255;

/** True if someone else ended it. Only call it for processes that we did not end. */
export function isKilled({ signal, code }: Pick<FfmpegEnd, 'signal' | 'code'>): boolean {
  return signal === null ? code === askedToEnd : fromOutside.has(signal);
}

/** True if it got no memory, because of its limit or because the computer has none left. */
export function isOutOfMemory({ lastLines }: Pick<FfmpegEnd, 'lastLines'>): boolean {
  return /(?:Cannot|Could not) allocate memory|std::bad_alloc/.test(lastLines);
}

/** The failure of a process that we did not end, worded as in the fault table. */
export function stoppedError(end: FfmpegEnd): RenderError {
  const { lastLines, code, signal } = end;
  const last = lastLines.split('\n').at(-1) ?? '';
  const killed = isKilled(end);
  const crash = signal === null ? null : `it crashed (${signal})`;
  const reason = killed ? 'killed' : (crash ?? (last || `code ${code ?? 'unknown'}`));
  return new RenderError(
    killed ? 'encoder_killed' : 'encoder_failed',
    `Render error: The encoder stopped: ${reason}`,
    { cause: lastLines },
  );
}

/** The same of a process that read the file of an element. */
export function decoderKilled(
  element: string,
  place: string | undefined,
  cause: unknown,
): RenderError {
  const message = messageAt('Render error: The decoder stopped: killed', element);
  return new RenderError('encoder_killed', message, {
    ...(place === undefined ? {} : { path: place }),
    cause,
  });
}

function lateError(deadline: number): RenderError {
  const seconds = Math.round(deadline / 1_000);
  return new RenderError(
    'media_unreadable',
    `The file is damaged or too long: it could not be read within ${seconds} seconds`,
  );
}

/** ffmpeg ends after saying this, unless SVT-AV1 1.4 codes: that waits forever for frames. */
const hopeless = /Could not write header/;
/** Milliseconds that it gets. */
const hopelessTime = 2_000;

function launch(
  ffmpeg: Ffmpeg,
  args: readonly string[],
  options: FfmpegStreams,
  report: Report,
): FfmpegProcess {
  const { signal, cwd, deadline, stdin = false, stdout = false, limits = decoderLimits } = options;
  const block = limits.block === Infinity ? [] : ['-max_alloc', String(limits.block)];
  const command = [ffmpeg.path, '-nostdin', '-hide_banner', '-nostats', ...block, ...args];
  const [program = '', ...rest] = ffmpeg.cage ? caged(ffmpeg.cage, limits, command) : command;
  const child: ChildProcess = spawn(program, rest, {
    ...(cwd === undefined ? {} : { cwd }),
    env: environment(),
    windowsHide: true,
    stdio: [
      typeof stdin === 'number' ? stdin : stdin ? 'pipe' : 'ignore',
      stdout ? 'pipe' : 'ignore',
      'pipe',
    ],
  });
  if (child.pid !== undefined) setProgramPriority(child.pid, priority);

  const kill = (): void => void child.kill('SIGKILL');
  let isLate = false;
  const late = (): void => {
    isLate = true;
    kill();
  };
  const timer = deadline === undefined ? undefined : setTimeout(late, deadline);
  let hanging: NodeJS.Timeout | undefined;
  let hasHung = false;
  const listen = (text: string): void => {
    report.add(text);
    if (!hopeless.test(text)) return;
    hanging ??= setTimeout(() => {
      hasHung = true;
      kill();
    }, hopelessTime);
  };
  const finished = new Promise<FfmpegEnd>((resolve, reject) => {
    const fail = (error: Parameters<typeof reasonOf>[0]): void => {
      clearTimeout(timer);
      // It existed before: search again next time.
      found.clear();
      reject(
        new RenderError(
          'encoder_missing',
          `The video encoder ${ffmpeg.path} could not be started: ${reasonOf(error)}`,
        ),
      );
    };
    child.once('error', fail);
    // 'close' comes after the last byte of stderr, 'exit' may come before it.
    child.once('close', (code, endSignal) => {
      clearTimeout(timer);
      clearTimeout(hanging);
      const missing = ffmpeg.cage ? startFailure(code, report.text(lastLineCount)) : null;
      if (signal?.aborted) reject(new RenderError('cancelled', 'Render error: Cancelled'));
      else if (isLate) reject(lateError(deadline ?? 0));
      else if (missing) fail({ code: missing });
      else {
        const lastLines = report.text(lastLineCount);
        resolve(
          hasHung ? { code: 1, signal: null, lastLines } : { code, signal: endSignal, lastLines },
        );
      }
    });
  });
  // Waiters see the failure; without any, it must not be an unhandled rejection.
  finished.catch(() => undefined);

  if (signal?.aborted) kill();
  signal?.addEventListener('abort', kill, { once: true });
  child.once('close', () => signal?.removeEventListener('abort', kill));
  const role = stdin === true ? 'encoder' : stdout ? 'decoder' : 'other ffmpeg';
  child.once('exit', () => programEnded(role));

  child.stderr?.setEncoding('utf8').on('data', listen);
  // The process's end reports such failures, not the pipe.
  child.stdin?.on('error', () => undefined);
  return { stdin: child.stdin, stdout: child.stdout, pid: child.pid, finished, kill };
}

/** The last lines that a process wrote to stderr, bounded. */
class Report {
  readonly #lines: string[] = [];
  readonly #keep: number;
  #open = '';
  #size = 0;

  constructor(keep: number) {
    this.#keep = keep;
  }

  add(text: string): void {
    const lines = (this.#open + text).split(/[\r\n]+/);
    this.#open = (lines.pop() ?? '').slice(0, 4096);
    for (const line of lines) {
      this.#lines.push(line.slice(0, 4096));
      this.#size += line.length;
      while (this.#lines.length > this.#keep || this.#size > reportLimit) {
        this.#size -= this.#lines.shift()?.length ?? 0;
      }
    }
  }

  /** The lines kept, or the last few of them. */
  text(count = Infinity): string {
    const lines = [...this.#lines, this.#open].filter((line) => line.trim() !== '');
    return lines.slice(Math.max(0, lines.length - count)).join('\n');
  }
}

/**
 * A clean environment: no secrets, no proxies, no settings that change what ffmpeg does. The two glibc values keep one
 * frame's memory for the next instead of returning it to the system (see encode/README.md).
 */
function environment(): Record<string, string> {
  // The others choose among cards and drivers of hardware.
  const cards = ['LIBVA_DRIVER_NAME', 'LIBVA_DRIVERS_PATH', 'CUDA_VISIBLE_DEVICES'];
  const env = environmentWith('LD_LIBRARY_PATH', ...cards);
  env['LC_ALL'] = 'C';
  env['AV_LOG_FORCE_NOCOLOR'] = '1';
  if (process.platform === 'linux') {
    env['MALLOC_MMAP_THRESHOLD_'] = '268435456';
    env['MALLOC_TRIM_THRESHOLD_'] = '1073741824';
    // Frames go from thread to thread: separate arenas take 13 MB more in a 1080p decoder.
    env['MALLOC_ARENA_MAX'] = '1';
  }
  return env;
}

/** Of the programs that this thread starts. */
let priority: RenderPriority = 'low';

/** Has programs start with a priority from now on; at first it is `low`. */
export function startWith(wanted: RenderPriority): void {
  priority = wanted;
}
