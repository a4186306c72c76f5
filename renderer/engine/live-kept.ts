/** Small files in the drawing worker: fetched and read when a kit names them, kept while it does. */
import type { LiveKit } from '../../shared/engine/live-kit.ts';

/** What the files of one use hold, e.g. tables of colours. */
export class LiveKept<Thing> {
  readonly #read: (id: string) => Promise<Thing>;
  /** By the ID of the file. */
  #kept = new Map<string, Thing>();

  /** @param read Fetches and reads a file by its ID. */
  constructor(read: (id: string) => Promise<Thing>) {
    this.#read = read;
  }

  /** Those of a kit, by the address in the document. @throws what reading throws: the server has read them before */
  async use(named: LiveKit['luts'], ids: readonly string[]): Promise<ReadonlyMap<string, Thing>> {
    const kept = new Map<string, Thing>();
    const found = new Map<string, Thing>();
    for (const { source, file } of named) {
      const id = ids[file] ?? '';
      const thing = kept.get(id) ?? this.#kept.get(id) ?? (await this.#read(id));
      kept.set(id, thing);
      found.set(source, thing);
    }
    this.#kept = kept;
    return found;
  }
}
