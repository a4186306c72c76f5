/**
 * The files that a document names, and the same document with other addresses for them. Pure; runs on the desk. Which
 * values name files is what the engine fetches (shared/renderscript/media-requests.ts, and captions); a test compares
 * the two.
 */
import { looseName } from '../../../shared/renderscript/same-name.ts';
import {
  isJsonObject,
  isMediaKind,
  type Json,
  type JsonObject,
} from '../../../shared/renderscript/source.ts';

/** What a document uses a file for: a picture, video or sound; a font; the words of captions; a table of colours. */
export type FileUse = 'media' | 'font' | 'words' | 'lut';

/** A file that a document names, once per address. */
export interface NamedFile {
  readonly address: string;
  readonly use: FileUse;
}

/** A font that a document brings, as in its `fonts`. */
export interface SharedFont {
  readonly family: string;
  readonly source: string;
  /** A weight, or a range like `100 900`. */
  readonly weight: string;
  readonly style: 'normal' | 'italic';
}

/** Characters of an address that leads to a file: longer ones contain data. */
const longestAddress = 4_096;

/** The addresses of a document that lead to local files if they lead anywhere. */
export function localFiles(source: JsonObject): NamedFile[] {
  const found = new Map<string, NamedFile>();
  eachAddress(source, (address, use) => {
    if (isLocal(address) && !found.has(address)) found.set(address, { address, use });
    return address;
  });
  return [...found.values()];
}

/** Those of them that lie in folders: neither in a server's library, nor named by a value that is still to come. */
export function filesInFolders(source: JsonObject): NamedFile[] {
  return localFiles(source).filter(
    ({ address }) => !/^\s*media:/i.test(address) && !address.includes('{{'),
  );
}

/** Replaces addresses in a document, in place. */
export function readdress(source: JsonObject, addresses: ReadonlyMap<string, string>): void {
  eachAddress(source, (address) => addresses.get(address) ?? address);
}

/** A document that brings these fonts too, except of families that it brings already. */
export function withFonts(source: JsonObject, fonts: readonly SharedFont[]): JsonObject {
  const own = Array.isArray(source.fonts) ? (source.fonts as readonly Json[]) : [];
  const taken = new Set(objectsIn(source.fonts).map(({ family }) => wordOf(family)));
  const added = fonts.filter(({ family }) => !taken.has(looseName(family)));
  return added.length === 0 ? source : { ...source, fonts: [...own, ...added.map(asJson)] };
}

function asJson({ family, source, weight, style }: SharedFont): JsonObject {
  return { family, source, weight, style };
}

function isLocal(address: string): boolean {
  if (address.length > longestAddress) return false;
  return !/^\s*[a-z][a-z0-9+.-]+:/i.test(address) || /^\s*(?:file|media):/i.test(address);
}

/** Calls back for each address, which is replaced by the answer. */
function eachAddress(source: JsonObject, visit: (address: string, use: FileUse) => string): void {
  const replace = (owner: JsonObject, key: string, use: FileUse): void => {
    const address = owner[key];
    if (typeof address !== 'string' || address.trim() === '') return;
    const other = visit(address, use);
    // The document was parsed for this, and belongs to nobody else.
    if (other !== address) (owner as Record<string, Json>)[key] = other;
  };
  for (const font of objectsIn(source.fonts)) replace(font, 'source', 'font');
  const elements = allElements(source);
  const names = new Set(
    elements.flatMap(({ name, id }) => [name, id].map((word) => wordOf(word)).filter(Boolean)),
  );
  for (const element of elements) {
    const { type, provider } = element;
    if (isMediaKind(type) && wordOf(provider) === '') replace(element, 'source', 'media');
    if (type !== 'audio') replace(element, 'look_lut', 'lut');
    const { transcript_source: words } = element;
    const isAddress = typeof words === 'string' && leadsToWords(words) && !names.has(wordOf(words));
    if (isAddress) replace(element, 'transcript_source', 'words');
  }
}

/**
 * True for the address of subtitles, words or a recording; false for the name of an element and for subtitles
 * themselves.
 */
function leadsToWords(text: string): boolean {
  if (text.length > longestAddress || /[\r\n]/.test(text)) return false;
  return /^[a-z][a-z0-9+.-]+:/i.test(text) || /\.(srt|vtt|json)$/i.test(text);
}

function wordOf(value: Json | undefined): string {
  return typeof value === 'string' ? looseName(value) : '';
}

/** The elements of a document at any depth, without recursion: documents may be nested deeper than the stack. */
function allElements(source: JsonObject): JsonObject[] {
  const all: JsonObject[] = [];
  const lists = [source.elements];
  // Grows while it is read.
  for (const list of lists) {
    for (const element of objectsIn(list)) {
      all.push(element);
      if (element.elements !== undefined) lists.push(element.elements);
    }
  }
  return all;
}

function objectsIn(list: Json | undefined): JsonObject[] {
  return Array.isArray(list) ? (list as readonly Json[]).filter(isJsonObject) : [];
}
