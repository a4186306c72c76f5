/** A server for fuzzers of the API: real, with a worker that draws nothing; another client asks beside every request. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { forkWorker } from '../../server/jobs/fork-worker.ts';
import { startServer } from '../../server/start.ts';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

/** Milliseconds after which another client's answer is a find: far above what any machine's noise takes. */
const longestAnswer = 3_000;
/** Bytes of the whole process. */
const mostMemory = 3_000_000_000;

/** The server under attack. */
export interface AttackedServer {
  /** Sends a request to the API (or the window's path), and tells what must not be; null when all is well. */
  attack(method: string, target: string, body: string | Uint8Array): Promise<string | null>;
  stop(): Promise<void>;
}

/** Starts one in a folder of its own. */
export async function startAttackedServer(): Promise<AttackedServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'framewright-fuzz-'));
  const logged: string[] = [];
  const running = await startServer({
    port: 0,
    dataFolder: path.join(folder, 'data'),
    outputFolder: path.join(folder, 'output'),
    rateLimit: false,
    readPower: () => Promise.resolve(null),
    freeBytes: () => Promise.resolve(null),
    forkWorker: () => forkWorker(path.join(root, 'test', 'helpers', 'fake-worker.mjs')),
    log: (level, place, text) => {
      if (level === 'error') logged.push(`${place}: ${text}`);
    },
  });
  const { origin, hash } = new URL(running.windowUrl);
  const own = {
    authorization: `Bearer ${running.apiKey}`,
    'x-framewright-token': hash.replace('#token=', ''),
  };
  return {
    async attack(method, target, body) {
      logged.length = 0;
      const base = target.startsWith('/api/') ? origin : running.apiUrl;
      const type = typeof body === 'string' ? 'application/json' : 'text/csv';
      const headers = { ...own, 'content-type': type };
      const sent = typeof body === 'string' ? body : new Uint8Array(body);
      const asking = fetch(`${base}${target}`, { method, headers, body: sent });
      const begun = performance.now();
      const other = await fetch(`${running.apiUrl}/v2/templates?tags=none`, { headers: own });
      await other.text();
      const waited = performance.now() - begun;
      const answer = await asking;
      const text = await answer.text();
      const input = typeof body === 'string' ? body : Buffer.from(body).toString('latin1');
      const said = `${method} ${target} ${input.slice(0, 300)}`;
      if (answer.status >= 500 && answer.status !== 503)
        return `${answer.status} ${text} ${logged.join(' ')}: ${said}`;
      if (waited > longestAnswer) return `another client waited ${waited.toFixed(0)} ms: ${said}`;
      const memory = process.memoryUsage().rss;
      if (memory > mostMemory) return `${(memory / 1e6).toFixed(0)} MB of memory: ${said}`;
      return null;
    },
    async stop() {
      await running.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
