/**
 * What all servers on one database count together.
 *
 * Credits: what each server reserves is in the database, so that two that are asked at the same time don't both give
 * away the last. A reservation goes in the transaction that stores its render; one that is left over, because its
 * server was killed, ends by itself.
 */
import { ApiError } from '../../shared/errors.ts';
import { RateLimiter } from '../api/rate-limit.ts';
import type { PostgresKeeper } from './postgres/keeper.ts';
import { isAway, type Session } from './postgres/session.ts';
import type { RecordChange } from '../store/records.ts';
import { schemaName } from './postgres/statement.ts';
import { Credits, totalOf, type Cost } from '../jobs/credits.ts';

/** Minutes after which a reservation is void. Storing what is planned takes seconds. */
const validity = 5;

/** Credits, as above. Without an allowance nothing is reserved. */
export class SharedCredits extends Credits {
  readonly #keeper: PostgresKeeper;
  /** IDs of the renders that this server has reserved for. */
  readonly #pending = new Set<string>();

  constructor(keeper: PostgresKeeper, ...rest: ConstructorParameters<typeof Credits>) {
    super(...rest);
    this.#keeper = keeper;
    keeper.addAlongside((session, changes) => this.#follow(session, changes));
  }

  override async reserve(costs: readonly Cost[]): Promise<() => void> {
    if (!this.limited) return () => undefined;
    const ids = costs.map(({ id }) => id);
    const needed = totalOf(costs);
    await this.#keeper
      .between(async (session) => {
        const [row] = await session.query<{ reserved: number }>(
          `SELECT coalesce(sum(credits), 0)::float8 AS reserved FROM ${schemaName}.reservations WHERE until > now()`,
        );
        this.refuseAbove(needed, row?.reserved ?? 0);
        await session.query(
          `INSERT INTO ${schemaName}.reservations (render, credits, until)
           SELECT render, credits, now() + interval '${validity} minutes'
           FROM unnest($1::text[], $2::float8[]) AS given (render, credits)`,
          [ids, costs.map(({ cost }) => cost)],
        );
      })
      .catch((error: unknown) => {
        if (error instanceof ApiError || !isAway(error)) throw error;
        throw new ApiError('cannot_save', { reason: 'the database does not answer' });
      });
    for (const id of ids) this.#pending.add(id);
    return () => this.#release(ids);
  }

  /** In the transaction that stores renders: from then on they count themselves. */
  async #follow(session: Session, changes: readonly RecordChange[]): Promise<void> {
    if (this.#pending.size === 0) return;
    const stored = changes.flatMap(({ id }) => (this.#pending.has(id) ? id : []));
    if (stored.length > 0) await session.query(removal, [stored]);
  }

  /** Those that were not stored. */
  #release(ids: readonly string[]): void {
    for (const id of ids) this.#pending.delete(id);
    // While the database is away they end by themselves.
    this.#keeper.inTurn((session) => session.query(removal, [ids])).catch(() => undefined);
  }
}

/** Also takes those along that nobody has released. */
const removal = `DELETE FROM ${schemaName}.reservations WHERE render = ANY($1) OR until < now()`;

/** The limit of several servers together: the database has the times. While it is away, each counts for itself. */
export class SharedRateLimiter extends RateLimiter {
  readonly #keeper: Pick<PostgresKeeper, 'inTurn'>;

  constructor(
    keeper: Pick<PostgresKeeper, 'inTurn'>,
    ...rest: ConstructorParameters<typeof RateLimiter>
  ) {
    super(...rest);
    this.#keeper = keeper;
  }

  override async ask(): Promise<boolean> {
    if (!Number.isFinite(this.limit)) return true;
    try {
      const [row] = await this.#keeper.inTurn((session) =>
        session.query<{ ages: number[]; accepted: boolean }>(countStatement, [
          this.limit,
          this.window / 1000,
        ]),
      );
      const now = this.clock.steady();
      this.times = (row?.ages ?? []).map((age) => now - age * 1000);
      return row?.accepted ?? true;
    } catch {
      return this.take();
    }
  }
}

/** Counts a request unless it is one too many. The row is locked meanwhile, so servers do it one after the other. */
const countStatement = `
  WITH asked AS (SELECT extract(epoch FROM clock_timestamp())::float8 AS now),
  counted AS (
    INSERT INTO ${schemaName}.requests AS r (account, times) SELECT 'all', ARRAY[now] FROM asked
    ON CONFLICT (account) DO UPDATE SET times =
      (SELECT coalesce(array_agg(t ORDER BY t), '{}') FROM unnest(r.times) AS t WHERE t > excluded.times[1] - $2::float8)
      || CASE WHEN (SELECT count(*) FROM unnest(r.times) AS t WHERE t > excluded.times[1] - $2::float8) < $1::float8
              THEN excluded.times ELSE '{}' END
    RETURNING times)
  SELECT ARRAY(SELECT now - t FROM unnest(times) AS t ORDER BY t) AS ages, now = ANY(times) AS accepted FROM counted, asked`;
