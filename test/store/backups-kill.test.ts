/**
 * The program killed while it makes a backup and while it puts one back, at its changes of the disk one after the
 * other: what was acknowledged is there at the next start. `LONG=1 npx vitest run test/store/backups-kill.test.ts`
 * kills at each change; the suite at every 27th.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AddedFamily, BackupList, WindowMedia } from '../../shared/api.ts';
import { said, startCli, type RunningCli } from '../helpers/cli.ts';
import { isLong } from '../helpers/long.ts';
import { namedFont } from '../helpers/named-font.ts';
import { send, type Answer } from '../helpers/server.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'framewright-test-'));
const base = path.join(folder, 'base');
const countFile = path.join(folder, 'count');
const hook = pathToFileURL(path.join(import.meta.dirname, '../helpers/end-at.mjs')).href;
const stride = isLong ? 1 : 27;
const running = new Set<RunningCli>();
let template = '';
let feed = '';
let rendered = '';
let backup = '';

afterAll(async () => {
  for (const { child, ended } of running) {
    child.kill('SIGKILL');
    await ended;
  }
  rmSync(folder, { recursive: true });
});

/** A started program. */
interface Started {
  readonly cli: RunningCli;
  readonly ask: (method: string, target: string, body?: object) => Promise<Answer>;
  readonly window: (
    method: string,
    target: string,
    body?: object | string | Buffer,
  ) => Promise<Answer>;
}

async function start(data: string, environment: NodeJS.ProcessEnv = {}): Promise<Started> {
  const args = ['serve', '--data', data, '--port', '0', '--window-port', '0', '--no-samples'];
  const cli = startCli(folder, [...args, '--api-key', 'key', '--no-rate-limit'], environment);
  running.add(cli);
  await said(cli, 'Press Ctrl+C');
  const runtime = readFileSync(path.join(data, 'runtime.json'), 'utf8');
  const { apiUrl, windowUrl } = JSON.parse(runtime) as { apiUrl: string; windowUrl: string };
  const { origin, hash } = new URL(windowUrl);
  const json = { 'content-type': 'application/json' };
  return {
    cli,
    ask: (method, target, body) =>
      send(`${apiUrl}${target}`, {
        method,
        headers: { authorization: 'Bearer key', ...json },
        ...(body && { body: JSON.stringify(body) }),
      }),
    window: (method, target, body) =>
      send(`${origin}${target}`, {
        method,
        headers: {
          'x-framewright-token': hash.replace('#token=', ''),
          ...(typeof body === 'object' && !Buffer.isBuffer(body) && json),
        },
        ...(body !== undefined && {
          body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
        }),
      }),
  };
}

async function stop({ cli }: Started): Promise<void> {
  cli.child.kill('SIGTERM');
  await within('it ends', cli, cli.ended);
  running.delete(cli);
}

