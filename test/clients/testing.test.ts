/** `framewright/testing` as it is built: the real server for other people's tests. Needs dist/. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { verifyWebhook, WebhookError } from 'framewright/client';
import { startFramewright } from 'framewright/testing';
import { topics } from '../../server/api/docs/pages.ts';
import { describe, expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '../..');
const film = {
  output_format: 'mp4',
  width: 1920,
  height: 1080,
  duration: 1,
  elements: [{ type: 'text', text: 'Hello' }],
} as const;

test('makes tiny files, whatever is asked for, and leaves nothing behind', async () => {
  const server = await startFramewright();
  const { client, url, folder } = server;
  expect(existsSync(folder)).toBe(true);
  expect((await fetch(`${url}/docs`)).status).toBe(200);
  expect(await client.templates.list()).toEqual([]);
  expect(await client.render({ source: film })).toMatchObject({ width: 64, height: 36 });
  const scaled = await client.render({ source: film, render_scale: 2 });
  expect(scaled).toMatchObject({ width: 64, height: 36 });
  const smaller = await client.render({ source: film, max_height: 18 });
  expect(smaller).toMatchObject({ width: 32, height: 18 });
  const upright = { ...film, output_format: 'png', width: 1080, height: 1920 } as const;
  expect(await client.render({ source: upright })).toMatchObject({ width: 36, height: 64 });
  await server.stop();
  await expect(fetch(url)).rejects.toThrow();
  expect(existsSync(folder)).toBe(false);
});

test('makes them as large as the document says, with the samples and media of a folder', async () => {
  const samples = path.join(root, 'resources/samples');
  await using server = await startFramewright({
    largestSide: null,
    samples: true,
    mediaFolders: [path.join(samples, 'media')],
  });
  expect((await server.client.templates.list()).length).toBeGreaterThan(3);
  const [star] = readdirSync(path.join(samples, 'media')).filter((name) => name.endsWith('.svg'));
  const source = {
    output_format: 'png',
    width: 200,
    height: 100,
    elements: [{ type: 'image', source: star ?? '' }],
  } as const;
  expect(await server.client.render({ source })).toMatchObject({ width: 200, height: 100 });
});

test('its webhooks are verified with the secret that it tells, and after a change with the new one', async () => {
  await using server = await startFramewright();
  const { client, webhookSecret } = server;
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
  const call = async (): Promise<{ headers: IncomingHttpHeaders; body: string; id: string }> => {
    const received = new Promise<{ headers: IncomingHttpHeaders; body: string }>(
      (resolve) => (receive = resolve),
    );
    const source = { output_format: 'png', width: 16, height: 16, elements: [] } as const;
    const webhook_url = `http://127.0.0.1:${port}/`;
    const { id } = await client.renders.create({ source, webhook_url });
    return { ...(await received), id };
  };
  try {
    const first = await call();
    expect(await verifyWebhook({ secret: webhookSecret, ...first })).toMatchObject({
      id: first.id,
      status: 'succeeded',
    });
    const { secret } = await client.webhooks.rotateSecret();
    await client.webhooks.revokePreviousSecret();
    const second = await call();
    await expect(verifyWebhook({ secret: webhookSecret, ...second })).rejects.toThrow(WebhookError);
    expect((await verifyWebhook({ secret, ...second })).id).toBe(second.id);
  } finally {
    receiver.close();
  }
});

test('backups, settings and deleted templates are asked by the client', async () => {
  await using server = await startFramewright();
  const { client } = server;
  const { id } = await client.templates.create({ name: 'Card', source: film });
  await client.templates.delete(id);
  expect((await client.templates.deleted()).map((one) => one.id)).toEqual([id]);
  expect((await client.templates.restore(id)).source).toEqual(film);
  expect((await client.settings.change({ concurrency: 2 })).concurrency).toBe(2);
  expect((await client.settings.get()).concurrency).toBe(2);
  await expect(client.settings.change({ concurrency: 99 })).rejects.toThrow(
    "The setting 'concurrency' should be a whole number from 1 to 8, found 99.",
  );
  const backup = await client.backups.create();
  await client.templates.delete(id);
  expect(await client.backups.restore(backup.id, 'work')).toMatchObject({ restarts: true });
  const outcome = (): Promise<boolean | undefined> =>
    client.backups.list().then((list) => list.last_restore?.succeeded);
  await expect.poll(outcome, { timeout: 20_000 }).toBe(true);
  expect((await client.templates.list()).map((one) => one.id)).toEqual([id]);
  await client.backups.delete(backup.id);
  expect((await client.backups.list()).backups).not.toContainEqual(backup);
});

describe('the server', () => {
  test('that can’t start is told with its words', async () => {
    await expect(startFramewright({ largestSide: 0 })).rejects.toThrow(
      "The server did not start: --largest-side: Expected a whole number from 1 to 10000, found '0'.",
    );
  });

  test('ends with the process that started it, also where that is killed', async () => {
    const program = `
      import { startFramewright } from ${JSON.stringify(path.join(root, 'dist/client/testing.mjs'))};
      const { url, folder } = await startFramewright();
      console.log(JSON.stringify({ url, folder }));
      setInterval(() => undefined, 1000);`;
    const args = ['--input-type=module', '--eval', program];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const line = await new Promise<string>((resolve) =>
      child.stdout.once('data', (part: Buffer) => resolve(part.toString())),
    );
    const { url, folder } = JSON.parse(line) as { url: string; folder: string };
    expect((await fetch(`${url}/docs`, { headers: { connection: 'close' } })).status).toBe(200);
    child.kill('SIGKILL');
    const answers = (): Promise<boolean> =>
      fetch(`${url}/docs`, { headers: { connection: 'close' } }).then(
        () => true,
        () => false,
      );
    await expect.poll(answers).toBe(false);
    // Nobody was left who could; it is a temporary one.
    rmSync(folder, { recursive: true, maxRetries: 5 });
  });
});

test.each(['test/clients/testing-example.test.ts', 'test/ui/testing-example.spec.ts'])(
  'the example of the README and of the help is %s, which is run',
  (file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    expect(existsSync(path.join(root, file))).toBe(true);
    expect(readFileSync(path.join(root, 'client/README.md'), 'utf8')).toContain(
      `\`\`\`ts\n${text}\`\`\``,
    );
    const page = topics.find(({ slug }) => slug === 'testing');
    expect(page?.text('')).toContain(`\`\`\`ts\n${text}\`\`\``);
  },
);
