/** `framewright/client` as it is built, against a real server with a real worker. Needs dist/. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as client from '../../client/index.ts';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import { sine, writeWav } from '../engine/sound-signals.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

const root = path.join(import.meta.dirname, '../..');

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ forkWorker: () => forkWorker(), allowPrivateAddresses: true });
});
afterAll(() => server.stop());

/** A client whose requests go through `own`. */
const connect = (own: typeof fetch = fetch): client.Framewright =>
  new client.Framewright({ key: server.running.apiKey, url: server.running.apiUrl, fetch: own });

const card: client.RenderScript = {
  output_format: 'png',
  width: 64,
  height: 36,
  fill_color: '#ffffff',
  elements: [{ type: 'text', name: 'Title', text: 'Hello', fill_color: '#000000' }],
};
const film: client.RenderScript = { ...card, output_format: 'mp4', duration: 1, frame_rate: 30 };
const pathOf = (input: Parameters<typeof fetch>[0]): string =>
  new URL(input instanceof Request ? input.url : input).pathname;

describe('render', () => {
  test('waits for the file, tells of the progress, and the file is there', async () => {
    const progress: client.RenderProgress[] = [];
    // Long enough to be asked about: every frame is another one.
    const moving: client.RenderScript = {
      ...film,
      width: 640,
      height: 360,
      duration: 15,
      elements: [
        {
          type: 'text',
          text: 'Moving',
          fill_color: '#000000',
          x: [
            { time: 0, value: '0%' },
            { time: 15, value: '100%' },
          ],
        },
      ],
    };
    const render = await connect().render(
      { source: moving, metadata: 'order 7' },
      { onProgress: (one) => progress.push(one) },
    );
    expect(render).toMatchObject({ status: 'succeeded', duration: 15, metadata: 'order 7' });
    expect(progress.at(-1)?.percent).toBeGreaterThan(0);
    const bytes = await connect().renders.download(render);
    expect(Buffer.from(bytes.subarray(4, 8)).toString()).toBe('ftyp');
  });

  test.each([
    ['there are no streams', () => new Response('{}', { status: 404 })],
    ['streams break', () => Promise.reject(new Error('broken'))],
    ['streams say nothing', () => new Response('')],
  ])('asks when %s', async (_name, stream) => {
    const own: typeof fetch = async (input, init) =>
      pathOf(input).endsWith('/events') ? stream() : fetch(input, init);
    const quick = new client.Framewright({
      key: server.running.apiKey,
      url: server.running.apiUrl,
      fetch: own,
      retries: 0,
    });
    expect((await quick.render({ source: card })).status).toBe('succeeded');
  });

  test('a lost answer is asked for again, and nothing is made twice', async () => {
    const before = (await connect().renders.list({ limit: 100 })).renders.length;
    let lost = 0;
    const own: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (init?.method === 'POST' && lost++ < 2) throw new Error('the connection is gone');
      return answer;
    };
    await connect(own).render({ source: card });
    expect(lost).toBe(3);
    expect((await connect().renders.list({ limit: 100 })).renders.length).toBe(before + 1);
  });

  test('a failed one, a refused one and a missing server are errors of their own', async () => {
    const wrong = client.asRenderScript({
      ...card,
      elements: [{ type: 'text', text: 'x', x: 'wide' }],
    });
    const failed: unknown = await connect()
      .render({ source: wrong })
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(client.RenderFailedError);
    expect(failed).toMatchObject({
      message: expect.stringMatching(/^Source error: /) as string,
      render: { status: 'failed' },
    });
    const unknown = '00000000-0000-4000-8000-000000000000';
    await expect(connect().render({ template_id: unknown })).rejects.toMatchObject({
      name: 'NotFoundError',
      status: 404,
      code: 'template-not-found',
      message: `There is no template with the ID ${unknown} in this project.`,
    });
    await expect(connect().render({ template_id: 'x' })).rejects.toBeInstanceOf(
      client.BadRequestError,
    );
    const stranger = new client.Framewright({ key: 'no', url: server.running.apiUrl });
    await expect(stranger.templates.list()).rejects.toBeInstanceOf(client.InvalidKeyError);
    const nowhere = new client.Framewright({ key: 'x', url: 'http://127.0.0.1:9', retries: 0 });
    await expect(nowhere.templates.list()).rejects.toThrow(/Is Framewright running/);
  });

  test('a signal ends the waiting; cancelling ends the render', async () => {
    const long = { ...film, duration: 300 };
    const ends = new AbortController();
    const waiting = connect().render(
      { source: long },
      { signal: ends.signal, onProgress: () => ends.abort() },
    );
    await expect(waiting).rejects.toThrow(/abort/i);
    const [render] = (await connect().renders.list({ status: ['planned', 'waiting', 'rendering'] }))
      .renders;
    expect((await connect().renders.cancel(render?.id ?? '')).error_message).toBe(
      'Render error: Cancelled',
    );
  });
});

