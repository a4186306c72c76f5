/** The pictures and sounds of a document's files as the timeline shows them. Window only. */
import { SvelteMap } from 'svelte/reactivity';
import type { Footage, FootageOrder, FootageReport, Look } from '../../engine/footage.ts';
import { tokenHeaders } from '../../frame/connection/api.ts';
import type { LivePreview } from '../preview/live-preview.svelte.ts';

/** Looks whose footage is kept; the one asked for longest ago goes first. */
const most = 96;

type Kind = Look['kind'];

/** Of one editor. Call `close()` at the end. */
export class TimelineFootage {
  readonly #live: LivePreview | null;
  #worker: Worker | null = null;
  /** By the look, of a file whose ID always means the same one; null: there is none, or it is being looked for. */
  readonly #known = new SvelteMap<string, Footage | null>();
  /** The look that is shown of a source, while that of a newer file is under way. */
  readonly #shown = new SvelteMap<string, string>();

  /** The sources of looks under way. */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- only read here
  readonly #sources = new Map<string, string>();

  constructor(live: LivePreview | null) {
    this.#live = live;
  }

  /**
   * What is in the file of a source, or one kind of it: the sound of a video is `audio`. Null while it is not known,
   * and where there is nothing to show.
   */
  of(source: string, kind = this.#live?.files.get(source)?.kind ?? 'image'): Footage | null {
    const id = this.#live?.files.get(source)?.id;
    const newest = id === undefined ? null : this.#known.get(nameOf(id, kind));
    const shown = this.#shown.get(nameOf(source, kind));
    return newest ?? (shown === undefined ? null : this.#known.get(shown)) ?? null;
  }

  /** Looks into the file of a source, unless that was done. */
  ask(source: string): void {
    const file = this.#live?.files.get(source);
    if (!file) return;
    this.#look(file, source);
    // After its pictures, which come sooner.
    if (file.kind === 'video') this.#look({ id: file.id, kind: 'audio' }, source);
  }

  #look({ id, kind }: Look, source: string): void {
    const name = nameOf(id, kind);
    if (this.#known.has(name)) return;
    const [oldest] = this.#known.keys();
    if (this.#known.size >= most && oldest !== undefined) this.#forget(oldest);
    this.#known.set(name, null);
    this.#sources.set(name, source);
    this.#send({ type: 'look', id, kind });
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = null;
    for (const look of [...this.#known.keys()]) this.#forget(look);
  }

  #forget(look: string): void {
    const footage = this.#known.get(look);
    if (footage?.kind === 'pictures') footage.image.close();
    this.#known.delete(look);
  }

  #send(order: FootageOrder): void {
    if (!this.#worker) {
      // Vite knows a worker by this form alone.
      // eslint-disable-next-line svelte/prefer-svelte-reactivity -- only read here
      this.#worker = new Worker(new URL('../../engine/footage-worker.ts', import.meta.url), {
        type: 'module',
      });
      this.#worker.onmessage = ({ data }: MessageEvent<FootageReport>) => {
        const look = nameOf(data.id, data.kind);
        const source = this.#sources.get(look);
        this.#sources.delete(look);
        if (!data.footage || !this.#known.has(look)) return;
        this.#known.set(look, data.footage);
        if (source === undefined) return;
        const place = nameOf(source, data.kind);
        const old = this.#shown.get(place);
        this.#shown.set(place, look);
        if (old !== undefined && old !== look) this.#forget(old);
      };
      const begin: FootageOrder = { type: 'begin', headers: tokenHeaders() };
      this.#worker.postMessage(begin);
    }
    this.#worker.postMessage(order);
  }
}

/** Of a look, by the ID of its file; of what is shown, by its source. */
const nameOf = (file: string, kind: Kind): string => `${kind} ${file}`;
