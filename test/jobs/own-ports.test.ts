/**
 * What documents and receivers' addresses may not reach: this program itself, and the metadata of clouds. Through the
 * running server with its real worker, which are told what holds by nobody but the program. Needs dist/.
 */
import dns from 'node:dns';
import { createServer, type Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeliveryRecord, WindowFeed } from '../../shared/api.ts';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import { send, startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer;
let beside: Server;
/** Answers every path with a redirect to what stands behind `?to=`, and counts. */
let besideUrl: string;
let asked = 0;

/** Where the names of these tests lead: in this process, which calls receivers, and in the workers. */
const names = {
  'metadata.test': ['169.254.169.254'],
  'translated.test': ['64:ff9b::a9fe:a9fe'],
  'mapped.test': ['::ffff:100.100.100.200'],
  'every.test': ['fe80::1', '169.254.169.254', 'fd00:ec2::254'],
  'own.test': ['127.0.0.1', '::1'],
};
const leadNames = `
  import dns from 'node:dns';
  import { isIP } from 'node:net';
  import { syncBuiltinESMExports } from 'node:module';
  const names = ${JSON.stringify(names)};
  const real = dns.lookup;
  dns.lookup = (name, options, done) =>
    names[name]
      ? done(null, names[name].map((address) => ({ address, family: isIP(address) })))
      : real(name, options, done);
  syncBuiltinESMExports();`;
const preload = `data:text/javascript,${encodeURIComponent(leadNames)}`;
const realLookup = dns.lookup;

beforeAll(async () => {
  await import(/* @vite-ignore */ preload);
  server = await startTestServer({
    forkWorker: () => forkWorker(undefined, ['--import', preload]),
  });
  beside = createServer((request, response) => {
    asked += 1;
    const to = new URL(request.url ?? '/', 'http://x').searchParams.get('to');
    if (to === null) response.writeHead(404).end();
    else response.writeHead(302, { location: to }).end();
  });
  await new Promise<void>((resolve) => beside.listen(0, '127.0.0.1', resolve));
  besideUrl = `http://127.0.0.1:${(beside.address() as AddressInfo).port}`; // listens on TCP
});
afterAll(async () => {
  dns.lookup = realLookup;
  syncBuiltinESMExports();
  beside.close();
  await server.stop();
});

const apiPort = (): string => new URL(server.running.apiUrl).port;
const windowPort = (): string => new URL(server.running.windowUrl).port;
const redirect = (to: string): string => `${besideUrl}/?to=${encodeURIComponent(to)}`;

const picture = (element: object, more: object = {}): Record<string, unknown> => ({
  output_format: 'png',
  width: 20,
  height: 20,
  elements: [element],
  ...more,
});
const image = (source: string): object => ({ type: 'image', name: 'Photo', source });

/** Why a render of the document failed. */
async function reason(source: object): Promise<string> {
  const { body } = await server.ask('POST', '/v2/renders', source);
  const { status, error_message: message } = await server.ended(body.id);
  expect(status).toBe('failed');
  return message;
}

test('F52 renders: own ports by every name, and after a redirect', async () => {
  for (const port of [apiPort(), windowPort()]) {
    for (const host of ['127.0.0.1', 'localhost', '127.1', '[::1]', '[::ffff:7f00:1]']) {
      const address = `http://${host}:${port}/docs`;
      expect(await reason(picture(image(address))), address).toMatch(
        /^Source error: Photo\.source: This address is not allowed/,
      );
    }
    expect(await reason(picture(image(redirect(`http://127.0.0.1:${port}/docs`))))).toContain(
      'This address is not allowed (127.0.0.1)',
    );
  }
  // What else listens on this computer may be asked.
  expect(await reason(picture(image(`${besideUrl}/none.png`)))).toContain('404');
});

/** Every way to write an address of metadata, and names that lead there. */
const metadata = [
  ...['169.254.169.254', '2852039166', '0xa9fea9fe', '0xa9.0xfe.0xa9.0xfe', '0251.0376.0251.0376'],
  ...['169.254.43518', '169.254.169.254.', '[::ffff:169.254.169.254]', '[::a9fe:a9fe]'],
  ...['[64:ff9b::a9fe:a9fe]', '[64:ff9b:1::a9fe:a9fe]', '[2002:a9fe:a9fe::]'],
  ...['[2001:0:a9fe:a9fe::1]', '[fd00:ec2::254]', '100.100.100.200'],
  ...Object.keys(names).filter((name) => name !== 'own.test'),
];

test('F52 renders: metadata of clouds, their other forms, and names that lead there', async () => {
  for (const host of metadata) {
    expect(await reason(picture(image(`http://${host}/latest/meta-data`))), host).toContain(
      'This address is not allowed',
    );
  }
  for (const host of ['169.254.169.254', '0xa9fea9fe', '[2002:a9fe:a9fe::]', 'metadata.test']) {
    expect(await reason(picture(image(redirect(`http://${host}/`)))), host).toContain(
      'This address is not allowed',
    );
  }
  for (const port of [apiPort(), windowPort()]) {
    expect(await reason(picture(image(`http://own.test:${port}/docs`)))).toContain(
      'This address is not allowed',
    );
  }
  // The name itself is no reason.
  const { port } = new URL(besideUrl);
  expect(await reason(picture(image(`http://own.test:${port}/none.png`)))).toContain('404');
}, 60_000);

test('F52 receivers: refused where the request names them, and when they are called', async () => {
  const create = async (address: string): Promise<{ status: number; id: string }> => {
    const sent = { ...picture({ type: 'shape' }), webhook_url: address };
    const { status, body } = await server.ask('POST', '/v2/renders', sent);
    return { status, id: body.id };
  };
  const numbers = metadata.filter((host) => !host.endsWith('.test'));
  const own = [apiPort(), windowPort()].flatMap((port) => [
    ...[`127.0.0.1:${port}`, `2130706433:${port}`, `[::ffff:7f00:1]:${port}`, `localhost:${port}`],
  ]);
  for (const host of [...numbers, ...own]) {
    expect((await create(`http://${host}/hook`)).status, host).toBe(400);
  }
  const called = Object.keys(names).map((name) =>
    name === 'own.test' ? `http://${name}:${apiPort()}/docs` : `http://${name}/`,
  );
  for (const address of called) {
    const { status, id } = await create(address);
    expect(status, address).toBe(202);
    const result = async (): Promise<string | undefined> => {
      const { list } = await server.askWindow('GET', '/api/deliveries');
      const found = (list as unknown as DeliveryRecord[]).find(({ render }) => render === id);
      return found?.result ?? undefined;
    };
    await expect.poll(result, { timeout: 30_000 }).toContain('This address is not allowed');
  }
}, 60_000);

test('F52 everything else that a document has fetched for it', async () => {
  const own = `http://127.0.0.1:${apiPort()}/openapi.json`;
  const text = { type: 'text', name: 'Title', text: 'a' };
  const documents = [
    picture({ type: 'video', name: 'Clip', source: own }),
    { ...picture({ ...text, transcript_source: own }), output_format: 'mp4', duration: 1 },
    { ...picture({ type: 'audio', source: own }), output_format: 'mp4', duration: 1 },
    picture({ ...text, font_family: 'Own' }, { fonts: [{ family: 'Own', source: own }] }),
    picture({ type: 'composition', elements: [image('http://metadata.test/a.png')] }),
  ];
  for (const source of documents) {
    expect(await reason(source), JSON.stringify(source)).toContain('This address is not allowed');
  }
});

test('F52 previews', async () => {
  const source = picture(image(`http://localhost:${apiPort()}/docs`));
  const { text } = await server.askWindow('POST', '/api/preview', {
    client: 'test',
    source,
    hidden: [],
    time: 0,
  });
  expect(text).toContain('This address is not allowed');
});

test('F52 pictures of templates: what the program may not reach is not asked', async () => {
  const asking = '/v2/renders/asked-by-a-document';
  const before = asked;
  const elements = [
    image(redirect(`http://127.0.0.1:${apiPort()}${asking}`)),
    { ...image(`http://own.test:${apiPort()}${asking}`), name: 'Second' },
    { type: 'text', text: 'a', font_family: 'Own' },
  ];
  const fonts = [{ family: 'Own', source: `http://own.test:${apiPort()}${asking}` }];
  const source = { output_format: 'png', width: 20, height: 20, elements, fonts };
  const { body } = await server.ask('POST', '/v2/templates', { name: 'Thumbnail', source });
  expect((await server.askWindow('GET', `/api/templates/${body.id}/picture`)).status).toBe(200);
  const requests = async (): Promise<string> =>
    (await server.askWindow('GET', '/api/requests')).text;
  // What stands beside was asked, and where it leads to was not.
  expect(asked).toBeGreaterThan(before);
  expect(await requests()).not.toContain(asking);
  await server.ask('GET', asking);
  expect(await requests()).toContain(asking);
});

test('F52 rows of a feed', async () => {
  const source = picture(image('https://example.invalid/a.png'));
  const template = await server.ask('POST', '/v2/templates', { name: 'With a photo', source });
  const { origin, hash } = new URL(server.running.windowUrl);
  const { body: feed } = await send(`${origin}/api/feeds?name=Rows`, {
    method: 'POST',
    headers: { 'x-framewright-token': hash.replace('#token=', ''), 'content-type': 'text/csv' },
    body: `Photo\nhttp://127.0.0.1:${windowPort()}/\n`,
  });
  const change = { template: template.body.id };
  const mapped = await server.askWindow('PATCH', `/api/feeds/${feed.id}`, change);
  expect((mapped.body as unknown as WindowFeed).template).toBe(template.body.id);
  expect((await server.askWindow('POST', `/api/feeds/${feed.id}/render`, {})).status).toBe(202);
  const failed = async (): Promise<string | undefined> => {
    const { renders } = (await server.askWindow('GET', '/api/renders')).body;
    return renders.find(({ batch }) => batch !== undefined)?.record.error_message;
  };
  await expect.poll(failed).toContain('This address is not allowed');
});

test('F52 when the API has moved, its new port', async () => {
  const before = apiPort();
  const free = await new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo; // listens on TCP
      probe.close(() => resolve(port));
    });
  });
  // While another program has the port, it may be asked; the worker and the preview have been running since then.
  expect(await reason(picture(image(`http://127.0.0.1:${free}/docs`)))).toContain(
    'Could not connect',
  );
  expect((await server.askWindow('PATCH', '/api/settings', { port: free })).status).toBe(200);
  expect(apiPort()).toBe(String(free));
  const source = picture(image(`http://127.0.0.1:${free}/docs`));
  expect(await reason(source)).toContain('This address is not allowed');
  const preview = await server.askWindow('POST', '/api/preview', {
    client: 'moved',
    source,
    hidden: [],
    time: 0,
  });
  expect(preview.text).toContain('This address is not allowed');
  const hook = { ...source, webhook_url: `http://localhost:${free}/` };
  expect((await server.ask('POST', '/v2/renders', hook)).status).toBe(400);
  const old = await server.ask('POST', '/v2/renders', {
    ...source,
    webhook_url: `http://localhost:${before}/`,
  });
  expect(old.status).toBe(202);
  await server.ended(old.body.id);
}, 60_000);

