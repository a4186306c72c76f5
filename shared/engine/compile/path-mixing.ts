/**
 * Interpolates paths, for keyframed `path`. Pure; called per frame through mixing.ts.
 *
 * Paths with the same letters mix number by number. Others are first made compatible: every segment becomes a cubic,
 * the shorter part's segments are divided until both have the same number, and a part without a partner grows from a
 * point.
 */
import type { PathCommand } from '../../renderscript/path.ts';
import type { Path } from './property-values.ts';

/** The path at a share of the way. At 0 and 1 it returns the given paths themselves. */
export function mixPaths(from: Path, to: Path, share: number): Path {
  if (from === to || share === 0) return from;
  if (share === 1) return to;
  const [start, end] = alike(from, to);
  return start.map((command, index) => mixCommands(command, end[index] ?? command, share));
}

function mixCommands(from: PathCommand, to: PathCommand, share: number): PathCommand {
  const numbers = to.slice(1);
  const mixed = from.slice(1).map((part, index) => {
    const goal = numbers[index];
    return typeof part === 'number' && typeof goal === 'number'
      ? part + (goal - part) * share
      : part;
  });
  // Letter and number of coordinates are unchanged, hence the tuple's shape.
  return [from[0], ...mixed] as unknown as PathCommand;
}

/** Cached compatible pairs, by their first path: morphs need the same pair in every frame. */
const known = new WeakMap<Path, { to: Path; pair: readonly [Path, Path] }>();

function alike(from: Path, to: Path): readonly [Path, Path] {
  if (from.length === to.length && from.every(([letter], index) => letter === to[index]?.[0]))
    return [from, to];
  const before = known.get(from);
  if (before?.to === to) return before.pair;
  const pair = makeAlike(from, to);
  known.set(from, { to, pair });
  return pair;
}

type Point = readonly [x: number, y: number];

/** A cubic without its start, which is the previous end. */
type Cubic = readonly [first: Point, second: Point, end: Point];

/** One stroke of the pen. */
interface Part {
  readonly start: Point;
  readonly cubics: readonly Cubic[];
  readonly closed: boolean;
}

function makeAlike(from: Path, to: Path): readonly [Path, Path] {
  const starts = partsOf(from);
  const ends = partsOf(to);
  const count = Math.max(starts.length, ends.length);
  const pairs = Array.from({ length: count }, (_, index): readonly [Part, Part] => {
    const start = starts[index];
    const end = ends[index];
    if (start && end) return evenOut(start, end);
    if (start) return evenOut(start, pointOf(start));
    return end ? evenOut(pointOf(end), end) : [emptyPart, emptyPart];
  });
  return [
    pairs.flatMap(([start]) => commandsOf(start)),
    pairs.flatMap(([, end]) => commandsOf(end)),
  ];
}

const emptyPart: Part = { start: [0, 0], cubics: [], closed: false };

/** The middle of a part, as a part of no size. */
function pointOf({ start, cubics, closed }: Part): Part {
  const points = [start, ...cubics.map(([, , end]) => end)];
  const x = points.reduce((sum, point) => sum + point[0], 0) / points.length;
  const y = points.reduce((sum, point) => sum + point[1], 0) / points.length;
  return { start: [x, y], cubics: [], closed };
}

function evenOut(from: Part, to: Part): readonly [Part, Part] {
  const count = Math.max(from.cubics.length, to.cubics.length);
  // A part is closed if it is closed in either path.
  const closed = from.closed || to.closed;
  return [
    { ...from, closed, cubics: divideInto(count, from) },
    { ...to, closed, cubics: divideInto(count, to) },
  ];
}

/** The same curve in `count` segments, divided as evenly as whole numbers allow. */
function divideInto(count: number, { start, cubics }: Part): Cubic[] {
  if (cubics.length === 0) return Array.from({ length: count }, (): Cubic => [start, start, start]);
  let pen = start;
  return cubics.flatMap((cubic, index) => {
    const pieces =
      Math.floor(((index + 1) * count) / cubics.length) -
      Math.floor((index * count) / cubics.length);
    const divided = divide(pen, cubic, pieces);
    pen = cubic[2];
    return divided;
  });
}

/** Cuts equal shares off the front of a cubic (de Casteljau). */
function divide(start: Point, cubic: Cubic, pieces: number): Cubic[] {
  const divided: Cubic[] = [];
  let pen = start;
  let rest = cubic;
  for (let left = pieces; left > 1; left--) {
    const share = 1 / left;
    const a = between(pen, rest[0], share);
    const b = between(rest[0], rest[1], share);
    const c = between(rest[1], rest[2], share);
    const ab = between(a, b, share);
    const bc = between(b, c, share);
    const cut = between(ab, bc, share);
    divided.push([a, ab, cut]);
    pen = cut;
    rest = [bc, c, rest[2]];
  }
  return [...divided, rest];
}

function between(from: Point, to: Point, share: number): Point {
  return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share];
}

/** Cuts a path into its parts, every segment a cubic. A closing line that has a length becomes a segment too. */
function partsOf(path: Path): Part[] {
  const parts: { start: Point; cubics: Cubic[]; closed: boolean }[] = [];
  let pen: Point = [0, 0];
  const part = (): { start: Point; cubics: Cubic[]; closed: boolean } => {
    const last = parts.at(-1);
    if (last && !last.closed) return last;
    const next = { start: last?.start ?? pen, cubics: [], closed: false };
    parts.push(next);
    return next;
  };
  for (const command of path) {
    switch (command[0]) {
      case 'M':
        pen = [command[1], command[2]];
        parts.push({ start: pen, cubics: [], closed: false });
        break;
      case 'L': {
        const end: Point = [command[1], command[2]];
        part().cubics.push(line(pen, end));
        pen = end;
        break;
      }
      case 'Q': {
        const control: Point = [command[1], command[2]];
        const end: Point = [command[3], command[4]];
        part().cubics.push([between(pen, control, 2 / 3), between(end, control, 2 / 3), end]);
        pen = end;
        break;
      }
      case 'C':
        part().cubics.push([
          [command[1], command[2]],
          [command[3], command[4]],
          [command[5], command[6]],
        ]);
        pen = [command[5], command[6]];
        break;
      case 'Z': {
        const current = part();
        if (pen[0] !== current.start[0] || pen[1] !== current.start[1])
          current.cubics.push(line(pen, current.start));
        current.closed = true;
        pen = current.start;
        break;
      }
    }
  }
  return parts;
}

function line(from: Point, to: Point): Cubic {
  return [between(from, to, 1 / 3), between(from, to, 2 / 3), to];
}

function commandsOf({ start, cubics, closed }: Part): PathCommand[] {
  const drawn = cubics.map(([first, second, end]): PathCommand => [
    'C',
    ...first,
    ...second,
    ...end,
  ]);
  const commands: PathCommand[] = [['M', ...start], ...drawn];
  return closed ? [...commands, ['Z']] : commands;
}
