/**
 * The program under test: the built server in a process of its own with a data folder of its own, and a page that shows
 * its window. Fixtures for every test in this folder.
 */
import { test as base, type Page } from '@playwright/test';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CreatedRender, RenderRecord } from '../../shared/api.ts';
import type { OpenedTemplate, SaveRequest } from '../../shared/api/editor.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** A running server. */
export class Program {
  apiUrl = '';
  windowUrl = '';
  readonly apiKey = 'key-for-ui-tests';
  readonly dataFolder = mkdtempSync(path.join(tmpdir(), 'framewright-ui-'));
  #child: ChildProcess | null = null;

  /** Process id of the server; 0 while there is none. */
  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /**
   * Starts the server; after `stop` or `kill` on the same data, with the same window address.
   *
   * @param port 0 = any free one; null names none, so that the program takes its own.
   * @param isLimited Whether more than 30 requests in 10 seconds are refused.
   * @param more Further options of `serve`.
   */
  async start(
    port: number | null = 0,
    isLimited = false,
    more: readonly string[] = [],
  ): Promise<void> {
    await this.#keepPort();
    const args = ['serve', '--data', this.dataFolder, ...more];
    if (port !== null) args.push('--port', String(port));
    args.push('--api-key', this.apiKey);
    if (!isLimited) args.push('--no-rate-limit');
    const cli = path.join(root, 'dist', 'server', 'cli.mjs');
    const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    let output = '';
    child.stdout.on('data', (piece: Buffer) => (output += piece.toString()));
    child.stderr.on('data', (piece: Buffer) => (output += piece.toString()));
    const deadline = Date.now() + 20_000;
    while (!output.includes('Press Ctrl+C')) {
      if (child.exitCode !== null || Date.now() > deadline) {
        throw new Error(`The server did not start:\n${output}`);
      }
      await pause(20);
    }
    const runtime = readFileSync(path.join(this.dataFolder, 'runtime.json'), 'utf8');
    // Written by server/start.ts in this form.
    const read = JSON.parse(runtime) as { apiUrl: string | null; windowUrl: string };
    const isFirst = this.windowUrl === '';
    Object.assign(this, { apiUrl: read.apiUrl ?? '', windowUrl: read.windowUrl });
    // Tests read the document in the source pane; people see the controls there first.
    if (isFirst) await this.remember({ editorInspects: false });
  }

  /** Gives the window a port of its own, that of the next start too: other tests take turns at the usual one. */
  async #keepPort(): Promise<void> {
    const file = path.join(this.dataFolder, 'window.json');
    if (existsSync(file)) return;
    const token = randomBytes(24).toString('base64url');
    writeFileSync(file, JSON.stringify({ port: await freePort(), token }));
  }

  /** Ends the server in order. */
  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  /** Ends it as a crash or a power cut does. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.dataFolder, { recursive: true, force: true });
  }

  /** Sends a request to the public API and gives back what it answers. */
  async #call(method: string, address: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.apiUrl}${address}`, {
      method,
      headers: { Authorization: `Bearer ${this.apiKey}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return response.status === 204 ? undefined : response.json();
  }

  // The `as` below name the forms that the API promises.

  createRender = async (source: object): Promise<CreatedRender> =>
    (await this.#call('POST', '/v2/renders', source)) as CreatedRender;

  readRender = async (id: string): Promise<RenderRecord> =>
    (await this.#call('GET', `/v2/renders/${id}`)) as RenderRecord;

  createTemplate = async (template: object): Promise<{ id: string }> =>
    (await this.#call('POST', '/v2/templates', template)) as { id: string };

  changeTemplate = (id: string, change: object): Promise<unknown> =>
    this.#call('PATCH', `/v2/templates/${id}`, change);

  /** Puts a template into the Trash. */
  trashTemplate = (id: string): Promise<unknown> => this.#call('DELETE', `/v2/templates/${id}`);

  /** Calls a route of the window. */
  #window(address: string, init: RequestInit = {}): Promise<Response> {
    const { origin, hash } = new URL(this.windowUrl);
    const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
    const headers = { 'x-framewright-token': token, 'Content-Type': 'application/json' };
    return fetch(`${origin}${address}`, { ...init, headers });
  }

  /** Has the server remember for the window exactly this. */
  async remember(preferences: Record<string, unknown>): Promise<void> {
    await this.#window('/api/preferences', { method: 'PUT', body: JSON.stringify(preferences) });
  }

  /** Allows these pages to use the API, and no others. */
  async allowPages(origins: readonly string[]): Promise<void> {
    const body = JSON.stringify({ allowedOrigins: origins });
    const response = await this.#window('/api/settings', { method: 'PATCH', body });
    if (!response.ok) throw new Error(await response.text());
  }

  /** What the window has the server remember for it; a change arrives there a moment later. */
  async remembered(): Promise<Record<string, unknown>> {
    const response = await this.#window('/api/preferences');
    return (await response.json()) as Record<string, unknown>;
  }

  /** A template as the editor opens it. */
  async opened(id: string): Promise<OpenedTemplate> {
    const response = await this.#window(`/api/editor/${id}`);
    return (await response.json()) as OpenedTemplate;
  }

  /** Saves a template as the editor does. */
  async save(id: string, body: SaveRequest): Promise<void> {
    const address = `/api/editor/${id}`;
    const response = await this.#window(address, { method: 'PUT', body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
  }

  /** Waits until a render is finished, whatever its end. */
  async finished(id: string): Promise<RenderRecord> {
    for (;;) {
      const render = await this.readRender(id);
      if (render.status === 'succeeded' || render.status === 'failed') return render;
      await pause(100);
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** Opens the window at its queue and waits until that shows data. Errors of the page fail the test. */
export async function openWindow(page: Page, program: Program): Promise<void> {
  page.on('pageerror', (error) => {
    throw error;
  });
  await page.goto(`${program.windowUrl}&page=queue`);
  await page.locator('html[data-app="ready"]').waitFor();
}

/** The server of the file whose tests this process is running. */
interface Running {
  current: { readonly file: string; readonly program: Program } | null;
}

/**
 * `program`: a server for the tests of one file, started once; processes that run several files start another for each.
 * `own`: one for a single test, which may stop it or leave it changed.
 */
export const test = base.extend<{ program: Program; own: Program }, { running: Running }>({
  // eslint-disable-next-line no-empty-pattern -- as below
  own: async ({}, use) => {
    const program = new Program();
    await program.start();
    await use(program);
    await program.remove();
  },
  running: [
    // Playwright reads the names of the fixtures it must make from this pattern.
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const running: Running = { current: null };
      await use(running);
      await running.current?.program.remove();
    },
    { scope: 'worker' },
  ],
  program: async ({ running }, use, { file }) => {
    if (running.current?.file !== file) {
      await running.current?.program.remove();
      running.current = null;
      const program = new Program();
      await program.start();
      running.current = { file, program };
    }
    await use(running.current.program);
  },
});

export { expect } from '@playwright/test';
