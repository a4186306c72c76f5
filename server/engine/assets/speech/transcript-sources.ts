/**
 * Where the words of a text come from: the document itself, subtitles, an address, or elements with recordings to
 * transcribe. Phase 1, captions; does not transcribe.
 */
import { randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { mediaAddress } from '../../../../shared/renderscript/voices.ts';
import { looseName } from '../../../../shared/renderscript/same-name.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Problem,
  type Source,
  unnamedElement,
} from '../../../../shared/renderscript/source.ts';
import { RenderError } from '../../../../shared/engine/errors.ts';
import type { Ffmpeg } from '../../ffmpeg.ts';
import type { AssetOptions, Assets } from '../assets.ts';
import { fetchToFile } from '../fetch/fetch.ts';
import { refusalOf } from '../examine/other-formats.ts';
import { probe } from '../examine/probe.ts';
import { sniffLength } from '../examine/sniff.ts';
import { type DecodedText, decodeText } from '../../../../shared/decode-text.ts';
import { guessNote } from '../../../../shared/text-encodings.ts';
import { looksLikeSubtitles, readSubtitles } from '../../../../shared/engine/subtitles.ts';
import { readWords, shortened, type TimedWord } from '../../../../shared/engine/transcript.ts';
import { writtenWords } from '../../../../shared/engine/written-words.ts';

/** Where the words of a text come from, before anything is transcribed; files are recordings on the disk. */
export type Plan =
  | { readonly kind: 'words'; readonly words: readonly TimedWord[] }
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'elements'; readonly elements: readonly { path: string; file: string }[] };

/** What finding the words needs besides the text. */
export interface PlanContext {
  readonly assets: Assets;
  readonly options: AssetOptions & { readonly ffmpeg: Ffmpeg | null };
  readonly warnings: Problem[];
}

/**
 * Finds where a text's words come from, and reads those that exist as text.
 *
 * @param nodes All elements of the document.
 * @throws RenderError `invalid_source`, `media_…`, `cancelled`.
 */
export async function planOf(
  text: Node,
  nodes: readonly Node[],
  context: PlanContext,
): Promise<Plan> {
  const given = text.json.transcript_source;
  const place = `${text.name}.transcript_source`;
  const placePath = `${text.path}.transcript_source`;
  const words = writtenWords(given, place, placePath);
  if (words) return { kind: 'words', words };
  if (typeof given !== 'string') {
    const expected = 'a name, an address, subtitles, or a list of words with time and value';
    throw refusal(text, `Expected ${expected}, found ${shortened(given)}`);
  }
  const named = findNamed(given, text, nodes);
  if (named) return planElements(named, text, nodes, context);
  // A name may contain dots and colons too, so try it first.
  if (/^[a-z][a-z0-9+.-]+:/i.test(given) || /\.(srt|vtt|json)$/i.test(given))
    return planAddress(given, text, context);
  throw refusal(text, `No element is called ${shortened(given)}`);
}

/** The element with a name or ID, without case: in the text's own composition first, then in the whole document. */
function findNamed(name: string, text: Node, nodes: readonly Node[]): Node | undefined {
  const wanted = looseName(name);
  const isNamed = ({ json: { name: own, id }, path: at }: Node): boolean =>
    at !== text.path &&
    [own, id].some((word) => typeof word === 'string' && looseName(word) === wanted);
  const found = nodes.filter(isNamed);
  const order = [
    ...found.filter((node) => node.parent === text.parent && speaks(node)),
    ...found.filter(speaks),
    ...found,
  ];
  return order[0];
}

/** True for elements whose sound a text can follow. */
function speaks(node: Node): boolean {
  return plays(node) || node.json.type === 'composition';
}

function plays({ json: { type } }: Node): boolean {
  return type === 'video' || type === 'audio';
}

/** A video or audio element, or everything audible in a composition. */
function planElements(
  named: Node,
  text: Node,
  nodes: readonly Node[],
  { assets, warnings }: PlanContext,
): Plan {
  if (!speaks(named))
    throw refusal(text, `'${named.name}' is neither a video nor an audio element`);
  const inside =
    named.json.type === 'composition'
      ? nodes.filter(
          (node) =>
            node.path.startsWith(`${named.path}.`) && plays(node) && node.json.muted !== true,
        )
      : [named];
  const elements = inside.flatMap(({ json, path: at }) => {
    const address = mediaAddress(json);
    const file = address === null ? undefined : assets.media.get(address);
    const sounds = file !== undefined && (file.info.kind === 'audio' || file.info.hasAudio);
    return sounds ? [{ path: at, file: file.path }] : [];
  });
  if (elements.length === 0)
    warnings.push(
      problem(text, 'no_speech', `'${named.name}' has no sound; no captions are shown`),
    );
  return { kind: 'elements', elements };
}

