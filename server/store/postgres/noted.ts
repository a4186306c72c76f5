/**
 * Statements that are noted first and sent together: a transaction that holds a lock for one answer instead of many lets others
 * sooner have it.
 */
import type { QueryResultRow } from 'pg';
import type { Session } from './session.ts';

/** A statement with the values of its `$1`, `$2` … */
export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
}

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

/**
 * A statement with its values in place, which servers take as they take values beside it: as text whose type follows from where
 * it stands.
 *
 * @param quote Makes a string a literal.
 * @throws an error with the server's own state for a zero character, which ends a text sent in this way.
 */
export function withValues({ text, values }: Statement, quote: (text: string) => string): string {
  if (!values) return text;
  return text.replace(/\$(\d+)/g, (_, number: string) => {
    const value = textOf(values[Number(number) - 1]);
    if (value === null) return 'NULL';
    if (value.includes('\0')) {
      throw Object.assign(new Error('invalid byte sequence for encoding "UTF8": 0x00'), {
        code: '22021',
      });
    }
    // Two words that meet here would be one.
    return ` ${quote(value)}`;
  });
}

/** A value as the server reads it; null for its NULL. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) {
    const items = value.map((item) => {
      const text = textOf(item);
      return text === null ? 'NULL' : `"${text.replace(/["\\]/g, '\\$&')}"`;
    });
    return `{${items.join(',')}}`;
  }
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return JSON.stringify(value);
}
