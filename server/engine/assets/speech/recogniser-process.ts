/**
 * The process that recognises speech: loads whisper.cpp's library and a model, and hears parts of a sound file, one at
 * a time. Nothing else runs in it, so that it can be ended at any moment; it ends with whoever started it. Under
 * Electron, which starts no plain Node, it is a thread of the worker.
 */
import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { z } from 'zod';
import {
  recogniserOrder,
  type RecogniserAnswer,
  type RecogniserOrder,
} from './recogniser-protocol.ts';
import { samplesOf } from './silence.ts';

/** What is used of the library; times in ms, those of voices in hundredths of a second. */
interface Library {
  readonly WhisperContext: new (options: { filePath: string; useGpu?: boolean }) => {
    transcribeData(
      samples: ArrayBuffer,
      options: {
        language: string;
        prompt: string;
        tokenTimestamps: true;
        maxLen: 1;
        maxThreads: number;
        onProgress: (percent: number) => void;
      },
    ): { readonly promise: Promise<unknown> };
    release(): Promise<void>;
  };
  readonly WhisperVadContext: new (options: { filePath: string; nThreads: number }) => {
    detectSpeechData(samples: ArrayBuffer): Promise<unknown>;
  };
}

const transcription = z.object({
  language: z.string().optional(),
  result: z.string(),
  segments: z.array(z.object({ text: z.string(), t0: z.number(), t1: z.number() })),
});
const voices = z.array(z.object({ t0: z.number(), t1: z.number() }));

/** Its failures are said with their kind. */
class Refused extends Error {
  readonly why: 'missing' | 'model';

  constructor(why: 'missing' | 'model', message: string) {
    super(message);
    this.why = why;
  }
}

const packageName = `@fugood/node-whisper-${process.platform}-${process.arch}`;
let library: Library | null = null;
let ear: {
  readonly model: string;
  readonly context: InstanceType<Library['WhisperContext']>;
} | null = null;

/** Loaded with the first order. */
function loadLibrary(): Library {
  try {
    // One package for each system: which one is known only here.
    library ??= createRequire(import.meta.url)(packageName) as Library;
    return library;
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new Refused('missing', `${packageName}: ${reason}`);
  }
}

/** @throws Refused if the library can't read the model */
function openModel<Context>(model: string, make: () => Context): Context {
  try {
    return make();
  } catch (error) {
    throw new Refused(
      'model',
      `${model}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

async function answerTo(
  order: Exclude<RecogniserOrder, { type: 'rest' }>,
  say: (answer: RecogniserAnswer) => void,
): Promise<RecogniserAnswer> {
  const { WhisperContext, WhisperVadContext } = loadLibrary();
  const { model, sound, threads } = order;
  if (order.type === 'find-voices') {
    const finder = openModel(
      model,
      () => new WhisperVadContext({ filePath: model, nThreads: threads }),
    );
    const found = [];
    for (const [index, span] of order.spans.entries()) {
      const samples = plain(await samplesOf(sound, span));
      for (const { t0, t1 } of voices.parse(await finder.detectSpeechData(samples)))
        found.push({ start: span.start + t0 / 100, end: span.start + t1 / 100 });
      say({ type: 'progress', share: (index + 1) / order.spans.length });
    }
    return { type: 'voices', spans: found };
  }
  if (ear?.model !== model)
    ear = { model, context: openModel(model, () => new WhisperContext({ filePath: model })) };
  const samples = plain(await samplesOf(sound, order.span));
  const { promise } = ear.context.transcribeData(samples, {
    language: order.language,
    prompt: order.words,
    tokenTimestamps: true,
    // Each token is a segment of its own then: the library says the times of segments alone.
    maxLen: 1,
    maxThreads: threads,
    onProgress: (percent) => say({ type: 'progress', share: Math.min(1, percent / 100) }),
  });
  const { language = null, result, segments } = transcription.parse(await promise);
  return { type: 'heard', language, text: result, tokens: segments };
}

/** The samples alone: a small buffer of Node lies in one that it shares with others. */
function plain(samples: Buffer): ArrayBuffer {
  const copy = new ArrayBuffer(samples.length);
  samples.copy(Buffer.from(copy));
  return copy;
}

async function work(message: unknown, say: (answer: RecogniserAnswer) => void): Promise<void> {
  try {
    const order = recogniserOrder.parse(message);
    if (order.type === 'rest') {
      await ear?.context.release();
      ear = null;
    } else say(await answerTo(order, say));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    say({ type: 'failed', why: error instanceof Refused ? error.why : 'other', message });
  }
}

if (parentPort) {
  const front = parentPort;
  front.on('message', (message) => void work(message, (answer) => front.postMessage(answer)));
} else {
  process.on('message', (message) => void work(message, (answer) => void process.send?.(answer)));
  // The library's threads would keep a polite end waiting.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}
