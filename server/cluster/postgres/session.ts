/**
 * One connection to PostgreSQL: opened, described in words, and told when it is gone. The library `pg` is loaded here
 * and only here, when a database was named: without one it need not be installed.
 */
import type { Client, QueryResultRow } from 'pg';
import { StartError } from '../../system/start-error.ts';
import { errorCode } from '../../system/files.ts';
import { UnavailableError } from '../../store/health.ts';
import { literalOf, withValues, type Statement } from './statement.ts';

/** The oldest PostgreSQL that has what the migrations use, as its `server_version_num`. */
const oldestVersion = 130_000;
/** Milliseconds to wait for a connection, and for one answer on it. */
const connectTimeout = 10_000;
const answerTimeout = 60_000;
/** The server ends a transaction of ours that does nothing for so long, so that a stopped process blocks no other. */
const idleTimeout = 15_000;
/** The most statements that a connection keeps prepared; further ones are planned each time. */
const mostPrepared = 100;

/** The name of a database without its password, for people: `host:port/name`. */
export function databaseName(url: string): string {
  try {
    const { hostname, port, pathname } = new URL(url);
    return `${hostname || 'localhost'}:${port || '5432'}${pathname}`;
  } catch {
    return 'the database';
  }
}

/**
 * Checks the form of an address.
 * @throws StartError with what was expected; it does not repeat the address's password.
 */
export function checkDatabaseUrl(url: string): void {
  const isValid = URL.canParse(url) && /^postgres(?:ql)?:$/.test(new URL(url).protocol);
  if (isValid && new URL(url).pathname.length > 1) return;
  const found = url.replace(/\/\/[^@/]*@/, '//…@');
  throw new StartError(
    `--database: Expected an address such as postgres://user:password@host:5432/name, found '${found}'.`,
  );
}

/** An open connection. Its queries run one after the other. */
export interface Session {
  /** Runs one statement with values. */
  query<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs several statements without values in one go. @returns the rows of each. */
  all(text: string): Promise<readonly QueryResultRow[][]>;
  /** Runs several statements with values in one go; one that fails ends them. @returns the rows of each. */
  together(statements: readonly Statement[]): Promise<readonly QueryResultRow[][]>;
  /** Tells who listens to a channel; within a transaction, once it is committed. @param text Default: none. */
  tell(channel: string, text?: string): Promise<void>;
  /** True if it only notes statements, to be sent later; answers are empty. */
  readonly isNoted?: boolean;
  /** False as soon as the connection is known to be gone. */
  readonly isOpen: boolean;
  /** Ends it; what was under way fails. */
  end(): void;
}

/** What a session tells. */
export interface SessionListeners {
  /** A message on a channel that is listened to. @param isOwn True for one that this connection has sent. */
  readonly onMessage: (channel: string, text: string, isOwn: boolean) => void;
  /** The connection is gone. Once. */
  readonly onEnd: () => void;
}

/**
 * Opens a connection.
 *
 * @throws StartError if `pg` is not installed or the server is too old, UnavailableError if the server can't be
 *   reached, and otherwise what the server says.
 */
export async function openSession(url: string, listeners: SessionListeners): Promise<Session> {
  const { default: pg } = await import('pg').catch((error: unknown) => {
    if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new StartError(
      "--database needs the package pg, which is not installed by default. Run 'npm install pg' in the program's folder.",
    );
  });
  const client = new pg.Client({
    connectionString: url,
    application_name: 'framewright',
    keepAlive: true,
    connectionTimeoutMillis: connectTimeout,
    query_timeout: answerTimeout,
    idle_in_transaction_session_timeout: idleTimeout,
  });
  const session = new OpenSession(client, listeners);
  try {
    await client.connect();
    // Our statements look up few rows: compiling them takes longer than all else, and their plans are the same for all
    // values.
    const [row] = await session.query<{ number: string; process: number }>(
      `SELECT current_setting('server_version_num') AS number, pg_backend_pid() AS process,
         set_config('jit', 'off', false), set_config('plan_cache_mode', 'force_generic_plan', false)`,
    );
    session.process = row?.process ?? 0;
    if (Number(row?.number) < oldestVersion) {
      throw new StartError(
        `--database: Expected PostgreSQL ${oldestVersion / 10_000} or newer, found ${Math.floor(Number(row?.number) / 10_000)}.`,
      );
    }
    return session;
  } catch (error) {
    session.end();
    throw isAway(error) ? new UnavailableError(awayWords, { cause: error }) : error;
  }
}

