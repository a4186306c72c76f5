/**
 * The server's settings over HTTP: each can be read and changed, wrong values change nothing, and not every key may.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wireName } from '../../server/api/server-settings.ts';
import { hiddenSecret, settingNames } from '../../shared/settings.ts';
import { startTestServer, type Answer, type TestServer } from '../helpers/server.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'framewright-settings-'));
const at = (name: string): string => path.join(folder, name);
mkdirSync(at('here'));
writeFileSync(at('file'), 'a file');
writeFileSync(at('program'), '#!/bin/sh\n');
writeFileSync(at('ffmpeg'), '#!/bin/sh\necho "ffmpeg version 7.1"; echo "libx264 aac"\n');
for (const name of ['program', 'ffmpeg']) chmodSync(at(name), 0o755);

let server: TestServer;
let freePort = 0;
beforeAll(async () => {
  server = await startTestServer();
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  freePort = (probe.address() as AddressInfo).port;
  await new Promise((resolve) => probe.close(resolve));
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

type Settings = Readonly<Record<string, unknown>>;
const all = async (): Promise<Settings> => {
  const { status, body } = await server.ask('GET', '/v2/settings');
  expect(status).toBe(200);
  return body as unknown as Settings;
};
const change = (body: object): Promise<Answer> => server.ask('PATCH', '/v2/settings', body);

interface Row {
  readonly name: string;
  readonly good: () => unknown;
  /** What answers say of it; absent: the same. */
  readonly shown?: unknown;
  readonly wrong: unknown;
  /** After "should be". */
  readonly says: string;
}

const flag = { good: () => true, wrong: 'yes', says: 'true or false, found "yes".' };
const off = { ...flag, good: () => false };
const space = { good: () => 5_000_000, wrong: -1, says: 'a size that is at least 0, found -1.' };

