/** The text of a chosen or dropped file, whatever its encoding. Window only. */
import type { DecodedText } from '../../shared/decode-text.ts';
import type { TextEncoding } from '../../shared/text-encodings.ts';

/**
 * A file that is no text is read as UTF-8, which its reader then refuses.
 * @param chosen Default: what the bytes show.
 */
export async function readTextFile(file: Blob, chosen?: TextEncoding): Promise<DecodedText> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  // Few windows ever need its tables.
  const { decodeText } = await import('../../shared/decode-text.ts');
  const unread: DecodedText = {
    text: new TextDecoder().decode(bytes),
    encoding: 'utf-8',
    isGuess: false,
  };
  return decodeText(bytes, chosen) ?? unread;
}