test('F111 a receiver whose port becomes that of the API is not called any more', async () => {
  const receiver = createServer((_request, response) => response.writeHead(500).end());
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo; // listens on TCP
  await server.restart({ webhookPauses: [300, 300, 300, 60_000] });
  const { body } = await server.ask('POST', '/v2/renders', {
    ...picture({ type: 'shape' }),
    webhook_url: `http://localhost:${port}/hook`,
  });
  const delivery = async (): Promise<DeliveryRecord | undefined> => {
    const { list } = await server.askWindow('GET', '/api/deliveries');
    return (list as unknown as DeliveryRecord[]).find(({ render }) => render === body.id);
  };
  await expect.poll(async () => (await delivery())?.result).toContain('500');
  await new Promise<void>((resolve) => {
    receiver.closeAllConnections();
    receiver.close(() => resolve());
  });
  expect((await server.askWindow('PATCH', '/api/settings', { port })).status).toBe(200);
  await expect
    .poll(async () => (await delivery())?.result)
    .toContain('This address is not allowed (127.0.0.1)');
});

test('once others reach the API, this computer and its network are refused until a setting allows them', async () => {
  const webhook = async (host: string): Promise<number> =>
    (await server.ask('POST', '/v2/renders', { ...picture({ type: 'shape' }), webhook_url: host }))
      .status;
  const set = async (values: object): Promise<void> => {
    expect((await server.askWindow('PATCH', '/api/settings', values)).status).toBe(200);
  };
  const before = asked;
  const source = picture(image(`${besideUrl}/none.png`));
  await set({ host: '0.0.0.0' });
  expect(await reason(source)).toContain('This address is not allowed (127.0.0.1)');
  expect(await webhook('http://192.168.1.7/hook')).toBe(400);
  expect(await webhook('http://93.184.216.34/hook')).toBe(202);
  expect(asked).toBe(before);
  await set({ allowPrivateAddresses: true });
  expect(await reason(source)).toContain('404');
  expect(await webhook('http://192.168.1.7/hook')).toBe(202);
  await set({ host: null });
  await set({ allowPrivateAddresses: false });
  expect(await reason(source)).toContain('This address is not allowed (127.0.0.1)');
  await set({ allowPrivateAddresses: null });
  expect(await reason(source)).toContain('404');
});

