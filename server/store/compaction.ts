/**
 * Writes a data file anew without what was overtaken by later changes, while changes go on: the records go beside the file in
 * small steps, then, in the turn of a change, what was appended meanwhile, and the new file takes the place of the old one.
 * Until that moment nothing of the old one is touched, so that a crash at any moment leaves one of the two, whole.
 */
import { open, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { openedNote } from './data-file.ts';
import { besideOf, copyRange } from './files.ts';
import { flushFolder, renameOver } from '../system/files.ts';

/** Characters that are written in one step; between two of them others have their turn. */
const stepLength = 256 * 1024;
/** Bytes that a data file may have more than twice its records before it is written anew. */
const spareBytes = 1024 * 1024;

/** True when so much of a file is overtaken that writing it anew is worth it. @param live bytes of its records. */
export function isWasteful(length: number, live: number): boolean {
  return length > 2 * live + spareBytes;
}

/** A file that is being written beside another. */
export class Compaction {
  readonly #file: string;
  readonly #beside: string;
  readonly #handle: FileHandle;
  /** Bytes of the file that the records are of. */
  readonly #mark: number;
  #isFinished = false;

  private constructor(file: string, beside: string, handle: FileHandle, mark: number) {
    this.#file = file;
    this.#beside = beside;
    this.#handle = handle;
    this.#mark = mark;
  }

  /** @param mark Bytes of the file up to which it tells the records that will be added. */
  static async begin(file: string, mark: number): Promise<Compaction> {
    const beside = besideOf(file);
    return new Compaction(file, beside, await open(beside, 'wx', 0o600), mark);
  }

  /** Adds records, in steps. @param isOver asked between them; true ends it. */
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
   * Adds what the file has got since, and takes its place. Only while nobody writes into the file.
   *
   * @param length of the file now. @returns the new one.
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

  /** Leaves the file as it is; nothing when it has been finished. */
  async abandon(): Promise<void> {
    if (this.#isFinished) return;
    await this.#handle.close().catch(() => undefined);
    await rm(this.#beside, { force: true }).catch(() => undefined);
  }
}
