/** Points to which an element is bent, as the inspector shows and makes them. Pure. */
import { isJsonObject, type Json } from '../../../shared/renderscript/source.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';
import { respelled } from '../canvas/length.ts';

/** A point in percent of the box. */
export interface WarpPlace {
  readonly x: number;
  readonly y: number;
}

/** How many points a grid made here has on each side. */
export const gridSizes = [2, 3, 4] as const;

/** The points of rows that are written, all in percent; null for what is no grid, or has other units. */
export function warpPlaces(value: Json | undefined): readonly (readonly WarpPlace[])[] | null {
  if (!Array.isArray(value) || value.length < 2) return null;
  const rows = (value as readonly Json[]).map((row) =>
    Array.isArray(row) ? (row as readonly Json[]).map(placeOf) : [],
  );
  const width = rows[0]?.length ?? 0;
  const isGrid = width >= 2 && rows.every((row) => row.length === width && !row.includes(null));
  // `as`: no row has a hole.
  return isGrid ? (rows as (readonly WarpPlace[])[]) : null;
}

function placeOf(point: Json): WarpPlace | null {
  if (!isJsonObject(point)) return null;
  const [x, y] = [parseAmount(point.x), parseAmount(point.y)];
  const isShare = (unit: string | undefined): boolean => unit === '%' || unit === '';
  return x && y && isShare(x.unit) && isShare(y.unit) ? { x: x.value, y: y.value } : null;
}

/** A grid of points that bends nothing. */
export function flatWarp(size: number): Json {
  const share = (index: number): string => `${Number(((index / (size - 1)) * 100).toFixed(2))}%`;
  return Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (__, column) => ({ x: share(column), y: share(row) })),
  );
}

/** The values of a point that is moved, by their paths inside the property. */
export function movedPoint(
  value: Json | undefined,
  row: number,
  column: number,
  to: WarpPlace,
): Readonly<Record<string, Json>> {
  const line = Array.isArray(value) ? (value as readonly Json[])[row] : undefined;
  const point = Array.isArray(line) ? (line as readonly Json[])[column] : undefined;
  if (!isJsonObject(point)) return {};
  const spelled = (before: Json | undefined, number: number): Json =>
    respelled(before, number, parseAmount(before)?.unit ?? '%', 2);
  const at = `[${row}][${column}]`;
  return { [`${at}.x`]: spelled(point.x, to.x), [`${at}.y`]: spelled(point.y, to.y) };
}
