/** The archive that a person saves to find out why something does not work: it tells much, and no secret. */
import { homedir } from 'node:os';
import path from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { redactor } from '../../server/window/diagnostics.ts';
import { document, startTestServer, type TestServer } from '../helpers/server.ts';

describe('the archive', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await server.stop();
  });

  const origin = (): string => new URL(server.running.windowUrl).origin;
  const token = (): string => new URL(server.running.windowUrl).hash.replace('#token=', '');

  /** The texts of the archive by the names of their files. */
  async function diagnostics(): Promise<Record<string, string>> {
    const headers = { 'x-framewright-token': token() };
    const answer = await fetch(`${origin()}/api/diagnostics`, { headers });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
    const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
    return Object.fromEntries(
      Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]),
    );
  }

  test('versions, state, settings, counts and logs, each a file; without keys, secrets and homes', async () => {
    await server.ask('POST', '/v2/templates', { name: 'Private words', source: document() });
    const { id } = (await server.ask('POST', '/v2/renders', { source: document() })).body;
    await server.ended(id);
    const { services } = server.running;
    // The data lies in the home folder, as it mostly does.
    const home = path.dirname(server.dataFolder);
    vi.stubEnv('HOME', home);
    vi.stubEnv('USERPROFILE', home);
    expect(homedir()).toBe(home);
    const { projects } = services.store;
    const secrets = [server.running.apiKey, ...projects.secretsOf('default')];
    services.log('warning', 'test', `A line of the log about ${path.join(home, 'clip.mp4')}`);
    services.log('info', `render ${id}`, `https://cdn.example/a.mp4?sign=x ${secrets.join()}`);
    services.log('info', 'test', 'x'.repeat(100_000));

    const files = await diagnostics();
    expect(Object.keys(files)).toEqual([
      ...['program.txt', 'state.json', 'settings.json', 'counts.txt', 'log.txt'],
      `renders/${id}.txt`,
    ]);
    const { version } = services.run;
    expect(files['program.txt']).toContain(`version: ${version}\n`);
    expect(files['program.txt']).toContain(`dataFolder: ~${path.sep}`);
    const state = JSON.parse(files['state.json'] ?? '') as { outputFolder: string };
    expect(state).toMatchObject({ version, api: { state: 'on', url: server.running.apiUrl } });
    expect(state.outputFolder).toMatch(/^~/);
    expect(JSON.parse(files['settings.json'] ?? '')).toMatchObject({ queuePaused: false });
    expect(files['counts.txt']?.split('\n')).toEqual(
      expect.arrayContaining(['templates: 1', 'renders succeeded: 1']),
    );
    expect(files['log.txt']).toMatch(
      /^\d{4}-\d\d-\d\dT[\d:.]+Z warning test: A line of the log about ~[\\/]clip\.mp4$/m,
    );
    expect(files['log.txt']?.length).toBeLessThan(20_000);
    expect(files[`renders/${id}.txt`]).toContain('The file is finished');
    expect(files[`renders/${id}.txt`]).toContain('https://cdn.example/a.mp4?…');
    for (const [name, text] of Object.entries(files)) {
      for (const hidden of [...secrets, token(), home, 'sign=', 'Private words'])
        expect(text, name).not.toContain(hidden);
    }
    expect((await fetch(`${origin()}/api/diagnostics`)).status).toBe(403);
  });

  test('of many renders the newest, and of long logs the newest lines', async () => {
    const { log } = server.running.services;
    for (let index = 0; index < 30; index++) log('info', `render r${index}`, `line of r${index}`);
    for (let index = 0; index < 300; index++)
      log('info', 'render r29', `${index} ${'x'.repeat(3000)}`);
    const files = await diagnostics();
    const renders = Object.keys(files).filter((name) => name.startsWith('renders/'));
    expect(renders).toHaveLength(20);
    expect(renders[0]).toBe('renders/r29.txt');
    const text = files['renders/r29.txt'] ?? '';
    expect(text).toMatch(/^\(older lines are left out\)\n/);
    expect(text).toContain(' info: 299 xxx');
    for (const one of Object.values(files)) expect(one.length).toBeLessThanOrEqual(210_000);
  });
});

test.each([
  ['a key-1 b', 'a … b'],
  ['https://me:secret@host/a', 'https://…@host/a'],
  ['"https://host/a?x=1&y=2#z", next', '"https://host/a?…", next'],
  ['http://127.0.0.1:5000/#token=abc', 'http://127.0.0.1:5000/?…'],
  ['/home/anna/x.mp4 /Users/anna/x', '/home/…/x.mp4 /Users/…/x'],
  [String.raw`{"a":"C:\\Users\\Anna B\\x"}`, String.raw`{"a":"C:\\Users\\…\\x"}`],
  [String.raw`D:\Users\anna\x`, String.raw`D:\Users\…\x`],
  ['file:///home/anna/x', 'file:///home/…/x'],
  ['https://host/a.mp4 404', 'https://host/a.mp4 404'],
])('taken out of %s', (text, told) => {
  expect(redactor(['key-1'])(text)).toBe(told);
});
