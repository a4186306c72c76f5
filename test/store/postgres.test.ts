/** The store in PostgreSQL while connections, server and processes are killed: what was answered is there, once. */
import { fork } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import {
  createConnection,
  createServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../server/system/clock.ts';
import { DataFormatError } from '../../server/store/migrate.ts';
import { PostgresKeeper, type PostgresOptions } from '../../server/cluster/postgres/keeper.ts';
import type { Records } from '../../server/store/records.ts';
import { openStore, type Store } from '../../server/store/store.ts';
import { hasPostgres, usePostgres } from '../helpers/postgres.ts';
import { databasePlaces } from '../helpers/database-places.ts';

const schema = z.object({ _id: z.string(), value: z.number() });
type Doc = z.infer<typeof schema>;
const log = (): void => undefined;
const refusal = { code: 'cannot_save', status: 503 };

describe.runIf(hasPostgres)('records in PostgreSQL', () => {
  const postgres = usePostgres();
  const parts: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const part of parts.splice(0).reverse()) await part.close();
  });

  async function open(
    url: string,
    options: Partial<PostgresOptions> = {},
  ): Promise<{ keeper: PostgresKeeper; all: Records<Doc> }> {
    const keeper = await PostgresKeeper.open({ url, log, ...options });
    parts.push(keeper);
    return { keeper, all: await keeper.open('keys', schema) };
  }
  async function folder(): Promise<string> {
    const made = await mkdtemp(path.join(tmpdir(), 'framewright-test-'));
    parts.push({ close: () => rm(made, { recursive: true }) });
    return made;
  }
  const add = (all: Records<Doc>, id: string): Promise<Doc | null> =>
    all.put(id, (doc) => ({ _id: id, value: (doc?.value ?? 0) + 1 }));
  const stored = async (url: string): Promise<Record<string, number>> => {
    const rows = await postgres.run('SELECT id, doc FROM framewright.keys', url);
    return Object.fromEntries(
      rows.map(({ id, doc }) => [String(id), schema.parse(doc).value] as const),
    );
  };
  const inMemory = (all: Records<Doc>): Record<string, number> =>
    Object.fromEntries(all.all().map(({ _id, value }) => [_id, value]));
  const killConnections = (url: string): Promise<unknown> =>
    postgres.run(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'framewright' AND datname = current_database()`,
      url,
    );

  /** Adds to counters until told to stop. @returns how often each was answered. */
  function work(all: Records<Doc>): { stop(): Promise<Record<string, number>> } {
    let isOver = false;
    const answered: Record<string, number> = {};
    const one = async (id: string): Promise<void> => {
      while (!isOver) {
        await add(all, id);
        answered[id] = (answered[id] ?? 0) + 1;
      }
    };
    const workers = ['a', 'b', 'c', 'd', 'e'].map(one);
    return {
      async stop() {
        isOver = true;
        await Promise.all(workers);
        return answered;
      },
    };
  }

  test('F4: connections that are killed at random: every change is answered, and made once', async () => {
    const url = await postgres.create();
    const { all } = await open(url);
    const working = work(all);
    for (let round = 0; round < 25; round++) {
      await pause(Math.random() * 40);
      await killConnections(url);
    }
    const answered = await working.stop();
    expect(await stored(url)).toEqual(answered);
    expect(inMemory(all)).toEqual(answered);
    expect(Math.min(...Object.values(answered))).toBeGreaterThan(5);
  });

  test.runIf(postgres.isOurs)(
    'F4: a server that is killed: every change is answered, and made once',
    async () => {
      const url = await postgres.create();
      const { all } = await open(url, { patience: 60_000 });
      const working = work(all);
      for (let round = 0; round < 4; round++) {
        await pause(Math.random() * 150);
        await postgres.kill();
        await postgres.start();
      }
      const answered = await working.stop();
      expect(await stored(url)).toEqual(answered);
      expect(inMemory(all)).toEqual(answered);
    },
  );

  test('F4: a server program that is killed: all that it answered is there, and the next one starts at once', async () => {
    const url = await postgres.create();
    const place = await folder();
    const known = new Set<string>();
    for (let round = 0; round < 2; round++) {
      const program = await serve(place, url);
      const send = async (): Promise<void> => {
        const { id, status } = await program.createTemplate();
        if (status === 201) known.add(id);
      };
      let sent = 0;
      const sending = Array.from({ length: 4 }, async () => {
        for (;;) {
          await send();
          sent++;
        }
      });
      await expect.poll(() => sent).toBeGreaterThan(20);
      program.kill();
      await Promise.allSettled(sending);
    }
    const store = await openStore(place, log, systemClock, databasePlaces(url, log));
    parts.push(store);
    expect(known.size).toBeGreaterThan(40);
    expect([...known].filter((id) => !store.templates.find(id))).toEqual([]);
  });

  describe('a connection that breaks in the middle of a commit', () => {
    test.each([
      ['before the server has it', 'before'],
      ['before its answer comes back', 'after'],
    ] as const)('%s: the change is answered, and made once', async (_, when) => {
      const url = await postgres.create();
      const proxy = await Proxy.open(url);
      parts.push(proxy);
      const { all } = await open(proxy.url);
      await add(all, 'n');
      proxy.breakAtCommit = when;
      const [one, other] = await Promise.all([add(all, 'n'), add(all, 'n')]);
      expect([one?.value, other?.value]).toEqual([2, 3]);
      expect(proxy.broken).toBe(1);
      expect(await stored(url)).toEqual({ n: 3 });
      expect(inMemory(all)).toEqual({ n: 3 });
    });
  });

  test('F23: a database that stays away: changes are refused after a while, reads go on, and it comes back by itself', async () => {
    const url = await postgres.create();
    const proxy = await Proxy.open(url);
    parts.push(proxy);
    const { all } = await open(proxy.url, { patience: 200 });
    await add(all, 'n');
    proxy.isAway = true;
    const results = await Promise.allSettled([add(all, 'n'), all.remove('n'), add(all, 'm')]);
    for (const result of results) {
      expect(result).toMatchObject({
        reason: { ...refusal, message: expect.stringContaining('does not answer') as string },
      });
    }
    expect(inMemory(all)).toEqual({ n: 1 });
    proxy.isAway = false;
    await expect
      .poll(() =>
        add(all, 'n').then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    expect(await stored(url)).toEqual(inMemory(all));
    expect(inMemory(all)).toEqual({ n: 2 });
  });

  test('F23: the state names the reason while the database is away', async () => {
    const url = await postgres.create();
    const proxy = await Proxy.open(url);
    const store = await openStore(await folder(), log, systemClock, databasePlaces(proxy.url, log));
    parts.push(store, proxy);
    expect(store.health.problem).toBeNull();
    proxy.isAway = true;
    await expect.poll(() => store.health.problem).toBe('the database does not answer');
    expect(store.projects.list()).toHaveLength(1);
    proxy.isAway = false;
    await expect.poll(() => store.health.problem).toBeNull();
    await store.projects.insert('Later');
  });

  test('a value that the database does not take fails alone', async () => {
    const url = await postgres.create();
    const { all } = await open(url);
    await postgres.run('ALTER TABLE framewright.keys ADD CHECK (id <> $$bad$$)', url);
    const results = await Promise.allSettled(['a', 'bad', 'b'].map((id) => add(all, id)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: refusal });
    expect(await stored(url)).toEqual({ a: 1, b: 1 });
    expect(inMemory(all)).toEqual({ a: 1, b: 1 });
  });

  describe('several processes on one database', () => {
    const shared = { exclusive: false } as const;

    test('no change of one gets lost between those of the other, and both see all', async () => {
      const url = await postgres.create();
      const [one, other] = [await open(url, shared), await open(url, shared)];
      const turns = Array.from({ length: 60 }, (_, index) => index);
      await Promise.all(
        turns.flatMap((turn) => [add(one.all, `n${turn % 3}`), add(other.all, `n${turn % 3}`)]),
      );
      const expected = { n0: 40, n1: 40, n2: 40 };
      expect(await stored(url)).toEqual(expected);
      await expect.poll(() => inMemory(one.all)).toEqual(expected);
      await expect.poll(() => inMemory(other.all)).toEqual(expected);
      await one.all.remove('n0');
      await expect.poll(() => other.all.find('n0')).toBeNull();
    });

    test('what changes while a process does not listen reaches it when it is back', async () => {
      const url = await postgres.create();
      const proxy = await Proxy.open(url);
      parts.push(proxy);
      const away = await open(proxy.url, shared);
      const busy = await open(url, shared);
      await add(busy.all, 'old');
      await expect.poll(() => inMemory(away.all)).toEqual({ old: 1 });
      proxy.isAway = true;
      await busy.all.remove('old');
      for (let count = 0; count < 5; count++) await add(busy.all, 'new');
      expect(inMemory(away.all)).toEqual({ old: 1 });
      proxy.isAway = false;
      await expect.poll(() => inMemory(away.all)).toEqual({ new: 5 });
    });

    test('one that was away for too long reads everything again', async () => {
      const url = await postgres.create();
      const proxy = await Proxy.open(url);
      parts.push(proxy);
      const away = await open(proxy.url, shared);
      const busy = await open(url, shared);
      await add(busy.all, 'old');
      await expect.poll(() => inMemory(away.all)).toEqual({ old: 1 });
      proxy.isAway = true;
      await busy.all.remove('old');
      await add(busy.all, 'new');
      const last = '(SELECT max(seq) FROM framewright.changes)';
      await postgres.run(
        `DELETE FROM framewright.changes WHERE seq < ${last};
         UPDATE framewright.state SET forgotten = ${last} - 1`,
        url,
      );
      proxy.isAway = false;
      await expect.poll(() => inMemory(away.all)).toEqual({ new: 1 });
    });

    test('a database that was put back to an earlier state is read again', async () => {
      const url = await postgres.create();
      const proxy = await Proxy.open(url);
      parts.push(proxy);
      const { all } = await open(proxy.url, shared);
      await add(all, 'a');
      await add(all, 'b');
      proxy.isAway = true;
      await postgres.run(
        `DELETE FROM framewright.keys WHERE id = 'b'; DELETE FROM framewright.changes WHERE id = 'b'`,
        url,
      );
      proxy.isAway = false;
      await expect.poll(() => inMemory(all)).toEqual({ a: 1 });
    });

    test('a process hears of what others change, and sees all that was acknowledged before it asks', async () => {
      const url = await postgres.create();
      const one = await open(url, shared);
      const other = await open(url, shared);
      const heard: string[] = [];
      other.keeper.follow(({ collection, id, before, after }) => {
        const [old, now] = [before, after].map((doc) => (doc ? schema.parse(doc).value : '-'));
        heard.push(`${collection} ${id}: ${old} ${now}`);
      });
      for (let round = 1; round <= 20; round++) {
        await add(one.all, 'a');
        await other.keeper.sync();
        expect(other.all.find('a')?.value).toBe(round);
      }
      await one.all.remove('a');
      await add(other.all, 'own');
      await other.keeper.sync();
      expect(heard[0]).toBe('keys a: - 1');
      expect(heard.at(-1)).toBe('keys a: 20 -');
      expect(heard.join()).not.toContain('own');
    });

    test('one of them leads; another one does when it ends or loses its connection', async () => {
      const url = await postgres.create();
      const proxy = await Proxy.open(url);
      parts.push(proxy);
      const said: string[] = [];
      const all = [await open(proxy.url, shared), await open(url, shared)];
      for (const [index, { keeper }] of all.entries()) {
        keeper.lead((leads) => said.push(`${index} ${leads ? 'leads' : 'does not lead'}`));
        if (index === 0) await expect.poll(() => said).toEqual(['0 leads']);
      }
      proxy.isAway = true;
      // Which of the two hears first is chance.
      await expect.poll(() => [...said].sort()).toEqual(['0 does not lead', '0 leads', '1 leads']);
      proxy.isAway = false;
      await all[1]?.keeper.close();
      await expect.poll(() => said.at(-1)).toBe('0 leads');
    });

    test('what is told on a channel reaches all; who was away is told that something may be missing', async () => {
      const url = await postgres.create();
      const proxy = await Proxy.open(url);
      parts.push(proxy);
      const heard: (string | null)[] = [];
      const { keeper } = await open(proxy.url, shared);
      const teller = await open(url, shared);
      await keeper.listen('framewright_test', (text) => heard.push(text));
      const tell = (text: string): Promise<unknown> =>
        teller.keeper.inTurn((session) => session.all(`NOTIFY framewright_test, '${text}'`));
      await tell('one');
      await expect.poll(() => heard).toEqual(['one']);
      proxy.isAway = true;
      await tell('two');
      proxy.isAway = false;
      await expect.poll(() => heard).toEqual(['one', null]);
      await tell('three');
      await expect.poll(() => heard).toEqual(['one', null, 'three']);
    });

    test('what is done alongside a batch is undone with it, and a fault there refuses it', async () => {
      const url = await postgres.create();
      const { keeper, all } = await open(url, shared);
      await postgres.run('CREATE TABLE beside (id text)', url);
      keeper.addAlongside(async (session, changes) => {
        for (const { id } of changes) {
          await session.query('INSERT INTO beside VALUES ($1)', [id]);
          if (id === 'wrong') throw new Error('a fault of ours');
        }
      });
      await add(all, 'right');
      await expect(add(all, 'wrong')).rejects.toMatchObject({ code: 'cannot_save' });
      expect(await stored(url)).toEqual({ right: 1 });
      expect(await postgres.run('SELECT id FROM beside', url)).toEqual([{ id: 'right' }]);
    });

    test('one that has the database for itself finds it taken by those that share it', async () => {
      const url = await postgres.create();
      await open(url, shared);
      await expect(open(url)).rejects.toThrow(/another Framewright uses the database/);
    });

    test('the table of changes stays small', async () => {
      const url = await postgres.create();
      const { all } = await open(url, shared);
      await add(all, 'a');
      // As after many changes.
      await postgres.run(
        `INSERT INTO framewright.changes (collection, id)
         SELECT 'keys', 'a' FROM generate_series(1, 30000)`,
        url,
      );
      await add(all, 'a');
      await add(all, 'b');
      const [row] = await postgres.run(
        'SELECT count(*)::int AS count, min(seq)::int - 1 AS before FROM framewright.changes',
        url,
      );
      expect(row?.['count']).toBeLessThanOrEqual(20_001);
      const [state] = await postgres.run('SELECT forgotten::int FROM framewright.state', url);
      expect(state?.['forgotten']).toBe(row?.['before']);
      expect(await stored(url)).toEqual({ a: 2, b: 1 });
    });
  });

  describe('opening', () => {
    test('one server per database: the second is refused until the first has ended', async () => {
      const url = await postgres.create();
      const { keeper } = await open(url);
      await expect(PostgresKeeper.open({ url, log })).rejects.toThrow(
        /^127\.0\.0\.1:\d+\/\w+ can't be used: another Framewright uses the database\.$/,
      );
      await keeper.close();
      await open(url);
    });

    test('many that start at once make the tables once', async () => {
      const url = await postgres.create();
      const started = Array.from({ length: 5 }, () => open(url, { exclusive: false }));
      await Promise.all(started);
      const formats = await postgres.run('SELECT format FROM framewright.formats', url);
      expect(formats).toEqual([
        { format: 1 },
        { format: 2 },
        { format: 3 },
        { format: 4 },
        { format: 5 },
        { format: 6 },
      ]);
    });

    test('F28: a database of a newer version is not touched', async () => {
      const url = await postgres.create();
      await (await open(url)).keeper.close();
      await postgres.run('INSERT INTO framewright.formats (format) VALUES (99)', url);
      const opening = PostgresKeeper.open({ url, log });
      await expect(opening).rejects.toThrow(DataFormatError);
      await expect(opening).rejects.toThrow('(format 99, this version knows 6)');
    });

    test.each([
      ['not an address', /^--database: Expected an address such as postgres:\/\//],
      ['postgres://user:secret@127.0.0.1', /found 'postgres:\/\/…@127\.0\.0\.1'\.$/],
      [
        'postgres://u@127.0.0.1:1/x',
        /^127\.0\.0\.1:1\/x can't be used: the database does not answer\.$/,
      ],
    ])('%s is refused with a sentence', async (url, sentence) => {
      await expect(PostgresKeeper.open({ url, log })).rejects.toThrow(sentence);
    });

    test('a database that does not exist is named by the server’s words', async () => {
      const url = new URL(await postgres.create());
      url.pathname = '/nowhere';
      await expect(PostgresKeeper.open({ url: url.href, log })).rejects.toThrow(
        'can\'t be used: database "nowhere" does not exist.',
      );
    });
  });

  describe('folder and database', () => {
    const openAt = async (place: string, url?: string): Promise<Store> => {
      const store = await openStore(
        place,
        log,
        systemClock,
        url === undefined ? null : databasePlaces(url, log),
      );
      parts.push(store);
      return store;
    };

    test('a folder with records of its own is not opened with a database, whose cleaning would remove its files', async () => {
      const place = await folder();
      await (await openStore(place, log, systemClock)).close();
      await expect(openAt(place, await postgres.create())).rejects.toThrow(
        'has records of its own. Move them first: framewright migrate --from',
      );
    });

    test('a folder of a database is not opened without it, nor with another', async () => {
      const place = await folder();
      const [url, second] = [await postgres.create(), await postgres.create()];
      await (await openStore(place, log, systemClock, databasePlaces(url, log))).close();
      await expect(openAt(place)).rejects.toThrow(
        /are in the database .*: name it with --database/,
      );
      await expect(openAt(place, second)).rejects.toThrow(
        /belongs to the database .*is another one/,
      );
      await openAt(place, url);
    });

    test('a database is not opened with a new folder, which has none of its documents', async () => {
      const [home, other] = [await folder(), await folder()];
      const url = await postgres.create();
      await (await openStore(home, log, systemClock, databasePlaces(url, log))).close();
      await expect(openAt(other, url)).rejects.toThrow(`are in ${home} on `);
      // A home that moved to another place takes its binding along.
      const binding = await readFile(path.join(home, 'store', 'database.json'));
      await writeFile(path.join(other, 'store', 'database.json'), binding);
      await openAt(other, url);
    });
  });
});

/** `framewright serve` on a database, as its users start it. Needs dist/. */
async function serve(
  place: string,
  url: string,
): Promise<{ kill(): void; createTemplate(): Promise<{ id: string; status: number }> }> {
  const options = ['--port', '0', '--window-port', '0', '--no-samples', '--no-rate-limit'];
  const child = fork(
    path.join(import.meta.dirname, '..', '..', 'dist', 'server', 'cli.mjs'),
    ['serve', '--data', place, '--database', url, ...options],
    { silent: true },
  );
  const told = await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', () => reject(new Error('The server ended')));
  });
  const { apiUrl, apiKey } = z.object({ apiUrl: z.string(), apiKey: z.string() }).parse(told);
  return {
    kill: () => void child.kill('SIGKILL'),
    async createTemplate() {
      const answer = await fetch(`${apiUrl}/v2/templates`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'N', source: { elements: [] } }),
      });
      const { id } = z.object({ id: z.string() }).parse(await answer.json());
      return { id, status: answer.status };
    },
  };
}

/** Passes everything on to a server, and breaks connections where it is told to. */
class Proxy {
  readonly url: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isAway = false;
  /** Breaks the next connection that commits, before or after the server has got it. */
  breakAtCommit: 'before' | 'after' | null = null;
  /** How often that happened. */
  broken = 0;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async open(target: string): Promise<Proxy> {
    const { hostname, port } = new URL(target);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = new URL(target);
    // A server on a TCP port.
    url.port = String((server.address() as AddressInfo).port);
    url.hostname = '127.0.0.1';
    const proxy = new Proxy(server, url.href);
    server.on('connection', (client) => proxy.#pass(client, hostname, Number(port)));
    return proxy;
  }

  /** While true, connections are refused; those that there were are broken. */
  set isAway(isAway: boolean) {
    this.#isAway = isAway;
    if (isAway) this.#breakAll();
  }

  #breakAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #pass(client: Socket, host: string, port: number): void {
    if (this.#isAway) {
      client.destroy();
      return;
    }
    const server = createConnection(port, host);
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        // The server is to answer what it got, into nothing.
        server.end();
      });
    }
    let isBroken = false;
    server.on('data', (bytes) => {
      if (isBroken) client.destroy();
      else client.write(bytes);
    });
    client.on('data', (bytes) => {
      // Only changes have something to tell after it.
      const when = bytes.includes('COMMIT;') ? this.breakAtCommit : null;
      if (when) {
        this.breakAtCommit = null;
        this.broken++;
        isBroken = true;
      }
      if (when === 'before') this.#breakAll();
      else server.write(bytes);
    });
  }

  async close(): Promise<void> {
    this.#breakAll();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
