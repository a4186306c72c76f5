/**
 * Phase 1, captions: a program that the person has named recognises speech: whisper.cpp's command line. Hears the whole
 * recording at once, because each call reads the model again.
 */
import { readFile, rm, stat } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { RenderError } from '../../../../shared/engine/errors.ts';
import { environmentWith, runProgram } from '../../../system/programs.ts';
import type { Hints, RecogniserRow } from './recogniser.ts';
import { readWhisper } from './whisper.ts';

/** The recogniser. */
export interface ProgramChoice extends Hints {
  readonly kind: 'program';
  /** whisper.cpp's `whisper-cli` (`main` in older releases): a file, or a name that the system finds. */
  readonly path: string;
  /** A model in its ggml form, e.g. `ggml-base.bin`; absent = the program's own default. */
  readonly model?: string;
}

/** The row of recogniser.ts. */
export const hearByProgram: RecogniserRow<ProgramChoice> = {
  async open(choice, { workFolder, signal }) {
    if (choice.model !== undefined && !(await isFile(choice.model))) {
      const message = `The model of the speech recogniser is missing (${choice.model})`;
      throw new RenderError('transcriber_missing', message);
    }
    return {
      longest: Infinity,
      window: 0,
      voicesIn: (_sound, spans) => Promise.resolve(spans),
      async hear({ sound }, onProgress) {
        const base = path.join(workFolder, `speech-${randomUUID()}`);
        const output = `${base}.json`;
        try {
          const report = await run(
            choice.path,
            argumentsFor(choice, sound, base),
            signal,
            onProgress,
          );
          const bytes = await readFile(output).catch((error: unknown) => {
            // With wrong arguments or unreadable models some versions end with status 0.
            throw failed(report, error);
          });
          return { words: readWhisper(bytes), language: null };
        } finally {
          await rm(output, { force: true });
        }
      },
      close: () => undefined,
    };
  },

  async print({ path: program, model }) {
    // A model has gigabytes: its name, size and date identify its content.
    const facts = model === undefined ? null : await stat(model).catch(() => null);
    return [path.basename(program), model, facts?.size, facts?.mtimeMs];
  },
};

/** `-ojf` times every part of a word; `-pp` reports progress; `auto` detects the language. */
function argumentsFor(
  { model, language = 'auto', words }: ProgramChoice,
  sound: string,
  base: string,
): string[] {
  return [
    ...(model === undefined ? [] : ['-m', model]),
    ...['-f', sound, '-l', language, '-ojf', '-of', base, '-pp'],
    ...(words === undefined ? [] : ['--prompt', words]),
    ...['-t', String(recogniserThreads())],
  ];
}

/** How many threads recognise: one core is left to the others. */
export function recogniserThreads(): number {
  return Math.max(1, Math.min(8, os.availableParallelism() - 1));
}

/** A line that says how far it is. */
const progress = /progress\s*=\s*(\d{1,3})\s*%/;

/** Runs the recogniser to its end. @returns its last lines of output. */
async function run(
  program: string,
  args: readonly string[],
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<string> {
  const { code, killer, said, fault } = await runProgram(program, args, {
    environment: environmentWith(...needed),
    signal,
    onLine(line) {
      const percent = progress.exec(line)?.[1];
      if (percent !== undefined) onProgress(Math.min(1, Number(percent) / 100));
    },
  });
  if (fault) {
    const isThere = fault.code !== 'ENOENT' && fault.code !== 'ENOTDIR';
    const why = isThere ? 'cannot be started' : 'does not exist';
    const message = `The speech recogniser ${program} ${why}`;
    throw new RenderError('transcriber_missing', message, { cause: fault });
  }
  if (killer !== null) throw failed('', `it crashed (${killer})`);
  if (code !== 0) throw failed(said, `code ${code ?? 'unknown'}`);
  return said;
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

async function isFile(name: string): Promise<boolean> {
  const facts = await stat(name).catch(() => null);
  return facts?.isFile() === true;
}
