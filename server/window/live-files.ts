/** Files that pages may fetch to draw documents themselves: only those that the engine has named for that. */
import { createHash, randomBytes } from 'node:crypto';

/** Files known at a time; the oldest go first. A document has a few hundred at most. */
const most = 5_000;

/** Files by an ID that does not reveal their place. */
export class LiveFiles {
  /** Oldest naming first. */
  readonly #paths = new Map<string, string>();
  readonly #salt = randomBytes(16);

  /** Makes a file known. @returns its ID, the same each time */
  readonly add = (path: string): string => {
    const id = createHash('sha256').update(this.#salt).update(path).digest('base64url');
    this.#paths.delete(id);
    this.#paths.set(id, path);
    for (const [oldest] of this.#paths) {
      if (this.#paths.size <= most) break;
      this.#paths.delete(oldest);
    }
    return id;
  };

  /** Its path; null for an unknown or forgotten ID. */
  find(id: string): string | null {
    return this.#paths.get(id) ?? null;
  }
}
