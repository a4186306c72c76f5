/**
 * Charts: a group with a plot, in which each value is a group of its label, its number and what shows it. All is plain
 * RenderScript: the values are the numbers that are read, and writing others moves what shows them, with its animation.
 * What kind it is, is told by how its parts stand, not by names, which people change. Pure.
 */
import { numberIn } from '../../../shared/engine/compile/text-counter.ts';
import { takeName } from '../../../shared/free-name.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/renderscript/source.ts';

/** A value of a chart. */
export interface ChartRow {
  /** null: it has none. */
  readonly label: string | null;
  /** As it is read, e.g. `72%` or `€ 1,200`. */
  readonly value: string;
  /** Which of the values so far it is, or is made like. */
  readonly from: number;
}

/** What the inspector shows of a chart. */
export interface Chart {
  readonly rows: readonly ChartRow[];
  /** Others can be added. */
  readonly grows: boolean;
}

/** Values at most. */
export const mostRows = 16;

/** Colours that stand apart from each other, and from most accents, on a dark panel. */
export const chartColors = ['#f2b134', '#3fc1a5', '#ef6f6c', '#b9a5ff', '#5cb8ff', '#f58fc0'];

interface Item {
  readonly element: JsonObject;
  readonly label: JsonObject | null;
  readonly number: JsonObject;
  /** What shows the value; null: the item itself does. */
  readonly measure: JsonObject | null;
  /** Percent of the height that the greatest value takes: a number above it needs room, too. */
  readonly reach: number;
}

/** Where an item stands among the others. */
interface Spot {
  readonly index: number;
  readonly count: number;
  /** Of the whole, 0–1. */
  readonly share: number;
  /** Shares before it. */
  readonly before: number;
}

interface Kind {
  /** A share of all values together, or of the greatest. */
  readonly whole: 'sum' | 'most';
  /** The part of an item that shows its value; undefined: it is of another kind. */
  readonly find: (item: JsonObject, parts: readonly JsonObject[]) => JsonObject | undefined;
  readonly place: (spot: Spot, item: Item) => JsonObject;
  readonly measure?: (spot: Spot, item: Item, measure: JsonObject) => JsonObject;
  readonly number?: (spot: Spot, item: Item) => JsonObject;
}

const listIn = (element: JsonObject): readonly JsonObject[] =>
  Array.isArray(element.elements)
    ? (element.elements as readonly Json[]).filter((one) => isJsonObject(one))
    : [];
const allIn = (element: JsonObject): readonly JsonObject[] =>
  listIn(element).flatMap((part) => [part, ...allIn(part)]);

const keysOf = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly Json[]).filter((one) => isJsonObject(one)) : [];
const textIn = ({ text }: JsonObject): string => (typeof text === 'string' ? text : '');
const isPercent = (value: Json | undefined): boolean => {
  const last = keysOf(value).at(-1)?.value ?? value;
  return typeof last === 'string' && last.endsWith('%');
};
const percent = (share: number): string => `${Math.round(share * 10_000) / 100}%`;
/** A value, or keyframes between two. */
function moved(value: Json | undefined, from: string, to: string): Json {
  const keys = keysOf(value);
  return keys.length === 0
    ? to
    : keys.map((key, index) => {
        if (index === keys.length - 1) return { ...key, value: to };
        return index === 0 ? { ...key, value: from } : key;
      });
}

const across = ({ index, count }: Spot): JsonObject => ({
  x: percent((index + 0.5) / count),
  width: percent(1 / count),
});
const top = ({ share }: Spot, { reach }: Item): string => percent(1 - (share * reach) / 100);
const above = (spot: Spot, item: Item): JsonObject =>
  item.reach < 100 ? { y: top(spot, item) } : {};
const isShape = ({ type }: JsonObject): boolean => type === 'shape';

/** THE TABLE of kinds; the first whose parts are there is the one. */
const kinds = {
  /** A line from point to point, and the area below it. */
  line: {
    whole: 'most',
    find: (_, parts) => parts.find((part) => isShape(part) && part.aspect_ratio === 1),
    place: across,
    measure: (spot, item) => ({ y: top(spot, item) }),
    number: above,
  },
  /** Side by side, together as long as the whole. */
  stack: {
    whole: 'sum',
    find: (item) => (item.x_anchor === '0%' && isPercent(item.width) ? item : undefined),
    place: ({ share, before }) => ({ x: percent(before), width: percent(share) }),
  },
  ring: {
    whole: 'sum',
    find: (_, parts) => parts.find((part) => isShape(part) && part.stroke_end !== undefined),
    place: () => ({}),
    measure: ({ share, before }, _, { stroke_end: end }) => ({
      stroke_start: percent(before),
      stroke_end: moved(end, percent(before), percent(before + share)),
    }),
  },
  columns: {
    whole: 'most',
    find: (_, parts) =>
      parts.find((part) => isShape(part) && part.y_anchor === '100%' && isPercent(part.height)),
    place: across,
    measure: ({ share }, { reach }, { height }) => ({
      height: moved(height, '0%', percent((share * reach) / 100)),
    }),
    number: above,
  },
  bars: {
    whole: 'most',
    find: (_, parts) =>
      parts.find((part) => isShape(part) && part.x_anchor === '0%' && isPercent(part.width)),
    place: ({ index, count }) => ({
      y: percent((index + 0.5) / count),
      height: percent(1 / count),
    }),
    measure: ({ share }, _, { width }) => ({ width: moved(width, '0%', percent(share)) }),
  },
} as const satisfies Readonly<Record<string, Kind>>;

