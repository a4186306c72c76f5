/** Gradients of the language while they are edited: their stops, and how they look on a bar. Pure. */
import { formatColor, parseColor, type Rgba } from '../../../shared/renderscript/color.ts';
import { isJsonObject, type Json } from '../../../shared/renderscript/source.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';
import { respelled } from '../canvas/length.ts';

/** One stop. */
export interface Stop {
  /** Its place in the list. */
  readonly index: number;
  /** Percent of the way. */
  readonly at: number;
  readonly color: string;
  /** As written. */
  readonly offset: Json | undefined;
}

/** The stops of a fill in the order of the list; null for a colour, and for lists that are no gradient. */
export function stopsOf(value: Json | undefined): readonly Stop[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const stops = (value as readonly Json[]).flatMap((stop, index): Stop[] => {
    if (!isJsonObject(stop) || typeof stop.color !== 'string') return [];
    const at = parseAmount(stop.offset)?.value;
    return at === undefined ? [] : [{ index, at, color: stop.color, offset: stop.offset }];
  });
  return stops.length === value.length ? stops : null;
}

/** The colour at a place, in percent. */
export function colorAt(stops: readonly Stop[], at: number): string {
  const sorted = stops.toSorted((a, b) => a.at - b.at);
  const next = sorted.find((stop) => stop.at >= at) ?? sorted.at(-1);
  const before = sorted.findLast((stop) => stop.at <= at) ?? sorted[0];
  const [from, to] = [before, next].map((stop) => parseColor(stop?.color));
  if (!before || !next || !from || !to) return '#000000';
  const share = next.at === before.at ? 0 : (at - before.at) / (next.at - before.at);
  const mixed = from.map((part, index) => part + ((to[index] ?? 0) - part) * share);
  const [red = 0, green = 0, blue = 0, alpha = 1] = mixed;
  return formatColor([red, green, blue, Number(alpha.toFixed(3))]);
}

/** Where a new stop goes: the middle of the widest gap behind one, or before the last one. */
export function roomFor(stops: readonly Stop[], behind: Stop): number {
  const sorted = stops.toSorted((a, b) => a.at - b.at);
  const place = sorted.indexOf(behind);
  const next = sorted[place + 1];
  const before = sorted[place - 1];
  if (next) return Math.round((behind.at + next.at) / 2);
  return before ? Math.round((before.at + behind.at) / 2) : 100;
}

/** The list with a new stop, by its place on the way. */
export function withStop(
  list: readonly Json[],
  stops: readonly Stop[],
  at: number,
): { readonly index: number; readonly stop: Json; readonly list: readonly Json[] } {
  const found = stops.findIndex((stop) => stop.at > at);
  const index = found < 0 ? stops.length : found;
  const stop = { offset: respelled(stops[0]?.offset ?? '', at, '%'), color: colorAt(stops, at) };
  return { index, stop, list: list.toSpliced(index, 0, stop) };
}

/** How far a stop may go: not beyond its neighbours. */
export function boundsOfStop(stops: readonly Stop[], index: number): readonly [number, number] {
  return [stops[index - 1]?.at ?? 0, stops[index + 1]?.at ?? 100];
}

/** An offset in its own spelling. */
export function offsetLike(before: Json | undefined, at: number): Json {
  return respelled(before ?? '', at, parseAmount(before)?.unit ?? '%', 1);
}

/** A colour as the beginning of a gradient that fades out of sight. */
export function gradientFrom(color: string): readonly Json[] {
  const [red, green, blue] = parseColor(color) ?? [0, 0, 0];
  const end: Rgba = [red, green, blue, 0];
  return [
    { offset: '0%', color },
    { offset: '100%', color: formatColor(end) },
  ];
}

/** The stops as a style of the page, from left to right. */
export function barOf(stops: readonly Stop[]): string {
  const sorted = stops.toSorted((a, b) => a.at - b.at);
  const parts = sorted.map(({ at, color }) => {
    const read = parseColor(color);
    return `${read ? formatColor(read) : 'transparent'} ${at}%`;
  });
  return `linear-gradient(90deg, ${parts.length === 1 ? `${parts[0]}, ${parts[0]}` : parts.join(', ')})`;
}
