/**
 * The cells of a table that scrolls, as elements of the page. They are drawn without the framework: at each frame
 * hundreds of them get another text, and an effect for each would take longer than the frame. Only what differs is
 * written, and the cells of columns that go become those of columns that come. Window only.
 */
import type { CellPlace, CellRange } from './cell-range.ts';

/** What the cells show; rows and columns are places, from 0. */
export interface CellView {
  /** The columns that exist in the page, in their order; the row of the current cell has that one, too. */
  readonly columns: readonly number[];
  readonly valueAt: (row: number, column: number) => string;
  /** How the file is shown that a cell names; null: it names none. */
  readonly fileAt: (row: number, column: number) => FileLook | null;
  /** Whether the last check found the cell wrong. */
  readonly isWrong: (row: number, column: number) => boolean;
  readonly range: CellRange;
  readonly current: CellPlace;
  /** ID of the element of a cell; only the current one has it. */
  readonly idOf: (place: CellPlace) => string;
  /** Stands in the current cell instead of its value; null: no cell is edited. */
  readonly field: HTMLElement | null;
  /** Stands at the end of the current cell if its column names files; null: nothing can be chosen. */
  readonly chooser: HTMLElement | null;
}

/** How the file of a cell is shown. */
export interface FileLook {
  /** In the place of the cell's value. */
  readonly name: string;
  /** Address of its small picture; null: its sign is shown. */
  readonly picture: string | null;
  /** Copied into the cell. */
  readonly sign: Element | null;
  /** What is wrong with it; ''. */
  readonly problem: string;
}

/** A row in sight, by its place in the table, and its slot among those in sight. */
export interface SlottedRow {
  readonly index: number;
  readonly slot: number;
}

interface Cell {
  readonly element: HTMLElement;
  readonly text: Text;
  column: number;
  /** What was last written into the element. */
  look: number;
  /** What else than its text stands in it. */
  content: 'text' | 'file' | 'field' | 'chooser' | 'file and chooser';
  /** Before the name of a file, and what it shows. */
  readonly mark: HTMLElement;
  shown: string | Element | null;
  /** What is wrong with it. */
  title: string;
}

/** ms without a drawing after which cells are put in order. */
const restTime = 400;
/** Rows whose cells are put in order between two frames. */
const rowsAtOnce = 3;

/** Bits of a cell's look. */
const chosen = 1;
const wrong = 2;
const current = 4;

export class GridCells {
  readonly #lines = new Map<number, Line>();
  readonly #placeStart: (column: number) => number;
  /** What was drawn last. */
  #rows: readonly SlottedRow[] = [];
  #view: CellView | null = null;
  #resting: ReturnType<typeof setTimeout> | undefined;

  /** @param placeStart pixels between the start of a row and that of a column */
  constructor(placeStart: (column: number) => number) {
    this.#placeStart = placeStart;
  }

  /**
   * Draws the cells of a row into an element from now on.
   * @param slot of the row among those in sight
   * @returns ends that
   */
  join(slot: number, box: HTMLElement): () => void {
    const line = new Line(box, this.#placeStart);
    this.#lines.set(slot, line);
    // A new row may come after the drawing that it is part of.
    const row = this.#rows.find((one) => one.slot === slot);
    if (row && this.#view) line.draw(row.index, this.#view);
    return () => this.#lines.delete(slot);
  }

  /** Draws what has changed. @param rows those in sight, each with its slot */
  draw(rows: readonly SlottedRow[], view: CellView): void {
    this.#rows = rows;
    this.#view = view;
    for (const { index, slot } of rows) this.#lines.get(slot)?.draw(index, view);
    this.#orderIn(restTime);
  }

  /**
   * Also the order of the page becomes that of the columns, for those who have it read to them, but not while the table
   * scrolls: each element that moves within the page has the browser order all layers again.
   */
  #orderIn(time: number): void {
    clearTimeout(this.#resting);
    const waiting = [...this.#lines.values()].filter((line) => line.waitsForOrder);
    if (waiting.length === 0) return;
    this.#resting = setTimeout(() => {
      for (const line of waiting.slice(0, rowsAtOnce)) line.order();
      this.#orderIn(0);
    }, time);
  }

  /** The cell that an element is, or is in; null: none. */
  placeOf(element: Element): CellPlace | null {
    for (const line of this.#lines.values()) {
      const column = line.columnOf(element);
      if (column !== null) return { row: line.row, column };
    }
    return null;
  }
}

class Line {
  row = -1;
  readonly #box: HTMLElement;
  readonly #placeStart: (column: number) => number;
  /** In the order of their columns. */
  #cells: Cell[] = [];
  /** False if the order of the page is another one. */
  #isOrdered = true;

  constructor(box: HTMLElement, placeStart: (column: number) => number) {
    this.#box = box;
    this.#placeStart = placeStart;
  }

