/**
 * Phase 1, captions: speech to words with the recogniser that is chosen: decodes the recording, leaves out what is
 * silent, has the rest heard in pieces and joins their words. Runs in the worker. Transcripts are cached by the
 * recording's content, so that each is made once.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { decoderLimits } from '../../cage.ts';
import { runFfmpeg, type Ffmpeg } from '../../ffmpeg.ts';
import { sniffFile, inputArguments } from '../examine/sniff.ts';
import { inOrder, type TimedWord } from '../../../../shared/engine/transcript.ts';
import { renameOver } from '../../../system/files.ts';
import type { Recogniser } from './recogniser.ts';
import { openRecogniser, recogniserPrint, type Transcriber } from './recognisers.ts';
import { type HeardSpan, levelsOf, piecesOf, soundsIn, type Span } from './silence.ts';

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
const version = 2;

const keptTranscript = z.object({
  /** As the recogniser names it; null = it does not say, or nothing was heard. */
  language: z.string().nullable(),
  words: z.array(
    z.object({
      text: z.string(),
      start: z.number(),
      end: z.number(),
      sentence: z.number().nullable(),
      glued: z.boolean(),
    }),
  ),
});

/** What is said in a recording. */
export type KeptTranscript = z.infer<typeof keptTranscript>;

/** The transcript cached at a `transcriptPlace`; null = none, or damaged. */
export async function readTranscript(place: string): Promise<KeptTranscript | null> {
  try {
    return keptTranscript.parse(JSON.parse(await readFile(place, 'utf8')));
  } catch {
    return null;
  }
}

/** Its words alone. */
export async function findTranscript(place: string): Promise<readonly TimedWord[] | null> {
  return (await readTranscript(place))?.words ?? null;
}

/**
 * Transcribes a recording and caches the result.
 *
 * @throws RenderError `transcriber_missing` if the recogniser or its model can't be used, `transcriber_failed`,
 * `cancelled`.
 */
export async function transcribe(
  file: string,
  options: TranscribeOptions,
): Promise<readonly TimedWord[]> {
  const { transcriber, ffmpeg, place, workFolder, signal, onProgress } = options;
  const recogniser = await openRecogniser(transcriber, { workFolder, signal });
  const sound = path.join(workFolder, `speech-${randomUUID()}.wav`);
  try {
    // The only form that every version of the programs reads.
    const samples = ['-vn', '-ac', '1', '-ar', '16000', '-c:a', 'pcm_s16le'];
    const input = [...inputArguments((await sniffFile(file))?.name ?? ''), '-i', file];
    await runFfmpeg(ffmpeg, ['-v', 'error', ...input, ...samples, '-y', sound], {
      signal,
      // Hours of speech; a file of this kind can't be larger.
      limits: { ...decoderLimits, writes: 2 ** 32 },
    });
    const transcript = await hearAll(recogniser, sound, { signal, onProgress });
    await keep(place, transcript);
    onProgress(1);
    return transcript.words;
  } finally {
    recogniser.close();
    await rm(sound, { force: true });
  }
}

/** Hears a sound, piece by piece. */
async function hearAll(
  recogniser: Recogniser,
  sound: string,
  { signal, onProgress }: Pick<TranscribeOptions, 'signal' | 'onProgress'>,
): Promise<KeptTranscript> {
  const { pieces, spoken } = await partsOf(recogniser, sound, signal);
  const lengthOf = ({ start, end }: Span): number => (pieces.length === 1 ? 1 : end - start);
  const total = pieces.reduce((sum, piece) => sum + lengthOf(piece), 0);
  const words: TimedWord[] = [];
  let language: string | undefined;
  let done = 0;
  for (const piece of pieces) {
    const length = lengthOf(piece);
    const tell = (share: number): void => onProgress((done + share * length) / total);
    tell(0);
    const answer = await recogniser.hear({ sound, span: piece, language }, tell);
    signal.throwIfAborted();
    done += length;
    // The others are most likely spoken in the same one; short ones are guessed wrong.
    if (answer.words.length > 0) language ??= answer.language ?? undefined;
    words.push(...placed(answer.words, piece, spoken));
  }
  return { language: language ?? null, words: inOrder(words) };
}

/** What of a sound is heard, and where somebody speaks in it. */
async function partsOf(
  { longest, window, voicesIn }: Recogniser,
  sound: string,
  signal: AbortSignal,
): Promise<{ readonly pieces: readonly HeardSpan[]; readonly spoken: readonly Span[] }> {
  const whole = { start: 0, end: Infinity, from: 0, to: Infinity };
  if (longest === Infinity) return { pieces: [whole], spoken: [] };
  const { levels, duration } = await levelsOf(sound, signal);
  const spoken = await voicesIn(sound, soundsIn({ levels, duration }));
  return { pieces: piecesOf(spoken, { levels, longest, window }), spoken };
}

/** Words of a piece on the recording's clock: those that belong to it, none longer than what is spoken. */
function placed(
  words: readonly TimedWord[],
  { start, end, from, to }: HeardSpan,
  spoken: readonly Span[],
): TimedWord[] {
  // A recording of a day has thousands of spans; a piece has few.
  const near = spoken.filter((span) => span.end > start && span.start < end);
  return words
    .map((word) => ({ ...word, start: word.start + start, end: word.end + start }))
    .filter((word) => {
      const middle = (word.start + word.end) / 2;
      return middle >= from && middle < to;
    })
    .map((word) => {
      // Recognisers let a word last until the next one begins, over the pause after it.
      const around = near.find((span) => word.start >= span.start && word.start < span.end);
      return around && word.end > around.end ? { ...word, end: around.end } : word;
    });
}

// ---- kept transcripts ----------------------------------------------------------------------------------------------

/** When a transcript was last cached: milliseconds since 1970, 0 = never. Cheap; for previews before transcription. */
export async function lastTranscribed(cacheFolder: string): Promise<number> {
  const facts = await stat(path.join(cacheFolder, 'transcripts')).catch(() => null);
  return facts?.mtimeMs ?? 0;
}

/**
 * Where the words of a recording are cached: named by its content, which is read for this, by the recogniser, and by
 * what the person said of the language. Recordings with the same content share a place.
 */
export async function transcriptPlace(
  file: string,
  transcriber: Transcriber,
  cacheFolder: string,
): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  const { kind, language, words } = transcriber;
  const print = [version, kind, ...(await recogniserPrint(transcriber)), language, words];
  hash.update(JSON.stringify(print));
  return path.join(cacheFolder, 'transcripts', `${hash.digest('hex').slice(0, 40)}.json`);
}

/** A full or read-only disk is no reason to fail a render whose words are known. */
async function keep(file: string, transcript: KeptTranscript): Promise<void> {
  const part = `${file}.${randomUUID()}.part`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(part, JSON.stringify(transcript));
    await renameOver(part, file);
  } catch {
    await rm(part, { force: true }).catch(() => undefined);
  }
}
