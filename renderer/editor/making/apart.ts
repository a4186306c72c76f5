/**
 * Keeps apart in another format what stood apart before: what an element is moved by, and how much smaller it gets,
 * from where the engine placed all elements in both formats. What lies on something else (a title on its panel) stays
 * with it. Pure.
 */
import type { StandingElement, StandingMoment } from '../../../shared/engine/layout/standing.ts';
import { enclosing, intersection, type Rect } from '../../../shared/engine/geometry.ts';

/** What becomes of an element beside the usual change of format. */
export interface Correction {
  /** Pixels of its room in the new format. */
  readonly x: number;
  readonly y: number;
  /** Of its sides and letters; 1: as large as usual. */
  readonly factor: number;
}

/** Corrections by the paths of elements. */
export type Corrections = ReadonlyMap<string, Correction>;

/** Pixels by which edges may differ: layout rounds. */
const tolerance = 1;
/** Shares: of an element that lies on another one for both to move as one; of a room from which something fills it. */
const lies = { on: 0.9, over: 0.9 };
/** Share of the room's smaller side that is kept free between what is moved. */
const gap = 0.025;
/** How often all are pushed, how much smaller they get each time that isn't enough, and how small at most. */
const pushing = { rounds: 120, shrinks: 0.92, least: 0.3 };
/** Elements of one room, and of all, beyond which nothing is corrected there: in a room each is held against each. */
const most = { inRoom: 110, inAll: 600 };

type Axis = 'x' | 'y';
const axes = ['x', 'y'] as const;
const sides = { x: 'width', y: 'height' } as const;

/** Elements of one room that move as one. */
interface Cluster {
  readonly paths: readonly string[];
  /** Where it stands at each moment, before and after; null where it does not show. */
  readonly before: readonly (Rect | null)[];
  readonly after: readonly (Rect | null)[];
  /** It lay within its room, which it must not leave. */
  readonly isInside: boolean;
  x: number;
  y: number;
  factor: number;
}

/** Two clusters that stood apart. */
interface Pair {
  readonly first: Cluster;
  readonly second: Cluster;
  readonly moment: number;
  /** Along which they did, and which way the second one lay: 1 behind the first, -1 before it. */
  readonly ways: readonly { readonly axis: Axis; readonly sign: 1 | -1 }[];
}

/** What a document in another format does that it did not do before. */
export interface Examined {
  /** How many pairs lie over each other that did not before, or left their room: what corrections make smaller. */
  readonly collisions: number;
  /** All of it was held against each other; false: there is too much for that. */
  readonly isWhole: boolean;
  /** The next corrections; null if there is nothing to correct. @param last Those that the document was made with. */
  readonly corrected: (last: Corrections) => Corrections | null;
}

/**
 * Holds a document in two formats against each other.
 *
 * @param before In the old format, moment by moment.
 * @param after In the new one; the same moments.
 */
export function examine(
  before: readonly StandingMoment[],
  after: readonly StandingMoment[],
): Examined {
  if (before.length !== after.length)
    return { collisions: 0, isWhole: false, corrected: () => null };
  const parents = new Set(before.flat().map((one) => one.parent));
  const isTooMuch = new Set(before.flat().map(({ path }) => path)).size > most.inAll;
  let isWhole = !isTooMuch;
  const rooms = (isTooMuch ? [] : [...parents]).flatMap((parent) => {
    const room = after.flat().find((one) => one.parent === parent)?.room;
    const clusters = clustersIn(parent, before, after);
    if (!clusters) isWhole = false;
    return room && clusters ? [{ room, clusters, pairs: pairsOf(clusters, before.length) }] : [];
  });
  const collisions = rooms.reduce((count, { room, clusters, pairs }) => {
    const over = pairs.filter((pair) => overlapOf(pair, 0) > 0);
    const gone = clusters.filter((one) => axes.some((axis) => leaves(one, axis, room) !== 0));
    return count + over.length + gone.length;
  }, 0);
  return {
    collisions,
    isWhole,
    corrected(last) {
      const next = new Map(last);
      for (const { room, clusters, pairs } of rooms) {
        push(clusters, pairs, room);
        for (const cluster of clusters) correct(cluster, after, last, next);
      }
      return next.size === last.size && [...next].every(([path, one]) => last.get(path) === one)
        ? null
        : next;
    },
  };
}

