/** How an attempt at a render ended, as the server's side of a worker tells it. */
import type { Loss } from '../verdict.ts';
import type { SplitFilm } from './piece-protocol.ts';
import type { RenderFacts, WorkerEvent } from './protocol.ts';

/** How an attempt ended. */
export type Outcome =
  | { readonly kind: 'done'; readonly facts: RenderFacts; readonly warnings: readonly string[] }
  /** As the worker describes it. */
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly path?: string | undefined;
    }
  /** The process is gone. */
  | { readonly kind: 'lost'; readonly loss: Loss }
  | { readonly kind: 'cancelled' }
  /** The film was not made, but divided; only after an offer. */
  | { readonly kind: 'split'; readonly split: SplitFilm }
  /** A piece of a film is there; only if it was asked for. */
  | { readonly kind: 'piece'; readonly warnings: readonly string[] };

/** How an attempt at a whole file ended. */
export type WholeOutcome = Exclude<Outcome, { kind: 'split' | 'piece' }>;

/** Of a start message without an offer, and not of a piece. */
export function wholeOf(outcome: Outcome): WholeOutcome {
  if (outcome.kind === 'split' || outcome.kind === 'piece')
    throw new Error('a whole file was asked for');
  return outcome;
}

/** What a worker tells once it has done what it was asked for. */
export function madeBy(
  event: Extract<WorkerEvent, { type: 'done' | 'split' | 'piece-made' }>,
): Exclude<Outcome, { kind: 'lost' }> {
  switch (event.type) {
    case 'done':
      return { kind: 'done', facts: event.facts, warnings: event.warnings };
    case 'split':
      return { kind: 'split', split: event.split };
    case 'piece-made':
      return { kind: 'piece', warnings: event.warnings };
  }
}
