/**
 * A worker's process from its start to its end, over a process and a clock that the test moves: what costs a render an
 * attempt, what counts against the worker itself, and what follows.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { OwnFaults } from '../../server/jobs/worker/task-faults.ts';
import type { WorkerCommand, WorkerEnd, WorkerPort } from '../../server/jobs/worker/protocol.ts';
import { isEnough, type Loss, type Outcome } from '../../server/jobs/verdict.ts';
import { forkWorker } from '../../server/jobs/worker/fork-worker.ts';
import type { RenderInput } from '../../server/jobs/worker/render-protocol.ts';
import { WorkerClient } from '../../server/jobs/worker/worker-client.ts';

test('pauses before the next start, in seconds: growing up to ten minutes, from the fifth failure on it is off', () => {
  const faults = new OwnFaults();
  const seen = Array.from({ length: 11 }, () => [faults.add(0) / 1000, faults.areEnough]);
  expect(seen).toEqual([
    ...[0, 1, 5, 15].map((pause) => [pause, false]),
    ...[30, 60, 120, 300, 600, 600, 600].map((pause) => [pause, true]),
  ]);
  faults.forget();
  expect([faults.areEnough, faults.add(0)]).toEqual([false, 0]);
});

test.each([
  [
    'its heap is full',
    'const all = []; for (;;) all.push(new Array(1e4).fill(all.length + 0.5))',
    true,
  ],
  [
    'the heap of its thread is full',
    'throw Object.assign(new Error(), { code: "ERR_WORKER_OUT_OF_MEMORY" })',
    true,
  ],
  ['it is at fault', 'throw new TypeError()', false],
])('a process says whether it ended for want of memory: %s', async (_, code, lackedMemory) => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'framewright-')), 'worker.mjs');
  writeFileSync(file, code);
  const port = forkWorker(file, ['--max-old-space-size=16']);
  expect((await new Promise<WorkerEnd>((resolve) => port.onExit(resolve))).lackedMemory).toBe(
    lackedMemory,
  );
  rmSync(path.dirname(file), { recursive: true });
});

describe('whether a lost attempt is followed by another', () => {
  const at = (reason: Loss['reason'], frame: number | null = 7, isAlone = true): Loss => ({
    reason,
    isAlone,
    place: frame === null ? null : { phase: 'rendering', frame },
  });
  const rows: [what: string, loss: Loss, attempts: number, before: Loss | null, enough: boolean][] =
    [
      ['a first crash', at('died'), 1, null, false],
      ['a crash at the same frame', at('died'), 2, at('died'), true],
      ['a crash at another frame', at('died', 8), 2, at('died'), false],
      ['a crash before anything was begun, twice', at('died', null), 2, at('died', null), true],
      ['a third crash', at('died', 9), 3, at('died', 8), true],
      ['after a restart of the program', at('died'), 2, null, false],
      ['a crash after silence', at('died'), 2, at('silent'), false],
      ['silence twice', at('silent'), 2, at('silent'), true],
      ['an endless step', at('stuck'), 1, null, true],
      ['too long', at('overtime'), 1, null, true],
      ['memory of its own process', at('memory'), 1, null, true],
      ['memory of a process that others had used', at('memory', 7, false), 1, null, false],
      ['memory twice, wherever', at('memory', 9, false), 2, at('memory', 7, false), true],
    ];
  test.each(rows)('%s', (_, loss, attempts, before, enough) => {
    expect(isEnough(loss, attempts, before)).toBe(enough);
  });
});

describe('a process', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** A process that says and does only what the test lets it. */
  class Process implements WorkerPort {
    readonly pid = 1;
    killed = false;
    say: (message: unknown) => void = () => undefined;
    end: (reason: WorkerEnd) => void = () => undefined;
    readonly sent: WorkerCommand[] = [];
    send(command: WorkerCommand): void {
      this.sent.push(command);
    }
    /** The tasks and other commands that it was sent. */
    get asked(): string[] {
      return this.sent.map((command) => (command.type === 'start' ? command.name : command.type));
    }
    /** Answers the proof that it was asked for last. */
    prove(problem: string | null): void {
      const id = this.sent.findLast((command) => command.type === 'start')?.id;
      this.say({ type: 'result', id, output: { problem } });
    }
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
    readonly faults: OwnFaults;
    readonly processes: Process[];
    /** The one that was started last. */
    readonly last: () => Process;
    /** One render in it. */
    readonly render: () => Promise<Outcome>;
    /** Its pulse, and by default a sign of its drawing thread. */
    readonly beat: (pulse?: object) => void;
    /** It starts, and draws its own picture where it is asked to. */
    readonly start: () => Promise<void>;
  }

  const crash = { code: null, signal: 'SIGSEGV' };
  const at = (frame: number): object => ({
    type: 'progress',
    id: 'a',
    progress: { phase: 'rendering', frame, frames: 9 },
  });

  async function set(): Promise<Bench> {
    const processes: Process[] = [];
    const clock = { now: () => Date.now(), steady: () => Date.now() };
    const faults = new OwnFaults();
    const client = new WorkerClient({
      fork: () => {
        const one = new Process();
        processes.push(one);
        return one;
      },
      clock,
      faults,
      fontFolder: 'fonts',
      workFolder: 'work',
      log: () => undefined,
      onState: () => undefined,
      tuning: { memoryLimit: 100, restingMemory: 50 },
    });
    const last = (): Process => processes.at(-1)!;
    const ready = client.prepare();
    await vi.advanceTimersByTimeAsync(0);
    last().say({ type: 'ready' });
    await ready;
    const order = { id: 'a', workFolder: '/nowhere' } as RenderInput;
    const render = (): Promise<Outcome> => client.run(order, () => undefined);
    const beat = (pulse: object = {}): void =>
      last().say({ type: 'pulse', memory: 1, quiet: 0, computed: 0, ...pulse });
    const start = async (): Promise<void> => {
      last().say({ type: 'ready' });
      await vi.advanceTimersByTimeAsync(0);
      if (last().asked.at(-1) === 'prove') last().prove(null);
      await vi.advanceTimersByTimeAsync(0);
    };
    return { client, faults, processes, last, render, beat, start };
  }

  /** Time passes; the process shows that it lives. */
  async function live(
    bench: Bench,
    seconds: number,
    pulse: (second: number) => object = () => ({}),
  ) {
    const working = bench.last();
    for (let passed = 0; passed < seconds && !working.killed; passed++) {
      working.say({ type: 'pulse', memory: 1, quiet: 0, computed: 0, ...pulse(passed) });
      await vi.advanceTimersByTimeAsync(1000);
    }
  }

  const rows: [what: string, end: (bench: Bench) => unknown, outcome: string, replaced: boolean][] =
    [
      ['ends while it renders', ({ last }) => last().end(crash), 'died', true],
      [
        'gets no more memory of the system',
        ({ last }) => last().end({ ...crash, lackedMemory: true }),
        'memory',
        true,
      ],
      ['gives no sign of life', () => vi.advanceTimersByTimeAsync(17_000), 'silent', true],
      [
        'draws no new frame (F7: frames stop coming)',
        async (bench) => {
          bench.last().say(at(1));
          await live(bench, 123);
        },
        'frameless',
        true,
      ],
      ['gets no further with its media', (bench) => live(bench, 605), 'idle', true],
      [
        'is in one step without end',
        (bench) => live(bench, 70, (second) => ({ quiet: second * 1000, computed: second * 990 })),
        'stuck',
        true,
      ],
      [
        'is in one step and waits for something',
        (bench) => live(bench, 123, (second) => ({ quiet: second * 1000, computed: second * 10 })),
        'frameless',
        true,
      ],
      [
        'takes more memory than it may',
        (bench) => live(bench, 8, () => ({ memory: 101 })),
        'memory',
        true,
      ],
      [
        'takes much more memory than it may',
        (bench) => live(bench, 2, () => ({ memory: 130 })),
        'memory',
        true,
      ],
      [
        'works for too long',
        async (bench) => {
          const working = bench.last();
          for (let frame = 1; frame < 6 * 60 * 60 + 5; frame++) {
            working.say(at(frame));
            await vi.advanceTimersByTimeAsync(1000);
          }
        },
        'overtime',
        true,
      ],
      [
        'does not hear a cancel',
        ({ client }) => {
          client.cancel();
          return vi.advanceTimersByTimeAsync(3000);
        },
        'cancelled',
        true,
      ],
      ['ends with the server', ({ client }) => client.close(), 'died', false],
    ];
  test.each(rows)('that %s', async (_, end, expected, replaced) => {
    const bench = await set();
    const { client, faults, processes } = bench;
    const outcome = bench.render();
    await end(bench);
    const found = await outcome;
    expect(found.kind === 'lost' ? found.loss.reason : found.kind).toBe(expected);
    // It is the render's affair: nothing is counted against the worker.
    expect([faults.count, client.nextTry]).toEqual([0, null]);
    // The next one starts unasked and at once, and has to draw its own picture before it is given a render.
    await vi.advanceTimersByTimeAsync(0);
    const living = processes.filter(({ killed }, index) => !killed && index > 0);
    expect(living.length).toBe(replaced ? 1 : 0);
    if (!replaced) return;
    const ready = client.prepare();
    bench.last().say({ type: 'ready' });
    await vi.advanceTimersByTimeAsync(0);
    expect([bench.last().asked, client.state]).toEqual([
      ['prove'],
      expected === 'cancelled' ? 'idle' : 'restarting',
    ]);
    bench.last().prove(null);
    await ready;
    expect(client.state).toBe('idle');
    client.close();
  });

  test('F14: sleep and wake of the computer are no hang; what follows the waking counts', async () => {
    const bench = await set();
    const outcome = bench.render();
    bench.last().say(at(1));
    await live(bench, 3);
    for (let night = 0; night < 3; night++) {
      // Neither the server nor the worker does anything meanwhile.
      vi.setSystemTime(Date.now() + 8 * 60 * 60_000);
      await vi.advanceTimersByTimeAsync(1000);
      expect(bench.processes.length).toBe(1);
    }
    await vi.advanceTimersByTimeAsync(17_000);
    const lost = await outcome;
    expect(lost.kind === 'lost' ? lost.loss.reason : lost.kind).toBe('silent');
    bench.client.close();
  });

  test('that computes for 59 s in one step, or waits in the system for 100 s, goes on', async () => {
    const bench = await set();
    const outcome = bench.render();
    await live(bench, 90, (second) => ({ quiet: second * 1000, computed: second * 650 }));
    bench.last().say(at(1));
    const [working] = bench.processes;
    for (let second = 0; second < 100; second++) {
      working!.say({ type: 'pulse', memory: 1, quiet: second * 1000, computed: second * 300 });
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(working!.killed).toBe(false);
    working!.end(crash);
    expect((await outcome).kind).toBe('lost');
    bench.client.close();
  });

  test('that gives signs of life without progress is not silent', async () => {
    const bench = await set();
    const outcome = bench.render();
    const [working] = bench.processes;
    for (let second = 0; second < 40; second++) {
      working!.say({ type: 'progress', id: 'a' });
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(working!.killed).toBe(false);
    await vi.advanceTimersByTimeAsync(17_000);
    expect(await outcome).toMatchObject({ kind: 'lost', loss: { reason: 'silent' } });
    bench.client.close();
  });

  test('memory: a peak is no reason, staying above the limit is', async () => {
    const { client, processes, render } = await set();
    const outcome = render();
    let frame = 0;
    const [working] = processes;
    const take = async (memory: number, seconds: number): Promise<void> => {
      for (let passed = 0; passed < seconds; passed++) {
        working!.say(at(++frame));
        working!.say({ type: 'pulse', memory, quiet: 0, computed: 0 });
        await vi.advanceTimersByTimeAsync(1000);
      }
    };
    await take(100, 20);
    await take(120, 4);
    await take(99, 1);
    await take(120, 5);
    expect(working!.killed).toBe(false);
    await take(120, 2);
    expect(await outcome).toMatchObject({
      kind: 'lost',
      loss: { reason: 'memory', isAlone: true },
    });
    expect(processes.map(({ killed }) => killed)).toEqual([true, false]);
    client.close();
  });

  test('that can’t draw its own picture: the worker is off, is tried again by itself, and works when it can', async () => {
    const bench = await set();
    const { client, processes, last, render, faults } = bench;
    const outcome = render();
    last().end(crash);
    await outcome;
    let isReady = false;
    const ready = client.prepare().then(() => {
      isReady = true;
    });
    for (const [failures, seconds] of [0, 1, 5, 15, 30, 60, 120, 300, 600, 600].entries()) {
      expect([processes.length, client.state]).toEqual([
        failures + 2,
        failures < 5 ? 'restarting' : 'off',
      ]);
      // Some don't even start.
      if (failures % 3 === 0) {
        last().end({ code: 1, signal: null });
      } else {
        last().say({ type: 'ready' });
        await vi.advanceTimersByTimeAsync(0);
        last().prove('it is black');
      }
      await vi.advanceTimersByTimeAsync(Math.max(0, seconds * 1000 - 1));
      if (seconds > 0) expect([processes.length, isReady]).toEqual([failures + 2, false]);
      expect(client.reason).toMatch(
        failures % 3 === 0 ? /ended while starting \(code 1\)/ : /own picture: it is black/,
      );
      await vi.advanceTimersByTimeAsync(1);
    }
    expect([faults.areEnough, client.state]).toEqual([true, 'off']);
    await bench.start();
    await ready;
    expect([faults.areEnough, client.state, client.reason]).toEqual([false, 'idle', undefined]);
    client.close();
  });

  test('a person starts it at any time', async () => {
    const bench = await set();
    bench.last().end(crash);
    await vi.advanceTimersByTimeAsync(0);
    for (const seconds of [0, 1, 5, 15]) {
      bench.last().end(crash);
      await vi.advanceTimersByTimeAsync(seconds * 1000);
    }
    bench.last().end(crash);
    await vi.advanceTimersByTimeAsync(0);
    expect([bench.client.state, bench.processes.length]).toEqual(['off', 6]);
    bench.faults.forget();
    bench.client.restart();
    await vi.advanceTimersByTimeAsync(0);
    expect(bench.processes.length).toBe(7);
    await bench.start();
    expect(bench.client.state).toBe('idle');
    bench.client.close();
  });

  test('that ends again and again without work is started more and more seldom, and at once for a render', async () => {
    const { client, processes, last, start } = await set();
    for (const seconds of [0, 1, 5, 15, 30, 30]) {
      const before = processes.length;
      last().end(crash);
      if (seconds > 0) await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
      expect(processes.length).toBe(before + (seconds === 0 ? 1 : 0));
      await vi.advanceTimersByTimeAsync(1);
      expect(processes.length).toBe(before + 1);
      await start();
      expect(client.state).toBe('idle');
    }
    last().end(crash);
    const before = processes.length;
    const ready = client.prepare();
    await vi.advanceTimersByTimeAsync(0);
    expect(processes.length).toBe(before + 1);
    await start();
    await ready;
    client.close();
  });

  test('that keeps much memory after its work is replaced by one that was started beside it', async () => {
    const bench = await set();
    const { client, processes, last, render, beat, start } = bench;
    const [old] = processes;
    const facts = { width: 1, height: 1, fileSize: 1, snapshot: false };
    const output = { kind: 'done', facts, warnings: [] };
    const done = async (): Promise<void> => {
      const outcome = render();
      processes.find(({ killed }) => !killed)!.say({ type: 'result', id: 'a', output });
      expect((await outcome).kind).toBe('done');
    };
    await done();
    beat({ memory: 49 });
    expect(processes.length).toBe(1);
    beat({ memory: 51 });
    expect([processes.length, old!.killed]).toEqual([2, false]);
    // A render that comes meanwhile does not wait.
    await done();
    old!.say({ type: 'pulse', memory: 51, quiet: 0, computed: 0 });
    expect(processes.length).toBe(2);
    await start();
    expect([old!.killed, client.pid]).toEqual([true, 1]);
    expect(client.isUsed).toBe(false);
    await done();
    // One that does not start leaves the old one at work.
    beat({ memory: 51 });
    expect(processes.length).toBe(3);
    last().end(crash);
    await vi.advanceTimersByTimeAsync(0);
    expect([processes[1]!.killed, client.state]).toEqual([false, 'idle']);
    client.close();
    expect(processes.map(({ killed }) => killed)).toEqual([true, true, false]);
  });

  test('that may have to be ended has another one ready, so that the next render waits for no start', async () => {
    const bench = await set();
    const { client, processes, render, start } = bench;
    const [working] = processes;
    const step = (second: number): object => ({ quiet: second * 1000, computed: second * 1000 });
    const lost = render();
    await live(bench, 2, step);
    expect(processes.length).toBe(1);
    await live(bench, 2, (second) => step(second + 2));
    expect([processes.length, working!.killed]).toEqual([2, false]);
    await start();
    for (let second = 4; !working!.killed; second++) {
      working!.say({ type: 'pulse', memory: 1, ...step(second) });
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(await lost).toMatchObject({ kind: 'lost', loss: { reason: 'stuck' } });
    await vi.advanceTimersByTimeAsync(0);
    // Nothing was started since; and a third one for what may come next.
    expect([client.state, client.isUsed, processes[1]!.killed]).toEqual(['idle', false, false]);
    expect(processes.length).toBe(3);
    await start();
    const again = render();
    expect(processes[1]!.asked.at(-1)).toBe('render');
    processes[1]!.end(crash);
    await again;
    await vi.advanceTimersByTimeAsync(0);
    expect([client.state, processes.length]).toEqual(['idle', 4]);
    // At rest there is one.
    await start();
    await vi.advanceTimersByTimeAsync(61_000);
    expect(processes.map(({ killed }) => killed)).toEqual([true, false, false, true]);
    client.close();
    expect(processes[2]!.killed).toBe(true);
  });

  test('that may have to be ended goes on where no other one can be started', async () => {
    const bench = await set();
    const { client, faults, processes, last, render } = bench;
    const outcome = render();
    await live(bench, 4, (second) => ({ quiet: second * 1000, computed: 0 }));
    last().end(crash);
    await vi.advanceTimersByTimeAsync(5_000);
    expect([processes.length, faults.count, client.state]).toEqual([2, 0, 'rendering']);
    processes[0]!.end(crash);
    await outcome;
    await vi.advanceTimersByTimeAsync(0);
    expect(processes.length).toBe(3);
    client.close();
  });

  test('for a second attempt is one that has worked on nothing yet', async () => {
    const { client, processes, render, last, start } = await set();
    const outcome = render();
    last().say({ type: 'failed', id: 'a', code: 'x', message: 'x' });
    await outcome;
    await client.prepare();
    expect(processes.length).toBe(1);
    const fresh = client.prepare(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(processes.map(({ killed }) => killed)).toEqual([true, false]);
    await start();
    await fresh;
    expect(client.isUsed).toBe(false);
    client.close();
  });
});
