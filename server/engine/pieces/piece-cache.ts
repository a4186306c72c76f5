/**
 * The cache of pieces on the disk: one file each, named by its print and the digest of its content, so that a damaged
 * one is found when it is taken. Several workers use one folder: a file appears whole under its name, and whoever takes
 * one has a link of his own. Runs in a worker.
 */
import { copyFile, link, mkdir, readdir, rm, utimes } from 'node:fs/promises';
import path from 'node:path';
import { contentDigest, renameOver } from '../../system/files.ts';
import { shrinkPieces } from '../../system/kept-pieces.ts';

/** Pieces by print. Failures of the disk are no failures of a render: then nothing is found, or kept. */
export class PieceCache {
  readonly #folder: string;
  readonly #limit: number;
  /** Names by print. */
  readonly #names: Map<string, string>;

  private constructor(folder: string, limit: number, names: readonly string[]) {
    this.#folder = folder;
    this.#limit = limit;
    this.#names = new Map(names.map((name) => [printIn(name), name]));
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
      await linkOrCopy(kept, to);
      if ((await contentDigest(to)) === digestIn(name)) {
        const now = new Date();
        await utimes(kept, now, now).catch(() => undefined);
        return true;
      }
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
      await linkOrCopy(file, path.join(this.#folder, name));
      this.#names.set(print, name);
    } catch {
      // A full or read-only disk: the film is made without.
    }
  }

  /** Removes what was not used for longest, until the rest is within the limit and the disk has room. */
  async shrink(): Promise<void> {
    await shrinkPieces(this.#folder, this.#limit).catch(() => undefined);
  }
}

/** A link costs nothing; across disks, or where there are none, a copy gets its name when it is whole. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch {
    await copyFile(from, `${to}.part`);
    await renameOver(`${to}.part`, to);
  }
}

function printIn(name: string): string {
  return name.slice(0, name.indexOf('-'));
}

function digestIn(name: string): string {
  return name.slice(name.indexOf('-') + 1);
}
