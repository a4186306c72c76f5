/**
 * Fonts that people add: facts, refusals, and what they change in renders, previews and shared templates. Needs dist/
 * for its worker.
 */
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AddedFamily, FontUses, MissingFamily, WindowFonts } from '../../shared/api.ts';
import { windowTokenHeader } from '../../shared/api.ts';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import { fontFolder } from '../../server/system/paths.ts';
import { namedFont } from '../helpers/named-font.ts';
import { send, startTestServer, type Answer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ forkWorker: () => forkWorker() });
});
afterAll(() => server.stop());

function upload(name: string, bytes: Buffer, on = server): Promise<Answer> {
  const { origin, hash } = new URL(on.running.windowUrl);
  return send(`${origin}/api/fonts/added?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    headers: { [windowTokenHeader]: hash.replace('#token=', '') },
    body: new Uint8Array(bytes),
  });
}

// The answers of these routes have these forms; a test that reads another fails.
const valueOf = async <T>(target: string, on = server): Promise<T> =>
  JSON.parse((await on.askWindow('GET', target)).text) as T;
const added = (on = server): Promise<AddedFamily[]> => valueOf('/api/fonts/added', on);
const usesOf = (family: string): Promise<FontUses> =>
  valueOf(`/api/fonts/added/${encodeURIComponent(family)}/uses`);
const remove = (family: string): Promise<Answer> =>
  server.askWindow('DELETE', `/api/fonts/added/${encodeURIComponent(family)}`);

const textIn = (family: string, more: object = {}): object => ({
  output_format: 'png',
  width: 400,
  height: 100,
  elements: [
    {
      type: 'text',
      text: 'hamburgefonts',
      font_family: family,
      font_size: 40,
      fill_color: '#fff',
      ...more,
    },
  ],
});

async function rendered(source: object, on = server): Promise<Buffer> {
  const { list } = await on.ask('POST', '/v1/renders', { source });
  const { status, url } = await on.ended(list[0]!.id);
  expect(status).toBe('succeeded');
  return pixelsOf(Buffer.from(await (await fetch(url)).arrayBuffer()));
}

async function pixelsOf(picture: Buffer): Promise<Buffer> {
  const image = await loadImage(picture);
  const context = createCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  return Buffer.from(context.getImageData(0, 0, image.width, image.height).data.buffer);
}

async function template(name: string, source: object, on = server): Promise<string> {
  const { status, body } = await on.ask('POST', '/v2/templates', { name, tags: [], source });
  expect(status).toBe(201);
  return body.id;
}

describe('adding', () => {
  test('files of one family, each with its weight and style; the same file once', async () => {
    const regular = namedFont({ family: 'Test Grotesk' });
    const first = await upload('Grotesk-Regular.ttf', regular);
    expect(first.status).toBe(201);
    const [bold, slanted, same] = await Promise.all([
      upload('Grotesk-Bold.ttf', namedFont({ family: 'Test Grotesk', weight: 700 })),
      upload('Grotesk-Italic.ttf', namedFont({ family: 'test grotesk', isItalic: true })),
      upload('Copy.ttf', regular),
    ]);
    expect([bold.status, slanted.status, same.status]).toEqual([201, 201, 200]);
    const [family, ...others] = await added();
    expect(others).toEqual([]);
    expect(
      family?.files.map(({ name, style, minWeight, maxWeight }) => [
        name,
        style,
        minWeight,
        maxWeight,
      ]),
    ).toEqual([
      ['Grotesk-Regular.ttf', 'normal', 400, 400],
      ['Grotesk-Italic.ttf', 'italic', 400, 400],
      ['Grotesk-Bold.ttf', 'normal', 700, 700],
    ]);
    expect(family?.bytes).toBeGreaterThan(3 * regular.length - 200);
    const { added: names, bundled, installed } = await valueOf<WindowFonts>('/api/fonts');
    expect(names.map((name) => name.toLowerCase())).toEqual(['test grotesk']);
    expect(bundled).toContain('Aileron');
    expect(installed).not.toContain('Test Grotesk');
    expect((await remove('TEST GROTESK')).status).toBe(204);
    expect(readdirSync(path.join(server.dataFolder, 'fonts', 'content'))).toEqual([]);
    expect(readdirSync(path.join(server.dataFolder, 'fonts', 'uploads'))).toEqual([]);
  });

  const shipped = readFileSync(path.join(fontFolder(), 'oswald-latin-wght-normal.woff2'));
  const barlow = readFileSync(
    'node_modules/@fontsource/barlow/files/barlow-latin-400-normal.woff2',
  );
  const broken = namedFont({ family: 'Broken' });
  // Its own tables say nothing else; only the letters are damaged.
  const hollow = Buffer.from(broken);
  const at = hollow.indexOf('head');
  hollow.fill(0, hollow.readUInt32BE(at + 8), hollow.readUInt32BE(at + 8) + 40);
  test.each([
    [
      'notes.ttf',
      Buffer.from('Buy milk'),
      400,
      "The font can't be used: it is no font; expected a file in the format TTF, OTF, WOFF or WOFF2.",
    ],
    ['half.woff2', barlow.subarray(0, 4000), 400, "The font can't be used: its end is missing."],
    [
      'hollow.ttf',
      hollow,
      400,
      "The font can't be used: its letters are damaged, so nothing can be drawn.",
    ],
    [
      'Barlow.woff2',
      barlow,
      400,
      'The font family Barlow comes with the program, so texts can use it already.',
    ],
    ['Oswald.woff2', shipped, 400, 'The font family Oswald comes with the program'],
    [
      'big.ttf',
      Buffer.alloc(40_000_001),
      413,
      'The file is larger than 40 MB, the limit for fonts.',
    ],
  ])('%s is refused with what is wrong', async (name, bytes, status, hint) => {
    const answer = await upload(name, bytes);
    expect([answer.status, answer.body.hint]).toEqual([status, expect.stringContaining(hint)]);
    expect(await added()).toEqual([]);
    expect(readdirSync(path.join(server.dataFolder, 'fonts', 'uploads'))).toEqual([]);
  });
});

test('keys list all families with their weights; those of the first project add and remove', async () => {
  const { apiUrl, apiKey } = server.running;
  const sendFont = (
    name: string,
    body: NonNullable<RequestInit['body']>,
    key = apiKey,
  ): Promise<Answer> =>
    send(`${apiUrl}/v2/fonts${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body,
    });
  const listed = async (query = ''): Promise<readonly Record<string, unknown>[]> =>
    (await server.ask('GET', `/v2/fonts${query}`)).list as unknown as Record<string, unknown>[];
  const bytes = new Uint8Array(namedFont({ family: 'Keyed Grotesk', weight: 700 }));
  const first = await sendFont('?name=Keyed.ttf', bytes);
  const bold = { style: 'normal', min_weight: 700, max_weight: 700 };
  const family = {
    family: 'Keyed Grotesk',
    origin: 'added',
    faces: [bold],
    file_size: bytes.length,
  };
  expect([first.status, first.body]).toEqual([201, family]);
  const form = new FormData();
  form.append('file', new Blob([bytes]), 'Again.ttf');
  expect((await sendFont('', form)).status).toBe(200);
  expect(await listed('?origin=added')).toContainEqual(family);
  const bundled = await listed('?origin=bundled');
  expect(bundled.every(({ faces }) => (faces as object[]).length > 0)).toBe(true);
  expect(bundled).toContainEqual({
    family: 'Playfair Display',
    origin: 'bundled',
    faces: expect.arrayContaining([
      { style: 'italic', min_weight: 400, max_weight: 900 },
    ]) as object[],
  });
  expect((await listed()).length).toBeGreaterThan(bundled.length);

  const wrong: readonly (readonly [name: string, body: Uint8Array<ArrayBuffer>, hint: RegExp])[] = [
    ['?name=a.ttf', new Uint8Array(Buffer.from('text')), /^The font can't be used: /],
    ['', bytes, /name of the file/],
    ['?name=a.ttf', new Uint8Array(0), /the body is empty; expected a file/],
  ];
  for (const [name, body, hint] of wrong) {
    const answer = await sendFont(name, body);
    expect([answer.status, answer.body.hint]).toEqual([400, expect.stringMatching(hint)]);
  }
  const asked = await server.ask('GET', '/v2/fonts?origin=none');
  expect(asked.body.hint).toContain("'origin' should be one of bundled, added, installed");
  const made = await server.askWindow('POST', '/api/projects', { name: 'Other' });
  const { keys } = made.body as unknown as { keys: { key: string }[] };
  expect((await sendFont('?name=b.ttf', bytes, keys[0]!.key)).status).toBe(403);

  expect((await server.ask('DELETE', '/v2/fonts/keyed%20grotesk')).status).toBe(204);
  expect(await listed('?origin=added')).not.toContainEqual(family);
});

