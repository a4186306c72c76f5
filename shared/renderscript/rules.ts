/**
 * The allowed values of properties: a small closed set of rules, and the check of a single value against one. Pure;
 * properties.ts has the rule of each property, validate.ts checks a whole document.
 *
 * The sentences begin like the service's, because people search for them and programs show them; then they say what was
 * found.
 */
import { parseColor } from './color.ts';
import { foundInList, foundValue, likelyAmount } from './found-value.ts';
import { parsePath } from './path.ts';
import { isJsonObject } from './source.ts';
import { parseAmount } from './units.ts';

/** Units that a number may end with. */
export type Unit = '%' | '°' | 'px' | 'vw' | 'vh' | 'vmin' | 'vmax' | 's' | 'fps' | 'fr' | 'Hz';

/** A number, with or without a unit. */
export interface NumberRule {
  readonly kind: 'number';
  readonly units: readonly Unit[];
  /** The unit of a bare number; null: a unit is required, '': the number is a count. */
  readonly bare: Unit | '' | null;
  /** Bounds of the number as written, in any unit. */
  readonly min?: number;
  readonly max?: number;
  readonly integer?: true;
  /** Words allowed instead of the number. */
  readonly words?: readonly string[];
  /** Whether `"auto"` may be written for null. */
  readonly auto?: true;
  /** For percentages of the font size: the percentage for 1 em of CSS, to guess what was meant. */
  readonly em?: number;
}

/** One of a fixed list of words. */
export interface EnumRule {
  readonly kind: 'enum';
  readonly values: readonly string[];
}

/** A text; `maximum` is its largest length in characters. */
export interface StringRule {
  readonly kind: 'string';
  readonly maximum?: number;
}

/**
 * Rules without parameters. `fill` is a colour or a list of colour stops; `warp` rows of points; `transcript` a text
 * or word timings; `elements`, `animations` and `fonts` are lists of objects; `variables` an object of plain
 * values, `colors` one of colours by colours.
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
    | 'variables'
    | 'colors';
}

/** The rule for a value. `nullable`: null is a separate value that means automatic, none, or off. */
export type Rule = (NumberRule | EnumRule | StringRule | PlainRule) & { readonly nullable?: true };

/** Why a value breaks its rule: a stable code and the sentence. */
export interface Expectation {
  readonly code: string;
  readonly message: string;
  /** The value that was probably meant, if there is a good guess. */
  readonly instead?: string;
}

const sides = ['px', 'vw', 'vh', 'vmin', 'vmax'] as const satisfies readonly Unit[];

/**
 * The rules that many rows of the tables share. Bare lengths are pixels, bare angles degrees, bare times seconds, and
 * bare percentages percent (the service reads `line_height: 150` as 150 %, and others likewise).
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
  /** A length without a parent's side for percentages. */
  size: { kind: 'number', units: sides, bare: 'px' },
  /** A percentage of the box or of the font size, or a length. */
  share: { kind: 'number', units: ['%', ...sides], bare: '%' },
  seconds: { kind: 'number', units: ['s'], bare: 's' },
  /** The time of a keyframe on the element's clock; percentages are of its length. */
  moment: { kind: 'number', units: ['s', '%'], bare: 's', words: ['start', 'end'] },
  frequency: { kind: 'number', units: ['Hz'], bare: 'Hz' },
} as const satisfies Record<string, Rule>;

/** The same rule, with null allowed. */
export function nullable<R extends Rule>(rule: R): R & { readonly nullable: true } {
  return { ...rule, nullable: true };
}

/** The same rule with bounds. */
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

/** Whether a value keeps a rule. */
export function keepsRule(rule: Rule, value: unknown): boolean {
  return expectation(rule, value) === null;
}

/**
 * Checks one plain value; null if it keeps the rule, otherwise what was expected. Callers must take keyframes apart
 * first: a list of them breaks every rule. Never throws.
 */
export function expectation(rule: Rule, value: unknown): Expectation | null {
  if (value === null || value === undefined) {
    return rule.nullable === true
      ? null
      : {
          code: 'missing_value',
          message: `Expected a value, found ${value === null ? 'null' : 'nothing'}`,
        };
  }
  switch (rule.kind) {
    case 'number':
      return numberExpectation(rule, value);
    case 'string':
      return stringExpectation(rule, value);
    case 'enum':
      return typeof value === 'string' && rule.values.includes(value)
        ? null
        : choiceExpectation(rule.values, value);
    case 'boolean':
      return typeof value === 'boolean' ? null : wrongType('Expected true or false', value);
    case 'color':
      return colorExpectation(value);
    case 'fill':
      return fillExpectation(value);
    case 'path':
      return typeof value === 'string' && parsePath(value) !== null ? null : wrongPath(value);
    case 'warp':
      return isWarp(value)
        ? null
        : wrongType('Expected rows of at least two points with x and y', value);
    case 'elements':
      return Array.isArray(value) ? null : wrongType('Expected a list of elements', value);
    case 'animations':
      return listExpectation(value, isJsonObject, 'Expected a list of animations');
    case 'fonts':
      return listExpectation(value, isFont, 'Expected a list of fonts with family and source');
    case 'variables':
      return variablesExpectation(value);
    case 'colors':
      return isJsonObject(value) && Object.entries(value).flat().every(isColor)
        ? null
        : wrongType('Expected colors by colors, such as {"#ff0000": "#00aa55"}', value);
    case 'transcript':
      return typeof value === 'string'
        ? null
        : listExpectation(
            value,
            isWord,
            'Expected a name, an address, subtitles, or a list of words with time and value',
          );
  }
}

