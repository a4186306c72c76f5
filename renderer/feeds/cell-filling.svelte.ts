/** Files into cells: one for all selected cells, or several downwards, each batch as one step. Window only. */
import { call } from '../frame/connection/call.ts';
import { type WindowMedia, mediaRows } from '../../shared/api/media.ts';
import { nameFor } from './cell-files.ts';
import type { CellPlace, CellRange } from './cell-range.ts';
import type { OpenFeed } from './open-feed.svelte.ts';

export class CellFilling {
  readonly #feed: OpenFeed;

  constructor(feed: OpenFeed) {
    this.#feed = feed;
  }

  /** Writes a file into all cells of a range. @param chosen of the library, or an address */
  async write(
    { top, bottom, left, right }: CellRange,
    chosen: WindowMedia | string,
  ): Promise<void> {
    const name =
      typeof chosen === 'string'
        ? chosen
        : await call(mediaRows.list).then(
            (library) => nameFor(chosen, library),
            () => chosen.source,
          );
    const line = Array<string>(right - left + 1).fill(name);
    this.#feed.write(
      { row: top, column: left },
      Array.from({ length: bottom - top + 1 }, () => line),
    );
  }

  /**
   * Adds files to the library and writes them into a column, from a cell on downwards, in the order of their names.
   * What can't be added leaves its cell as it is.
   */
  down({ row, column }: CellPlace, files: readonly File[]): void {
    const feed = this.#feed;
    const ordered = files.toSorted((one, other) =>
      one.name.localeCompare(other.name, undefined, { numeric: true }),
    );
    const names = new WeakMap<File, string>();
    feed.media.add(ordered, (file, name) => {
      names.set(file, name);
      const waits = feed.media.uploads.list.some(
        (one) => ordered.includes(one.file) && one.phase !== 'failed',
      );
      if (waits) return;
      feed.write(
        { row, column },
        ordered.map((one, at) => [names.get(one) ?? feed.valueAt({ row: row + at, column })]),
      );
    });
  }
}
