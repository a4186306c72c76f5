/**
 * What a server without a window is run by: webhooks, backups, settings, the Trash, media, fonts, feeds, projects. Runs
 * the built program, both sides of it.
 */
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandRows } from '../server/commands/command-rows.ts';
import { namedFont } from './helpers/named-font.ts';
import { endCommands, runCli, runCommand, said, startCli, type RunningCli } from './helpers/cli.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'cli-headless-'));
/** Where commands look when nobody says. */
const home = {
  XDG_DATA_HOME: path.join(folder, 'share'),
  XDG_CONFIG_HOME: path.join(folder, 'config'),
  HOME: folder,
  FRAMEWRIGHT_DATA: path.join(folder, 'nothing'),
  FRAMEWRIGHT_URL: '',
  FRAMEWRIGHT_KEY: '',
};
let server: RunningCli;
const serve = async (
  environment: NodeJS.ProcessEnv = {},
  more: string[] = [],
): Promise<RunningCli> => {
  const place = ['--port', '0', '--window-port', '0', '--data', 'data'];
  const args = ['serve', ...place, '--no-samples', '--no-rate-limit', ...more];
  const started = startCli(folder, args, { ...home, ...environment });
  await said(started, 'Press Ctrl+C');
  return started;
};
const end = async (): Promise<void> => {
  server.child.kill('SIGTERM');
  await server.ended;
};

/** Runs a command on the server of the data folder. */
const run = (...args: string[]): ReturnType<typeof runCommand> =>
  runCommand(folder, [...args, '--data', 'data'], home);
/** Its output, of a command that ends well. */
const told = async (...args: string[]): Promise<string> => {
  const { status, out, error } = await run(...args);
  expect([args, status, error]).toEqual([args, 0, expect.anything()]);
  return out;
};
const facts = async (...args: string[]): Promise<unknown> =>
  JSON.parse(await told(...args, '--json'));

interface Runtime {
  readonly apiUrl: string;
  readonly apiKey: string;
  readonly windowUrl: string;
}
const runtime = (): Runtime =>
  JSON.parse(readFileSync(path.join(folder, 'data', 'runtime.json'), 'utf8')) as Runtime;

const card = {
  output_format: 'png',
  width: 16,
  height: 16,
  elements: [{ type: 'shape', width: '100%', height: '100%', fill_color: '#00ff00' }],
};

beforeAll(async () => {
  writeFileSync(path.join(folder, 'card.json'), JSON.stringify(card));
  writeFileSync(path.join(folder, 'wide.json'), JSON.stringify({ ...card, width: 32 }));
  server = await serve();
});
afterAll(async () => {
  await endCommands();
  await end();
  rmSync(folder, { recursive: true, force: true });
});

describe('templates', () => {
  test('are restored by name or ID, as they were', async () => {
    const made = await facts('templates', 'put', 'card.json', 'Card', '--tag', 'cards');
    const { id } = made as { id: string };
    await told('templates', 'delete', 'Card');
    const list = await told('templates', 'deleted');
    expect(list).toMatch(/^ID +NAME +DELETED +GONE ON\n/);
    expect(list).toContain(`${id}  Card`);
    expect(await facts('templates', 'deleted')).toMatchObject([
      { id, name: 'Card', tags: ['cards'] },
    ]);
    expect(await told('templates', 'restore', 'Card')).toBe(`Restored Card (${id})`);
    expect(await facts('templates', 'get', 'Card')).toEqual(made);
    const none = await run('templates', 'deleted');
    expect([none.status, none.out, none.error]).toEqual([0, '', 'There are no deleted templates.']);
    await told('templates', 'delete', 'Card');
    expect(await facts('templates', 'restore', id)).toEqual([made]);
  });

  test('with a wrong name among them, or one that two have, none is restored', async () => {
    await told('templates', 'put', 'card.json', 'One');
    await told('templates', 'put', 'card.json', 'Twice');
    await told('templates', 'delete', 'One', 'Twice');
    await told('templates', 'put', 'card.json', 'Twice');
    await told('templates', 'delete', 'Twice');
    const before = await facts('templates', 'deleted');
    const wrong = await run('templates', 'restore', 'One', 'None');
    expect([wrong.status, wrong.error]).toEqual([
      1,
      "There is no deleted template 'None'. framewright templates deleted shows those that there are.",
    ]);
    const twice = await run('templates', 'restore', 'One', 'Twice');
    expect(twice.error).toMatch(
      /^2 deleted templates are named 'Twice'\. Name one by its ID:\n {2}\S+, deleted \S+ \S+\n {2}\S+, deleted/,
    );
    expect(await facts('templates', 'deleted')).toEqual(before);
  });
});

