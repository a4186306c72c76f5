/**
 * The one sensible change for a problem or a hint, where there is exactly one: another value, or another name. For the
 * editor's buttons and for programs that repair what they wrote. Pure.
 */
import { sidesInWords } from './found-value.ts';
import { isJsonObject, type Source } from './source.ts';

/** A change at the path of a problem. */
export type Fix =
  | { readonly kind: 'value'; readonly value: string }
  /** The last name of the path becomes another one; with `value`, what stands there changes too. */
  | { readonly kind: 'name'; readonly name: string; readonly value?: string };

/** What of a problem or hint decides. */
interface Fault {
  readonly path: string;
  readonly code: string;
  readonly message: string;
  /** Null or undefined: nothing is likely. */
  readonly instead?: string | null | undefined;
}

/** Null if there is none, or more than one. @param source The document that the problem was found in. */
export function fixOf(source: Source, fault: Fault): Fix | null {
  const { path, code, instead } = fault;
  const mended = withUnit(source, fault);
  if (mended !== null) return { kind: 'value', value: mended };
  if (instead === undefined || instead === null) return null;
  if (!nameCodes.has(code)) return { kind: 'value', value: instead };
  const steps = stepsOf(path);
  const owner = valueAt(source, steps.slice(0, -1));
  if (!isJsonObject(owner) || !Object.hasOwn(owner, String(steps.at(-1)))) return null;
  // One of the two would be lost.
  if (Object.hasOwn(owner, instead)) return null;
  // The name of a side would be wrong there.
  const side = instead.endsWith('_alignment')
    ? sidesInWords.get(valueAt(source, steps))
    : undefined;
  return { kind: 'name', name: instead, ...(side !== undefined && { value: side }) };
}

/** The place of a problem, `elements[2].x[0].value`, as keys and indexes. */
export function stepsOf(path: string): (string | number)[] {
  return Array.from(path.matchAll(/\[(\d+)\]|[^.[\]]+/g), ([part, index]) =>
    index === undefined ? part : Number(index),
  );
}

/** The opposite: `elements[2].x`. */
export function pathOf(steps: readonly (string | number)[]): string {
  return steps
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');
}

const nameCodes: ReadonlySet<string> = new Set(['unknown_property', 'unknown_option']);

/** A bare number where a number with one certain unit is expected. */
function withUnit(source: Source, { code, message, path }: Fault): string | null {
  if (!code.startsWith('wrong_')) return null;
  const units = Array.from(message.matchAll(/%|\b(?:vmin|vmax|vw|vh|px|fps)\b/g), ([unit]) => unit);
  const unit = units.length === 1 ? units[0] : undefined;
  const value = valueAt(source, stepsOf(path));
  const isBare =
    typeof value === 'number' || (typeof value === 'string' && /^-?[\d.]+$/.test(value));
  if (unit === undefined || !isBare) return null;
  return `${value}${unit === '%' ? '%' : ` ${unit}`}`;
}

/** What stands at a place; undefined where there is none. */
export function valueAt(source: Source, steps: readonly (string | number)[]): unknown {
  let value: unknown = source;
  for (const step of steps) {
    if (typeof step === 'number')
      value = Array.isArray(value) ? (value[step] as unknown) : undefined;
    else value = isJsonObject(value) ? value[step] : undefined;
  }
  return value;
}
