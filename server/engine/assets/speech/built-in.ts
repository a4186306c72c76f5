/**
 * Phase 1, captions: the library that comes with the program recognises speech, in a process of its own: it is ended to
 * cancel, may take as much memory as its model needs, and a fault of it breaks nothing else. One that was lost is
 * started once again.
 */
import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { RenderError } from '../../../../shared/engine/errors.ts';
import { refusalWords } from '../../../system/files.ts';
import { environmentWith } from '../../../system/programs.ts';
import { caged, findCage, type ProcessLimits } from '../../cage.ts';
import { threadFile } from '../../thread-file.ts';
import { recogniserThreads } from './by-program.ts';
import {
  recogniserAnswer,
  type RecogniserAnswer,
  type RecogniserOrder,
} from './recogniser-protocol.ts';
import type { Hints, RecogniserRow } from './recogniser.ts';
import { wordsOfTokens } from './whisper.ts';

/** The recogniser. */
export interface BuiltInChoice extends Hints {
  readonly kind: 'built-in';
  /** The file of a model in its ggml form. */
  readonly model: string;
  /** The file of a model that finds voices; absent = parts that are not silent are heard. */
  readonly voices?: string;
}

/** Seconds that the library hears at a time: shorter parts cost as much. */
const window = 30;
/** Seconds of sound in memory at a time: 4 minutes are 8 MB, and 15 MB in the library. */
const longest = 240;
/** Milliseconds in which the system says how a process ended. */
const endTime = 2_000;

/** The row of recognisers.ts. */
export const hearBuiltIn: RecogniserRow<BuiltInChoice> = {
  async open({ model, voices, language = 'auto', words = '' }, { signal }) {
    const facts = await stat(model).catch((error: unknown) => {
      const why = refusalWords(error) ?? String(error);
      throw new RenderError(
        'transcriber_missing',
        `The speech model ${model} can’t be used: ${why}`,
      );
    });
    const ear = new Ear(facts.size, signal);
    const threads = recogniserThreads();
    return {
      longest,
      window,
      async hear({ sound, span, language: found = language }, onProgress) {
        const order = { model, sound, span, language: found, words, threads };
        const answer = await ear.ask({ type: 'hear', ...order }, onProgress);
        if (answer.type !== 'heard') throw unexpected(answer);
        return { words: wordsOfTokens(answer.text, answer.tokens), language: answer.language };
      },
      async voicesIn(sound, spans) {
        if (voices === undefined) return spans;
        const order = { type: 'find-voices', model: voices, sound, spans, threads } as const;
        const answer = await ear.ask(order, () => undefined);
        if (answer.type !== 'voices') throw unexpected(answer);
        return answer.spans;
      },
      close: () => ear.close(),
    };
  },

  async print({ model }) {
    const facts = await stat(model).catch(() => null);
    return [path.basename(model), facts?.size];
  },
};

/** What the recogniser answers at last. */
type Answer = Exclude<RecogniserAnswer, { type: 'progress' | 'failed' }>;

/** What it is asked. */
type Question = Exclude<RecogniserOrder, { type: 'rest' }>;

const unexpected = ({ type }: Answer): Error =>
  new Error(`the recogniser answered '${type}' to another question`);

/** A started recogniser. */
interface Host {
  send(order: RecogniserOrder): void;
  /** Each answer, not parsed. */
  onAnswer(listener: (answer: unknown) => void): void;
  /** Once: in words, how it ended. */
  onEnd(listener: (how: string, lackedMemory: boolean) => void): void;
  end(): void;
}

/** It ended before it answered. */
class Lost extends Error {
  readonly lackedMemory: boolean;

  constructor(how: string, lackedMemory: boolean) {
    super(how);
    this.lackedMemory = lackedMemory;
  }
}

/** The process, started with the first question and again when it is lost. */
class Ear {
  readonly #modelBytes: number;
  readonly #signal: AbortSignal;
  #host: Promise<Host> | null = null;

  constructor(modelBytes: number, signal: AbortSignal) {
    this.#modelBytes = modelBytes;
    this.#signal = signal;
  }

  /** @throws RenderError `transcriber_missing`, `transcriber_failed`; the signal's reason */
  async ask(order: Question, onProgress: (share: number) => void): Promise<Answer> {
    try {
      return await this.#try(order, onProgress);
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
    }
    try {
      return await this.#try(order, onProgress);
    } catch (error) {
      throw error instanceof Lost ? lostTwice(order, error) : error;
    }
  }

  close(): void {
    const host = this.#host;
    this.#host = null;
    void host?.then((started) => started.end());
  }

