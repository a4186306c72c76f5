/**
 * Recordings that somebody has asked the words of over the API: stored before the answer, transcribed one after the
 * other, and gone on with by the next start. Of several servers, the one that leads transcribes. Words are kept by
 * content, too, so that asking again costs nothing.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { shownWords, type HiddenKind } from '../../shared/hidden-words.ts';
import { transcriptLimits, workLimits } from '../../shared/limits.ts';
import { noSpeechModel } from '../../shared/speech-models.ts';
import type { StoredTranscript, TranscriptStore } from '../store/transcripts.ts';
import type { Clock } from '../system/clock.ts';
import { describeError, type Log } from '../system/log.ts';
import type { TranscriptionService } from './worker/transcriptions.ts';

/** What a client asks. */
export interface TranscriptOrder {
  /** As documents name it. */
  readonly source: string;
  readonly language?: string | undefined;
  /** Names and words that are hard to know. */
  readonly words?: string | undefined;
  /** What is not to be shown. */
  readonly hides?: readonly HiddenKind[];
}

/** One of them, as it is now. */
export interface KnownTranscript extends StoredTranscript {
  /** Of the recording, 0–1; 0 while another server transcribes it. */
  readonly share: number;
}

/** What it works with. */
export interface TranscriptListOptions {
  readonly service: Pick<TranscriptionService, 'make'>;
  readonly store: TranscriptStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether this one of several servers transcribes. */
  readonly leads: () => boolean;
}

/** The file that the worker has left (server/engine/assets/speech/transcribe.ts). */
const keptFile = z.object({
  language: z.string().nullable(),
  words: z.array(
    z.object({ text: z.string(), start: z.number(), end: z.number(), glued: z.boolean() }),
  ),
});

const lost = `The server ended ${workLimits.attempts} times while it transcribed this. Its log tells more.`;

/** Between two looks at one that somebody waits for, in ms. */
const lookEvery = 200;

const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** See above. */
export class TranscriptList {
  readonly #options: TranscriptListOptions;
  readonly #life = new AbortController();
  /** What is done of those that this server transcribes, or is about to. */
  readonly #shares = new Map<string, number>();
  /** Ends with the newest one. */
  #line: Promise<void> = Promise.resolve();

  constructor(options: TranscriptListOptions) {
    this.#options = options;
  }

  /** Goes on with what an earlier run, or another server that led, has left. */
  begin(): void {
    for (const { id } of this.#options.store.listUnfinished()) this.hear(id);
  }

  /** One was stored, here or by another server. */
  hear(id: string): void {
    const { store, leads, log } = this.#options;
    if (this.#life.signal.aborted || !leads() || this.#shares.has(id)) return;
    if (store.find(id)?.state.kind !== 'transcribing') return;
    this.#shares.set(id, 0);
    this.#line = this.#line
      .then(() => this.#run(id))
      // It stays unfinished: the next start tries again.
      .catch((error: unknown) => log('error', 'transcripts', describeError(error)))
      .finally(() => this.#shares.delete(id));
  }

  /**
   * Has a recording transcribed.
   *
   * @returns null if too many wait @throws ApiError `cannot_save`
   */
  async create(project: string, order: TranscriptOrder): Promise<KnownTranscript | null> {
    const { store, clock } = this.#options;
    if (store.listUnfinished().length >= transcriptLimits.waiting) return null;
    const { source, language, words, hides = [] } = order;
    const made: StoredTranscript = {
      ...{ id: randomUUID(), project, createdAt: clock.now(), source, language, words },
      ...{ hides: [...hides], attempts: 0, state: { kind: 'transcribing' } },
    };
    await store.insert(made);
    this.hear(made.id);
    return { ...made, share: 0 };
  }

  /** One of a project; undefined if there is none, or no more. */
  find(project: string, id: string): KnownTranscript | undefined {
    const found = this.#options.store.find(id);
    if (found?.project !== project) return undefined;
    return { ...found, share: this.#shares.get(id) ?? 0 };
  }

  /** Waits until one has ended, or for so many ms. */
  async untilEnded(id: string, longest: number): Promise<void> {
    const { store } = this.#options;
    for (let waited = 0; waited < longest; waited += lookEvery) {
      if (this.#life.signal.aborted || store.find(id)?.state.kind !== 'transcribing') return;
      await pause(lookEvery);
    }
  }

  /** Ends what is being transcribed; the next start goes on with it. */
  async close(): Promise<void> {
    this.#life.abort();
    await this.#line;
  }

  async #run(id: string): Promise<void> {
    const { store, service } = this.#options;
    const found = store.find(id);
    const { signal } = this.#life;
    const isOver = (): boolean => signal.aborted;
    if (found?.state.kind !== 'transcribing' || isOver()) return;
    const { source, project, language, words, hides = [], attempts } = found;
    if (attempts >= workLimits.attempts) {
      await store.change(id, { state: { kind: 'failed', message: lost } });
      return;
    }
    await store.change(id, { attempts: attempts + 1 });
    const outcome = await service.make(
      { source, project, language, words },
      signal,
      (share) => void this.#shares.set(id, share),
    );
    if (isOver()) {
      // Ended on purpose: that was no attempt.
      await store.change(id, { attempts });
      return;
    }
    switch (outcome.kind) {
      case 'made':
        await store.change(id, { state: await readWords(outcome.place, hides, language) });
        break;
      case 'none':
        await store.change(id, { state: { kind: 'failed', message: `${noSpeechModel}.` } });
        break;
      case 'failed':
        await store.change(id, { state: { kind: 'failed', message: outcome.message } });
    }
  }
}

async function readWords(
  place: string,
  hides: readonly HiddenKind[],
  asked: string | undefined,
): Promise<StoredTranscript['state']> {
  const text = await readFile(place, 'utf8').catch(() => null);
  const kept = text === null ? null : keptFile.safeParse(JSON.parse(text));
  if (!kept?.success)
    return { kind: 'failed', message: 'The words are no more where they were kept. Ask again.' };
  const { language, words } = kept.data;
  const shown = shownWords(words, hides, language ?? asked ?? null);
  const list = shown.map(({ text: word, start, end, glued }, index) => ({
    time: rounded(start),
    duration: rounded(end - start),
    value: glued || index === 0 ? word : ` ${word}`,
  }));
  return { kind: 'succeeded', language, words: JSON.stringify(list) };
}
