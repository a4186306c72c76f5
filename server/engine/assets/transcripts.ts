/**
 * Phase 1, captions: the words of every text that follows speech, wherever they come from: the document itself, a file of
 * subtitles, or a recording that is transcribed. What goes wrong names the text and its `transcript_source`.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type Problem,
  type Source,
} from '../../../shared/renderscript/source.ts';
import { RenderError } from '../errors.ts';
import type { Ffmpeg } from '../ffmpeg.ts';
import type { AssetOptions, Assets } from './assets.ts';
import { fetchToFile } from './fetch.ts';
import { probeFile } from './probe.ts';
import { looksLikeSubtitles, readSubtitles } from './subtitles.ts';
import { readWords, shortened, type TimedWord } from './transcript.ts';
import { findTranscript, transcribe, type Transcriber } from './transcribe.ts';

/** Words of one recording, on the clock of its file. */
export interface Speech {
  /** The video or audio element that plays the file, e.g. `elements[0]`. */
  readonly elementPath: string;
  readonly words: readonly TimedWord[];
}

/** What a text says and when: on its own clock, or on those of the recordings that it follows. */
export type Transcript =
  | { readonly clock: 'text'; readonly words: readonly TimedWord[] }
  | { readonly clock: 'media'; readonly speeches: readonly Speech[] };

/** All transcripts of a document. */
export interface Transcripts {
  /** By the path of the text element. A text that is missing here shows its own `text`. */
  readonly byText: ReadonlyMap<string, Transcript>;
  readonly warnings: readonly Problem[];
}

/** What reading transcripts needs besides the document. */
export interface TranscriptOptions extends AssetOptions {
  readonly ffmpeg: Ffmpeg | null;
  readonly transcriber: Transcriber | null;
  /** True for a single picture: recordings that were never transcribed show the placeholder instead of taking minutes. */
  readonly preview: boolean;
  /** Share of all transcribing that is done, 0–1; called only when something is transcribed. */
  readonly onTranscribing: (share: number) => void;
}

/** An element of the document with its place. */
interface Node {
  readonly json: JsonObject;
  readonly path: string;
  /** Its `name`, else type and place among the siblings of its type, e.g. `Text 2`. */
  readonly name: string;
  /** The composition that it lies in; null for the document. */
  readonly parent: Node | null;
}

/** A recording to be transcribed once, whoever asks for it. */
interface Recording {
  readonly file: string;
  /** The text that asks first, for messages. */
  readonly asking: Node;
}

/** Where the words of a text come from, before anything is transcribed. */
type Plan =
  | { readonly kind: 'words'; readonly words: readonly TimedWord[] }
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'elements'; readonly elements: readonly { path: string; file: string }[] };

/**
 * Reads all transcripts of a document. Call it for moving pictures only; in stills nothing is spoken.
 *
 * @throws RenderError `invalid_source`, `transcriber_missing`, `transcriber_failed`, `media_…`, `cancelled`.
 */
export async function loadTranscripts(
  source: Source,
  assets: Assets,
  options: TranscriptOptions,
): Promise<Transcripts> {
  const nodes = nodesOf(source);
  const warnings: Problem[] = [];
  const plans = new Map<Node, Plan>();
  await mkdir(options.workFolder, { recursive: true });
  for (const text of nodes.filter(isCaption)) {
    try {
      plans.set(text, await plan(text, nodes, { assets, options, warnings }));
    } catch (error) {
      if (!options.preview || !(error instanceof RenderError) || error.code === 'cancelled')
        throw error;
      // The picture of an editor shows what it can: the placeholder.
      const reason = error.message.replace(/^Source error: [^:]*: /, '');
      warnings.push(problem(text, 'no_transcript', reason));
    }
  }

  const recordings = new Map<string, Recording>();
  for (const [asking, planned] of plans)
    for (const file of filesOf(planned))
      if (!recordings.has(file)) recordings.set(file, { file, asking });
  const heard = await listen([...recordings.values()], options);

  const byText = new Map<string, Transcript>();
  for (const [text, planned] of plans) {
    const missing = filesOf(planned).some((file) => !heard.has(file));
    if (missing) {
      const message =
        'Captions show in the finished render; this picture has the placeholder in their place';
      warnings.push(problem(text, 'not_transcribed', message));
    } else byText.set(text.path, transcriptOf(planned, heard));
  }
  return { byText, warnings };
}

