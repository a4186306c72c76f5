/**
 * Reading JSON that people wrote: the value, or what is wrong with it and where. Used for request bodies, files and the
 * editor alike, so that all of them name the same place.
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

/** Reads strict JSON (a leading byte order mark is passed over). `JSON.parse` decides; the scanner only finds the place. */
export function parseJson(text: string): JsonResult {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    return { ok: true, value: JSON.parse(body) as unknown };
  } catch {
    const faults: ParseError[] = [];
    parse(body, faults, { disallowComments: true, allowTrailingComma: false });
    const [first] = faults;
    const offset = first?.offset ?? body.length;
    return { ok: false, fault: { reason: reasonOf(first), ...placeOf(body, offset) } };
  }
}

/** `PropertyNameExpected` → `Property name expected`. */
function reasonOf(fault: ParseError | undefined): string {
  if (!fault) return 'Value not allowed';
  const words = printParseErrorCode(fault.error).replace(/([a-z])([A-Z])/g, '$1 $2');
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}

/** Line and column, both from 1, of an offset in a text. */
function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lastBreak = before.lastIndexOf('\n');
  return { line: before.split('\n').length, column: offset - lastBreak };
}
