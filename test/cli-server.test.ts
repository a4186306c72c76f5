/**
 * Commands that ask a running server: templates, renders, keys, and render --template. Runs the built program, both
 * sides of it.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endCommands, runCli, runCommand, said, startCli, type RunningCli } from './helpers/cli.ts';
import { readPicture } from './helpers/pictures.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'cli-server-'));
/** Where commands look when nobody says. */
const home = {
  XDG_DATA_HOME: path.join(folder, 'share'),
  XDG_CONFIG_HOME: path.join(folder, 'config'),
  APPDATA: path.join(folder, 'share'),
  HOME: folder,
  FRAMEWRIGHT_DATA: path.join(folder, 'nothing'),
  FRAMEWRIGHT_URL: '',
  FRAMEWRIGHT_KEY: '',
};
const dataFolder = path.join(folder, 'data');
let server: RunningCli;

const run = (
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): ReturnType<typeof runCommand> =>
  // A render has workers.
  (args[0] === 'render' ? runCli : runCommand)(folder, args, { ...home, ...environment });
const own = ['--data', 'data'];

interface Runtime {
  readonly apiUrl: string;
  readonly apiKey: string;
}
const runtime = (): Runtime =>
  JSON.parse(readFileSync(path.join(dataFolder, 'runtime.json'), 'utf8')) as Runtime;

const card = {
  output_format: 'png',
  width: 16,
  height: 16,
  elements: [{ type: 'shape', name: 'Box', width: '100%', height: '100%', fill_color: '#00ff00' }],
};

beforeAll(async () => {
  writeFileSync(path.join(folder, 'card.json'), JSON.stringify(card));
  mkdirSync(path.join(folder, 'media'));
  server = startCli(
    folder,
    [
      'serve',
      '--port',
      '0',
      '--window-port',
      '0',
      '--no-samples',
      '--data',
      'data',
      '--media',
      'media',
    ],
    home,
  );
  await said(server, 'Press Ctrl+C');
});
afterAll(async () => {
  await endCommands();
  server.child.kill('SIGTERM');
  await server.ended;
  rmSync(folder, { recursive: true, force: true });
});