describe('backups', () => {
  test('what was changed is as it was, once the command has ended', async () => {
    await told('templates', 'put', 'card.json', 'Poster');
    await told('settings', 'set', 'template_versions', '7');
    const made = await told('backups', 'create');
    const [, name = ''] = /^Made (own-\S+) \(\d+\.\d MB\)$/.exec(made) ?? [];
    await told('templates', 'put', 'wide.json', 'Poster');
    await told('templates', 'put', 'wide.json', 'Later');
    await told('settings', 'set', 'template_versions', '9');
    expect(await told('backups', 'list')).toMatch(
      new RegExp(`\n${name} +\\S+ \\S+ +\\S+ MB +\\d+ templates, 0 feeds, 0 files`),
    );

    const { apiUrl } = runtime();
    const restored = await run('backups', 'restore', name);
    expect([restored.status, restored.error]).toEqual([0, 'The server starts again…']);
    expect(restored.out).toMatch(
      new RegExp(`^The backup ${name} of .* was restored\\..* as replaced-`),
    );
    expect(runtime().apiUrl).toBe(apiUrl);
    expect(JSON.parse(await told('templates', 'get', 'Poster'))).toEqual(card);
    expect((await run('templates', 'get', 'Later')).error).toBe(
      "There is no template 'Later'. framewright templates list shows those that there are.",
    );
    // Not part of the work.
    expect(await told('settings', 'get', 'template_versions')).toBe('9');

    expect(await facts('backups', 'restore', name, '--all')).toMatchObject({
      backup: name,
      succeeded: true,
    });
    expect(await told('settings', 'get', 'template_versions')).toBe('7');
    expect(await told('settings', 'get', 'queue_paused')).toBe('true');
    await told('settings', 'set', 'queue_paused', 'false');
    expect(await told('backups', 'delete', name)).toBe(`Deleted ${name}`);
    expect(await told('backups', 'list')).not.toContain(name);
  }, 120_000);

  test('one that is not there is told, and the server goes on', async () => {
    const { status, error } = await run('backups', 'restore', 'own-none');
    expect([status, error]).toEqual([1, 'There is no backup with the name own-none.']);
    expect((await run('backups', 'delete', 'own-none')).status).toBe(1);
    expect((await run('templates', 'list')).status).toBe(0);
  });

  test('keys that came after the backup open nothing after it, and the command says so', async () => {
    const { id } = (await facts('backups', 'create')) as { id: string };
    const key = await told('keys', 'create', 'New');
    const args = ['backups', 'restore', id, '--all', '--url', runtime().apiUrl, '--key', key];
    const { status, error } = await runCommand(folder, args, home);
    expect([status, error]).toEqual([
      1,
      'The server starts again…\nThe server has started again, and this key opens nothing any more: with --all, the keys are those of the backup.',
    ]);
    expect((await facts('backups', 'list')) as object).toMatchObject({
      last_restore: { backup: id, succeeded: true },
    });
    await told('settings', 'set', 'queue_paused', 'false');
  }, 60_000);
});

