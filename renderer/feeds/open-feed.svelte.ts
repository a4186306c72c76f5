/**
 * The rows of the open feed while they are edited: one history, kept by the server a moment after each change, never
 * over what someone else has stored. Window only.
 */
import { call } from '../frame/connection/call.ts';
import type { RowProblem, WindowFeed, WindowFeedRow } from '../../shared/api.ts';
import { feedLimits } from '../../shared/limits.ts';
import { RequestProblem } from '../frame/connection/api.ts';
import { loadFeedRows } from '../frame/connection/feeds.ts';
import { type FeedChange, feedRows } from '../../shared/api/feeds.ts';
import type { CellFile } from './cell-files.ts';
import type { CellPlace, CellRange } from './cell-range.ts';
import { changedRows, problemsByRow, rowsCleared } from './feed-rows.ts';
import { FeedMedia } from './feed-media.svelte.ts';
import { say } from '../ui/say.ts';
import type { FeedsState } from './feeds-state.svelte.ts';
import type { Loading } from '../queue/renders.svelte.ts';

/** ms without a change after which the rows are stored. */
const savePause = 600;
/** Steps that can be taken back. */
const mostSteps = 100;

type Columns = WindowFeed['columns'];

/** The table at one moment. Rows that did not change are the same objects in all moments. */
interface Moment {
  readonly columns: Columns;
  readonly rows: readonly WindowFeedRow[];
}

export class OpenFeed {
  readonly id: string;
  loading = $state<Loading>('loading');
  columns = $state.raw<Columns>([]);
  rows = $state.raw<readonly WindowFeedRow[]>([]);
  /** Changes are not kept yet. */
  waits = $state(false);
  /** Why they could not be kept; '' when nothing is wrong. */
  problem = $state('');
  /** Another window, or an import, has stored other rows since. */
  conflict = $state(false);
  /** What the last check found, by the IDs of rows; nothing once something is changed. */
  problems = $state.raw(problemsByRow([]));
  /** The files that its cells name. */
  readonly media: FeedMedia;

  readonly #feeds: FeedsState;
  #seen = 0;
  /** What the server has. */
  #kept: Moment = { columns: [], rows: [] };
  #before: Moment[] = [];
  #after: Moment[] = [];
  /** Requests under way that change it: their own events tell nothing new. */
  #busy = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving: Promise<void> | null = null;

  /** @param onFailed told why a file could not be added for it, after it was closed */
  constructor(feed: WindowFeed, feeds: FeedsState, onFailed?: (reason: unknown) => void) {
    this.id = feed.id;
    this.#feeds = feeds;
    this.media = new FeedMedia(feed.id, onFailed);
  }

  /** Loads facts and rows; what was changed here before and not kept is gone. */
  async load(): Promise<void> {
    const before = this.#now();
    this.#busy += 1;
    try {
      await this.#feeds.load();
      const feed = this.#feeds.list.find(({ id }) => id === this.id);
      const rows = await loadFeedRows(this.id);
      // What was changed here meanwhile is not thrown away: keeping it tells of the other version.
      if (this.rows !== before.rows || this.columns !== before.columns) return;
      this.#know(feed);
      this.#kept = { columns: feed?.columns ?? [], rows };
      Object.assign(this, this.#kept);
      this.#before = [];
      this.#after = [];
      this.waits = false;
      this.problem = '';
      this.conflict = false;
      this.loading = 'ready';
      void this.media.load();
    } catch {
      this.loading = 'error';
    } finally {
      this.#busy -= 1;
    }
  }

  #know(feed: WindowFeed | undefined): void {
    if (!feed) return;
    this.#seen = feed.updatedAt;
    this.#feeds.take(feed);
  }

  // ---- changes
  // -----------------------------------------------------------------------------------------------------------

  valueAt({ row, column }: CellPlace): string {
    const { id } = this.columns[column] ?? { id: '' };
    return this.rows[row]?.values[id] ?? '';
  }

  /** The cells of a range, by lines. */
  valuesIn({ top, bottom, left, right }: CellRange): string[][] {
    const columns = this.columns.slice(left, right + 1);
    return this.rows
      .slice(top, bottom + 1)
      .map(({ values }) => columns.map(({ id }) => values[id] ?? ''));
  }

