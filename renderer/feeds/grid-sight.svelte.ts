/**
 * What of a feed's table is in sight: how far it is scrolled, which of its rows, columns and heads exist in the page,
 * and how a cell is brought into view. Window only.
 */
import type { CellPlace } from './cell-range.ts';
import { rowsToDraw, Slots } from '../ui/rows.ts';
import type { SlottedRow } from './grid-cells.ts';

/** Pixels; the styles of FeedGrid.svelte have the same values. */
export const gridSizes = { row: 32, head: 46, number: 56, cell: 184, status: 260 } as const;

/** Rows beyond those in sight, so that scrolling shows no gap. */
const spareRows = 3;
const spareColumns = 1;

/** Pixels between the start of a row and that of a column. */
export const startOf = (column: number): number => gridSizes.number + column * gridSizes.cell;

/** The table; each answer may change at any time. */
export interface SeenTable {
  /** How many it has. */
  readonly rows: () => number;
  readonly columns: () => number;
  /** The current cell: its row always exists in the page. */
  readonly current: () => CellPlace;
}

/** See above. */
export class GridSight {
  /** The element that scrolls; undefined until the page has it. */
  box = $state<HTMLElement>();
  /** Its size without scroll bars, in pixels. */
  height = $state(0);
  width = $state(0);
  /** Pixels that it is scrolled down, and aside from the start. */
  #down = $state(0);
  #aside = $state(0);
  readonly #table: SeenTable;
  readonly #slots = new Slots();
  #rows: readonly SlottedRow[] = [];
  #columns: readonly number[] = [];
  /** How many heads have been made, from the first on. */
  #madeHeads = $state(0);

  /**
   * The rows to draw, by their slots. The same array as before where scrolling brings no other: then nothing is drawn.
   */
  readonly rows = $derived.by((): readonly SlottedRow[] => {
    const visibleHeight = Math.max(0, this.height - gridSizes.head);
    const indexes = rowsToDraw(
      {
        scrolled: this.#down,
        visibleHeight,
        rowHeight: gridSizes.row,
        rows: this.#table.rows(),
        spare: spareRows,
      },
      this.#table.current().row,
    );
    const slots = this.#slots.assign(indexes.map(String));
    const next = indexes
      .map((index, place) => ({ index, slot: slots[place] ?? 0 }))
      .sort((one, other) => one.slot - other.slot);
    const isSame =
      next.length === this.#rows.length &&
      next.every(({ index, slot }, at) => {
        const old = this.#rows[at];
        return old?.index === index && old.slot === slot;
      });
    if (!isSame) this.#rows = next;
    return this.#rows;
  });

  /** The columns to draw, in their order; the same array where they are the same. */
  readonly columns = $derived.by((): readonly number[] => {
    const next = rowsToDraw(
      {
        scrolled: this.#aside,
        visibleHeight: this.width,
        rowHeight: gridSizes.cell,
        rows: this.#table.columns(),
        spare: spareColumns,
      },
      // Only the row of the current cell has its column wherever that is.
      -1,
    );
    const isSame =
      next.length === this.#columns.length && next.every((one, at) => one === this.#columns[at]);
    if (!isSame) this.#columns = next;
    return this.#columns;
  });

  /**
   * How many heads exist, from the first on. They have menus, which take longer to make than all cells of a column:
   * they stay, and those out of sight are made in frames of their own, before someone scrolls there.
   */
  readonly heads = $derived(Math.max(this.#madeHeads, (this.columns.at(-1) ?? -1) + 1));

  constructor(table: SeenTable) {
    this.#table = table;
  }

  /** Rows that Page up and Page down pass. */
  get pageRows(): number {
    return Math.max(1, Math.floor((this.height - gridSizes.head) / gridSizes.row) - 1);
  }

  get isMirrored(): boolean {
    return this.box !== undefined && getComputedStyle(this.box).direction === 'rtl';
  }

  follow({ scrollTop, scrollLeft }: HTMLElement): void {
    this.#down = scrollTop;
    // In right-to-left pages, browsers count down from 0.
    this.#aside = Math.abs(scrollLeft);
  }

  /** Has the next head made in a frame of its own. An effect. @returns ends that */
  makeHeads(): (() => void) | undefined {
    const { heads } = this;
    const all = this.#table.columns();
    if (heads === this.#madeHeads && heads >= all) return undefined;
    const frame = requestAnimationFrame(() => {
      this.#madeHeads = Math.min(heads + 1, all);
    });
    return () => cancelAnimationFrame(frame);
  }

  /** Scrolls as little as it takes to bring a cell into view. */
  reveal({ row, column }: CellPlace): void {
    const { box } = this;
    if (!box) return;
    const top = row * gridSizes.row;
    const start = column * gridSizes.cell;
    const roomBelow = box.clientHeight - gridSizes.head - gridSizes.row;
    const roomAside = box.clientWidth - gridSizes.number - gridSizes.cell;
    const sign = this.isMirrored ? -1 : 1;
    const aside = Math.abs(box.scrollLeft);
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top > box.scrollTop + roomBelow) box.scrollTop = top - roomBelow;
    if (start < aside) box.scrollLeft = sign * start;
    else if (start > aside + roomAside) box.scrollLeft = sign * (start - roomAside);
  }
}
