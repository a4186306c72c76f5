/** A PostgreSQL server of our own: the installed programs in a temporary folder, on a free port of this computer. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { findPostgres } from '../postgres-programs.mjs';

/** A server of ours in a temporary folder. */
export interface OwnPostgres {
  /** The address of its own database. */
  readonly url: string;
  /** See TestPostgres. */
  kill(): Promise<void>;
  /** See TestPostgres. */
  start(): Promise<void>;
  /** Ends it and removes its folder. */
  remove(): Promise<void>;
}

/** How often its start is tried. */
const mostTries = 30;

/** PostgreSQL refuses to run as root: then it is nobody. */
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const owner = isRoot ? { uid: nobody, gid: nobody } : {};

/**
 * Starts the installed server on a free port.
 *
 * @param more Settings such as `fsync=on`. Default: what tests need, which may lose everything with the power.
 * @throws Error if it is not installed. */
export async function startPostgres(more: readonly string[] = []): Promise<OwnPostgres> {
  const programs = findPostgres();
  if (programs === null) throw new Error('PostgreSQL is not installed');
  const folder = mkdtempSync(path.join(tmpdir(), 'framewright-postgres-'));
  if (isRoot) chownSync(folder, nobody, nobody);
  const user = ['-U', 'framewright', '-A', 'trust', '-E', 'UTF8', '--locale=C'];
  execFileSync(
    path.join(programs, 'initdb'),
    ['-D', path.join(folder, 'data'), ...user, '--no-sync'],
    { ...owner, stdio: 'ignore' },
  );
  const port = await freePort();
  const url = `postgres://framewright@127.0.0.1:${port}/postgres`;
  const settings = [
    ...['unix_socket_directories=', 'listen_addresses=127.0.0.1', 'fsync=off'],
    // Several servers and workers for each of several tests at the same time.
    'max_connections=400',
    ...more,
  ].flatMap((setting) => ['-c', setting]);
  let child: ChildProcess | null = null;
  const spawned = (): ChildProcess =>
    spawn(
      path.join(programs, 'postgres'),
      ['-D', path.join(folder, 'data'), '-p', String(port), ...settings],
      { ...owner, stdio: 'ignore', detached: true },
    );
  const start = async (): Promise<void> => {
    let tries = 1;
    child = spawned();
    for (;;) {
      const isUp = await runAt(url, 'SELECT 1').catch(() => null);
      if (isUp) return;
      if (child.exitCode !== null) {
        // Processes of the one that was killed may still have its memory.
        if (tries++ === mostTries) throw new Error(`PostgreSQL ended with ${child.exitCode}`);
        await pause(300);
        child = spawned();
      }
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
  await start();
  return {
    url,
    kill,
    start,
    async remove() {
      await kill();
      rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

/** Runs a statement at an address. */
export async function runAt(url: string, statement: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<pg.QueryResultRow>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** The address of a database of the server at another address. */
export function atDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
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
