/**
 * A render that a worker has taken from the queue of several. It changes the record in the database, in one transaction with the
 * job, and only while the attempt is its own: a worker that was given up, and comes back, changes nothing.
 */
import { randomBytes } from 'node:crypto';
import { isFinal } from '../../../shared/api.ts';
import { ApiError } from '../../../shared/errors.ts';
import { UnavailableError } from '../../store/health.ts';
import { tellOf, type PostgresKeeper } from '../../store/postgres/keeper.ts';
import { lockNumbers } from '../../store/postgres/locks.ts';
import { tableOf } from '../../store/postgres/migrations.ts';
import { schemaName } from '../../store/schema-name.ts';
import { isAway, type Session } from '../../store/postgres/session.ts';
import { changeRenderText, type StoredRender } from '../../store/renders.ts';
import type { JobQueue, Ticket } from './job-queue.ts';
import { forgetProgress } from './progress-board.ts';

/** Where claims change records. */
export interface ClaimPlace {
  readonly keeper: Pick<PostgresKeeper, 'inTurn' | 'lookAt'>;
  readonly jobs: JobQueue;
}

/** See above. */
export class Claim {
  readonly ticket: Ticket;
  readonly #place: ClaimPlace;
  readonly #madeBy: NonNullable<StoredRender['madeBy']>;
  /** The name of this attempt, as in the record and in its files. */
  readonly attempt: string;

  constructor(ticket: Ticket, madeBy: NonNullable<StoredRender['madeBy']>, place: ClaimPlace) {
    this.ticket = ticket;
    this.#madeBy = madeBy;
    this.#place = place;
    this.attempt = `${ticket.retryCount + 1}-${randomBytes(4).toString('hex')}`;
  }

  /** The render as it is; null if it is gone. @throws ApiError `cannot_save` while the database is away. */
  async look(): Promise<StoredRender | null> {
    const text = await this.#inTurn((session) => this.#read(session));
    return text === null ? null : (changeRenderText(text, (render) => render)?.render ?? null);
  }

  /**
   * Changes the render as RenderStore.change does; null also if the attempt is not its own any more.
   *
   * @throws ApiError `cannot_save` while the database is away.
   */
  change(
    id: string,
    make: (render: StoredRender) => StoredRender | null,
  ): Promise<StoredRender | null> {
    if (id !== this.ticket.id) throw new Error(`${id} is not the render of this claim`);
    return this.#inTurn(async (session) => {
      await session.all(`BEGIN; SELECT pg_advisory_xact_lock(${lockNumbers.changes})`);
      try {
        const changed = await this.#change(session, make);
        await session.all(changed ? `${tellOf(['renders'])}; COMMIT` : 'COMMIT');
        // A server that works by itself hears of others' changes, and this is not one.
        if (changed) this.#place.keeper.lookAt('renders');
        return changed;
      } catch (error) {
        await session.all('ROLLBACK').catch(() => undefined);
        throw error;
      }
    });
  }

  async #change(
    session: Session,
    make: (render: StoredRender) => StoredRender | null,
  ): Promise<StoredRender | null> {
    const { jobs } = this.#place;
    const { ticket, attempt } = this;
    const text = await this.#read(session);
    let isOver = text === null;
    const changed =
      text === null
        ? null
        : changeRenderText(text, (render) => {
            isOver = isFinal(render.status);
            if (isOver) return null;
            const made = make(render);
            return made && { ...made, attempt, madeBy: this.#madeBy };
          });
    // The job is its own as long as it is alive, and it ends with the attempt.
    const owned = await jobs.touch([ticket], session);
    if (!owned.has(ticket.id)) return null;
    if (!changed) {
      if (isOver) await jobs.end(ticket, session);
      return null;
    }
    const { render } = changed;
    await session.query(
      `WITH told AS (INSERT INTO ${schemaName}.changes (collection, id) VALUES ('renders', $1))
       UPDATE ${tableOf('renders')} SET doc = $2::text::jsonb WHERE id = $1`,
      [ticket.id, changed.text],
    );
    if (isFinal(render.status) || render.status === 'planned')
      await forgetProgress(session, ticket.id);
    if (isFinal(render.status)) {
      const reason = render.rendererStops === undefined ? undefined : render.errorMessage;
      await jobs.end(ticket, session, reason);
    } else if (render.status === 'planned') {
      await jobs.giveBack(ticket, session);
    }
    return render;
  }

  async #read(session: Session): Promise<string | null> {
    const [row] = await session.query<{ text: string }>(
      `SELECT doc::text AS text FROM ${tableOf('renders')} WHERE id = $1`,
      [this.ticket.id],
    );
    return row?.text ?? null;
  }

  /** Gives the job back as it was taken: nothing has begun. */
  async giveBack(): Promise<void> {
    await this.#inTurn((session) => this.#place.jobs.giveBack(this.ticket, session));
  }

  async #inTurn<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    try {
      return await this.#place.keeper.inTurn(work);
    } catch (error) {
      if (!isAway(error)) throw error;
      const reason = error instanceof UnavailableError ? error.message : 'the database is away';
      throw new ApiError('cannot_save', { reason });
    }
  }
}