/** Why nothing can be saved while the database is away. */
export const awayWords = 'the database does not answer';

class OpenSession implements Session {
  readonly #client: Client;
  readonly #listeners: SessionListeners;
  isOpen = true;
  /** The server's process of this connection. */
  process = 0;
  /** Names of statements, by text. One that comes again is prepared: planning it takes longer than doing it. */
  readonly #names = new Map<string, string>();
  /** Those names that `together` has prepared. */
  readonly #prepared = new Set<string>();

  constructor(client: Client, listeners: SessionListeners) {
    this.#client = client;
    this.#listeners = listeners;
    client.on('notification', ({ channel, payload, processId }) => {
      listeners.onMessage(channel, payload ?? '', processId === this.process);
    });
    // Without a listener, a broken connection would end the process.
    client.on('error', () => this.end());
    client.on('end', () => this.end());
  }

  async query<Row extends QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    const name = this.#nameOf(text);
    const { rows } = await this.#ask(() =>
      this.#client.query<Row>({ text, values: [...values], ...(name !== null && { name }) }),
    );
    return rows;
  }

  /** The name under which a statement is prepared; null if it comes for the first time, or there are enough. */
  #nameOf(text: string): string | null {
    const name = this.#names.get(text);
    if (name === undefined && this.#names.size < mostPrepared)
      this.#names.set(text, `s${this.#names.size}`);
    return name ?? null;
  }

  async all(text: string): Promise<readonly QueryResultRow[][]> {
    const result: unknown = await this.#ask(() => this.#client.query(text));
    // Several statements have several results, which the types of `pg` leave out.
    const results = (Array.isArray(result) ? result : [result]) as { rows: QueryResultRow[] }[];
    return results.map(({ rows }) => rows);
  }

  async tell(channel: string, text = ''): Promise<void> {
    await this.query('SELECT pg_notify($1, $2)', [channel, text]);
  }

  async together(statements: readonly Statement[]): Promise<readonly QueryResultRow[][]> {
    const quote = (text: string): string => this.#client.escapeLiteral(text);
    const texts: string[] = [];
    for (const statement of statements) {
      const { text, values } = statement;
      const name = values ? this.#nameOf(text) : null;
      if (!values || name === null) {
        texts.push(withValues(statement, quote));
        continue;
      }
      // Not the names of `query`, which the library prepares by itself.
      const own = `t${name}`;
      if (!this.#prepared.has(own)) {
        await this.all(`PREPARE ${own} AS ${text}`);
        this.#prepared.add(own);
      }
      texts.push(`EXECUTE ${own}(${values.map((value) => literalOf(value, quote)).join(', ')})`);
    }
    return this.all(texts.join(';\n'));
  }

  async #ask<Result>(ask: () => Promise<Result>): Promise<Result> {
    if (!this.isOpen) throw new UnavailableError(awayWords);
    try {
      return await ask();
    } catch (error) {
      // What a connection does after a question without an answer is unknown.
      if (isAway(error)) this.end();
      throw error;
    }
  }

  end(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    // Not `end()`, which waits for the question under way.
    this.#client.connection.stream.destroy();
    this.#listeners.onEnd();
  }
}

/** We made a mistake, whatever the connection does. */
export class OwnFault extends Error {
  override readonly name = 'OwnFault';
}

/** The server's name for what statements of ours do on purpose, to undo a transaction that came too late. */
export const divisionByZero = '22012';

/** The SQLSTATE of an error that the server has sent; null for any other. */
export function sqlState(error: unknown): string | null {
  const code = errorCode(error);
  return code !== undefined && /^[\dA-Z]{5}$/.test(code) && !code.startsWith('E') ? code : null;
}

/** True if an error means that the server or the connection to it is gone, perhaps for a moment. */
export function isAway(error: unknown): boolean {
  if (error instanceof UnavailableError) return true;
  if (error instanceof StartError || error instanceof OwnFault) return false;
  const state = sqlState(error);
  // Errors of the network and of `pg` itself have no SQLSTATE.
  if (state === null) return true;
  // Connections, shutdowns, idle transactions, too many connections; a server that became a standby.
  return /^(?:08|57P0[1-5]|25P03|53300|25006)/.test(state);
}