/** In the order in which they are tried: what moves the API comes last. */
const rows: readonly Row[] = [
  {
    name: 'allowed_hosts',
    good: () => ['server.lan', 'other.lan:8080'],
    wrong: ['http://server.lan'],
    says: 'at most 20 names without http://, e.g. server.lan, found ["http://server.lan"].',
  },
  // A trusted proxy, and a public address of others, refuse what decides about the computer: see public-url.test.ts.
  { name: 'trust_proxy', ...off },
  {
    name: 'public_url',
    good: () => 'http://localhost:8080/films',
    wrong: 'films.example.com',
    says: 'without a query or a user name, or nothing for the address of each request, found "films.example.com".',
  },
  { name: 'allow_private_addresses', ...flag },
  {
    name: 'output_folder',
    good: () => at('made/output'),
    wrong: 'output',
    says: 'the whole path of a folder, found "output".',
  },
  {
    name: 'copy_folder',
    good: () => at('here'),
    wrong: at('file'),
    says: `a folder that can be written, found ${at('file')}.`,
  },
  {
    name: 'backup_folder',
    good: () => at('here'),
    wrong: 5,
    says: 'the whole path of a folder, found 5.',
  },
  {
    name: 'media_folders',
    good: () => [at('here')],
    wrong: [at('gone')],
    says: `a folder, found none at ${at('gone')}.`,
  },
  {
    name: 'ffmpeg_path',
    good: () => at('ffmpeg'),
    wrong: at('program'),
    says: `an ffmpeg that can be used, found ${at('program')} (This program is not ffmpeg).`,
  },
  { name: 'rate_limit', ...flag },
  {
    name: 'credit_allowance',
    good: () => 1234.5,
    wrong: -1,
    says: 'a number of credits that is at least 0, or nothing for no limit, found -1.',
  },
  { name: 'concurrency', good: () => 2, wrong: 99, says: 'a whole number from 1 to 8, found 99.' },
  { name: 'queue_paused', ...flag },
  { name: 'deletion_paused', ...flag },
  {
    name: 'allowed_origins',
    good: () => ['http://localhost:3000'],
    wrong: ['http://localhost:3000/page'],
    says: 'at most 20 addresses of web pages without a path and of at most 300 characters, e.g. http://localhost:3000, found ["http://localhost:3000/page"].',
  },
  { name: 'start_api', ...off },
  { name: 'request_log_size', good: () => 7, wrong: 1.5, says: 'found 1.5.' },
  { name: 'template_versions', good: () => 3, wrong: 'many', says: 'found "many".' },
  { name: 'pause_on_battery', ...off },
  { name: 'free_space_limit', ...space },
  { name: 'keep_awake', ...off },
  {
    name: 'painting_threads',
    good: () => 2,
    wrong: 0,
    says: 'or nothing for as many as pay, found 0.',
  },
  {
    name: 'render_priority',
    good: () => 'normal',
    wrong: 'high',
    says: 'low or normal, found "high".',
  },
  {
    name: 'encode_with',
    good: () => 'software',
    wrong: 'gpu',
    says: 'software, nvenc, qsv, amf, videotoolbox or vaapi, found "gpu".',
  },
  { name: 'cache_limit', ...space },
  { name: 'pieces_limit', ...space },
  { name: 'render_idle', ...flag },
  {
    name: 'voices',
    good: () => ['elevenlabs: system'],
    wrong: ['elevenlabs'],
    says: 'that say who speaks, e.g. elevenlabs: system',
  },
  ...['elevenlabs_key', 'openai_key', 'voice_key', 'speech_key'].map((name) => ({
    ...{ name, good: () => 'own-key', shown: hiddenSecret },
    ...{ wrong: 5, says: 'a key in one line, found 5.' },
  })),
  {
    name: 'transcriber',
    good: () => at('program'),
    wrong: at('file'),
    says: `a program that can be run, found none at ${at('file')}.`,
  },
  {
    name: 'transcriber_model',
    good: () => at('file'),
    wrong: at('gone'),
    says: `a file that can be read, found none at ${at('gone')}.`,
  },
  {
    name: 'speech_model',
    good: () => 'tiny',
    wrong: 5,
    says: 'the name of a speech model, found 5.',
  },
  {
    name: 'speech_language',
    good: () => 'de',
    wrong: 'German',
    says: 'a language such as de, or nothing to have it recognised, found "German".',
  },
  {
    name: 'speech_words',
    good: () => 'Kennedy, Framewright',
    wrong: 'a\nb',
    says: 'names and words in one line of at most 800 characters, found',
  },
  {
    name: 'speech_address',
    good: () => 'http://127.0.0.1:8000/v1',
    wrong: 'localhost',
    says: 'the address of a service, e.g. http://127.0.0.1:8000/v1, found "localhost".',
  },
  {
    name: 'model_mirror',
    good: () => 'https://models.example.com',
    wrong: 'models.example.com',
    says: 'the address of a service, e.g. http://127.0.0.1:8000/v1, found "models.example.com".',
  },
  {
    name: 'port',
    good: () => freePort,
    wrong: 80,
    says: 'a whole number from 1024 to 65535, found 80.',
  },
  {
    name: 'host',
    good: () => '127.0.0.2',
    wrong: 'server.lan',
    says: 'an IP address of this computer, e.g. 127.0.0.1 for this computer alone or 0.0.0.0 for all networks, found "server.lan".',
  },
];

test('the table has every setting, and so has the answer', async () => {
  const names = rows.map(({ name }) => name).sort();
  expect(names).toEqual(settingNames.map(wireName).sort());
  expect(Object.keys(await all()).sort()).toEqual(names);
});

describe('wrong values change nothing, and the refusal says what was expected and found', () => {
  test.each(rows)('$name', async ({ name, wrong, says }) => {
    const before = await all();
    // One that is right beside it changes as little.
    const right = name === 'keep_awake' ? { pause_on_battery: false } : { keep_awake: false };
    const { status, body } = await change({ ...right, [name]: wrong });
    expect([status, body.hint]).toEqual([400, expect.stringContaining(says)]);
    expect(body.hint).toContain(`The setting '${name}' should be `);
    expect(await all()).toEqual(before);
  });

  test.each([
    [{ no_such: 1 }, "There is no setting 'no_such'. There are: port, host,"],
    // As the window calls it.
    [{ keepAwake: false }, "There is no setting 'keepAwake'."],
    [{ earlier_output_folders: [] }, "There is no setting 'earlier_output_folders'."],
    [{ concurrency: 'x'.repeat(5_000) }, `found "${'x'.repeat(199)}….`],
  ])('%o', async (body, says) => {
    const before = await all();
    const answer = await change(body);
    expect([answer.status, answer.body.hint]).toEqual([400, expect.stringContaining(says)]);
    expect(answer.body.hint.length).toBeLessThan(1_000);
    expect(await all()).toEqual(before);
  });
});

/** Shell scripts, and a second address of this computer. */
const onLinux = process.platform === 'linux';