/** Takes over what a cluster was moved by, and how much smaller it got. */
function correct(
  { paths, after: areas, x, y, factor }: Cluster,
  after: readonly StandingMoment[],
  last: Corrections,
  next: Map<string, Correction>,
): void {
  if (Math.abs(x) < 0.5 && Math.abs(y) < 0.5 && factor === 1) return;
  const middle = middleOf(enclosing(areas.filter((area) => area !== null)));
  for (const path of paths) {
    const was = last.get(path) ?? { x: 0, y: 0, factor: 1 };
    const own = areaOf(path, after);
    const at = own ? middleOf(own) : middle;
    next.set(path, {
      x: was.x + x + (factor - 1) * (at.x - middle.x),
      y: was.y + y + (factor - 1) * (at.y - middle.y),
      factor: was.factor * factor,
    });
  }
}

const middleOf = ({ x, y, width, height }: Rect): { x: number; y: number } => ({
  x: x + width / 2,
  y: y + height / 2,
});

function areaOf(path: string, moments: readonly StandingMoment[]): Rect | null {
  for (const moment of moments) {
    const found = moment.find((one) => one.path === path);
    if (found) return found.area;
  }
  return null;
}

const surface = ({ width, height }: Rect): number => Math.max(0, width) * Math.max(0, height);

const liesOn = (one: Rect, other: Rect): boolean =>
  surface(intersection(one, other)) >= lies.on * Math.max(1, surface(one));

/** Something that all stands on, such as a photo over the whole frame. */
const isGround = ({ area, room }: StandingElement): boolean =>
  area.width >= room.width * lies.over && area.height >= room.height * lies.over;

function clustersIn(
  parent: string,
  before: readonly StandingMoment[],
  after: readonly StandingMoment[],
): readonly Cluster[] | null {
  const rooms = before.map((moment) => moment.filter((one) => one.parent === parent));
  const grounds = new Set(
    rooms
      .flat()
      .filter(isGround)
      .map(({ path }) => path),
  );
  const paths = [...new Set(rooms.flat().map(({ path }) => path))].filter(
    (path) => !grounds.has(path),
  );
  if (paths.length > most.inRoom) return null;
  const leader = new Map(paths.map((path) => [path, path]));
  const find = (path: string): string => {
    const next = leader.get(path) ?? path;
    return next === path ? path : find(next);
  };
  for (const moment of rooms) {
    const shown = moment.filter(({ path }) => !grounds.has(path));
    for (const [index, one] of shown.entries())
      for (const other of shown.slice(index + 1))
        if (liesOn(one.area, other.area) || liesOn(other.area, one.area))
          leader.set(find(one.path), find(other.path));
  }
  const together = new Map<string, string[]>();
  for (const path of paths) {
    const members = together.get(find(path)) ?? [];
    together.set(find(path), [...members, path]);
  }
  return [...together.values()].map((members): Cluster => {
    const own = new Set(members);
    const around = (moment: StandingMoment): Rect | null => {
      const areas = moment.filter(({ path }) => own.has(path)).map(({ area }) => area);
      return areas.length > 0 ? enclosing(areas) : null;
    };
    const areas = before.map(around);
    const [room] = rooms.flat().map((one) => one.room);
    return {
      paths: members,
      before: areas,
      after: after.map(around),
      isInside: areas.every(
        (area) => area === null || (room !== undefined && isWithin(area, room)),
      ),
      x: 0,
      y: 0,
      factor: 1,
    };
  });
}

const isWithin = ({ x, y, width, height }: Rect, room: StandingElement['room']): boolean =>
  x >= -tolerance &&
  y >= -tolerance &&
  x + width <= room.width + tolerance &&
  y + height <= room.height + tolerance;

function pairsOf(clusters: readonly Cluster[], moments: number): readonly Pair[] {
  const pairs: Pair[] = [];
  const known = new Set<string>();
  for (const [index, first] of clusters.entries()) {
    for (const second of clusters.slice(index + 1)) {
      for (let moment = 0; moment < moments; moment++) {
        const [one, other] = [first.before[moment], second.before[moment]];
        if (!one || !other) continue;
        // What rests is the same pair at every moment.
        const then = [first.after[moment], second.after[moment]];
        const key = JSON.stringify([index, second.paths[0], one, other, then]);
        if (known.has(key)) continue;
        known.add(key);
        const ways = axes.flatMap((axis): Pair['ways'] => {
          const side = sides[axis];
          if (one[axis] + one[side] <= other[axis] + tolerance) return [{ axis, sign: 1 }];
          if (other[axis] + other[side] <= one[axis] + tolerance) return [{ axis, sign: -1 }];
          return [];
        });
        if (ways.length > 0) pairs.push({ first, second, moment, ways });
      }
    }
  }
  return pairs;
}

