/** The window's requests about fonts. Window only. */
import {
  fontRows,
  type AddedFamily,
  type FontUses,
  type MissingFamily,
  type WindowFonts,
} from '../../../shared/api/fonts.ts';
import { addressOf, call, parsed } from './call.ts';
import { uploadFile } from './uploads.ts';

/** All families that texts can use. */
export const loadFonts = (): Promise<WindowFonts> => call(fontRows.all);

/** The families that people added. */
export const loadAddedFonts = (): Promise<readonly AddedFamily[]> => call(fontRows.added);

/** The families that templates name and nothing has. */
export const loadMissingFonts = (): Promise<readonly MissingFamily[]> => call(fontRows.missing);

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
  const path = addressOf(fontRows.add, { query: { name: file.name } });
  return parsed(fontRows.add, await uploadFile(path, file, signal, onSent));
}

/** Who uses an added family. */
export const fontUses = (family: string): Promise<FontUses> =>
  call(fontRows.uses, { params: { family } });

/** Removes an added family for good. */
export const removeFont = (family: string): Promise<undefined> =>
  call(fontRows.remove, { params: { family } });
