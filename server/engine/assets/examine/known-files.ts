/**
 * Phase 1: what was found out about files, kept by their content for as long as the process lives. A clip that every row of a
 * feed uses is examined once, and a damaged one that is sent over and over costs the others in the queue its seconds once.
 */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { examineLimits } from '../../../../shared/limits.ts';
import { RenderError } from '../../../../shared/engine/errors.ts';

/** Files whose facts are kept; the one that was asked for longest ago goes first. */
const keptFiles = 200;

/** What a file of this kind says at every look, as far as anything but the file has no part in it. */
const ofTheFile = new Set(['media_unreadable', 'limit_exceeded']);

const isItsFault = (error: unknown): boolean =>
  error instanceof RenderError && ofTheFile.has(error.code);

interface Finding<T> {
  readonly result: Promise<T>;
  /** Steady time in ms until which it holds; a failure may be that of a computer that had no time. */
  until: number;
}

/** Findings of one sort. */
export class KnownFiles<T> {
  readonly #findings = new Map<string, Finding<T>>();

  /**
   * What `look` says of the file, or has said of the same bytes. Larger files than `examineLimits.knownBytes` are looked at
   * anew each time, because reading them whole takes longer than a look.
   *
   * @param by What the answer depends on beside the file.
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
        // The look of a render that was cancelled meanwhile says nothing to this one.
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