describe('settings', () => {
  test('are listed, read and changed: numbers, texts, switches, lists and null', async () => {
    const list = await told('settings', 'list');
    expect(list).toMatch(/^NAME +VALUE\n/);
    expect(list).toMatch(/\ncredit_allowance +null\n/);
    const sets: readonly (readonly [
      name: string,
      given: readonly string[],
      got: string,
      value: unknown,
    ])[] = [
      ['concurrency', ['2'], '2', 2],
      ['concurrency', ['null'], '1', 1],
      ['keep_awake', ['false'], 'false', false],
      ['render_priority', ['normal'], 'normal', 'normal'],
      ['backup_folder', [folder], folder, folder],
      ['backup_folder', ['null'], 'null', null],
      ['allowed_hosts', ['a.lan', 'b.lan'], '["a.lan","b.lan"]', ['a.lan', 'b.lan']],
      ['allowed_hosts', ['c.lan'], '["c.lan"]', ['c.lan']],
      ['allowed_hosts', ['[]'], '[]', []],
    ];
    for (const [name, given, got, value] of sets) {
      expect(await told('settings', 'set', name, ...given)).toBe(`${name}: ${got}`);
      expect(await told('settings', 'get', name)).toBe(got);
      expect(await facts('settings', 'get', name)).toEqual(value);
      expect(await facts('settings', 'list')).toMatchObject({ [name]: value });
    }
  }, 120_000);

  test('wrong ones are refused in one sentence, and nothing has changed', async () => {
    const wrong: readonly (readonly [args: readonly string[], says: string])[] = [
      [
        ['get', 'nothing'],
        "There is no setting 'nothing'. framewright settings list shows those that there are.",
      ],
      [['set', 'nothing', '1'], "There is no setting 'nothing'."],
      [['set', 'concurrency'], 'Usage: framewright settings set NAME VALUE …'],
      [['set', 'concurrency', '1', '2'], 'concurrency: Expected one value, found 2.'],
      [
        ['set', 'concurrency', 'two'],
        'The setting \'concurrency\' should be a whole number from 1 to 8, found "two".',
      ],
      [
        ['set', 'rate_limit', 'true'],
        "The setting 'rate_limit' was named at the start of the server",
      ],
    ];
    const before = await facts('settings', 'list');
    for (const [args, says] of wrong) {
      const { status, error } = await run('settings', ...args);
      expect([args, status, error]).toEqual([args, 1, expect.stringContaining(says)]);
    }
    expect(await facts('settings', 'list')).toEqual(before);
  });
});

