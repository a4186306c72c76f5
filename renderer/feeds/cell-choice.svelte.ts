/** The current and the selected cells of a table, and what the keys of spreadsheets do to them. Window only. */
import { rangeBetween, type CellPlace, type CellRange } from './cell-range.ts';

/** What the choice needs to know about its table. */
export interface CellTable {
  /** Indexes of the last row and column; -1: none. May change at any time. */
  readonly lastRow: () => number;
  readonly lastColumn: () => number;
  /** Rows that Page up and Page down pass. */
  readonly pageRows: () => number;
  readonly isMirrored: () => boolean;
  /** Brings a cell into view. */
  readonly reveal: (place: CellPlace) => void;
}

/** Modifiers of a key or of the pointer. */
interface Held {
  /** Shift: the selection is extended. */
  readonly extend: boolean;
  /** Ctrl or ⌘: as far as the table goes. */
  readonly jump: boolean;
}

export class CellChoice {
  /** The corner that stays where the selection is extended. */
  anchor = $state.raw<CellPlace>({ row: 0, column: 0 });
  current = $state.raw<CellPlace>({ row: 0, column: 0 });
  readonly range: CellRange = $derived(rangeBetween(this.anchor, this.current));
  /** The next Tab leaves the table. */
  #leaves = false;
  readonly #table: CellTable;

  constructor(table: CellTable) {
    this.#table = table;
  }

  /** Selects a cell, or extends the selection to it. Outside of the table: the nearest one. */
  choose(row: number, column: number, extend = false): void {
    const table = this.#table;
    const between = (value: number, most: number): number => Math.max(0, Math.min(most, value));
    this.current = {
      row: between(row, table.lastRow()),
      column: between(column, table.lastColumn()),
    };
    if (!extend) this.anchor = this.current;
    this.#leaves = false;
    table.reveal(this.current);
  }

  move(down: number, right: number, extend = false): void {
    this.choose(this.current.row + down, this.current.column + right, extend);
  }

  /** Selects a rectangle; `to` becomes the current cell. */
  chooseRange(from: CellPlace, to: CellPlace): void {
    this.anchor = from;
    this.choose(to.row, to.column, true);
  }

  /** Selects everything, without a move of what is in sight. */
  chooseAll(): void {
    this.anchor = { row: 0, column: 0 };
    this.current = { row: this.#table.lastRow(), column: this.#table.lastColumn() };
  }

  /** Back into the table where Undo left fewer rows or columns. */
  stayInside(): void {
    const { row, column } = this.current;
    if (row > this.#table.lastRow() || column > this.#table.lastColumn()) this.choose(row, column);
  }

  /** Does what a key says. @returns false if it says nothing about cells. */
  key(key: string, { extend, jump }: Held): boolean {
    const [table, current] = [this.#table, this.current];
    const aside = (step: number): void => {
      const right = table.isMirrored() ? -step : step;
      if (jump) this.choose(current.row, right > 0 ? table.lastColumn() : 0, extend);
      else this.move(0, right, extend);
    };
    const upright = (step: number): void => {
      if (jump) this.choose(step > 0 ? table.lastRow() : 0, current.column, extend);
      else this.move(step, 0, extend);
    };
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => upright(1),
      ArrowUp: () => upright(-1),
      ArrowRight: () => aside(1),
      ArrowLeft: () => aside(-1),
      Home: () => this.choose(jump ? 0 : current.row, 0, extend),
      End: () => this.choose(jump ? table.lastRow() : current.row, table.lastColumn(), extend),
      PageDown: () => this.move(table.pageRows(), 0, extend),
      PageUp: () => this.move(-table.pageRows(), 0, extend),
      Escape: () => {
        this.choose(current.row, current.column);
        this.#leaves = true;
      },
    };
    if (!Object.hasOwn(moves, key)) return false;
    moves[key]?.();
    return true;
  }

  /** Goes to the next cell, or to the one before. @returns false if the focus may leave the table. */
  tab(back: boolean): boolean {
    if (this.#leaves) return false;
    const columns = this.#table.lastColumn() + 1;
    const at = this.current.row * columns + this.current.column + (back ? -1 : 1);
    if (at < 0 || at >= (this.#table.lastRow() + 1) * columns) return false;
    this.choose(Math.floor(at / columns), at % columns);
    return true;
  }

  has(row: number, column: number): boolean {
    const { top, bottom, left, right } = this.range;
    return row >= top && row <= bottom && column >= left && column <= right;
  }

  hasInRow(row: number): boolean {
    return row >= this.range.top && row <= this.range.bottom;
  }
}