/** Waits for a step of the program's; one that does not come says what the program said last. */
async function within<Result>(
  step: string,
  { child, lines, errors }: RunningCli,
  work: Promise<Result>,
): Promise<Result> {
  const end = new AbortController();
  const late = pause(60_000, null, { signal: end.signal }).then(() => {
    const { exitCode, signalCode } = child;
    const state = JSON.stringify({ exitCode, signalCode, lines, errors });
    throw new Error(`Expected that ${step}, after a minute it is ${state}`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    end.abort();
    late.catch(() => undefined);
  }
}

const source = (word: string) => ({
  output_format: 'png',
  width: 16,
  height: 16,
  elements: [{ type: 'text', text: word }],
  note: word.repeat(30_000),
});

/** What tells the states apart, every document read. */
async function stateOf(program: Started): Promise<object> {
  const { ask, window } = program;
  const { body } = await ask('GET', `/v2/templates/${template}`);
  const rows = await window('GET', `/api/feeds/${feed}/rows`);
  const render = await ask('GET', `/v2/renders/${rendered}`);
  const media = JSON.parse((await window('GET', '/api/media')).text) as WindowMedia[];
  for (const { id, bytes } of media) {
    const { status, text } = await window('GET', `/api/media/${id}/thumbnail`);
    expect([status, text.length > 0, bytes]).toEqual([200, true, contentLength(program, id)]);
  }
  const added = JSON.parse((await window('GET', '/api/fonts/added')).text) as AddedFamily[];
  const later = (await ask('GET', '/v2/templates')).list.map(({ name }) => name);
  return {
    names: later.sort(),
    word: JSON.stringify(body.source).slice(-20, -15),
    rows: /"(old|new)"/.exec(rows.text)?.[1],
    files: [...media.map(({ name }) => name), ...added.map(({ family }) => family)].sort(),
    render: render.status === 200 ? render.body.status : render.status,
  };
}

const both = ['One', 'Two', 'one.png', 'two.png'];
const older = { names: ['Card'], word: 'aaaaa', rows: 'old', files: both };
const newer = { names: ['Card', 'Later'], word: 'bbbbb', rows: 'new', files: ['Two', 'two.png'] };

const picture = (name: string): Buffer =>
  readFileSync(path.join(import.meta.dirname, '../fixtures', name));

/** Of the file with the content of a media file. */
const contentLength = (program: Started, id: string): number =>
  statSync(path.join(programData(program), 'media/content', id)).size;

beforeAll(async () => {
  const program = await start(base);
  const { ask, window } = program;
  const made = await ask('POST', '/v2/templates', { name: 'Card', tags: [], source: source('a') });
  template = made.body.id;
  const table = await window('POST', '/api/feeds?name=Prices&project=default', 'Title\nold\n');
  feed = table.body.id;
  const one = await window('POST', '/api/media?name=one.png', picture('pattern.png'));
  await window('POST', '/api/fonts/added?name=one.ttf', namedFont({ family: 'One' }));
  backup = ((await window('POST', '/api/backups')).body as unknown as { name: string }).name;
  await window('DELETE', `/api/media/${one.body.id}`);
  await window('DELETE', '/api/fonts/added/One');
  await window('POST', '/api/media?name=two.png', picture('rings.png'));
  await window('POST', '/api/fonts/added?name=two.ttf', namedFont({ family: 'Two' }));
  await ask('PATCH', `/v2/templates/${template}`, { source: source('b') });
  await ask('POST', '/v2/templates', { name: 'Later', tags: [], source: source('c') });
  await window('PUT', `/api/feeds/${feed}/table`, 'Title\nnew\n');
  rendered = (await ask('POST', '/v2/renders', { source: { ...source('d') } })).body.id;
  while ((await ask('GET', `/v2/renders/${rendered}`)).body.status !== 'succeeded') await pause(50);
  expect(await stateOf(program)).toEqual({ ...newer, render: 'succeeded' });
  await stop(program);
}, 60_000);

/**
 * Runs `work` with the program killed at change 1, 1 + stride, …, until it is over before.
 * @returns how often it was killed
 */
async function killAtEach(
  from: string,
  work: (program: Started) => Promise<void>,
  check: (program: Started, at: number) => Promise<void>,
): Promise<number> {
  let kills = 0;
  for (let at = 1; ; at += stride) {
    // A second try begins with nothing of the first.
    const data = mkdtempSync(path.join(folder, `at-${from.replace(/\W/g, '')}-${at}-`));
    await cp(base, data, { recursive: true });
    rmSync(countFile, { force: true });
    const program = await start(data, {
      NODE_OPTIONS: `--import ${hook}`,
      END_AT: String(at),
      END_FROM: from,
      END_COUNT_FILE: countFile,
    });
    const { cli } = program;
    await work(program).catch((error: unknown) => {
      // The connection breaks when it is killed.
      if (!(error instanceof TypeError)) throw error;
    });
    const ended = cli.ended.then(() => false);
    const isOver = await within(
      'it ends or settles',
      cli,
      Promise.race([ended, settled(data, from)]),
    );
    if (isOver) await stop(program);
    else expect(cli.child.signalCode).toBe('SIGKILL');
    running.delete(cli);
    const next = await start(data);
    await check(next, at);
    await stop(next);
    const left = readdirSync(path.join(data, 'store'));
    expect(left.filter((name) => /^restor|\.part$|\.new$/.test(name))).toEqual([]);
    rmSync(data, { recursive: true });
    if (isOver) return kills;
    kills += 1;
  }
}

/** Waits until nothing is left to do. */
async function settled(data: string, from: string): Promise<boolean> {
  const store = path.join(data, 'store');
  const isUnderWay = (): boolean =>
    from === 'restore.json'
      ? existsSync(path.join(store, 'restore.json')) || existsSync(path.join(store, 'restoring'))
      : readdirSync(path.join(store, 'backups')).some((name) => name.endsWith('.part'));
  let calm = 0;
  while (calm < 10) {
    await pause(50);
    calm = isUnderWay() ? 0 : calm + 1;
  }
  return true;
}

test.each(['work', 'all'])(
  'killed while %s is put back: what was answered comes true, and what was there is kept',
  async (what) => {
    let answered = false;
    const kills = await killAtEach(
      'restore.json',
      async ({ window }) => {
        answered = false;
        const path = `/api/backups/data/${backup}/restore`;
        const { status } = await window('POST', path, { what });
        expect(status).toBe(202);
        answered = true;
      },
      async (program, at) => {
        const state = await stateOf(program);
        const render = what === 'work' ? 'succeeded' : 404;
        const done = { ...older, render };
        // Killed before the answer, either is right; never a mix.
        if (answered) expect(state, `change ${at}`).toEqual(done);
        else expect([done, { ...newer, render: 'succeeded' }]).toContainEqual(state);
        if ((state as typeof older).rows === 'new') return;
        const { body } = await program.window('GET', '/api/backups');
        const { backups } = body as unknown as BackupList;
        const kept = backups.filter(({ kind }) => kind === 'replaced');
        expect(kept).toHaveLength(1);
        await program.window('POST', `/api/backups/data/${kept[0]!.name}/restore`, { what: 'all' });
        const put = settled(programData(program), 'restore.json');
        await within('all is put back', program.cli, put);
      },
    );
    expect(kills).toBeGreaterThan(stride === 1 ? 30 : 3);
  },
  600_000,
);

const programData = ({ cli }: Started): string =>
  cli.child.spawnargs[cli.child.spawnargs.indexOf('--data') + 1]!;

test('killed while a backup is made: all is there, and no half backup is listed', async () => {
  const kills = await killAtEach(
    '/own-2',
    async ({ window }) => {
      expect((await window('POST', '/api/backups')).status).toBe(201);
    },
    async (program, at) => {
      expect(await stateOf(program), `change ${at}`).toEqual({ ...newer, render: 'succeeded' });
      const { body } = await program.window('GET', '/api/backups');
      const own = (body as unknown as BackupList).backups.filter(({ kind }) => kind === 'own');
      expect(own.every(({ counts }) => counts !== null)).toBe(true);
    },
  );
  expect(kills).toBeGreaterThan(stride === 1 ? 20 : 1);
}, 600_000);
