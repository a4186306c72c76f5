/**
 * Server events for all listeners (the window's event stream). They carry facts of the store, not yet in wire format;
 * each has a number, so that a listener notices when it missed one.
 */
import type { RenderProgress, RequestEntry } from '../../shared/api.ts';
import { describeError, type Log } from '../system/log.ts';
import type { StoredRender } from '../store/render-record.ts';
import type { StoredTemplate } from '../store/template-record.ts';

/** One event. Sent after the change is stored, never before. */
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
  /** A feed or a batch was made, changed or removed; likewise. */
  | { readonly type: 'feeds.changed' }
  /** A machine of the farm came, went, or does something else; likewise. */
  | { readonly type: 'machines.changed' }
  /** A webhook delivery or the test receiver changed; likewise. */
  | { readonly type: 'webhooks.changed' }
  /** A font was added or removed. `templates`: IDs of those that look different now. */
  | { readonly type: 'fonts.changed'; readonly templates: readonly string[] }
  | { readonly type: 'api.request'; readonly entry: RequestEntry };

type Listener = (happening: Happening, number: number) => void;

/** Calls listeners at once, in order of subscription; one that throws does not stop the others. */
export class EventBus {
  #number = 0;
  readonly #listeners = new Set<Listener>();
  readonly #log: Log;

  /** @param log Receives what listeners throw: the publisher of a stored change can do nothing about it. */
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

  /** @returns the function that unsubscribes. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

/** Calls all listeners one after the other, even if one throws; errors are logged. */
export function tellAll<T>(listeners: Iterable<T>, log: Log, call: (listener: T) => void): void {
  for (const listener of [...listeners]) {
    try {
      call(listener);
    } catch (error) {
      log('error', 'events', `a listener failed: ${describeError(error)}`);
    }
  }
}
