/**
 * The cache of pieces on the disk: one file each, named by its print and the digest of its content, so that a damaged
 * one is found when it is taken. Several workers use one folder: a file appears whole under its name, and whoever takes
 * one has a link of his own. Runs in a worker.
 */
import { randomUUID } from 'node:crypto';
import { copyFile, link, mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { contentDigest, errorCode, renameOver } from '../../system/files.ts';
import { takeKept } from '../../system/kept-files.ts';
import { groundEnding, shrinkPieces, unfinished } from '../../system/kept-pieces.ts';

/** Pieces by print. Failures of the disk are no failures of a render: then nothing is found, or kept. */
export class PieceCache {
  readonly #folder: string;
  readonly #limit: number;
  /** Names by print. */
  readonly #names: Map<string, string>;
  /** Looking at all of them takes a while, for nothing if all were there. */
  #hasGrown = false;

  private constructor(folder: string, limit: number, names: readonly string[]) {
    this.#folder = folder;
    this.#limit = limit;
    const whole = names.filter((name) => ![unfinished, groundEnding].includes(path.extname(name)));
    this.#names = new Map(whole.map((name) => [printIn(name), name]));
  }

  /** @param limit Bytes that it may take. */
  static async open(folder: string, limit: number): Promise<PieceCache> {
    return new PieceCache(folder, limit, await readdir(folder).catch(() => []));
  }

  /** Puts a piece into a place of the caller's. @returns false if there is none, or it is damaged. */
  async take(print: string, to: string): Promise<boolean> {
    const name = this.#names.get(print);
    if (name === undefined) return false;
    const kept = path.join(this.#folder, name);
    try {
      await takeKept(kept, to);
      if ((await contentDigest(to)) === digestIn(name)) return true;
      await rm(to, { force: true });
      await rm(kept, { force: true });
    } catch {
      // Another worker removed it, or the disk fails.
    }
    this.#names.delete(print);
    return false;
  }

  /** Keeps a copy of a finished piece. */
  async keep(print: string, file: string): Promise<void> {
    try {
      const name = `${print}-${await contentDigest(file)}`;
      await mkdir(this.#folder, { recursive: true });
      await put(file, path.join(this.#folder, name));
      this.#names.set(print, name);
      this.#hasGrown = true;
    } catch {
      // A full or read-only disk: the film is made without.
    }
  }

  /** Removes what was not used for longest, until the rest is within the limit and the disk has room. */
  async shrink(): Promise<void> {
    if (this.#hasGrown) await shrinkPieces(this.#folder, this.#limit).catch(() => undefined);
  }
}

/** A link is there whole or not at all; where there are none, a copy gets its name when it is whole. */
async function put(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return;
    const part = `${to}.${randomUUID()}${unfinished}`;
    await copyFile(from, part);
    await renameOver(part, to);
  }
}

function printIn(name: string): string {
  return name.slice(0, name.indexOf('-'));
}

function digestIn(name: string): string {
  return name.slice(name.indexOf('-') + 1);
}
