/** Reads documents for commands: JSON as people write it, and the place of each value in the text. */
import { closeSync, openSync, readSync } from 'node:fs';
import { getNodePath, parseTree, type Node } from 'jsonc-parser';
import { decodeText } from '../../shared/decode-text.ts';
import { importForms, recogniseImport } from '../../shared/imports/imports.ts';
import { parseJson, parseRelaxedJson } from '../../shared/json.ts';
import { requestLimits } from '../../shared/limits.ts';
import { pathOf, stepsOf } from '../../shared/renderscript/fixes.ts';
import { documentLimits } from '../../shared/renderscript/limits.ts';
import { isJsonObject, type Json, type JsonObject } from '../../shared/renderscript/source.ts';
import { encodingName, guessNote } from '../../shared/text-encodings.ts';
import { depthOf, findInfinite, findRounded } from '../jobs/desk/json-body.ts';
import type { DocumentOrder } from '../jobs/desk/prepare-document.ts';
import type { RenderInput } from '../jobs/worker/render-protocol.ts';
import { errorCode, refusalWords } from '../system/files.ts';
import { CommandError } from './option-rows.ts';

/** A place in a file, both from 1; columns count UTF-16 units, as editors do. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** A file that could be read. */
export interface DocumentFile {
  /** As given; `stdin` for `-`. */
  readonly name: string;
  readonly text: string;
  /** What it asks for, or what is wrong with the text. */
  readonly content: Asked | Fault;
  /** What is read here and nowhere else, or not as it was meant. */
  readonly notes: readonly Note[];
}

/** Why a file can't be read. */
export interface Fault {
  readonly code: string;
  readonly fault: string;
  readonly at: TextPlace;
}

/** A remark on the text. */
export interface Note extends TextPlace {
  readonly code: string;
  /** Where in the file, as of a problem. */
  readonly path: string;
  readonly message: string;
}

/** A document, and in the body of a request the changes to it. */
export interface Asked extends Pick<DocumentOrder, 'source' | 'modifications' | 'frameRate'> {
  readonly scaling: RenderInput['scaling'];
  /** Where the document stands in the file: `source.` in a request. */
  readonly within: string;
}

/** Reads a file, or stdin for `-`. @throws CommandError if there is nothing to read. */
export function readDocumentFile(file: string): DocumentFile {
  const name = file === '-' ? 'stdin' : file;
  const bytes = readBytes(file, name);
  const decoded = decodeText(bytes);
  const { encoding, isGuess } = decoded ?? ({ encoding: 'utf-8', isGuess: false } as const);
  const text = decoded?.text ?? bytes.toString('utf8');
  const content = contentOf(text);
  const first = { line: 1, column: 1, path: '' };
  const notes: Note[] = 'fault' in content ? [] : notesOn(text);
  if (encoding !== 'utf-8') {
    const found = isGuess ? guessNote(encoding) : `The file is in ${encodingName(encoding)}`;
    notes.push({ ...first, code: 'encoding', message: `${found}. The API takes UTF-8 only` });
  }
  return { name, text, content, notes };
}

/** A whole file, or stdin for `-`; a device or a pipe may never end. @throws what the system refuses. */
export function readAtMost(file: string, most: number): Buffer {
  const handle = file === '-' ? 0 : openSync(file, 'r');
  try {
    const pieces: Buffer[] = [];
    for (let length = 0; length <= most;) {
      const piece = Buffer.allocUnsafe(pieceBytes);
      const count = readSync(handle, piece);
      if (count === 0) return Buffer.concat(pieces);
      pieces.push(piece.subarray(0, count));
      length += count;
    }
  } finally {
    if (file !== '-') closeSync(handle);
  }
  const name = file === '-' ? 'stdin' : file;
  throw new CommandError(`${name} has more than ${most / 1_000_000} MB.`, {
    code: 'file_unreadable',
  });
}

/** Of the longest document, with two bytes for each character. */
const mostBytes = 2 * documentLimits.characters;

/** Bytes that are read at once. */
const pieceBytes = 1 << 20;

function readBytes(file: string, name: string): Buffer {
  try {
    return readAtMost(file, mostBytes);
  } catch (error) {
    throw error instanceof CommandError ? error : unreadable(name, error);
  }
}

/** What to say of a file that the system does not give. */
export function unreadable(name: string, error: unknown): CommandError {
  const missing = /^https?:/i.test(name)
    ? `${name} is an address, not a file. Save it as a file, or pipe it in with curl -L and name the file -.`
    : `There is no file ${name}.`;
  const why = refusalWords(error) ?? 'the system refuses it';
  const message = errorCode(error) === 'ENOENT' ? missing : `${name} can't be read: ${why}.`;
  return new CommandError(message, { code: 'file_unreadable', cause: error });
}

