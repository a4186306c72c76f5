/**
 * The cost limits of applying modifications: steps of work, and characters of the resulting document. A few kilobytes
 * can ask for gigabytes (copies of copies, one value for ten thousand elements, `{{a}}` with a long value), so both are
 * counted DURING the work. Pure.
 */
import { documentLimits } from './limits.ts';
import type { Json, JsonObject } from './source.ts';

/** Bounds of one application. */
export interface Bounds {
  /** Elements and properties read or written. */
  readonly steps: number;
  /** Characters of the resulting document as JSON. */
  readonly characters: number;
}

/** The bounds if the caller gives none. */
export const fullBounds: Bounds = {
  steps: documentLimits.modificationSteps,
  characters: documentLimits.characters,
};

/** What remains of the bounds. */
export interface Budget {
  steps: number;
  characters: number;
}

/** A budget is used up; modifications.ts catches it. */
export class BudgetSpent extends Error {
  readonly what: keyof Budget;

  constructor(what: keyof Budget) {
    super(`the budget of ${what} is used up`);
    this.what = what;
  }
}

/** Spends steps. @throws BudgetSpent if too few are left */
export function spendSteps(budget: Budget, count: number): void {
  budget.steps -= count;
  if (budget.steps < 0) throw new BudgetSpent('steps');
}

/** Spends characters. @throws BudgetSpent if too few are left */
export function spendCharacters(budget: Budget, count: number): void {
  budget.characters -= count;
  if (budget.characters < 0) throw new BudgetSpent('characters');
}

/** Characters that JSON writes with a backslash, up to six for one. */
// eslint-disable-next-line no-control-regex -- JSON escapes just these
const escaped = /[\u0000-\u001f"\\\ud800-\udfff]/;

/** Characters of a text in JSON, its quotes included. */
export function textSize(text: string): number {
  return escaped.test(text) ? JSON.stringify(text).length : text.length + 2;
}

/**
 * Characters of a value in JSON. Counting stops beyond `most`; the result is then some number above it. Without
 * recursion, because the value's depth is not checked yet.
 */
export function sizeOf(value: Json | undefined, most: number): number {
  let size = 0;
  const waiting: (Json | undefined)[] = [value];
  while (waiting.length > 0 && size <= most) {
    const next = waiting.pop();
    if (typeof next === 'string') size += textSize(next);
    else if (typeof next !== 'object' || next === null) size += String(next).length;
    else if (Array.isArray(next)) {
      size += 2 + next.length;
      for (const item of next as readonly Json[]) waiting.push(item);
    } else {
      size += 2;
      for (const key in next as JsonObject) {
        size += key.length + 4;
        waiting.push((next as JsonObject)[key]);
      }
    }
  }
  return size;
}
