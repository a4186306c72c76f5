/** Phase 1, captions: what a recogniser of speech is. The rows are in recognisers.ts. */
import type { TimedWord } from '../../../../shared/engine/transcript.ts';
import type { Span } from './silence.ts';

/** What the person knows beforehand. */
export interface Hints {
  /** The language that is spoken, as ISO 639 has it (`de`); absent = recognised. */
  readonly language?: string;
  /** Names and words that it may not know, in a line. */
  readonly words?: string;
}

/** A part of a recording to hear. */
export interface Piece {
  /** A WAV file of 16 bits, 16 kHz, mono, that holds the whole recording. */
  readonly sound: string;
  /** What of it to hear. */
  readonly span: Span;
  /** What the pieces before it were found to be spoken in; absent = as hinted, or recognised. */
  readonly language?: string | undefined;
}

/** What was heard: words on the piece's own clock. */
export interface Heard {
  readonly words: readonly TimedWord[];
  /** The language; null = it does not say. */
  readonly language: string | null;
}

/** Hears the pieces of one recording. */
export interface Recogniser {
  /** Seconds that it hears at a time; `Infinity` = any number. */
  readonly longest: number;
  /** Seconds that any shorter piece costs as much as; 0 = pieces cost what they are long. */
  readonly window: number;
  /**
   * Where somebody speaks, of parts that are not silent; all of them if it can't tell.
   * @throws RenderError `transcriber_…`, `cancelled`
   */
  readonly voicesIn: (sound: string, spans: readonly Span[]) => Promise<readonly Span[]>;
  /**
   * @param onProgress told the share of the piece that is done, 0–1
   * @throws RenderError `transcriber_missing`, `transcriber_failed`, `cancelled`
   */
  hear(piece: Piece, onProgress: (share: number) => void): Promise<Heard>;
  /** Ends what it has started. */
  close(): void;
}

/** What hearing needs beside the recogniser. */
export interface Hearing {
  readonly workFolder: string;
  readonly signal: AbortSignal;
}

/** A way to recognise speech, with what the person chose of it. */
export interface RecogniserRow<Choice> {
  readonly open: (choice: Choice, hearing: Hearing) => Promise<Recogniser>;
  /** What of it other words may come from: a part of the name under which they are kept. */
  readonly print: (choice: Choice) => Promise<readonly unknown[]>;
}
