/** Sends a file as the body of a request, with its progress. Window only. */
import type { AnswerOf, Row } from '../../../shared/api/row.ts';
import { say } from '../../ui/say.ts';
import { answerOf, authorize, RequestProblem } from './api.ts';
import { addressOf, parsed, type SentTo, call } from './call.ts';
import { mediaRows, type WindowMedia } from '../../../shared/api/media.ts';

/**
 * Sends a file from the drive without reading it into memory.
 *
 * @param onSent told how many bytes have been sent
 * @returns the answer. @throws RequestProblem with the server's own sentence; the signal's reason.
 */
export async function upload<R extends Row>(
  row: R,
  [sent]: SentTo<R>,
  file: File,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<AnswerOf<R>> {
  return parsed(row, await sendFile(addressOf(row, sent), file, signal, onSent));
}

async function sendFile(
  path: string,
  file: File,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<unknown> {
  // The only kind of request that reports its progress.
  const upload = new XMLHttpRequest();
  upload.open('POST', path);
  await authorize(upload);
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    upload.setRequestHeader('content-type', 'application/octet-stream');
    upload.upload.onprogress = ({ loaded }) => onSent(loaded);
    upload.onload = () => {
      const { status, responseText } = upload;
      answerOf(new Response(responseText, { status })).then(resolve, reject);
    };
    upload.onerror = () => reject(new RequestProblem(say('problem.connection')));
    upload.onabort = () => resolve(aborted(signal));
    signal.addEventListener('abort', () => upload.abort());
    upload.send(file);
  });
}

/** @throws the signal's reason */
// eslint-disable-next-line @typescript-eslint/require-await -- for whoever waits
async function aborted(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  throw new RequestProblem(say('problem.connection'));
}

/* The window's requests about the media library. */

/**
 * Adds a file to the media library; the same file is stored only once.
 *
 * @param onSent told how many bytes have been sent
 */
export const addMedia = (
  file: File,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<WindowMedia> =>
  upload(mediaRows.add, [{ query: { name: file.name } }], file, signal, onSent);

/** A file of the media library; null when it is gone. */
export async function findMedia(id: string, signal: AbortSignal): Promise<WindowMedia | null> {
  try {
    return await call(mediaRows.find, { params: { id }, signal });
  } catch (reason) {
    if (reason instanceof RequestProblem && reason.status === 404) return null;
    throw reason;
  }
}

/** Where a sound or a video of the library plays from: an address for elements of this page. */
export const mediaAddress = async (id: string, signal: AbortSignal): Promise<string> =>
  (await call(mediaRows.playing, { params: { id }, signal })).path;