describe('templates', () => {
  test('go in, come out, change, and go', async () => {
    const { out: created, status } = await run(['templates', 'put', 'card.json', ...own]);
    expect([status, created]).toEqual([0, expect.stringMatching(/^Created card \(\S+\)$/)]);
    const id = /\((\S+)\)/.exec(created)?.[1] ?? '';
    expect((await run(['templates', 'list', ...own])).out).toContain(`${id}  card`);
    const { out } = await run(['templates', 'get', 'card', ...own]);
    expect(JSON.parse(out)).toEqual(card);

    writeFileSync(path.join(folder, 'other.json'), JSON.stringify({ ...card, width: 20 }));
    const put = ['templates', 'put', 'other.json', 'card', '--tag', 'cards', ...own];
    expect((await run(put)).out).toBe(`Changed card (${id})`);
    expect((await run(['templates', 'get', id, 'got.json', ...own])).status).toBe(0);
    expect(JSON.parse(readFileSync(path.join(folder, 'got.json'), 'utf8'))).toMatchObject({
      width: 20,
    });
    const listed = await run(['templates', 'list', '--tag', 'cards', '--json', ...own]);
    expect(JSON.parse(listed.out)).toMatchObject([{ id, name: 'card', tags: ['cards'] }]);

    await run(['templates', 'put', 'card.json', 'a/b', ...own]);
    await run(['templates', 'put', 'card.json', 'A:B', ...own]);
    expect((await run(['templates', 'export', 'all', ...own])).out).toBe(
      'Wrote 3 templates to all',
    );
    const files = readdirSync(path.join(folder, 'all'));
    expect(files.length).toBe(3);
    expect(files).toContain('card.json');

    expect((await run(['templates', 'delete', 'card', 'a/b', 'A:B', ...own])).status).toBe(0);
    const none = await run(['templates', 'list', ...own]);
    expect([none.status, none.out, none.error]).toEqual([0, '', 'There are no templates.']);
  });

  test('may have any name, which does nothing to terminals and folders', async () => {
    const name = '../../a\u001b[31m\nb';
    const put = await run(['templates', 'put', 'card.json', name, ...own]);
    expect(put.out).toMatch(/^Created \.\.\/\.\.\/a \[31m b \(\S+\)$/);
    expect((await run(['templates', 'list', ...own])).out).not.toContain('\u001b');
    await run(['templates', 'export', 'hostile', ...own]);
    expect(readdirSync(path.join(folder, 'hostile'))).toEqual(['-..-a-[31m-b.json']);
    expect((await run(['templates', 'delete', name, ...own])).out).not.toContain('\u001b');
  });

  test.each([
    { args: ['get', 'nothing'], says: "There is no template 'nothing'." },
    { args: ['put', 'gone.json'], says: 'There is no file gone.json.' },
    { args: ['delete'], says: 'Usage: framewright templates delete NAME …' },
    {
      args: ['shred'],
      says: "Expected list, get, put, delete, deleted, restore, export, share, import, found 'shred'.",
    },
  ])('$args: one sentence', async ({ args, says }) => {
    const { status, error } = await run(['templates', ...args, ...own]);
    expect(error).toContain(says);
    expect(error).not.toContain('    at ');
    expect(status).toBe(1);
  });

  test('go to another computer as one file, with their pictures', async () => {
    const pattern = path.join(import.meta.dirname, 'fixtures/pattern.png');
    copyFileSync(pattern, path.join(folder, 'media', 'logo.png'));
    const elements = ['logo.png', 'gone.png'].map((source) => ({ type: 'image', source }));
    writeFileSync(path.join(folder, 'logo.json'), JSON.stringify({ ...card, elements }));
    await run(['templates', 'put', 'logo.json', 'With a logo', ...own]);
    const shared = await run(['templates', 'share', 'With a logo', ...own]);
    expect([shared.status, shared.out, shared.error]).toEqual([
      0,
      'Wrote With a logo to With a logo.framewright (0.0 MB)',
      '1 file could not be packed:\n  gone.png: The file does not exist',
    ]);
    expect(existsSync(path.join(folder, 'With a logo.framewright.part'))).toBe(false);
    await run(['templates', 'delete', 'With a logo', ...own]);
    const brought = await run(['templates', 'import', 'With a logo.framewright', ...own]);
    expect([brought.status, brought.error]).toEqual([0, '']);
    expect(brought.out).toMatch(/^Created With a logo \(\S+\)$/);
    const { out } = await run(['templates', 'get', 'With a logo', ...own]);
    expect(out).toMatch(/"source": "media:[0-9a-f]{32}"/);
    const wrong = await run(['templates', 'import', 'card.json', ...own]);
    expect([wrong.status, wrong.error]).toEqual([
      1,
      expect.stringContaining('it is no zip archive, or was cut off'),
    ]);
    const none = await run(['templates', 'import', 'none.framewright', ...own]);
    expect([none.status, none.error]).toEqual([1, "none.framewright can't be read."]);
    await run(['templates', 'delete', 'With a logo', ...own]);
  });
});

test('templates bring the files beside them, which a render elsewhere loads; what is wrong is said', async () => {
  mkdirSync(path.join(folder, 'beside'));
  const pattern = path.join(import.meta.dirname, 'fixtures/pattern.png');
  copyFileSync(pattern, path.join(folder, 'beside', 'a logo.png'));
  const elements = ['a logo.png', 'gone.png'].map((source) => ({
    ...{ type: 'image', width: '50%', height: '50%', source },
  }));
  const one = { ...card, hight: 3, elements: elements.slice(0, 1) };
  for (const [name, content] of [
    ['one', one],
    ['two', { ...card, elements }],
  ] as const)
    writeFileSync(path.join(folder, 'beside', `${name}.json`), JSON.stringify(content));
  const put = await run(['templates', 'put', 'beside/one.json', 'Beside', ...own]);
  expect([put.status, put.error]).toEqual([
    0,
    expect.stringMatching(/^Warning: hight: The document has no 'hight'.* \(at hight\)$/),
  ]);
  const { out } = await run(['templates', 'get', 'Beside', ...own]);
  expect(out).toMatch(/"source": "media:[0-9a-f]{32}"/);
  expect((await run(['templates', 'put', 'beside/two.json', 'Two', ...own])).error).toBe(
    'gone.png is not beside the document; the server must have it in a folder of its own.',
  );
  const { apiUrl, apiKey } = runtime();
  const elsewhere = ['--url', apiUrl, '--key', apiKey];
  const made = await run(['render', '--template', 'Beside', 'beside.png', ...elsewhere]);
  expect([made.status, made.out]).toEqual([0, expect.stringContaining('beside.png: 16×16')]);
  await run(['templates', 'delete', 'Beside', 'Two', ...own]);
});

describe('where the server is', () => {
  test('say --url and --key, or the environment', async () => {
    const { apiUrl, apiKey } = runtime();
    const list = ['templates', 'list', '--json'];
    expect(await run([...list, '--url', apiUrl, '--key', apiKey])).toMatchObject({ status: 0 });
    const environment = { FRAMEWRIGHT_URL: apiUrl, FRAMEWRIGHT_KEY: apiKey };
    expect(await run(list, environment)).toMatchObject({ status: 0, error: '' });
    const { error } = await run([...list, '--url', apiUrl]);
    expect(error).toContain(`Expected the API key of ${apiUrl}`);
    const wrong = await run([...list, '--url', apiUrl, '--key', 'wrong']);
    expect(wrong.error).toMatch(/key/i);
    expect(wrong.status).toBe(1);
    const gone = await run([...list, '--url', 'http://127.0.0.1:1', '--key', apiKey]);
    expect(gone.error).toContain('No answer from http://127.0.0.1:1. Is Framewright running');
  });

  test('is said when none runs, also where one was killed and left its file', async () => {
    const { status, error } = await run(['renders', 'list']);
    expect(status).toBe(1);
    expect(error).toContain('No Framewright is running with its data in\n');
    expect(error).toContain('Start one (framewright serve, or the app)');
    const left = { ...runtime(), windowUrl: '', pid: 2 ** 22 + 1 };
    writeFileSync(path.join(folder, 'runtime.json'), JSON.stringify(left));
    expect((await run(['renders', 'list', '--data', '.'])).error).toBe(
      error.replace(/\n {2}.*\n {2}.*\n/, `\n  ${folder}\n`),
    );
  });
});

describe('renders', () => {
  /** Asks the API for one. */
  const order = async (source: object): Promise<string> => {
    const { apiUrl, apiKey } = runtime();
    const answer = await fetch(`${apiUrl}/v2/renders`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ source }),
    });
    return ((await answer.json()) as { id: string }).id;
  };

  test('are followed to their end, listed, and their files saved', async () => {
    const id = await order(card);
    const watched = await run(['renders', 'watch', id, ...own]);
    expect([watched.status, watched.error]).toEqual([0, '']);
    expect(watched.out).toContain(`${id} succeeded http`);
    const listed = await run(['renders', 'list', '--status', 'succeeded', '--limit', '1', ...own]);
    expect(listed.out.split('\n')[1]).toContain(`${id}  succeeded`);
    const { out } = await run(['renders', 'get', id, ...own]);
    expect(JSON.parse(out)).toMatchObject({ id, status: 'succeeded', width: 16 });
    expect((await run(['renders', 'get', id, 'saved.png', ...own])).status).toBe(0);
    expect(readPicture(path.join(folder, 'saved.png')).width).toBe(16);
  });

  test('are cancelled, and a failed one ends watch with 1', async () => {
    const spin = { type: 'spin', duration: 600 };
    const long = {
      ...card,
      output_format: 'mp4',
      width: 1280,
      height: 720,
      duration: 600,
      elements: [{ ...card.elements[0], width: '50%', animations: [spin] }],
    };
    const id = await order(long);
    const watching = startCli(folder, ['renders', 'watch', id, '--json', ...own], home);
    await expect.poll(() => watching.lines.length).toBeGreaterThan(0);
    const cancelled = await run(['renders', 'cancel', id, ...own]);
    expect(cancelled.status).toBe(0);
    expect(cancelled.out).toContain(id);
    expect(await watching.ended).toBe(1);
    expect(JSON.parse(watching.lines.at(-1) ?? '')).toMatchObject({
      event: 'render',
      data: { id, status: 'failed' },
    });
    expect((await run(['renders', 'get', id, 'x.mp4', ...own])).error).toContain('has no file');
    expect(existsSync(path.join(folder, 'x.mp4'))).toBe(false);
  });

  test('are checked before they are made, of a template by its name or its ID', async () => {
    await run(['templates', 'put', 'card.json', 'Checked card', ...own]);
    const where = ['--server-data', 'data'];
    const { status, out } = await run(['check', '--template', 'Checked card', ...where]);
    expect([status, out]).toEqual([0, expect.stringContaining('Checked card: nothing was found')]);
    const list = await run(['templates', 'list', '--json', ...own]);
    const templates = JSON.parse(list.out) as { id: string; name: string }[];
    const id = templates.find(({ name }) => name === 'Checked card')?.id ?? '';
    const byId = await run(['check', id, '--json', ...where]);
    expect(JSON.parse(byId.out)).toMatchObject({ findings: [], more: 0 });
    await run(['templates', 'delete', 'Checked card', ...own]);
  });

  test('are made of a template, by its name, without the queue', async () => {
    await run(['templates', 'put', 'card.json', 'Green card', ...own]);
    const before = JSON.parse((await run(['renders', 'list', '--json', ...own])).out) as unknown[];
    const where = ['--server-data', 'data'];
    const { status, error } = await run([
      ...[
        'render',
        '--template',
        'Green card',
        'of-template.png',
        '--set',
        'Box.fill_color=#0000ff',
      ],
      ...where,
    ]);
    expect([status, error]).toEqual([0, '']);
    const { data } = readPicture(path.join(folder, 'of-template.png'));
    expect([...data.slice(0, 3)]).toEqual([0, 0, 255]);
    const after = JSON.parse((await run(['renders', 'list', '--json', ...own])).out) as unknown[];
    expect(after.length).toBe(before.length);
    const missing = await run(['render', '--template', 'Red card', 'x.png', ...where]);
    expect([missing.status, missing.error]).toEqual([
      1,
      expect.stringContaining("There is no template 'Red card'."),
    ]);
  });
});

test('keys are made, work, are shown when asked, and are removed', async () => {
  const { out: key, status } = await run(['keys', 'create', 'Laptop', ...own]);
  expect([status, key]).toEqual([0, expect.stringMatching(/^\S{20,}$/)]);
  const { apiUrl } = runtime();
  const list = ['templates', 'list', '--url', apiUrl, '--key', key];
  expect((await run(list)).status).toBe(0);
  const shown = await run(['keys', 'list', ...own]);
  expect(shown.out).toContain('Laptop');
  expect(shown.out).not.toContain(key);
  expect((await run(['keys', 'list', '--show', ...own])).out).toContain(key);
  expect((await run(['keys', 'remove', 'Laptop', ...own])).out).toMatch(/^Removed Laptop \(\S+\)$/);
  expect((await run(list)).status).toBe(1);
  expect((await run(['keys', 'remove', 'Laptop', ...own])).error).toContain("no key 'Laptop'");
  expect((await run(['keys', 'remove', 'Default', ...own])).error).toMatch(/last|only/i);
});
