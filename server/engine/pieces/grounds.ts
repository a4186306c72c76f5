/**
 * Decoded frames of the videos under pieces that each row of a feed makes anew: reading them takes a fifth of decoding
 * them from the last key frame on. Those of a piece are written when it is made for the second time, and read from the
 * third on. They lie among the kept pieces, so they count and go with them. Runs in a worker.
 *
 * Only the process that wrote them reads them, so they need no digest, which would take as long as half the decoding.
 */
import { rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { takeKept } from '../../system/kept-files.ts';
import { groundEnding, pieceFolder, reserve } from '../../system/kept-pieces.ts';
import { digest } from './prints.ts';

/** The file of one piece's ground, in a place of the render's own. */
export interface GroundFile {
  readonly filePath: string;
  /** It is to be read; else to be written, and then passed to `keep`. */
  readonly isThere: boolean;
}

/** Of the bytes that pieces may take, the share for grounds. */
const mostShare = 1 / 4;
/** So many prints are remembered; then all are forgotten. */
const mostSeen = 1_000;

/** Milliseconds after which a ground that nobody used makes room for others: its feed has ended. */
const idleAfter = 300_000;

/** Prints of grounds that were wanted before, and what is kept of them. */
const seen = new Set<string>();
const kept = new Map<string, { readonly bytes: number; readonly usedAt: number }>();

/** The grounds of one render. */
export class Grounds {
  readonly #folder: string;
  readonly #workFolder: string;
  readonly #limit: number;

  /** @param limit Bytes that the kept pieces may take. */
  constructor(cacheFolder: string, workFolder: string, limit: number) {
    this.#folder = pieceFolder(cacheFolder);
    this.#workFolder = workFolder;
    this.#limit = limit * mostShare;
  }

  /**
   * Looks for a ground.
   *
   * @param basis Everything that its frames follow from.
   * @param bytes What they take.
   * @returns null: the video is to be decoded, and that is all.
   */
  async find(basis: string, bytes: number): Promise<GroundFile | null> {
    const print = digest(basis);
    const filePath = path.join(this.#workFolder, `${print}${groundEnding}`);
    if (kept.has(print)) {
      try {
        await takeKept(this.#keptAs(print), filePath);
        const { size } = await stat(filePath);
        if (size === bytes) {
          kept.set(print, { bytes, usedAt: Date.now() });
          return { filePath, isThere: true };
        }
        await rm(filePath, { force: true });
      } catch {
        // It was removed, or the disk fails.
      }
      kept.delete(print);
    }
    const isNew = !seen.has(print);
    if (seen.size >= mostSeen) seen.clear();
    seen.add(print);
    if (isNew || !(await this.#hasRoom(bytes))) return null;
    return { filePath, isThere: false };
  }

  /** Keeps a ground that was written. Never rejects: the next one is decoded. */
  async keep({ filePath }: GroundFile): Promise<void> {
    const print = path.basename(filePath, groundEnding);
    try {
      const { size } = await stat(filePath);
      await rename(filePath, this.#keptAs(print));
      kept.set(print, { bytes: size, usedAt: Date.now() });
    } catch {
      // The folder has gone, or is on another disk.
    }
  }

  #keptAs(print: string): string {
    return path.join(this.#folder, `${print}-${process.pid}${groundEnding}`);
  }

  async #hasRoom(bytes: number): Promise<boolean> {
    await this.#removeIdle();
    const total = [...kept.values()].reduce((sum, ground) => sum + ground.bytes, bytes);
    if (total > this.#limit) return false;
    try {
      const { bavail, bsize } = await statfs(this.#folder);
      return bavail * bsize > reserve + bytes;
    } catch {
      return false;
    }
  }

  async #removeIdle(): Promise<void> {
    for (const [print, { usedAt }] of kept) {
      if (Date.now() - usedAt <= idleAfter) continue;
      kept.delete(print);
      await rm(this.#keptAs(print), { force: true }).catch(() => undefined);
    }
  }
}
