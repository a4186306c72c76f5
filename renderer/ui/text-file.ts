/** The text of a chosen or dropped file, whatever its encoding. Window only. */
import type { DecodedText } from '../../shared/decode-text.ts';

/** A file that is no text is read as UTF-8, which its reader then refuses. */
export async function readTextFile(file: Blob): Promise<DecodedText> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  // Few windows ever need its tables.
  const { decodeText } = await import('../../shared/decode-text.ts');
  const unread: DecodedText = {
    text: new TextDecoder().decode(bytes),
    encoding: 'utf-8',
    isGuess: false,
  };
  return decodeText(bytes) ?? unread;
}
