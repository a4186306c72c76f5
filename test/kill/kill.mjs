/**
 * The kill test: a real server is given foreign documents with their media, large modifications and templates without
 * pause, and the server, its workers, their encoders and decoders, or all of them are killed hard at random moments,
 * over and over. Whatever was acknowledged must be there afterwards, every render must end once and be told as one
 * event, and no process and no file may be left over.
 *
 *   node test/kill/kill.mjs [--rounds 20] [--seed 1]      on the built dist/, Linux
 *
 * Ends with 1 and a list when something is lost. It waits for states, never for a time: a slow machine makes it slow.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, mkdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { mediaFolders, nextRequest } from './content.mjs';
import { countCompactions, damagedFiles, partsIn, strayFiles } from './folder.mjs';
import { Ledger } from './ledger.mjs';
import { kill, processesOf } from './processes.mjs';
import { startReceiver } from './receiver.mjs';
import { request } from './request.mjs';
import { askAt, countsInWords, expectEnds, readOptions, report, until } from './rounds.mjs';

const { rounds, seed, random } = readOptions();
const cli = fileURLToPath(new URL('../../dist/server/cli.mjs', import.meta.url));
// A name that no environment has by accident: processes are known by it.
const folder = mkdtempSync(path.join(os.tmpdir(), 'framewright-kill-'));
const dataFolder = path.join(folder, 'data');
const temporary = path.join(folder, 'tmp');
mkdirSync(temporary);
const key = 'kill-test';
/** Renders that may wait: clients pause above. */
const mostOpen = 12;
/** Characters of the template that is changed again and again: with so many it is a file of its own. */
const largeText = 120_000;
/** The longest that stays in its record, nearly. */
const recordText = 19_000;

const ledger = new Ledger();
const { problems } = ledger;
const receiver = await startReceiver();
const compactions = countCompactions(dataFolder);
/** How often what was hit. */
const hits = { server: 0, worker: 0, encoder: 0, tree: 0 };
let said = '';

/** Every start has the port of the first, so that clients ask from its first moment. */
let port = '0';

async function startServer() {
  await receiver.nextRun();
  const args = ['serve', '--port', port, '--data', dataFolder, '--api-key', key, '--no-rate-limit'];
  const media = mediaFolders.flatMap((place) => ['--media', place]);
  const child = spawn(process.execPath, [cli, ...args, ...media], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, TMPDIR: temporary },
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stderr.on('data', (part) => (said = (said + part).slice(-20_000)));
  let runtime = {};
  const isReady = () => {
    if (child.exitCode !== null) throw new Error('the server ended while starting');
    try {
      runtime = JSON.parse(readFileSync(path.join(dataFolder, 'runtime.json'), 'utf8'));
    } catch {
      return false;
    }
    // The file of the killed server is still there: only the own one counts.
    return runtime.pid === child.pid;
  };
  if (!(await until(isReady))) throw new Error('the server does not start');
  ({ port } = new URL(runtime.apiUrl));
  return { child, ended, url: runtime.apiUrl, windowUrl: runtime.windowUrl };
}

let server = await startServer();

const ask = (method, target, body) => askAt(`${server.url}${target}`, key, method, body);

let count = 0;
/** One client that creates, changes and deletes until it is over, or the server is gone. */
async function work(isOver) {
  while (!isOver()) {
    const number = ++count;
    const choice = random.next();
    try {
      if (choice < 0.45) {
        if (ledger.open.length < mostOpen) await createRender(number);
        else await lookAtOpen();
      } else if (choice < 0.6 || ledger.templates.size < 3) await createTemplate(number);
      else await changeTemplate(number, choice);
    } catch (error) {
      // The connection broke: killed. What was not acknowledged may or may not be there.
      if (!isOver()) problems.push(`a living server did not answer: ${error.stack}`);
      return;
    }
    await pause(random.below(30));
  }
}

/** One client that creates from the moment in which a server starts: refused until it listens, served from then on. */
async function createAtOnce(isOver) {
  while (!isOver()) {
    try {
      if (ledger.open.length < 2 * mostOpen) await createRender(++count);
    } catch (error) {
      if (error.code !== 'ECONNREFUSED')
        problems.push(`a starting server did not answer: ${error.stack}`);
    }
    await pause(2);
  }
}

async function createRender(number) {
  const { body: sent, end } = nextRequest(number, random);
  const metadata = String(number);
  const { status, body } = await ask('POST', '/v2/renders', {
    ...sent,
    metadata,
    webhook_url: receiver.url,
  });
  if (status === 202)
    ledger.addRender(body.id, { metadata, modifications: sent.modifications, end });
  else problems.push(`a create was answered with ${status}: ${JSON.stringify(body)}`);
}

/** Ends are learned on the way, so that clients know how much is open. */
async function lookAtOpen() {
  const [first] = ledger.open;
  if (!first) return;
  const { body } = await ask('GET', `/v2/renders/${first[0]}`);
  if (body.status === 'succeeded' || body.status === 'failed')
    await ledger.checkRenders(ask, 'on the way', { share: 0, random });
  else await pause(100);
}

const template = (name, length) => ({
  name,
  source: { width: 64, height: 64, elements: [], note: `${name}.`.padEnd(length, 'x') },
});

async function createTemplate(number) {
  const name = `Template ${number}`;
  const { status, body } = await ask('POST', '/v2/templates', template(name, 100));
  if (status === 201) ledger.templates.set(body.id, new Set([name]));
  else problems.push(`a template was answered with ${status}`);
}

