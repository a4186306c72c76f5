/**
 * Statements that are noted first and sent together: a transaction that holds a lock for one answer instead of many
 * lets others sooner have it.
 */
import type { QueryResultRow } from 'pg';
import type { Session } from './session.ts';
import type { Statement } from './statement.ts';

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