  /**
   * Writes lines of values from a cell on. Rows and columns that they need are made, as far as a feed may have them.
   * @returns how many values had no place
   */
  write({ row, column }: CellPlace, lines: readonly (readonly string[])[]): number {
    const width = lines.reduce((most, { length }) => Math.max(most, length), 0);
    const columns = [...this.columns];
    while (columns.length < Math.min(column + width, feedLimits.columns)) {
      columns.push({ id: crypto.randomUUID(), name: this.#newName(columns) });
    }
    const rows = [...this.rows];
    while (rows.length < Math.min(row + lines.length, feedLimits.rows)) rows.push(emptyRow());
    let lost = 0;
    for (const [down, line] of lines.entries()) {
      const old = rows[row + down];
      if (!old) {
        lost += line.length;
        continue;
      }
      const values = { ...old.values };
      for (const [right, value] of line.entries()) {
        const { id } = columns[column + right] ?? {};
        if (id === undefined) lost += 1;
        else values[id] = value;
      }
      rows[row + down] = { id: old.id, values };
    }
    this.#change({ columns, rows });
    return lost;
  }

  /** The file that a cell names; null: none. */
  fileAt({ row, column }: CellPlace): CellFile | null {
    const shown = this.columns[column];
    return this.media.fileIn(shown, this.rows[row]?.values[shown?.id ?? ''] ?? '');
  }

  /** What is known to be wrong with a row, the first thing; '' if nothing is. */
  problemIn(row: number): string {
    const found = this.columns.map((_, column) => this.fileAt({ row, column })?.problem ?? '');
    const [checked] = this.problems.get(this.rows[row]?.id ?? '') ?? [];
    return found.find((problem) => problem !== '') ?? (checked ? this.wordsOf(row, checked) : '');
  }

  /** What a check has found, with the cure where it is about a file. */
  wordsOf(row: number, { sentence, column: id, code }: RowProblem): string {
    const column = this.columns.findIndex((one) => one.id === id);
    const known = this.fileAt({ row, column })?.problem ?? '';
    if (known !== '') return known;
    return code === undefined || column < 0 ? sentence : say('feedFile.checked', { sentence });
  }

  /** What is known to be wrong with a cell; '' if nothing is. */
  problemAt({ row, column }: CellPlace): string {
    const id = this.columns[column]?.id;
    const checked = this.problems.get(this.rows[row]?.id ?? '')?.find((one) => one.column === id);
    const file = this.fileAt({ row, column })?.problem ?? '';
    return file === '' && checked ? this.wordsOf(row, checked) : file;
  }

  clear(range: CellRange): void {
    const gone = this.columns.slice(range.left, range.right + 1).map(({ id }) => id);
    this.#change({ columns: this.columns, rows: rowsCleared(this.rows, range, gone) });
  }

  get isFull(): boolean {
    return this.rows.length >= feedLimits.rows;
  }

  /** Puts an empty row before one; at the end with the number of rows. */
  addRow(at: number): void {
    if (!this.isFull)
      this.#change({ columns: this.columns, rows: this.rows.toSpliced(at, 0, emptyRow()) });
  }

  removeRows(top: number, bottom: number): void {
    this.#change({ columns: this.columns, rows: this.rows.toSpliced(top, bottom - top + 1) });
  }

  addColumn(name = this.#newName(this.columns)): void {
    if (this.columns.length >= feedLimits.columns) return;
    this.#change({
      rows: this.rows,
      columns: [...this.columns, { id: crypto.randomUUID(), name }],
    });
  }

  removeColumn(column: number): void {
    this.#change({ rows: this.rows, columns: this.columns.toSpliced(column, 1) });
  }

  /** Another name, or another modification that the values become. */
  setColumn(
    column: number,
    change: { readonly name?: string; readonly target?: string | null },
  ): void {
    const old = this.columns[column];
    if (!old) return;
    const target = change.target === undefined ? old.target : change.target;
    const set = {
      id: old.id,
      name: change.name ?? old.name,
      ...(typeof target === 'string' && { target }),
    };
    this.#change({ rows: this.rows, columns: this.columns.toSpliced(column, 1, set) });
  }

