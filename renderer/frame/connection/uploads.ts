/** Sends a file as the body of a request, with its progress. Window only. */
import { answerOf, authorize, RequestProblem } from './api.ts';
import { say } from '../../ui/say.ts';

/**
 * Sends a file from the drive without reading it into memory.
 *
 * @param onSent told how many bytes have been sent
 * @returns the answer's JSON. @throws RequestProblem with the server's own sentence; the signal's reason.
 */
export async function uploadFile(
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
