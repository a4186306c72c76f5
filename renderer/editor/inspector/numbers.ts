/** Numbers with units while a control changes them: steps, spelling, other units. Pure. */
import { expectation, type NumberRule } from '../../../shared/renderscript/rules.ts';
import type { Json } from '../../../shared/renderscript/source.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';
import { stepped } from './amount.ts';
import { pixelsOf, respelled, type LengthContext } from '../canvas/length.ts';

/** What one step of a drag or of an arrow key is, by unit. Others: 1. */
const steps: Readonly<Record<string, number>> = { s: 0.1, vw: 0.5, vh: 0.5, vmin: 0.5, vmax: 0.5 };

/** The step of a number in this unit. */
export function stepOf(unit: string, rule: NumberRule): number {
  if (rule.integer) return 1;
  const meant = unit === '' ? rule.bare : unit;
  // What counts nothing is a ratio, unless its bounds say that it is large.
  if (meant === '' && rule.max === undefined && rule.min !== undefined && rule.min < 1) return 0.01;
  if (meant === '' && isNarrow(rule)) return 0.1;
  return steps[meant ?? ''] ?? 1;
}

/** So few whole numbers that a person wants some between, such as stops of exposure. */
const isNarrow = ({ min, max }: NumberRule): boolean =>
  min !== undefined && max !== undefined && max - min <= 10;

/** Keys that make a step larger or smaller. */
export interface StepKeys {
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/**
 * A value so many steps on, in its own unit and spelling, within its bounds.
 *
 * @param before Undefined: the standard.
 * @returns undefined where it is no number.
 */
export function steppedValue(
  before: Json | undefined,
  count: number,
  { shiftKey, altKey }: StepKeys,
  rule: NumberRule,
  standard: Json,
): Json | undefined {
  const from = before ?? standard;
  const amount = parseAmount(from);
  if (!amount) return undefined;
  const step = stepOf(amount.unit, rule) * (shiftKey ? 10 : altKey && !rule.integer ? 0.1 : 1);
  return respelled(from, stepped(amount.value, count * step, rule), amount.unit, 3);
}

/**
 * What a person typed, as a value: a number keeps the unit and spelling of the value before, unless a unit was typed
 * too.
 *
 * @param unit That which the control shows.
 * @returns undefined for what is no number, or not one that the rule allows.
 */
export function typedValue(
  typed: string,
  unit: string,
  before: Json | undefined,
  rule: NumberRule,
): Json | undefined {
  const plain = typed.trim().replace(',', '.');
  if (rule.words?.includes(plain) === true) return plain;
  const amount = parseAmount(plain);
  if (!amount) return undefined;
  const given = amount.unit === '' ? unit : amount.unit;
  const value = spelledIn(before, amount.value, given, rule);
  return expectation(rule, value) === null ? value : undefined;
}

/** Units that hand-written documents leave out. */
const silent: readonly string[] = ['', 's', 'fps', 'fr'];

/** A number with a unit, spelled as the value before, or as documents usually are. */
function spelledIn(before: Json | undefined, value: number, unit: string, rule: NumberRule): Json {
  const known = parseAmount(before);
  if (known?.unit === '' && (unit === '' || unit === rule.bare))
    return respelled(before, value, '', 6);
  const isSign = /[%°]/.test(unit);
  // Signs have no space before them: they say nothing of how units of letters are spelled.
  if (known && known.unit !== '' && unit !== '' && isSign === /[%°]/.test(known.unit))
    return respelled(before, value, unit, 6);
  const isPlain = unit === rule.bare && (silent.includes(unit) || rule.units.length === 1);
  return isPlain && !isSign ? respelled(0, value, '', 6) : respelled('', value, unit, 6);
}

/** The value in another unit: as long as before where that can be told, else the same number. */
export function inUnit(
  before: Json | undefined,
  unit: string,
  rule: NumberRule,
  standard: Json,
  context: LengthContext | null,
): Json {
  const from = before ?? standard;
  const amount = parseAmount(from);
  if (!amount) return spelledIn(undefined, 0, unit, rule);
  const [old, next] = [amount.unit === '' ? (rule.bare ?? '') : amount.unit, unit].map((name) =>
    context ? pixelsOf(name, context) : null,
  );
  const isLength = typeof old === 'number' && typeof next === 'number' && next !== 0;
  const value = isLength ? (amount.value * old) / next : amount.value;
  return spelledIn(before, Number(value.toFixed(unit === 'px' ? 0 : 2)), unit, rule);
}
