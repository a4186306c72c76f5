/**
 * Statements that are noted first and sent together: a transaction that holds a lock for one answer instead of many lets others
 * sooner have it.
 */
import type { QueryResultRow } from 'pg';
import type { Session } from './session.ts';
import type { Statement } from './statement.ts';

/** Takes down what is asked of it, in order, and answers each with no rows. Its statements may not depend on answers. */
export class NotedSession implements Session {
  readonly statements: Statement[] = [];
  readonly isNoted = true;
  readonly isOpen = true;

  query<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]> {
    this.statements.push({ text, ...(values && { values }) });
    return Promise.resolve([]);
  }

  all(text: string): Promise<readonly QueryResultRow[][]> {
    this.statements.push({ text });
    return Promise.resolve([]);
  }

  together(statements: readonly Statement[]): Promise<readonly QueryResultRow[][]> {
    this.statements.push(...statements);
    return Promise.resolve([]);
  }

  end(): void {
    // It has no connection.
  }
}