  async #try(order: Question, onProgress: (share: number) => void): Promise<Answer> {
    this.#signal.throwIfAborted();
    this.#host ??= startHost(this.#modelBytes);
    const host = await this.#host;
    const stop = (): void => host.end();
    this.#signal.addEventListener('abort', stop, { once: true });
    try {
      return await new Promise((resolve, reject) => {
        host.onEnd((how, lackedMemory) => reject(new Lost(how, lackedMemory)));
        host.onAnswer((said) => {
          const answer = recogniserAnswer.parse(said);
          if (answer.type === 'progress') onProgress(answer.share);
          else if (answer.type === 'failed') reject(failureOf(answer));
          else resolve(answer);
        });
        this.#signal.throwIfAborted();
        host.send(order);
      });
    } catch (error) {
      // Whatever went wrong, nothing is asked of it again.
      this.close();
      this.#signal.throwIfAborted();
      throw error;
    } finally {
      this.#signal.removeEventListener('abort', stop);
    }
  }
}

function failureOf({ why, message }: Extract<RecogniserAnswer, { type: 'failed' }>): RenderError {
  switch (why) {
    case 'missing': {
      const cure =
        'Install Framewright again with its optional packages, or choose whisper.cpp’s program in the settings';
      return new RenderError(
        'transcriber_missing',
        `The speech recogniser of this program can’t be loaded (${message}). ${cure}`,
      );
    }
    case 'model': {
      const cure =
        'Remove it and fetch it again: framewright models remove, framewright models get';
      return new RenderError(
        'transcriber_missing',
        `The speech model can’t be read (${message}). ${cure}`,
      );
    }
    case 'other':
      return new RenderError('transcriber_failed', `The speech recogniser stopped: ${message}`);
  }
}

function lostTwice({ model }: Question, { message, lackedMemory }: Lost): RenderError {
  const why = lackedMemory ? 'it got no more memory' : message;
  const cure = lackedMemory
    ? 'Close other programs, or take a smaller model'
    : 'Take another model, or fetch this one again';
  return new RenderError(
    'transcriber_failed',
    `The speech recogniser ended twice amid its work (${why}; model ${path.basename(model)}). ${cure}`,
  );
}

/**
 * Under Electron no plain Node can be started (electron-builder.yml): the worker is bounded, and ended, as a whole.
 */
function startHost(modelBytes: number): Promise<Host> {
  return 'electron' in process.versions ? Promise.resolve(startThread()) : startProcess(modelBytes);
}

/** There, ending a thread may end its whole process: it stays, without a model. */
let thread: Worker | null = null;

function startThread(): Host {
  const started = (thread ??= new Worker(threadFile('recogniser-process')));
  started.unref();
  return {
    send: (order) => started.postMessage(order),
    onAnswer(listener) {
      started.removeAllListeners('message').on('message', listener);
    },
    onEnd(listener) {
      started.removeAllListeners('error').once('error', ({ message }) => {
        thread = null;
        listener(message, false);
      });
    },
    end: () => started.postMessage({ type: 'rest' } satisfies RecogniserOrder),
  };
}

/** What the process may take: its model, as much again to work with, and what Node and the library begin with. */
function limitsFor(modelBytes: number): ProcessLimits {
  return { memory: 2 * modelBytes + 2e9, writes: 1e6, files: 256, block: Infinity };
}

/** How the library, C++ and Node say that the system gave no more memory. */
const memoryWords = /out of memory|bad_alloc|failed to allocate|allocation failed/i;

async function startProcess(modelBytes: number): Promise<Host> {
  const script = threadFile('recogniser-process');
  const [program = '', ...args] = caged(await findCage(), limitsFor(modelBytes), [
    process.execPath,
    ...['--max-old-space-size=256', script],
  ]);
  const child = spawn(program, args, {
    env: environmentWith(
      'HOME',
      'LD_LIBRARY_PATH',
      'DYLD_LIBRARY_PATH',
      'GGML_METAL_PATH_RESOURCES',
    ),
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let lastWords = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-4096);
  });
  const ended = new Promise<{ readonly how: string; readonly lackedMemory: boolean }>((resolve) => {
    child.once('error', ({ message }) => resolve({ how: message, lackedMemory: false }));
    child.once('exit', (code, signal) => {
      const tell = (): void =>
        resolve({
          how: signal ?? `code ${code ?? 'unknown'}`,
          lackedMemory: memoryWords.test(lastWords),
        });
      child.once('close', tell);
      void pause(endTime, undefined, { ref: false }).then(tell);
    });
  });
  return {
    send(order) {
      // Of one that has just died, its end is told.
      if (child.connected) child.send(order, () => undefined);
    },
    onAnswer(listener) {
      child.removeAllListeners('message').on('message', listener);
    },
    onEnd: (listener) => void ended.then(({ how, lackedMemory }) => listener(how, lackedMemory)),
    end: () => void child.kill('SIGKILL'),
  };
}
