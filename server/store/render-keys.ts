/**
 * The keys of requests that must make their renders only once: which renders were made with one, and which requests run
 * now. In memory.
 */
import type { StoredOnce } from './render-record.ts';

/** See above. */
export class RenderKeys {
  /** IDs of renders by project and key. */
  readonly #made = new Map<string, Set<string>>();
  /** Projects and keys of running requests, with the IDs of the renders that each of them knows of. */
  readonly #claimed = new Map<string, Set<string>>();

  /** A render is new here. */
  add({ _id, project, once }: StoredOnce & { readonly _id: string }): void {
    if (!once) return;
    const name = keyedName(project, once.key);
    const ids = this.#made.get(name) ?? new Set();
    this.#made.set(name, ids.add(_id));
  }

  /** A render is gone. */
  remove(id: string, { project, once }: StoredOnce): void {
    if (once) this.#made.get(keyedName(project, once.key))?.delete(id);
  }

  /** IDs of the renders that were made with a key. */
  madeWith(project: string, key: string): readonly string[] {
    return [...(this.#made.get(keyedName(project, key)) ?? [])];
  }

  /** Begins a request. @returns what ends it; null: another one with this key runs. */
  claim(project: string, key: string): (() => void) | null {
    const name = keyedName(project, key);
    if (this.#claimed.has(name)) return null;
    this.#claimed.set(name, new Set(this.#made.get(name)));
    return () => void this.#claimed.delete(name);
  }

  /** The running request has made this render itself. */
  makeKnown(id: string, { project, once }: StoredOnce): void {
    if (once) this.#claimed.get(keyedName(project, once.key))?.add(id);
  }

  /** True if the running request does not know one of the renders that there are with its key. */
  isTaken(project: string, key: string, made: readonly string[]): boolean {
    const known = this.#claimed.get(keyedName(project, key));
    return known !== undefined && made.some((id) => !known.has(id));
  }
}

/** A key is only valid in its project; neither contains a line end. */
function keyedName(project: string, key: string): string {
  return `${project}\n${key}`;
}
