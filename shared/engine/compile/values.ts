/**
 * Settles JSON values: `"50%"` becomes a Length or 0.5, `"3 vmin"` pixels, `"#f00"` numbers, and every absent property
 * gets its default. Compile phase; pure.
 *
 * Driven by the property table: a property's rule says how to settle its value, so a new row needs nothing here unless
 * its notation is unusual (see `readings`).
 */
import { parseColor } from '../../renderscript/color.ts';
import { keyframesOf } from '../../renderscript/keyframes.ts';
import { parsePath } from '../../renderscript/path.ts';
import {
  defaultOf,
  properties,
  propertiesOf,
  type Property,
  type PropertyOwner,
} from '../../renderscript/properties.ts';
import { choiceExpectation, expectation, type Rule } from '../../renderscript/rules.ts';
import { isJsonObject, type Json, type JsonObject } from '../../renderscript/source.ts';
import { parseAmount } from '../../renderscript/units.ts';
import { RenderError } from '../errors.ts';
import { defaultEasing } from './clock.ts';
import { curveOf } from './keyframes.ts';
import type { Animated, Color, Curve, GradientStop, Length, WarpPoint } from './property-values.ts';

/** Document pixels of 1 % of the document's sides; vw and vh refer to the document even in nested compositions. */
export interface Units {
  readonly vw: number;
  readonly vh: number;
  readonly vmin: number;
  readonly vmax: number;
}

/** The last answer: what is kept by it is so for the next document of the same size, too. */
let lastUnits: { readonly width: number; readonly height: number; readonly units: Units } | null =
  null;

/** The units of a document of this size; the same object for sizes in a row that are equal. */
export function unitsOf(width: number, height: number): Units {
  if (lastUnits?.width !== width || lastUnits.height !== height)
    lastUnits = { width, height, units: settledUnits(width, height) };
  return lastUnits.units;
}

function settledUnits(width: number, height: number): Units {
  return {
    vw: width / 100,
    vh: height / 100,
    vmin: Math.min(width, height) / 100,
    vmax: Math.max(width, height) / 100,
  };
}

/** The place of a value, for messages. */
export interface Place {
  /** e.g. `elements[2]`; empty for the document. */
  readonly path: string;
  /** The element's name for people, e.g. `Text 3`; empty for the document. */
  readonly name: string;
}

/** The error for a value that can't be read. Validation comes first, so it is rare. */
export function unreadable({ path, name }: Place, property: string, message: string): RenderError {
  const sentence = [name, property].filter((part) => part !== '').join('.');
  return new RenderError('invalid_source', `Source error: ${sentence}: ${message}`, {
    path: [path, property].filter((part) => part !== '').join('.'),
  });
}

/**
 * A property that is one of a few words.
 *
 * @throws RenderError `invalid_source` for any other value.
 */
export function readWord<W extends string | null>(
  json: JsonObject,
  owner: PropertyOwner,
  place: Place,
  name: string,
  words: readonly W[],
): W {
  const value = json[name] ?? defaultOf(owner, name);
  const word = words.find((known) => known === value);
  if (word !== undefined) return word;
  const known: readonly string[] = words.filter((one) => one !== null);
  throw unreadable(place, name, choiceExpectation(known, value).message);
}

/**
 * Settles every property of an element that later phases read.
 *
 * @typeParam P - the values of the element type `owner`; the names in property-values.ts are those of the table.
 * @throws RenderError `invalid_source` for a value that breaks its property's rule.
 */
export function readValues<P>(
  element: JsonObject,
  owner: PropertyOwner,
  place: Place,
  context: { readonly units: Units; readonly duration: number },
): Animated<P> {
  const base: Record<string, unknown> = { ...defaultsOf(owner, context.units) };
  const curves: Record<string, Curve<unknown>> = {};
  for (const { name, key, row } of paintedProperties(owner)) {
    const value = element[name];
    if (value === undefined) continue;
    const read = (single: Json): unknown =>
      settleProperty(owner, row, single, context.units, place);
    const curve = row.keyframable
      ? curveOf(value, mixOf(row), read, { duration: context.duration, easing: defaultEasing })
      : null;
    if (curve) curves[key] = curve;
    base[key] = curve?.keys[0] ? curve.keys[0].value : read(value);
  }
  if (impliesGradient(element)) base.fillMode = 'linear';
  // The table and the types in property-values.ts name the same properties; test/engine/compile.test.ts keeps them in
  // step.
  return { base, curves } as unknown as Animated<P>;
}

/**
 * Real documents use colour stops without a `fill_mode`; that can only mean a gradient, and linear is the usual one.
 */
function impliesGradient({ fill_mode: mode, fill_color: color }: JsonObject): boolean {
  if (mode !== undefined && mode !== null) return false;
  const first = keyframesOf(color)?.[0]?.value ?? color;
  return Array.isArray(first) && first.length > 0;
}

/** True if a property ends up in an element's values, and nowhere else but for `visible`. */
export function isPainted({ use }: Property): boolean {
  return use !== 'read' && use !== 'summed';
}

/** A property that ends up in an element's values. */
interface PaintedProperty {
  readonly name: string;
  /** The name in property-values.ts. */
  readonly key: string;
  readonly row: Property;
}

const painted = new Map<PropertyOwner, readonly PaintedProperty[]>();

function paintedProperties(owner: PropertyOwner): readonly PaintedProperty[] {
  let rows = painted.get(owner);
  if (!rows) {
    rows = propertiesOf(owner)
      .filter(([, row]) => isPainted(row))
      .map(([name, row]) => ({ name, key: camelCase(name), row }));
    painted.set(owner, rows);
  }
  return rows;
}

