/** Tables of colours in the drawing worker: fetched and read when a kit names them, kept while it does. */
import type { LiveKit } from '../../shared/engine/live-kit.ts';
import { parseLut, type Lut, type Luts } from '../../shared/engine/lut.ts';
import type { LiveFiles } from './live-files.ts';

/** The tables of the documents that one worker draws. */
export class LiveLuts {
  readonly #files: LiveFiles;
  /** By the ID of the file. */
  #kept = new Map<string, Lut>();
  /** By the address in the document. */
  #named = new Map<string, Lut>();

  constructor(files: LiveFiles) {
    this.#files = files;
  }

  /** Fetches the tables of a kit. @throws when a file is gone, or is no table: the server has read it before */
  async use(luts: LiveKit['luts'], ids: readonly string[]): Promise<void> {
    const kept = new Map<string, Lut>();
    const named = new Map<string, Lut>();
    for (const { source, file } of luts) {
      const id = ids[file] ?? '';
      const lut = this.#kept.get(id) ?? (await this.#read(id));
      kept.set(id, lut);
      named.set(source, lut);
    }
    this.#kept = kept;
    this.#named = named;
  }

  /** The tables that were fetched last. */
  readonly find: Luts = (source) => this.#named.get(source) ?? null;

  async #read(id: string): Promise<Lut> {
    return parseLut(await (await this.#files.fetch(id)).text(), id);
  }
}
