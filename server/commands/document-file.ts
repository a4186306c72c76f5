/** Reads documents for commands: JSON as people write it, and the place of each value in the text. */
import { readFileSync } from 'node:fs';
import { findNodeAtLocation, parseTree, type JSONPath } from 'jsonc-parser';
import { decodeText } from '../../shared/decode-text.ts';
import { parseRelaxedJson } from '../../shared/json.ts';
import { isJsonObject, type Source } from '../../shared/renderscript/source.ts';
import { guessNote } from '../../shared/text-encodings.ts';
import { errorCode } from '../system/files.ts';
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
  /** The document, or what is wrong with the text. */
  readonly content:
    { readonly source: Source } | { readonly fault: string; readonly at: TextPlace };
}

/** Reads a file, or stdin for `-`. @throws CommandError if there is nothing to read. */
export function readDocumentFile(file: string): DocumentFile {
  const name = file === '-' ? 'stdin' : file;
  const text = readText(file, name);
  const result = parseRelaxedJson(text);
  if (!result.ok) {
    const { reason, line, column } = result.fault;
    return { name, text, content: { fault: reason, at: { line, column } } };
  }
  if (!isJsonObject(result.value)) {
    const fault = 'Expected an object with RenderScript in it';
    return { name, text, content: { fault, at: { line: 1, column: 1 } } };
  }
  return { name, text, content: { source: result.value } };
}

function readText(file: string, name: string): string {
  try {
    const bytes = readFileSync(file === '-' ? 0 : file);
    const decoded = decodeText(bytes);
    if (decoded?.isGuess) console.error(`Warning: ${name}: ${guessNote(decoded.encoding)}.`);
    return decoded?.text ?? bytes.toString('utf8');
  } catch (error) {
    const missing = errorCode(error) === 'ENOENT';
    throw new CommandError(missing ? `There is no file ${name}.` : `${name} can't be read.`);
  }
}

/** The document of a file. @throws CommandError if it contains none. */
export function sourceOf({ name, content }: DocumentFile): Source {
  if ('source' in content) return content.source;
  const { line, column } = content.at;
  if (content.fault.startsWith('Expected an object'))
    throw new CommandError(`${name}: ${content.fault}.`);
  throw new CommandError(
    `${name} is not valid JSON: ${content.fault} at line ${line}, column ${column}.`,
  );
}

/**
 * Finds a value's place in a text by a problem's path, e.g. `elements[2].x`. A missing value gets the place of its nearest
 * parent.
 */
export function placesIn(text: string): (path: string) => TextPlace {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const starts = [
    0,
    ...Array.from(text.matchAll(/\r\n|\r|\n/g), ({ 0: end, index }) => index + end.length),
  ];
  return (path) => {
    const wanted = segmentsOf(path);
    let offset = tree?.offset ?? 0;
    for (let length = wanted.length; tree && length > 0; length -= 1) {
      const node = findNodeAtLocation(tree, wanted.slice(0, length));
      if (!node) continue;
      offset = node.parent?.type === 'property' ? node.parent.offset : node.offset;
      break;
    }
    const line = lineAt(starts, offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
  };
}

function segmentsOf(path: string): JSONPath {
  return Array.from(
    path.matchAll(/([^.[\]]+)|\[(\d+)\]/g),
    ([, name, index]) => name ?? Number(index),
  );
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
