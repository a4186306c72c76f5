/**
 * The columns of the list of renders: a table of all of them, and their choice, order and widths. Pure. The box for
 * ticks, which is always first, and the button of the menu, which is always last, are no columns.
 */
import type { WindowRender } from '../../shared/api.ts';
import { clockTime, exactDay, relativeTime, shortId } from '../ui/format.ts';
import { say, type MessageKey } from '../ui/say.ts';

/** The name of a column; preferences store these names. */
export type ColumnName =
  | 'preview'
  | 'name'
  | 'status'
  | 'output'
  | 'created'
  | 'id'
  | 'project'
  | 'started'
  | 'duration'
  | 'speed'
  | 'attempts'
  | 'webhook'
  | 'expires';

/** A cell's text, and its moment if it shows one (ms since 1970), for the tooltip and for screen readers. */
export interface CellText {
  readonly text: string;
  readonly moment?: number;
}

interface ColumnRow {
  readonly name: ColumnName;
  readonly title: MessageKey & `queue.column.${string}`;
  /** Pixels: usual, least and most. */
  readonly width: number;
  readonly least: number;
  readonly most: number;
  /** Pixels in compact rows, where they are others. */
  readonly compactWidth?: number;
  /** Shown by default. */
  readonly isUsual?: true;
  /** The words of the cell; the row draws the cells without. */
  readonly cell?: (render: WindowRender, now: number, project: string) => CellText;
}

const momentCell = (moment: number | undefined, now: number): CellText =>
  moment === undefined ? { text: '' } : { text: relativeTime(moment, now), moment };

