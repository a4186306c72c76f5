/**
 * The renders that wait for their turn, in order. A render's place is stored with it (`placeOf`), so the line can be
 * rebuilt from the store at any time.
 */
import { ApiError } from '../../shared/errors.ts';
import { isStill } from '../../shared/renderscript/formats.ts';
import { placeOf, type StoredRender } from '../store/render-record.ts';
import type { RenderStore } from '../store/renders.ts';
import type { EventBus } from './events.ts';
import type { Loss } from './verdict.ts';
import type { HoldReason } from '../../shared/api.ts';

/** A render that waits for its turn. */
export interface Entry {
  readonly id: string;
  readonly place: number;
  /** It has lost an attempt: it runs alone, in a fresh process, so that a crash hits no other render. */
  readonly alone: boolean;
  /** How it lost the last one; null if it did not, or if that was in an earlier run. */
  readonly loss: Loss | null;
  /** ID of the feed batch that it is part of. */
  readonly batch?: string;
  /** Can't be made without ffmpeg. */
  readonly needsEncoder: boolean;
}

/** Waiting renders in order. */
export class WaitingLine {
  readonly #renders: RenderStore;
  readonly #events: EventBus;
  readonly #entries: Entry[] = [];

  constructor(renders: RenderStore, events: EventBus) {
    this.#renders = renders;
    this.#events = events;
  }

  /** Renders in it. */
  get length(): number {
    return this.#entries.length;
  }

  /** The first one that fits; undefined when none does. */
  first(fits: (entry: Entry) => boolean): Entry | undefined {
    return this.#entries.find(fits);
  }

  /**
   * Adds a render at its place.
   *
   * @param more `needsEncoder`: whether it needs ffmpeg. Default: films do. (A picture of a video's frame does too,
   * which shows when it is tried.) `loss`: how it has just lost an attempt. `isDeferred`: it goes behind those already
   * waiting.
   */
  add(
    render: StoredRender,
    more: { needsEncoder?: boolean; loss?: Loss | undefined; isDeferred?: boolean } = {},
  ): void {
    const { id, attempts, request } = render;
    const { needsEncoder = !isStill(render.outputFormat), loss = null, isDeferred = false } = more;
    const own = placeOf(render);
    const place = isDeferred ? Math.max(own, this.#entries.at(-1)?.place ?? own) : own;
    const batch = request.batch && { batch: request.batch.id };
    this.insert({ id, place, alone: attempts > 0, needsEncoder, loss, ...batch });
  }

  /** Puts an entry to its place, behind others of the same place. */
  insert(entry: Entry): void {
    // Binary search: a start adds all that wait, and there may be 50,000.
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle]?.place ?? Infinity) > entry.place) high = middle;
      else low = middle + 1;
    }
    this.#entries.splice(low, 0, entry);
  }

  /** Takes a render out; undefined when it is not in the line. */
  remove(id: string): Entry | undefined {
    const index = this.#entries.findIndex((entry) => entry.id === id);
    return index < 0 ? undefined : this.#entries.splice(index, 1)[0];
  }

  /**
   * Moves a render in front of another one, or to the end.
   *
   * @throws ApiError `not_waiting` when one of them does not wait, `cannot_save`.
   */
  async move(id: string, before: string | null): Promise<void> {
    const others = this.#entries.filter((entry) => entry.id !== id);
    if (others.length === this.#entries.length) throw new ApiError('not_waiting', { id });
    const found = others.findIndex((entry) => entry.id === before);
    if (before !== null && found < 0) throw new ApiError('not_waiting', { id: before });
    const index = before === null ? others.length : found;
    const low = others[index - 1]?.place;
    const high = others[index]?.place;
    if (low === undefined && high === undefined) return;
    const place = ((low ?? (high ?? 0) - 2) + (high ?? (low ?? 0) + 2)) / 2;
    if (place === low || place === high) {
      // So many moves into the same gap that no number is left in it.
      const ids = others.map((entry) => entry.id);
      await this.#renumber([...ids.slice(0, index), id, ...ids.slice(index)]);
    } else {
      await this.#place(id, place);
    }
  }

  /** Reassigns the waiting renders' counters as places, in the wanted order. */
  async #renumber(ids: readonly string[]): Promise<void> {
    const places = ids.map((id) => this.#renders.find(id)?.order ?? 0).sort((a, b) => a - b);
    await Promise.all(ids.map((id, index) => this.#place(id, places[index] ?? 0)));
  }

  /** Stores a place, then applies it; a render that has started meanwhile is left alone. */
  async #place(id: string, place: number): Promise<void> {
    const render = await this.#renders.change(id, (found) =>
      found.status === 'planned' ? { ...found, place } : null,
    );
    if (!render) return;
    this.#events.emit({ type: 'render.updated', render });
    const entry = this.remove(id);
    if (entry) this.insert({ ...entry, place });
  }
}

/*
 * Why renders wait although a slot is free. Each reason is a row that says which renders it holds; several may apply at
 * once, and a render runs when none holds it.
 */

/** Whether a reason holds a render. */
const keeps: Readonly<Record<HoldReason, (entry: Entry) => boolean>> = {
  person: () => true,
  // Pictures don't need it.
  encoder: ({ needsEncoder }) => needsEncoder,
  battery: () => true,
  space: () => true,
  folder: () => true,
};

/** The reasons that apply now. */
export class Holds {
  readonly #reasons = new Set<HoldReason>();

  /** Sets or ends a reason. @returns true if that changed anything. */
  set(reason: HoldReason, holds: boolean): boolean {
    if (this.#reasons.has(reason) === holds) return false;
    if (holds) this.#reasons.add(reason);
    else this.#reasons.delete(reason);
    return true;
  }

  has(reason: HoldReason): boolean {
    return this.#reasons.has(reason);
  }

  /** True for a render that must wait. */
  keep(entry: Entry): boolean {
    for (const reason of this.#reasons) if (keeps[reason](entry)) return true;
    return false;
  }

  /** All that apply, oldest first. */
  get list(): readonly HoldReason[] {
    return [...this.#reasons];
  }
}
