/**
 * `framewright mcp` beside its tools: finds a server or starts one, outlives it, and takes whatever is written to it.
 * Runs the built program, by the official client and line by line.
 */
import type { Client } from '@modelcontextprotocol/client';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { call, overStdio } from './api/mcp-clients.ts';
import { cli, gone, runCli, said, startCli } from './helpers/cli.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'cli-mcp-'));
const environment = {
  XDG_DATA_HOME: path.join(folder, 'share'),
  XDG_CONFIG_HOME: path.join(folder, 'config'),
  APPDATA: path.join(folder, 'share'),
  HOME: folder,
  FRAMEWRIGHT_URL: '',
  FRAMEWRIGHT_KEY: '',
};
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));

const runtimeFile = z.object({ pid: z.number(), apiUrl: z.string(), apiKey: z.string() });
/** Of the server on a data folder. */
const runtime = (data: string): z.infer<typeof runtimeFile> =>
  runtimeFile.parse(JSON.parse(readFileSync(path.join(folder, data, 'runtime.json'), 'utf8')));
const isThere = (pid: number): boolean => existsSync(`/proc/${pid}`);

describe.skipIf(process.platform !== 'linux')('the server', () => {
  const open: Client[] = [];
  const start = async (data: string): Promise<Client> => {
    const { client } = await overStdio(folder, ['--data', data], 'legacy', environment);
    open.push(client);
    return client;
  };
  afterEach(async () => {
    await Promise.all(open.splice(0).map((client) => client.close()));
  });

  test('is started if none runs, shared, and ends with who started it', async () => {
    const [first, second] = await Promise.all([start('both'), start('both')]);
    const saved = await call(first, 'save_template', { name: 'Shared', source: {} });
    expect(saved.isError).toBe(false);
    expect((await call(second, 'list_templates', { search: 'shared' })).text).toContain('Shared');
    const { pid } = runtime('both');
    expect(isThere(pid)).toBe(true);
    await Promise.all(open.splice(0).map((client) => client.close()));
    await gone([pid]);
  });

  test('is another one after its end', async () => {
    const client = await start('again');
    await call(client, 'save_template', { name: 'Stays', source: {} });
    const { pid } = runtime('again');
    process.kill(pid, 'SIGKILL');
    await gone([pid]);
    // Several at once start one.
    const lists = await Promise.all([1, 2, 3].map(() => call(client, 'list_templates', {})));
    for (const { text } of lists) expect(text).toContain('Stays');
    expect(runtime('again').pid).not.toBe(pid);
  });

  test('is the one that runs already, and stays', async () => {
    const args = ['serve', '--port', '0', '--window-port', '0', '--no-samples', '--data', 'own'];
    const server = startCli(folder, args, environment);
    await said(server, 'Press Ctrl+C');
    const client = await start('own');
    expect((await call(client, 'list_templates', {})).text).toContain('"templates":[]');
    await client.close();
    open.length = 0;
    const { apiUrl, apiKey, pid } = runtime('own');
    expect(pid).toBe(server.child.pid);
    const answer = await fetch(`${apiUrl}/v2/templates`, {
      headers: { authorization: `Bearer ${apiKey}`, connection: 'close' },
    });
    expect(answer.status).toBe(200);
    server.child.kill('SIGTERM');
    await server.ended;
  });

  test('is told by README', async () => {
    const text = readFileSync(path.join(import.meta.dirname, '..', 'README.md'), 'utf8');
    const [, block = ''] = /```json\n(\{ "mcpServers".*?)```/s.exec(text) ?? [];
    const form = z.object({
      mcpServers: z.object({
        framewright: z.object({ command: z.string(), args: z.array(z.string()) }),
      }),
    });
    const { framewright } = form.parse(JSON.parse(block)).mcpServers;
    expect(framewright).toEqual({ command: 'framewright', args: ['mcp'] });
    // On the usual data folder.
    const { client } = await overStdio(folder, [], 'legacy', environment);
    open.push(client);
    expect((await call(client, 'list_templates', {})).text).toContain('Promo square');
  });
});

/** Lines in, messages out. */
interface Pipe {
  readonly child: ChildProcess;
  readonly write: (text: string) => void;
  /** The next message. */
  readonly next: () => Promise<{ id?: unknown; error?: { code: number; message: string } }>;
}

