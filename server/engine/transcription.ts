/**
 * Transcribes one recording for the editor, ahead of any render. The words go where renders keep theirs, by the content
 * of the recording: the next picture shows them. Runs in a worker process.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { RenderError } from '../../shared/engine/errors.ts';
import type { AddressRule } from '../system/address-rule.ts';
import type { HiddenMedia } from '../system/media-folders.ts';
import { probe } from './assets/examine/probe.ts';
import { fetchToFile } from './assets/fetch/fetch.ts';
import type { Transcriber } from './assets/speech/recognisers.ts';
import { readTranscript, transcribe, transcriptPlace } from './assets/speech/transcribe.ts';
import { findFfmpeg } from './ffmpeg.ts';

/** A recording as documents name it, with what may be read. */
interface NamedRecording extends AddressRule {
  readonly source: string;
  readonly mediaFolders: readonly string[];
  readonly hiddenMedia?: HiddenMedia | undefined;
  readonly cacheLimit?: number | undefined;
  readonly limits: { readonly mediaBytes: number };
}

/** Which recording, and where words are kept. */
export interface TranscriptionJob {
  readonly recording: { readonly filePath: string } | NamedRecording;
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
  job: TranscriptionJob,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<WrittenTranscript> {
  const { recording, cacheFolder, workFolder, transcriber, ffmpegPath } = job;
  const filePath =
    'filePath' in recording ? recording.filePath : await fetched(recording, job, signal);
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

/** Fetches a recording. @throws RenderError `media_…` */
async function fetched(
  { source, limits, ...rule }: NamedRecording,
  { workFolder, cacheFolder, ffmpegPath }: TranscriptionJob,
  signal: AbortSignal,
): Promise<string> {
  const file = path.join(workFolder, `recording-${randomUUID()}`);
  await fetchToFile(source, file, { ...rule, cacheFolder, maxBytes: limits.mediaBytes, signal });
  const { info } = await probe(file, { ffmpeg: await findFfmpeg(ffmpegPath), signal });
  if (info.kind !== 'audio' && !info.hasAudio)
    throw new RenderError('media_unreadable', 'The file has no sound');
  return file;
}
