/** One statement of SQL, and its form without values beside it, in which several go to the server in one message. */

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