interface Plot {
  readonly kind: keyof typeof kinds;
  readonly items: readonly Item[];
  readonly grows: boolean;
}

/** Room above the greatest value for its number, in percent. */
const withNumber = 80;

function itemIn(element: JsonObject, { find }: Kind): Item | null {
  if (element.type !== 'composition') return null;
  const parts = allIn(element);
  const texts = parts.filter(({ type, text }) => type === 'text' && typeof text === 'string');
  const number = texts.findLast((text) => numberIn(textIn(text)) !== null);
  const measure = find(element, parts);
  if (!number || !measure) return null;
  const beside = [element, ...parts].find((part) => listIn(part).includes(measure));
  return {
    element,
    number,
    label: texts.find((text) => text !== number) ?? null,
    measure: measure === element ? null : measure,
    reach: beside && listIn(beside).includes(number) ? withNumber : 100,
  };
}

function plotIn(plot: JsonObject): Plot | null {
  if (plot.type !== 'composition') return null;
  const parts = listIn(plot);
  const hasLine = parts.some((part) => isShape(part) && part.path !== undefined);
  // `as`: the keys of the table.
  const ids = Object.keys(kinds) as readonly (keyof typeof kinds)[];
  for (const kind of ids.filter((id) => (id === 'line') === hasLine)) {
    const items = parts.flatMap((part) => itemIn(part, kinds[kind]) ?? []);
    // A single ring has its number in the middle: another value would lie on it.
    const grows = kind !== 'ring' || listIn(items[0]?.element ?? {}).some(isRow);
    if (items.length > 0) return { kind, items, grows };
  }
  return null;
}

const isRow = ({ type }: JsonObject): boolean => type === 'composition';

/** An element with other values of it and of what is in it. */
function patched(element: JsonObject, patches: ReadonlyMap<JsonObject, JsonObject>): JsonObject {
  const elements = listIn(element).map((part) => patched(part, patches));
  return {
    ...element,
    ...patches.get(element),
    ...(element.elements !== undefined && { elements }),
  };
}

/** A plot whose parts show the numbers that are written in it. */
export function arranged(plot: JsonObject): JsonObject {
  const found = plotIn(plot);
  if (!found) return plot;
  const { items, grows } = found;
  const kind: Kind = kinds[found.kind];
  const texts = items.map(({ number }) => textIn(number));
  const values = texts.map((text) => Math.max(0, numberIn(text) ?? 0));
  const most = Math.max(...values);
  const arePercent = texts.every((text) => text.trim().endsWith('%')) && most <= 100;
  const sum = values.reduce((total, value) => total + value, 0);
  const whole =
    kind.whole === 'sum' ? (grows ? sum : Math.max(100, most)) : arePercent ? 100 : most;
  const shares = values.map((value) => (whole > 0 ? value / whole : 0));
  const patches = new Map<JsonObject, JsonObject>();
  let before = 0;
  for (const [index, item] of items.entries()) {
    const spot = { index, count: items.length, share: shares[index] ?? 0, before };
    before += spot.share;
    patches.set(item.element, kind.place(spot, item));
    if (item.measure) patches.set(item.measure, kind.measure?.(spot, item, item.measure) ?? {});
    patches.set(item.number, kind.number?.(spot, item) ?? {});
    const row = found.kind === 'ring' && listIn(item.element).find(isRow);
    // The rows of a ring's legend stand in the middle of its height.
    const step = Math.min(0.2, 1 / items.length);
    if (row) patches.set(row, { y: percent(0.5 + (index - (items.length - 1) / 2) * step) });
  }
  const reach = items[0]?.reach ?? 100;
  for (const part of found.kind === 'line' ? listIn(plot) : [])
    if (typeof part.path === 'string')
      patches.set(part, { path: linePath(shares, reach, part.path) });
  return patched(plot, patches);
}

