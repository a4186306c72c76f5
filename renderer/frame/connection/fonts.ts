/** Requests about fonts. The form of answers is trusted, as in api.ts. */
import type { AddedFamily, FontUses, MissingFamily, WindowFonts } from '../../../shared/api.ts';
import { answerOf, request } from './api.ts';
import { uploadFile } from './uploads.ts';

const at = (family: string, rest = ''): string =>
  `/api/fonts/added/${encodeURIComponent(family)}${rest}`;

async function ask(path: string, method = 'GET'): Promise<unknown> {
  return answerOf(await request(path, { method }));
}

/** All families that texts can use. */
export const loadFonts = async (): Promise<WindowFonts> => (await ask('/api/fonts')) as WindowFonts;

/** The families that people added. */
export const loadAddedFonts = async (): Promise<readonly AddedFamily[]> =>
  (await ask('/api/fonts/added')) as AddedFamily[];

/** The families that templates name and nothing has. */
export const loadMissingFonts = async (): Promise<readonly MissingFamily[]> =>
  (await ask('/api/fonts/missing')) as MissingFamily[];

/**
 * Adds a font file; the same file is stored only once.
 *
 * @param onSent told how many bytes have been sent
 * @returns its family, with all files. @throws {RequestProblem} with what is wrong with the file
 */
export async function addFont(
  file: File,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<AddedFamily> {
  const path = `/api/fonts/added?name=${encodeURIComponent(file.name)}`;
  return (await uploadFile(path, file, signal, onSent)) as AddedFamily;
}

/** Who uses an added family. */
export const fontUses = async (family: string): Promise<FontUses> =>
  (await ask(at(family, '/uses'))) as FontUses;

/** Removes an added family for good. */
export async function removeFont(family: string): Promise<void> {
  await ask(at(family), 'DELETE');
}
