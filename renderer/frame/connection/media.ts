/** The window's requests about the media library. Window only. */
import { mediaRows, type WindowMedia } from '../../../shared/api/media.ts';
import { RequestProblem } from './api.ts';
import { call } from './call.ts';
import { upload } from './uploads.ts';

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
