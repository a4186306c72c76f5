/**
 * Transcripts that come with a request (v1): subtitles for spoken elements, put where the language has its own place for
 * them. Pure; runs once, when a render is created.
 */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Source,
} from '../../shared/renderscript/source.ts';

/**
 * Hands transcripts to the texts that follow speech: a text whose `transcript_source` names an element that has one
 * gets that instead of the name. Names are compared as `transcript_source` compares them, without case.
 *
 * @param transcripts the name or ID of a video or audio element for each key.
 * @returns the document with them (a new one), and the keys that no text asked for.
 */
export function applyTranscripts(
  source: Source,
  transcripts: JsonObject,
): { source: Source; unused: readonly string[] } {
  const wanted = new Map(
    Object.entries(transcripts).map(([name, value]) => [name.toLowerCase(), { name, value }]),
  );
  const unused = new Set(Object.keys(transcripts));

  const visit = (parent: JsonObject): JsonObject => {
    const { elements, transcript_source: spoken } = parent;
    const found = typeof spoken === 'string' ? wanted.get(spoken.toLowerCase()) : undefined;
    if (found) unused.delete(found.name);
    return {
      ...parent,
      ...(found?.value !== undefined && { transcript_source: found.value }),
      ...(Array.isArray(elements) && {
        // Array.isArray widens read-only lists to any[].
        elements: (elements as readonly Json[]).map((element) =>
          isJsonObject(element) ? visit(element) : element,
        ),
      }),
    };
  };

  return { source: visit(source), unused: [...unused] };
}