function openPipe(args: readonly string[]): Pipe {
  const child = spawn(process.execPath, [cli, 'mcp', ...args], {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const heard = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    child,
    write: (text) => void child.stdin.write(text),
    next: async () => {
      const line = (await heard.next()) as { value: unknown }; // a line, or nothing at the end
      return JSON.parse(String(line.value)) as Awaited<ReturnType<Pipe['next']>>;
    },
  };
}

describe('what is written to it', () => {
  test('is answered, whatever it is', async () => {
    const pipe = openPipe(['--data', 'lines']);
    const ping = (id: unknown): string =>
      `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`;
    const big = (length: number): string =>
      `${JSON.stringify({ jsonrpc: '2.0', method: 'tools/call', params: { name: 'validate', arguments: { source: { a: 'x'.repeat(length) } } }, id: 'big' })}\n`;
    const rows: [written: string, id: unknown, says: RegExp | null][] = [
      ['no message\n', null, /The line is no message/],
      ['[]\n', null, /it is no object/],
      ['\n\r\n \n', undefined, null],
      [ping(1), 1, null],
      [ping('text'), 'text', null],
      [big(1_000_000), 'big', null],
      [big(9_900_000), 'big', null],
      // This is not even sent to the server.
      [big(12_000_000), 'big', /too long: 10 MB at most/],
      [`${'x'.repeat(11_000_000)}\n`, null, /too long/],
      ['{"jsonrpc":"2.0","id":5}\n', 5, /not a valid JSON-RPC message/],
      [ping('é"\\n'), 'é"\\n', null],
      [
        `{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"dé\\tjà"}}\n`,
        6,
        /not found/,
      ],
    ];
    for (const [written, id, says] of rows) {
      pipe.write(written);
      if (id === undefined) continue;
      const message = await pipe.next();
      expect({ written: written.slice(0, 80), id: message.id }).toEqual({
        written: written.slice(0, 80),
        id,
      });
      if (says) expect(message.error?.message).toMatch(says);
      else expect([written.slice(0, 80), message.error]).toEqual([written.slice(0, 80), undefined]);
    }
    // Line by line in pieces, and several at once.
    pipe.write(ping(7).slice(0, 5));
    pipe.write(`${ping(7).slice(5)}${ping(8)}`);
    const both = [await pipe.next(), await pipe.next()].map(({ id }) => id);
    expect(both.sort()).toEqual([7, 8]);
    const ended = new Promise((resolve) => pipe.child.once('exit', resolve));
    pipe.child.stdin?.end();
    expect(await ended).toBe(0);
  });

  test('waits while nobody reads the answers, and none is lost', async () => {
    const serve = ['serve', '--port', '0', '--window-port', '0', '--no-samples', '--no-rate-limit'];
    const server = startCli(folder, [...serve, '--data', 'fast'], environment);
    await said(server, 'Press Ctrl+C');
    const pipe = openPipe(['--data', 'fast']);
    pipe.child.stdout?.pause();
    const count = 100;
    const slips = Array.from({ length: 300 }, () => ({ type: 'text', text: 'a', fontSize: '1em' }));
    const params = { name: 'validate', arguments: { source: { elements: slips } } };
    for (let id = 1; id <= count; id++) {
      pipe.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`);
    }
    await pause(2_000);
    // Most of them are not even taken.
    expect(pipe.child.stdin?.writableLength).toBeGreaterThan(100_000);
    pipe.child.stdout?.resume();
    const ids = new Set<unknown>();
    while (ids.size < count) ids.add((await pipe.next()).id);
    pipe.child.kill();
    server.child.kill('SIGTERM');
    await server.ended;
  });

  test('without a server, says so in each answer and goes on', async () => {
    const pipe = openPipe(['--url', 'http://127.0.0.1:9', '--key', 'k']);
    for (const id of [1, 2]) {
      pipe.write(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`);
      expect(await pipe.next()).toMatchObject({ id, error: { message: /does not answer/ } });
    }
    pipe.child.kill();
  });
});

test('options are checked at once', async () => {
  const { status, error } = await runCli(folder, ['mcp', '--url', 'nonsense'], environment);
  expect(status).toBe(1);
  expect(error).toContain('--url: Expected an address');
  const { out } = await runCli(folder, ['mcp', '--help'], environment);
  expect(out).toContain('starts one, without a window, if none runs');
});
