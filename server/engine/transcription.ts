/**
 * Transcribes one recording for the editor, ahead of any render. The words go where renders keep theirs, by the content
 * of the recording: the next picture shows them. Runs in a worker process.
 */
import { RenderError } from '../../shared/engine/errors.ts';
import {
  findTranscript,
  transcribe,
  transcriptPlace,
  type Transcriber,
} from './assets/speech/transcribe.ts';
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

/**
 * Sees to it that the words of a recording are known.
 *
 * @param onProgress told the share that is done, 0–1
 * @returns how many words there are
 * @throws RenderError `transcriber_missing`, `transcriber_failed`, `media_…`, `cancelled`
 */
export async function writeTranscript(
  { filePath, cacheFolder, workFolder, transcriber, ffmpegPath }: TranscriptionJob,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<number> {
  const place = await transcriptPlace(filePath, transcriber, cacheFolder);
  const known = await findTranscript(place);
  if (known) return known.length;
  const ffmpeg = await findFfmpeg(ffmpegPath);
  const options = { transcriber, ffmpeg, place, workFolder, signal, onProgress };
  const words = await transcribe(filePath, options);
  // A full disk is no failure of a render, which has its words: here nothing is left of the work.
  if ((await findTranscript(place)) === null)
    throw new RenderError('transcriber_failed', 'The words could not be stored: is the disk full?');
  return words.length;
}
