/**
 * Rewrites a data file without superseded lines while changes go on: writes the records to a second file in small
 * steps; then, between two changes, adds what was appended meanwhile and replaces the old file. Until then the old one
 * is untouched, so a crash at any moment leaves one of the two, whole.
 */
import { open, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { openedNote } from './data-file.ts';
import { besideOf, copyRange } from './files.ts';
import { flushFolder, renameOver } from '../system/files.ts';

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
