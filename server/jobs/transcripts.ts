/**
 * Recordings that somebody has asked the words of over the API: transcribed one after the other, and kept in memory for
 * the asking, the newest ones. Their words are kept by content, so that asking again costs nothing.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { transcriptLimits } from '../../shared/limits.ts';
import { noSpeechModel } from '../../shared/speech-models.ts';
import type { TranscriptionService } from './worker/transcriptions.ts';

/** What a client asks. */
export interface TranscriptOrder {
  /** As documents name it. */
  readonly source: string;
  readonly language?: string | undefined;
  readonly words?: string | undefined;
}

/** A spoken word; seconds. */
export interface SpokenWord {
  readonly time: number;
  readonly duration: number;
  /** With the space before it, where there is one. */
  readonly value: string;
}

/** One of them, as it is now. */
export interface KeptTranscript {
  readonly id: string;
  readonly project: string;
  readonly source: string;
  readonly state:
    | { readonly kind: 'transcribing'; readonly share: number }
    | {
        readonly kind: 'succeeded';
        readonly language: string | null;
        readonly words: readonly SpokenWord[];
      }
    | { readonly kind: 'failed'; readonly message: string };
}

/** The file that the worker has left (server/engine/assets/speech/transcribe.ts). */
const stored = z.object({
  language: z.string().nullable(),
  words: z.array(
    z.object({ text: z.string(), start: z.number(), end: z.number(), glued: z.boolean() }),
  ),
});

const rounded = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** See above. */
export class TranscriptList {
  readonly #service: Pick<TranscriptionService, 'make'>;
  readonly #life = new AbortController();
  /** Oldest first. */
  readonly #kept = new Map<string, KeptTranscript>();
  readonly #ended = new Map<string, Promise<void>>();

  constructor(service: Pick<TranscriptionService, 'make'>) {
    this.#service = service;
  }

  /** Has a recording transcribed. @returns null if too many wait */
  create(project: string, order: TranscriptOrder): KeptTranscript | null {
    if (this.#ended.size >= transcriptLimits.waiting) return null;
    const { source } = order;
    const id = randomUUID();
    const made = this.#set({ id, project, source, state: { kind: 'transcribing', share: 0 } });
    for (const [oldest, { state }] of this.#kept) {
      if (this.#kept.size <= transcriptLimits.kept) break;
      if (state.kind !== 'transcribing') this.#kept.delete(oldest);
    }
    const ended = this.#run(made, order).finally(() => this.#ended.delete(id));
    this.#ended.set(id, ended);
    return made;
  }

  /** One of a project; undefined if there is none, or no more. */
  find(project: string, id: string): KeptTranscript | undefined {
    const found = this.#kept.get(id);
    return found?.project === project ? found : undefined;
  }

  /** Waits until one has ended, or for so many ms. */
  async untilEnded(id: string, longest: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, longest);
    });
    await Promise.race([this.#ended.get(id), late]);
    clearTimeout(timer);
  }

  /** Ends what is being transcribed. */
  close(): void {
    this.#life.abort();
  }

  async #run(made: KeptTranscript, { source, language, words }: TranscriptOrder): Promise<void> {
    const { project } = made;
    const outcome = await this.#service.make(
      { source, project, language, words },
      this.#life.signal,
      (share) => this.#set({ ...made, state: { kind: 'transcribing', share } }),
    );
    switch (outcome.kind) {
      case 'made':
        this.#set({ ...made, state: await readWords(outcome.place) });
        break;
      case 'none':
        this.#set({ ...made, state: { kind: 'failed', message: `${noSpeechModel}.` } });
        break;
      case 'failed':
        this.#set({ ...made, state: { kind: 'failed', message: outcome.message } });
    }
  }

  #set(transcript: KeptTranscript): KeptTranscript {
    this.#kept.set(transcript.id, transcript);
    return transcript;
  }
}

async function readWords(place: string): Promise<KeptTranscript['state']> {
  try {
    const { language, words } = stored.parse(JSON.parse(await readFile(place, 'utf8')));
    return {
      kind: 'succeeded',
      language,
      words: words.map(({ text, start, end, glued }, index) => ({
        time: rounded(start),
        duration: rounded(end - start),
        value: glued || index === 0 ? text : ` ${text}`,
      })),
    };
  } catch {
    return { kind: 'failed', message: 'The words are no more where they were kept. Ask again.' };
  }
}
