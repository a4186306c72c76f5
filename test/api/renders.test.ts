/** Renders over HTTP: creating in all forms, reading, files, presence of fields. Fake worker, real everything else. */
import { writeFile, rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { document, send, startTestServer, type Body, type TestServer } from '../helpers/server.ts';

let server: TestServer;
let template: Body;

beforeAll(async () => {
  server = await startTestServer();
  const source = document({}, { snapshot_time: 1 });
  const tags = ['promo', 'square'];
  template = (await server.ask('POST', '/v2/templates', { name: 'Card', tags, source })).body;
});
afterAll(() => server.stop());

const base = (): string => server.running.apiUrl;

test('a render from RenderScript is planned, found at once, and finishes', async () => {
  const created = await server.ask('POST', '/v2/renders', document());
  expect(created.status).toBe(202);
  const { id } = created.body;
  expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  // Nothing else: fields without a value are left out.
  const planned = {
    id,
    status: 'planned',
    url: `${base()}/renders/${id}.mp4`,
    output_format: 'mp4',
  };
  expect(created.body).toEqual(planned);
  expect((await server.ask('GET', `/v2/renders/${id}`)).body).toMatchObject({ id });
  const finished = {
    ...planned,
    status: 'succeeded',
    render_scale: 1,
    width: 100,
    height: 50,
    frame_rate: 30,
    duration: 0.1,
    file_size: 1000,
  };
  expect(await server.ended(id)).toEqual(finished);
  expect((await server.ask('GET', `/v1/renders/${id}`)).body).toEqual(finished);
});

test('everything that was sent comes back as it was sent, whatever its keys', async () => {
  const modifications = {
    Title: 'Hello',
    'a.b$c': [1, { $$date: 5 }, null],
    __proto__x: 1,
    '😀': '\ud800 \u0000',
  };
  const sent = {
    template_id: template.id,
    modifications,
    metadata: '{"$$date":1} 😀',
    webhook_url: 'http://127.0.0.1:9/hook?secret=a%20b&x',
    render_scale: 0.5,
  };
  const { body } = await server.ask('POST', '/v2/renders', sent);
  const { template_id, ...rest } = sent;
  const echoed = {
    ...rest,
    template_id,
    template_name: 'Card',
    template_tags: ['promo', 'square'],
  };
  expect(body).toMatchObject(echoed);
  expect(await server.ended(body.id)).toMatchObject(echoed);
  await server.restart();
  expect((await server.ask('GET', `/v2/renders/${body.id}`)).body).toMatchObject(echoed);
});

test('a key named __proto__ is data', async () => {
  const text = `{"template_id":"${template.id}","modifications":{"__proto__":{"polluted":1}}}`;
  const { status, text: answer } = await server.ask('POST', '/v2/renders', text);
  expect(status).toBe(202);
  expect(answer).toContain('"modifications":{"__proto__":{"polluted":1}}');
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

describe('where the document may stand', () => {
  const rows: [name: string, target: string, body: () => object, format: string][] = [
    ['v2 top level', '/v2/renders', () => document(), 'mp4'],
    ['v2 source', '/v2/renders', () => ({ source: document() }), 'mp4'],
    [
      'v2 source with a format beside it',
      '/v2/renders',
      () => ({ output_format: 'gif', source: document() }),
      'gif',
    ],
    ['v2 template', '/v2/renders', () => ({ template_id: template.id }), 'mp4'],
    [
      'v2 template with another format by modification',
      '/v2/renders',
      () => ({ template_id: template.id, modifications: { output_format: 'png' } }),
      'png',
    ],
    ['v1 source', '/v1/renders', () => ({ source: document() }), 'mp4'],
    [
      'v1 format beside a source without one',
      '/v1/renders',
      () => ({ output_format: 'mp4', source: { elements: [] } }),
      'mp4',
    ],
    [
      'v1 template with another format beside it',
      '/v1/renders',
      () => ({ template_id: template.id, output_format: 'jpg' }),
      'jpg',
    ],
    ['empty document', '/v2/renders', () => ({ elements: [] }), 'jpg'],
  ];
  test.each(rows)('%s', async (_name, target, body, format) => {
    const answer = await server.ask('POST', target, body());
    expect(answer.status).toBe(202);
    const isOlder = target.startsWith('/v1');
    expect(answer.list).toHaveLength(isOlder ? 1 : 0);
    const record = isOlder ? answer.list[0]! : answer.body;
    expect(record).toMatchObject({ status: 'planned', output_format: format });
    expect(record.url).toBe(`${base()}/renders/${record.id}.${format}`);
    expect((await server.ended(record.id)).status).toBe('succeeded');
  });
});

test('v1 tags render every template with one of them', async () => {
  const other = { name: 'Other', tags: ['square'], source: document() };
  await server.ask('POST', '/v2/templates', other);
  const ask = async (tags: string[]): Promise<string[]> => {
    const { list } = await server.ask('POST', '/v1/renders', { tags });
    return list.map((render) => render.template_name).sort();
  };
  expect(await ask(['square'])).toEqual(['Card', 'Other']);
  expect(await ask(['promo', 'none'])).toEqual(['Card']);
  expect((await server.ask('POST', '/v1/renders', { tags: ['none'] })).text).toBe('[]');
});

test('v1 transcripts go to the texts that follow the element that they name', async () => {
  const subtitles = { type: 'text', name: 'Subtitles', transcript_source: 'voice' };
  const inner = { type: 'composition', elements: [{ ...subtitles, transcript_source: 'Other' }] };
  const words = [{ time: 0, duration: 0.5, value: 'Hello' }];
  const transcripts = { Voice: words, other: 'WEBVTT', none: 'x' };
  const source = document({}, { elements: [subtitles, inner] });
  const sent = { source, transcripts };
  const { status, list } = await server.ask('POST', '/v1/renders', { ...sent, dry_run: true });
  expect([status, list.length]).toEqual([200, 1]);
  expect(list[0]!.source.elements).toEqual([
    { ...subtitles, transcript_source: words },
    { ...inner, elements: [{ ...subtitles, transcript_source: 'WEBVTT' }] },
  ]);
  expect(list[0]!.warnings).toContain("No text follows the transcript 'none'");
  expect((await server.ask('POST', '/v1/renders', sent)).list).toHaveLength(1);
  const wrong = await server.ask('POST', '/v1/renders', { source, transcripts: [] });
  expect(wrong.body.hint).toMatch(/^The parameter 'transcripts' should be an object/);
});

test('v1 transcripts are found by name, ID and address, whichever the text says', async () => {
  const address = 'https://example.com/voice.mp3';
  const voice = { type: 'audio', name: 'Voice', id: 'a1', source: address };
  const words = [{ time: 0, value: 'Hello' }];
  const given = async (elements: object[], transcripts: object): Promise<unknown[]> => {
    const sent = { source: document({}, { elements }), transcripts, dry_run: true };
    const [answer] = (await server.ask('POST', '/v1/renders', sent)).list;
    const sources = (list: unknown): unknown[] =>
      // The document that was sent above.
      (list as { elements?: unknown; transcript_source?: unknown }[]).flatMap((element) => [
        ...('transcript_source' in element ? [element.transcript_source] : []),
        ...(element.elements === undefined ? [] : sources(element.elements)),
      ]);
    return sources(answer!.source.elements);
  };
  const forms = ['Voice', 'voice', 'a1', 'A1', address];
  for (const key of forms) {
    for (const spoken of forms) {
      const text = { type: 'text', transcript_source: spoken };
      expect(await given([voice, text], { [key]: words }), `${key} for ${spoken}`).toEqual([words]);
    }
  }

  // Two elements of one name: each text means the one beside it, so the ID of one leaves the other alone.
  const text = { type: 'text', transcript_source: 'Voice' };
  const inner = { type: 'composition', elements: [{ ...voice, id: 'b2', source: 'b.mp3' }, text] };
  expect(await given([voice, text, inner], { b2: words })).toEqual(['Voice', words]);
  // A key of exactly these letters comes before one that differs in case.
  expect(await given([voice, text], { voice: [], Voice: words })).toEqual([words]);
});

test('a v1 batch with one refused document stores none of them', async () => {
  const elements = Array.from({ length: 10_000 }, () => ({ type: 'text', name: 'Many' }));
  for (const [name, list] of [
    ['Small', []],
    ['Large', elements],
  ] as const) {
    const template = { name, tags: ['batch'], source: document({}, { elements: list }) };
    await server.ask('POST', '/v2/templates', template);
  }
  const count = async (): Promise<number> =>
    (await server.askWindow('GET', '/api/renders')).body.renders.length;
  const before = await count();
  // Too many characters in one of them.
  const modifications = { Many: 'x'.repeat(50_000) };
  const answer = await server.ask('POST', '/v1/renders', { tags: ['batch'], modifications });
  expect([answer.status, await count()]).toEqual([400, before]);
});

describe('documents with wrong values', () => {
  const wrong = (): object =>
    document({}, { elements: [{ type: 'text', name: 'Title', text: 'x', opacity: '20px' }] });

  test('are accepted with the errors and fail with the first of them', async () => {
    const { status, body } = await server.ask('POST', '/v2/renders', wrong());
    expect(status).toBe(202);
    expect(body.status).toBe('planned');
    expect(body.errors).toHaveLength(1);
    expect(body.errors[0]).toMatch(/^Title\.opacity: /);
    const ended = await server.ended(body.id);
    expect(ended).toMatchObject({
      status: 'failed',
      error_message: `Source error: ${body.errors[0]}`,
    });
    // Only the create answer carries them, and only complete renders have a size.
    expect(Object.keys(ended).sort()).toEqual([
      'error_message',
      'id',
      'output_format',
      'status',
      'url',
    ]);
  });

  test('are told by a dry run, which stores nothing', async () => {
    const before = (await server.askWindow('GET', '/api/renders')).body.renders.length;
    const { status, body } = await server.ask('POST', '/v2/renders', { ...wrong(), dry_run: true });
    expect(status).toBe(200);
    const { errors } = body;
    expect(body).toEqual({ valid: false, errors, warnings: [], source: wrong() });
    expect(errors[0]).toMatch(/^Title\.opacity: /);
    expect((await server.askWindow('GET', '/api/renders')).body.renders).toHaveLength(before);
  });

  test('name the place where several elements are called the same', async () => {
    const text = (more: object): object => ({ type: 'text', text: 'a', opacity: 'x', ...more });
    const scene = { type: 'composition', elements: [text({}), text({ name: 'Solo' })] };
    const source = document({}, { elements: [text({}), scene, text({ name: 'Text 2' })] });
    const { body } = await server.ask('POST', '/v2/renders', { source, dry_run: true });
    const { errors } = body as unknown as { errors: readonly string[] };
    const expected = "opacity: Expected a number ending with %; found 'x'";
    expect(errors).toEqual([
      `Text 1.${expected} (at elements[0].opacity)`,
      `Text 1.${expected} (at elements[1].elements[0].opacity)`,
      `Solo.${expected}`,
      `Text 2.${expected}`,
    ]);
  });

  test('a dry run shows the document after modifications, and warns of keys without an element', async () => {
    const modifications = { Title: 'New', 'Text-9': 'x' };
    const sent = { template_id: template.id, modifications, dry_run: true };
    const { body } = await server.ask('POST', '/v2/renders', sent);
    expect(body.valid).toBe(true);
    expect(body.warnings).toEqual(["Modification 'Text-9' matched no element"]);
    expect(body.source.elements).toMatchObject([{ name: 'Title', text: 'New' }]);
  });
});

test('a render that fails while being worked on says why, and where', async () => {
  const elements = [
    {
      type: 'composition',
      elements: [
        { type: 'text' },
        { type: 'video', name: 'Clip', source: 'https://example.com/a.mp4' },
      ],
    },
  ];
  const { body } = await server.ask('POST', '/v2/renders', document({ end: 'fail' }, { elements }));
  expect(await server.ended(body.id)).toMatchObject({
    status: 'failed',
    error_message: 'Source error: Clip.source: The server answered 404 Not Found',
  });
  const { renders } = (await server.askWindow('GET', '/api/renders')).body;
  const shown = renders.find(({ id }) => id === body.id);
  expect(shown?.errorElement).toEqual({ path: 'elements[0].elements[1].source', name: 'Clip' });
});

test('render_scale is the factor that was used', async () => {
  const rows: [sent: object, scale: number | undefined][] = [
    [{}, 1],
    [{ render_scale: 0.25 }, 0.25],
    [{ max_width: 50 }, 0.5],
    [{ max_width: 50, max_height: 10, render_scale: 4 }, 0.2],
    [{ max_width: 5000 }, 1],
  ];
  for (const [sent, scale] of rows) {
    const { body } = await server.ask('POST', '/v2/renders', { ...document(), ...sent });
    expect((await server.ended(body.id)).render_scale, JSON.stringify(sent)).toBe(scale);
  }
});

describe('finished files', () => {
  let url: string;
  let snapshotUrl: string;
  const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 251);

  beforeAll(async () => {
    const { body } = await server.ask('POST', '/v2/renders', document({ snapshot: true }));
    const record = await server.ended(body.id);
    url = record.url;
    snapshotUrl = record.snapshot_url;
  });

  test('are read without a key', async () => {
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': '1000',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
    expect((await fetch(snapshotUrl)).headers.get('content-type')).toBe('image/jpeg');
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '1000']);
  });

  test.each([
    ['bytes=10-19', 206, 10, 20],
    ['bytes=990-', 206, 990, 1000],
    ['bytes=-5', 206, 995, 1000],
    ['bytes=0-4,500-600', 206, 0, 5],
    ['bytes=990-5000', 206, 990, 1000],
  ])('range %s', async (range, status, from, to) => {
    const response = await fetch(url, { headers: { range } });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/1000`);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes.slice(from, to));
  });

  test('a range outside is refused with the size', async () => {
    const answer = await send(url, { headers: { range: 'bytes=1000-' } });
    expect(answer.status).toBe(416);
    expect(answer.body.hint).toContain('1000 bytes');
  });

  test('only finished renders have one', async () => {
    const { body } = await server.ask('POST', '/v2/renders', document({ pause: 400 }));
    const early = await send(body.url);
    expect(early.status).toBe(404);
    expect(early.body.hint).toBe(`There is no finished file /renders/${body.id}.mp4.`);
    await server.ended(body.id);
    expect((await fetch(body.url)).status).toBe(200);
    const places = [
      body.url.replace('.mp4', '.png'),
      body.url.replace('/renders/', '/snapshots/').replace('.mp4', '.jpg'),
      `${base()}/renders/..%2f..%2fdata%2fstore%2fkeys.db`,
      `${base()}/renders/%00.mp4`,
      `${base()}/renders/${'a'.repeat(3000)}.mp4`,
    ];
    for (const place of places) expect((await fetch(place)).status, place).toBe(404);
  });

  test('F35 F36: a file that someone deleted is a 404 with its own hint, one that someone changed is sent as it is', async () => {
    const { body } = await server.ask('POST', '/v2/renders', document());
    await server.ended(body.id);
    const file = server.fileOf(body.id, 'mp4');
    await rm(file);
    const gone = await send(body.url);
    expect([gone.status, gone.body.hint]).toEqual([
      404,
      'The file was deleted from the output folder.',
    ]);
    expect(await server.ended(body.id)).toMatchObject({ status: 'succeeded', file_size: 1000 });
    await writeFile(file, 'mine');
    expect((await send(body.url)).text).toBe('mine');
    // It is the person's file: nothing looks at it again, also after a restart.
    await server.restart();
    const { url } = await server.ended(body.id);
    expect((await send(url)).text).toBe('mine');
    expect(await server.ended(body.id)).toMatchObject({ status: 'succeeded', file_size: 1000 });
  });

  test('carry the cleaned name of the template', async () => {
    const name = 'Ad/..: "Promo" <1>.';
    const made = await server.ask('POST', '/v2/templates', { name, source: document() });
    const { body } = await server.ask('POST', '/v2/renders', { template_id: made.body.id });
    await server.ended(body.id);
    const disposition = (await fetch(body.url)).headers.get('content-disposition') ?? '';
    expect(decodeURIComponent(disposition)).toBe("inline; filename*=UTF-8''Ad .. Promo 1.mp4");
  });
});

test('names that the language does not know are told on creation and in a dry run, and are errors in strict mode', async () => {
  const source = document({}, { fps: 25 });
  const told = /fps.*Did you mean 'frame_rate'/;
  const created = await server.ask('POST', '/v2/renders', source);
  expect(created.body.warnings).toEqual([expect.stringMatching(told)]);
  const dry = await server.ask('POST', '/v2/renders', { ...source, dry_run: true });
  expect(dry.body).toMatchObject({ valid: true, warnings: [expect.stringMatching(told)] });
  const strict = await server.ask('POST', '/v2/renders', { source, dry_run: true, strict: true });
  expect(strict.body).toMatchObject({ valid: false, errors: [expect.stringMatching(told)] });
});

test('RenderScript beside a template is not dropped without a word', async () => {
  const beside = { elements: [], width: 10, fill_color: 'red' };
  const { body } = await server.ask('POST', '/v2/renders', {
    template_id: template.id,
    ...beside,
    dry_run: true,
  });
  for (const name of Object.keys(beside)) {
    const isUsed =
      JSON.stringify(body.source[name]) === JSON.stringify(beside[name as keyof typeof beside]);
    const isTold = (body.warnings as string[]).some((warning) => warning.includes(name));
    expect(isUsed || isTold, name).toBe(true);
  }
});