/** The value names of all properties for which a fact in the table is true. */
export function valueNames(holds: (row: Property) => boolean): ReadonlySet<string> {
  return new Set(properties.filter(holds).map(({ name }) => camelCase(name)));
}

/** `fill_x0` → `fillX0`. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Settled defaults, cached per document size and element type: most properties of most elements are absent. */
const settledDefaults = new WeakMap<Units, Map<PropertyOwner, Readonly<Record<string, unknown>>>>();

function defaultsOf(owner: PropertyOwner, units: Units): Readonly<Record<string, unknown>> {
  const known =
    settledDefaults.get(units) ?? new Map<PropertyOwner, Readonly<Record<string, unknown>>>();
  settledDefaults.set(units, known);
  let defaults = known.get(owner);
  if (!defaults) {
    const place = { path: '', name: `default of ${owner}` };
    defaults = Object.fromEntries(
      paintedProperties(owner).map(({ name, key, row }) => [
        key,
        settleProperty(owner, row, defaultOf(owner, name), units, place),
      ]),
    );
    known.set(owner, defaults);
  }
  return defaults;
}

/** How to settle values whose notation differs from their rule. */
interface Reading {
  readonly mix?: Curve<unknown>['mix'];
  /** Turns the settled value into the one of property-values.ts. */
  readonly finish?: (settled: unknown) => unknown;
}

const weights: Readonly<Record<string, number>> = { normal: 400, bold: 700 };

const readings: Readonly<Record<NonNullable<Property['reading']>, Reading>> = {
  pixels: { mix: 'number', finish: (length) => (isLength(length) ? length.px : length) },
  weight: { finish: (weight) => (typeof weight === 'string' ? (weights[weight] ?? 400) : weight) },
  // 1000 % is one em: the language's percentages of letter spacing are divided by ten.
  tenth: { finish: (share) => (typeof share === 'number' ? share / 10 : share) },
  rank: { mix: 'step' },
};

function settleProperty(
  owner: PropertyOwner,
  row: Property,
  value: Json,
  units: Units,
  place: Place,
): unknown {
  if (value === null && row.nullIsDefault) {
    const fallback = defaultOf(owner, row.name);
    return fallback === null ? null : settleProperty(owner, row, fallback, units, place);
  }
  const problem = expectation(row.rule, value);
  if (problem) throw unreadable(place, row.name, problem.message);
  const settled = settle(row.rule, value, units);
  const finish = row.reading && readings[row.reading].finish;
  return finish ? finish(settled) : settled;
}

/** How keyframes of a property are mixed. */
function mixOf({ reading, rule }: Property): Curve<unknown>['mix'] {
  const own = reading && readings[reading].mix;
  if (own) return own;
  switch (rule.kind) {
    case 'number':
      return isLengthRule(rule) ? 'length' : 'number';
    case 'color':
    case 'fill':
    case 'path':
    case 'warp':
      return rule.kind;
    default:
      return 'step';
  }
}

/**
 * Settles a value that keeps its rule: lengths become `{ px, percent }`, percentages fractions, angles degrees, times
 * seconds, frequencies Hz; words, texts and booleans stay.
 */
export function settle(
  rule: Rule,
  value: Json,
  units: Units,
):
  string | number | boolean | null | Length | Color | readonly GradientStop[] | readonly unknown[] {
  if (value === null) return null;
  switch (rule.kind) {
    case 'number':
      return settleNumber(rule, value, units);
    case 'color':
      return parseColor(value);
    case 'fill':
      return Array.isArray(value) ? value.map(settleStop) : parseColor(value);
    case 'path':
      return typeof value === 'string' ? parsePath(value) : null;
    case 'warp':
      return settleWarp(value, units);
    default:
      return typeof value === 'object' ? null : value;
  }
}

type NumberRule = Extract<Rule, { kind: 'number' }>;

function isLengthRule(rule: NumberRule): boolean {
  return rule.units.includes('px');
}

function settleNumber(
  rule: NumberRule,
  value: Json,
  units: Units,
): number | string | Length | null {
  const amount = parseAmount(value);
  // Words may replace a number; "auto" means null.
  if (amount === null) return typeof value === 'string' && value !== 'auto' ? value : null;
  const unit = amount.unit === '' ? (rule.bare ?? '') : amount.unit;
  if (isLengthRule(rule)) return lengthOf(amount.value, unit, units);
  return unit === '%' ? amount.value / 100 : amount.value;
}

function lengthOf(value: number, unit: string, units: Units): Length {
  if (unit === '%') return { px: 0, percent: value / 100 };
  const size =
    unit === 'vw' || unit === 'vh' || unit === 'vmin' || unit === 'vmax' ? units[unit] : 1;
  return { px: value * size, percent: 0 };
}

/** True for settled lengths. */
function isLength(value: unknown): value is Length {
  return typeof value === 'object' && value !== null && 'px' in value;
}

function settleStop(stop: unknown): GradientStop {
  if (!isJsonObject(stop)) return { offset: 0, color: [0, 0, 0, 0] };
  return {
    offset: (parseAmount(stop.offset)?.value ?? 0) / 100,
    color: parseColor(stop.color) ?? [0, 0, 0, 0],
  };
}

function settleWarp(rows: Json, units: Units): WarpPoint[][] | null {
  if (!Array.isArray(rows)) return null;
  const side = (value: unknown): Length => {
    const amount = parseAmount(value);
    // Bare numbers are percentages of the box, as in shape paths.
    return amount
      ? lengthOf(amount.value, amount.unit === '' ? '%' : amount.unit, units)
      : { px: 0, percent: 0 };
  };
  return rows.map((row: unknown) =>
    Array.isArray(row)
      ? row.map((point: unknown) =>
          isJsonObject(point) ? { x: side(point.x), y: side(point.y) } : { x: side(0), y: side(0) },
        )
      : [],
  );
}
