/**
 * How rendering takes turns with other programs, by what the system says of the processes. Linux knows it of each
 * thread.
 */
import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import type { WorkerPort } from '../../server/jobs/worker/protocol.ts';
import { startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer | undefined;
afterEach(() => server?.stop());

/** A film that takes long enough to be looked at. */
const film = {
  source: {
    ...{ output_format: 'mp4', width: 640, height: 360, duration: 60, frame_rate: 30 },
    elements: [
      {
        type: 'text',
        text: 'Long',
        animations: [{ type: 'spin', duration: 60, rotation: '720°' }],
      },
    ],
  },
};

/** The priorities of a process's threads, each once. */
const ofThreads = (pid: number): number[] => [
  ...new Set(readdirSync(`/proc/${pid}/task`).map((thread) => os.getPriority(Number(thread)))),
];

/** What a worker has started. */
const programsOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  );

test.runIf(process.platform === 'linux')(
  'renderPriority: worker and ffmpeg give way, or take turns like all others',
  async () => {
    const ports: WorkerPort[] = [];
    server = await startTestServer({
      forkWorker: () => {
        const port = forkWorker();
        ports.push(port);
        return port;
      },
    });
    const running = server;
    const set = (renderPriority: string) =>
      running.askWindow('PATCH', '/api/settings', { renderPriority });
    expect((await set('highest')).status).toBe(400);
    /** The worker that encodes now. */
    const encoding = (): number | undefined =>
      ports.map(({ pid }) => pid).find((pid) => pid !== undefined && programsOf(pid).length > 0);
    const begin = async (): Promise<string> => {
      const { body } = await running.ask('POST', '/v2/renders', film);
      return body.id;
    };
    // Of a program only its first thread: x264 has another of its own give way further.
    const found = (pid: number): number[][] => [
      ofThreads(pid),
      [...new Set(programsOf(pid).map((program) => os.getPriority(program)))],
    ];
    const own = os.getPriority();
    /** Looked up each time: another worker may try its ffmpeg for a moment. */
    const isSoon = (wanted: number[][]): Promise<number> =>
      vi.waitFor(
        () => {
          const pid = encoding();
          expect(pid === undefined ? null : found(pid)).toEqual(wanted);
          return pid!;
        },
        { timeout: 20_000 },
      );
    const end = async (id: string): Promise<void> => {
      await running.ask('POST', `/v2/renders/${id}/cancel`);
      await vi.waitFor(() => expect(encoding()).toBeUndefined(), { timeout: 20_000 });
    };

    const first = await begin();
    const low = await isSoon([[5], [10]]);
    expect((await set('normal')).status).toBe(200);
    await end(first);
    const second = await begin();
    expect(await isSoon([[own], [own]])).not.toBe(low);
    // Giving way is always allowed.
    await set('low');
    await isSoon([[5], [10]]);
    await end(second);

    // A worker that waits is exchanged for one that never gave way.
    const still = { source: { output_format: 'png', width: 16, height: 16, elements: [] } };
    const { body } = await running.ask('POST', '/v2/renders', still);
    await running.ended(body.id);
    const before = ports.findLast(({ pid }) => pid !== undefined)!.pid!;
    await set('normal');
    await vi.waitFor(() => expect(ports.some(({ pid }) => pid === before)).toBe(false), {
      timeout: 20_000,
    });
    await begin();
    await isSoon([[own], [own]]);
  },
  120_000,
);
