/**
 * Phase 1, captions: speech to words with the recogniser that the user has set up: whisper.cpp's command line. Runs in
 * the worker. Transcripts are cached by the recording's content, so that each is made once.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { RenderError } from '../../../../shared/engine/errors.ts';
import { decoderLimits } from '../../cage.ts';
import { runFfmpeg, type Ffmpeg } from '../../ffmpeg.ts';
import { sniffFile, inputArguments } from '../examine/sniff.ts';
import type { TimedWord } from '../../../../shared/engine/transcript.ts';
import { readWhisper } from './whisper.ts';
import { environmentWith } from '../../../system/programs.ts';
import { renameOver } from '../../../system/files.ts';

/** The recogniser. */
export interface Transcriber {
  /** whisper.cpp's `whisper-cli` (`main` in older releases): a file, or a name that the system finds. */
  readonly path: string;
  /** A model in its ggml form, e.g. `ggml-base.bin`; absent = the program's own default. */
  readonly model?: string;
}

/** What transcribing one recording needs. */
export interface TranscribeOptions {
  readonly transcriber: Transcriber;
  readonly ffmpeg: Ffmpeg;
  /** Where its words are cached: `transcriptPlace`. */
  readonly place: string;
  readonly workFolder: string;
  readonly signal: AbortSignal;
  /** Called with the share of this recording that is done, 0–1. */
  readonly onProgress: (share: number) => void;
}

/** Raise it when the same recording would give other words: after changes to arguments or parsing. */
const version = 1;

const keptWords = z.array(
  z.object({
    text: z.string(),
    start: z.number(),
    end: z.number(),
    sentence: z.number().nullable(),
    glued: z.boolean(),
  }),
);

/** The words cached at a `transcriptPlace`; null = none, or damaged. */
export async function findTranscript(place: string): Promise<readonly TimedWord[] | null> {
  try {
    return keptWords.parse(JSON.parse(await readFile(place, 'utf8')));
  } catch {
    return null;
  }
}

/**
 * Transcribes a recording and caches the result.
 *
 * @throws RenderError `transcriber_missing` if the program or its model can't be used, `transcriber_failed`,
 * `cancelled`.
 */
export async function transcribe(
  file: string,
  options: TranscribeOptions,
): Promise<readonly TimedWord[]> {
  const { transcriber, ffmpeg, place, workFolder, signal, onProgress } = options;
  if (transcriber.model !== undefined && !(await isFile(transcriber.model))) {
    const message = `The model of the speech recogniser is missing (${transcriber.model})`;
    throw new RenderError('transcriber_missing', message);
  }
  const base = path.join(workFolder, `speech-${randomUUID()}`);
  const [sound, output] = [`${base}.wav`, `${base}.json`];
  try {
    // The only form that every version of the program reads.
    const samples = ['-vn', '-ac', '1', '-ar', '16000', '-c:a', 'pcm_s16le'];
    const input = [...inputArguments((await sniffFile(file))?.name ?? ''), '-i', file];
    await runFfmpeg(ffmpeg, ['-v', 'error', ...input, ...samples, '-y', sound], {
      signal,
      // Hours of speech; a file of this kind can't be larger.
      limits: { ...decoderLimits, writes: 2 ** 32 },
    });
    const report = await run(transcriber, argumentsFor(transcriber, sound, base), {
      signal,
      onProgress,
    });
    const bytes = await readFile(output).catch((error: unknown) => {
      // With wrong arguments or unreadable models some versions end with status 0.
      throw failed(report, error);
    });
    const words = readWhisper(bytes);
    await keep(place, words);
    onProgress(1);
    return words;
  } finally {
    await Promise.all([sound, output].map((name) => rm(name, { force: true })));
  }
}

/** `-ojf` times every part of a word; `-pp` reports progress; `auto` detects the language. */
function argumentsFor({ model }: Transcriber, sound: string, base: string): string[] {
  return [
    ...(model === undefined ? [] : ['-m', model]),
    ...['-f', sound, '-l', 'auto', '-ojf', '-of', base, '-pp'],
    ...['-t', String(Math.max(1, Math.min(8, os.availableParallelism() - 1)))],
  ];
}

