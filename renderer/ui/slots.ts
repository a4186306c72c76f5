/**
 * Places for the rows of a list that scrolls: a row that comes into view takes the place and the elements of one that
 * has gone, which is much cheaper than making new ones. Pure.
 */

/** Remembers which row has which place between drawings. */
export class Slots {
  #taken = new Map<string, number>();

  /**
   * Gives each row a place. Rows keep the place they had; the others get free places, then new ones.
   * @param ids All that are drawn, each once.
   * @returns the places, in the order of the IDs
   */
  assign(ids: readonly string[]): readonly number[] {
    const next = new Map<string, number>();
    for (const id of ids) {
      const kept = this.#taken.get(id);
      if (kept !== undefined) next.set(id, kept);
    }
    const used = new Set(next.values());
    let free = 0;
    for (const id of ids) {
      if (next.has(id)) continue;
      while (used.has(free)) free += 1;
      used.add(free);
      next.set(id, free);
    }
    this.#taken = next;
    return ids.map((id) => next.get(id) ?? 0);
  }
}