const table: readonly ColumnRow[] = [
  {
    name: 'preview',
    title: 'queue.column.preview',
    isUsual: true,
    width: 64,
    least: 40,
    most: 96,
    compactWidth: 44,
  },
  { name: 'name', title: 'queue.column.name', isUsual: true, width: 240, least: 130, most: 2000 },
  {
    name: 'status',
    title: 'queue.column.status',
    isUsual: true,
    width: 304,
    least: 190,
    most: 560,
  },
  {
    name: 'output',
    title: 'queue.column.output',
    isUsual: true,
    width: 156,
    least: 134,
    most: 300,
  },
  {
    name: 'created',
    title: 'queue.column.created',
    isUsual: true,
    width: 96,
    least: 84,
    most: 200,
    cell: ({ createdAt }, now) => momentCell(createdAt, now),
  },
  {
    name: 'id',
    title: 'queue.column.id',
    width: 84,
    least: 72,
    most: 320,
    cell: ({ id }) => ({ text: shortId(id) }),
  },
  {
    name: 'project',
    title: 'queue.column.project',
    width: 110,
    least: 70,
    most: 300,
    cell: (_render, _now, project) => ({ text: project }),
  },
  {
    name: 'started',
    title: 'queue.column.started',
    width: 92,
    least: 84,
    most: 200,
    cell: ({ startedAt }, now) => momentCell(startedAt, now),
  },
  {
    name: 'duration',
    title: 'queue.column.duration',
    width: 70,
    least: 60,
    most: 160,
    cell: ({ startedAt, finishedAt }) => ({
      text:
        startedAt === undefined || finishedAt === undefined
          ? ''
          : clockTime((finishedAt - startedAt) / 1000),
    }),
  },
  {
    name: 'speed',
    title: 'queue.column.speed',
    width: 70,
    least: 60,
    most: 160,
    cell: (render) => ({ text: speedOf(render) }),
  },
  {
    name: 'attempts',
    title: 'queue.column.attempts',
    width: 76,
    least: 70,
    most: 160,
    cell: ({ attempts }) => ({ text: attempts === 0 ? '' : String(attempts) }),
  },
  {
    name: 'webhook',
    title: 'queue.column.webhook',
    width: 150,
    least: 80,
    most: 480,
    cell: ({ record }) => ({ text: record.webhook_url?.replace(/^https?:\/\//, '') ?? '' }),
  },
  {
    name: 'expires',
    title: 'queue.column.expires',
    width: 104,
    least: 88,
    most: 200,
    cell: ({ expiresAt, kept }) =>
      kept ? { text: say('detail.kept') } : { text: exactDay(expiresAt), moment: expiresAt },
  },
];

/** Frames per second of drawing: now, or over the whole of a finished render; '' while it is not known. */
function speedOf({ record, startedAt, finishedAt, progress }: WindowRender): string {
  if (progress?.framesPerSecond !== undefined) return `${Math.round(progress.framesPerSecond)}/s`;
  const { frame_rate: rate, duration } = record;
  const seconds = ((finishedAt ?? 0) - (startedAt ?? 0)) / 1000;
  if (rate === undefined || duration === undefined || seconds <= 0) return '';
  return `${Math.round((rate * duration) / seconds)}/s`;
}

export interface Column extends Omit<ColumnRow, 'title'> {
  readonly title: string;
}

// These words have no holes, which the type of a chosen key can't tell.
const titleOf = say as (key: ColumnRow['title']) => string;

export const columns: readonly Column[] = table.map((row) => ({
  ...row,
  title: titleOf(row.title),
}));

/** The names of the default columns, in their order. */
export const usualColumns: readonly ColumnName[] = table
  .filter(({ isUsual }) => isUsual)
  .map(({ name }) => name);

export function columnOf(wanted: ColumnName): Column {
  const column = columns.find(({ name }) => name === wanted);
  if (!column) throw new Error(`There is no column ${wanted}.`);
  return column;
}

/**
 * The columns that are remembered as shown, in their order: unknown and doubled names are passed over. The name is
 * always one of them; a list without it holds what was added to the usual ones.
 */
export function readColumns(remembered: readonly string[]): readonly ColumnName[] {
  const known = readColumnNames(remembered);
  return known.includes('name') ? known : [...new Set([...usualColumns, ...known])];
}

/** The names among some texts, each once. */
function readColumnNames(texts: readonly string[]): readonly ColumnName[] {
  return [...new Set(texts)].filter((one): one is ColumnName =>
    table.some(({ name }) => name === one),
  );
}

/** Hides a column, or shows it again: in front of the first one that comes after it in the table. */
export function toggledColumn(
  shown: readonly ColumnName[],
  name: ColumnName,
): readonly ColumnName[] {
  if (name === 'name') return shown;
  if (shown.includes(name)) return shown.filter((one) => one !== name);
  const place = (one: ColumnName): number => table.findIndex((row) => row.name === one);
  const next = shown.findIndex((one) => place(one) > place(name));
  return next < 0 ? [...shown, name] : shown.toSpliced(next, 0, name);
}

/** Moves a column to a place of the list, counted without itself; places outside the list are clamped. */
export function movedColumn(
  shown: readonly ColumnName[],
  name: ColumnName,
  place: number,
): readonly ColumnName[] {
  const others = shown.filter((one) => one !== name);
  return others.toSpliced(Math.max(0, Math.min(others.length, place)), 0, name);
}

/** Pixels besides the columns: the tick, the menu button, and the gap between two cells. */
const tickWidth = 28;
const menuWidth = 34;
/** Of the two buttons that come beside it under the pointer. */
const quickWidth = 72;
export const columnGap = 12;

/** A column as it is drawn. */
export interface DrawnColumn extends Column {
  /** Pixels that it has. */
  readonly size: number;
  /** The most that it can have without pushing another one out. */
  readonly roomiest: number;
}

export interface FittedColumns {
  readonly drawn: readonly DrawnColumn[];
  /** Chosen, but there is no room for them. */
  readonly leftOut: readonly ColumnName[];
  /** For `grid-template-columns`: the tick, the columns, the button. */
  readonly template: string;
}

/** Widths that were given by hand, in pixels, the latest one last. */
export type ColumnWidths = Readonly<Partial<Record<ColumnName, number>>>;

/** Gives a column a width; null restores the default. */
export function resizedColumn(
  widths: ColumnWidths,
  name: ColumnName,
  size: number | null,
): ColumnWidths {
  const { least, most } = columnOf(name);
  const others: ColumnWidths = Object.fromEntries(
    Object.entries(widths).filter(([one]) => one !== name),
  );
  if (size === null) return others;
  return { ...others, [name]: Math.round(Math.max(least, Math.min(most, size))) };
}

/**
 * Makes the chosen columns fit. The name takes what is left, unless it was given a width. Where there is too little
 * room they become narrower: first those without a width of their own, then the others, the one that was changed last
 * at the end. When that is not enough, the last columns are left out, but never the name and the status.
 *
 * @param room pixels of a row between its edges
 */
export function fitColumns(
  shown: readonly ColumnName[],
  widths: ColumnWidths,
  room: number,
  isCompact: boolean,
): FittedColumns {
  const free = room - tickWidth - menuWidth - columnGap;
  const kept = keptColumns(shown.map(columnOf), free);
  const sizes = Object.fromEntries(
    kept.map(({ name, width, compactWidth, least, most }) => {
      const usual = isCompact ? (compactWidth ?? width) : width;
      return [name, Math.max(least, Math.min(most, widths[name] ?? usual))];
    }),
  );
  const given = readColumnNames(Object.keys(widths));
  const groups = [
    kept.filter(({ name }) => widths[name] === undefined),
    ...given.map((one) => kept.filter(({ name }) => name === one)),
  ];
  for (const group of groups) narrow(sizes, group, total(Object.values(sizes)) - free);
  const left = Math.max(0, free - total(Object.values(sizes)));
  // What is left first keeps the last column clear of the buttons of a row.
  const quick = Math.min(left, quickWidth);
  if (widths.name === undefined) sizes['name'] = (sizes['name'] ?? 0) + left - quick;

  const slack = Math.max(0, free - total(kept.map(({ least }) => least)));
  const drawn = kept.map((column) => {
    const size = sizes[column.name] ?? column.width;
    return {
      ...column,
      size,
      roomiest: Math.max(size, Math.min(column.most, column.least + slack)),
    };
  });
  return {
    drawn,
    leftOut: shown.filter((name) => !kept.some((column) => column.name === name)),
    template: [
      `${tickWidth}px`,
      ...drawn.map(({ size }) => `${size}px`),
      // The space that a name with a width of its own leaves is before the button.
      `minmax(${menuWidth + quick}px, 1fr)`,
    ].join(' '),
  };
}

/** Widths with the gap behind each. */
const total = (sizes: readonly number[]): number =>
  sizes.reduce((sum, size) => sum + size + columnGap, 0);

/** Leaves out the last columns until the rest has room, however narrow. */
function keptColumns(chosen: readonly Column[], free: number): readonly Column[] {
  let kept = chosen;
  while (total(kept.map(({ least }) => least)) > free) {
    const last = kept.findLast(({ name }) => name !== 'name' && name !== 'status');
    if (!last) break;
    kept = kept.filter((column) => column !== last);
  }
  return kept;
}

/** The widths that the left one of two neighbours can have, when its edge is moved and the right one takes the rest. */
export function edgeRange(
  drawn: readonly DrawnColumn[],
  index: number,
): { readonly least: number; readonly most: number } | null {
  const left = drawn[index];
  const right = drawn[index + 1];
  if (!left || !right) return null;
  const sum = left.size + right.size;
  return {
    least: Math.max(left.least, sum - Math.max(right.most, right.size)),
    most: Math.min(Math.max(left.most, left.size), sum - right.least),
  };
}

/**
 * Moves the edge between two neighbours: both are given widths, so that all others stay as they are. A name without a
 * width of its own stays without.
 */
export function movedEdge(
  widths: ColumnWidths,
  drawn: readonly DrawnColumn[],
  index: number,
  size: number,
): ColumnWidths {
  const range = edgeRange(drawn, index);
  if (!range) return widths;
  const [left, right] = drawn.slice(index, index + 2);
  const next = Math.max(range.least, Math.min(range.most, Math.round(size)));
  const sizes = [
    [left, next],
    [right, (left?.size ?? 0) + (right?.size ?? 0) - next],
  ] as const;
  return sizes.reduce<ColumnWidths>(
    (kept, [column, width]) =>
      column && (column.name !== 'name' || widths.name !== undefined)
        ? resizedColumn(kept, column.name, width)
        : kept,
    widths,
  );
}

/** Takes `over` pixels from some columns, from each in the proportion of what it can spare. */
function narrow(sizes: Record<string, number>, group: readonly Column[], over: number): void {
  if (over <= 0) return;
  const spareOf = ({ name, least }: Column): number => (sizes[name] ?? least) - least;
  const spare = group.reduce((sum, column) => sum + spareOf(column), 0);
  const share = spare === 0 ? 0 : Math.min(1, over / spare);
  for (const column of group) {
    sizes[column.name] = Math.floor(column.least + spareOf(column) * (1 - share));
  }
}