test('texts use an added font by its name until it is removed; pictures of templates follow', async () => {
  const source = textIn('Test Poster');
  const without = await rendered(source);
  const id = await template('Poster', source);
  await template('Other', textIn('Aileron'));
  const keyed = [
    { time: 0, value: 'test POSTER' },
    { time: 1, value: 'Aileron' },
  ];
  await template('Keyframes', {
    ...textIn('Aileron', { font_family: keyed }),
    output_format: 'mp4',
    duration: 2,
  });
  await template(
    'Tags',
    textIn('Aileron', { text: 'A [family "x] [family Test Poster]b[/family]' }),
  );
  const picture = async (): Promise<Buffer> => {
    const { origin, hash } = new URL(server.running.windowUrl);
    const headers = { [windowTokenHeader]: hash.replace('#token=', '') };
    const answer = await fetch(`${origin}/api/templates/${id}/picture`, { headers });
    expect(answer.status).toBe(200);
    return pixelsOf(Buffer.from(await answer.arrayBuffer()));
  };
  const pictureWithout = await picture();
  expect(await valueOf<MissingFamily[]>('/api/fonts/missing')).toEqual([
    {
      family: 'Test Poster',
      templates: expect.arrayContaining(['Poster', 'Keyframes', 'Tags']) as string[],
    },
  ]);

  expect((await upload('Poster.otf', namedFont({ family: 'Test Poster' }))).status).toBe(201);
  const withFont = await rendered(source);
  expect(withFont.equals(without)).toBe(false);
  // Bebas Neue has no small letters: both say the same.
  expect(withFont.equals(await rendered(textIn('Test Poster', { text: 'HAMBURGEFONTS' })))).toBe(
    true,
  );
  expect((await picture()).equals(pictureWithout)).toBe(false);
  expect(await valueOf<MissingFamily[]>('/api/fonts/missing')).toEqual([]);
  const { templates } = await usesOf('test poster');
  expect([...templates].sort()).toEqual(['Keyframes', 'Poster', 'Tags']);

  // It is still there after a restart, with records in files.
  await server.restart();
  expect((await rendered(source)).equals(withFont)).toBe(true);

  expect((await remove('Test Poster')).status).toBe(204);
  expect((await rendered(source)).equals(without)).toBe(true);
  expect((await picture()).equals(pictureWithout)).toBe(true);
  expect((await remove('Test Poster')).body.hint).toBe(
    'There is no added font family Test Poster.',
  );
});

