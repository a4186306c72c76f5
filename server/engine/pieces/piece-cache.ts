/**
 * The cache of pieces on the disk: one file each, named by its print and the digest of its content, so that a damaged
 * one is found when it is taken. Several workers use one folder: a file appears whole under its name, and whoever takes
 * one has a link of his own. Runs in a worker.
 */
import { copyFile, link, mkdir, readdir, rm, stat, statfs, utimes } from 'node:fs/promises';
import path from 'node:path';
import { contentDigest, renameOver } from '../../system/files.ts';

/** Bytes that stay free on the disk, whatever the limit. */
const reserve = 2_000_000_000;
/** Milliseconds after which a half-written file is a left-over. */
const abandonedAfter = 3_600_000;

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

/** What the kept pieces take. */
export async function piecesKept(folder: string): Promise<{ bytes: number; files: number }> {
  const files = await list(folder);
  return { bytes: files.reduce((sum, { size }) => sum + size, 0), files: files.length };
}

/** Removes the least recently used pieces beyond the limit. @param limit Bytes; 0 removes all. */
export async function shrinkPieces(folder: string, limit: number): Promise<void> {
  const files = (await list(folder)).sort((a, b) => a.usedAt - b.usedAt);
  let total = files.reduce((sum, { size }) => sum + size, 0);
  const { bavail, bsize } = await statfs(folder);
  const most = Math.min(limit, total + bavail * bsize - reserve);
  for (const { name, size, usedAt } of files) {
    const isAbandoned = name.endsWith('.part') && Date.now() - usedAt > abandonedAfter;
    if (total <= most && !isAbandoned) continue;
    await rm(path.join(folder, name), { force: true });
    total -= size;
  }
}

interface KeptPiece {
  readonly name: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly usedAt: number;
}

async function list(folder: string): Promise<KeptPiece[]> {
  const files: KeptPiece[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const facts = await stat(path.join(folder, name)).catch(() => null);
    if (facts) files.push({ name, size: facts.size, usedAt: facts.mtimeMs });
  }
  return files;
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
