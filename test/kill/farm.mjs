/**
 * The kill test of several servers and workers on one PostgreSQL: foreign documents go to two servers without pause,
 * and at random a server, a worker with all that it runs, a renderer, an encoder is killed, connections to the database
 * are cut, or the storage is away for a while. Whatever was acknowledged must be there, every render must end once and
 * be told as one event, and nothing may be left over: no job, no process, no file that the sweep does not take.
 *
 *   node test/kill/farm.mjs [--rounds 20] [--seed 1]      on the built dist/, Linux, with PostgreSQL installed
 *
 * Ends with 1 and a list when something is lost. It waits for states, never for a time.
 */
import { mkdirSync, mkdtempSync, renameSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runnerImport } from 'vite';
import { mediaFolders, nextRequest } from './content.mjs';
import { endStates, jobsLeft, openStates, strayFiles, watchEnds } from './farm-state.mjs';
import { Machine } from './machine.mjs';
import { Ledger } from './ledger.mjs';
import { kill, processesOf } from './processes.mjs';
import { startReceiver } from './receiver.mjs';
import { request } from './request.mjs';
import { askAt, countsInWords, expectEnds, readOptions, report, until } from './rounds.mjs';

const { rounds, seed, random } = readOptions();
const { startPostgres, runAt } = (
  await runnerImport(path.join(import.meta.dirname, '../helpers/own-postgres.ts'), {
    configFile: false,
    logLevel: 'error',
  })
).module;
const folder = mkdtempSync(path.join(os.tmpdir(), 'framewright-kill-farm-'));
const temporary = path.join(folder, 'tmp');
const storage = path.join(folder, 'storage');
mkdirSync(temporary);
mkdirSync(storage);
const key = 'kill-test';
/** Renders that may wait: clients pause above. */
const mostOpen = 16;

const ledger = new Ledger(readFile);
const { problems } = ledger;
const receiver = await startReceiver();
const postgres = await startPostgres();
const database = postgres.url;
const shared = ['--shared', path.join(folder, 'shared')];
const media = mediaFolders.flatMap((place) => ['--media', place]);
const machine = (name, command, ...more) =>
  new Machine({
    name,
    args: [command, '--database', database, '--storage', storage, ...more, ...media],
    data: path.join(folder, name),
    temporary,
  });
const serving = ['--port', '0', '--window-port', '0', '--api-key', key, '--no-rate-limit'];
const servers = [
  machine('server-1', 'serve', ...shared, ...serving, '--no-samples', '--no-worker'),
  machine('server-2', 'serve', ...shared, ...serving, '--no-samples'),
];
// These reach no folder of the servers.
const workers = [1, 2].map((number) => machine(`worker-${number}`, 'worker'));
const machines = [...servers, ...workers];
/** How often what was hit. */
const hits = {};
/** Requests that were refused because something was away. */
let refused = 0;

/** Asks one of the servers; one that was killed just then is not asked again for the same. */
async function askAny(method, target, body) {
  const server = random.pick(servers);
  if (!server.isUp) return { status: 0, body: null };
  const run = server.runs;
  try {
    return await askAt(`${server.url}${target}`, key, method, body);
  } catch (error) {
    if (server.isUp && server.runs === run)
      problems.push(`a living server did not answer: ${error.stack}`);
    return { status: 0, body: null };
  }
}

/** The same until a server has answered: for what is looked up. */
async function ask(method, target, body) {
  for (;;) {
    const answer = await askAny(method, target, body);
    if (answer.status !== 0) return answer;
    await pause(100);
  }
}

/** A finished file, from any server; while the storage is away there is none. */
async function readFile(url) {
  for (;;) {
    const server = random.pick(servers.filter((one) => one.isUp)) ?? servers[0];
    const answer = await request(server.url + new URL(url).pathname).catch(() => null);
    if (answer && answer.status !== 503) return answer;
    await pause(100);
  }
}

let count = 0;
/** One client that creates until it is over. */
async function work(isOver) {
  while (!isOver()) {
    if (ledger.open.length < mostOpen) await createRender(++count);
    else {
      const [first] = ledger.open;
      const { body } = first ? await askAny('GET', `/v2/renders/${first[0]}`) : {};
      if (body?.status === 'succeeded' || body?.status === 'failed')
        await ledger.checkRenders(ask, 'on the way', { share: 0, random });
      else await pause(200);
    }
    await pause(random.below(60));
  }
}

