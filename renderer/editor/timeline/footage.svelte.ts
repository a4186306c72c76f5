/** The pictures and sounds of a document's files as the timeline shows them. Window only. */
import { SvelteMap } from 'svelte/reactivity';
import type { Footage, FootageOrder, FootageReport } from '../../engine/footage.ts';
import { tokenHeaders } from '../../frame/connection/api.ts';
import type { LivePreview } from '../preview/live-preview.svelte.ts';

/** Files whose footage is kept; the one asked for longest ago goes first. */
const most = 64;

/** Of one editor. Call `close()` at the end. */
export class TimelineFootage {
  readonly #live: LivePreview | null;
  #worker: Worker | null = null;
  /** By the ID of a file, which always means the same one; null: there is none, or it is being looked for. */
  readonly #known = new SvelteMap<string, Footage | null>();
  /** The file whose footage is shown of a source, while that of a newer one is looked for. */
  readonly #shown = new SvelteMap<string, string>();

  /** By the ID of a file that is being looked for. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- only read here
  readonly #sources = new Map<string, string>();

  constructor(live: LivePreview | null) {
    this.#live = live;
  }

  /** What is in the file of a source; null while it is not known, and where there is nothing to show. */
  of(source: string): Footage | null {
    const ids = [this.#live?.files.get(source)?.id, this.#shown.get(source)];
    for (const id of ids) {
      const found = id === undefined ? null : this.#known.get(id);
      if (found) return found;
    }
    return null;
  }

  /** Looks into the file of a source, unless that was done. */
  ask(source: string): void {
    const file = this.#live?.files.get(source);
    if (!file || this.#known.has(file.id)) return;
    const [oldest] = this.#known.keys();
    if (this.#known.size >= most && oldest !== undefined) this.#forget(oldest);
    this.#known.set(file.id, null);
    this.#sources.set(file.id, source);
    this.#send({ type: 'look', ...file });
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = null;
    for (const id of [...this.#known.keys()]) this.#forget(id);
  }

  #forget(id: string): void {
    const footage = this.#known.get(id);
    if (footage?.kind === 'pictures') footage.image.close();
    this.#known.delete(id);
  }

  #send(order: FootageOrder): void {
    if (!this.#worker) {
      // Vite knows a worker by this form alone.
      // eslint-disable-next-line svelte/prefer-svelte-reactivity -- only read here
      this.#worker = new Worker(new URL('../../engine/footage-worker.ts', import.meta.url), {
        type: 'module',
      });
      this.#worker.onmessage = ({ data }: MessageEvent<FootageReport>) => {
        const source = this.#sources.get(data.id);
        this.#sources.delete(data.id);
        if (!data.footage || !this.#known.has(data.id)) return;
        this.#known.set(data.id, data.footage);
        const old = source === undefined ? undefined : this.#shown.get(source);
        if (source !== undefined) this.#shown.set(source, data.id);
        if (old !== undefined && old !== data.id) this.#forget(old);
      };
      const begin: FootageOrder = { type: 'begin', headers: tokenHeaders() };
      this.#worker.postMessage(begin);
    }
    this.#worker.postMessage(order);
  }
}
