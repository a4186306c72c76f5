/**
 * What several workers on one PostgreSQL cost: small pictures over two servers and four workers, with the database safe
 * against a power cut. Prints how many succeeded, how long a worker took for each, which processes computed how long
 * for it, what the database did for each, how fast reads were meanwhile, and how fast a list is among many stored
 * renders. The same on one server with files is beside it.
 *
 *   node test/bench/farm.mjs [--renders 10000] [--alone 1000] [--stored 100000] on the built dist/, PostgreSQL
 *   installed
 */
import { mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';
import { Machine } from '../kill/machine.mjs';
import { processesOf } from '../kill/processes.mjs';

const { values } = parseArgs({
  options: {
    renders: { type: 'string', default: '10000' },
    alone: { type: 'string', default: '1000' },
    stored: { type: 'string', default: '100000' },
  },
});
const { startPostgres, runAt } = (
  await runnerImport(path.join(import.meta.dirname, '../helpers/own-postgres.ts'), {
    configFile: false,
    logLevel: 'error',
  })
).module;
const folder = mkdtempSync(path.join(os.tmpdir(), 'framewright-bench-farm-'));
const temporary = path.join(folder, 'tmp');
mkdirSync(temporary);
const workerCount = 4;
const key = 'bench';
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
const picture = {
  output_format: 'png',
  width: 64,
  height: 64,
  elements: [{ type: 'shape', width: '50%', height: '50%', fill_color: '#ff0000' }],
};
const serving = ['serve', '--port', '0', '--window-port', '0', '--no-samples', '--no-rate-limit'];

const machine = (name, args) =>
  new Machine({ name, args: [...args], data: path.join(folder, name), temporary });

/** A value so large that only this share of the list is above. */
const above = (list, share) =>
  [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * (1 - share)))];

/** Milliseconds that a process has computed; 0 if it is gone. */
function computed(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user, system] = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return (Number(user) + Number(system)) * 10;
  } catch {
    return 0;
  }
}

/** The processes of the database server. */
function databaseProcesses(port) {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
      if (words.includes('-p') && words.includes(port)) return true;
      const [, parent] = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8')) ?? [];
      const above = readFileSync(`/proc/${parent}/cmdline`, 'utf8').split('\0');
      return above.includes('-p') && above.includes(port);
    } catch {
      return false;
    }
  });
}

/** Milliseconds that each kind of program has computed: this one, renderers, servers, workers, the database. */
function computedByKind() {
  const sums = new Map([
    ['this client', process.cpuUsage().user / 1_000 + process.cpuUsage().system / 1_000],
  ]);
  if (process.platform !== 'linux') return sums;
  const add = (kind, pid) => sums.set(kind, (sums.get(kind) ?? 0) + computed(pid));
  const names = { server: 'servers', machine: 'workers', worker: 'renderers' };
  for (const { pid, kind } of processesOf(temporary)) add(names[kind] ?? 'others', pid);
  for (const pid of databaseProcesses(new URL(database).port)) add('database', pid);
  return sums;
}

async function ask(url, method, target, body) {
  const began = performance.now();
  const answer = await fetch(`${url}${target}`, { method, headers, body: JSON.stringify(body) });
  const value = await answer.json();
  return { status: answer.status, value, time: performance.now() - began };
}

/** Creates renders at the servers in turn, and waits for all. @returns figures. */
async function renderAll(urls, count) {
  const creates = [];
  const reads = [];
  const ids = [];
  const before = computedByKind();
  const began = performance.now();
  let left = count;
  const lane = async (number) => {
    while (left-- > 0) {
      const url = urls[(left + number) % urls.length];
      const { status, value, time } = await ask(url, 'POST', '/v2/renders', { source: picture });
      if (status !== 202) throw new Error(`a create was answered with ${status}`);
      creates.push(time);
      ids.push(value.id);
    }
  };
  let over = false;
  const reader = (async () => {
    for (let turn = 0; !over; turn++) {
      const id = ids[Math.floor(Math.random() * ids.length)];
      if (id) reads.push((await ask(urls[turn % urls.length], 'GET', `/v2/renders/${id}`)).time);
      await pause(20);
    }
  })();
  await Promise.all([0, 1, 2, 3].map(lane));
  const created = performance.now();
  for (const status of ['planned', 'waiting', 'transcribing', 'rendering']) {
    for (;;) {
      const { value } = await ask(urls[0], 'GET', `/v2/renders?status=${status}&limit=1`);
      if (value.renders.length === 0) break;
      await pause(200);
    }
  }
  const time = performance.now() - began;
  over = true;
  await reader;
  const computing = [...computedByKind()].map(([kind, sum]) => [
    kind,
    (sum - (before.get(kind) ?? 0)) / count,
  ]);
  return { time, createTime: created - began, creates, reads, ids, computing };
}