/** From value to value; round and closed as the line so far. */
function linePath(shares: readonly number[], reach: number, like: string): string {
  const round = (value: number): number => Math.round(value * 100) / 100;
  const points = shares.map(
    (share, index) =>
      [round(((index + 0.5) / shares.length) * 100), round(100 - share * reach)] as const,
  );
  const line = points.map(([x, y], index) => {
    const [lastX, lastY] = points[index - 1] ?? [x, y];
    if (index === 0) return `M ${x} ${y}`;
    const middle = round((lastX + x) / 2);
    return like.includes('C') ? `C ${middle} ${lastY} ${middle} ${y} ${x} ${y}` : `L ${x} ${y}`;
  });
  const [first = [0, 0], last = first] = [points[0], points.at(-1)];
  const below = like.includes('Z') ? [`L ${last[0]} 100 L ${first[0]} 100 Z`] : [];
  return [...line, ...below].join(' ');
}

/** The values of a chart; null for any other element. */
export function chartIn(element: JsonObject | null): Chart | null {
  for (const part of element ? listIn(element) : []) {
    const plot = plotIn(part);
    if (!plot) continue;
    const rows = plot.items.map(({ label, number }, from) => ({
      label: label ? textIn(label) : null,
      value: textIn(number),
      from,
    }));
    return { rows, grows: plot.grows };
  }
  return null;
}

/**
 * A chart with other values.
 *
 * @param names Names in the document: new parts get others, which are added.
 */
export function withChartRows(
  element: JsonObject,
  rows: readonly ChartRow[],
  names: Set<string>,
): JsonObject {
  const parts = listIn(element);
  const plot = parts.find((part) => plotIn(part) !== null);
  const found = plot && plotIn(plot);
  if (!plot || !found) return element;
  const { items } = found;
  const used = new Set<number>();
  const made = rows.slice(0, mostRows).flatMap(({ label, value, from }): JsonObject[] => {
    const item = items[from];
    if (!item) return [];
    const own = patched(
      item.element,
      new Map([
        [item.number, { text: value }],
        ...(item.label && label !== null ? [[item.label, { text: label }] as const] : []),
      ]),
    );
    if (!used.has(from)) {
      used.add(from);
      return [own];
    }
    return [named(recolored(own, item, items, used.size), names)];
  });
  const whole = new Set(items.map((item) => item.element));
  const others = listIn(plot).filter((part) => !whole.has(part));
  const plotted = arranged({ ...plot, elements: [...others, ...made] });
  return { ...element, elements: parts.map((part) => (part === plot ? plotted : part)) };
}

/** All that has a name gets a free one. */
function named(element: JsonObject, names: Set<string>): JsonObject {
  const own = typeof element.name === 'string' && { name: takeName(element.name, names) };
  const parts = listIn(element).map((part) => named(part, names));
  return { ...element, ...own, ...(element.elements !== undefined && { elements: parts }) };
}

const colorOf = ({ measure, element }: Item): Json | undefined => {
  const shape = measure ?? allIn(element).find(isShape);
  return shape?.stroke_color ?? shape?.fill_color;
};

/** Where each value has a colour of its own, a new one has one that no other has. */
function recolored(
  made: JsonObject,
  like: Item,
  items: readonly Item[],
  index: number,
): JsonObject {
  const colors = new Set(items.map(colorOf));
  const color = colorOf(like);
  if (items.length < 2 || colors.size < items.length || typeof color !== 'string') return made;
  const next =
    chartColors.find((one) => !colors.has(one)) ?? chartColors[index % chartColors.length];
  const text = JSON.stringify(made).replaceAll(JSON.stringify(color), JSON.stringify(next));
  // `as`: an object with other colours.
  return JSON.parse(text) as JsonObject;
}

/** Cells of a line that was copied out of a table, or written with commas: spaces follow those between values. */
const cells = (line: string): readonly string[] =>
  line.split(line.includes('\t') ? '\t' : /;\s*|,\s+/).map((cell) => cell.trim());

/**
 * Values that were pasted: a line each, with its label before it; or all in one line, as `12, 30, 45`.
 *
 * @returns null: it is a single value.
 */
export function pastedRows(text: string, { rows, grows }: Chart): readonly ChartRow[] | null {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const [only = ''] = lines;
  const isList = lines.length === 1 && cells(only).every((cell) => numberIn(cell) !== null);
  const table = isList ? cells(only).map((cell) => [cell]) : lines.map(cells);
  if (table.length < 2) return null;
  return table.slice(0, grows ? mostRows : rows.length).flatMap((line, index) => {
    const value = line.findLast((cell) => numberIn(cell) !== null);
    const [first = ''] = line;
    const from = Math.min(index, rows.length - 1);
    const label = line.length > 1 && first !== value ? first : (rows[index]?.label ?? '');
    return value === undefined ? [] : [{ label, value, from }];
  });
}