  columnOf(element: Element): number | null {
    if (!this.#box.contains(element)) return null;
    return this.#cells.find((cell) => cell.element.contains(element))?.column ?? null;
  }

  draw(row: number, view: CellView): void {
    this.row = row;
    this.#showColumns(columnsOf(row, view));
    for (const cell of this.#cells) this.#drawCell(cell, view);
  }

  /** True if `order` has something to do. A field would lose the focus, so its row waits until it has gone. */
  get waitsForOrder(): boolean {
    return !this.#isOrdered && !this.#cells.some(({ content }) => content === 'field');
  }

  /** Puts the cells into the order of their columns, with as few moves as it takes. */
  order(): void {
    let next: Element | null = null;
    for (const { element } of this.#cells.toReversed()) {
      if (element.nextElementSibling !== next) this.#box.insertBefore(element, next);
      next = element;
    }
    this.#isOrdered = true;
  }

  /** Has a cell for each of these columns: one that stays keeps its own, the others take over those that are free. */
  #showColumns(columns: readonly number[]): void {
    const old = this.#cells;
    if (old.length === columns.length && old.every((cell, at) => cell.column === columns[at])) {
      return;
    }
    const wanted = new Set(columns);
    const kept = new Map(
      old.flatMap((cell) => (wanted.has(cell.column) ? [[cell.column, cell] as const] : [])),
    );
    const free = old.filter((cell) => !wanted.has(cell.column));
    this.#cells = columns.map(
      (column) => kept.get(column) ?? this.#place(free.pop() ?? this.#add(), column),
    );
    for (const { element } of free) element.remove();
    const { children } = this.#box;
    this.#isOrdered = this.#cells.every(({ element }, at) => children[at] === element);
  }

  #add(): Cell {
    const cell = newCell();
    this.#box.append(cell.element);
    return cell;
  }

  #place(cell: Cell, column: number): Cell {
    cell.column = column;
    cell.element.ariaColIndex = String(column + 2);
    cell.element.style.insetInlineStart = `${this.#placeStart(column)}px`;
    return cell;
  }

  #drawCell(cell: Cell, { valueAt, fileAt, isWrong, range, ...view }: CellView): void {
    const [{ element, text, column }, row] = [cell, this.row];
    const file = fileAt(row, column);
    const value = file?.name ?? valueAt(row, column);
    if (text.data !== value) text.data = value;
    const isCurrent = row === view.current.row && column === view.current.column;
    const isChosen =
      row >= range.top && row <= range.bottom && column >= range.left && column <= range.right;
    const look =
      (isChosen ? chosen : 0) | (isWrong(row, column) ? wrong : 0) | (isCurrent ? current : 0);
    if (look !== cell.look) {
      cell.look = look;
      element.className = classesOf(look);
      element.ariaSelected = String(isChosen);
    }
    const id = isCurrent ? view.idOf(view.current) : '';
    if (element.id !== id) {
      if (id === '') element.removeAttribute('id');
      else element.id = id;
    }
    const problem = file?.problem ?? '';
    if (cell.title !== problem) element.title = cell.title = problem;
    if (file) drawMark(cell, file);
    this.#fill(cell, file !== null, isCurrent ? view : { field: null, chooser: null });
  }

  /** Puts into a cell what stands in it. */
  #fill(
    cell: Cell,
    hasFile: boolean,
    { field, chooser }: Pick<CellView, 'field' | 'chooser'>,
  ): void {
    const { element, text, mark } = cell;
    const plain = hasFile ? 'file' : 'text';
    const withChooser = hasFile ? 'file and chooser' : 'chooser';
    const content = field ? 'field' : chooser ? withChooser : plain;
    if (cell.content === content) return;
    cell.content = content;
    if (field) element.replaceChildren(field);
    else element.replaceChildren(...(hasFile ? [mark] : []), text, ...(chooser ? [chooser] : []));
  }
}

/** Shows the picture of a file, or its sign. */
function drawMark(cell: Cell, { picture, sign }: FileLook): void {
  const shown = picture ?? sign;
  if (cell.shown === shown) return;
  cell.shown = shown;
  const { mark } = cell;
  mark.style.backgroundImage = picture === null ? '' : `url("${picture}")`;
  mark.replaceChildren(...(picture === null && sign ? [sign.cloneNode(true)] : []));
}

/** The columns of a row: an element that stands for the current cell is there wherever the table is scrolled. */
function columnsOf(row: number, { columns, current }: CellView): readonly number[] {
  if (row !== current.row || columns.includes(current.column)) return columns;
  return [...columns, current.column].sort((one, other) => one - other);
}

function newCell(): Cell {
  const element = document.createElement('div');
  element.role = 'gridcell';
  const text = document.createTextNode('');
  element.append(text);
  const mark = document.createElement('span');
  mark.className = 'mark';
  return { element, text, column: -1, look: -1, content: 'text', mark, shown: null, title: '' };
}

const classesOf = (look: number): string =>
  [
    'cell',
    ...((look & chosen) === 0 ? [] : ['isChosen']),
    ...((look & wrong) === 0 ? [] : ['isWrong']),
    ...((look & current) === 0 ? [] : ['isCurrent']),
  ].join(' ');