/** Changes or deletes a template that nobody else is changing. */
async function changeTemplate(number, choice, length = random.pick([largeText, recordText])) {
  const living = [...ledger.templates].flatMap(([id, names]) => (names.has(null) ? [] : [id]));
  // The first one is large and stays: its changes make the store write its file anew.
  const isLarge = choice > 0.8 && !ledger.unsure.has(largeId);
  const id = isLarge ? largeId : random.pick(living.length > 0 ? living : [largeId]);
  const names = ledger.templates.get(id);
  if (names === undefined) return;
  ledger.templates.delete(id);
  const name = `Renamed ${number}`;
  const isGone = id !== largeId && choice > 0.75;
  // Until it is acknowledged, both the old and the new name are right.
  ledger.unsure.set(id, new Set([...names, isGone ? null : name]));
  const { status } = isGone
    ? await ask('DELETE', `/v2/templates/${id}`)
    : await ask('PATCH', `/v2/templates/${id}`, template(name, id === largeId ? length : 100));
  if (status !== (isGone ? 204 : 200))
    problems.push(`a change of template ${id} was answered with ${status}`);
  ledger.templates.set(id, new Set([isGone ? null : name]));
  ledger.unsure.delete(id);
}

/** Kills what a round is about. @returns how many processes were hit. */
function strike(kind) {
  const all = processesOf(temporary);
  const wanted = kind === 'tree' ? all : all.filter((one) => one.kind === kind);
  // Of several workers one alone, as often as all.
  const chosen = kind === 'worker' && random.oneIn(2) ? wanted.slice(0, 1) : wanted;
  const hit = kill(chosen);
  if (hit > 0) ledger.strikes++;
  hits[kind] += hit > 0 ? 1 : 0;
  return hit;
}

/** After the server's end: nothing that it started may go on. */
async function expectNoProcess(place) {
  let left = [];
  const isGone = () => {
    left = processesOf(temporary);
    return left.length === 0;
  };
  if (await until(isGone)) return;
  for (const { pid, call } of left) problems.push(`${place}: process ${pid} goes on: ${call}`);
  kill(left);
}

/** Files that are being written belong to renders that are being worked on. */
async function expectNoPart(place) {
  let left = [];
  const isGone = async () => {
    const states = await statuses();
    left = partsIn(dataFolder).filter(
      ({ id }) => !['rendering', 'waiting'].includes(states.get(id)),
    );
    return left.length === 0;
  };
  if (!(await until(isGone))) problems.push(`${place}: ${left[0]?.name} is left`);
}

/** All renders that there are, acknowledged or not, by ID. */
async function statuses() {
  const { origin, hash } = new URL(server.windowUrl);
  const headers = { 'x-framewright-token': hash.replace('#token=', '') };
  const { content } = await request(`${origin}/api/renders`, { headers });
  const { renders } = JSON.parse(content.toString());
  return new Map(renders.map(({ id, record }) => [id, record.status]));
}

/** Each in its turn, so that a few rounds have them all. */
const turns = ['server', 'worker', 'tree', 'encoder'];
const first = await ask('POST', '/v2/templates', template('Large', largeText));
const largeId = first.body.id;
ledger.templates.set(largeId, new Set(['Large']));

try {
  for (let round = 1; round <= rounds; round++) {
    const place = `round ${round}`;
    const kind = turns[round % turns.length];
    let over = false;
    const isOver = () => over;
    const clients = [1, 2, 3].map(() => work(isOver));
    await pause(100 + random.below(700));
    if (kind === 'worker' || kind === 'encoder') {
      // A few times, until something was there to be hit, or all is done.
      for (let tries = 0, wanted = 1 + random.below(3); wanted > 0 && tries < 40; tries++) {
        if (strike(kind) > 0) wanted--;
        await pause(random.below(150));
      }
      if (server.child.exitCode !== null)
        problems.push(`${place}: the server ended with its ${kind}`);
      // Half of these servers go on.
      if (random.oneIn(2)) over = true;
    }
    if (!over) {
      strike(kind === 'tree' ? 'tree' : 'server');
      over = true;
      await Promise.all([server.ended, ...clients]);
      await expectNoProcess(place);
      let isStarted = false;
      const early = [1, 2].map(() => createAtOnce(() => isStarted));
      try {
        server = await startServer();
        await pause(random.below(200));
      } finally {
        isStarted = true;
        await Promise.all(early);
      }
    }
    await Promise.all(clients);
    await ledger.check(ask, place, { share: 2000 / (ledger.renders.size + 1), random });
    await expectNoPart(place);
    if (process.stdout.isTTY || round % 20 === 0 || round === rounds)
      console.log(`${place}: ${ledger.renders.size} renders, ${ledger.templates.size} templates`);
    if (problems.length > 20) break;
  }

  // All end, all are told, and the store has been written anew at least once.
  await expectEnds({ ledger, receiver, ask, random });
  for (let change = 0; compactions.count === 0 && change < 100; change++)
    await changeTemplate(++count, 0.9, recordText);
  if (compactions.count === 0) problems.push('the store was never written anew');
  await ledger.check(ask, 'at the end', { share: 100, random });
  problems.push(...receiver.problems((id) => ledger.endOf(id)));
  for (const name of damagedFiles(dataFolder)) problems.push(`records were damaged: ${name}`);
  const states = await statuses();
  server.child.kill('SIGTERM');
  await server.ended;
  await expectNoProcess('at the end');
  problems.push(...strayFiles(dataFolder, temporary, states));
} catch (error) {
  problems.push(`it broke off: ${error instanceof Error ? error.stack : error}`);
} finally {
  server.child.kill('SIGKILL');
  await server.ended;
  receiver.close();
  compactions.close();
}

console.log(
  `${ledger.renders.size} renders; killed: ${countsInWords(hits)}; files written anew: ${compactions.count}; ` +
    `events sent again after a kill: ${receiver.doubles}`,
);
report({ problems, rounds, seed, folder, said: { 'The server': said } });
