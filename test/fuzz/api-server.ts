/**
 * A server for fuzzers of the API: real, with a worker that draws nothing; another client asks beside every request.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { request, type OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import { startServer } from '../../server/start.ts';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

/** Milliseconds after which another client's answer is a find: far above what any machine's noise takes. */
const longestAnswer = 3_000;
/** Milliseconds after which a request without an answer is a find. */
const unanswered = 20_000;
/** Bytes of the whole process. */
const mostMemory = 3_000_000_000;

/** The server under attack. */
export interface AttackedServer {
  /**
   * Sends a request to the API (or the window's path), and tells what must not be; null when all is well.
   *
   * @param type Default: JSON for a text, CSV for bytes.
   */
  attack(
    method: string,
    target: string,
    body: string | Uint8Array,
    type?: string,
  ): Promise<string | null>;
  stop(): Promise<void>;
}

/** Starts one in a folder of its own. @param worker The script of its workers. Default: one that draws nothing. */
export async function startAttackedServer(
  worker: string | undefined = path.join(root, 'test', 'helpers', 'fake-worker.mjs'),
): Promise<AttackedServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'framewright-fuzz-'));
  const logged: string[] = [];
  const running = await startServer({
    port: 0,
    dataFolder: path.join(folder, 'data'),
    outputFolder: path.join(folder, 'output'),
    rateLimit: false,
    readPower: () => Promise.resolve(null),
    freeBytes: () => Promise.resolve(null),
    forkWorker: () => forkWorker(worker),
    log: (level, place, text) => {
      if (level === 'error') logged.push(`${place}: ${text}`);
    },
  });
  const { origin, hash } = new URL(running.windowUrl);
  const own = {
    authorization: `Bearer ${running.apiKey}`,
    'x-framewright-token': hash.replace('#token=', ''),
  };
  async function attackOnce(
    method: string,
    target: string,
    body: string | Uint8Array,
    type: string,
  ): Promise<{ readonly found: string | null; readonly isSlow: boolean }> {
    logged.length = 0;
    const base = target.startsWith('/api/') ? origin : running.apiUrl;
    const begun = performance.now();
    const [answer, waited] = await Promise.all([
      asked(`${base}${target}`, method, { ...own, 'content-type': type }, body),
      asked(`${running.apiUrl}/v2/templates?tags=none`, 'GET', own).then(
        () => performance.now() - begun,
      ),
    ]);
    const input = typeof body === 'string' ? body : Buffer.from(body).toString('latin1');
    const said = `${method} ${target} ${input.slice(0, 300)}`;
    const { rss } = process.memoryUsage();
    const isSlow = waited > longestAnswer;
    if (answer.status >= 500 && answer.status !== 503)
      return { found: `${answer.status} ${answer.text} ${logged.join(' ')}: ${said}`, isSlow };
    if (isSlow) return { found: `another client waited ${waited.toFixed(0)} ms: ${said}`, isSlow };
    if (rss > mostMemory)
      return { found: `${(rss / 1e6).toFixed(0)} MB of memory: ${said}`, isSlow };
    return { found: null, isSlow };
  }
  return {
    async attack(method, target, body, type) {
      const usual = typeof body === 'string' ? 'application/json' : 'text/csv';
      for (let tries = 1; ; tries++) {
        const { found, isSlow } = await attackOnce(method, target, body, type ?? usual);
        // A machine at its limit is slow once; what the request does is slow each time.
        if (!isSlow || tries === 3) return found;
      }
    },
    async stop() {
      await running.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Asks on a connection of its own: one that is kept may be closed while this process is busy making the next case. */
function asked(
  url: string,
  method: string,
  headers: OutgoingHttpHeaders,
  body?: string | Uint8Array,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method, headers, agent: false }, (response) => {
      text(response).then((said) => {
        resolve({ status: response.statusCode ?? 0, text: said });
      }, reject);
    });
    asking.setTimeout(unanswered, () => asking.destroy(new Error(`no answer in ${unanswered} ms`)));
    asking.on('error', reject);
    asking.end(body);
  });
}
