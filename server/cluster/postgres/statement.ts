/** One statement of SQL, and its form without values beside it, in which several go to the server in one message. */

/** Where all tables of ours are in a database, beside whatever else it has. Apart, so that naming it loads nothing. */
export const schemaName = 'framewright';

// The locks that processes on one database agree by. PostgreSQL releases them with the connection or transaction that
// has them.

/** The first number is ours in any database; the second says what is locked. Ready for `pg_advisory_lock(…)`. */
export const lockNumbers = {
  /** Held by a transaction that changes tables. */
  migration: '1181904487, 1',
  /** Held by a transaction of a server that changes records: it computes them from what it has in memory. */
  changes: '1181904487, 2',
  /** Held by the process that has the database for itself, and shared by those that share it. */
  server: '1181904487, 3',
  /** Held by the one of several servers that does what must be done once. */
  leader: '1181904487, 4',
  /** Held by a server that starts: what it makes at its first start is made once. */
  start: '1181904487, 5',
} as const;

/** Begins a transaction that changes records, after those of all other servers. */
export const beginChange: readonly Statement[] = [
  { text: 'BEGIN' },
  { text: `SELECT pg_advisory_xact_lock(${lockNumbers.changes})` },
];

/** A statement with the values of its `$1`, `$2` … */
export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
}

/**
 * A statement with its values in place, which servers take as they take values beside it: as text whose type follows
 * from where it stands.
 *
 * @param quote Makes a string a literal.
 * @throws an error with the server's own state for a zero character, which ends a text sent in this way.
 */
export function withValues({ text, values }: Statement, quote: (text: string) => string): string {
  if (!values) return text;
  // Two words that meet here would be one.
  return text.replace(
    /\$(\d+)/g,
    (_, number: string) => ` ${literalOf(values[Number(number) - 1], quote)}`,
  );
}

/** A value as it stands in a statement. @param quote See `withValues`. @throws as `withValues`. */
export function literalOf(value: unknown, quote: (text: string) => string): string {
  const text = textOf(value);
  if (text === null) return 'NULL';
  if (text.includes('\0')) {
    throw Object.assign(new Error('invalid byte sequence for encoding "UTF8": 0x00'), {
      code: '22021',
    });
  }
  return quote(text);
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