/** Where a cluster stands with what it is moved by. */
function standing(cluster: Cluster, moment: number): Rect | null {
  const area = cluster.after[moment];
  if (!area) return null;
  const { x, y, factor } = cluster;
  const [width, height] = [area.width * factor, area.height * factor];
  return {
    x: area.x + x + (area.width - width) / 2,
    y: area.y + y + (area.height - height) / 2,
    width,
    height,
  };
}

/** By how many pixels two lie over each other, along the axis where that is least; at most 0: not at all. */
function overlapOf(pair: Pair, free: number): number {
  const { one, other } = bothOf(pair);
  if (!one || !other) return 0;
  const along = (axis: Axis): number => {
    const side = sides[axis];
    const ends = Math.min(one[axis] + one[side], other[axis] + other[side]);
    return ends - Math.max(one[axis], other[axis]);
  };
  return Math.min(along('x'), along('y')) - tolerance + free;
}

const bothOf = ({ first, second, moment }: Pair): { one: Rect | null; other: Rect | null } => ({
  one: standing(first, moment),
  other: standing(second, moment),
});

/** Pixels by which a cluster left its room along an axis, and must go back: negative to the beginning. */
function leaves(cluster: Cluster, axis: Axis, room: StandingElement['room']): number {
  if (!cluster.isInside) return 0;
  let by = 0;
  for (const moment of cluster.after.keys()) {
    const area = standing(cluster, moment);
    if (!area) continue;
    const [start, end] = [area[axis], area[axis] + area[sides[axis]]];
    const most = room[sides[axis]];
    // Larger than its room, it stands in the middle.
    if (end - start > most + tolerance) return most / 2 - (start + end) / 2;
    if (start < -tolerance) by = -start;
    else if (end > most + tolerance) by = most - end;
  }
  return by;
}

/** Moves what lies over something else, and makes it smaller where there is no room. */
function push(
  clusters: readonly Cluster[],
  pairs: readonly Pair[],
  room: StandingElement['room'],
): void {
  const free = gap * Math.min(room.width, room.height);
  for (;;) {
    for (let round = 0; round < pushing.rounds; round++) {
      let isMoved = false;
      for (const pair of pairs) isMoved = pushPair(pair, room, free) || isMoved;
      for (const cluster of clusters) {
        for (const axis of axes) {
          const by = leaves(cluster, axis, room);
          if (Math.abs(by) < 0.01) continue;
          cluster[axis] += by;
          isMoved = true;
        }
      }
      if (!isMoved) return;
    }
    // There is no room for all of it. What is in the way of something gets smaller.
    const crowded = pairs.filter((pair) => overlapOf(pair, 0) > 0);
    const large = new Set([
      ...crowded.flatMap(({ first, second }) => [first, second]),
      ...clusters.filter((cluster) => cluster.isInside && isLarger(cluster, room)),
    ]);
    const shrinking = [...large].filter(({ factor }) => factor > pushing.least);
    if (shrinking.length === 0) return;
    for (const one of shrinking) one.factor *= pushing.shrinks;
  }
}

/** It doesn't fit its room at some moment. */
const isLarger = (cluster: Cluster, room: StandingElement['room']): boolean =>
  [...cluster.after.keys()].some((moment) => {
    const area = standing(cluster, moment);
    return area !== null && axes.some((axis) => area[sides[axis]] > room[sides[axis]] + tolerance);
  });

/** @returns whether they were moved */
function pushPair(pair: Pair, room: StandingElement['room'], free: number): boolean {
  if (overlapOf(pair, 0) <= 0) return false;
  const { one, other } = bothOf(pair);
  if (!one || !other) return false;
  const needed = pair.ways.map(({ axis, sign }) => {
    const side = sides[axis];
    const by =
      sign > 0 ? one[axis] + one[side] - other[axis] : other[axis] + other[side] - one[axis];
    const hasRoom = one[side] + other[side] + free <= room[side];
    return { axis, sign, by: by + free, hasRoom };
  });
  const [best] = needed.sort((a, b) => Number(b.hasRoom) - Number(a.hasRoom) || a.by - b.by);
  if (!best) return false;
  const { axis, sign, by } = best;
  pair.first[axis] -= (sign * by) / 2;
  pair.second[axis] += (sign * by) / 2;
  return true;
}
