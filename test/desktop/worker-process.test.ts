/**
 * The built worker as a utility process that is a real one, around the real server: what it leaves behind. Needs dist/.
 */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { watchProcesses } from '../../main/faults.ts';
import { forkWorkerProcess, readBackWords } from '../../main/worker-process.ts';
import { findCage } from '../../server/engine/cage.ts';
import { findFfmpeg } from '../../server/engine/ffmpeg.ts';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import { workerEvent, type WorkerPort } from '../../server/jobs/worker/protocol.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';
import { losses } from './real-utility-process.ts';

vi.mock('electron', () => import('./real-utility-process.ts'));

const folder = mkdtempSync(path.join(tmpdir(), 'framewright-worker-'));
const program = path.join(folder, 'ffmpeg');
const noted = path.join(folder, 'pid');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An ffmpeg that makes a film of ten minutes in real time, from no pipe into none, whatever it is asked to make. */
beforeAll(async () => {
  const { path: real } = await findFfmpeg(undefined);
  const long = '-v quiet -re -f lavfi -i color=s=16x16:r=5 -t 600 -y';
  writeFileSync(
    program,
    `#!/bin/sh
case "$*" in
  *-encoders*) exec '${real}' "$@" ;;
esac
echo $$ > '${noted}~' && mv '${noted}~' '${noted}'
exec '${real}' ${long} '${path.join(folder, 'long.avi')}' < /dev/null
`,
  );
  chmodSync(program, 0o755);
});

/** True while there is such a process; one that has ended and that nobody has asked for is none. */
function runs(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

const ways = {
  'a utility process': () => forkWorkerProcess(),
  'a process of Node': () => forkWorker(),
};
/** What Electron's word of its processes brings into the log, as in the program. */
const told: string[] = [];
watchProcesses(
  { save: () => undefined },
  (level, place, text) => void told.push(`${level} ${place}: ${text}`),
);
/** Lines that tell of a fault, but those of the server's ports, which other programs may have. */
const faultsOf = ({ logged }: TestServer): string[] =>
  [...logged, ...told].filter((line) => !/^info |^\w+ server:/.test(line));

describe.skipIf(process.platform !== 'linux').each(Object.entries(ways))('%s', (_way, fork) => {
  let server: TestServer;
  let id: string;
  /** The ffmpeg that works from file to file. */
  let encoder: number;
  /** Messages of progress, which come in order with those about programs. */
  let heard = 0;
  const listened = (): WorkerPort => {
    const port = fork();
    port.onMessage((message) => {
      if (workerEvent.safeParse(message).data?.type === 'progress') heard++;
    });
    return port;
  };
  beforeEach(async () => {
    told.length = 0;
    rmSync(noted, { force: true });
    server = await startTestServer({ forkWorker: listened, ffmpegPath: program });
    const shape = { type: 'shape', width: '100%', height: '100%', fill_color: '#336699' };
    const film = { output_format: 'mp4', width: 64, height: 64, duration: 1, elements: [shape] };
    id = (await server.ask('POST', '/v2/renders', film)).body.id;
    expect(id).toBeDefined();
    await vi.waitFor(() => expect(existsSync(noted)).toBe(true), { timeout: 20_000 });
    encoder = Number(readFileSync(noted, 'utf8'));
    expect(runs(encoder)).toBe(true);
    const before = heard;
    await vi.waitFor(() => expect(heard).toBeGreaterThan(before + 1), { timeout: 30_000 });
  });
  afterEach(async () => {
    await server.stop();
    if (runs(encoder)) process.kill(encoder, 'SIGKILL');
  });

  const isGone = (): Promise<void> =>
    vi.waitFor(() => expect(runs(encoder)).toBe(false), { timeout: 10_000 });

  test('R10: killed from outside, it leaves no program of its own behind', async () => {
    for (const pid of server.running.workerPids()) process.kill(pid, 'SIGKILL');
    await isGone();
    // The queue notes it, once.
    await vi.waitFor(() => {
      const ends = faultsOf(server).filter((line) => line.includes('ended'));
      expect(ends).toEqual([
        expect.stringMatching(`^error worker: render ${id}: the worker ended`),
      ]);
    });
  });

  test('R10: ended by the server, it leaves none either, and that is no fault in the log', async () => {
    await server.running.close();
    await isGone();
    expect(faultsOf(server)).toEqual([]);
  });

  test('R10: cancelling a render ends its programs, and that is no fault in the log', async () => {
    await server.askWindow('POST', `/api/renders/${id}/cancel`);
    await isGone();
    await server.ended(id);
    expect(faultsOf(server)).toEqual([]);
  });
});

test.skipIf((await findCage()).lifeline.length === 0)(
  'R10: a utility process that dies before it tells of a program leaves none behind',
  async () => {
    rmSync(noted, { force: true });
    losses.programs = true;
    const server = await startTestServer({ forkWorker: forkWorkerProcess, ffmpegPath: program });
    try {
      const film = { output_format: 'mp4', width: 64, height: 64, duration: 1, elements: [] };
      await server.ask('POST', '/v2/renders', film);
      await vi.waitFor(() => expect(existsSync(noted)).toBe(true), { timeout: 20_000 });
      const encoder = Number(readFileSync(noted, 'utf8'));
      expect(runs(encoder)).toBe(true);
      for (const pid of server.running.workerPids()) process.kill(pid, 'SIGKILL');
      await vi.waitFor(() => expect(runs(encoder)).toBe(false), { timeout: 10_000 });
    } finally {
      losses.programs = false;
      await server.stop();
    }
  },
);

test.skipIf(process.platform !== 'linux').each(Object.entries(ways))(
  '%s that is replaced because of its memory is no fault in the log',
  async (_way, fork) => {
    told.length = 0;
    const workers = { restingMemory: 20_000_000 };
    const server = await startTestServer({ forkWorker: fork, workers });
    try {
      const shape = { type: 'shape', width: '100%', height: '100%', fill_color: '#336699' };
      const picture = { output_format: 'png', width: 64, height: 64, elements: [shape] };
      const { id } = (await server.ask('POST', '/v2/renders', picture)).body;
      expect((await server.ended(id)).status).toBe('succeeded');
      const [pid] = server.running.workerPids();
      const isReplaced = (): void => expect(server.logged.join()).toContain('and is replaced');
      await vi.waitFor(isReplaced, 30_000);
      await vi.waitFor(() => expect(runs(pid ?? 0)).toBe(false), 30_000);
      expect(faultsOf(server)).toEqual([]);
    } finally {
      await server.stop();
    }
    expect(faultsOf(server)).toEqual([]);
  },
);

test('a utility process tells once what reading a frame back costs under its allocator', async () => {
  const said: string[] = [];
  const fork = (): WorkerPort =>
    forkWorkerProcess((level, place, text) => void said.push(`${level} ${place}: ${text}`));
  const server = await startTestServer({ forkWorker: fork });
  try {
    const form = /^info worker: A frame is read back in \d+\.\d ms, with \d+ new pages/;
    await vi.waitFor(() => expect(said).toEqual([expect.stringMatching(form)]), 30_000);
    // Nobody else hears of it.
    expect(server.logged.filter((line) => line.includes('not understood'))).toEqual([]);
  } finally {
    await server.stop();
  }
});

test.each([
  [110, 'linux', /new pages$/],
  [2025, 'linux', /; for long queues, framewright serve may be faster$/],
  [2025, 'darwin', /new pages$/],
])('%i new pages for a frame on %s: the log says what can be done', (pages, platform, end) => {
  expect(readBackWords({ milliseconds: 1.5, pages }, platform)).toMatch(end);
});
