/**
 * Loudness: `volume` and its keyframes as points, so that mixing needs no easing. Compile phase; pure.
 */
import type { Json, JsonObject } from '../../renderscript/source.ts';
import { parseAmount } from '../../renderscript/units.ts';
import { defaultEasing } from './clock.ts';
import { curveOf } from './keyframes.ts';
import { pointsOf, type CurvePoint } from './points.ts';

/**
 * The loudness of an element, 1 = 100 %: one point if constant.
 *
 * A number without a unit is a percentage too; above 100 % is louder than recorded, below 0 % is silent.
 *
 * @param duration Seconds of the element, for `end` and percent times of keyframes.
 */
export function loudnessOf(json: JsonObject, duration: number): CurvePoint[] {
  if (json.muted === true) return [{ time: 0, value: 0 }];
  const curve = curveOf(json.volume, 'number', volumeOf, { duration, easing: defaultEasing });
  if (!curve) return [{ time: 0, value: volumeOf(json.volume) }];
  // Overshooting easings must not invert a sound.
  const points = pointsOf(curve).map(({ time, value }) => ({ time, value: Math.max(0, value) }));
  const first = points[0]?.value;
  return points.every(({ value }) => value === first) ? points.slice(0, 1) : points;
}

function volumeOf(value: Json | undefined): number {
  return Math.max(0, parseAmount(value)?.value ?? 100) / 100;
}
