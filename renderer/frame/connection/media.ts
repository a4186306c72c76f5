/** The window's requests about the media library. Window only. */
import { mediaRows, type WindowMedia } from '../../../shared/api/media.ts';
import { RequestProblem } from './api.ts';
import { addressOf, call, loadPictureOf, parsed } from './call.ts';
import { uploadFile } from './uploads.ts';

/** All files of the media library, newest first. */
export const loadMedia = (): Promise<readonly WindowMedia[]> => call(mediaRows.list);

/**
 * Adds a file to the media library; the same file is stored only once.
 *
 * @param onSent told how many bytes have been sent
 */
export async function addMedia(
  file: File,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<WindowMedia> {
  const path = addressOf(mediaRows.add, { query: { name: file.name } });
  return parsed(mediaRows.add, await uploadFile(path, file, signal, onSent));
}

/** Names of the templates that read a file of the library. */
export const mediaUses = (id: string): Promise<readonly string[]> =>
  call(mediaRows.uses, { params: { id } });

/** Removes a file of the library for good. */
export const removeMedia = (id: string): Promise<undefined> =>
  call(mediaRows.remove, { params: { id } });

/** A file of the media library; null when it is gone. */
export async function findMedia(id: string, signal: AbortSignal): Promise<WindowMedia | null> {
  try {
    return await call(mediaRows.find, { params: { id }, signal });
  } catch (reason) {
    if (reason instanceof RequestProblem && reason.status === 404) return null;
    throw reason;
  }
}

/** Its small picture as an address of this page, to be revoked; null without one. */
export const loadMediaPicture = (id: string, signal: AbortSignal): Promise<string | null> =>
  loadPictureOf(mediaRows.thumbnail, { params: { id }, signal });
