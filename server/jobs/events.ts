/**
 * What happens in the server, told to whoever listens (the window's event stream). Facts of the store, not yet in the
 * form that goes over the wire; every one has a number, so that a listener notices when it missed one.
 */
import type { RenderProgress, RequestEntry } from '../../shared/api.ts';
import { describeError, type Log } from '../log.ts';
import type { StoredRender } from '../store/renders.ts';
import type { StoredTemplate } from '../store/templates.ts';

/** One happening. Sent after it was stored, never before. */
export type Happening =
  | { readonly type: 'render.created' | 'render.updated'; readonly render: StoredRender }
  | { readonly type: 'render.progress'; readonly id: string; readonly progress: RenderProgress }
  | { readonly type: 'render.removed' | 'template.removed'; readonly id: string }
  | {
      readonly type: 'template.created' | 'template.updated';
      readonly template: StoredTemplate;
    }
  /** The renderer's state, the queue's length or the encoder changed; listeners ask for the new state themselves. */
  | { readonly type: 'server.state' }
  /** A project or a key was made, changed or removed; likewise. */
  | { readonly type: 'projects.changed' }
  | { readonly type: 'api.request'; readonly entry: RequestEntry };

type Listener = (happening: Happening, number: number) => void;

/** Listeners are called at once, in the order in which they came; one that throws keeps none of the others from it. */
export class EventBus {
  #number = 0;
  readonly #listeners = new Set<Listener>();
  readonly #log: Log;

  /** @param log Takes what listeners throw: who tells of something that is stored can do nothing about it. */
  constructor(log: Log) {
    this.#log = log;
  }

  /** The number of the newest event. */
  get number(): number {
    return this.#number;
  }

  emit(happening: Happening): void {
    this.#number++;
    const number = this.#number;
    tellAll(this.#listeners, this.#log, (listener) => listener(happening, number));
  }

  /** @returns the function that ends it. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** Calls all listeners of something, one after the other, whatever one of them throws; that is logged. */
export function tellAll<T>(listeners: Iterable<T>, log: Log, call: (listener: T) => void): void {
  for (const listener of [...listeners]) {
    try {
      call(listener);
    } catch (error) {
      log('error', 'events', `a listener failed: ${describeError(error)}`);
    }
  }
}
