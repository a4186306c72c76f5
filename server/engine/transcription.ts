/**
 * Transcribes one recording for the editor, ahead of any render. The words go where renders keep theirs, by the content
 * of the recording: the next picture shows them. Runs in a worker process.
 */
import { RenderError } from '../../shared/engine/errors.ts';
import type { Transcriber } from './assets/speech/recognisers.ts';
import { readTranscript, transcribe, transcriptPlace } from './assets/speech/transcribe.ts';
import { findFfmpeg } from './ffmpeg.ts';

/** Which recording, and where words are kept. */
export interface TranscriptionJob {
  readonly filePath: string;
  readonly cacheFolder: string;
  /** Exists already; the caller removes it. */
  readonly workFolder: string;
  readonly transcriber: Transcriber;
  readonly ffmpegPath?: string | undefined;
}

/** The words of a recording, as they are kept. */
export interface WrittenTranscript {
  /** How many words there are. */
  readonly words: number;
  /** The language, as the recogniser names it; null = it does not say. */
  readonly language: string | null;
  /** The file that has them. */
  readonly place: string;
}

/**
 * Sees to it that the words of a recording are known.
 *
 * @param onProgress told the share that is done, 0–1
 * @throws RenderError `transcriber_missing`, `transcriber_failed`, `media_…`, `cancelled`
 */
export async function writeTranscript(
  { filePath, cacheFolder, workFolder, transcriber, ffmpegPath }: TranscriptionJob,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<WrittenTranscript> {
  const place = await transcriptPlace(filePath, transcriber, cacheFolder);
  let known = await readTranscript(place);
  if (!known) {
    const ffmpeg = await findFfmpeg(ffmpegPath);
    await transcribe(filePath, { transcriber, ffmpeg, place, workFolder, signal, onProgress });
    known = await readTranscript(place);
  }
  // A full disk is no failure of a render, which has its words: here nothing is left of the work.
  if (!known)
    throw new RenderError('transcriber_failed', 'The words could not be stored: is the disk full?');
  return { words: known.words.length, language: known.language, place };
}
