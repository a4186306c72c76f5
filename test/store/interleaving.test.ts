/**
 * Transactions of several processes on one database that end in another order than they began: nobody misses one, and
 * none is overwritten.
 */
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { PostgresKeeper } from '../../server/cluster/postgres/keeper.ts';
import type { CollectionName, Records } from '../../server/store/records.ts';
import { hasPostgres, usePostgres } from '../helpers/postgres.ts';

const schema = z.object({ _id: z.string(), value: z.number() });
type Doc = z.infer<typeof schema>;

describe.runIf(hasPostgres)('transactions side by side', () => {
  const postgres = usePostgres();
  const parts: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const part of parts.splice(0).reverse()) await part.close();
  });

  async function open(
    url: string,
    name: CollectionName,
  ): Promise<{ keeper: PostgresKeeper; all: Records<Doc> }> {
    const keeper = await PostgresKeeper.open({ url, log: () => undefined, exclusive: false });
    parts.push(keeper);
    return { keeper, all: await keeper.open(name, schema) };
  }

  /** A connection that works by hand, as workers do: without the lock of changes. */
  async function connect(url: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    parts.push({ close: () => client.end() });
    return client;
  }

  const write = async (
    client: pg.Client,
    name: CollectionName,
    id: string,
    value: number,
  ): Promise<void> => {
    await client.query(
      `INSERT INTO framewright."${name}" (id, doc) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET doc = excluded.doc`,
      [id, { _id: id, value }],
    );
    await client.query('INSERT INTO framewright.changes (collection, id) VALUES ($1, $2)', [
      name,
      id,
    ]);
  };
  const put = (all: Records<Doc>, id: string): Promise<Doc | null> =>
    all.put(id, (doc) => ({ _id: id, value: (doc?.value ?? 0) + 1 }));

  test('one that began earlier and ends later is not missed, whoever looked in between', async () => {
    const url = await postgres.create();
    const [busy, reader] = [await open(url, 'keys'), await open(url, 'keys')];
    const [slow, slower] = [await connect(url), await connect(url)];
    await slow.query('BEGIN');
    await write(slow, 'keys', 'slow', 1);
    await slower.query('BEGIN');
    await write(slower, 'keys', 'slower', 1);
    for (let count = 0; count < 3; count++) await put(busy.all, 'fast');
    await reader.keeper.sync();
    // What was acknowledged is seen, although older ones are still open.
    expect(reader.all.all()).toEqual([{ _id: 'fast', value: 3 }]);
    await slow.query('COMMIT');
    await put(busy.all, 'fast');
    for (const { keeper, all } of [reader, busy]) {
      await keeper.sync();
      expect([all.find('fast')?.value, all.find('slow')?.value]).toEqual([4, 1]);
      expect(all.find('slower')).toBeNull();
    }
    await slower.query('COMMIT');
    for (const { keeper, all } of [reader, busy]) {
      await keeper.sync();
      expect(all.find('slower')?.value).toBe(1);
    }
  });

  test('more changes than are read at a time, of transactions that end in any order, all arrive', async () => {
    const url = await postgres.create();
    const reader = await open(url, 'keys');
    const clients = await Promise.all([1, 2, 3, 4].map(() => connect(url)));
    const count = 1_300;
    await Promise.all(
      clients.map(async (client, place) => {
        for (let part = 0; part < 4; part++) {
          await client.query('BEGIN');
          await client.query(
            `WITH made AS (
               INSERT INTO framewright.keys (id, doc)
               SELECT id, jsonb_build_object('_id', id, 'value', ${part})
               FROM (SELECT '${place}-${part}-' || number AS id FROM generate_series(1, ${count / 4}) AS number) AS ids
               RETURNING id)
             INSERT INTO framewright.changes (collection, id) SELECT 'keys', id FROM made`,
          );
          await reader.keeper.sync();
          await client.query(part === 2 && place === 0 ? 'ROLLBACK' : 'COMMIT');
        }
      }),
    );
    await reader.keeper.sync();
    expect(reader.all.all()).toHaveLength(4 * count - count / 4);
  });

  test('a server does not overwrite what a worker makes of a render at the same time', async () => {
    const url = await postgres.create();
    const { all } = await open(url, 'renders');
    await put(all, 'film');
    const worker = await connect(url);
    await worker.query('BEGIN');
    await write(worker, 'renders', 'film', 10);
    // It waits for the row, and then finds that it was changed.
    const change = put(all, 'film');
    await expect
      .poll(() =>
        postgres.run(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'`, url),
      )
      .toHaveLength(1);
    await worker.query('COMMIT');
    expect(await change).toEqual({ _id: 'film', value: 11 });
    expect(all.find('film')?.value).toBe(11);
  });

  test('changes that came with a backup of another server are read once', async () => {
    const url = await postgres.create();
    const first = await open(url, 'keys');
    await put(first.all, 'a');
    await first.keeper.close();
    // That server had counted far more transactions.
    await postgres.run(`UPDATE framewright.changes SET xid = '4000000000'`, url);
    const { keeper, all } = await open(url, 'keys');
    expect(all.find('a')?.value).toBe(1);
    const heard: string[] = [];
    keeper.follow(({ id }) => heard.push(id));
    await put(all, 'b');
    await keeper.sync();
    expect(heard).toEqual([]);
    const [row] = await postgres.run(
      `SELECT count(*)::int AS count FROM framewright.changes WHERE xid > pg_current_xact_id()`,
      url,
    );
    expect(row).toEqual({ count: 0 });
  });
});
