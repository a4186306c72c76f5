/** The columns of the queue as a person has set them: which, in which order, how wide. Remembered. Window only. */
import {
  columnOf,
  columns,
  fitColumns,
  movedColumn,
  movedEdge,
  readColumns,
  resizedColumn,
  toggledColumn,
  type ColumnName,
  type DrawnColumn,
  type FittedColumns,
} from './columns.ts';
import { say } from '../ui/say.ts';
import type { AppState } from '../frame/app.svelte.ts';

/** Names under which they are remembered. */
const remembered = { shown: 'queueColumns', widths: 'queueColumnWidths' };

/** Pixels that "Wider" adds and "Narrower" takes away. */
export const widthStep = 24;

/** The columns and their actions; each change is also announced to screen readers. */
export class QueueColumns {
  readonly #app: Pick<AppState, 'preferences' | 'messages'>;

  /** The chosen ones, in their order. */
  readonly shown = $derived.by(() =>
    readColumns(this.#app.preferences.texts(remembered.shown, [])),
  );
  /** Widths given by hand, the latest last. */
  readonly widths = $derived.by(() => this.#app.preferences.numbers(remembered.widths));

  /** Something differs from the default. */
  readonly isChanged = $derived.by(
    () => Object.keys(this.widths).length > 0 || this.shown.join() !== readColumns([]).join(),
  );

  constructor(app: Pick<AppState, 'preferences' | 'messages'>) {
    this.#app = app;
  }

  /** The columns that fit; `room` is the inner width of a row, in pixels. */
  fitted(room: number, isCompact: boolean): FittedColumns {
    return fitColumns(this.shown, this.widths, room, isCompact);
  }

  /** Hides a column or shows it again. */
  toggle(name: ColumnName): void {
    this.#keep(toggledColumn(this.shown, name));
  }

  /** Puts a column at a place among the others. */
  move(name: ColumnName, place: number): void {
    this.#keep(movedColumn(this.shown, name, place));
    const values = { name: columnOf(name).title, place: this.shown.indexOf(name) + 1 };
    this.#app.messages.speak(say('queue.column.moved', { ...values, count: this.shown.length }));
  }

  /** Gives a column a width in pixels; null: the default. */
  resize(name: ColumnName, size: number | null): void {
    this.#app.preferences.set(remembered.widths, { ...resizedColumn(this.widths, name, size) });
  }

  /** Moves the edge after a drawn column: it gets that many pixels and the next one the rest. */
  moveEdge(drawn: readonly DrawnColumn[], index: number, size: number): void {
    const widths = movedEdge(this.widths, drawn, index, size);
    this.#app.preferences.set(remembered.widths, { ...widths });
  }

  /** Restores the defaults. */
  reset(): void {
    this.#keep([]);
    this.#app.preferences.set(remembered.widths, {});
    this.#app.messages.speak(say('queue.columns.wereReset'));
  }

  readonly all = columns;

  #keep(shown: readonly ColumnName[]): void {
    this.#app.preferences.set(remembered.shown, [...shown]);
  }
}