describe('webhooks', () => {
  test('the secret is shown, replaced and revoked, and calls are signed with it', async () => {
    let receive: (call: { headers: IncomingHttpHeaders; body: string }) => void = () => undefined;
    const receiver = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        response.writeHead(204).end();
        receive({ headers: request.headers, body: Buffer.concat(parts).toString() });
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const { port } = receiver.address() as AddressInfo;
    /** Signatures of a call that comes now, and the code that a secret gives. */
    const call = async (): Promise<(secret: string) => boolean> => {
      const received = new Promise<{ headers: IncomingHttpHeaders; body: string }>(
        (resolve) => (receive = resolve),
      );
      const { apiUrl, apiKey } = runtime();
      await fetch(`${apiUrl}/v2/renders`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ source: card, webhook_url: `http://127.0.0.1:${port}/` }),
      });
      const { headers, body } = await received;
      const signatures = String(headers['webhook-signature']).split(' ');
      const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
      return (secret) => {
        const hmac = createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'));
        return signatures.includes(`v1,${hmac.update(signed).digest('base64')}`);
      };
    };
    try {
      const before = await told('webhooks', 'secret');
      expect(before).toMatch(/^whsec_\S+$/);
      expect((await call())(before)).toBe(true);
      const rotated = await run('webhooks', 'rotate');
      const after = rotated.out;
      expect(rotated.error).toMatch(/^The secret before signs, too, until \d{4}-/);
      const both = await call();
      expect([after === before, both(before), both(after)]).toEqual([false, true, true]);
      expect(await told('webhooks', 'revoke')).toBe('');
      const one = await call();
      expect([one(before), one(after)]).toEqual([false, true]);
      expect(await facts('webhooks', 'secret')).toEqual({ secret: after });

      await expect
        .poll(() => told('webhooks', 'deliveries'))
        .toMatch(
          new RegExp(
            `^ID +CREATED +STATE +TRIES +LAST ANSWER +TO\\n(?:msg_\\S+ +\\S+ \\S+ +delivered +1 +\\S.* http://127\\.0\\.0\\.1:${port}/\\n?){3}`,
          ),
        );
      const [last] = (await facts('webhooks', 'deliveries')) as { id: string }[];
      const repeated = new Promise<{ headers: IncomingHttpHeaders }>(
        (resolve) => (receive = resolve),
      );
      expect(await told('webhooks', 'retry', last!.id)).toBe(`Sending ${last!.id} again`);
      expect((await repeated).headers['webhook-id']).toBe(last!.id);
      const wrong = await run('webhooks', 'retry', 'msg_none');
      expect([wrong.status, wrong.error]).toEqual([
        1,
        'There is no webhook delivery with the ID msg_none that could be sent again.',
      ]);
    } finally {
      receiver.close();
    }
  }, 60_000);

  test('the start takes it from the option, else from the variable, and shows no wrong one', async () => {
    const [one, other] = ['a', 'b'].map(
      (word) => `whsec_${Buffer.from(word.repeat(24)).toString('base64')}`,
    );
    await end();
    server = await serve({ FRAMEWRIGHT_WEBHOOK_SECRET: one! });
    expect(await told('webhooks', 'secret')).toBe(one);
    await end();
    server = await serve({ FRAMEWRIGHT_WEBHOOK_SECRET: one! }, ['--webhook-secret', other!]);
    expect(await told('webhooks', 'secret')).toBe(other);
    const shared = ['serve', '--port', '0', '--data', 'other'];
    for (const [args, variable, found] of [
      [['--webhook-secret', 'hush'], '', 'something else'],
      [['--webhook-secret', 'whsec_aHVzaA=='], '', '4 bytes'],
      [[], 'hush', 'something else'],
    ] as const) {
      const environment = { ...home, FRAMEWRIGHT_WEBHOOK_SECRET: variable };
      const { status, error } = await runCli(folder, [...shared, ...args], environment);
      expect([status, error]).toEqual([
        1,
        `--webhook-secret or FRAMEWRIGHT_WEBHOOK_SECRET: Expected whsec_ and 24 to 64 bytes in base64, e.g. "whsec_$(openssl rand -base64 24)", found ${found}.`,
      ]);
    }
  }, 60_000);
});

/** Commands that are refused in one sentence. */
async function expectRefusals(
  rows: readonly (readonly [args: readonly string[], says: string])[],
): Promise<void> {
  for (const [args, says] of rows) {
    const { status, out, error } = await run(...args);
    expect([args, status, out, error]).toEqual([args, 1, '', expect.stringContaining(says)]);
  }
}

test('trash: deleted templates are listed, restored, and deleted for good', async () => {
  for (const name of ['Old', 'Older', 'Oldest']) await told('templates', 'put', 'card.json', name);
  await told('templates', 'delete', 'Old', 'Older', 'Oldest');
  expect(await told('trash', 'list')).toMatch(/^ID +NAME +DELETED +GONE ON\n/);
  expect(await told('trash', 'restore', 'Old')).toMatch(/^Restored Old \(\S+\)$/);
  await expectRefusals([
    [
      ['trash', 'delete', 'Older', 'Old'],
      "There is no deleted template 'Old'. framewright trash list shows those that there are.",
    ],
    [['trash', 'restore'], 'Usage: framewright trash restore NAME …'],
  ]);
  expect(await told('trash', 'delete', 'Older')).toMatch(/^Deleted Older \(\S+\) for good$/);
  const left = (await facts('trash', 'list')) as { name: string }[];
  expect(left.map(({ name }) => name)).toContain('Oldest');
  expect(left.map(({ name }) => name)).not.toContain('Older');
  expect(await told('trash', 'empty')).toBe(
    `Deleted ${left.length} template${left.length === 1 ? '' : 's'} for good`,
  );
  expect(await facts('trash', 'list')).toEqual([]);
}, 60_000);

