/**
 * Phase 1, captions: an address recognises speech that answers as OpenAI's does, `…/v1/audio/transcriptions`: a program
 * on this computer, or a service with the person's own key. Only when the person has named it: sound leaves the
 * computer.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { RenderError } from '../../../../shared/engine/errors.ts';
import { areGlued, splitTime, type TimedWord } from '../../../../shared/engine/transcript.ts';
import { wavHead } from '../../../../shared/wav.ts';
import type { Hints, RecogniserRow } from './recogniser.ts';
import { sampleRate, samplesOf } from './silence.ts';

/** The recogniser. */
export interface AddressChoice extends Hints {
  readonly kind: 'address';
  /** With or without `/audio/transcriptions`, e.g. `http://127.0.0.1:8000/v1`. */
  readonly url: string;
  /** Sent as `Authorization: Bearer`; absent = it takes none. A secret. */
  readonly key?: string;
  /** Default: `whisper-1`. */
  readonly model?: string;
}

/** Services take 25 MB at a time: 13 minutes. */
const longest = 600;
/** Milliseconds for an answer. */
const patience = 30 * 60_000;
/** How often it is asked when it is busy, and how long between, in ms. */
const pauses = [2_000, 10_000];

const answerForm = z.object({
  language: z.string().optional(),
  words: z.array(z.object({ word: z.string(), start: z.number(), end: z.number() })).optional(),
  segments: z.array(z.object({ text: z.string(), start: z.number(), end: z.number() })).optional(),
});

/** The row of recognisers.ts. */
export const hearAtAddress: RecogniserRow<AddressChoice> = {
  open: (choice, { signal }) =>
    Promise.resolve({
      longest,
      window: 0,
      voicesIn: (_sound, spans) => Promise.resolve(spans),
      async hear({ sound, span, language }, onProgress) {
        const samples = await samplesOf(sound, span);
        const form = formFor({ ...choice, ...(language !== undefined && { language }) }, samples);
        const answer = await ask(choice, form, signal);
        onProgress(1);
        return { words: wordsOf(answer), language: answer.language ?? null };
      },
      close: () => undefined,
    }),

  print: ({ url, model }) => Promise.resolve([url, model]),
};

function formFor({ model, language, words }: AddressChoice, samples: Buffer): FormData {
  const form = new FormData();
  const head = wavHead(samples.length / 2, { rate: sampleRate, channels: 1, sample: 'int16' });
  const file = new Blob([head, new Uint8Array(samples)], { type: 'audio/wav' });
  form.append('file', file, 'speech.wav');
  form.append('model', model ?? 'whisper-1');
  form.append('response_format', 'verbose_json');
  for (const each of ['word', 'segment']) form.append('timestamp_granularities[]', each);
  // After the first part it is the name that the service gave: `english`.
  if (language !== undefined && /^[a-z]{2,3}$/i.test(language)) form.append('language', language);
  if (words !== undefined) form.append('prompt', words);
  return form;
}

/** Where to ask. */
function endpointOf(url: string): string {
  const base = url.replace(/\/+$/, '');
  return base.endsWith('/audio/transcriptions') ? base : `${base}/audio/transcriptions`;
}

async function ask(
  { url, key }: AddressChoice,
  body: FormData,
  signal: AbortSignal,
): Promise<z.infer<typeof answerForm>> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
  for (let tries = 0; ; tries++) {
    let response: Response;
    try {
      response = await fetch(endpointOf(url), { method: 'POST', headers, body, signal: limit });
    } catch (error) {
      signal.throwIfAborted();
      throw failed(url, `it does not answer (${reasonOf(error)})`, error);
    }
    const wait = pauses[tries];
    if (wait !== undefined && (response.status === 429 || response.status >= 500)) {
      await response.body?.cancel();
      await pause(wait);
      signal.throwIfAborted();
      continue;
    }
    const text = await response.text();
    if (!response.ok) throw refused(url, response.status, text);
    try {
      return answerForm.parse(JSON.parse(text));
    } catch (error) {
      throw failed(url, 'it answered something else than words with times', error);
    }
  }
}

function refused(url: string, status: number, text: string): RenderError {
  if (status === 401 || status === 403)
    return failed(url, `it does not take the key (status ${status}): set another one`, text);
  if (status === 404)
    return failed(
      url,
      `there is nothing at ${endpointOf(url)}: name an address that ends in /v1`,
      text,
    );
  const { data } = z.object({ error: z.object({ message: z.string() }) }).safeParse(parsed(text));
  return failed(
    url,
    `status ${status}${data ? `, “${data.error.message.slice(0, 200)}”` : ''}`,
    text,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

/** Without the address's own user and password. */
function failed(url: string, why: string, cause: unknown): RenderError {
  const host = URL.canParse(url) ? new URL(url).host : url;
  const message = `The speech recogniser at ${host} failed: ${why}`;
  return new RenderError('transcriber_failed', message, { cause });
}

function wordsOf({ words, segments = [] }: z.infer<typeof answerForm>): TimedWord[] {
  if (!words || words.length === 0)
    return segments.flatMap(({ text, start, end }) => splitTime(text, start, end, null));
  const spoken = words.filter(({ word }) => word.trim() !== '');
  const marked = withMarks(
    spoken.map(({ word }) => word.trim()),
    segments.flatMap(({ text }) => text.split(/\s+/).filter((word) => word !== '')),
  );
  return spoken.map(({ word, start, end }, index): TimedWord => {
    const text = marked[index] ?? word;
    const before = marked[index - 1];
    const glued = before !== undefined && (areGlued(before, text) || /^['’-]/.test(text));
    return { text, start, end: Math.max(start, end), sentence: null, glued };
  });
}

/** Words with the punctuation that only the sentences have. */
function withMarks(words: readonly string[], written: readonly string[]): string[] {
  const bare = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  let at = 0;
  return words.map((word) => {
    const found = written.slice(at, at + 4).findIndex((other) => bare(other) === bare(word));
    if (found < 0) return word;
    at += found + 1;
    return written[at - 1] ?? word;
  });
}