test('a refusal names its cause, and the switch where there is one', async () => {
  const toSwitch =
    'To allow it, start the server and its workers with --local-addresses always, or choose Always for "Media and webhooks may use local addresses" under Settings ▸ Network';
  const set = async (values: object): Promise<void> => {
    expect((await server.askWindow('PATCH', '/api/settings', values)).status).toBe(200);
  };
  const hint = async (address: string): Promise<string> => {
    const sent = { ...picture({ type: 'shape' }), webhook_url: address };
    return (await server.ask('POST', '/v2/renders', sent)).body.hint;
  };
  const own = `http://127.0.0.1:${apiPort()}/`;
  await set({ allowPrivateAddresses: false });
  try {
    const told = await reason(picture(image(`${besideUrl}/none.png`)));
    expect(told).toBe(
      `Source error: Photo.source: This address is not allowed (127.0.0.1): it belongs to this computer or its network. ${toSwitch} (${besideUrl}/none.png)`,
    );
    expect(await hint('http://192.168.1.7/hook')).toBe(
      `The parameter 'webhook_url' should be an address outside of this computer and its network. ${toSwitch}.`,
    );
    expect(await hint('http://localhost:9/hook')).toContain(toSwitch);
    // What no switch allows names none.
    expect(await reason(picture(image(own)))).toMatch(
      /\(127\.0\.0\.1\): Framewright itself listens there \(http/,
    );
    expect(await reason(picture(image('http://metadata.test/')))).toMatch(
      /\(169\.254\.169\.254\): link-local, .* are never reached \(http/,
    );
    expect(await hint(own)).toContain('should be the address of another program than this one.');
    expect(await hint('http://169.254.169.254/')).toContain('the metadata of clouds never are.');
    expect(await hint('ftp://x/')).toContain('an http or https address');
    const { list } = await server.askWindow('GET', '/api/projects');
    const { id } = list[0]!;
    for (const [method, target, body] of [
      ['PATCH', `/api/projects/${id}`, { webhookUrl: 'http://192.168.1.7/hook' }],
      ['POST', `/api/projects/${id}/webhook-test`, { url: 'http://192.168.1.7/hook' }],
    ] as const) {
      const answer = await server.askWindow(method, target, body);
      expect([answer.status, answer.body.hint], target).toEqual([
        400,
        expect.stringContaining(toSwitch),
      ]);
    }
  } finally {
    await set({ allowPrivateAddresses: null });
  }
});
