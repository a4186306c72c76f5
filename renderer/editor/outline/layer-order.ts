/**
 * Layers of the outline at another depth: the order of the source, or tracks, whichever needs fewer changes; times stay
 * as they are. And which place of a list a pointer means. Pure.
 */
import type { Json } from '../../../shared/renderscript/source.ts';
import { noChange, pathAfter, textAfter, type Change } from '../timeline/change.ts';
import { onTracks, type Placed } from '../timeline/tracks.ts';
import type { OutlineItem } from './elements.ts';
import { frontFirst, paintedOrder, type Sibling, type SiblingGroup } from './sibling-order.ts';

/** A place in the depth of a list. */
export interface LayerPlace {
  /** E.g. `elements`. */
  readonly list: string;
  /** How many layers are in front of it. */
  readonly at: number;
}

/** A place that a pointer means, and how it is shown. */
export interface LayerDrop extends LayerPlace {
  /** A line above the row of this number, from 0; null: `into` is marked. */
  readonly line: number | null;
  /** Path of the composition that it would come into; '' for none. */
  readonly into: string;
  /** Of the rows beside the line. */
  readonly level: number;
}

/** The layers of a list, the front first: all elements of a track are one. Indexes in the list. */
export function layersOf({ siblings, order }: SiblingGroup): readonly (readonly number[])[] {
  const layers: number[][] = [];
  for (const index of order) {
    const last = layers.at(-1);
    const track = siblings[index]?.track ?? null;
    const isSame = track !== null && siblings[last?.[0] ?? -1]?.track === track;
    if (last && isSame) last.push(index);
    else layers.push([index]);
  }
  return layers;
}

/** The place of an element's layer among them, from 0. */
export const layerOf = ({ group, index }: OutlineItem): number =>
  layersOf(group).findIndex((layer) => layer.includes(index));

/**
 * The place that a pointer means; null for one inside of what is dragged.
 *
 * @param items The rows shown.
 * @param at Rows from the top, e.g. 2.5 in the middle of the third.
 * @param held Path of what is dragged.
 */
export function dropAt(items: readonly OutlineItem[], at: number, held: string): LayerDrop | null {
  const row = Math.max(0, Math.min(items.length - 1, Math.floor(at)));
  const item = items[row];
  if (!item || item.path === held || item.path.startsWith(`${held}.`)) return null;
  const share = Math.max(0, Math.min(1, at - row));
  const { list, level, path, group } = item;
  const inner = `${path}.elements`;
  if (item.type === 'composition') {
    const isOpen = items[row + 1]?.list === inner;
    if (isOpen && share >= 0.75)
      return { list: inner, at: 0, line: row + 1, into: '', level: level + 1 };
    if (share > 0.25 && share < 0.75) return { list: inner, at: 0, line: null, into: path, level };
  }
  // All of a track is one layer: only its edges are places.
  const layers = layersOf(group);
  const own = layerOf(item);
  const members = new Set((layers[own] ?? []).map((index) => `${list}[${index}]`));
  const belongs = ({ path: other }: OutlineItem): boolean =>
    [...members].some((member) => other === member || other.startsWith(`${member}.`));
  const first = items.findIndex(belongs);
  const end = items.findLastIndex(belongs) + 1;
  const isBelow = at > (first + end) / 2;
  return { list, at: isBelow ? own + 1 : own, line: isBelow ? end : first, into: '', level };
}

/** A document after a move, and the path of what moved. */
interface Reordered {
  readonly text: string;
  readonly path: string;
}

/**
 * Puts an element between two layers of its own list; one that shares its track leaves it.
 *
 * @param at As in `LayerPlace`, its own layer among those counted.
 * @returns the same text where it is there already; null where no order and no tracks do it
 */
export function reordered(
  text: string,
  placed: Placed,
  item: OutlineItem,
  at: number,
): Reordered | null {
  const { list, index, path, group } = item;
  const layers = layersOf(group);
  const own = layers.findIndex((layer) => layer.includes(index));
  const isShared = (layers[own]?.length ?? 0) > 1;
  if (!isShared && (at === own || at === own + 1)) return { text, path };
  const rest = layers.flatMap((layer, place) => {
    if (place !== own) return [layer];
    return isShared ? [layer.filter((one) => one !== index)] : [];
  });
  const place = !isShared && at > own ? at - 1 : at;
  const wanted = rest.toSpliced(place, 0, [index]);
  const change =
    inSource(group.siblings, list, index, wanted) ??
    onOtherTracks(group.siblings, placed, list, { index, wanted, before: layers });
  return change && { text: textAfter(text, [change]), path: pathAfter(path, change) };
}

