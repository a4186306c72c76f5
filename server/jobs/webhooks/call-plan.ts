/**
 * Which call comes next: due calls, one at a time for each receiver and a few in total. Each step costs the same,
 * however many wait.
 */

/** A planned call. */
export interface PlannedCall {
  /** The delivery's ID. */
  readonly id: string;
  readonly host: string;
  /** Steady time. */
  readonly dueAt: number;
}

/** Calls that wait, and receivers that are being called. */
export class CallPlan {
  readonly #atOnce: number;
  /** Not due when last checked, in order of time. */
  readonly #later = new Line<PlannedCall>();
  /** Due, by receiver. */
  readonly #due = new Map<string, Line<PlannedCall>>();
  /** Receivers that have due calls and are not being called, in turn; and the same for look-up. */
  readonly #turns = new Line<string>();
  readonly #free = new Set<string>();
  readonly #busy = new Set<string>();

  /** @param atOnce How many receivers to call at the same time. */
  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** When the next call becomes due; infinite if there is none. */
  get nextAt(): number {
    return this.#later.next?.dueAt ?? Infinity;
  }

  /** Takes a call in. */
  add(call: PlannedCall): void {
    this.#later.insert(call, ({ dueAt }) => dueAt > call.dueAt);
  }

  /** Removes a call that has not started. */
  remove(id: string): void {
    for (const calls of [this.#later, ...this.#due.values()]) calls.keep((one) => one.id !== id);
  }

  /** The next call that may start now; its receiver is busy until `end`. Undefined if there is none. */
  begin(now: number): PlannedCall | undefined {
    while (this.nextAt <= now) {
      const call = this.#later.take();
      if (!call) break;
      const calls = this.#due.get(call.host) ?? new Line<PlannedCall>();
      calls.add(call);
      this.#due.set(call.host, calls);
      this.#mayBegin(call.host);
    }
    while (this.#busy.size < this.#atOnce) {
      const host = this.#turns.take();
      if (host === undefined) return undefined;
      this.#free.delete(host);
      const calls = this.#due.get(host);
      const call = calls?.take();
      if (!calls?.next) this.#due.delete(host);
      // It may have been removed meanwhile.
      if (!call) continue;
      this.#busy.add(host);
      return call;
    }
    return undefined;
  }

  /** The call of a receiver is over. */
  end(host: string): void {
    this.#busy.delete(host);
    if (this.#due.has(host)) this.#mayBegin(host);
  }

  #mayBegin(host: string): void {
    if (this.#busy.has(host) || this.#free.has(host)) return;
    this.#free.add(host);
    this.#turns.add(host);
  }
}

/** A list for taking items off the front: an array would move all the others. */
class Line<T> {
  #items: T[] = [];
  #first = 0;

  get next(): T | undefined {
    return this.#items[this.#first];
  }

  add(item: T): void {
    this.#items.push(item);
  }

  /** Puts an item before the first one that comes after it. Items are in that order. */
  insert(item: T, isAfter: (other: T) => boolean): void {
    // Binary search from the end, because it is nearly always the last.
    let [low, high] = [this.#first, this.#items.length];
    const last = this.#items.at(-1);
    if (last !== undefined && !isAfter(last)) low = high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#items[middle];
      if (other === undefined || isAfter(other)) high = middle;
      else low = middle + 1;
    }
    this.#items.splice(low, 0, item);
  }

  take(): T | undefined {
    const item = this.next;
    if (this.#first < this.#items.length) this.#first++;
    // Keep at most as many taken items as remaining ones.
    if (this.#first > this.#items.length / 2) this.keep(() => true);
    return item;
  }

  keep(isKept: (item: T) => boolean): void {
    this.#items = this.#items.slice(this.#first).filter(isKept);
    this.#first = 0;
  }
}
