/** The order of renders, kept as they come: a page of the list then costs what is on it, not what is in the store. */

interface Place {
  readonly id: string;
  readonly order: number;
}

/** IDs by their place. */
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
