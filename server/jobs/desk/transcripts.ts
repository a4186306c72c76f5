/**
 * Transcripts that come with a request (v1): subtitles for spoken elements, moved to where the language keeps them.
 * Pure; runs once, when a render is created.
 */
import { looseName } from '../../../shared/renderscript/same-name.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Source,
} from '../../../shared/renderscript/source.ts';

/** An element that may contain speech, and its names. */
interface Speaker {
  /** The object whose list it stands in. */
  readonly parent: JsonObject;
  /** ID and name as compared; absent ones left out. */
  readonly names: readonly string[];
  /** Address of its file. */
  readonly address: string | null;
}

/**
 * Gives transcripts to the texts that follow speech: a text whose `transcript_source` says the name, the ID or the
 * media's address of an element that has a transcript gets that instead. Key and `transcript_source` may use different
 * ones of the three. All are compared as `transcript_source` compares names, without case.
 *
 * @param transcripts the name, ID or address of a video or audio element for each key.
 * @returns the document with them (a new one), and the keys that no text asked for.
 */
export function applyTranscripts(
  source: Source,
  transcripts: JsonObject,
): { source: Source; unused: readonly string[] } {
  const unused = new Set(Object.keys(transcripts));
  if (unused.size === 0) return { source, unused: [] };
  const keys = new Map([...unused].map((key) => [looseName(key), key]));
  const speakers = speakersIn(source);

  const find = (spoken: string, parent: JsonObject): string | undefined => {
    const words = wordsFor(spoken, parent, speakers);
    const exact = words.find((word) => Object.hasOwn(transcripts, word));
    return exact ?? words.map((word) => keys.get(looseName(word))).find((key) => key !== undefined);
  };

  const visit = (element: JsonObject, parent: JsonObject): JsonObject => {
    const { elements, transcript_source: spoken } = element;
    const key = typeof spoken === 'string' ? find(spoken, parent) : undefined;
    if (key !== undefined) unused.delete(key);
    const given = key === undefined ? undefined : transcripts[key];
    return {
      ...element,
      ...(given !== undefined && { transcript_source: given }),
      ...(Array.isArray(elements) && {
        // Array.isArray widens read-only lists to any[].
        elements: (elements as readonly Json[]).map((child) =>
          isJsonObject(child) ? visit(child, element) : child,
        ),
      }),
    };
  };

  return { source: visit(source, source), unused: [...unused] };
}

/**
 * All names of a text's speaker, the one the text uses first: of the element it names, or of those that play the file
 * it names. If several elements share a name, the one beside the text counts, as in the language.
 */
function wordsFor(spoken: string, parent: JsonObject, speakers: readonly Speaker[]): string[] {
  const name = looseName(spoken);
  const named = speakers.filter(({ names }) => names.includes(name));
  const nearest = named.find((speaker) => speaker.parent === parent) ?? named[0];
  const meant = nearest ? [nearest] : speakers.filter(({ address }) => address === spoken);
  return [
    spoken,
    ...meant.flatMap(({ names }) => names),
    ...meant.flatMap(({ address }) => (address === null ? [] : [address])),
  ];
}

function speakersIn(parent: JsonObject): Speaker[] {
  const { elements } = parent;
  if (!Array.isArray(elements)) return [];
  // Array.isArray widens read-only lists to any[].
  return (elements as readonly Json[]).filter(isJsonObject).flatMap((element) => {
    const { type, id, name, source } = element;
    const speaks = type === 'video' || type === 'audio' || type === 'composition';
    if (!speaks) return speakersIn(element);
    const words = [id, name].flatMap((word) => (typeof word === 'string' ? [looseName(word)] : []));
    const speaker: Speaker = {
      parent,
      names: words.filter((word) => word !== ''),
      address: typeof source === 'string' && source !== '' ? source : null,
    };
    return [speaker, ...speakersIn(element)];
  });
}
