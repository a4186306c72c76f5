/** Which ends of a worker process count as deaths, and what follows from how many; over a clock that the test moves. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Deaths } from '../../server/jobs/deaths.ts';
import type { StartMessage, WorkerPort } from '../../server/jobs/protocol.ts';
import { WorkerClient, type Outcome } from '../../server/jobs/worker-client.ts';

describe('pauses before the next start, in seconds; null is off', () => {
  const rows: [what: string, deathsAt: number[], pauses: (number | null)[]][] = [
    ['one after the other', [0, 1, 3, 9, 25], [0, 1, 5, 15, null]],
    ['the fifth at the end of ten minutes', [0, 150, 300, 450, 600], [0, 1, 5, 15, null]],
    ['the fifth after ten minutes', [0, 150, 300, 450, 601], [0, 1, 5, 15, 30]],
    ['and so on, seldom enough', [0, 200, 400, 600, 800, 1000], [0, 1, 5, 15, 30, 30]],
    ['then often', [0, 200, 400, 600, 800, 850, 900], [0, 1, 5, 15, 30, 30, null]],
    ['ten quiet minutes between', [0, 1, 3, 9, 610, 611], [0, 1, 5, 15, 0, 1]],
  ];
  test.each(rows)('%s', (_, deathsAt, expected) => {
    let now = 0;
    const deaths = new Deaths({ steady: () => now });
    const pauses = deathsAt.map((second) => {
      now = second * 1000;
      const pause = deaths.add();
      return pause === null ? null : pause / 1000;
    });
    expect(pauses).toEqual(expected);
  });
});

describe('what counts', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A process that says and does only what the test lets it. */
  class Process implements WorkerPort {
    readonly pid = 1;
    killed = false;
    say: (message: unknown) => void = () => undefined;
    end: (reason: { code: number | null; signal: string | null }) => void = () => undefined;
    send = (): void => undefined;
    onMessage(listener: Process['say']): void {
      this.say = listener;
    }
    onExit(listener: Process['end']): void {
      this.end = listener;
    }
    kill(): void {
      this.killed = true;
      this.end({ code: null, signal: 'SIGKILL' });
    }
  }

  interface Bench {
    readonly client: WorkerClient;
    readonly deaths: Deaths;
    readonly processes: Process[];
    /** The one that was started last. */
    readonly last: () => Process;
    /** One render in it. */
    readonly render: () => Promise<Outcome>;
    /** It shows that it lives. */
    readonly beat: () => void;
  }

  const crash = { code: null, signal: 'SIGSEGV' };
  const progress = { type: 'progress', id: 'a', phase: 'rendering', frame: 1, frames: 9 };

  async function set(): Promise<Bench> {
    const processes: Process[] = [];
    const clock = { now: () => Date.now(), steady: () => Date.now() };
    const deaths = new Deaths(clock);
    const client = new WorkerClient({
      fork: () => {
        const one = new Process();
        processes.push(one);
        return one;
      },
      clock,
      deaths,
      log: () => undefined,
      onState: () => undefined,
      memoryLimit: 100,
    });
    const last = (): Process => processes.at(-1)!;
    const ready = client.prepare();
    await vi.advanceTimersByTimeAsync(0);
    last().say({ type: 'ready' });
    await ready;
    const message = { type: 'start', id: 'a' } as StartMessage;
    const render = (): Promise<Outcome> => client.run(message, () => undefined);
    return { client, deaths, processes, last, render, beat: () => last().say(progress) };
  }

  /** Time passes; the process shows that it lives. */
  async function live({ beat }: Bench, seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed++) {
      beat();
      await vi.advanceTimersByTimeAsync(1000);
    }
  }

  const rows: [what: string, end: (bench: Bench) => unknown, counts: boolean][] = [
    ['it ends while it renders', ({ last }) => last().end(crash), true],
    ['no sign of life', () => vi.advanceTimersByTimeAsync(17_000), true],
    ['no new frame', (bench) => live(bench, 123), true],
    [
      'more memory than it may take',
      async ({ last }) => {
        for (let frame = 1; frame < 9; frame++) {
          last().say({ ...progress, frame, memory: 101 });
          await vi.advanceTimersByTimeAsync(1000);
        }
      },
      true,
    ],
    [
      'the time limit of a render',
      async ({ last }) => {
        for (let frame = 1; frame < 6 * 60 * 60 + 5; frame++) {
          last().say({ ...progress, frame });
          await vi.advanceTimersByTimeAsync(1000);
        }
      },
      false,
    ],
    [
      'a cancel that it does not hear',
      ({ client }) => {
        client.cancel();
        return vi.advanceTimersByTimeAsync(3000);
      },
      false,
    ],
    ['the end of the server', ({ client }) => client.close(), false],
  ];
  test.each(rows)('%s', async (_, end, counts) => {
    const bench = await set();
    const { client, processes } = bench;
    const outcome = bench.render();
    await end(bench);
    await outcome;
    expect(client.pid).toBe(counts ? 1 : undefined);
    expect(client.nextTry).toEqual(counts ? { attempt: 2, most: 5 } : null);
    // One that died is replaced unasked, at once.
    await vi.advanceTimersByTimeAsync(0);
    expect(processes.length).toBe(counts ? 2 : 1);
  });

  test('memory: a peak is no reason, staying above the limit is', async () => {
    const { client, processes, last, render } = await set();
    const outcome = render();
    let frame = 0;
    const take = async (memory: number, seconds: number): Promise<void> => {
      for (let passed = 0; passed < seconds; passed++) {
        last().say({ ...progress, frame: ++frame, memory });
        await vi.advanceTimersByTimeAsync(1000);
      }
    };
    await take(100, 20);
    await take(150, 4);
    await take(99, 1);
    await take(150, 5);
    expect(processes.length).toBe(1);
    await take(150, 2);
    expect(await outcome).toEqual({ kind: 'lost', reason: 'memory' });
    expect(processes.map(({ killed }) => killed)).toEqual([true, false]);
    client.close();
  });

  test('starts that fail, ends without work, and one between renders that went well, all add up', async () => {
    const { client, deaths, processes, last, render } = await set();
    last().end(crash);
    await vi.advanceTimersByTimeAsync(0);
    last().end({ code: 1, signal: null });
    expect(processes.length).toBe(2);
    await vi.advanceTimersByTimeAsync(999);
    expect([processes.length, client.nextTry]).toEqual([2, { attempt: 3, most: 5 }]);
    await vi.advanceTimersByTimeAsync(1);
    expect(processes.length).toBe(3);
    last().say({ type: 'ready' });
    await vi.advanceTimersByTimeAsync(0);
    expect(client.state).toBe('idle');
    const facts = { width: 1, height: 1, fileSize: 1, snapshot: false };
    const outcome = render();
    last().say({ type: 'done', id: 'a', facts, warnings: [] });
    expect((await outcome).kind).toBe('done');
    last().end(crash);
    await vi.advanceTimersByTimeAsync(4999);
    expect([processes.length, client.nextTry]).toEqual([3, { attempt: 4, most: 5 }]);
    await vi.advanceTimersByTimeAsync(1);
    last().end(crash);
    await vi.advanceTimersByTimeAsync(15_000);
    expect([processes.length, client.state]).toEqual([5, 'restarting']);
    last().end(crash);
    await vi.advanceTimersByTimeAsync(60 * 60_000);
    expect([processes.length, client.state]).toEqual([5, 'off']);
    expect(client.reason).toBe('the worker ended while starting (SIGSEGV)');
    deaths.forget();
    client.restart();
    await vi.advanceTimersByTimeAsync(0);
    expect([processes.length, client.nextTry]).toEqual([6, { attempt: 1, most: 5 }]);
    client.close();
  });
});
