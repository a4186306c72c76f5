/** A real server on free ports with its own data folder and the fake worker, for tests over HTTP. */
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import type {
  CreatedRender,
  DryRun,
  RenderList,
  ServerState,
  TemplateList,
  WindowRender,
} from '../../shared/api.ts';
import type { ErrorRecord, FullTemplateRecord } from '../../server/api/answer-schemas.ts';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import type { ServerOptions } from '../../server/options.ts';
import { startServer, type RunningServer } from '../../server/start.ts';
import { checkAnswer, checkWindowAnswer } from './answers.ts';
import { apiDatabase, isFarm, startFarm, type Farm } from './farm.ts';

const fakeWorker = fileURLToPath(new URL('./fake-worker.mjs', import.meta.url));

/** The fields of every object in any answer; a test that reads a missing one fails. */
export type Body = Required<Omit<CreatedRender, 'waiting_reason'>> &
  Pick<CreatedRender, 'waiting_reason'> &
  FullTemplateRecord &
  ErrorRecord &
  DryRun &
  Required<WindowRender> &
  RenderList &
  TemplateList &
  ServerState;

/** An answer with its body read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; empty if it is not a JSON object. */
  readonly body: Body;
  /** The parsed body if it is an array, otherwise empty. */
  readonly list: readonly Body[];
}

/** A server under test. */
export interface TestServer {
  readonly running: RunningServer;
  readonly dataFolder: string;
  readonly outputFolder: string;
  /** Lines that the server logged. */
  readonly logged: string[];
  /** Sends a request to the API with the key, objects as JSON, and checks the answer against openapi.json. */
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** Sends a request to the window's listener with its token, and checks the answer against its row. */
  askWindow(method: string, path: string, body?: unknown): Promise<Answer>;
  /** The path of a finished file, whose name has that of its attempt if there are several workers. */
  fileOf(id: string, ending: string): string;
  /** Waits until a render has ended, and returns its record. */
  ended(id: string): Promise<Body>;
  /** Restarts the server on the same data. */
  restart(changes?: Partial<ServerOptions>): Promise<void>;
  /** Stops it and removes its folder. */
  stop(): Promise<void>;
}

/** Sends one request and reads the answer. @param change Changes its text as a proxy would. */
export async function send(
  url: string,
  options: RequestInit = {},
  change = (text: string): string => text,
): Promise<Answer> {
  const response = await fetch(url, options);
  const text = change(await response.text());
  let value: unknown = {};
  if (response.headers.get('content-type')?.startsWith('application/json') && text !== '') {
    value = JSON.parse(text);
  }
  // The form that the test expects; otherwise the test fails.
  const [body, list] = Array.isArray(value) ? [{}, value] : [value, []];
  const { status, headers } = response;
  return { status, headers, text, body: body as Body, list: list as Body[] };
}

/** Starts a test server, by default without a rate limit. */
export async function startTestServer(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'framewright-test-'));
  const dataFolder = path.join(folder, 'data');
  const outputFolder = path.join(folder, 'output');
  const logged: string[] = [];
  const database = await apiDatabase();
  const start = (changes: Partial<ServerOptions>): Promise<Farm> => {
    const all: ServerOptions = {
      port: 0,
      dataFolder,
      outputFolder,
      rateLimit: false,
      // Most tests must not depend on the computer's power source.
      readPower: () => Promise.resolve(null),
      freeBytes: () => Promise.resolve(null),
      forkWorker: () => forkWorker(fakeWorker),
      // As many as there are really.
      workers: { restartPauses: [0, 0, 0, 0, 0] },
      log: (level, place, text) => void logged.push(`${level} ${place}: ${text}`),
      ...(database && { database: database.url }),
      ...options,
      ...changes,
    };
    return all.database !== undefined && isFarm ? startFarm(all, all.database) : startServer(all);
  };
  let running = await start({});
  /** The address of all servers in place of their own. */
  const throughProxy = (text: string): string => {
    const { apiUrl, ownUrls = [] } = running;
    return ownUrls.reduce((changed, own) => changed.replaceAll(own, apiUrl), text);
  };

  const server: TestServer = {
    get running() {
      return running;
    },
    dataFolder,
    outputFolder,
    logged,
    async ask(method, target, body, headers = {}) {
      const sent = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
      const { apiUrl, ownUrls = [] } = running;
      const options = {
        method,
        headers: {
          authorization: `Bearer ${running.apiKey}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          // The next request goes to the next server.
          ...(ownUrls.length > 0 && { connection: 'close' }),
          ...headers,
        },
        ...(sent !== undefined && { body: sent }),
      };
      const answer = await send(`${apiUrl}${target}`, options, throughProxy);
      checkAnswer(method, target, answer);
      return answer;
    },
    fileOf(id, ending) {
      const names = readdirSync(outputFolder);
      const found = names.find((name) => name.startsWith(id) && name.endsWith(`.${ending}`));
      return path.join(outputFolder, found ?? `${id}.${ending}`);
    },
    async askWindow(method, target, body) {
      const { origin, hash } = new URL(running.windowUrl);
      const token = hash.replace('#token=', '');
      const options = {
        method,
        headers: {
          'x-framewright-token': token,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      };
      const answer = await send(`${origin}${target}`, options, throughProxy);
      checkWindowAnswer(method, target, answer);
      return answer;
    },
    async ended(id) {
      for (;;) {
        const { body } = await server.ask('GET', `/v2/renders/${id}`);
        if (body.status === 'succeeded' || body.status === 'failed') return body;
        await pause(10);
      }
    },
    async restart(changes = {}) {
      await running.close();
      running = await start(changes);
    },
    async stop() {
      await running.close();
      await database?.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return server;
}

/** A document that the fake worker turns into a file, as `fake` says. */
export function document(fake: object = {}, more: object = {}): Record<string, unknown> {
  return {
    output_format: 'mp4',
    width: 100,
    height: 50,
    elements: [{ type: 'text', name: 'Title', text: 'Hello' }],
    _fake: fake,
    ...more,
  };
}