function tell(name, { time, createTime, creates, reads, computing }, count) {
  const ms = (value) => `${value.toFixed(1)} ms`;
  console.log(
    `${name}: ${count} renders in ${(time / 1_000).toFixed(0)} s; a worker's time for each ${ms((time * workerCount) / count)}; ` +
      `creates took ${(createTime / 1_000).toFixed(0)} s, each ${ms(above(creates, 0.5))}, p99 ${ms(above(creates, 0.01))}; ` +
      `GET ${ms(above(reads, 0.5))}, p99 ${ms(above(reads, 0.01))}`,
  );
  const parts = computing
    .filter(([, time]) => time > 0)
    .map(([kind, part]) => `${kind} ${part.toFixed(1)}`);
  console.log(`  computing for each, in ms: ${parts.join(', ')}`);
}

const postgres = await startPostgres([
  'fsync=on',
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track_utility=on',
  'pg_stat_statements.track_planning=on',
]);
const database = postgres.url;
const query = (text) => runAt(database, text);
const running = [];
try {
  const alone = machine('alone', [...serving, '--api-key', key, '--concurrency', `${workerCount}`]);
  running.push(alone);
  await alone.start();
  const aloneCount = Number(values.alone);
  await renderAll([alone.url], 20);
  tell('One server, files', await renderAll([alone.url], aloneCount), aloneCount);
  await alone.end();

  const common = ['--database', database, '--shared', path.join(folder, 'shared')];
  const servers = ['server-1', 'server-2'].map((name) =>
    machine(name, [...serving, '--api-key', key, '--no-worker', ...common]),
  );
  const workers = Array.from({ length: workerCount }, (_, number) =>
    machine(`worker-${number}`, ['worker', ...common]),
  );
  running.push(...servers, ...workers);
  await servers[0].start();
  await Promise.all([servers[1], ...workers].map((one) => one.start()));
  const urls = servers.map(({ url }) => url);
  const count = Number(values.renders);
  await renderAll(urls, 20);
  await query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  await query('SELECT pg_stat_statements_reset()');
  const [{ lsn }] = await query('SELECT pg_current_wal_lsn() AS lsn');
  const figures = await renderAll(urls, count);
  tell('Two servers, four workers', figures, count);
  const [done] = await query(
    `SELECT sum(calls)::float8 AS calls, sum(total_exec_time)::float8 AS time, sum(total_plan_time)::float8 AS planning
     FROM pg_stat_statements`,
  );
  const [{ bytes }] = await query(`SELECT pg_current_wal_lsn() - '${lsn}'::pg_lsn AS bytes`);
  console.log(
    `The database for each: ${(done.calls / count).toFixed(1)} statements, ${(done.time / count).toFixed(2)} ms and ${(done.planning / count).toFixed(2)} ms of planning, ` +
      `${(Number(bytes) / count / 1_000).toFixed(1)} kB of WAL`,
  );
  for (const row of await query(
    `SELECT left(regexp_replace(query, '\\s+', ' ', 'g'), 90) AS query, calls::float8 AS calls, total_exec_time AS time,
       total_plan_time AS planning FROM pg_stat_statements ORDER BY total_exec_time + total_plan_time DESC LIMIT 20`,
  ))
    console.log(
      `  ${(row.calls / count).toFixed(2)} × ${(row.time / row.calls).toFixed(3)} + ${(row.planning / row.calls).toFixed(3)} ms  ${row.query}`,
    );
  const ends = await query(
    `SELECT doc->>'status' AS status, count(*)::int AS count FROM framewright.renders GROUP BY 1`,
  );
  console.log(`Ends: ${ends.map(({ status, count: one }) => `${status} ${one}`).join(', ')}`);
  await Promise.all(running.splice(0).map((one) => one.end()));

  // Copies of a render that has ended, as many as a month brings.
  const [{ stored }] = await query('SELECT count(*)::int AS stored FROM framewright.renders');
  const missing = Math.max(0, Number(values.stored) - stored);
  await query(
    `INSERT INTO framewright.renders (id, doc)
     SELECT id, doc || jsonb_build_object('_id', id, 'order', 1000000 + number)
     FROM (SELECT doc FROM framewright.renders LIMIT 1) AS one,
          (SELECT gen_random_uuid()::text AS id, number FROM generate_series(1, ${missing}) AS number) AS copies`,
  );
  const [server] = servers;
  running.push(server);
  const began = performance.now();
  await server.start();
  console.log(
    `${stored + missing} stored: start ${((performance.now() - began) / 1_000).toFixed(1)} s`,
  );
  for (const target of [
    '/v2/renders?limit=100',
    '/v2/renders?status=failed&limit=100',
    `/v2/renders/${figures.ids[0]}`,
  ]) {
    const times = [];
    for (let turn = 0; turn < 100; turn++) times.push((await ask(server.url, 'GET', target)).time);
    console.log(
      `  GET ${target.replace(/[0-9a-f-]{36}/, 'ID')}: ${above(times, 0.5).toFixed(1)} ms, p99 ${above(times, 0.01).toFixed(1)} ms`,
    );
  }
} finally {
  await Promise.all(running.map((one) => one.end()));
  await postgres.remove();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
}
