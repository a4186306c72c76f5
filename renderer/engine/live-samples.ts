/** Samples of sounds in the drawing worker, for shapes that follow them: fetched when a kit names them. */
import type { SoundSamples } from '../../shared/engine/compile/seen-sounds.ts';
import type { LiveKit } from '../../shared/engine/live-kit.ts';
import type { LiveFiles } from './live-files.ts';

/** The samples of the documents that one worker draws. */
export class LiveSamples {
  readonly #files: LiveFiles;
  /** By the ID of the file. */
  #kept = new Map<string, SoundSamples>();

  constructor(files: LiveFiles) {
    this.#files = files;
  }

  /** Those of a kit, by the address in the document. @throws when a file is gone */
  async use(
    samples: LiveKit['samples'],
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, SoundSamples>> {
    const kept = new Map<string, SoundSamples>();
    const named = new Map<string, SoundSamples>();
    for (const { source, file } of samples) {
      const id = ids[file] ?? '';
      const read = this.#kept.get(id) ?? (await this.#read(id));
      kept.set(id, read);
      named.set(source, read);
    }
    this.#kept = kept;
    return named;
  }

  async #read(id: string): Promise<SoundSamples> {
    return new Uint8Array(await (await this.#files.fetch(id)).arrayBuffer());
  }
}