/** The error for a wrong word, with all right ones. */
export function choiceExpectation(values: readonly string[], found: unknown): Expectation {
  const message = `Expected one of these values: ${values.join(', ')}`;
  const small = typeof found === 'string' ? found.trim().toLowerCase() : null;
  const instead = values.find((value) => value === small);
  return { code: 'wrong_choice', ...meant(withFound(message, foundValue(found)), instead) };
}

/** A sentence, followed by what was found. */
export function withFound(message: string, found: string): string {
  return `${message}; found ${found}`;
}

/** The message of an expectation, with the value that was probably meant, if any. */
function meant(message: string, instead: string | undefined): Omit<Expectation, 'code'> {
  return instead === undefined
    ? { message }
    : { message: `${message}. Did you mean '${instead}'?`, instead };
}

function wrongType(message: string, found: unknown): Expectation {
  return { code: 'wrong_type', message: withFound(message, foundValue(found)) };
}

function listExpectation(
  value: unknown,
  isGood: (item: unknown) => boolean,
  message: string,
): Expectation | null {
  return Array.isArray(value) && value.every(isGood)
    ? null
    : { code: 'wrong_type', message: withFound(message, foundInList(value, isGood)) };
}

const isColor = (value: unknown): boolean => parseColor(value) !== null;

function colorExpectation(value: unknown): Expectation | null {
  return isColor(value)
    ? null
    : { code: 'wrong_color', message: withFound('Expected a color', foundValue(value)) };
}

function wrongPath(value: unknown): Expectation {
  const message = 'Expected a path such as M 0 0 L 100 0 L 100 100 Z';
  return { code: 'wrong_path', message: withFound(message, foundValue(value)) };
}

/** Most letters of a suggestion in a message. */
const longestQuestion = 80;

function stringExpectation(rule: StringRule, value: unknown): Expectation | null {
  if (typeof value !== 'string') {
    const { code, message } = wrongType('Expected a string', value);
    // Other programs write an object with text and style.
    const inside = isJsonObject(value) ? value.text : undefined;
    const isShort = typeof inside === 'string' && inside.length <= longestQuestion;
    return { code, ...meant(message, isShort ? inside : undefined) };
  }
  if (rule.maximum === undefined || value.length <= rule.maximum) return null;
  const [most, found] = [rule.maximum, value.length].map((length) =>
    length.toLocaleString('en-US'),
  );
  return { code: 'too_long', message: `Expected at most ${most} characters; found ${found}` };
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
    const code = amount === null ? 'wrong_type' : 'wrong_unit';
    const likely = likelyAmount(value, rule);
    const instead = likely !== null && keepsRule(rule, likely) ? likely : undefined;
    return { code, ...meant(withFound(numberSentence(rule), foundValue(value)), instead) };
  }
  const { min = -Infinity, max = Infinity } = rule;
  const isOut = amount.value < min || amount.value > max;
  if (isOut || (rule.integer === true && !Number.isInteger(amount.value))) {
    const message = isOut ? rangeSentence(rule) : 'Expected a whole number';
    return { code: 'out_of_range', message: withFound(message, foundValue(value)) };
  }
  return null;
}

/** Units that mean the same as a bare number; messages don't mention them. */
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
  if (!Array.isArray(value) || value.length === 0) return colorExpectation(value);
  for (const stop of value as readonly unknown[]) {
    if (!isJsonObject(stop)) {
      const message = 'Expected a list of color stops with offset and color';
      return listExpectation(value, isJsonObject, message);
    }
    const wrong = colorExpectation(stop.color) ?? expectation(rules.percent, stop.offset);
    if (wrong !== null) return wrong;
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

function isFont(font: unknown): boolean {
  return isJsonObject(font) && typeof font.family === 'string' && typeof font.source === 'string';
}

function isWord(word: unknown): boolean {
  return (
    isJsonObject(word) && keepsRule(rules.seconds, word.time) && typeof word.value === 'string'
  );
}

function variablesExpectation(value: unknown): Expectation | null {
  const message = 'Expected names with a text, a number, true or false';
  if (!isJsonObject(value)) return wrongType(message, value);
  const isPlain = (item: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof item);
  const wrong = Object.entries(value).find(([, item]) => !isPlain(item));
  if (wrong === undefined) return null;
  const found = `${foundValue(wrong[1])} as ${foundValue(wrong[0])}`;
  return { code: 'wrong_type', message: withFound(message, found) };
}
