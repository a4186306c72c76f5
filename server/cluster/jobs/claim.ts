/**
 * A render that a worker has taken from the queue of several. It changes the record in the database, in one transaction
 * with the job, and only while the attempt is its own: a worker that was given up, and comes back, changes nothing.
 */
import { randomBytes } from 'node:crypto';
import { isFinal } from '../../../shared/api.ts';
import { ApiError } from '../../../shared/errors.ts';
import { UnavailableError } from '../../store/health.ts';
import { NotedSession, tellOf } from '../postgres/batch.ts';
import type { PostgresKeeper } from '../postgres/keeper.ts';
import { tableOf } from '../postgres/migrations.ts';
import { schemaName } from '../postgres/statement.ts';
import { divisionByZero, isAway, type Session, sqlState } from '../postgres/session.ts';
import { changeRenderText, type StoredRender } from '../../store/render-record.ts';
import { forgetDocumentText } from './documents.ts';
import type { JobQueue, Ticket } from './job-queue.ts';
import { forgetProgressText } from './progress-board.ts';

/** Where claims change records. */
export interface ClaimPlace {
  readonly keeper: Pick<PostgresKeeper, 'inTurn' | 'lookAt'>;
  readonly jobs: JobQueue;
  /** Tells of what the claims of this worker begin. */
  readonly word: LateWord;
}

/** A record that was changed, as text and as read. */
type ChangedRender = NonNullable<ReturnType<typeof changeRenderText>>;

/** See above. */
export class Claim {
  readonly ticket: Ticket;
  readonly #place: ClaimPlace;
  readonly #madeBy: NonNullable<StoredRender['madeBy']>;
  /** The name of this attempt, as in the record and in its files. */
  readonly attempt: string;
  /** The record as it was read or written last; null: that is unknown. */
  #known: string | null = null;

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
      try {
        const known = this.#known;
        const changed =
          (known !== null && (await this.#changeKnown(session, known, make))) ||
          (await this.#change(session, make));
        // A server that works by itself hears of others' changes, and this is not one.
        if (changed) this.#place.keeper.lookAt('renders');
        return changed;
      } catch (error) {
        await session.all('ROLLBACK').catch(() => undefined);
        throw error;
      }
    });
  }

  /**
   * Changes the record as it was last seen, in one step.
   *
   * @returns null if it has changed since, the job is not its own any more, or there is nothing to change.
   */
  async #changeKnown(
    session: Session,
    known: string,
    make: (render: StoredRender) => StoredRender | null,
  ): Promise<StoredRender | null> {
    const { changed } = this.#compute(known, make);
    if (!changed) return null;
    try {
      await this.#write(session, changed, known);
    } catch (error) {
      if (sqlState(error) !== divisionByZero) throw error;
      await session.all('ROLLBACK');
      return null;
    }
    this.#known = changed.text;
    return changed.render;
  }

  /**
   * Writes the record and what goes with it, and ends the transaction, which is begun if the record is written only as
   * it was known.
   *
   * @throws the server's division by zero if it is not as it was known, or the job is not its own any more: nothing is
   * written.
   */
  async #write(
    session: Session,
    { text, render }: ChangedRender,
    known: string | null,
  ): Promise<void> {
    const { jobs, word } = this.#place;
    const { id, retryCount } = this.ticket;
    const isEnd = isFinal(render.status);
    const isBack = render.status === 'planned';
    const isOwn = `AND doc = $3::text::jsonb AND ${jobs.ownedSql('$1::text::uuid', '$4::int')}`;
    const parts = [
      `kept AS (
         UPDATE ${tableOf('renders')} SET doc = $2::text::jsonb WHERE id = $1::text ${known === null ? '' : isOwn} RETURNING id)`,
      `told AS (INSERT INTO ${schemaName}.changes (collection, id) SELECT 'renders', id FROM kept)`,
      ...(isEnd || isBack ? [`far AS (${forgetProgressText('IN (SELECT id FROM kept)')})`] : []),
    ];
    const kept = {
      text: `WITH ${parts.join(', ')} SELECT 1 / count(*) FROM kept`,
      values: known === null ? [id, text] : [id, text, known, retryCount],
    };
    if (known !== null && !isEnd && !isBack) {
      // Alone it is a transaction of its own.
      await session.query(kept.text, kept.values);
      word.soon();
      return;
    }
    const noted = new NotedSession();
    if (known !== null) await noted.all('BEGIN');
    noted.statements.push(kept);
    if (isEnd) {
      // Apart, so that it sees a document that a new leader has added while the record waited for it.
      noted.statements.push({ text: forgetDocumentText('= $1'), values: [id] });
      const reason = render.rendererStops === undefined ? undefined : render.errorMessage;
      await jobs.end(this.ticket, noted, reason);
    } else if (isBack) {
      await jobs.giveBack(this.ticket, noted);
    }
    await tellOf(noted, ['renders']);
    noted.commit();
    await session.together(noted.statements);
    word.told();
  }

  async #change(
    session: Session,
    make: (render: StoredRender) => StoredRender | null,
  ): Promise<StoredRender | null> {
    const { jobs } = this.#place;
    const { ticket } = this;
    await session.all('BEGIN');
    // Nobody else changes it until the end.
    const text = await this.#read(session, 'FOR UPDATE');
    const { changed, isOver } = this.#compute(text, make);
    // The job is its own as long as it is alive, and it ends with the attempt.
    const owned = await jobs.touch([ticket], session);
    const isOwn = owned.has(ticket.id);
    if (!isOwn || !changed) {
      if (isOwn && isOver) await jobs.end(ticket, session);
      await session.all('COMMIT');
      return null;
    }
    await this.#write(session, changed, null);
    this.#known = changed.text;
    return changed.render;
  }

  #compute(
    text: string | null,
    make: (render: StoredRender) => StoredRender | null,
  ): { readonly changed: ChangedRender | null; readonly isOver: boolean } {
    let isOver = text === null;
    const changed =
      text === null
        ? null
        : changeRenderText(text, (render) => {
            isOver = isFinal(render.status);
            const made = isOver ? null : make(render);
            return made && { ...made, attempt: this.attempt, madeBy: this.#madeBy };
          });
    return { changed, isOver };
  }

  async #read(session: Session, lock = ''): Promise<string | null> {
    const [row] = await session.query<{ text: string }>(
      `SELECT doc::text AS text FROM ${tableOf('renders')} WHERE id = $1 ${lock}`,
      [this.ticket.id],
    );
    this.#known = row?.text ?? null;
    return this.#known;
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

// Servers are told of begun renders a little later: each word wakes every process that listens for anything, and a
// small render has ended before, of which they hear at once.

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