/** An element without a track among the others of the source. */
function inSource(
  siblings: readonly Sibling[],
  list: string,
  from: number,
  wanted: readonly (readonly number[])[],
): Change | null {
  if (siblings[from]?.track !== null) return null;
  const places = siblings.map((_, index) => index);
  const shownThen = wanted.flat();
  const nearest = placesTried(places, from, shownThen).sort(
    (a, b) => near(from, a) - near(from, b),
  );
  for (const to of nearest) {
    const items = places.toSpliced(from, 1).toSpliced(to, 0, from);
    const moved = items.flatMap((index) => siblings[index] ?? []);
    const shown = shownOrder(moved).map((index) => items[index] ?? -1);
    if (!isSame(shown, shownThen)) continue;
    const [first, last] = [Math.min(from, to), Math.max(from, to) + 1];
    const order = { list, places: places.slice(first, last), items: items.slice(first, last) };
    return { ...noChange, order };
  }
  return null;
}

/** The places of the source at which an element may have its wanted neighbours. */
function placesTried(places: readonly number[], from: number, wanted: readonly number[]): number[] {
  const own = wanted.indexOf(from);
  // Its index once the element is taken out.
  const left = (index: number): number => (index > from ? index - 1 : index);
  const front = wanted[own - 1];
  const beneath = wanted[own + 1];
  const beside = [
    ...(front === undefined ? [places.length - 1] : [left(front), left(front) + 1]),
    ...(beneath === undefined ? [0] : [left(beneath), left(beneath) + 1]),
  ];
  return [...new Set(beside)].filter((to) => to !== from && to >= 0 && to < places.length);
}

const near = (one: number, other: number): number => Math.abs(one - other);

/** The same by tracks: a free one, those between passed on, or all in front one higher. */
function onOtherTracks(
  siblings: readonly Sibling[],
  placed: Placed,
  list: string,
  {
    index,
    wanted,
    before,
  }: {
    readonly index: number;
    readonly wanted: readonly (readonly number[])[];
    readonly before: readonly (readonly number[])[];
  },
): Change | null {
  const used = siblings.flatMap(({ track }) => track ?? []);
  const highest = Math.max(0, ...used.map(Math.ceil));
  const others = new Set(
    siblings.flatMap(({ track }, one) => (one === index ? [] : (track ?? []))),
  );
  const free = Array.from({ length: highest + 1 }, (_, count) => count + 1).filter(
    (track) => !others.has(track),
  );
  const alone = free.map((track) => new Map([[index, track]]));
  const trackOf = (layer: readonly number[] | undefined): number | null =>
    siblings[layer?.[0] ?? -1]?.track ?? null;
  // The layers stand in another order; the tracks stay where they are.
  const passed = new Map<number, number>();
  const isPassable =
    before.length === wanted.length && before.every((one) => trackOf(one) !== null);
  for (const [place, layer] of isPassable ? wanted.entries() : []) {
    const track = trackOf(before[place]);
    for (const one of layer) if (track !== siblings[one]?.track) passed.set(one, track ?? 1);
  }
  const own = wanted.findIndex((layer) => layer.includes(index) && layer.length === 1);
  const beneath = wanted.slice(own + 1).find((layer) => trackOf(layer) !== null);
  const track = Math.floor(trackOf(beneath) ?? 0) + 1;
  const raised = new Map([[index, track]]);
  for (const [one, sibling] of siblings.entries())
    if (one !== index && sibling.track !== null && sibling.track >= track)
      raised.set(one, sibling.track + 1);
  const found = [...alone, ...(isPassable ? [passed] : []), raised].find((tracks) => {
    const made = siblings.map((sibling, one) => ({
      ...sibling,
      track: tracks.get(one) ?? sibling.track,
    }));
    return isSame(shownOrder(made), wanted.flat());
  });
  if (!found) return null;
  const values: Record<string, Json> = {};
  for (const [one, to] of found) values[`${list}[${one}]`] = to;
  return onTracks(placed, values);
}

const shownOrder = (siblings: readonly Sibling[]): readonly number[] =>
  frontFirst(paintedOrder(siblings), siblings);

const isSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((index, place) => other[place] === index);
