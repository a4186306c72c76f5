/**
 * Data files in NeDB's form: a line of JSON for each change; the last one for an ID counts. They are read piece by
 * piece, never as one text: Node's longest has 512 MiB.
 */
import { isUtf8 } from 'node:buffer';
import { open, type FileHandle } from 'node:fs/promises';
import { isJsonObject } from '../../shared/renderscript/source.ts';
import { errorCode, renameOver } from '../system/files.ts';

const newline = 0x0a;
/** Bytes to read at a time. */
const pieceBytes = 1024 * 1024;
/** Bytes of the longest line that is parsed. Records of all versions are far shorter: a request has at most 10 MB. */
const longestLine = 256 * 1024 * 1024;

/** A line of a data file. */
export interface Line {
  /** Without its line end; null: too long to be a record. */
  readonly content: Buffer | null;
  /** Where it begins in the file, and its bytes without the line end. */
  readonly start: number;
  readonly length: number;
  /** False for what follows the last line end. */
  readonly ended: boolean;
}

/** The content of a data file. */
export interface DataFile {
  /** By ID, without removed ones. */
  readonly records: ReadonlyMap<string, unknown>;
  /** Bytes of each record's line. */
  readonly sizes: ReadonlyMap<string, number>;
  /** Bytes of the file; null if there is none. */
  readonly length: number | null;
  /** Lines that are no records. */
  readonly damaged: number;
  /** The last line is no record and has no line end: it was being written. */
  readonly torn: boolean;
  /** The last line is a record without a line end. */
  readonly unended: boolean;
}

/**
 * NeDB's note of an index that no record has: with it, a file without content is known to be damaged even if there were
 * no records.
 */
export const openedNote = `${JSON.stringify({
  $$indexCreated: { fieldName: 'opened', unique: false, sparse: true },
})}\n`;

/** Reads the lines of a file, one piece's lines at a time. @throws what the disk says. */
export async function* readLines(file: string): AsyncGenerator<readonly Line[]> {
  const handle = await open(file, 'r');
  try {
    yield* linesOf(handle);
  } finally {
    await handle.close();
  }
}

async function* linesOf(handle: FileHandle): AsyncGenerator<readonly Line[]> {
  let position = 0;
  /** The line that continues from the last piece. */
  let start = 0;
  let held: Buffer[] = [];
  const finish = (rest: Buffer, end: number, ended: boolean): Line => {
    const length = end - start;
    const tooLong = length > longestLine;
    const content = tooLong ? null : held.length === 0 ? rest : Buffer.concat([...held, rest]);
    const line = { content, start, length, ended };
    held = [];
    start = end + 1;
    return line;
  };
  for (;;) {
    const buffer = Buffer.allocUnsafeSlow(pieceBytes);
    const { bytesRead } = await handle.read(buffer, 0, pieceBytes, position);
    if (bytesRead === 0) break;
    const piece = buffer.subarray(0, bytesRead);
    const lines: Line[] = [];
    let from = 0;
    for (let end = piece.indexOf(newline); end >= 0; end = piece.indexOf(newline, from)) {
      lines.push(finish(piece.subarray(from, end), position + end, true));
      from = end + 1;
    }
    position += bytesRead;
    if (position - start > longestLine) held = [];
    else if (from < bytesRead) held.push(piece.subarray(from));
    if (lines.length > 0) yield lines;
  }
  if (start < position) yield [finish(Buffer.alloc(0), position, false)];
}

/**
 * Reads the records of a data file. `keep` reduces records that together are too large for memory. If the file is
 * missing and a rewrite was left (`FILE~`), that takes its place first.
 *
 * @throws what the disk says.
 */
export async function readDataFile(
  file: string,
  keep: (record: Readonly<Record<string, unknown>>, line: Line) => unknown = (record) => record,
): Promise<DataFile> {
  const records = new Map<string, unknown>();
  const sizes = new Map<string, number>();
  const found = { records, sizes, damaged: 0, torn: false, unended: false };
  let length = 0;
  try {
    for await (const lines of readLinesOrRest(file)) {
      for (const line of lines) {
        length = line.start + line.length + (line.ended ? 1 : 0);
        if (line.length === 0) continue;
        const value = parseLine(line);
        if (!value || !isOurs(value)) {
          if (line.ended) found.damaged++;
          else found.torn = true;
          continue;
        }
        if (!line.ended) found.unended = true;
        const { _id } = value;
        if (typeof _id !== 'string') continue;
        if (value.$$deleted === true) {
          records.delete(_id);
          sizes.delete(_id);
        } else {
          records.set(_id, keep(value, line));
          sizes.set(_id, line.length + 1);
        }
      }
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { ...found, length: null };
    throw error;
  }
  return { ...found, length };
}

async function* readLinesOrRest(file: string): AsyncGenerator<readonly Line[]> {
  try {
    yield* readLines(file);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    await renameOver(`${file}~`, file);
    yield* readLines(file);
  }
}

/** The value of a line; null if it is no JSON object. */
export function parseLine({ content }: Line): Readonly<Record<string, unknown>> | null {
  if (content === null || !isUtf8(content)) return null;
  try {
    const value: unknown = JSON.parse(content.toString('utf8'));
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** True for valid content of a data file: records, removals, notes of indexes. */
export function isOurs(value: Readonly<Record<string, unknown>>): boolean {
  return (
    typeof value._id === 'string' ||
    isJsonObject(value.$$indexCreated) ||
    typeof value.$$indexRemoved === 'string'
  );
}