async function createRender(number) {
  const { body: sent, end } = nextRequest(number, random);
  const metadata = String(number);
  const { status, body } = await askAny('POST', '/v2/renders', {
    ...sent,
    metadata,
    webhook_url: receiver.url,
  });
  if (status === 202)
    ledger.addRender(body.id, { metadata, modifications: sent.modifications, end });
  else if (status === 503) refused++;
  else if (status !== 0)
    problems.push(`a create was answered with ${status}: ${JSON.stringify(body)}`);
}

/** What a round does. @returns how much was hit. */
const strikes = {
  server: () => random.pick(servers).kill(),
  machine: () => random.pick(workers).killAll(),
  worker: () => killSome('worker'),
  encoder: () => killSome('encoder'),
  connection: async () => {
    const [{ hit }] = await runAt(
      database,
      `SELECT count(pg_terminate_backend(pid))::int AS hit FROM pg_stat_activity
       WHERE pid <> pg_backend_pid() AND datname IS NOT NULL AND random() < ${random.pick(['0.3', '0.6', '1'])}`,
    );
    return hit;
  },
  storage: async () => {
    renameSync(storage, `${storage}-away`);
    await pause(500 + random.below(3_000));
    renameSync(`${storage}-away`, storage);
    return 1;
  },
};

function killSome(kind) {
  const all = processesOf(temporary).filter((one) => one.kind === kind);
  return kill(random.oneIn(2) ? all.slice(0, 1) : all);
}

const turns = ['server', 'machine', 'connection', 'worker', 'storage', 'encoder'];
try {
  // One makes the tables, then all at the same time.
  await servers[0].start();
  await Promise.all(machines.slice(1).map((one) => one.start()));
  await watchEnds(runAt, database);
  for (let round = 1; round <= rounds; round++) {
    const place = `round ${round}`;
    const kind = turns[round % turns.length];
    let over = false;
    const clients = [1, 2, 3].map(() => work(() => over));
    await pause(200 + random.below(1_000));
    for (let tries = 0, hit = 0; hit === 0 && tries < 30; tries++) {
      ledger.strikes++;
      receiver.strike(false);
      hit = await strikes[kind]();
      if (hit > 0) hits[kind] = (hits[kind] ?? 0) + 1;
      await pause(random.below(200));
    }
    await Promise.all(machines.map((one) => one.again()));
    receiver.strike(true);
    await pause(random.below(500));
    over = true;
    await Promise.all(clients);
    await ledger.checkRenders(ask, place, { share: 2000 / (ledger.renders.size + 1), random });
    if (process.stdout.isTTY || round % 10 === 0 || round === rounds)
      console.log(`${place}: ${ledger.renders.size} renders, ${ledger.open.length} open`);
    if (problems.length > 20) break;
  }
  await expectEnds({ ledger, receiver, ask, random });
  problems.push(...(await openStates(runAt, database, ledger)));
  await ledger.checkRenders(ask, 'at the end', { share: 100, random });
  problems.push(...receiver.problems((id) => ledger.endOf(id)));
  problems.push(...(await endStates(runAt, database, ledger)));
  let left = [];
  await until(
    async () => (left = await jobsLeft(runAt, database)).length === 0,
    () => left.length,
  );
  problems.push(...left);
  await Promise.all(machines.map((one) => one.end()));
  for (const { call } of processesOf(temporary)) problems.push(`a process goes on: ${call}`);
  problems.push(...(await strayFiles({ runAt, database, storage, folder, temporary, machines })));
} catch (error) {
  problems.push(`it broke off: ${error instanceof Error ? error.stack : error}`);
} finally {
  kill(processesOf(temporary));
  receiver.close();
  await postgres.remove();
}

console.log(
  `${ledger.renders.size} renders; hit: ${countsInWords(hits)}; refused meanwhile: ${refused}; ` +
    `events sent again after that: ${receiver.doubles}`,
);
const said = Object.fromEntries(machines.map((one) => [one.name, one.said]));
report({ problems, rounds, seed, folder, said });