describe.runIf(onLinux)('each is changed, read, and changed back', () => {
  // Once a proxy is trusted, no key takes that back: see public-url.test.ts. Hardware needs an ffmpeg that has some:
  // see test/jobs/hardware.test.ts.
  const ways = rows.filter(({ name }) => name !== 'trust_proxy' && name !== 'encode_with');
  test.each(ways)('$name', async ({ name, good, shown }) => {
    const before = await all();
    const given = good();
    const value = shown ?? given;
    expect(before[name]).not.toEqual(value);
    const changed = await change({ [name]: given });
    expect([changed.status, changed.body]).toEqual([200, { ...before, [name]: value }]);
    expect(await all()).toEqual({ ...before, [name]: value });
    expect((await change({ [name]: before[name] })).body).toEqual(before);
  });
});

test.runIf(onLinux)('all of them in one request are there after a restart', async () => {
  // These would keep the test from asking.
  const left = ['start_api', 'rate_limit', 'host'];
  const given = Object.fromEntries(
    rows.filter(({ name }) => !left.includes(name)).map(({ name, good }) => [name, good()]),
  );
  const secrets = Object.fromEntries(
    rows.flatMap(({ name, shown }) => (shown === undefined ? [] : [[name, shown]])),
  );
  const expected = { ...(await all()), ...given, ...secrets };
  expect((await change(given)).body).toEqual(expected);
  await server.restart();
  expect(await all()).toEqual(expected);
});

test('null is what the start says', async () => {
  await server.restart({ concurrency: 3 });
  await change({ concurrency: 5 });
  expect((await all())['concurrency']).toBe(5);
  const { body } = await change({ concurrency: null, credit_allowance: null });
  expect(body).toMatchObject({ concurrency: 3, credit_allowance: null });
});

test('what was named at the start of the server stays', async () => {
  await server.restart({ fixedSettings: ['concurrency'], concurrency: 4 });
  const { status, body } = await change({ concurrency: 2 });
  expect([status, body.hint]).toEqual([
    400,
    "The setting 'concurrency' was named at the start of the server and stays so while it runs.",
  ]);
  expect((await all())['concurrency']).toBe(4);
});

test('keys of another project may not, and are told which may', async () => {
  const made = await server.askWindow('POST', '/api/projects', { name: 'Other' });
  const { keys } = made.body as unknown as { keys: { key: string }[] };
  const headers = { authorization: `Bearer ${keys[0]!.key}` };
  const before = await all();
  const { name } = (await server.ask('GET', '/v1/projects/data')).body;
  for (const [method, body] of [['GET'], ['PATCH', { keep_awake: true }]] as const) {
    const answer = await server.ask(method, '/v2/settings', body, headers);
    expect([answer.status, answer.body.hint]).toEqual([
      403,
      `Only keys of the first project (${name}) may do this, which is about the whole server; this key is that of the project Other.`,
    ]);
  }
  expect(await all()).toEqual(before);
});

describe('what decides which files, programs and addresses the server uses', () => {
  /** Sends a change from an address. */
  const from = (localAddress: string, body: object): Promise<number> =>
    new Promise((resolve, reject) => {
      const { apiUrl, apiKey } = server.running;
      const sent = request(`${apiUrl}/v2/settings`, {
        method: 'PATCH',
        localAddress,
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      });
      sent.once('response', (response) => resolve(response.resume().statusCode ?? 0));
      sent.once('error', reject);
      sent.end(JSON.stringify(body));
    });

  test.each(['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'])(
    'is not changed by what came through a proxy: %s',
    async (header) => {
      const before = await all();
      const headers = { [header]: '192.0.2.1' };
      for (const name of [
        'media_folders',
        'ffmpeg_path',
        'output_folder',
        'allow_private_addresses',
      ]) {
        const row = rows.find((one) => one.name === name)!;
        const answer = await server.ask('PATCH', '/v2/settings', { [name]: row.good() }, headers);
        expect([answer.status, answer.body.hint]).toEqual([
          403,
          expect.stringContaining(
            `The setting '${name}' can only be changed from the server's own`,
          ),
        ]);
      }
      expect(await all()).toEqual(before);
      const other = await server.ask('PATCH', '/v2/settings', { keep_awake: false }, headers);
      expect(other.status).toBe(200);
    },
  );

  test.runIf(process.platform === 'linux')(
    'is changed from any address of this computer',
    async () => {
      expect(await from('127.0.0.3', { media_folders: [] })).toBe(200);
    },
  );
});
