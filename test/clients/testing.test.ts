/** `framewright/testing` as it is built: the real server for other people's tests. Needs dist/. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { startFramewright } from 'framewright/testing';
import { playwrightExample, vitestExample } from '../../server/api/docs/test-examples.ts';
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
    expect([vitestExample, playwrightExample].map((example) => example.trim())).toContain(
      text.trim(),
    );
  },
);
