/**
 * Phase 1: findings about files, cached by content for the process's lifetime. A clip that every row of a feed uses is
 * examined once, and a damaged one that is sent repeatedly delays the queue only once.
 */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { examineLimits } from '../../../../shared/limits.ts';
import { RenderError } from '../../../../shared/engine/errors.ts';

/** How many files' facts to keep; the least recently used goes first. */
const keptFiles = 200;

/** Failures that depend on the file alone, and so repeat. */
const ofTheFile = new Set(['media_unreadable', 'limit_exceeded']);

const isItsFault = (error: unknown): boolean =>
  error instanceof RenderError && ofTheFile.has(error.code);

interface Finding<T> {
  readonly result: Promise<T>;
  /** Steady time in ms until which it is valid; a failure may only mean a busy computer. */
  until: number;
}

/** Findings of one sort. */
export class KnownFiles<T> {
  readonly #findings = new Map<string, Finding<T>>();

  /**
   * What `look` returns for the file, or has returned for the same bytes. Files larger than `examineLimits.knownBytes`
   * are examined each time, because reading them whole takes longer.
   *
   * @param by What else the answer depends on.
   */
  async find(filePath: string, by: string, look: () => Promise<T>): Promise<T> {
    const { size } = await stat(filePath);
    if (size > examineLimits.knownBytes) return look();
    const digest = createHash('sha256').update(await readFile(filePath));
    const key = `${digest.digest('base64')} ${by}`;
    const known = this.#findings.get(key);
    this.#findings.delete(key);
    if (known && known.until > performance.now()) {
      this.#findings.set(key, known);
      try {
        return await known.result;
      } catch (error) {
        // If that render was cancelled, its result says nothing about the file.
        if (isItsFault(error)) throw error;
      }
    }
    const finding = { result: look(), until: Infinity };
    this.#keep(key, finding);
    finding.result.catch((error: unknown) => {
      finding.until = isItsFault(error) ? performance.now() + examineLimits.failureKept : -Infinity;
    });
    return finding.result;
  }

  #keep(key: string, finding: Finding<T>): void {
    this.#findings.set(key, finding);
    for (const oldest of this.#findings.keys()) {
      if (this.#findings.size <= keptFiles) break;
      this.#findings.delete(oldest);
    }
  }
}