test('media: files are sent, listed, loaded and deleted', async () => {
  const fixtures = path.join(import.meta.dirname, 'fixtures');
  const [photo, pattern] = ['photo.jpg', 'pattern.png'].map((name) => path.join(fixtures, name));
  const added = await told('media', 'add', photo!, pattern!);
  expect(added).toMatch(/^media:[0-9a-f]{32} {2}photo\.jpg\nmedia:[0-9a-f]{32} {2}pattern\.png$/);
  const again = (await facts('media', 'add', photo!)) as { source: string }[];
  expect(added).toContain(again[0]!.source);
  expect(await told('media', 'list', '--kind', 'image')).toMatch(
    /^SOURCE +NAME +FORMAT +PIXELS +SIZE\n.*pattern\.png +png +\d+ × \d+ +\d\.\d MB\n/,
  );
  expect(await facts('media', 'list', '--kind', 'audio')).toEqual([]);
  expect(await told('media', 'get', 'photo.jpg', 'loaded/a.jpg')).toMatch(/^Wrote loaded\/a\.jpg /);
  expect(readFileSync(path.join(folder, 'loaded', 'a.jpg'))).toEqual(readFileSync(photo!));
  await expectRefusals([
    [
      ['media', 'delete', 'photo.jpg', 'none'],
      "There is no media file 'none'. framewright media list shows those that there are.",
    ],
    [['media', 'add', 'none.png'], "none.png can't be read."],
    [['media', 'add', 'card.json'], "can't be used"],
    [
      ['media', 'list', '--kind', 'text'],
      "--kind: Expected image, video, audio, lottie, lut, found 'text'.",
    ],
  ]);
  expect(await told('media', 'delete', 'photo.jpg')).toMatch(/^Deleted photo\.jpg \(\S+\)$/);
  const left = (await facts('media', 'list')) as { name: string }[];
  expect(left.map(({ name }) => name)).toEqual(['pattern.png']);
}, 60_000);

test('fonts: families are listed with their weights, added and removed', async () => {
  writeFileSync(path.join(folder, 'bold.ttf'), namedFont({ family: 'Shop Grotesk', weight: 700 }));
  expect(await told('fonts', 'add', 'bold.ttf')).toBe('Shop Grotesk: 700');
  expect(await told('fonts', 'list', '--origin', 'added')).toMatch(
    /^FAMILY +FROM +WEIGHTS +ITALIC\nShop Grotesk +added +700$/,
  );
  expect(await told('fonts', 'list')).toMatch(/\nPlayfair Display +bundled +400–900 +yes\n/);
  await expectRefusals([
    [['fonts', 'add', 'card.json'], "The font can't be used: "],
    [['fonts', 'delete', 'Playfair Display'], 'There is no added font family Playfair Display.'],
  ]);
  expect(await told('fonts', 'delete', 'shop grotesk')).toBe('Removed shop grotesk');
  expect(await facts('fonts', 'list', '--origin', 'added')).toEqual([]);
}, 60_000);

