/**
 * Keyframes: builds curves at compile time, evaluates them per frame. Pure.
 *
 * Layout calls `valuesAt` for every visible element in every frame; it must stay cheap and return the same object while
 * nothing changes.
 */
import { keyframesOf } from '../../renderscript/keyframes.ts';
import type { Json } from '../../renderscript/source.ts';
import { easingOr, momentIn } from './clock.ts';
import { ease } from './easing.ts';
import { mixers } from './mixing.ts';
import type { Easing } from '../../renderscript/easing.ts';
import type { Animated, Curve, Keyframe } from './property-values.ts';

/** What building a curve needs. */
export interface CurveContext {
  /** Seconds of the element, for `end` and percent times. */
  readonly duration: number;
  /** Easing of keyframes without one, or with an unknown one: [Note: Default easing] in clock.ts. */
  readonly easing: Easing;
}

/**
 * The curve of a property's keyframes, or null if the value is no list of keyframes. Keys are sorted by time; of two at
 * the same time, the later one in the list wins from then on. `read` settles one value; invalid times count as 0.
 */
export function curveOf<T>(
  value: Json | undefined,
  mix: Curve<T>['mix'],
  read: (value: Json) => T,
  context: CurveContext,
): Curve<T> | null {
  const raw = keyframesOf(value);
  if (raw === null) return null;
  const keys = raw.map((key): Keyframe<T> => ({
    time: momentIn(key.time, context.duration) ?? 0,
    value: read(key.value),
    easing: easingOr(key.easing, context.easing),
  }));
  // Array.sort is stable, so keys at the same time keep their order.
  return { mix, keys: keys.sort((a, b) => a.time - b.time) };
}

/** The last result for each element, so that a held or finished curve returns the same object frame after frame. */
const lastAnswers = new WeakMap<object, object>();

/**
 * Property values at a moment of the element's clock.
 *
 * @returns `values.base` itself while no curve changes anything, else the last returned object while every value is the
 * same; so `===` shows whether anything changed.
 */
export function valuesAt<P extends object>(values: Animated<P>, time: number): P {
  const { base, curves } = values;
  let changed: Partial<P> | null = null;
  for (const name in curves) {
    const curve = curves[name];
    if (!curve) continue;
    const value = valueAt(curve, time);
    if (value === base[name] || value === curve.keys[0]?.value) continue;
    changed ??= {};
    changed[name] = value;
  }
  if (changed === null) return base;
  const last = lastAnswers.get(values);
  // Stored results for `values` were made below, from the same base.
  if (last && agrees(last as P, base, curves, changed)) return last as P;
  const answer: P = { ...base, ...changed };
  lastAnswers.set(values, answer);
  return answer;
}

function agrees<P extends object>(
  last: P,
  base: P,
  curves: Animated<P>['curves'],
  changed: Partial<P>,
): boolean {
  for (const name in curves) {
    if (last[name] !== (name in changed ? changed[name] : base[name])) return false;
  }
  return true;
}

/** One property at a moment: held before the first and after the last key, mixed in between. */
function valueAt<T>({ mix, keys }: Curve<T>, time: number): T {
  const first = keys[0];
  if (!first) throw new Error('a curve without keys can have no value');
  // The first key after the moment.
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle]?.time ?? Infinity) > time) high = middle;
    else low = middle + 1;
  }
  const from = keys[low - 1] ?? first;
  const key = keys[low];
  if (!key || time <= from.time) return from.value;
  // The easing belongs to the key where the segment ends.
  const share = ease(key.easing, (time - from.time) / (key.time - from.time));
  // A mixer returns the kind of value that it gets; see mixing.ts.
  return mixers[mix](from.value, key.value, share) as T;
}
