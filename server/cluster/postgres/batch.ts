/** A batch of changes: computed one after the other, and written with all that is done alongside in one transaction. */
import type { QueryResultRow } from 'pg';
import { describeError } from '../../system/log.ts';
import { asError, type CollectionName, type RecordChange } from '../../store/records.ts';
import { schemaName, type Statement } from './statement.ts';
import type { Computed, Waiting } from './collection.ts';
import { OwnFault, type Session, sqlState } from './session.ts';
import { batchStatement, type Position, refuseChanged } from './statements.ts';

/** How many of the newest changes stay in the table for processes that were away; later ones load everything again. */
const keptChanges = 20_000;
/** Older ones are removed once there are so many. */
const tidyEvery = 5_000;

/** Where changes of records are told, with the names of their collections. */
export const changesChannel = `${schemaName}_changes`;
/**
 * Where it is told that nothing but renders has changed, which is most often: those that have none in memory need not
 * hear of it.
 */
export const rendersChannel = `${schemaName}_changed_renders`;

/** Tells all others of changes; those without these collections need not look. */
export function tellOf(session: Session, names: readonly CollectionName[]): Promise<void> {
  const isRenders = names.every((name) => name === 'renders');
  return isRenders ? session.tell(rendersChannel) : session.tell(changesChannel, names.join(','));
}

/**
 * What is done in the transaction of a batch, with the changes that it makes. The session notes statements and answers
 * nothing.
 */
export type Alongside = (session: Session, changes: readonly RecordChange[]) => Promise<void>;

/** What a transaction that may change records begins with. */
export interface Begun {
  /** The number of its first change, drawn while it has the lock. */
  readonly mark: number;
  /** Changes up to this one are forgotten. */
  readonly forgotten: number;
  /** What memory contains. */
  readonly position: Position;
  readonly alongside: readonly Alongside[];
}

/** What writes a batch and ends its transaction; none if it changes nothing. */
export async function statementsOf(
  left: readonly Waiting[],
  computed: readonly Computed[],
  { mark, forgotten, position, alongside }: Begun,
): Promise<readonly Statement[]> {
  const statement = batchStatement(left, computed, mark);
  if (!statement) return [];
  const noted = new NotedSession();
  const changed = computed.flatMap(({ before }, index) =>
    before && left[index]?.collection.name === 'renders' ? before._id : [],
  );
  if (changed.length > 0) noted.statements.push(...refuseChanged(changed, position));
  noted.statements.push(statement);
  await doAlongside(noted, alongside, changesOf(left, computed));
  if (mark - forgotten > keptChanges + tidyEvery) await forgetChanges(noted, mark - keptChanges);
  await tellOf(noted, namesOf(left, computed));
  noted.commit();
  return noted.statements;
}

/** What a batch makes of records, in order. */
function changesOf(left: readonly Waiting[], computed: readonly Computed[]): RecordChange[] {
  return computed.flatMap(({ row, before, after }, index) => {
    const collection = left[index]?.collection.name;
    return row && collection ? { collection, id: row.id, before, after } : [];
  });
}

async function doAlongside(
  session: Session,
  alongside: readonly Alongside[],
  changes: readonly RecordChange[],
): Promise<void> {
  try {
    for (const one of alongside) await one(session, changes);
  } catch (error) {
    // An error of ours is not a database that is away, for which changes would wait.
    if (sqlState(error) !== null) throw error;
    throw new OwnFault(describeError(error), { cause: error });
  }
}

/** The collections that a batch changes. */
function namesOf(changes: readonly Waiting[], computed: readonly Computed[]): CollectionName[] {
  const names = changes.flatMap(({ collection }, index) =>
    computed[index]?.row ? collection.name : [],
  );
  return [...new Set(names)];
}

/** Computes changes one after the other; those that can't be are refused, and left out. */
export function compute(batch: readonly Waiting[]): [Waiting[], Computed[]] {
  for (const { collection } of batch) collection.startBatch();
  const left: Waiting[] = [];
  const computed: Computed[] = [];
  for (const change of batch) {
    try {
      computed.push(change.compute());
      left.push(change);
    } catch (error) {
      change.reject(asError(error));
    }
  }
  return [left, computed];
}

/** Removes changes up to one that nobody should need any more; who does loads everything. */
async function forgetChanges(session: Session, seq: number): Promise<void> {
  await session.query(`DELETE FROM ${schemaName}.changes WHERE seq <= $1`, [seq]);
  await session.query(`UPDATE ${schemaName}.state SET forgotten = greatest(forgotten, $1)`, [seq]);
}

// Statements that are noted first and sent together: a transaction that holds a lock for one answer instead of many
// lets others sooner have it.

/**
 * Takes down what is asked of it, in order, and answers each with no rows. Its statements may not depend on answers.
 */
export class NotedSession implements Session {
  readonly statements: Statement[] = [];
  readonly isNoted = true;
  /** What to tell when it is committed. */
  readonly #told: (readonly [channel: string, text: string])[] = [];
  readonly isOpen = true;

  query<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]> {
    this.statements.push({ text, ...(values && { values }) });
    return Promise.resolve([]);
  }

  all(text: string): Promise<readonly QueryResultRow[][]> {
    this.statements.push({ text });
    return Promise.resolve([]);
  }

  tell(channel: string, text = ''): Promise<void> {
    this.#told.push([channel, text]);
    return Promise.resolve();
  }

  /**
   * Notes the end of the transaction, and after it what is to be told: within it, the server would have all others who
   * tell something wait until it is on the disk.
   */
  commit(): void {
    this.statements.push({ text: 'COMMIT' });
    if (this.#told.length === 0) return;
    const calls = this.#told.map((_, index) => `pg_notify($${2 * index + 1}, $${2 * index + 2})`);
    this.statements.push({ text: `SELECT ${calls.join(', ')}`, values: this.#told.flat() });
  }

  together(statements: readonly Statement[]): Promise<readonly QueryResultRow[][]> {
    this.statements.push(...statements);
    return Promise.resolve([]);
  }

  end(): void {
    // It has no connection.
  }
}
