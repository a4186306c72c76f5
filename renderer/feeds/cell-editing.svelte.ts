/**
 * Editing the cells of a feed's table: the field in the current cell, the keys of spreadsheets, the clipboard. The
 * table has the focus meanwhile, but for the field. Window only.
 */
import { tick } from 'svelte';
import { fromClipboard, toClipboard } from './cell-range.ts';
import { say } from '../ui/say.ts';
import type { CellChoice } from './cell-choice.svelte.ts';
import type { OpenFeed } from './open-feed.svelte.ts';

/** The table whose cells are edited; each answer may change at any time. */
export interface EditedTable {
  readonly feed: () => OpenFeed;
  readonly choice: CellChoice;
  /** False while nothing can be saved. */
  readonly mayChange: () => boolean;
  /** The element that has the keys; undefined until the page has it. */
  readonly box: () => HTMLElement | undefined;
  /** Told how many pasted values did not fit. */
  readonly oncut: (count: number) => void;
  /** Offers files for the current cell. @returns false if its column names none */
  readonly choose: () => boolean;
}

/** See above. */
export class CellEditing {
  /** The field stands in the current cell. */
  isOn = $state(false);
  readonly field: HTMLTextAreaElement;
  readonly #table: EditedTable;

  constructor(table: EditedTable) {
    this.#table = table;
    this.field = newCellField({
      keep: (down, aside) => this.#keep(down, aside),
      drop: () => {
        this.isOn = false;
        this.#focus();
      },
    });
  }

  /** Puts the field into the current cell, with this text. */
  async begin(text: string): Promise<void> {
    const { choice, mayChange } = this.#table;
    const { columns, rows } = this.#table.feed();
    if (!mayChange() || rows.length === 0 || columns.length === 0) return;
    const { row, column } = choice.current;
    this.field.value = text;
    this.field.ariaLabel = say('feed.cell', {
      column: columns[column]?.name ?? '',
      row: String(row + 1),
    });
    this.isOn = true;
    await tick();
    this.field.focus();
    this.field.setSelectionRange(text.length, text.length);
  }

  /** Puts the field into the current cell, with the cell's own text. */
  beginHere(): void {
    const { feed, choice } = this.#table;
    void this.begin(feed().valueAt(choice.current));
  }

  /** Offers files for the current cell, or edits its text where it names none. */
  open(): void {
    if (!this.#table.choose()) this.beginHere();
  }

  /** Ends editing and keeps the text. */
  end(): void {
    if (this.isOn) this.field.blur();
  }

  /** Does what a key of the table says, and takes the event if it says anything. */
  key(event: KeyboardEvent): void {
    if (event.target !== this.#table.box()) return;
    const isDone = event.altKey
      ? event.key === 'ArrowDown' && this.#table.choose()
      : this.#keyDone(event);
    if (!isDone) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @returns false if the key is not for the table */
  #keyDone({ key, shiftKey: extend, ctrlKey, metaKey }: KeyboardEvent): boolean {
    const { choice, mayChange } = this.#table;
    const feed = this.#table.feed();
    const jump = ctrlKey || metaKey;
    const letter = jump ? key.toLowerCase() : '';
    if (key === 'Tab') return choice.tab(extend);
    if (letter === 'a') choice.chooseAll();
    else if (letter === 'y' || letter === 'z') {
      if (!mayChange()) return false;
      if (extend || letter === 'y') feed.redo();
      else feed.undo();
    } else if (key === 'Enter') this.open();
    else if (key === 'F2') this.beginHere();
    else if (key === 'Delete' || key === 'Backspace') {
      if (mayChange()) feed.clear(choice.range);
    } else if (choice.key(key, { extend, jump })) return true;
    else if (!jump && key.length === 1) void this.begin(key);
    else return false;
    return true;
  }

  // If no text is selected, the page gets these events, whatever has the focus.

  /** Copies the selected cells, or cuts them out. */
  copy(event: ClipboardEvent): void {
    const { choice, mayChange } = this.#table;
    if (!this.#hasFocus) return;
    const feed = this.#table.feed();
    event.clipboardData?.setData('text/plain', toClipboard(feed.valuesIn(choice.range)));
    event.preventDefault();
    if (event.type === 'cut' && mayChange()) feed.clear(choice.range);
  }

  /** Pastes from the first selected cell on; a single value fills all selected cells. */
  paste(event: ClipboardEvent): void {
    const { choice, mayChange, oncut } = this.#table;
    if (!this.#hasFocus || !mayChange()) return;
    event.preventDefault();
    const feed = this.#table.feed();
    const { range } = choice;
    const lines = fromClipboard(event.clipboardData?.getData('text/plain') ?? '');
    const start = { row: range.top, column: range.left };
    const [[only] = []] = lines;
    const isOne = lines.length === 1 && lines[0]?.length === 1;
    const filled =
      isOne && only !== undefined
        ? feed.valuesIn(range).map((line) => line.map(() => only))
        : lines;
    oncut(feed.write(start, filled));
    const right = filled.reduce((most, { length }) => Math.max(most, length), 0);
    const end = { row: start.row + filled.length - 1, column: start.column + right - 1 };
    choice.chooseRange(start, end);
  }

  get #hasFocus(): boolean {
    return document.activeElement === this.#table.box();
  }

  #focus(): void {
    this.#table.box()?.focus({ preventScroll: true });
  }

  #keep(down: number, aside: number): void {
    if (!this.isOn) return;
    const { choice } = this.#table;
    const feed = this.#table.feed();
    const { value } = this.field;
    this.isOn = false;
    if (value !== feed.valueAt(choice.current)) feed.write(choice.current, [[value]]);
    this.#focus();
    if (down !== 0 || aside !== 0) choice.move(down, aside);
  }
}

/** What happens when the field ends. */
interface FieldEnds {
  /** The text is kept; the current cell then moves by that much. */
  readonly keep: (down: number, aside: number) => void;
  /** The cell has its old value again. */
  readonly drop: () => void;
}

/**
 * Makes the field; it is put into a cell by who draws the cells.
 * @param ends told by keys, and when the focus goes elsewhere
 */
export function newCellField(ends: FieldEnds): HTMLTextAreaElement {
  const field = document.createElement('textarea');
  field.rows = 1;
  field.spellcheck = false;
  field.addEventListener('blur', () => ends.keep(0, 0));
  field.addEventListener('keydown', (event) => {
    event.stopPropagation();
    // An input method takes Enter and Escape for itself.
    if (event.isComposing) return;
    if (event.key === 'Escape') ends.drop();
    else if (event.key === 'Enter' && !event.altKey && !event.ctrlKey) {
      ends.keep(event.shiftKey ? -1 : 1, 0);
    } else if (event.key === 'Tab') ends.keep(0, event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  });
  return field;
}
