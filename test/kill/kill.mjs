/**
 * The kill test: a real server is given renders and templates without pause and killed hard at a random moment, over
 * and over; whatever it had acknowledged must be there afterwards, every render must end once, nothing may be left over.
 *
 * `node test/kill/kill.mjs [--rounds 20] [--seed 1]` on the built `dist/`. Ends with 1 and a list when something is lost.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { randomFrom } from '../soak/random.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const rounds = Number(values.rounds);
const cli = fileURLToPath(new URL('../../dist/server/cli.mjs', import.meta.url));
const folder = await mkdtemp(path.join(os.tmpdir(), 'framewright-kill-'));
const dataFolder = path.join(folder, 'data');
const key = 'kill-test';
/** Milliseconds: what a new start may take, and what the last renders may take at the end. */
const startTime = 30_000;
const endTime = 180_000;

/** What was acknowledged: IDs with what the server must still say about them. */
const renders = new Map();
const templates = new Map();
const problems = [];
let templateCount = 0;

const random = randomFrom(Number(values.seed));

/** A small document: mostly pictures, now and then a short video or one that fails at once. */
function documentAt(number) {
  const element = { type: 'text', text: `Number ${number}`, fill_color: '#123456' };
  const base = { width: 64, height: 64, elements: [element] };
  if (number % 7 === 0)
    return { ...base, output_format: 'jpg', elements: [{ ...element, x: 'no' }] };
  if (number % 5 === 0) return { ...base, output_format: 'gif', duration: 0.5, frame_rate: 10 };
  return { ...base, output_format: 'png' };
}

