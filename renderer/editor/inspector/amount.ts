/** Numbers with units as the form writes them. Pure. */
import type { NumberRule } from '../../../shared/renderscript/rules.ts';
import type { Json } from '../../../shared/renderscript/source.ts';

/**
 * What is typed with its unit: `writeAmount('12', 'vmin')` → `12 vmin`, `'%'` → `12%`, without a unit the number
 * itself. Anything else is written as it is, for the checker to judge.
 */
export function writeAmount(typed: string, unit: string): Json {
  const plain = typed.trim().replace(',', '.');
  const value = Number(plain);
  if (plain === '' || !Number.isFinite(value)) return typed;
  if (unit === '') return value;
  return unit === '%' || unit === '°' ? `${value}${unit}` : `${value} ${unit}`;
}

/** The number one step on, within the rule's bounds and without rounding errors of binary fractions. */
export function stepped(value: number, step: number, rule: NumberRule | null): number {
  const next = Math.round((value + step) * 1e6) / 1e6;
  return Math.max(rule?.min ?? -Infinity, Math.min(rule?.max ?? Infinity, next));
}
