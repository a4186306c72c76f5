/**
 * What a property's value may be: a small closed set of rules, and the check of a single value against one. Pure; the
 * table that says which property has which rule is properties.ts, the walk through a document validate.ts.
 *
 * The sentences are the service's, because people search for them and programs show them.
 */
import { parseColor } from './color.ts';
import { parsePath } from './path.ts';
import { isJsonObject } from './source.ts';
import { parseAmount } from './units.ts';

/** Units that a number may end with. */
export type Unit = '%' | '°' | 'px' | 'vw' | 'vh' | 'vmin' | 'vmax' | 's' | 'fps' | 'fr' | 'Hz';

/** A number, with or without a unit. */
export interface NumberRule {
  readonly kind: 'number';
  readonly units: readonly Unit[];
  /** What a number without a unit means; null = a unit is needed, '' = the number counts something. */
  readonly bare: Unit | '' | null;
  /** Bounds of the number as written, whatever its unit. */
  readonly min?: number;
  readonly max?: number;
  readonly integer?: true;
  /** Words that may stand in the number's place. */
  readonly words?: readonly string[];
  /** True when `"auto"` may be written for null. */
  readonly auto?: true;
}

/** One of a fixed list of words. */
export interface EnumRule {
  readonly kind: 'enum';
  readonly values: readonly string[];
}

/** A text; `maximum` is its greatest length in characters. */
export interface StringRule {
  readonly kind: 'string';
  readonly maximum?: number;
}

/**
 * Rules without parameters. `fill` is a colour or a list of colour stops; `warp` rows of points; `transcript` a text
 * or word timings; `elements`, `animations` and `fonts` are lists of objects; `variables` an object of plain values.
 */
export interface PlainRule {
  readonly kind:
    | 'boolean'
    | 'color'
    | 'fill'
    | 'path'
    | 'warp'
    | 'elements'
    | 'animations'
    | 'fonts'
    | 'transcript'
    | 'variables';
}

/** What a value may be. `nullable` means that null is a value of its own: automatic, none, or off. */
export type Rule = (NumberRule | EnumRule | StringRule | PlainRule) & { readonly nullable?: true };

/** Why a value breaks its rule: a stable word and the sentence of the expectation. */
export interface Expectation {
  readonly code: string;
  readonly message: string;
  /** The value that was probably meant, where one is near. */
  readonly instead?: string;
}

const sides = ['px', 'vw', 'vh', 'vmin', 'vmax'] as const satisfies readonly Unit[];

/**
 * The rules that many rows of the tables share. Bare numbers: of lengths they are pixels, of angles degrees, of
 * times seconds; of percentages they are percent (the service reads `line_height: 150` as 150 %, and the others alike).
 */
export const rules = {
  string: { kind: 'string' },
  boolean: { kind: 'boolean' },
  color: { kind: 'color' },
  fill: { kind: 'fill' },
  path: { kind: 'path' },
  count: { kind: 'number', units: [], bare: '' },
  angle: { kind: 'number', units: ['°'], bare: '°' },
  percent: { kind: 'number', units: ['%'], bare: '%' },
  length: { kind: 'number', units: ['%', ...sides], bare: 'px' },
  /** A length that has no parent's side to be a percentage of. */
  size: { kind: 'number', units: sides, bare: 'px' },
  /** A percentage that may also be given as a length: shares of the box or of the font size. */
  share: { kind: 'number', units: ['%', ...sides], bare: '%' },
  seconds: { kind: 'number', units: ['s'], bare: 's' },
  /** A moment of the element's clock, percent being of its length: the time of a keyframe. */
  moment: { kind: 'number', units: ['s', '%'], bare: 's', words: ['start', 'end'] },
  frequency: { kind: 'number', units: ['Hz'], bare: 'Hz' },
} as const satisfies Record<string, Rule>;

/** The same rule, with null allowed. */
export function nullable<R extends Rule>(rule: R): R & { readonly nullable: true } {
  return { ...rule, nullable: true };
}

/** The same rule, held to at least `min` and at most `max`. */
export function within<R extends NumberRule>(
  rule: R,
  min: number,
  max?: number,
): R & { readonly min: number } {
  return max === undefined ? { ...rule, min } : { ...rule, min, max };
}

/** One of these words. */
export function oneOf(...values: readonly string[]): EnumRule {
  return { kind: 'enum', values };
}

/** True when the value keeps the rule. */
export function keepsRule(rule: Rule, value: unknown): boolean {
  return expectation(rule, value) === null;
}

/**
 * Checks one plain value; null when it keeps the rule, else what was expected. Keyframes are not looked into: a list of
 * them breaks every rule, so callers take them apart first. Never throws.
 */