function contentOf(text: string): Asked | Fault {
  const fault = (code: string, words: string, at = { line: 1, column: 1 }): Fault => ({
    code,
    fault: words,
    at,
  });
  // Before anything walks the value, which would overflow the stack.
  if (depthOf(text) > requestLimits.jsonDepth)
    return fault('too_deep', `More than ${requestLimits.jsonDepth} levels of brackets`);
  const result = parseRelaxedJson(text);
  if (!result.ok) return fault('invalid_json', result.fault.reason, result.fault);
  const value = result.value as Json; // what JSON holds
  const infinite = findInfinite(value);
  const unkept = infinite ?? findRounded(text);
  if (unkept !== null) {
    const what = infinite === null ? 'has more digits than are kept' : 'is too large';
    return fault('number_too_large', `The number ${what} (at ${unkept})`, placesIn(text)(unkept));
  }
  if (!isJsonObject(value))
    return fault('not_an_object', 'Expected an object with RenderScript in it');
  return askedIn(value, fault);
}

/** A document as it stands, or the one in the body of a request for the API. */
function askedIn(value: JsonObject, fault: (code: string, words: string) => Fault): Asked | Fault {
  const { source, modifications, frame_rate: rate, template_id: id } = value;
  if (value.elements !== undefined) return { source: value, scaling: {}, within: '' };
  if (isJsonObject(source)) {
    const number = (name: string): number | undefined =>
      typeof value[name] === 'number' ? value[name] : undefined;
    return {
      source,
      ...(isJsonObject(modifications) && { modifications }),
      ...(typeof rate === 'number' && { frameRate: rate }),
      scaling: {
        renderScale: number('render_scale'),
        maxWidth: number('max_width'),
        maxHeight: number('max_height'),
      },
      within: 'source.',
    };
  }
  if (typeof id === 'string') {
    const words = `This is a request for a template of a server; render it with: framewright render --template ${id} FILE --set KEY=VALUE`;
    return fault('template_request', words);
  }
  const foreign = recogniseImport(value);
  if (foreign !== null) {
    const words = `This is a document for ${importForms[foreign].label}; make one for this program with: framewright import FILE -o source.json`;
    return fault('foreign_document', words);
  }
  const wrapper = ['source', 'render_script', 'template', 'data', 'renders'].find(
    (name) => typeof value[name] === 'object',
  );
  if (wrapper === undefined) return { source: value, scaling: {}, within: '' };
  return fault(
    'nothing_to_render',
    `Expected 'elements', or a document in 'source'; found '${wrapper}'`,
  );
}

/** The document of a file. @throws CommandError if it contains none. */
export function askedOf({ name, content }: DocumentFile): Asked {
  if (!('fault' in content)) return content;
  const { code, fault, at } = content;
  const place = `line ${at.line}, column ${at.column}`;
  const message =
    code === 'invalid_json'
      ? `${name} is not valid JSON: ${fault} at ${place}.`
      : `${name}: ${fault}${at.line + at.column > 2 ? ` at ${place}` : ''}.`;
  throw new CommandError(message, { code });
}

/** What strict readers refuse, and keys of which only the last one counts. */
function notesOn(text: string): Note[] {
  const strict = parseJson(text);
  const notes: Note[] = [];
  if (!strict.ok) {
    const { line, column } = strict.fault;
    const message =
      'Comments and a comma after the last item are read here and in the window; the API refuses them';
    notes.push({ line, column, path: '', code: 'not_strict_json', message });
  }
  const starts = lineStarts(text);
  const todo = [parseTree(text, [], { allowTrailingComma: true })];
  // Grows while it is read.
  for (const node of todo) {
    if (!node) continue;
    for (const child of node.children ?? []) todo.push(child);
    if (node.type !== 'object') continue;
    const names = new Set<unknown>();
    for (const property of node.children ?? []) {
      const [key] = property.children ?? [];
      const name: unknown = key?.value;
      if (key && names.has(name)) {
        const place = placeIn(starts, key.offset);
        const message = `There is another '${String(name)}' before; only this one counts`;
        notes.push({
          ...place,
          path: pathOf(getNodePath(property)),
          code: 'duplicate_key',
          message,
        });
      }
      names.add(name);
    }
  }
  return notes;
}

/**
 * Finds a value's place in a text by a problem's path, e.g. `elements[2].x`. A missing value gets the place of its
 * nearest parent.
 */
export function placesIn(text: string): (path: string) => TextPlace {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const starts = lineStarts(text);
  return (path) => {
    let node = tree;
    let offset = tree?.offset ?? 0;
    for (const step of stepsOf(path)) {
      node = childOf(node, step);
      if (!node) break;
      offset = node.parent?.type === 'property' ? node.parent.offset : node.offset;
    }
    return placeIn(starts, offset);
  };
}

function lineStarts(text: string): readonly number[] {
  const ends = text.matchAll(/\r\n|\r|\n/g);
  return [0, ...Array.from(ends, ({ 0: end, index }) => index + end.length)];
}

function placeIn(starts: readonly number[], offset: number): TextPlace {
  const line = lineAt(starts, offset);
  return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
}

/** The value of a key, of several the last one, as JSON is read; or an item of a list. */
function childOf(node: Node | undefined, step: string | number): Node | undefined {
  if (node?.type === 'array') return node.children?.[Number(step)];
  return node?.children?.findLast(({ children }) => children?.[0]?.value === step)?.children?.[1];
}

/** The last line that begins at or before an offset. */
function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
