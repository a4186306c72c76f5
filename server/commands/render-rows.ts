/** What `framewright render` makes of one document: modifications from options and tables, and a file for each row. */
import { ApiError } from '../../shared/errors.ts';
import { cleanFileName } from '../../shared/file-name.ts';
import { feedLimits } from '../../shared/limits.ts';
import { parseJson } from '../../shared/json.ts';
import type { Json } from '../../shared/renderscript/source.ts';
import { guessNote } from '../../shared/text-encodings.ts';
import { readTable } from '../jobs/feeds/feed-table.ts';
import { readAtMost, unreadable } from './document-file.ts';
import { CommandError } from './option-rows.ts';

/** Keys and what they replace. */
export type Modifications = Readonly<Record<string, Json>>;

/** A file to make. */
export interface RowFile {
  readonly output: string;
  readonly modifications: Modifications;
  /** Its number in the table, from 1. */
  readonly row?: number;
}

/** Modifications from `KEY=text` and `KEY:=JSON`. */
export function setModifications(given: readonly string[]): Modifications {
  const entries = given.map((text): [string, Json] => {
    const [, key = '', sign = '', value = ''] = /^([^=]+?)(:?=)(.*)$/s.exec(text) ?? [];
    if (key === '') throw new CommandError(`--set: Expected KEY=VALUE, found '${text}'.`);
    if (sign === '=') return [key, value];
    const read = parseJson(value);
    if (!read.ok)
      throw new CommandError(`--set ${key}: Expected JSON after ':=', found '${value}'.`);
    return [key, read.value as Json]; // what JSON holds
  });
  return Object.fromEntries(entries);
}

/** The rows of a table, or of what is piped in for `-`; an empty value changes nothing. @throws CommandError. */
export async function readRows(
  given: string,
): Promise<readonly Readonly<Record<string, string>>[]> {
  const file = given === '-' ? 'stdin' : given;
  const wrong = (message: string): CommandError =>
    new CommandError(message, { code: 'invalid_data' });
  try {
    const bytes = readAtMost(given, feedLimits.bytes);
    const { columns, rows } = await readTable(bytes, {}, (encoding) =>
      console.error(`Warning: ${file}: ${guessNote(encoding)}.`),
    );
    if (rows.length === 0) throw wrong(`${file}: Expected rows below the names of the columns.`);
    return rows.map((row) => {
      const cells = columns.map((name, index): [string, string] => [name, row[index] ?? '']);
      return Object.fromEntries(cells.filter(([, value]) => value !== ''));
    });
  } catch (error) {
    if (error instanceof ApiError) throw wrong(`${file}: ${error.message}`);
    throw error instanceof CommandError ? error : unreadable(file, error);
  }
}

/**
 * The files of a command. `{n}` in the name is the number of a row, `{column}` its value.
 *
 * @throws CommandError if two rows would make the same file, or a row lacks such a column.
 */
export function filesOf(
  output: string,
  rows: readonly Readonly<Record<string, string>>[] | null,
  set: Modifications,
): readonly RowFile[] {
  if (rows === null) return [{ output, modifications: set }];
  const digits = String(rows.length).length;
  const taken = new Map<string, number>();
  return rows.map((row, index) => {
    const number = String(index + 1).padStart(digits, '0');
    const name = output.replace(/\{([^{}]+)\}/g, (_, key: string) => {
      if (key === 'n') return number;
      // A column named `constructor` is one only if the row has it.
      const value = Object.hasOwn(row, key) ? row[key] : undefined;
      if (value === undefined) {
        throw new CommandError(
          `Row ${index + 1} has no value for {${key}} in the name of the file.`,
        );
      }
      return plainName(value);
    });
    // Some systems don't distinguish upper and lower case.
    const before = taken.get(name.toLowerCase());
    if (before !== undefined) {
      throw new CommandError(
        `Rows ${before} and ${index + 1} would both be ${name}. Put {n} into the name of the file.`,
      );
    }
    taken.set(name.toLowerCase(), index + 1);
    return { output: name, modifications: { ...row, ...set }, row: index + 1 };
  });
}

/** A value as a part of a file’s name: no folder, nothing that a system refuses. */
export function plainName(value: string): string {
  return cleanFileName(value.replace(/[\\/:*?"<>|\p{Cc}]+/gu, '-')) || '-';
}