async function startServer() {
  const args = [cli, 'serve', '--port', '0', '--data', dataFolder, '--api-key', key];
  const child = spawn(process.execPath, [...args, '--no-rate-limit'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let errors = '';
  child.stderr.on('data', (part) => (errors += part));
  child.stdout.on('data', () => undefined);
  const before = Date.now();
  const runtimeFile = path.join(dataFolder, 'runtime.json');
  for (;;) {
    if (child.exitCode !== null || Date.now() - before > startTime) {
      throw new Error(`the server does not start:\n${errors}`);
    }
    const runtime = existsSync(runtimeFile)
      ? JSON.parse(await readFile(runtimeFile, 'utf8').catch(() => '{}'))
      : {};
    // The file of the killed server is still there: only the own one counts.
    if (runtime.pid === child.pid) return { child, ended, url: runtime.apiUrl, log: () => errors };
    await pause(20);
  }
}

async function ask(url, method, target, body) {
  const response = await fetch(`${url}${target}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

/** One client that creates, changes and deletes until the server is gone. */
async function work(url, number, isOver) {
  for (let count = number; !isOver(); count++) {
    const choice = random();
    try {
      if (choice < 0.3) {
        // Now and then so much that it lies beside the record.
        const large = random() < 0.2 ? { 'Nobody.text': `${count}`.padEnd(50_000, '.') } : {};
        const { status, body } = await ask(url, 'POST', '/v2/renders', {
          ...documentAt(count),
          metadata: String(count),
          modifications: large,
          webhook_url: receiver,
        });
        if (status === 202) {
          renders.set(body.id, {
            ...{ metadata: String(count), ended: null },
            modifications: JSON.stringify(large),
          });
        } else problems.push(`a create was answered with ${status}: ${JSON.stringify(body)}`);
      } else if (choice < 0.6 || templates.size === 0) {
        const name = `Template ${templateCount++}`;
        const sent = { name, source: documentAt(count) };
        const { status, body } = await ask(url, 'POST', '/v2/templates', sent);
        if (status === 201) templates.set(body.id, new Set([name]));
        else problems.push(`a template was answered with ${status}`);
      } else {
        await change(url, choice);
      }
    } catch {
      // The connection broke: killed. What was not acknowledged may or may not be there.
      return;
    }
  }
}

/** Changes or deletes a template that nobody else is changing. */
async function change(url, choice) {
  const living = [...templates.keys()].filter((one) => !templates.get(one).has(null));
  const id = living[Math.floor(random() * living.length)];
  if (id === undefined) return;
  const names = templates.get(id);
  templates.delete(id);
  if (choice < 0.85) {
    const name = `Renamed ${templateCount++}`;
    // Until it is acknowledged, both the old and the new name are right.
    unsure.set(id, new Set([...names, name]));
    const { status } = await ask(url, 'PATCH', `/v2/templates/${id}`, { name });
    if (status !== 200) problems.push(`a change of template ${id} was answered with ${status}`);
    templates.set(id, new Set([name]));
  } else {
    unsure.set(id, new Set([...names, null]));
    const { status } = await ask(url, 'DELETE', `/v2/templates/${id}`);
    if (status !== 204) problems.push(`deleting template ${id} was answered with ${status}`);
    templates.set(id, new Set([null]));
  }
  unsure.delete(id);
}
/** Changes under way when the server was killed. */
const unsure = new Map();

/** Does something for every entry of a map, a few at the same time. */
async function forEach(map, act) {
  const entries = [...map];
  const lane = async () => {
    for (let entry = entries.pop(); entry; entry = entries.pop()) await act(...entry);
  };
  await Promise.all(Array.from({ length: 8 }, lane));
}

/** Holds what the server has against what it acknowledged. */
async function check(url, round) {
  for (const [id, names] of unsure) templates.set(id, names);
  unsure.clear();
  await forEach(renders, async (id, expected) => {
    const { status, body } = await ask(url, 'GET', `/v2/renders/${id}`);
    if (status !== 200) problems.push(`round ${round}: render ${id} is lost`);
    else if (body.metadata !== expected.metadata) problems.push(`render ${id} is another one`);
    else if (JSON.stringify(body.modifications) !== expected.modifications) {
      problems.push(`round ${round}: render ${id} has other modifications`);
    } else if (expected.ended !== null && expected.ended !== body.status) {
      problems.push(`round ${round}: render ${id} was ${expected.ended} and is ${body.status}`);
    } else if (['succeeded', 'failed'].includes(body.status)) expected.ended = body.status;
  });
  await forEach(templates, async (id, names) => {
    const { status, body } = await ask(url, 'GET', `/v2/templates/${id}`);
    const found = status === 200 ? body.name : null;
    if (!names.has(found)) {
      problems.push(`round ${round}: template ${id} is ${found}, not ${[...names].join(' or ')}`);
    }
    templates.set(id, new Set([found]));
  });
  for (const [id, names] of templates) if (names.has(null)) templates.delete(id);
}

/** Damage that the store had to repair is expected only at a line that was being written. */
async function damagedFiles() {
  const names = await readdir(path.join(dataFolder, 'store')).catch(() => []);
  return names.filter((name) => name.startsWith('damaged-') || name.includes('-unreadable-'));
}

/** Event IDs by render, as the receiver was told: a call may come twice, another event never. */
const events = new Map();
const hooks = http.createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8').on('data', (part) => (text += part));
  request.on('end', () => {
    const { id } = JSON.parse(text);
    const known = events.get(id) ?? events.set(id, new Set()).get(id);
    known.add(request.headers['webhook-id']);
    response.end();
  });
});
await new Promise((resolve) => hooks.listen(0, '127.0.0.1', resolve));
const receiver = `http://127.0.0.1:${hooks.address().port}/`;

let server = await startServer();
try {
  for (let round = 1; round <= rounds; round++) {
    let over = false;
    const workers = [1, 2, 3].map((number) => work(server.url, round * 100 + number, () => over));
    await pause(100 + random() * 900);
    server.child.kill('SIGKILL');
    over = true;
    await Promise.all([server.ended, ...workers]);
    server = await startServer();
    await check(server.url, round);
    if (process.stdout.isTTY || round % 20 === 0 || round === rounds) {
      console.log(`round ${round}: ${renders.size} renders, ${templates.size} templates`);
    }
  }

  const limit = Date.now() + endTime;
  for (const id of renders.keys()) {
    for (;;) {
      const { body } = await ask(server.url, 'GET', `/v2/renders/${id}`);
      if (body.status === 'succeeded') {
        const file = await fetch(body.url);
        const { byteLength } = await file.arrayBuffer();
        if (byteLength !== body.file_size) problems.push(`the file of render ${id} is not whole`);
      }
      if (body.status === 'succeeded' || body.status === 'failed') break;
      if (Date.now() > limit) {
        problems.push(`render ${id} is still ${body.status}`);
        break;
      }
      await pause(50);
    }
  }
  const output = await readdir(path.join(dataFolder, 'output'));
  for (const name of output.filter((one) => one.endsWith('.part'))) {
    problems.push(`${name} is left in the output folder`);
  }
  for (const [id, told] of events) {
    if (told.size > 1) problems.push(`render ${id} was told as ${told.size} events`);
  }
  const kept = path.join(dataFolder, 'store');
  for (const part of ['.', 'sources', 'modifications']) {
    for (const name of await readdir(path.join(kept, part))) {
      if (name.endsWith('.new')) problems.push(`${part}/${name} is left of a write`);
    }
  }
  for (const name of await damagedFiles()) problems.push(`records were damaged: ${name}`);
} finally {
  server.child.kill('SIGTERM');
  await server.ended;
  hooks.close();
  hooks.closeAllConnections();
}

if (problems.length === 0) {
  console.log(`${rounds} kills, ${renders.size} renders: nothing was lost (seed ${values.seed}).`);
  await rm(folder, { recursive: true });
} else {
  console.error(`${problems.join('\n')}\nseed ${values.seed}, data kept in ${folder}`);
  process.exitCode = 1;
}
