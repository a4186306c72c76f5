/**
 * Data files in NeDB's form: a line of JSON for each change; the last one for an ID counts. They are read piece by
 * piece, never as one text: Node's longest has 512 MiB.
 */
import { isUtf8 } from 'node:buffer';
import { type FileHandle, open, rm } from 'node:fs/promises';
import path from 'node:path';
import Datastore from 'nedb-promises';
import { isJsonObject } from '../../shared/renderscript/source.ts';
import { errorCode, flushFolder, renameOver } from '../system/files.ts';
import { besideOf, copyRange } from './files.ts';

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

// Rewrites a data file without superseded lines while changes go on: writes the records to a second file in small
// steps; then, between two changes, adds what was appended meanwhile and replaces the old file. Until then the old
// one is untouched, so a crash at any moment leaves one of the two, whole.

/** Characters to write in one step; between two steps others get their turn. */
const stepLength = 256 * 1024;
/** Bytes that a data file may have beyond twice its records before it is rewritten. */
const spareBytes = 1024 * 1024;

/** True if enough of a file is superseded to make rewriting it worthwhile. @param live Bytes of its records. */
export function isWasteful(length: number, live: number): boolean {
  return length > 2 * live + spareBytes;
}

/** A file being written beside another. */
export class Compaction {
  readonly #file: string;
  readonly #beside: string;
  readonly #handle: FileHandle;
  /** Length of the file that the records correspond to. */
  readonly #mark: number;
  #isFinished = false;

  private constructor(file: string, beside: string, handle: FileHandle, mark: number) {
    this.#file = file;
    this.#beside = beside;
    this.#handle = handle;
    this.#mark = mark;
  }

  /** @param mark Length of the file that the records to be added correspond to. */
  static async begin(file: string, mark: number): Promise<Compaction> {
    const beside = besideOf(file);
    return new Compaction(file, beside, await open(beside, 'wx', 0o600), mark);
  }

  /** Adds records, in steps. @param isOver Called between steps; true stops it. */
  async add(records: Iterable<object>, isOver: () => boolean): Promise<void> {
    let step = openedNote;
    for (const record of records) {
      step += `${JSON.stringify(record)}\n`;
      if (step.length < stepLength) continue;
      if (isOver()) return;
      await this.#handle.writeFile(step);
      step = '';
    }
    await this.#handle.writeFile(step);
  }

  /**
   * Adds what was appended to the file since, and replaces it. Only while nobody writes to the file.
   *
   * @param length The file's current length. @returns the new length.
   */
  async finish(length: number): Promise<number> {
    await copyRange(this.#file, this.#mark, length - this.#mark, (part) =>
      this.#handle.writeFile(part),
    );
    await this.#handle.sync();
    const { size } = await this.#handle.stat();
    await this.#handle.close();
    await renameOver(this.#beside, this.#file);
    this.#isFinished = true;
    await flushFolder(path.dirname(this.#file));
    return size;
  }

  /** Leaves the file as it is; does nothing after `finish`. */
  async abandon(): Promise<void> {
    if (this.#isFinished) return;
    await this.#handle.close().catch(() => undefined);
    await rm(this.#beside, { force: true }).catch(() => undefined);
  }
}

// NeDB with records that were already read. Its own opening takes five times as long as reading the file, and
// rewrites it each time, which fails on a full disk; so it gets the records, and from then on appends changes as
// usual. No public member does that: all of them wait for the opening.

/** Internals of the wrapper and of NeDB that their types omit. The lock file pins both. */
interface Inside {
  /** Settles when the file is loaded; if set, it is not loaded again. */
  __loaded: Promise<void>;
  readonly __original: {
    /** Takes records in, without copies. */
    _resetIndexes(records: readonly unknown[]): void;
    /** Lets changes through, which wait for the load until then. */
    readonly executor: { processBuffer(): void };
  };
}

/** A database on a file that holds these records. Nothing is read or written before the first change. */
export function fillDatabase<Doc>(file: string, records: readonly Doc[]): Datastore<Doc> {
  // The data may contain keys and private addresses: readable for this user only.
  const options = { filename: file, modes: { fileMode: 0o600, dirMode: 0o700 } };
  const data: Datastore<Doc> = Datastore.create(options);
  // See Inside.
  const inside = data as unknown as Inside;
  inside.__loaded = Promise.resolve();
  inside.__original._resetIndexes(records);
  inside.__original.executor.processBuffer();
  return data;
}