export function expectation(rule: Rule, value: unknown): Expectation | null {
  if (value === null || value === undefined) {
    return rule.nullable === true
      ? null
      : { code: 'missing_value', message: "Shouldn't be null or undefined" };
  }
  switch (rule.kind) {
    case 'number':
      return numberExpectation(rule, value);
    case 'string':
      return stringExpectation(rule, value);
    case 'enum':
      return typeof value === 'string' && rule.values.includes(value)
        ? null
        : choiceExpectation(rule.values);
    case 'boolean':
      return typeof value === 'boolean' ? null : wrongType('Expected true or false');
    case 'color':
      return parseColor(value) === null ? wrongColor : null;
    case 'fill':
      return fillExpectation(value);
    case 'path':
      return typeof value === 'string' && parsePath(value) !== null
        ? null
        : { code: 'wrong_path', message: 'Expected a path such as M 0 0 L 100 0 L 100 100 Z' };
    case 'warp':
      return isWarp(value) ? null : wrongType('Expected rows of at least two points with x and y');
    case 'elements':
      return Array.isArray(value) ? null : wrongType('Expected a list of elements');
    case 'animations':
      return isObjectList(value) ? null : wrongType('Expected a list of animations');
    case 'fonts':
      return isFontList(value)
        ? null
        : wrongType('Expected a list of fonts with family and source');
    case 'variables':
      return isVariableList(value)
        ? null
        : wrongType('Expected names with a text, a number, true or false');
    case 'transcript':
      return typeof value === 'string' || isWordList(value)
        ? null
        : wrongType(
            'Expected a name, an address, subtitles, or a list of words with time and value',
          );
  }
}

/** The error of a wrong word, naming every right one. */
export function choiceExpectation(values: readonly string[]): Expectation {
  return { code: 'wrong_choice', message: `Expected one of these values: ${values.join(', ')}` };
}

const wrongColor: Expectation = { code: 'wrong_color', message: 'Expected a color' };

function wrongType(message: string): Expectation {
  return { code: 'wrong_type', message };
}

function stringExpectation(rule: StringRule, value: unknown): Expectation | null {
  if (isJsonObject(value)) return wrongType('Expected a string; found an object');
  if (typeof value !== 'string') return wrongType('Expected a string');
  if (rule.maximum === undefined || value.length <= rule.maximum) return null;
  return {
    code: 'too_long',
    message: `Expected at most ${rule.maximum.toLocaleString('en-US')} characters`,
  };
}

function numberExpectation(rule: NumberRule, value: unknown): Expectation | null {
  if (
    typeof value === 'string' &&
    (rule.words?.includes(value) === true || (rule.auto === true && value === 'auto'))
  ) {
    return null;
  }
  const amount = parseAmount(value);
  const fits =
    amount !== null &&
    (amount.unit === '' ? rule.bare !== null : rule.units.some((unit) => unit === amount.unit));
  if (!fits) {
    return { code: amount === null ? 'wrong_type' : 'wrong_unit', message: numberSentence(rule) };
  }
  const { min = -Infinity, max = Infinity } = rule;
  if (amount.value < min || amount.value > max)
    return { code: 'out_of_range', message: rangeSentence(rule) };
  if (rule.integer === true && !Number.isInteger(amount.value)) {
    return { code: 'out_of_range', message: 'Expected a whole number' };
  }
  return null;
}

/** Units that are only another spelling of the plain number; nobody is asked to write them. */
const silentUnits: readonly Unit[] = ['s', 'fps', 'fr'];

function numberSentence(rule: NumberRule): string {
  if (rule.words !== undefined) {
    return `Expected a number or the value ${rule.words.map((word) => `'${word}'`).join(' or ')}`;
  }
  const units = rule.units.filter((unit) => !silentUnits.includes(unit));
  return units.length === 0
    ? 'Expected a number'
    : `Expected a number ending with ${units.join(' or ')}`;
}

function rangeSentence({ min, max }: NumberRule): string {
  if (min === undefined) return `Expected a number that is at most ${max ?? 0}`;
  return max === undefined
    ? `Expected a number that is at least ${min}`
    : `Expected a number between ${min} and ${max}`;
}

function fillExpectation(value: unknown): Expectation | null {
  if (!Array.isArray(value)) return parseColor(value) === null ? wrongColor : null;
  if (value.length === 0) return wrongColor;
  for (const stop of value as readonly unknown[]) {
    if (!isJsonObject(stop))
      return wrongType('Expected a list of color stops with offset and color');
    if (parseColor(stop.color) === null) return wrongColor;
    const place = expectation(rules.percent, stop.offset);
    if (place !== null) return place;
  }
  return null;
}

function isWarp(value: unknown): boolean {
  if (!Array.isArray(value) || value.length < 2) return false;
  const width: unknown = Array.isArray(value[0]) ? value[0].length : 0;
  return (value as readonly unknown[]).every(
    (row) =>
      Array.isArray(row) && row.length >= 2 && row.length === width && row.every(isWarpPoint),
  );
}

function isWarpPoint(point: unknown): boolean {
  return isJsonObject(point) && keepsRule(rules.share, point.x) && keepsRule(rules.share, point.y);
}

function isObjectList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isJsonObject);
}

function isFontList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (font) =>
        isJsonObject(font) && typeof font.family === 'string' && typeof font.source === 'string',
    )
  );
}

function isWordList(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (word) =>
        isJsonObject(word) && keepsRule(rules.seconds, word.time) && typeof word.value === 'string',
    )
  );
}

function isVariableList(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    Object.values(value).every((item) => ['string', 'number', 'boolean'].includes(typeof item))
  );
}