/** An address: subtitles, a list of words as JSON, or a recording. */
async function planAddress(address: string, text: Node, context: PlanContext): Promise<Plan> {
  const { assets, options, warnings } = context;
  const known = assets.media.get(address);
  if (known) return { kind: 'file', file: known.path };
  const file = path.join(options.workFolder, `transcript-${randomUUID()}`);
  try {
    await fetchToFile(address, file, { ...options, maxBytes: options.mediaBytes });
  } catch (error) {
    if (!(error instanceof RenderError) || error.code === 'cancelled') throw error;
    throw refusal(text, error.message, error.code);
  }
  const place = `${text.name}.transcript_source`;
  const placePath = `${text.path}.transcript_source`;
  const read = await readTextFile(file);
  const written = read?.text ?? null;
  if (read?.isGuess) warnings.push(problem(text, 'encoding_guessed', guessNote(read.encoding)));
  if (written !== null && looksLikeSubtitles(written))
    return { kind: 'words', words: readSubtitles(written, place, placePath) };
  if (written !== null && /^\s*\[/.test(written))
    return { kind: 'words', words: readWords(parseList(written, text), place, placePath) };
  if (written !== null)
    throw refusal(
      text,
      refusalOf(
        Buffer.from(written.slice(0, sniffLength)),
        'The file has neither subtitles (SRT or WebVTT) nor sound',
      ),
      'media_unreadable',
    );
  const { info } = await probe(file, options);
  if (info.kind !== 'audio' && !info.hasAudio)
    throw refusal(text, 'The file has no sound', 'media_unreadable');
  return { kind: 'file', file };
}

function parseList(written: string, text: Node): readonly Json[] {
  let value: unknown;
  try {
    value = JSON.parse(written);
  } catch {
    throw refusal(text, 'The file is not valid JSON', 'media_unreadable');
  }
  if (!Array.isArray(value)) throw refusal(text, 'Expected a list of words', 'media_unreadable');
  return value as readonly Json[]; // Parsed from JSON, so its values are JSON.
}

/** Subtitles are small; anything larger, or that is no text, is a recording. */
const largestSubtitles = 5_000_000;

async function readTextFile(file: string): Promise<DecodedText | null> {
  const { size } = await stat(file);
  return size > largestSubtitles ? null : decodeText(await readFile(file));
}

/** The recordings that a plan needs transcribed. */
export function filesOf(planned: Plan): string[] {
  if (planned.kind === 'words') return [];
  return planned.kind === 'file' ? [planned.file] : planned.elements.map(({ file }) => file);
}

// The elements that captions need: texts that follow speech, and what they name. Errors name the text and its
// `transcript_source`.

/** An element of the document with its place. */
export interface Node {
  readonly json: JsonObject;
  readonly path: string;
  /** Its `name`, else type and place among the siblings of its type, e.g. `Text 2`. */
  readonly name: string;
  /** Its composition; null for the document. */
  readonly parent: Node | null;
}

/** Every element of a document, at any depth. */
export function nodesOf({ elements }: Source): Node[] {
  const nodes: Node[] = [];
  // A list of work instead of recursion: documents may be nested deeper than the stack.
  const lists: { elements: Json | undefined; path: string; parent: Node | null }[] = [
    { elements, path: 'elements', parent: null },
  ];
  for (let next = lists.shift(); next; next = lists.shift()) {
    const { path: listPath, parent, elements: list } = next;
    if (!Array.isArray(list)) continue;
    const counts = new Map<string, number>();
    (list as readonly Json[]).forEach((json, index) => {
      if (!isJsonObject(json)) return;
      const type = typeof json.type === 'string' ? json.type : 'element';
      const count = (counts.get(type) ?? 0) + 1;
      counts.set(type, count);
      const at = `${listPath}[${index}]`;
      const name =
        typeof json.name === 'string' && json.name !== '' ? json.name : unnamedElement(type, count);
      const node: Node = { json, path: at, name, parent };
      nodes.push(node);
      if (json.elements !== undefined)
        lists.push({ elements: json.elements, path: `${at}.elements`, parent: node });
    });
  }
  return nodes;
}

/** True for a text that follows speech. */
export function isCaption({ json: { type, transcript_source: given } }: Node): boolean {
  return type === 'text' && given !== undefined && given !== null && given !== '';
}

/** The failure of a text's `transcript_source`. */
export function refusal(
  { name, path: at }: Node,
  message: string,
  code: RenderError['code'] = 'invalid_source',
): RenderError {
  const sentence = `Source error: ${name}.transcript_source: ${message}`;
  return new RenderError(code, sentence, { path: `${at}.transcript_source` });
}

/** A warning about it. */
export function problem({ name, path: at }: Node, code: string, message: string): Problem {
  return {
    path: `${at}.transcript_source`,
    element: name,
    property: 'transcript_source',
    severity: 'warning',
    code,
    message,
  };
}
