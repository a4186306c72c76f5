/**
 * Programs of a farm for tests: servers and workers as processes of the built program, on one database, which any of
 * them may lose.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect } from 'vitest';
import type { TestPostgres } from './postgres.ts';
import { send, type Answer } from './server.ts';

const program = path.resolve(import.meta.dirname, '../../dist/server/cli.mjs');

/** A server's address and key, as it tells whoever started it. */
export interface Place {
  readonly apiUrl: string;
  readonly windowUrl: string;
  readonly apiKey: string;
}

/** A worker's facts in the database. */
export interface Machine {
  readonly pid: number;
  readonly build: { readonly name: string } | null;
  /** IDs of films. */
  readonly pieces: readonly string[];
}

/** Answers any number of requests. */
export const free = '--no-rate-limit';
const square = { type: 'shape', width: '50%', height: '50%', fill_color: '#ff0000' };
/** One frame. */
export const picture = { output_format: 'png', width: 64, height: 64, elements: [square] };
/** @param duration Seconds of film, of which every frame is another. */
export const film = (duration: number, ...more: object[]): object => ({
  output_format: 'mp4',
  width: 64,
  height: 64,
  frame_rate: 30,
  duration,
  elements: [
    {
      ...square,
      animations: [{ type: 'spin', time: 0, duration, easing: 'linear', rotation: '360°' }],
    },
    ...more,
  ],
});
/** Ends a program. @returns its exit status. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.kill(signal);
  return ended;
}

/** A farm's database and folder, and what starts programs for it. */
export interface Farm {
  /** Of all programs' folders. */
  readonly folder: string;
  readonly shared: string;
  /** Variables of programs that are started from now on. */
  readonly env: Record<string, string>;
  /** What the workers tell of themselves. */
  readonly machines: () => Promise<Machine[]>;
  /** Runs a statement in the database. */
  readonly run: (statement: string) => Promise<Record<string, unknown>[]>;
  /** Changes settings as another server would. */
  readonly set: (settings: object) => Promise<unknown>;
  readonly serve: (...more: string[]) => Promise<{ child: ChildProcess; place: Place }>;
  /** Starts a worker. @param places Options that say where files are. Default: in the folder of the servers. */
  readonly work: (...places: string[]) => Promise<ChildProcess>;
}

/** Makes farms. Their programs and folders go after each test. Call at the top of `describe`. */
export function useFarm(postgres: TestPostgres): () => Promise<Farm> {
  const children: ChildProcess[] = [];
  const folders: string[] = [];
  afterEach(async () => {
    await Promise.all(children.splice(0).map((child) => end(child, 'SIGKILL')));
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, maxRetries: 20 });
  });
  return async () => {
    const url = await postgres.create();
    const folder = await mkdtemp(path.join(tmpdir(), 'framewright-farm-'));
    folders.push(folder);
    const shared = path.join(folder, 'shared');
    const env: Record<string, string> = {};
    const run = (statement: string): Promise<Record<string, unknown>[]> =>
      postgres.run(statement, url);
    let count = 0;
    const start = (args: readonly string[]): Promise<{ child: ChildProcess; said: unknown }> => {
      const data = ['--data', path.join(folder, `own-${count++}`)];
      const common = ['--database', url, '--largest-side', '64', ...data];
      const child = spawn(process.execPath, [program, ...args, ...common], {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        env: { ...process.env, ...env },
      });
      children.push(child);
      return new Promise((resolve, reject) => {
        child.once('message', (said) => resolve({ child, said }));
        child.once('exit', (code) => reject(new Error(`${args[0]} ended with ${code}`)));
      });
    };
    return {
      folder,
      shared,
      env,
      run,
      machines: async () =>
        (await run('SELECT facts FROM framewright.machines')).map(({ facts }) => facts as Machine),
      set: (settings) =>
        run(
          `INSERT INTO framewright.settings (id, doc)
           VALUES ('server', '{"_id": "server"}'::jsonb || '${JSON.stringify(settings)}')
           ON CONFLICT (id) DO UPDATE SET doc = settings.doc || excluded.doc;
           INSERT INTO framewright.changes (collection, id) VALUES ('settings', 'server');
           NOTIFY framewright_changes`,
        ),
      async serve(...more) {
        const { child, said } = await start([
          ...['serve', '--port', '0', '--window-port', '0', '--no-samples', '--shared', shared],
          ...more,
        ]);
        return { child, place: said as Place };
      },
      work: async (...places) =>
        (await start(['worker', ...(places.length > 0 ? places : ['--shared', shared])])).child,
    };
  };
}

/** Asks a server. */
export const ask = (
  { apiUrl, apiKey }: Place,
  method: string,
  target: string,
  body?: unknown,
  more: Record<string, string> = {},
): Promise<Answer> =>
  send(`${apiUrl}${target}`, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      ...more,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
/** Creates a render. @returns its ID. */
export const create = async (place: Place, source: object, more: object = {}): Promise<string> => {
  const answer = await ask(place, 'POST', '/v2/renders', { source, ...more });
  expect(answer.status).toBe(202);
  return answer.body.id;
};
/** @returns the source of a new file of the library. */
export const upload = async (
  { apiUrl, apiKey }: Place,
  name: string,
  content: Buffer,
): Promise<string> => {
  const answer = await send(`${apiUrl}/v2/media?name=${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
    body: new Uint8Array(content),
  });
  expect(answer.status).toBe(201);
  return (JSON.parse(answer.text) as { source: string }).source;
};
/** The status of a render. */
export const statusOf = async (place: Place, id: string): Promise<string> =>
  (await ask(place, 'GET', `/v2/renders/${id}`)).body.status;
/** Waits until a render has ended. @returns it. */
export const ended = async (place: Place, id: string): Promise<Answer['body']> => {
  for (;;) {
    const { body } = await ask(place, 'GET', `/v2/renders/${id}`);
    if (body.status === 'succeeded' || body.status === 'failed') return body;
    await pause(100);
  }
};
