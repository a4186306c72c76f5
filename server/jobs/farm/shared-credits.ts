/**
 * The credits of several servers: what each reserves is in the database, so that two that are asked at the same time
 * don't both give away the last. A reservation goes in the transaction that stores its render; one that is left over,
 * because its server was killed, ends by itself.
 */
import { ApiError } from '../../../shared/errors.ts';
import type { PostgresKeeper } from '../../store/postgres/keeper.ts';
import { isAway, type Session } from '../../store/postgres/session.ts';
import type { RecordChange } from '../../store/records.ts';
import { schemaName } from '../../store/schema-name.ts';
import { Credits, totalOf, type Cost } from '../credits.ts';

/** Minutes after which a reservation is void. Storing what is planned takes seconds. */
const validity = 5;

/** See above. Without an allowance nothing is reserved. */
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
