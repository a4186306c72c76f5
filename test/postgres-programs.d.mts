/** The folder of PostgreSQL's programs; null where it is not installed. */
export function findPostgres(): string | null;
