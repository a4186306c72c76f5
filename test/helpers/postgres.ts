/**
 * A PostgreSQL server for tests: the one that `DATABASE_URL` names, or one of the installed programs in a temporary folder, on a
 * free port of this computer, which ends with the test. Without both, the tests that need it are left out and say so.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { findPostgres } from '../postgres-programs.mjs';

const named = process.env['DATABASE_URL'];

const programs = findPostgres();

/**
 * Makes a database of the server that `API_DATABASE` names, for one server under test: so any test over HTTP runs on PostgreSQL.
 * @returns its address, and what removes it; null if that is not wanted.
 */
export async function apiDatabase(): Promise<{ url: string; remove(): Promise<void> } | null> {
  const base = process.env['API_DATABASE'];
  if (base === undefined) return null;
  const name = `framewright_api_${randomUUID().replaceAll('-', '')}`;
  await runAt(base, `CREATE DATABASE ${name}`);
  const url = new URL(base);
  url.pathname = `/${name}`;
  const remove = async (): Promise<void> => {
    await runAt(base, `DROP DATABASE ${name} WITH (FORCE)`);
  };
  return { url: url.href, remove };
}

/** Runs a statement at an address. */
async function runAt(url: string, statement: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<pg.QueryResultRow>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** True if there is a PostgreSQL to test with. */
export const hasPostgres = named !== undefined || programs !== null;
if (!hasPostgres) {
  console.log(
    'Left out: tests on PostgreSQL; it is not installed (apt-get install postgresql), and DATABASE_URL names none.',
  );
}

/** A server for the tests of one file. */
export interface TestPostgres {
  /** Makes an empty database. @returns its address. */
  create(): Promise<string>;
  /** Runs a statement in a database, or in the server's own. */
  run(statement: string, url?: string): Promise<pg.QueryResultRow[]>;
  /** True if it is ours, so that it may be killed. */
  readonly isOurs: boolean;
  /** Kills all of the server at once, like a power cut of its computer; the files stay. */
  kill(): Promise<void>;
  /** Starts it again on the same files and port. */
  start(): Promise<void>;
}

/** PostgreSQL refuses to run as root: then it is nobody. */
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const owner = isRoot ? { uid: nobody, gid: nobody } : {};

/** A server that lives as long as the tests of this file. Call at the top of a file or of `describe`. */
export function usePostgres(): TestPostgres {
  let folder: string | null = null;
  let port = 0;
  let child: ChildProcess | null = null;
  let base = named ?? '';
  let count = 0;
  const made: string[] = [];

  const run = (statement: string, url = base): Promise<pg.QueryResultRow[]> =>
    runAt(url, statement);
  const start = async (): Promise<void> => {
    if (programs === null || folder === null) return;
    const settings = ['unix_socket_directories=', 'listen_addresses=127.0.0.1', 'fsync=off'];
    child = spawn(
      path.join(programs, 'postgres'),
      ['-D', path.join(folder, 'data'), '-p', String(port), ...settings.flatMap((s) => ['-c', s])],
      { ...owner, stdio: 'ignore', detached: true },
    );
    for (;;) {
      const isUp = await run('SELECT 1').catch(() => null);
      if (isUp) return;
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`);
      await pause(30);
    }
  };
  const kill = async (): Promise<void> => {
    const { pid } = child ?? {};
    if (!child || pid === undefined) return;
    const ended = new Promise((resolve) => child?.once('exit', resolve));
    // Its processes for connections are in groups of their own; they end when they miss the first.
    process.kill(-pid, 'SIGKILL');
    await ended;
    child = null;
  };

  beforeAll(async () => {
    if (named !== undefined || programs === null) return;
    folder = mkdtempSync(path.join(tmpdir(), 'framewright-postgres-'));
    if (isRoot) chownSync(folder, nobody, nobody);
    const user = ['-U', 'framewright', '-A', 'trust', '-E', 'UTF8', '--locale=C'];
    execFileSync(
      path.join(programs, 'initdb'),
      ['-D', path.join(folder, 'data'), ...user, '--no-sync'],
      { ...owner, stdio: 'ignore' },
    );
    port = await freePort();
    base = `postgres://framewright@127.0.0.1:${port}/postgres`;
    await start();
  });
  afterAll(async () => {
    if (named !== undefined)
      for (const name of made) await run(`DROP DATABASE ${name} WITH (FORCE)`);
    await kill();
    if (folder !== null) rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  });

  return {
    isOurs: named === undefined,
    run,
    kill,
    start,
    async create() {
      const name = `framewright_test_${process.pid}_${count++}`;
      await run(`CREATE DATABASE ${name}`);
      made.push(name);
      const url = new URL(base);
      url.pathname = `/${name}`;
      return url.href;
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}
