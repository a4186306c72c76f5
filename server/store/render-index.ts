/**
 * Which renders there are, in order and by state: kept as they come, so that a page of the list, and what has not
 * ended, cost what is in them and not what is in the store.
 */
import { isFinal, type RenderStatus, renderStatuses } from '../../shared/api.ts';
import { placeOf, type RenderDoc, type StoredOnce } from './render-record.ts';
import { retention } from '../../shared/limits.ts';

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

interface Place {
  readonly id: string;
  readonly order: number;
}

/** The order of renders, kept as they come. */
export class RenderOrder {
  /** Ascending. Readers hold it while they wait: it grows at its end, and is replaced for any other change. */
  #places: Place[] = [];

  /** Adds many at once, before anyone reads. */
  fill(places: Iterable<Place>): void {
    this.#places = [...this.#places, ...places].sort((a, b) => a.order - b.order);
  }

  /** Adds an ID, unless it is there. New ones are usually the last. */
  add(id: string, order: number): void {
    const at = this.#firstAfter(order);
    for (let same = at - 1; this.#places[same]?.order === order; same--)
      if (this.#places[same]?.id === id) return;
    const place = { id, order };
    if (at === this.#places.length) this.#places.push(place);
    else this.#places = this.#places.toSpliced(at, 0, place);
  }

  /** Forgets IDs that are gone, when they have become many. @param count How many there are. */
  trim(count: number, isThere: (id: string) => boolean): void {
    if (this.#places.length > 2 * count + 1_000)
      this.#places = this.#places.filter(({ id }) => isThere(id));
  }

  /** IDs from the last to the first, some of which may be gone. @param before Only those with a smaller order. */
  *each(before = Infinity): Generator<string> {
    const places = this.#places;
    for (let at = this.#firstAfter(before) - 1; at >= 0; at--) {
      const place = places[at];
      if (place && place.order < before) yield place.id;
    }
  }

  /** The index of the first with a larger order. */
  #firstAfter(order: number): number {
    let [low, high] = [0, this.#places.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#places[middle]?.order ?? Infinity) <= order) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

// The keys of requests that must make their renders only once: which renders were made with one, and which requests
// run now. In memory.

/** See above. */
export class RenderKeys {
  /** IDs of renders by project and key. */
  readonly #made = new Map<string, Set<string>>();
  /** Projects and keys of running requests, with the IDs of the renders that each of them knows of. */
  readonly #claimed = new Map<string, Set<string>>();

  /** A render is new here. */
  add({ _id, project, once }: StoredOnce & { readonly _id: string }): void {
    if (!once) return;
    const name = keyedName(project, once.key);
    const ids = this.#made.get(name) ?? new Set();
    this.#made.set(name, ids.add(_id));
  }

  /** A render is gone. */
  remove(id: string, { project, once }: StoredOnce): void {
    if (once) this.#made.get(keyedName(project, once.key))?.delete(id);
  }

  /** IDs of the renders that were made with a key. */
  madeWith(project: string, key: string): readonly string[] {
    return [...(this.#made.get(keyedName(project, key)) ?? [])];
  }

  /** Begins a request. @returns what ends it; null: another one with this key runs. */
  claim(project: string, key: string): (() => void) | null {
    const name = keyedName(project, key);
    if (this.#claimed.has(name)) return null;
    this.#claimed.set(name, new Set(this.#made.get(name)));
    return () => void this.#claimed.delete(name);
  }

  /** The running request has made this render itself. */
  makeKnown(id: string, { project, once }: StoredOnce): void {
    if (once) this.#claimed.get(keyedName(project, once.key))?.add(id);
  }

  /** True if the running request does not know one of the renders that there are with its key. */
  isTaken(project: string, key: string, made: readonly string[]): boolean {
    const known = this.#claimed.get(keyedName(project, key));
    return known !== undefined && made.some((id) => !known.has(id));
  }
}

/** A key is only valid in its project; neither contains a line end. */
function keyedName(project: string, key: string): string {
  return `${project}\n${key}`;
}

// Credits of all renders that have not expired, kept up with each change: the window asks with every change of the
// queue, and adding up 100,000 records takes 20 ms.

/** What counts of a render's record. */
interface Counted {
  readonly credits?: number | undefined;
  /** ms since 1970. */
  readonly createdAt: number;
}

/** Milliseconds between two looks for renders that have expired; so much later their credits are free. */
const lookPause = 60_000;

/** See above. */
export class CreditSum {
  /** What of each render is in the sum; those without credits are left out. */
  readonly #counted = new Map<string, number>();
  #sum = 0;
  /** When the first of them can expire. */
  #firstExpiry = Infinity;
  #lookedAt = -Infinity;
  #keptAll = false;

  /** Takes in a render as it is now; null: it is gone or has expired. */
  take(id: string, render: Counted | null): void {
    const credits = render?.credits ?? 0;
    this.#sum += credits - (this.#counted.get(id) ?? 0);
    if (credits === 0 || !render) {
      this.#counted.delete(id);
      return;
    }
    this.#counted.set(id, credits);
    this.#firstExpiry = Math.min(this.#firstExpiry, render.createdAt + retention.renders);
  }

  /**
   * The sum now.
   *
   * @param now Wall time, ms since 1970. @param keepsAll True while nothing expires.
   * @param all Those that have not expired: read again when some may have, at most once a minute.
   */
  at(now: number, keepsAll: boolean, all: () => Iterable<readonly [string, Counted]>): number {
    const mayExpire = now > this.#firstExpiry && now - this.#lookedAt >= lookPause;
    if (mayExpire || now < this.#lookedAt || keepsAll !== this.#keptAll) {
      this.#counted.clear();
      this.#sum = 0;
      this.#firstExpiry = Infinity;
      this.#lookedAt = now;
      this.#keptAll = keepsAll;
      for (const [id, render] of all()) this.take(id, render);
    }
    return this.#sum;
  }
}
