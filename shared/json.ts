/**
 * Reads JSON that people wrote: the value, or what is wrong and where. Used for request bodies, files and the editor
 * alike, so that all report the same place.
 */
import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';

/** What is wrong with a text that should be JSON. */
export interface JsonFault {
  /** In words, e.g. `Property name expected`. */
  readonly reason: string;
  /** 1-based. */
  readonly line: number;
  readonly column: number;
}

/** The value, or the first fault. */
export type JsonResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fault: JsonFault };

/** Reads strict JSON (ignores a leading byte order mark). `JSON.parse` decides; the scanner only finds the place. */
export function parseJson(text: string): JsonResult {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    return { ok: true, value: JSON.parse(body) as unknown };
  } catch {
    const first = firstFault(body);
    const offset = first?.offset ?? body.length;
    return { ok: false, fault: { reason: reasonOf(first), ...placeOf(body, offset) } };
  }
}

/**
 * Reads JSON that people write by hand: comments (`//` and `/* *\/`) and a comma after the last item are allowed, as in
 * editors' settings. For files and the window; the API only takes strict JSON.
 */
export function parseRelaxedJson(text: string): JsonResult {
  return parseJson(withoutExtras(text));
}

/** The text with spaces in place of comments and trailing commas, so that every fault keeps its line and column. */
function withoutExtras(text: string): string {
  const extras: (readonly [from: number, to: number])[] = [];
  /** The last comma after a value, if only spaces and comments have followed yet, and its place among the extras. */
  let comma: { readonly at: number; readonly rank: number } | null = null;
  /** The last character that is neither space nor comment. */
  let last = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    const comment = character === '/' ? endOfComment(text, at) : -1;
    if (comment > 0) {
      extras.push([at, comment]);
      at = comment - 1;
    } else if (!/\s/.test(character)) {
      if (comma !== null && (character === ']' || character === '}')) {
        extras.splice(comma.rank, 0, [comma.at, comma.at + 1]);
      }
      // A comma without a value before it stays, so that it is reported.
      const isBehindValue = character === ',' && last !== '' && !'[{,:'.includes(last);
      comma = isBehindValue ? { at, rank: extras.length } : null;
      last = character;
      if (character === '"') at = endOfString(text, at);
    }
  }
  const parts: string[] = [];
  let kept = 0;
  for (const [from, to] of extras) {
    parts.push(text.slice(kept, from), text.slice(from, to).replace(/[^\r\n]/g, ' '));
    kept = to;
  }
  return parts.join('') + text.slice(kept);
}

/** The end of a comment that begins here; -1 if none begins, or it never ends. */
function endOfComment(text: string, start: number): number {
  if (text.startsWith('//', start)) {
    const breaks = /[\r\n]/g;
    breaks.lastIndex = start;
    return breaks.exec(text)?.index ?? text.length;
  }
  if (!text.startsWith('/*', start)) return -1;
  const end = text.indexOf('*/', start + 2);
  return end < 0 ? -1 : end + 2;
}

/** The closing quote of the string that begins here, or the end of the text. */
function endOfString(text: string, start: number): number {
  const marks = /["\\]/g;
  marks.lastIndex = start + 1;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === '"') return mark.index;
    marks.lastIndex = mark.index + 2;
  }
  return text.length;
}

/** The first fault that the scanner finds; undefined when it finds none, or the text nests too deeply for it. */
function firstFault(text: string): ParseError | undefined {
  const faults: ParseError[] = [];
  try {
    parse(text, faults, { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    // The scanner recurses for every level, and may overflow the stack.
    if (!(error instanceof RangeError)) throw error;
  }
  return faults[0];
}

/** `PropertyNameExpected` → `Property name expected`. */
function reasonOf(fault: ParseError | undefined): string {
  if (!fault) return 'Value not allowed';
  const words = printParseErrorCode(fault.error).replace(/([a-z])([A-Z])/g, '$1 $2');
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}

/** Line and column, both from 1, of an offset in a text. */
function placeOf(text: string, offset: number): { line: number; column: number } {
  // Counts as editors do: a lone carriage return also ends a line.
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