test('validate, preview, templates, feeds, lists', async () => {
  const it = connect();
  const made = await it.templates.create({ name: 'Card', source: card, tags: ['a'] });
  expect((await it.templates.list(['a'])).map(({ id }) => id)).toEqual([made.id]);
  expect((await it.templates.fields(made.id)).map(({ id }) => id)).toContain('Title.text');
  expect((await it.templates.change(made.id, { name: 'New' })).name).toBe('New');
  const trial = await it.validate({ template_id: made.id, modifications: { Nobody: 'x' } });
  expect([trial.valid, trial.warnings.length]).toEqual([true, 1]);
  const preview = await it.preview({ template_id: made.id, time: 0, max_side: 32 });
  expect([preview.type, preview.warnings]).toEqual(['image/jpeg', []]);
  expect([...preview.bytes.subarray(0, 2)]).toEqual([0xff, 0xd8]);
  const render = await it.render({ template_id: made.id });
  expect(render.template_id).toBe(made.id);
  const ids: string[] = [];
  for await (const { id } of it.renders.all({ limit: 2 })) ids.push(id);
  expect(ids).toEqual((await it.renders.list({ limit: 100 })).renders.map(({ id }) => id));
  expect(await it.feeds.list()).toEqual([]);
  const { content, missing } = await it.templates.share(made.id);
  expect(missing).toEqual([]);
  const brought = await it.templates.import(await new Response(content).blob());
  expect([brought.name, brought.source]).toEqual(['New', made.source]);
  await it.templates.delete(brought.id);
  const again = await it.templates.share(made.id);
  expect((await it.templates.import(again.content)).name).toBe('New');
  await expect(it.templates.import(new Uint8Array(5))).rejects.toMatchObject({ status: 400 });
  await it.templates.delete(made.id);
  await expect(it.templates.get(made.id)).rejects.toBeInstanceOf(client.NotFoundError);
});

test('requests that are one too many are sent again when the server says', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const asked: number[] = [];
  const own: typeof fetch = () => {
    asked.push(Date.now());
    const body = JSON.stringify({
      hint: 'Too many',
      documentation: 'http://x/docs/errors/rate-limit-exceeded',
    });
    return Promise.resolve(
      asked.length < 3
        ? new Response(body, { status: 429, headers: { 'retry-after': '7' } })
        : new Response('[]'),
    );
  };
  const listed = connect(own).templates.list();
  await vi.advanceTimersByTimeAsync(6_900);
  expect(asked.length).toBe(1);
  await vi.advanceTimersByTimeAsync(7_200);
  expect([await listed, asked.length]).toEqual([[], 3]);
  vi.useRealTimers();
});

