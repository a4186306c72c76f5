/** How an attempt at a render ended, as the server's side of a worker tells it. */
import type { Loss } from '../verdict.ts';
import type { RenderOutput } from './render-protocol.ts';

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
