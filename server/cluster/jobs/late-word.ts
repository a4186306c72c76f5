/**
 * Tells servers that renders were begun, a little later: each word wakes every process that listens for anything, and a
 * small render has ended before, of which they hear at once. Runs in a worker.
 */
import { tellOf } from '../postgres/batch.ts';
import type { PostgresKeeper } from '../postgres/keeper.ts';

/** Milliseconds. Whoever asks a server reads the database first, so only those who watch notice. */
const wordPause = 150;

/** See above. One for each worker: servers read all changes in any case. */
export class LateWord {
  readonly #keeper: Pick<PostgresKeeper, 'inTurn'>;
  #timer: NodeJS.Timeout | undefined;

  constructor(keeper: Pick<PostgresKeeper, 'inTurn'>) {
    this.#keeper = keeper;
  }

  /** Has it told soon, unless something else tells of renders before. */
  soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // Those whose connection is lost look by themselves.
      this.#keeper.inTurn((session) => tellOf(session, ['renders'])).catch(() => undefined);
    }, wordPause).unref();
  }

  /** The renders have been announced by something else. */
  told(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