test('a webhook of the server is verified; one that was changed, or is old, is not', async () => {
  let call: Omit<client.WebhookCall, 'secret'> | undefined;
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      call = { headers: request.headers, body: Buffer.concat(chunks) };
      response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = receiver.address() as AddressInfo;
    const webhook_url = `http://127.0.0.1:${port}/`;
    const { id } = await connect().render({ source: card, webhook_url });
    while (!call) await new Promise((resolve) => setTimeout(resolve, 10));
    const { body } = await server.askWindow('GET', '/api/projects');
    const [secret = ''] =
      /whsec_[\w+/=]+/.exec(JSON.stringify(body)) ??
      server.running.services.store.projects.secretsOf('default');
    expect((await client.verifyWebhook({ ...call, secret })).id).toBe(id);
    const text = String(call.body);
    expect((await client.verifyWebhook({ ...call, body: text, secret })).id).toBe(id);
    const given = call.headers as Record<string, string>;
    const headers = new Headers(given);
    expect((await client.verifyWebhook({ ...call, headers, secret })).id).toBe(id);
    const refused = [
      { ...call, secret, body: text.replace('succeeded', 'failed') },
      { ...call, secret: `whsec_${btoa('another secret')}` },
      { ...call, secret: 'plain' },
      { ...call, secret, headers: {} },
      { ...call, secret, headers: { ...given, 'webhook-timestamp': '1' } },
      { ...call, secret, headers: { ...given, 'webhook-signature': 'v1,%%%' } },
    ];
    for (const one of refused) {
      await expect(client.verifyWebhook(one)).rejects.toBeInstanceOf(client.WebhookError);
    }
  } finally {
    receiver.close();
  }
});

test('the package gives it to plain programs, with types, and nothing else is needed', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'framewright-client-'));
  try {
    const program = `
import { Framewright } from 'framewright/client';
const framewright = new Framewright({ key: process.argv[2], url: process.argv[3] });
const source = ${JSON.stringify(card)};
const render = await framewright.render({ source });
console.log(render.status, render.width);
`;
    const run = promisify(execFile);
    // Beside the package's own package.json its name is known.
    const file = path.join(root, 'dist/client', `use-${path.basename(folder)}.mjs`);
    await writeFile(file, program);
    try {
      const { apiKey, apiUrl } = server.running;
      const { stdout } = await run(process.execPath, [file, apiKey, apiUrl]);
      expect(stdout).toBe('succeeded 64\n');
    } finally {
      await rm(file);
    }
    await writeFile(
      path.join(folder, 'use.ts'),
      [
        `import { Framewright, verifyWebhook, type RenderScript } from ${JSON.stringify(path.join(root, 'dist/client/index.mjs'))};`,
        "const source: RenderScript = { elements: [{ type: 'text', text: 'Hi', x: '5%' }] };",
        "const it = new Framewright({ key: 'x' });",
        'export const url: Promise<string> = it.render({ source }).then((render) => render.url);',
        '// @ts-expect-error faulty',
        "void it.render({ source: { elements: [{ type: 'txt' }] } });",
        'void verifyWebhook;',
      ].join('\n'),
    );
    const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
    const flags = [
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
      '--lib',
      'es2022,dom,dom.asynciterable',
    ];
    const { stdout } = await run(
      process.execPath,
      [compiler, ...flags, path.join(folder, 'use.ts')],
      { cwd: folder },
    ).catch((error: unknown) => error as { stdout: string });
    expect(stdout).toBe('');
  } finally {
    await rm(folder, { recursive: true });
  }
});