/** A line that says how far it is. */
const progress = /progress\s*=\s*(\d{1,3})\s*%/;

/** Runs the recogniser to its end. @returns its last lines of output. */
function run(
  { path: program }: Transcriber,
  args: readonly string[],
  { signal, onProgress }: Pick<TranscribeOptions, 'signal' | 'onProgress'>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const missing = (error: NodeJS.ErrnoException): void => {
      const isThere = error.code !== 'ENOENT' && error.code !== 'ENOTDIR';
      const why = isThere ? 'cannot be started' : 'does not exist';
      const message = `The speech recogniser ${program} ${why}`;
      reject(new RenderError('transcriber_missing', message, { cause: error }));
    };
    let child: ChildProcessByStdio<null, null, Readable>;
    try {
      child = spawn(program, args, {
        env: environmentWith(...needed),
        windowsHide: true,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
    } catch (error) {
      // Node throws some of the system's refusals at once.
      missing(error as NodeJS.ErrnoException);
      return;
    }
    let tail = '';
    let line = '';
    const kill = (): void => void child.kill('SIGKILL');
    signal.addEventListener('abort', kill, { once: true });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      tail = (tail + text).slice(-4096);
      // A chunk may contain many lines or part of one; each line is reported once.
      const lines = (line + text).split(/[\r\n]+/);
      line = lines.pop()?.slice(-4096) ?? '';
      for (const whole of lines) {
        const percent = progress.exec(whole)?.[1];
        if (percent !== undefined) onProgress(Math.min(1, Number(percent) / 100));
      }
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      signal.removeEventListener('abort', kill);
      missing(error);
    });
    child.once('close', (code, killer) => {
      signal.removeEventListener('abort', kill);
      if (signal.aborted) reject(signal.reason as Error);
      else if (code === 0) resolve(tail);
      else if (killer !== null) reject(failed('', `it crashed (${killer})`));
      else reject(failed(tail, `code ${code ?? 'unknown'}`));
    });
  });
}

/** The failure of a recogniser that ended by itself, with its own last words. */
function failed(report: string, cause: unknown): RenderError {
  // How far it was says nothing about its end.
  const lines = report
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '' && !progress.test(line));
  const said = lines.findLast((line) => /error|fail/i.test(line)) ?? lines.at(-1);
  const reason = said?.trim() ?? (typeof cause === 'string' ? cause : 'it wrote no transcript');
  return new RenderError('transcriber_failed', `The speech recogniser stopped: ${reason}`, {
    cause,
  });
}

/** What programs need to find their libraries and graphics cards. */
// prettier-ignore
const needed = ['HOME', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'CUDA_VISIBLE_DEVICES', 'GGML_METAL_PATH_RESOURCES'];

// ---- kept transcripts ----------------------------------------------------------------------------------------------

/** When a transcript was last cached: milliseconds since 1970, 0 = never. Cheap; for previews before transcription. */
export async function lastTranscribed(cacheFolder: string): Promise<number> {
  const facts = await stat(path.join(cacheFolder, 'transcripts')).catch(() => null);
  return facts?.mtimeMs ?? 0;
}

/**
 * Where the words of a recording are cached: named by its content, which is read for this, and by the recogniser.
 * Recordings with the same content share a place.
 */
export async function transcriptPlace(
  file: string,
  { path: program, model }: Transcriber,
  cacheFolder: string,
): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  // A model has gigabytes: its name, size and date identify its content.
  const facts = model === undefined ? null : await stat(model).catch(() => null);
  const recogniser = [version, path.basename(program), model, facts?.size, facts?.mtimeMs];
  hash.update(JSON.stringify(recogniser));
  return path.join(cacheFolder, 'transcripts', `${hash.digest('hex').slice(0, 40)}.json`);
}

/** A full or read-only disk is no reason to fail a render whose words are known. */
async function keep(file: string, words: readonly TimedWord[]): Promise<void> {
  const part = `${file}.${randomUUID()}.part`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(part, JSON.stringify(words));
    await renameOver(part, file);
  } catch {
    await rm(part, { force: true }).catch(() => undefined);
  }
}

async function isFile(name: string): Promise<boolean> {
  const facts = await stat(name).catch(() => null);
  return facts?.isFile() === true;
}
