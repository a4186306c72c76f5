/**
 * Which renders there are, in order and by state: kept as they come, so that a page of the list, and what has not
 * ended, cost what is in them and not what is in the store.
 */
import { isFinal, renderStatuses, type RenderStatus } from '../../shared/api.ts';
import { RenderOrder } from './render-order.ts';
import { placeOf, type RenderDoc } from './render-record.ts';

/**
 * Up to so many renders of a state are put in order when they are asked for; among more, a page is soon found on the
 * way through all.
 */
const fewRenders = 5_000;

/** See above. */
export class RenderIndex {
  readonly #find: (id: string) => RenderDoc | null;
  readonly #order = new RenderOrder();
  readonly #byStatus = new Map(renderStatuses.map((status) => [status, new Set<string>()]));
  #gone = 0;

  /** @param find The record of a render; null: there is none. @param docs All of them. */
  constructor(find: (id: string) => RenderDoc | null, docs: readonly RenderDoc[]) {
    this.#find = find;
    this.#order.fill(docs.map(({ _id: id, order }) => ({ id, order })));
    for (const { _id } of docs) this.follow(_id);
  }

  /** A render is new here. */
  add({ _id, order }: RenderDoc): void {
    this.#order.add(_id, order);
    this.follow(_id);
  }

  /** A render may have changed, or be gone. */
  follow(id: string): void {
    for (const ids of this.#byStatus.values()) ids.delete(id);
    const doc = this.#find(id);
    if (doc) this.#byStatus.get(doc.status)?.add(id);
  }

  /** A render was removed. */
  remove(id: string): void {
    this.follow(id);
    // Looking through all of them must stay rare.
    if (++this.#gone % 1_000 === 0)
      this.#order.trim(this.#count(renderStatuses), (one) => this.#find(one) !== null);
  }

  /** How many renders wait for their turn, and how many are being worked on. */
  get unfinished(): { readonly waiting: number; readonly running: number } {
    return {
      waiting: this.#count(['planned']),
      running: this.#count(openStatuses) - this.#count(['planned']),
    };
  }

  /** Renders that have not ended, in queue order. */
  listUnfinished(): RenderDoc[] {
    return this.#of(openStatuses).sort((a, b) => placeOf(a) - placeOf(b));
  }

  /**
   * Renders, newest first, each read on demand.
   *
   * @param before Only those with a smaller order.
   * @param statuses Only those in one of these states are asked for. If there are many, others may come, too: so that
   * who asks can pause.
   */
  *each(before = Infinity, statuses?: readonly RenderStatus[]): Generator<RenderDoc> {
    if (statuses && this.#count(statuses) <= fewRenders) {
      const few = this.#of(statuses).filter(({ order }) => order < before);
      yield* few.sort((a, b) => b.order - a.order);
      return;
    }
    for (const id of this.#order.each(before)) {
      const doc = this.#find(id);
      if (doc) yield doc;
    }
  }

  #count(statuses: readonly RenderStatus[]): number {
    return statuses.reduce((sum, status) => sum + (this.#byStatus.get(status)?.size ?? 0), 0);
  }

  #of(statuses: readonly RenderStatus[]): RenderDoc[] {
    const ids = statuses.flatMap((status) => [...(this.#byStatus.get(status) ?? [])]);
    return ids.flatMap((id) => this.#find(id) ?? []);
  }
}

/** The states of renders that have not ended. */
const openStatuses = renderStatuses.filter((status) => !isFinal(status));