/** True when a document has a text that follows speech. */
export function followsSpeech(source: Source): boolean {
  return nodesOf(source).some(isCaption);
}

/** Every word of the transcripts, for the choice of fonts. */
export function spokenTexts({ byText }: Transcripts): string[] {
  return [...byText.values()].flatMap((transcript) =>
    (transcript.clock === 'text'
      ? transcript.words
      : transcript.speeches.flatMap(({ words }) => words)
    ).map(({ text }) => text),
  );
}

function isCaption({ json: { type, transcript_source: given } }: Node): boolean {
  return type === 'text' && given !== undefined && given !== null && given !== '';
}

function filesOf(planned: Plan): string[] {
  if (planned.kind === 'words') return [];
  return planned.kind === 'file' ? [planned.file] : planned.elements.map(({ file }) => file);
}

function transcriptOf(planned: Plan, heard: ReadonlyMap<string, readonly TimedWord[]>): Transcript {
  switch (planned.kind) {
    case 'words':
      return { clock: 'text', words: planned.words };
    case 'file':
      return { clock: 'text', words: heard.get(planned.file) ?? [] };
    case 'elements':
      return {
        clock: 'media',
        speeches: planned.elements.map(({ path: elementPath, file }) => ({
          elementPath,
          words: heard.get(file) ?? [],
        })),
      };
  }
}

// ---- what is meant -------------------------------------------------------------------------------------------------

interface PlanContext {
  readonly assets: Assets;
  readonly options: TranscriptOptions;
  readonly warnings: Problem[];
}

async function plan(text: Node, nodes: readonly Node[], context: PlanContext): Promise<Plan> {
  const given = text.json.transcript_source;
  const place = `${text.name}.transcript_source`;
  const placePath = `${text.path}.transcript_source`;
  if (Array.isArray(given)) {
    // Array.isArray widens read-only lists to any[].
    return { kind: 'words', words: readWords(given as readonly Json[], place, placePath) };
  }
  if (typeof given !== 'string') {
    const expected = 'a name, an address, subtitles, or a list of words with time and value';
    throw refusal(text, `Expected ${expected}, found ${shortened(given)}`);
  }
  if (looksLikeSubtitles(given))
    return { kind: 'words', words: readSubtitles(given, place, placePath) };

  const named = findNamed(given, text, nodes);
  if (named) return planElements(named, text, nodes, context);
  // A name may have dots and colons too, so it is looked for first.
  if (/^[a-z][a-z0-9+.-]+:/i.test(given) || /\.(srt|vtt|json)$/i.test(given))
    return planAddress(given, text, context);
  throw refusal(text, `No element is called ${shortened(given)}`);
}

/** The element with a name or ID, without case: in the text's own composition first, then in the whole document. */
function findNamed(name: string, text: Node, nodes: readonly Node[]): Node | undefined {
  const wanted = name.trim().toLowerCase();
  const isNamed = ({ json: { name: own, id }, path: at }: Node): boolean =>
    at !== text.path &&
    [own, id].some((word) => typeof word === 'string' && word.trim().toLowerCase() === wanted);
  const speaks = ({ json: { type } }: Node): boolean =>
    type === 'video' || type === 'audio' || type === 'composition';
  const found = nodes.filter(isNamed);
  const order = [
    ...found.filter((node) => node.parent === text.parent && speaks(node)),
    ...found.filter(speaks),
    ...found,
  ];
  return order[0];
}

/** A video or audio element, or everything that sounds in a composition. */
function planElements(
  named: Node,
  text: Node,
  nodes: readonly Node[],
  { assets, warnings }: PlanContext,
): Plan {
  const inside =
    named.json.type === 'composition'
      ? nodes.filter(
          ({ path: at, json }) =>
            at.startsWith(`${named.path}.`) &&
            (json.type === 'video' || json.type === 'audio') &&
            json.muted !== true,
        )
      : [named];
  const elements = inside.flatMap(({ json: { source }, path: at }) => {
    const file = typeof source === 'string' ? assets.media.get(source) : undefined;
    const sounds = file !== undefined && (file.info.kind === 'audio' || file.info.hasAudio);
    return sounds ? [{ path: at, file: file.path }] : [];
  });
  if (
    named.json.type !== 'composition' &&
    named.json.type !== 'video' &&
    named.json.type !== 'audio'
  )
    throw refusal(text, `'${named.name}' is neither a video nor an audio element`);
  if (elements.length === 0)
    warnings.push(
      problem(text, 'no_speech', `'${named.name}' has no sound; no captions are shown`),
    );
  return { kind: 'elements', elements };
}

