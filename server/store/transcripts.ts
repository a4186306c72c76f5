/**
 * Recordings that the API was asked the words of: one record for each question, from the asking to its words. Kept as
 * long as renders are, and only the newest.
 */
import { z } from 'zod';
import { retention, transcriptLimits } from '../../shared/limits.ts';
import { hiddenKinds } from '../../shared/hidden-words.ts';
import type { RecordKeeper, Records } from './records.ts';
import type { StoreNotice } from './repair.ts';

const spokenWord = z.object({
  /** Seconds. */
  time: z.number(),
  duration: z.number(),
  /** With the space before it, where there is one. */
  value: z.string(),
});
/** A spoken word. */
export type SpokenWord = Readonly<z.infer<typeof spokenWord>>;

const transcriptDoc = z.object({
  _id: z.string(),
  project: z.string(),
  /** Ms since 1970. */
  createdAt: z.number(),
  /** As documents name it. */
  source: z.string(),
  language: z.string().optional(),
  /** Names and words that are hard to know. */
  words: z.string().optional(),
  hides: z.array(z.enum(hiddenKinds)).optional(),
  /** How often it was begun: a recording that ends the server must not end every one. */
  attempts: z.number(),
  state: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('transcribing') }),
    z.object({
      kind: z.literal('succeeded'),
      language: z.string().nullable(),
      /** JSON: a list of words. */
      words: z.string(),
    }),
    z.object({ kind: z.literal('failed'), message: z.string() }),
  ]),
});
type TranscriptDoc = z.infer<typeof transcriptDoc>;

/** A stored question. */
export interface StoredTranscript extends Omit<TranscriptDoc, '_id'> {
  readonly id: string;
}

/** The words of one that has succeeded. */
export const storedWords = (words: string): readonly SpokenWord[] =>
  z.array(spokenWord).parse(JSON.parse(words));

/** The transcripts of the data folder. */
export class TranscriptStore {
  readonly #collection: Records<TranscriptDoc>;

  private constructor(collection: Records<TranscriptDoc>) {
    this.#collection = collection;
  }

  /** Opens the collection `transcripts`. */
  static async open(keeper: RecordKeeper): Promise<TranscriptStore> {
    return new TranscriptStore(await keeper.open('transcripts', transcriptDoc));
  }

  get notices(): readonly StoreNotice[] {
    return this.#collection.notices;
  }

  /** The transcript, or null. */
  find(id: string): StoredTranscript | null {
    const doc = this.#collection.find(id);
    return doc && fromDoc(doc);
  }

  /** Those that have not ended, oldest first. */
  listUnfinished(): StoredTranscript[] {
    return this.#oldestFirst(({ state }) => state.kind === 'transcribing');
  }

  /** Those that are as old as renders become. @param now ms since 1970 */
  listExpired(now: number): StoredTranscript[] {
    return this.#oldestFirst(({ createdAt }) => now - createdAt > retention.renders);
  }

  /** Stores a new one; the oldest that have ended make room. @throws ApiError `cannot_save`. */
  async insert({ id, ...fields }: StoredTranscript): Promise<void> {
    await this.#collection.write({ _id: id, ...fields });
    const extra = this.#collection.all().length - transcriptLimits.kept;
    if (extra <= 0) return;
    const ended = this.#oldestFirst(({ state }) => state.kind !== 'transcribing');
    for (const { id: oldest } of ended.slice(0, extra)) await this.remove(oldest);
  }

  /** Notes what has become of one; null if there is none. @throws ApiError `cannot_save`. */
  async change(
    id: string,
    values: Partial<Pick<StoredTranscript, 'attempts' | 'state'>>,
  ): Promise<StoredTranscript | null> {
    const changed = await this.#collection.change(id, (doc) => ({ ...doc, ...values }));
    return changed && fromDoc(changed);
  }

  /** @throws ApiError `cannot_save`. */
  async remove(id: string): Promise<void> {
    await this.#collection.remove(id);
  }

  close(): Promise<void> {
    return this.#collection.close();
  }

  #oldestFirst(isOne: (doc: TranscriptDoc) => boolean): StoredTranscript[] {
    const docs = this.#collection.all().filter(isOne);
    return docs.sort((a, b) => a.createdAt - b.createdAt).map(fromDoc);
  }
}

function fromDoc({ _id, ...fields }: TranscriptDoc): StoredTranscript {
  return { id: _id, ...fields };
}