test('the nearest weight and style of the family is drawn', async () => {
  await upload('a.ttf', namedFont({ family: 'Test Weights', weight: 300 }));
  const light = await rendered(textIn('Test Weights', { font_weight: 300 }));
  expect(light.equals(await rendered(textIn('Test Weights', { font_weight: 900 })))).toBe(true);
  await remove('Test Weights');
});

test('a shared template brings the added fonts of its texts along', async () => {
  const receiver = await startTestServer({ forkWorker: () => forkWorker() });
  try {
    await upload('Share.ttf', namedFont({ family: 'Test Share' }));
    await upload('Unused.ttf', namedFont({ family: 'Test Unused' }));
    const source = textIn('Test Share');
    const id = await template('Shared', source);
    const { apiUrl, apiKey } = server.running;
    const answer = await fetch(`${apiUrl}/v2/templates/${id}/share`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    const file = Buffer.from(await answer.arrayBuffer());
    const brought = await send(`${receiver.running.apiUrl}/v2/templates/import`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${receiver.running.apiKey}`,
        'content-type': 'application/zip',
      },
      body: new Uint8Array(file),
    });
    expect(brought.status).toBe(201);
    expect(brought.body.source).toMatchObject({
      fonts: [
        {
          family: 'Test Share',
          weight: '400',
          style: 'normal',
          source: expect.stringMatching(/^media:/) as string,
        },
      ],
    });
    expect(await added(receiver)).toEqual([]);
    const [here, there] = [await rendered(source), await rendered(brought.body.source, receiver)];
    expect(there.equals(here)).toBe(true);
  } finally {
    await receiver.stop();
  }
});

test('a brand that has the font is named as a user', async () => {
  await upload('Brand.ttf', namedFont({ family: 'Test Brand' }));
  const brand = { colors: ['#102030'], titleFont: 'Test Brand', textFont: '', logo: '' };
  const { status } = await server.askWindow('PATCH', '/api/projects/default', { brand });
  expect(status).toBe(200);
  expect(await usesOf('Test Brand')).toEqual({ templates: [], brands: ['My project'] });
});
