/**
 * What several servers and workers tell each other of the moment: how far running renders are, and what each machine
 * does. In tables that may be lost, and told at once to those that listen.
 */
import type { RenderProgress } from '../../../shared/api.ts';
import { describeError, type Log } from '../../system/log.ts';
import type { PostgresKeeper } from '../postgres/keeper.ts';
import { tableOf } from '../postgres/migrations.ts';
import type { Session } from '../postgres/session.ts';
import { schemaName } from '../postgres/statement.ts';

/** Where progress is told, as JSON of `Told`. */
const channel = `${schemaName}_progress`;
/** Milliseconds between two words about a render. */
const pause = 500;

interface Told {
  readonly id: string;
  readonly progress: RenderProgress;
}

/** Forgets how far a render is, in the transaction that ends it or puts it back. */
export async function forgetProgress(session: Session, id: string): Promise<void> {
  await session.query(forgetProgressText('= $1'), [id]);
}

/** The statement for that. @param whose What the render's ID must be, e.g. `= $1`. */
export const forgetProgressText = (whose: string): string =>
  `DELETE FROM ${schemaName}.progress WHERE render ${whose}`;

/** A worker's side. */
export class ProgressTeller {
  readonly #keeper: Pick<PostgresKeeper, 'inTurn'>;
  readonly #log: Log;
  /** The next report for each render, and when the last one was sent. */
  readonly #last = new Map<string, number>();
  readonly #next = new Map<string, Told & { readonly attempt: string }>();
  #isTelling = false;

  constructor(keeper: Pick<PostgresKeeper, 'inTurn'>, log: Log) {
    this.#keeper = keeper;
    this.#log = log;
  }

  /** Tells how far an attempt is, at most twice a second. What comes in between is left out. */
  tell(id: string, attempt: string, progress: RenderProgress): void {
    const now = performance.now();
    if (now - (this.#last.get(id) ?? -Infinity) < pause) return;
    this.#last.set(id, now);
    this.#next.set(id, { id, attempt, progress });
    if (!this.#isTelling) void this.#tellAll();
  }

  /** Forgets a render that it does not work on any more. */
  forget(id: string): void {
    this.#last.delete(id);
    this.#next.delete(id);
  }

  /** Never rejects. */
  async #tellAll(): Promise<void> {
    this.#isTelling = true;
    for (const [id, told] of this.#next) {
      this.#next.delete(id);
      const { attempt, progress } = told;
      const text = JSON.stringify({ id, progress } satisfies Told);
      await this.#keeper
        .inTurn((session) =>
          session.query(
            // Only of an attempt that still has its render, also while somebody just ends it.
            `WITH own AS (
               SELECT 1 FROM ${tableOf('renders')} WHERE id = $1 AND doc->>'attempt' = $2
                 AND status NOT IN ('planned', 'succeeded', 'failed') FOR SHARE),
             told AS (
               INSERT INTO ${schemaName}.progress (render, attempt, progress) SELECT $1, $2, $3::jsonb FROM own
               ON CONFLICT (render) DO UPDATE
               SET attempt = excluded.attempt, progress = excluded.progress, told_at = now())
             SELECT pg_notify('${channel}', $4) FROM own`,
            [id, attempt, JSON.stringify(progress), text],
          ),
        )
        .catch((error: unknown) => this.#log('info', 'queue', describeError(error)));
    }
    this.#isTelling = false;
  }
}

/** A server's side. */
export class ProgressBoard {
  readonly #progress = new Map<string, RenderProgress>();
  readonly #onProgress: (id: string, progress: RenderProgress) => void;

  private constructor(onProgress: (id: string, progress: RenderProgress) => void) {
    this.#onProgress = onProgress;
  }

  /** Reads what is known, and follows what is told from now on. */
  static async open(
    keeper: Pick<PostgresKeeper, 'inTurn' | 'listen'>,
    onProgress: (id: string, progress: RenderProgress) => void,
  ): Promise<ProgressBoard> {
    const board = new ProgressBoard(onProgress);
    await keeper.listen(channel, (text) => {
      if (text !== null) board.#take(JSON.parse(text) as Told); // from `tell`
    });
    const rows = await keeper
      .inTurn((session) =>
        session.query<{ render: string; progress: RenderProgress }>(
          `SELECT render, progress FROM ${schemaName}.progress`,
        ),
      )
      .catch(() => []);
    for (const { render, progress } of rows) board.#progress.set(render, progress);
    return board;
  }

  /** How far a render is; null while that is unknown. */
  of(id: string): RenderProgress | null {
    return this.#progress.get(id) ?? null;
  }

  /** Forgets a render that has ended, or waits again. */
  forget(id: string): void {
    this.#progress.delete(id);
  }

  #take({ id, progress }: Told): void {
    this.#progress.set(id, progress);
    this.#onProgress(id, progress);
  }
}
