/** Several servers and workers on one PostgreSQL: real processes of the built program, any of which may be killed. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { rateLimit } from '../../shared/limits.ts';
import { receiptBeside } from '../../server/jobs/files/output-files.ts';
import { readMp4 } from '../../server/engine/encode/mp4-facts.ts';
import {
  ask,
  create,
  end,
  ended,
  film,
  free,
  picture,
  statusOf,
  upload,
  useFarm,
  type Machine,
} from '../helpers/farm-programs.ts';
import { runFfmpegSync } from '../helpers/media.ts';
import { runCli } from '../helpers/cli.ts';
import { hasPostgres, usePostgres } from '../helpers/postgres.ts';
import type { Answer } from '../helpers/server.ts';

const tone = (): Buffer =>
  runFfmpegSync('-f', 'lavfi', '-i', 'sine=frequency=440:duration=7', '-f', 'wav', '-');

describe.runIf(hasPostgres)('several servers and workers on one database', () => {
  const postgres = usePostgres();
  const farm = useFarm(postgres);

  test('what is said in a recording is asked at any server; if the one that works at it is lost, another goes on', async () => {
    const { serve, env, folder } = await farm();
    const model = path.join(folder, 'model.bin');
    await writeFile(model, 'model');
    await writeFile(`${model}.mode`, 'wait');
    env['FRAMEWRIGHT_TRANSCRIBER'] = path.resolve(
      import.meta.dirname,
      '../helpers/fake-whisper.mjs',
    );
    env['FRAMEWRIGHT_TRANSCRIBER_MODEL'] = model;
    const media = path.join(folder, 'talks');
    await mkdir(media);
    await writeFile(path.join(media, 'talk.wav'), tone());
    const servers = [
      await serve('--no-worker', '--media', media, free),
      await serve('--no-worker', '--media', media, free),
    ] as const;
    const [leader, other] = servers;
    const asked = await ask(other.place, 'POST', '/v2/transcripts', { source: 'talk.wav' });
    const target = `/v2/transcripts/${asked.body.id}`;
    const status = async (): Promise<unknown> =>
      (await ask(other.place, 'GET', target)).body['status'];
    expect([asked.status, await status()]).toEqual([202, 'transcribing']);
    const calls = async (): Promise<string> => readFile(`${model}.calls`, 'utf8').catch(() => '');
    await expect.poll(calls, { timeout: 60_000 }).not.toBe('');
    expect((await ask(leader.place, 'GET', target)).body).toMatchObject({ status: 'transcribing' });
    // The first one leads.
    await end(leader.child, 'SIGKILL');
    await writeFile(`${model}.mode`, 'words');
    await expect.poll(status, { timeout: 90_000 }).toBe('succeeded');
  }, 180_000);

  test('what is created at one server is read, followed and cancelled at the other, which goes on alone', async () => {
    const { serve, work, shared } = await farm();
    const [one, other] = await Promise.all([
      serve('--no-worker', free),
      serve('--no-worker', free),
    ]);
    expect(one.place.apiKey).toBe(other.place.apiKey);
    // Seen at once, although nobody works yet.
    const id = await create(one.place, film(600));
    expect(await statusOf(other.place, id)).toBe('planned');
    const stream = await fetch(`${other.place.apiUrl}/v2/renders/${id}/events`, {
      headers: { authorization: `Bearer ${other.place.apiKey}` },
    });
    const worker = await work();
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    let heard = '';
    while (!/event: progress[^]*"phase":"rendering"/.test(heard)) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) break;
      heard += value;
    }
    expect(heard).toContain('"phase":"rendering"');
    expect((await ask(other.place, 'POST', `/v2/renders/${id}/cancel`)).status).toBe(200);
    expect((await ended(one.place, id)).error_message).toBe('Render error: Cancelled');
    await reader?.cancel();

    const kept = await create(one.place, picture);
    await end(one.child, 'SIGKILL');
    expect(await ended(other.place, kept)).toMatchObject({ status: 'succeeded' });
    const last = await ended(other.place, await create(other.place, picture));
    const file = await fetch(last.url);
    expect(file.status).toBe(200);
    expect(await end(worker, 'SIGTERM')).toBe(0);
    // Nothing of the cancelled one, and no film that was not finished.
    const files = (await readdir(path.join(shared, 'output'))).filter(
      (name) => name !== 'snapshots',
    );
    expect(files.map((name) => name.slice(0, 36)).sort()).toEqual([kept, last.id].sort());
  });

  test('a worker that is killed loses its render to another one; its end is told once', async () => {
    const { serve, work } = await farm();
    const calls: string[] = [];
    const receiver = createServer((request, response) => {
      calls.push(String(request.headers['webhook-id']));
      request.resume();
      response.end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const { port } = receiver.address() as AddressInfo;
    try {
      const { place } = await serve('--no-worker', free);
      const first = await work();
      const hook = { webhook_url: `http://127.0.0.1:${port}/` };
      const id = await create(place, film(120), hook);
      await expect.poll(() => statusOf(place, id)).toBe('rendering');
      await end(first, 'SIGKILL');
      const second = await work();
      expect(await ended(place, id)).toMatchObject({ status: 'succeeded' });
      await expect.poll(() => calls.length).toBe(1);
      // One that is told to end gives its render back, and loses no attempt.
      const given = await create(place, film(120), hook);
      await expect.poll(() => statusOf(place, given)).toBe('rendering');
      expect(await end(second, 'SIGTERM')).toBe(0);
      expect(await statusOf(place, given)).toBe('planned');
      await work();
      expect(await ended(place, given)).toMatchObject({ status: 'succeeded' });
      await expect.poll(() => new Set(calls).size).toBe(2);
      expect(calls).toHaveLength(2);
    } finally {
      receiver.close();
    }
  });

  test('F133 a worker goes on after an error of background work, with the render that it had', async () => {
    const { serve, work, env, folder, machines } = await farm();
    const { place } = await serve('--no-worker', free);
    const throwFile = path.join(folder, 'throw-now');
    const preload = path.resolve(import.meta.dirname, '../helpers/throwing.mjs');
    Object.assign(env, {
      NODE_OPTIONS: `--import ${pathToFileURL(preload).href}`,
      THROW_FILE: throwFile,
    });
    const worker = await work();
    const id = await create(place, film(5));
    await expect.poll(() => statusOf(place, id)).toBe('rendering');
    await writeFile(throwFile, '');
    await expect.poll(() => existsSync(throwFile), { interval: 5 }).toBe(false);
    expect(await ended(place, id)).toMatchObject({ status: 'succeeded' });
    expect([worker.exitCode, worker.signalCode]).toEqual([null, null]);
    expect((await machines()).map(({ pid }) => pid)).toEqual([worker.pid]);
  });

  test('a faulty document ends although its server is killed before it could end it', async () => {
    const { serve, work, run } = await farm();
    const [leader, other] = [await serve('--no-worker', free), await serve('--no-worker', free)];
    // From now on ends of such renders come to the database, and get no further.
    await run(`
      CREATE FUNCTION hang() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NEW; END $$;
      CREATE TRIGGER hang BEFORE UPDATE ON framewright.renders FOR EACH ROW
        WHEN (NEW.doc->>'status' = 'failed') EXECUTE FUNCTION hang()`);
    const hanging = "FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
    const faulty = { ...picture, elements: [{ type: 'nothing' }] };
    const id = await create(other.place, faulty);
    await expect.poll(() => run(`SELECT pid ${hanging}`)).toHaveLength(1);
    await end(other.child, 'SIGKILL');
    await run(`SELECT pg_terminate_backend(pid) ${hanging}`);
    await run('DROP TRIGGER hang ON framewright.renders');
    expect(await statusOf(leader.place, id)).toBe('planned');
    await work();
    const { status, error_message } = await ended(leader.place, id);
    expect([status, error_message]).toEqual(['failed', expect.stringContaining('Source error: ')]);
  });

  test('a long film is made by all workers; one that is killed loses a piece, and nobody the film', async () => {
    // Workers tell what they do every three seconds.
    const told = { timeout: 30_000 };
    const { serve, work, shared, machines, run } = await farm();
    const { place } = await serve('--no-worker', free);
    const workers = await Promise.all([work(), work(), work()]);
    // Who could work together shows in what they tell of themselves.
    const builds = async (): Promise<unknown[]> =>
      (await machines()).map(({ build }) => build?.name);
    const own: unknown = expect.stringMatching(/^[0-9a-f]{12}$/);
    await expect.poll(builds, { timeout: 30_000 }).toEqual([own, own, own]);
    expect(new Set(await builds()).size).toBe(1);
    // One that has other programs shows in the numbers of any server, until it is silent.
    const numbers = async (): Promise<string[]> =>
      (await ask(place, 'GET', '/metrics')).text
        .split('\n')
        .filter((line) => line.startsWith('framewright_machine'));
    const count = (of: number, kinds: number): string[] => [
      `framewright_machines ${of}`,
      `framewright_machine_builds ${kinds}`,
    ];
    await expect.poll(numbers, told).toEqual(count(3, 1));
    await run(`
      INSERT INTO framewright.machines (id, facts, seen_at)
      SELECT gen_random_uuid(), jsonb_set(facts, '{build,name}', '"0123456789ab"'), now()
      FROM framewright.machines LIMIT 1`);
    await expect.poll(numbers, told).toEqual(count(4, 2));
    await run(`DELETE FROM framewright.machines WHERE facts->'build'->>'name' = '0123456789ab'`);
    // Four pieces, long enough for all to tell of them.
    const id = await create(place, film(800));
    const folder = path.join(shared, 'pieces', id);
    const pieces = (): Promise<string[]> => readdir(folder).catch(() => []);
    const makers = async (): Promise<Machine[]> =>
      (await machines()).filter(({ pieces: made }) => made.includes(id));
    await expect.poll(async () => (await makers()).length, { timeout: 60_000 }).toBe(3);
    const [lost] = await makers();
    const victim = workers.find(({ pid }) => pid === lost?.pid);
    if (!victim) throw new Error('none of the workers makes a piece');
    await end(victim, 'SIGKILL');
    expect(await ended(place, id)).toMatchObject({ status: 'succeeded', duration: 800 });
    const [output] = (await readdir(path.join(shared, 'output'))).filter((name) =>
      name.startsWith(id),
    );
    const streams = await readMp4(path.join(shared, 'output', output ?? ''));
    expect(streams?.map(({ samples }) => samples)).toEqual([24_000]);
    await expect.poll(pieces, told).toEqual([]);

    // All of them stop when it is cancelled.
    const cancelled = await create(place, film(900));
    await expect
      .poll(
        async () => (await machines()).filter((one) => one.pieces.includes(cancelled)).length,
        told,
      )
      .toBe(2);
    expect((await ask(place, 'POST', `/v2/renders/${cancelled}/cancel`)).status).toBe(200);
    await expect
      .poll(
        async () => (await machines()).filter((one) => one.pieces.includes(cancelled)).length,
        told,
      )
      .toBe(0);
    await expect.poll(() => readdir(path.join(shared, 'pieces')), told).toEqual([]);
  });

  test('a long film with sound is the same to the byte by three workers and by one, also where pieces were there', async () => {
    const { serve, work, machines, shared, run } = await farm();
    const { place } = await serve('--no-worker', free);
    const workers = await Promise.all([work(), work(), work()]);
    await expect
      .poll(async () => (await machines()).filter(({ build }) => build !== null).length, {
        timeout: 30_000,
      })
      .toBe(3);
    const source = await upload(place, 'tone.wav', tone());
    // Two pieces and the sound.
    const tones = { type: 'audio', source, loop: true, duration: null };
    const sounding = film(170, tones);
    const made = async (document: object): Promise<{ file: string; reused: number }> => {
      const id = await create(place, document);
      expect(await ended(place, id)).toMatchObject({ status: 'succeeded', duration: 170 });
      const output = path.join(shared, 'output');
      const name = (await readdir(output)).find((one) => one.startsWith(id));
      const [row] = await run(
        `SELECT doc->'facts'->>'reused' AS reused FROM framewright.renders WHERE id = '${id}'`,
      );
      return { file: path.join(output, name ?? ''), reused: Number(row?.['reused'] ?? 0) };
    };
    const together = await made(sounding);
    const bytes = await readFile(together.file);
    expect(together.reused).toBe(0);
    // What a film was made from is beside it, and names how it was cut.
    const receipt: unknown = JSON.parse(await readFile(receiptBeside(together.file), 'utf8'));
    expect(receipt).toMatchObject({ pieces: 'divided', settings: { frame_count: 5_100 } });
    const library = ['--media', path.join(shared, 'media/content')];
    const again = await runCli(shared, ['verify', together.file, ...library]);
    expect(again, again.error).toMatchObject({ status: 0, error: '' });

    for (const worker of workers.slice(1)) expect(await end(worker, 'SIGTERM')).toBe(0);
    const repeated = await made(sounding);
    expect([repeated.reused, bytes.equals(await readFile(repeated.file))]).toEqual([170, true]);
    // Of one with another end, the beginning is there; a damaged piece is not.
    const late = { type: 'text', text: 'New', time: 165, font_size: 20, fill_color: '#fff' };
    expect((await made(film(170, tones, late))).reused).toBeCloseTo(85, 0);
    const kept = path.join(shared, 'kept');
    for (const name of await readdir(kept)) await writeFile(path.join(kept, name), 'damaged');
    const mended = await made(sounding);
    expect(bytes.equals(await readFile(mended.file))).toBe(true);
    await rm(kept, { recursive: true });
    const alone = await made(sounding);
    expect([alone.reused, bytes.equals(await readFile(alone.file))]).toEqual([0, true]);
  }, 300_000);

  test('the rate limit counts over all servers', async () => {
    const { serve } = await farm();
    const both = await Promise.all([serve('--no-worker'), serve('--no-worker')]);
    const began = performance.now();
    const asked = Array.from({ length: 25 }, () =>
      both.map(({ place }) => ask(place, 'GET', '/v2/templates')),
    ).flat();
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    const windows = 1 + Math.floor((performance.now() - began) / rateLimit.window);
    const accepted = statuses.filter((status) => status === 200).length;
    expect(accepted).toBeGreaterThanOrEqual(rateLimit.requests);
    expect(accepted).toBeLessThanOrEqual(Math.min(statuses.length, rateLimit.requests * windows));
    expect(statuses.filter((status) => status === 429)).toHaveLength(statuses.length - accepted);
  });

  test('credits and the keys of repeated requests count over all servers', async () => {
    const { serve, set } = await farm();
    const both = await Promise.all([serve('--no-worker', free), serve('--no-worker', free)]);
    const atBoth = async (count: number, headers = {}): Promise<Answer[]> =>
      Promise.all(
        Array.from({ length: count }, () =>
          both.map(({ place }) => ask(place, 'POST', '/v2/renders', { source: picture }, headers)),
        ).flat(),
      );
    // A picture costs one.
    await set({ creditAllowance: 7 });
    const bought = (await atBoth(10)).map(({ status }) => status);
    expect(bought.filter((status) => status === 202)).toHaveLength(7);
    expect(bought.filter((status) => status === 402)).toHaveLength(13);
    await set({ creditAllowance: null });
    for (const key of ['a', 'b', 'c', 'd']) {
      const answers = await atBoth(2, { 'idempotency-key': key });
      const made = answers.filter(({ status }) => status === 202);
      expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
      expect(answers.filter(({ status }) => status === 409).length).toBe(4 - made.length);
    }
    const [{ place }] = both;
    const { renders } = (await ask(place, 'GET', '/v2/renders?limit=100')).body;
    expect(renders).toHaveLength(11);
  });

  test('a server works by itself unless it was told not to; a pause at one keeps all from beginning', async () => {
    const { serve, set } = await farm();
    const { place } = await serve(free);
    await set({ queuePaused: true });
    const id = await create(place, picture);
    await pause(3_000);
    expect(await statusOf(place, id)).toBe('planned');
    await set({ queuePaused: false });
    expect(await ended(place, id)).toMatchObject({ status: 'succeeded' });
    // It hears of what it has made itself, although nobody asks.
    const body = { source: picture };
    const waited = await ask(place, 'POST', '/v2/renders', body, { prefer: 'wait=30' });
    expect([waited.status, waited.body.status]).toEqual([201, 'succeeded']);
  });
});
