/**
 * A low battery: read seldom and only with work to do; nothing is begun on it, and what a person decided stays decided.
 */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { PowerWatch, readSystemPower, type Power } from '../../server/jobs/power.ts';
import { batteryLimit } from '../../shared/limits.ts';
import { document, startTestServer, type TestServer } from '../helpers/server.ts';

const low: Power = { onBattery: true, percent: 17 };
const plugged: Power = { onBattery: false, percent: 17 };

describe('the watch', () => {
  afterEach(() => vi.useRealTimers());

  /** A watch with a clock that the test moves. */
  function watchOf(now: Power | null | Error) {
    vi.useFakeTimers();
    const made = { power: now, reads: 0, isWanted: true, hasWork: true, changes: [] as unknown[] };
    const watch: PowerWatch = new PowerWatch({
      read() {
        made.reads++;
        return made.power instanceof Error
          ? Promise.reject(made.power)
          : Promise.resolve(made.power);
      },
      isWanted: () => made.isWanted,
      hasWork: () => made.hasWork,
      onChange: () => made.changes.push(watch.lowPercent),
      clock: { now: () => Date.now(), steady: () => Date.now() },
      log: () => undefined,
    });
    return { watch, made };
  }

  test.each<[string, Power | null | Error, number | null]>([
    ['low', low, 17],
    ['just enough', { onBattery: true, percent: batteryLimit.percent }, null],
    ['plugged in', plugged, null],
    ['no battery', null, null],
    ['a system that does not tell', new Error('no such thing'), null],
  ])('%s', async (_case, power, expected) => {
    const { watch } = watchOf(power);
    await watch.check();
    expect(watch.lowPercent).toBe(expected);
  });

  test('is read once a minute while there is work, and not at all without any', async () => {
    const { watch, made } = watchOf(low);
    made.hasWork = false;
    watch.follow();
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(made.reads).toBe(0);

    made.hasWork = true;
    watch.follow();
    await vi.advanceTimersByTimeAsync(0);
    for (let time = 0; time < 20; time++) await watch.check();
    expect([made.reads, made.changes]).toEqual([1, [17]]);
    await vi.advanceTimersByTimeAsync(3 * 60_000);
    expect(made.reads).toBe(4);

    made.hasWork = false;
    watch.follow();
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect([made.reads, made.changes]).toEqual([4, [17, null]]);
  });

  test('a computer without a battery is asked once', async () => {
    const { watch, made } = watchOf(null);
    watch.follow();
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    watch.look();
    await watch.check();
    expect(made.reads).toBe(1);
  });

  test('switched off, it asks nothing and keeps nothing', async () => {
    const { watch, made } = watchOf(low);
    await watch.check();
    expect(watch.lowPercent).toBe(17);
    made.isWanted = false;
    watch.follow();
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect([made.reads, watch.lowPercent, made.changes]).toEqual([1, null, [17, null]]);
  });

  test('overruled, it says nothing until the computer was plugged in', async () => {
    const { watch, made } = watchOf(low);
    watch.follow();
    await vi.advanceTimersByTimeAsync(0);
    watch.overrule();
    made.power = { onBattery: true, percent: 12 };
    await vi.advanceTimersByTimeAsync(60_000);
    expect(watch.lowPercent).toBe(null);
    made.power = plugged;
    await vi.advanceTimersByTimeAsync(60_000);
    made.power = low;
    await vi.advanceTimersByTimeAsync(60_000);
    expect([watch.lowPercent, made.changes]).toEqual([17, [17, null, 17]]);
  });

  test('a system that takes its time keeps no render waiting for more than a moment', async () => {
    const { watch, made } = watchOf(low);
    let tell: (power: Power) => void = () => undefined;
    const slow = new PowerWatch({
      read: () =>
        new Promise<Power>((resolve) => {
          tell = resolve;
        }),
      isWanted: () => true,
      hasWork: () => true,
      onChange: () => made.changes.push('told'),
      clock: { now: () => 0, steady: () => Date.now() },
      log: () => undefined,
    });
    const checked = slow.check();
    await vi.advanceTimersByTimeAsync(batteryLimit.longestRead);
    await checked;
    expect(slow.lowPercent).toBe(null);
    tell(low);
    await vi.advanceTimersByTimeAsync(0);
    expect([slow.lowPercent, made.changes]).toEqual([17, ['told']]);
    watch.close();
  });

  test('what the system tells is a power, or none', async () => {
    const power = await readSystemPower();
    if (power === null) return;
    expect(power.percent).toBeGreaterThanOrEqual(0);
    expect(power.percent).toBeLessThanOrEqual(100);
  });
});

describe('the queue on a low battery', () => {
  let server: TestServer;
  let power: Power;
  afterEach(() => server.stop());

  const begin = async (): Promise<void> => {
    power = low;
    server = await startTestServer({ readPower: () => Promise.resolve(power) });
  };
  const create = async (): Promise<string> =>
    (await server.ask('POST', '/v2/renders', document())).body.id;
  const statusOf = async (id: string): Promise<string> =>
    (await server.ask('GET', `/v2/renders/${id}`)).body.status;
  const state = async () => (await server.askWindow('GET', '/api/state')).body;

  test('begins nothing and says so; plugged in, it goes on by itself', async () => {
    await begin();
    const id = await create();
    await vi.waitFor(async () =>
      expect(await state()).toMatchObject({
        lowBattery: 17,
        queue: { waiting: 1, running: 0, paused: false, heldBy: ['battery'] },
      }),
    );
    expect(await statusOf(id)).toBe('planned');
    power = plugged;
    // As the desktop does when it hears of it; elsewhere it takes up to a minute.
    server.running.services.work.power.look();
    expect((await server.ended(id)).status).toBe('succeeded');
    expect((await state()).lowBattery).toBeUndefined();
  });

  test('goes on when a person says so, and when the setting is switched off', async () => {
    await begin();
    const first = await create();
    await vi.waitFor(async () => expect((await state()).lowBattery).toBe(17));
    await server.askWindow('POST', '/api/power/overrule');
    expect((await server.ended(first)).status).toBe('succeeded');

    await server.restart();
    const second = await create();
    await vi.waitFor(async () => expect((await state()).lowBattery).toBe(17));
    await server.askWindow('PATCH', '/api/settings', { pauseOnBattery: false });
    expect((await server.ended(second)).status).toBe('succeeded');
  });

  test('a person’s own pause is not undone by it', async () => {
    await begin();
    await server.askWindow('POST', '/api/queue/pause');
    const id = await create();
    await vi.waitFor(async () => expect((await state()).lowBattery).toBe(17));
    power = plugged;
    server.running.services.work.power.look();
    await vi.waitFor(async () => expect((await state()).lowBattery).toBeUndefined());
    expect((await state()).queue).toMatchObject({ paused: true, waiting: 1 });
    expect(await statusOf(id)).toBe('planned');
    await server.askWindow('POST', '/api/queue/resume');
    expect((await server.ended(id)).status).toBe('succeeded');
  });
});
