/**
 * What a lost attempt means for its render: again, or enough. What would happen again fails the render at once or at the
 * second time, so that one bad document costs the others as little as it can.
 */
import { workLimits } from '../../shared/limits.ts';
import { failures, type Failure } from './status.ts';
import type { Place } from './trail.ts';
import type { Overdue } from './worker/vitals.ts';

/** How an attempt was lost. */
export interface Loss {
  readonly reason: 'died' | Overdue;
  /** Where the render was; null when it had not begun. */
  readonly place: Place | null;
  /** Nothing had been worked on in that process before: it is this render's doing alone. */
  readonly isAlone: boolean;
}

/** Reasons that are measured in the render itself, and need no second look. */
const certain: ReadonlySet<Loss['reason']> = new Set(['stuck', 'overtime']);

/**
 * Whether a render that lost an attempt is to be tried again.
 *
 * @param attempts Lost ones, this included.
 * @param before How the one before was lost; null for the first, and after a restart of the program.
 */
export function isEnough(loss: Loss, attempts: number, before: Loss | null): boolean {
  if (attempts >= workLimits.attempts || certain.has(loss.reason)) return true;
  // Of a process that others had used, some may be theirs.
  if (loss.reason === 'memory') return loss.isAlone || before?.reason === 'memory';
  return before !== null && before.reason === loss.reason && isSame(before.place, loss.place);
}

function isSame(a: Place | null, b: Place | null): boolean {
  return a?.phase === b?.phase && a?.frame === b?.frame;
}

/** What the render's record says. @param element The name of the element that it was at, where that is known. */
export function failureOf(
  { reason }: Loss,
  attempts: number,
  at: { readonly path: string; readonly element: string } | null,
): Failure {
  const sentence =
    reason === 'died'
      ? `Render error: The renderer stopped unexpectedly ${timesOf(attempts)} while working on this render`
      : failures[reason];
  return {
    message: at === null ? sentence : `${sentence} (at ${at.element})`,
    stopsRenderer: true,
    ...(at !== null && at),
  };
}

function timesOf(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