describe('media', () => {
  const picture = path.join(root, 'test/fixtures/photo.jpg');

  test('are sent once, found, drawn, loaded and deleted', async () => {
    const { media, renders } = connect();
    const bytes = Uint8Array.from(await readFile(picture));
    const sent = await media.upload(bytes, { name: 'Sea.jpg' });
    expect(sent).toMatchObject({ name: 'Sea.jpg', kind: 'image' });
    // As a file of a form field is, without a name of its own for it.
    expect((await media.upload(new File([bytes], 'again.jpg'))).id).toBe(sent.id);
    expect(await media.get(sent.id)).toMatchObject({ id: sent.id });
    expect((await media.list({ kind: 'image', limit: 1 })).media).toHaveLength(1);
    const names: string[] = [];
    for await (const { id } of media.all({ limit: 1 })) names.push(id);
    expect(names).toEqual([sent.id]);
    expect(Buffer.from(await media.download(sent.id)).equals(Buffer.from(bytes))).toBe(true);
    const photo: client.RenderScript = {
      ...card,
      elements: [{ type: 'image', source: sent.source }],
    };
    const drawn = await connect().render({ source: photo });
    expect((await renders.download(drawn)).length).toBeGreaterThan(1_000);
    await media.delete(sent.id);
    await expect(media.get(sent.id)).rejects.toBeInstanceOf(client.NotFoundError);
  });

  test('that renders can’t read are refused with the reason', async () => {
    const words = new TextEncoder().encode('no picture at all');
    await expect(connect().media.upload(words, { name: 'words.jpg' })).rejects.toBeInstanceOf(
      client.BadRequestError,
    );
  });
});

describe('transcripts', () => {
  const whisper = path.join(root, 'test/helpers/fake-whisper.mjs');

  test('are asked for and waited for; words go into a document, and failures say why', async () => {
    const own = connect();
    const { transcripts } = own;
    const talk = await readFile(writeWav(path.join(server.dataFolder, 'talk.wav'), 2, [sine(440)]));
    const { source } = await own.media.upload(Uint8Array.from(talk), { name: 'talk.wav' });
    const silent = await transcripts.create({ source });
    expect(silent).toMatchObject({ status: 'transcribing', source });
    const failure = await transcripts.wait(silent.id).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(client.TranscriptFailedError);
    expect(failure).toMatchObject({
      message: expect.stringContaining('framewright models get') as string,
      transcript: { id: silent.id, status: 'failed' },
    });

    const model = path.join(server.dataFolder, 'model.bin');
    await writeFile(model, 'model');
    const program = { transcriber: whisper, transcriberModel: model };
    await server.askWindow('PATCH', '/api/settings', program);
    const shares: number[] = [];
    const { id } = await transcripts.create({ source, language: 'en', words: 'café' });
    const done = await transcripts.wait(id, { onProgress: (share) => shares.push(share) });
    expect(done).toMatchObject({ id, status: 'succeeded' });
    expect(await transcripts.get(id)).toEqual(done);
    expect(shares[0]).toBeLessThan(1);
    const { words } = done;
    expect(words?.[0]).toMatchObject({ time: 0, value: 'It"s' });
    const text = { type: 'text', transcript_source: words } as const;
    expect((await own.validate({ source: { ...film, elements: [text] } })).errors).toEqual([]);

    const stop = new AbortController();
    stop.abort(new Error('enough'));
    await expect(transcripts.wait(id, { signal: stop.signal })).rejects.toThrow('enough');
    await expect(transcripts.get('none')).rejects.toBeInstanceOf(client.NotFoundError);
  }, 60_000);
});

test('a batch creates the good ones and says of the others what is wrong', async () => {
  const { renders } = connect();
  const orders: client.RenderOrder[] = [
    { source: card, metadata: 'first' },
    { template_id: 'nowhere' },
    { source: card, metadata: 'third' },
  ];
  const results = await renders.createBatch(orders, { idempotencyKey: 'batch-1' });
  expect(results.map(({ error }) => error?.status ?? null)).toEqual([null, 400, null]);
  expect(results[1]?.error?.message).toMatch(/template/i);
  // The same key is the same batch.
  const again = await renders.createBatch(orders, { idempotencyKey: 'batch-1' });
  expect(again.map(({ render }) => render?.id)).toEqual(results.map(({ render }) => render?.id));
  const ids = results.flatMap(({ render }) => (render ? [render.id] : []));
  const done = await Promise.all(ids.map((id) => renders.ended(id)));
  expect(done.map(({ status, metadata }) => [status, metadata])).toEqual([
    ['succeeded', 'first'],
    ['succeeded', 'third'],
  ]);
});