  #newName(columns: Columns): string {
    let count = columns.length + 1;
    const name = (): string => say('feed.column.new', { number: String(count) });
    while (columns.some((column) => column.name === name())) count += 1;
    return name();
  }

  #change(moment: Moment): void {
    this.#before = [...this.#before.slice(1 - mostSteps), this.#now()];
    this.#after = [];
    this.#show(moment);
  }

  /** @returns false when there is nothing to take back */
  undo(): boolean {
    const moment = this.#before.pop();
    if (!moment) return false;
    this.#after.push(this.#now());
    this.#show(moment);
    return true;
  }

  redo(): boolean {
    const moment = this.#after.pop();
    if (!moment) return false;
    this.#before.push(this.#now());
    this.#show(moment);
    return true;
  }

  #now(): Moment {
    return { columns: this.columns, rows: this.rows };
  }

  #show({ columns, rows }: Moment): void {
    this.problems = problemsByRow([]);
    this.columns = columns;
    this.rows = rows;
    this.waits = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), savePause);
  }

  // ---- keeping
  // -----------------------------------------------------------------------------------------------------------

  /** Maps the columns to a template anew, by their names. @throws RequestProblem */
  async setTemplate(template: string): Promise<void> {
    const columns = this.columns.map(({ id, name }) => ({ id, name }));
    await this.set({ template, columns });
  }

  /** Changes what is not in its rows; what waits is kept before. @throws RequestProblem */
  async set(change: FeedChange): Promise<void> {
    await this.save();
    const { columns } = this;
    this.#busy += 1;
    try {
      const feed = await call(feedRows.change, { params: { id: this.id }, body: change });
      this.#know(feed);
      this.problems = problemsByRow([]);
      if (change.columns) {
        this.#kept = { columns: feed.columns, rows: this.#kept.rows };
        this.columns =
          this.columns === columns
            ? feed.columns
            : changedMeanwhile(this.columns, columns, feed.columns);
      }
      void this.media.load();
    } finally {
      this.#busy -= 1;
    }
  }

  /**
   * The server tells that it is another version now: rows that someone else has stored are shown, if nothing waits
   * here.
   */
  notice({ updatedAt }: WindowFeed): void {
    const isOwn = this.#busy > 0 || this.#saving !== null || this.waits;
    if (this.loading === 'ready' && updatedAt > this.#seen && !isOwn) void this.load();
  }

  /** Keeps what is not kept yet. @returns when it is, or was refused: then `problem` or `conflict` says so */
  async save(): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#saving) await this.#saving;
    if (!this.waits || this.conflict) return;
    this.#saving = this.#store().finally(() => {
      this.#saving = null;
    });
    await this.#saving;
  }

  /** Keeps the rows of this window over those that are there. */
  async saveOver(): Promise<void> {
    try {
      const feed = (await call(feedRows.list)).find(({ id }) => id === this.id);
      this.#kept = { columns: feed?.columns ?? [], rows: await loadFeedRows(this.id) };
      this.#know(feed);
      this.conflict = false;
      this.problem = '';
    } catch (reason) {
      this.problem = reason instanceof Error ? reason.message : String(reason);
      return;
    }
    await this.save();
  }

  async #store(): Promise<void> {
    const moment = this.#now();
    const kept = this.#kept;
    try {
      // First what can be refused because someone else was there.
      if (moment.rows !== kept.rows) {
        this.#know(
          await call(feedRows.storeRows, {
            params: { id: this.id },
            query: { seen: this.#seen },
            body: { rows: changedRows(moment.rows, kept.rows) },
          }),
        );
        this.#kept = { columns: kept.columns, rows: moment.rows };
      }
      if (moment.columns !== kept.columns) {
        this.#know(
          await call(feedRows.change, {
            params: { id: this.id },
            body: { columns: moment.columns },
          }),
        );
      }
      this.#kept = moment;
      this.problem = '';
      this.waits = this.rows !== moment.rows || this.columns !== moment.columns;
      void this.media.load();
    } catch (reason) {
      this.conflict = reason instanceof RequestProblem && reason.status === 409;
      this.problem = reason instanceof Error ? reason.message : String(reason);
    }
  }
}

/** Columns as the server has them, with what was changed while it was asked. @param before what it was asked with */
function changedMeanwhile(now: Columns, before: Columns, answered: Columns): Columns {
  return now.map((column) =>
    before.includes(column) ? (answered.find(({ id }) => id === column.id) ?? column) : column,
  );
}

function emptyRow(): WindowFeedRow {
  return { id: crypto.randomUUID(), values: {} };
}