test('feeds: a table is imported, mapped, rendered, updated and deleted', async () => {
  const text = { type: 'text', name: 'Title', text: 'none' };
  writeFileSync(path.join(folder, 'tag.json'), JSON.stringify({ ...card, elements: [text] }));
  writeFileSync(path.join(folder, 'prices.csv'), 'Title;Shop\nApples;North\nPears;South\n');
  writeFileSync(path.join(folder, 'newer.csv'), 'Title,Shop\nApples,North\nPlums,West\n');
  await told('templates', 'put', 'tag.json', 'Tag');
  expect(await told('feeds', 'import', 'prices.csv')).toMatch(/^Imported prices \(\S+\), 2 rows$/);
  expect(await told('feeds', 'map', 'prices', 'Tag')).toMatch(
    /^COLUMN +BECOMES\nTitle +Title\nShop$/,
  );
  expect(
    await told('feeds', 'map', 'prices', 'Tag', '--map', 'Shop=Title.text', '--map', 'Title='),
  ).toMatch(/\nTitle(?: +Title)?\nShop +Title\.text$/);
  await told('feeds', 'map', 'prices', 'Tag', '--map', 'Shop=', '--map', 'Title=Title');
  expect(await told('feeds', 'list')).toMatch(/\n\S+ +prices +2 +2 +Tag$/);
  expect(await told('feeds', 'rows', 'prices')).toMatch(
    /^ID +Title +Shop\n\S+ +Apples +North\n\S+ +Pears +South$/,
  );
  const rendering = await run('feeds', 'render', 'prices');
  const [, batch = ''] = /^Rendering 2 rows: batch (\S+)$/.exec(rendering.out) ?? [];
  expect(rendering.error).toBe(`framewright renders list --batch ${batch} shows them.`);
  await expect
    .poll(async () => (await facts('renders', 'list', '--batch', batch)) as object[], {
      timeout: 30_000,
    })
    .toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }]);
  expect(await told('feeds', 'render', 'prices', '--changed')).toBe('There is no row to render.');
  expect(await told('feeds', 'update', 'prices', 'newer.csv')).toMatch(
    /^Updated prices .* 2 rows$/,
  );
  expect(await facts('feeds', 'render', 'prices', '--changed')).toMatchObject({ row_count: 1 });
  const [, plums] = (await facts('feeds', 'rows', 'prices')) as { id: string }[];
  expect(await facts('feeds', 'render', 'prices', plums!.id)).toMatchObject({ row_count: 1 });
  await expectRefusals([
    [
      ['feeds', 'map', 'prices', 'Tag', '--map', 'Size=Title'],
      "--map: Expected COLUMN=TARGET with one of the columns Title, Shop, found 'Size=Title'.",
    ],
    [
      ['feeds', 'map', 'prices', 'None'],
      "There is no template 'None'. framewright templates list shows those that there are.",
    ],
    [
      ['feeds', 'rows', 'None'],
      "There is no feed 'None'. framewright feeds list shows those that there are.",
    ],
    [
      ['feeds', 'import', 'prices.csv', '--sheet', 'two'],
      "--sheet: Expected a whole number of at least 1, found 'two'.",
    ],
    [['feeds', 'import', 'prices.csv', '--encoding', 'none'], "'encoding' should be one of utf-8"],
  ]);
  await told('feeds', 'import', 'prices.csv', 'prices');
  const twice = await run('feeds', 'delete', 'prices');
  expect([twice.status, twice.error]).toEqual([
    1,
    expect.stringMatching(/^2 feeds are named 'prices'\. Name one by its ID:\n {2}\S+\n {2}\S+$/),
  ]);
  const all = (await facts('feeds', 'list')) as { id: string }[];
  await told('feeds', 'delete', ...all.map(({ id }) => id));
  expect((await run('feeds', 'list')).error).toBe('There are no feeds.');
}, 120_000);

