/** Lets a bounded number of requests wait for renders to end. */
import { isFinal } from '../../shared/api.ts';
import { openLimits } from '../../shared/limits.ts';
import type { RenderStore } from '../store/renders.ts';
import type { EventBus } from './events.ts';

/** Who waits. Made once. */
export class RenderWaits {
  readonly #renders: Pick<RenderStore, 'find'>;
  readonly #unfollow: () => void;
  /** What to do when a render has ended, by its ID. */
  readonly #ends = new Map<string, Set<() => void>>();
  /** Ends each wait. */
  readonly #waiting = new Set<() => void>();
  #closed = false;

  constructor(renders: Pick<RenderStore, 'find'>, events: EventBus) {
    this.#renders = renders;
    this.#unfollow = events.subscribe((happening) => {
      if (happening.type === 'render.updated' && isFinal(happening.render.status)) {
        this.#end(happening.render.id);
      } else if (happening.type === 'render.removed') this.#end(happening.id);
    });
  }

  /**
   * Waits until all have ended or are gone, the time is up, or the signal aborts because nobody listens.
   *
   * @param time Milliseconds.
   * @returns false if too many are already waiting.
   */
  async untilEnded(ids: readonly string[], time: number, signal: AbortSignal): Promise<boolean> {
    if (this.#closed || this.#waiting.size >= openLimits.waits) return false;
    const open = new Set(ids.filter((id) => !isFinal(this.#renders.find(id)?.status ?? 'failed')));
    if (open.size === 0 || signal.aborted) return true;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        this.#waiting.delete(end);
        for (const [id, told] of tellers) this.#forget(id, told);
        resolve();
      };
      const timer = setTimeout(end, time);
      const tellers = [...open].map((id) => {
        const told = (): void => {
          open.delete(id);
          if (open.size === 0) end();
        };
        return [id, told] as const;
      });
      for (const [id, told] of tellers)
        this.#ends.set(id, (this.#ends.get(id) ?? new Set()).add(told));
      this.#waiting.add(end);
      signal.addEventListener('abort', end);
    });
    return true;
  }

  /** Ends all waits. */
  close(): void {
    this.#closed = true;
    this.#unfollow();
    for (const end of [...this.#waiting]) end();
  }

  #end(id: string): void {
    for (const told of [...(this.#ends.get(id) ?? [])]) told();
  }

  #forget(id: string, told: () => void): void {
    const tellers = this.#ends.get(id);
    tellers?.delete(told);
    if (tellers?.size === 0) this.#ends.delete(id);
  }
}
