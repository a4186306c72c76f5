/**
 * Playing speed: converts an element's time to its file's time, and back. Used by the schedule (lengths), by layout
 * (frames) and by sound. Pure arithmetic.
 *
 * A changing speed is a list of points joined by straight lines, so that the played time is a sum of trapezoids: exact
 * at every moment, wherever counting starts.
 */
import type { Json } from '../../renderscript/source.ts';
import { parseAmount } from '../../renderscript/units.ts';
import { defaultEasing } from './clock.ts';
import { curveOf } from './keyframes.ts';
import { pointsOf, type CurvePoint } from './points.ts';
import type { MediaClip } from './timeline.ts';

/** The lowest speed, 1 = as recorded; the property's own limit. Overshooting easings must not run backwards. */
const slowest = 0.01;

/**
 * Reads `speed`: one number, or points for keyframes that differ.
 *
 * @param duration Seconds of the element, for `end` and percent times of keyframes.
 */
export function speedOf(value: Json | undefined, duration: number): number | CurvePoint[] {
  const read = (single: Json | undefined): number => {
    const speed = (parseAmount(single)?.value ?? 100) / 100;
    return speed > 0 ? Math.max(slowest, speed) : 1;
  };
  const curve = curveOf(value, 'number', read, { duration, easing: defaultEasing });
  if (!curve) return read(value);
  const points = pointsOf(curve).map(({ time, value: speed }) => ({
    time,
    value: Math.max(slowest, speed),
  }));
  const first = points[0]?.value ?? 1;
  return points.every((point) => point.value === first) ? first : points;
}

type Speeds = Pick<MediaClip, 'speed' | 'speeds'>;

/** Seconds of the file played after `time` seconds of the element; loops are not folded. */
export function playedAt({ speed, speeds }: Speeds, time: number): number {
  if (!speeds) return time * speed;
  const stretch = lastWhere(stretchesOf(speeds), ({ start }) => start < time);
  if (!stretch) return 0;
  const seconds = Math.min(time, stretch.end) - stretch.start;
  return stretch.before + seconds * (stretch.from + 0.5 * slope(stretch) * seconds);
}

/** The element's time, in seconds, when `played` seconds of the file have played. */
export function timePlayed({ speed, speeds }: Speeds, played: number): number {
  if (!speeds) return played / speed;
  const stretches = stretchesOf(speeds);
  const stretch = lastWhere(stretches, ({ before }) => before < played) ?? stretches[0];
  if (!stretch) return 0;
  const { from, start, before } = stretch;
  const left = played - before;
  const bend = slope(stretch);
  // left = from·s + bend·s²/2; solved without subtracting similar numbers.
  return start + (2 * left) / (from + Math.sqrt(Math.max(0, from * from + 2 * bend * left)));
}

/** Speed at `time` seconds of the element; 1 = as recorded. */
export function speedAt({ speed, speeds }: Speeds, time: number): number {
  if (!speeds) return speed;
  const stretch = lastWhere(stretchesOf(speeds), ({ start }) => start <= time);
  if (!stretch) return speed;
  return stretch.from + slope(stretch) * (Math.min(time, stretch.end) - stretch.start);
}

/** The last entry of the leading part for which `holds` is true; null = none. */
function lastWhere<T>(list: readonly T[], holds: (entry: T) => boolean): T | null {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = list[middle];
    if (entry !== undefined && holds(entry)) low = middle + 1;
    else high = middle;
  }
  return list[low - 1] ?? null;
}

interface Stretch {
  /** Seconds; the last one has no end. */
  readonly start: number;
  readonly end: number;
  /** Speed at both. */
  readonly from: number;
  readonly to: number;
  /** Seconds of the file played before it. */
  readonly before: number;
}

/** Needed for every frame and every few samples of sound, so made once. */
const known = new WeakMap<readonly CurvePoint[], readonly Stretch[]>();

function stretchesOf(points: readonly CurvePoint[]): readonly Stretch[] {
  let list = known.get(points);
  if (!list) {
    let before = 0;
    list = Array.from(cutAtPoints(points), (stretch): Stretch => {
      const counted = { ...stretch, before };
      const seconds = stretch.end - stretch.start;
      before += seconds * (stretch.from + 0.5 * slope(stretch) * seconds);
      return counted;
    });
    known.set(points, list);
  }
  return list;
}

function slope({ start, end, from, to }: Omit<Stretch, 'before'>): number {
  return from === to || end === Infinity ? 0 : (to - from) / (end - start);
}

/** The time from 0 on, split at the points. */
function* cutAtPoints(points: readonly CurvePoint[]): Generator<Omit<Stretch, 'before'>> {
  let [start, from] = [0, points[0]?.value ?? 1];
  let before = { time: -Infinity, value: from };
  for (const point of points) {
    // A point before the start only defines the line through 0.
    if (point.time <= 0) {
      from = point.value;
    } else {
      if (start === 0 && before.time > -Infinity && before.time < 0) {
        from =
          before.value + ((point.value - before.value) * -before.time) / (point.time - before.time);
      }
      if (point.time > start) yield { start, end: point.time, from, to: point.value };
      [start, from] = [point.time, point.value];
    }
    before = point;
  }
  yield { start, end: Infinity, from, to: from };
}
