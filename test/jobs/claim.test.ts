/**
 * A claim on a render changes its record in one step, and only while the job is its own and the record is as it was
 * seen.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../server/system/clock.ts';
import { Claim, LateWord } from '../../server/cluster/jobs/claim.ts';
import { JobQueue } from '../../server/cluster/jobs/job-queue.ts';
import { PostgresKeeper } from '../../server/cluster/postgres/keeper.ts';
import { openSession } from '../../server/cluster/postgres/session.ts';
import { firstProject } from '../../server/store/projects.ts';
import type { NewRender, StoredRender } from '../../server/store/render-record.ts';
import { openStore, type Store } from '../../server/store/store.ts';
import { hasPostgres, usePostgres } from '../helpers/postgres.ts';
import { databasePlaces } from '../helpers/database-places.ts';

const log = (): void => undefined;
const begun = (render: StoredRender): StoredRender => ({
  ...render,
  status: 'waiting',
  attempts: render.attempts + 1,
});
const failed = (render: StoredRender): StoredRender => ({
  ...render,
  status: 'failed',
  errorMessage: "it's \\ over, $1",
});

describe.runIf(hasPostgres)('claims', () => {
  const postgres = usePostgres();
  const parts: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const part of parts.splice(0).reverse()) await part.close();
  });

  /** A server's store, and a worker beside it, with one render that waits. */
  async function farm(): Promise<{
    url: string;
    id: string;
    store: Store;
    sync: () => Promise<void>;
    jobs: JobQueue;
    claim: () => Promise<Claim>;
  }> {
    const url = await postgres.create();
    const home = await mkdtemp(path.join(tmpdir(), 'framewright-test-'));
    parts.push({ close: () => rm(home, { recursive: true }) });
    const places = databasePlaces(url, log, home);
    const store = await openStore(home, log, systemClock, places);
    parts.push(store);
    const jobs = await JobQueue.open({ url, log, supervises: false });
    parts.push(jobs);
    places.keeper?.addAlongside((session, changes) => jobs.follow(session, changes));
    const keeper = await PostgresKeeper.open({ url, log, exclusive: false });
    parts.push(keeper);
    const id = randomUUID();
    const waiting: NewRender = {
      ...{ id, project: firstProject, status: 'planned', outputFormat: 'png' },
      ...{ createdAt: Date.now(), attempts: 0, request: {} },
    };
    await store.renders.insert(waiting, {});
    const claim = async (): Promise<Claim> => {
      const ticket = await jobs.take();
      if (!ticket) throw new Error('there is no job');
      const word = new LateWord(keeper);
      return new Claim(ticket, { machine: 'test', version: '1' }, { keeper, jobs, word });
    };
    const sync = async (): Promise<void> => places.keeper?.sync();
    return { url, id, store, sync, jobs, claim };
  }
  const jobOf = async (url: string, id: string): Promise<unknown> =>
    (await postgres.run(`SELECT state FROM framewright_jobs.job WHERE id = '${id}'`, url))[0]?.[
      'state'
    ];

  test('it begins and ends its render, and the job with it', async () => {
    const { url, id, store, sync, claim } = await farm();
    const own = await claim();
    await own.look();
    expect(await own.change(id, begun)).toMatchObject({ status: 'waiting', attempts: 1 });
    expect(await jobOf(url, id)).toBe('active');
    expect(await own.change(id, failed)).toMatchObject({ status: 'failed' });
    expect(await jobOf(url, id)).toBe('completed');
    await sync();
    expect(store.renders.find(id)).toMatchObject({
      status: 'failed',
      attempts: 1,
      attempt: own.attempt,
      errorMessage: "it's \\ over, $1",
    });
    expect(await own.change(id, begun)).toBeNull();
  });

  test('what others changed since it looked stays', async () => {
    const { id, store, sync, claim } = await farm();
    const own = await claim();
    await own.look();
    await store.renders.change(id, (render) => ({ ...render, place: 7 }));
    expect(await own.change(id, begun)).toMatchObject({ status: 'waiting', place: 7 });
    await sync();
    expect(store.renders.find(id)).toMatchObject({ status: 'waiting', place: 7 });
  });

  test('it changes nothing once somebody has ended the render', async () => {
    const { url, id, store, claim } = await farm();
    const own = await claim();
    await own.look();
    await store.renders.change(id, (render) => ({ ...render, status: 'failed', cancelled: true }));
    expect(await own.change(id, begun)).toBeNull();
    expect(store.renders.find(id)).toMatchObject({ status: 'failed', attempts: 0 });
    expect(await jobOf(url, id)).toBe('cancelled');
  });

  test('it changes nothing once its job is another one’s, also while the record is as it was', async () => {
    const { id, store, sync, jobs, claim } = await farm();
    const lost = await claim();
    await lost.look();
    await lost.giveBack();
    expect(await lost.change(id, begun)).toBeNull();
    const next = await claim();
    expect(next.ticket.retryCount).toBe(lost.ticket.retryCount + 1);
    expect(await lost.change(id, failed)).toBeNull();
    await next.look();
    expect(await next.change(id, begun)).toMatchObject({ attempts: 1, attempt: next.attempt });
    expect(await lost.change(id, failed)).toBeNull();
    await sync();
    expect(store.renders.find(id)).toMatchObject({ status: 'waiting', attempt: next.attempt });
    expect([...(await jobs.touch([next.ticket]))]).toEqual([id]);
  });

  test('statements that are sent together take values as those that are sent alone', async () => {
    const session = await openSession(await postgres.create(), {
      onMessage: () => undefined,
      onEnd: () => undefined,
    });
    parts.push({ close: () => session.end() });
    const texts = ['', "it's", 'a\\b', '$1', '"{}",;', '😀', 'NULL', null];
    const text =
      'SELECT $1::text[] AS list, $2::int AS number, $3::text AS text, $4::boolean AS yes, $5::jsonb AS doc, $6::text AS none, $7::timestamptz AS at';
    const at = new Date(1_700_000_000_123);
    const values = [texts, -3, "$1 \\ ' $2", true, JSON.stringify({ a: ["'", '\\'] }), null, at];
    const both = [{ text, values }, { text: 'SELECT 1' }, { text, values }];
    // The first has its values in place; from the second on the statement is prepared.
    const [first, , second] = await session.together(both);
    const alone = await session.query(text, values);
    const [third] = await session.together(both);
    expect(alone).toEqual([
      {
        list: texts,
        number: -3,
        text: values[2],
        yes: true,
        doc: { a: ["'", '\\'] },
        none: null,
        at,
      },
    ]);
    expect(first).toEqual(alone);
    expect(second).toEqual(alone);
    expect(third).toEqual(alone);
    await expect(
      session.together([{ text: 'SELECT $1::text', values: ['a\0b'] }]),
    ).rejects.toMatchObject({ code: '22021' });
    expect(session.isOpen).toBe(true);
  });
});
