/** Requests about transcripts: what is said in a recording, with the time of every word. */
import { TranscriptFailedError } from './errors.ts';
import type { CreateTranscript, RecordingTranscript } from './generated/api-types.ts';
import { pause, type Connection } from './http.ts';

/** Milliseconds between two questions, at first and at most. */
const pauses = { first: 250, most: 5_000 };

/** Options of waiting for a transcript. */
export interface TranscriptOptions {
  /** Called with the share of the recording that is done, 0 to 1. */
  readonly onProgress?: ((share: number) => void) | undefined;
  /** Ends the wait; the server goes on. */
  readonly signal?: AbortSignal | undefined;
}

/** Requests about transcripts of recordings. */
export class Transcripts {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Has a recording transcribed, without waiting for it. */
  create(order: CreateTranscript, signal?: AbortSignal): Promise<RecordingTranscript> {
    // Asked twice, the second one finds the words of the first.
    const ask = { method: 'POST', body: order, signal, isRepeatable: true } as const;
    return this.#connection.json('/v2/transcripts', ask);
  }

  /** A transcript as it is now. @throws NotFoundError once the server has forgotten it */
  get(id: string, signal?: AbortSignal): Promise<RecordingTranscript> {
    return this.#connection.json(`/v2/transcripts/${encodeURIComponent(id)}`, { signal });
  }

  /**
   * Waits for the words of a transcript.
   *
   * @throws TranscriptFailedError with the reason, RefusedError, ConnectionError; the signal's reason
   */
  async wait(
    id: string,
    { onProgress, signal }: TranscriptOptions = {},
  ): Promise<RecordingTranscript> {
    for (let rest = pauses.first; ; rest = Math.min(pauses.most, rest * 2)) {
      const transcript = await this.get(id, signal);
      if (transcript.status === 'failed') throw new TranscriptFailedError(transcript);
      if (transcript.status === 'succeeded') return transcript;
      onProgress?.(transcript.progress ?? 0);
      await pause(rest, signal);
    }
  }
}
