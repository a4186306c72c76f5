/**
 * Music that makes way: how much quieter a sound is while others are heard. Pure; the compiler and the window use it,
 * which writes it into a document as keyframes of the volume.
 */
import type { CurvePoint } from './points.ts';

/** A time in which something is heard, in seconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** dB by which the window turns music down if its element doesn't say. */
export const usualDucking = 12;
/** Seconds in which the music goes before someone speaks, and comes back afterwards. */
const attack = 0.2;
const release = 0.6;
/** Between two that speak, music that would come back for less than this stays down. */
const leastReturn = 1;

/**
 * The factors of a sound over its time, as points joined by lines; none if nothing else is heard in it.
 *
 * @param spans Of the others, on the clock of the sound, in any order.
 * @param duration Seconds of the sound.
 * @param decibels How far it goes down.
 */
export function duckingLine(
  spans: readonly Span[],
  duration: number,
  decibels: number,
): readonly CurvePoint[] {
  const low = 10 ** (-decibels / 20);
  const times: { from: number; to: number }[] = [];
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    if (to <= 0 || from >= duration || to <= from) continue;
    const last = times.at(-1);
    if (last && from - last.to < attack + release + leastReturn) last.to = Math.max(last.to, to);
    else times.push({ from, to });
  }
  const line = times.flatMap(({ from, to }) => [
    { time: from - attack, value: 1 },
    { time: from, value: low },
    { time: to, value: low },
    { time: to + release, value: 1 },
  ]);
  if (line.length === 0) return [];
  const within = line.filter(({ time }) => time > 0 && time < duration);
  const edge = (time: number): CurvePoint => ({ time, value: factorAt(line, time) });
  return [edge(0), ...within, edge(duration)];
}

/** The value of a line at a moment; at a jump, the one after it. */
export function factorAt(line: readonly CurvePoint[], moment: number): number {
  const next = line.findIndex(({ time }) => time > moment);
  const after = line[next];
  const before = next < 0 ? line.at(-1) : line[next - 1];
  if (!before || !after) return (before ?? after)?.value ?? 1;
  const share = (moment - before.time) / (after.time - before.time);
  return before.value + (after.value - before.value) * share;
}

/** A line of loudness with the factors of another line; both are held before their first point and after their last. */
export function withFactors(
  volume: readonly CurvePoint[],
  factors: readonly CurvePoint[],
): readonly CurvePoint[] {
  if (factors.length === 0) return volume;
  const own = volume.map(({ time, value }) => ({ time, value: value * factorAt(factors, time) }));
  const added = factors
    .filter(({ time }) => volume.every((point) => point.time !== time))
    .map(({ time, value }) => ({ time, value: value * factorAt(volume, time) }));
  return [...own, ...added].sort((a, b) => a.time - b.time);
}
