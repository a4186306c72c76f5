/**
 * Speed of play: how far a file is after some time of its element, and the other way round. Used by the schedule
 * (lengths), by layout (frames) and by sound. Pure arithmetic.
 *
 * A speed that changes is a list of points joined by straight lines, so that what was played is a sum of trapezoids,
 * exact at every moment and the same wherever one begins to count.
 */
import type { Json } from '../../../shared/renderscript/source.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';
import { defaultEasing } from './clock.ts';
import { curveOf } from './keyframes.ts';
import { pointsOf, type CurvePoint } from './points.ts';
import type { MediaClip } from './timeline.ts';

/** Slowest play, 1 = as recorded; the property's own limit. Easings that overshoot must not run backwards. */
const slowest = 0.01;

/**
 * What `speed` says: one number, or points when it has keyframes that differ.
 *
 * @param duration Seconds that `end` and percent times of keyframes mean.
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

/** Seconds of the file that have played when the element is `time` seconds old; loops are not folded. */
export function playedAt({ speed, speeds }: Speeds, time: number): number {
  if (!speeds) return time * speed;
  let played = 0;
  for (const { from, to, start, end } of stretches(speeds)) {
    const seconds = Math.min(time, end) - start;
    if (seconds <= 0) break;
    played += seconds * (from + 0.5 * slope({ from, to, start, end }) * seconds);
  }
  return played;
}

/** The element's age, seconds, when `played` seconds of the file have played. */
export function timePlayed({ speed, speeds }: Speeds, played: number): number {
  if (!speeds) return played / speed;
  let left = played;
  for (const stretch of stretches(speeds)) {
    const { from, to, start, end } = stretch;
    const whole = (end - start) * 0.5 * (from + to);
    if (end < Infinity && left > whole) {
      left -= whole;
      continue;
    }
    const bend = slope(stretch);
    // left = from·s + bend·s²/2; the form without a difference of like numbers.
    return start + (2 * left) / (from + Math.sqrt(Math.max(0, from * from + 2 * bend * left)));
  }
  return 0;
}

/** Speed when the element is `time` seconds old; 1 = as recorded. */
export function speedAt({ speed, speeds }: Speeds, time: number): number {
  if (!speeds) return speed;
  let found = speed;
  for (const stretch of stretches(speeds)) {
    if (stretch.start > time) break;
    found = stretch.from + slope(stretch) * (Math.min(time, stretch.end) - stretch.start);
  }
  return found;
}

interface Stretch {
  /** Seconds; the last one has no end. */
  readonly start: number;
  readonly end: number;
  /** Speed at both. */
  readonly from: number;
  readonly to: number;
}

function slope({ start, end, from, to }: Stretch): number {
  return from === to || end === Infinity ? 0 : (to - from) / (end - start);
}

/** The clock from 0 on, cut at the points. */
function* stretches(points: readonly CurvePoint[]): Generator<Stretch> {
  let [start, from] = [0, points[0]?.value ?? 1];
  let before = { time: -Infinity, value: from };
  for (const point of points) {
    // A point before the element begins only says where the line through 0 comes from.
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
