/**
 * Decides after a lost attempt whether its render is tried again. A loss that would repeat fails the render at once or
 * the second time, so that a bad document costs the others as little as possible.
 */
import { messageAt } from '../../shared/renderscript/source.ts';
import { workLimits } from '../../shared/limits.ts';
import { type Failure, failures } from './status.ts';
import type { Place } from './trail.ts';
import type { Overdue } from './worker/vitals.ts';
import type { RenderOutput } from './worker/render-protocol.ts';

/** How an attempt was lost. */
export interface Loss {
  readonly reason: 'died' | Exclude<Overdue, 'deaf'>;
  /** Where the render was; null when it had not begun. */
  readonly place: Place | null;
  /** The process had done no other work: only this render can be the cause. */
  readonly isAlone: boolean;
}

/** Reasons measured in the render itself, which need no second try. */
const certain: ReadonlySet<Loss['reason']> = new Set(['stuck', 'overtime']);

/**
 * True if a render that lost an attempt must not be tried again.
 *
 * @param attempts Lost ones, this included.
 * @param before How the one before was lost; null for the first, and after a restart of the program.
 */
export function isEnough(loss: Loss, attempts: number, before: Loss | null): boolean {
  if (attempts >= workLimits.attempts || certain.has(loss.reason)) return true;
  // In a process that others used before, some of it may be theirs.
  if (loss.reason === 'memory') return loss.isAlone || before?.reason === 'memory';
  return before !== null && before.reason === loss.reason && isSame(before.place, loss.place);
}

function isSame(a: Place | null, b: Place | null): boolean {
  return a?.phase === b?.phase && a?.frame === b?.frame;
}

/** What the render's record says. @param element The name of the element it was at, if known. */
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
    message: at === null ? sentence : messageAt(sentence, at.element),
    stopsRenderer: true,
    ...(at !== null && at),
  };
}

function timesOf(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** How an attempt ended. */
export type Outcome =
  | RenderOutput
  /** As the worker describes it. */
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly path?: string | undefined;
    }
  /** The process is gone. */
  | { readonly kind: 'lost'; readonly loss: Loss }
  | { readonly kind: 'cancelled' };

/** How an attempt at a whole file ended. */
export type WholeOutcome = Exclude<Outcome, { kind: 'split' | 'piece' }>;

/** Of an order without an offer, and not of a piece. */
export function wholeOf(outcome: Outcome): WholeOutcome {
  if (outcome.kind === 'split' || outcome.kind === 'piece')
    throw new Error('a whole file was asked for');
  return outcome;
}