/** An address: subtitles, a list of words as JSON, or a recording. */
async function planAddress(address: string, text: Node, context: PlanContext): Promise<Plan> {
  const { assets, options } = context;
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
  const written = await readTextFile(file);
  if (written !== null && looksLikeSubtitles(written))
    return { kind: 'words', words: readSubtitles(written, place, placePath) };
  if (written !== null && /^\s*\[/.test(written))
    return { kind: 'words', words: readWords(parseList(written, text), place, placePath) };
  if (written !== null)
    throw refusal(
      text,
      'The file has neither subtitles (SRT or WebVTT) nor sound',
      'media_unreadable',
    );
  const info = await probeFile(file, options.ffmpeg);
  if (info.kind === 'image' || (info.kind === 'video' && !info.hasAudio))
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

/** Subtitles are small; anything larger or with zero bytes is a recording. */
const largestSubtitles = 5_000_000;

async function readTextFile(file: string): Promise<string | null> {
  const bytes = await readFile(file);
  if (bytes.length > largestSubtitles || bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Old subtitles are written in Windows' western alphabet. Recordings nearly always hold a zero byte.
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

// ---- transcribing --------------------------------------------------------------------------------------------------

/** Transcribes files one after the other; in a preview only those whose transcript is kept from before. */
async function listen(
  recordings: readonly Recording[],
  options: TranscriptOptions,
): Promise<Map<string, readonly TimedWord[]>> {
  const { transcriber, ffmpeg, preview, onTranscribing, signal, cacheFolder, workFolder } = options;
  const heard = new Map<string, readonly TimedWord[]>();
  for (const [index, { file, asking }] of recordings.entries()) {
    signal.throwIfAborted();
    try {
      const kept = transcriber && (await findTranscript(file, transcriber, cacheFolder));
      if (kept) heard.set(file, kept);
      if (kept || preview) continue;
      if (!transcriber) throw new RenderError('transcriber_missing', howToSetUp);
      if (!ffmpeg) throw new Error('a recording is to be transcribed without ffmpeg');
      const tell = (share: number): void => onTranscribing((index + share) / recordings.length);
      tell(0);
      heard.set(
        file,
        await transcribe(file, {
          transcriber,
          ffmpeg,
          cacheFolder,
          workFolder,
          signal,
          onProgress: tell,
        }),
      );
    } catch (error) {
      if (!(error instanceof RenderError) || error.code === 'cancelled') throw error;
      throw refusal(asking, error.message, error.code);
    }
  }
  return heard;
}

const howToSetUp =
  'No speech recogniser is set up. Choose whisper.cpp’s program (whisper-cli) and a model in the settings, or in ' +
  'FRAMEWRIGHT_TRANSCRIBER and FRAMEWRIGHT_TRANSCRIBER_MODEL. Or supply the timings: a list of words, SRT or WebVTT';

// ---- document ------------------------------------------------------------------------------------------------------

function nodesOf({ elements }: Source): Node[] {
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
        typeof json.name === 'string' && json.name !== ''
          ? json.name
          : `${type.charAt(0).toUpperCase()}${type.slice(1)} ${count}`;
      const node: Node = { json, path: at, name, parent };
      nodes.push(node);
      if (json.elements !== undefined)
        lists.push({ elements: json.elements, path: `${at}.elements`, parent: node });
    });
  }
  return nodes;
}

function refusal(
  { name, path: at }: Node,
  message: string,
  code: RenderError['code'] = 'invalid_source',
): RenderError {
  const sentence = `Source error: ${name}.transcript_source: ${message}`;
  return new RenderError(code, sentence, { path: `${at}.transcript_source` });
}

function problem({ name, path: at }: Node, code: string, message: string): Problem {
  return {
    path: `${at}.transcript_source`,
    element: name,
    property: 'transcript_source',
    severity: 'warning',
    code,
    message,
  };
}