test('projects: they are made, renamed and deleted, with their keys and secrets', async () => {
  expect(await told('projects', 'create', 'Printer')).toMatch(/^Created Printer \(\S+\)$/);
  expect(await told('projects', 'rename', 'Printer', 'Press')).toMatch(/^Renamed Press \(\S+\)$/);
  await told('projects', 'webhook-url', 'Press', 'https://press.example.com/');
  expect(await told('projects', 'list')).toMatch(
    /^ID +NAME +KEYS +WEBHOOKS TO\n.*\n\S+ +Press +1 +https:\/\/press\.example\.com\/$/,
  );
  await told('projects', 'webhook-url', 'Press');
  expect(await told('projects', 'list')).toMatch(/ Press +1$/);
  const key = await told('keys', 'create', 'CI', '--project', 'Press');
  const { apiUrl, apiKey } = runtime();
  const elsewhere = ['--url', apiUrl, '--key', apiKey];
  const listed = await runCommand(folder, ['keys', 'list', '--show', ...elsewhere], home);
  expect(listed.out).toMatch(new RegExp(`\n\\S+ +CI +Press +${key}$`));
  const removed = await runCommand(folder, ['keys', 'remove', 'CI', ...elsewhere], home);
  expect(removed.out).toMatch(/^Removed CI \(\S+\)$/);

  const before = await told('projects', 'secret', 'Press');
  const rotated = await run('projects', 'rotate', 'Press');
  expect(rotated.error).toMatch(/^The secret before signs, too, until \d{4}-/);
  expect(rotated.out).not.toBe(before);
  expect(await told('projects', 'revoke', 'Press')).toBe('');
  expect(await facts('projects', 'secret', 'Press')).toEqual({ secret: rotated.out });
  await expectRefusals([
    [['projects', 'delete', 'My project'], 'The first project stays.'],
    [
      ['projects', 'rename', 'None', 'A'],
      "There is no project 'None'. framewright projects list shows those that there are.",
    ],
    [['projects', 'webhook-url', 'Press', 'ftp://a'], "'webhook_url' should be "],
    [
      ['keys', 'list', '--project', 'None'],
      "There is no project 'None'. framewright projects list shows those that there are.",
    ],
  ]);
  expect(await told('projects', 'delete', 'Press')).toMatch(/^Deleted Press \(\S+\)$/);
}, 120_000);

describe('a server elsewhere', () => {
  test('is asked by its address; a key of another project is told which may', async () => {
    const { apiUrl, apiKey, windowUrl } = runtime();
    const { origin, hash } = new URL(windowUrl);
    const made = await fetch(`${origin}/api/projects`, {
      method: 'POST',
      headers: {
        'x-framewright-token': hash.replace('#token=', ''),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name: 'Shop' }),
    });
    const { keys } = (await made.json()) as { keys: { key: string }[] };
    const as = (key: string, ...args: string[]): ReturnType<typeof runCommand> =>
      runCommand(folder, [...args, '--url', apiUrl, '--key', key], home);
    const commands = [
      ['settings', 'list'],
      ['backups', 'list'],
      ['projects', 'list'],
      ['keys', 'list'],
    ];
    for (const args of commands) {
      expect(await as(apiKey, ...args)).toMatchObject({ status: 0 });
      const { status, error } = await as(keys[0]!.key, ...args);
      expect([status, error]).toEqual([
        1,
        'Only keys of the first project (My project) may do this, which is about the whole server; this key is that of the project Shop.',
      ]);
    }
    // Its own.
    expect(await as(keys[0]!.key, 'webhooks', 'secret')).toMatchObject({ status: 0 });
    expect(await as(keys[0]!.key, 'templates', 'deleted')).toMatchObject({
      error: 'There are no deleted templates.',
    });
  }, 60_000);
});

const headless = [
  'webhooks',
  'backups',
  'settings',
  'trash',
  'media',
  'fonts',
  'feeds',
  'projects',
  'keys',
] as const;
test.each(headless)('%s takes what the others take', (name) => {
  const names = commandRows[name].options.map((option) => option.name);
  expect(names).toEqual(expect.arrayContaining(['json', 'data', 'url', 'key']));
});
