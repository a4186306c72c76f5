/**
 * Words that stand in the document itself, as a list or as subtitles: all that captions need where no file is read.
 * Phase 1; pure.
 */
import { isJsonObject, type Json, type JsonObject, type Source } from '../renderscript/source.ts';
import { RenderError } from './errors.ts';
import { looksLikeSubtitles, readSubtitles } from './subtitles.ts';
import { readWords, type TimedWord, type Transcript } from './transcript.ts';

/**
 * The words of a text's `transcript_source`, on the text's clock; null for a name or an address.
 *
 * @param place - the property for messages, e.g. `Subtitles.transcript_source`.
 * @throws RenderError `invalid_source` naming the word or the line; `limit_exceeded`.
 */
export function writtenWords(
  given: Json | undefined,
  place: string,
  path: string,
): readonly TimedWord[] | null {
  // Array.isArray widens read-only lists to any[].
  if (Array.isArray(given)) return readWords(given as readonly Json[], place, path);
  if (typeof given === 'string' && looksLikeSubtitles(given))
    return readSubtitles(given, place, path);
  return null;
}

/**
 * All of them in a document, by the path of their text. Unreadable ones are left out: the server says what is wrong.
 */
export function writtenTranscripts(source: Source): ReadonlyMap<string, Transcript> {
  const found = new Map<string, Transcript>();
  const lists: { elements: Json | undefined; path: string }[] = [
    { elements: source.elements, path: 'elements' },
  ];
  for (let next = lists.shift(); next; next = lists.shift()) {
    const { elements, path: list } = next;
    if (!Array.isArray(elements)) continue;
    (elements as readonly Json[]).forEach((element, index) => {
      if (!isJsonObject(element)) return;
      const path = `${list}[${index}]`;
      const words = element.type === 'text' ? wordsOf(element, path) : null;
      if (words) found.set(path, { clock: 'text', words });
      if (element.elements !== undefined)
        lists.push({ elements: element.elements, path: `${path}.elements` });
    });
  }
  return found;
}

function wordsOf({ transcript_source: given }: JsonObject, path: string) {
  try {
    return writtenWords(given, 'transcript_source', path);
  } catch (error) {
    if (error instanceof RenderError) return null;
    throw error;
  }
}
