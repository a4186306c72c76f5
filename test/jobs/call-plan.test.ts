/** The plan of webhook calls: compared with the plainest one there is, and its cost with many calls. */
import { expect, test } from 'vitest';
import { CallPlan, type PlannedCall } from '../../server/jobs/webhooks/call-plan.ts';

const atOnce = 4;

test('calls begin when they are due, one for each receiver, a few at once, and in order', () => {
  let seed = 3;
  const below = (most: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * most);
  };
  const plan = new CallPlan(atOnce);
  /** What waits, and who is called. */
  let waiting: PlannedCall[] = [];
  const busy = new Set<string>();
  let now = 0;
  for (let step = 0; step < 5_000; step++) {
    const what = below(10);
    if (what < 4) {
      const call = { id: `${step}`, host: `h${below(7)}`, dueAt: now + below(50) };
      waiting.push(call);
      plan.add(call);
    } else if (what === 4 && waiting.length > 0) {
      const { id } = waiting[below(waiting.length)]!;
      waiting = waiting.filter((call) => call.id !== id);
      plan.remove(id);
    } else if (what === 5 && busy.size > 0) {
      const host = [...busy][below(busy.size)]!;
      busy.delete(host);
      plan.end(host);
    } else if (what === 6) {
      now += below(20);
    } else {
      const possible = waiting.filter(({ host, dueAt }) => dueAt <= now && !busy.has(host));
      const call = plan.begin(now);
      expect(call !== undefined).toBe(possible.length > 0 && busy.size < atOnce);
      if (call) {
        expect(possible).toContain(call);
        const before = possible.filter(
          ({ host, dueAt }) => host === call.host && dueAt < call.dueAt,
        );
        expect(before).toEqual([]);
        waiting = waiting.filter((other) => other !== call);
        busy.add(call.host);
      }
      const later = waiting.filter(({ dueAt }) => dueAt > now).map(({ dueAt }) => dueAt);
      expect(plan.nextAt).toBe(Math.min(...later));
    }
  }
  expect(waiting.length).toBeGreaterThan(0);
});

test.each([
  ['one receiver', () => 'one'],
  ['a receiver for each', (index: number) => `host ${index}`],
])('many calls cost as much each as few do: %s', (_, hostOf) => {
  /**
   * Milliseconds of computing for plans of so many calls, which are planned, due at once, and made one after the other.
   */
  const cost = (plans: number, count: number): number => {
    const begun = process.cpuUsage();
    // All plans are kept, so that both ways hold the same memory.
    const kept: CallPlan[] = [];
    for (let made = 0; kept.length < plans; made = 0) {
      const plan = new CallPlan(atOnce);
      for (let index = 0; index < count; index++) {
        plan.add({ id: `${index}`, host: hostOf(index), dueAt: index });
        // What is planned is looked at each time.
        plan.begin(-1);
      }
      for (let call = plan.begin(count); call; call = plan.begin(count)) {
        made++;
        plan.end(call.host);
      }
      expect(made).toBe(count);
      kept.push(plan);
    }
    return process.cpuUsage(begun).user / 1_000;
  };
  /** Of three in turn: the others were disturbed. A plan whose cost grows with the square takes sixteen times. */
  const ratio = (): number => cost(1, 64_000) / Math.max(cost(16, 4_000), 2);
  expect(Math.min(ratio(), ratio(), ratio())).toBeLessThan(6);
});
