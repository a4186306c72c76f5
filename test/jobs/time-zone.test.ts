/** Times as people read them: in the zone that the computer has now, while the order of renders knows no zones. */
import { afterEach, expect, test } from 'vitest';
import type { Clock } from '../../server/system/clock.ts';
import { document, startTestServer, type TestServer } from '../helpers/server.ts';

const before = process.env['TZ'];
let server: TestServer;
afterEach(async () => {
  if (before === undefined) delete process.env['TZ'];
  else process.env['TZ'] = before;
  await server.stop();
});

test('F40: over the end of daylight saving and in other zones, times carry the offset that holds, and the order stays', async () => {
  process.env['TZ'] = 'Europe/Berlin';
  let now = Date.parse('2026-10-25T00:30:00.000Z');
  const clock: Clock = { now: () => now, steady: () => performance.now() };
  server = await startTestServer({ clock });
  await server.askWindow('PATCH', '/api/settings', { queuePaused: true });
  const ids: string[] = [];
  const templates: string[] = [];
  // Half past two comes twice in that night.
  for (const hours of [0, 1, 2]) {
    now = Date.parse('2026-10-25T00:30:00.000Z') + hours * 3_600_000;
    const { body } = await server.ask('POST', '/v2/renders', document());
    ids.push(body.id);
    const name = `Hour ${hours}`;
    const made = await server.ask('POST', '/v2/templates', { name, source: document() });
    templates.push(made.body.id);
  }
  const times = async (): Promise<string[]> => {
    const answers = templates.map((id) => server.ask('GET', `/v2/templates/${id}`));
    return (await Promise.all(answers)).map(({ body }) => body.created_at);
  };
  const order = async (): Promise<string[]> => {
    const { renders } = (await server.askWindow('GET', '/api/renders')).body;
    return [...renders].sort((a, b) => a.order - b.order).map(({ id }) => id);
  };
  expect(await times()).toEqual([
    '2026-10-25 02:30:00.000 +0200',
    '2026-10-25 02:30:00.000 +0100',
    '2026-10-25 03:30:00.000 +0100',
  ]);
  expect(await order()).toEqual(ids);

  const zones: readonly (readonly [string, string])[] = [
    ['Asia/Kathmandu', '2026-10-25 06:15:00.000 +0545'],
    ['America/St_Johns', '2026-10-24 22:00:00.000 -0230'],
    ['Pacific/Kiritimati', '2026-10-25 14:30:00.000 +1400'],
    ['UTC', '2026-10-25 00:30:00.000 +0000'],
  ];
  for (const [zone, first] of zones) {
    process.env['TZ'] = zone;
    expect((await times())[0]).toBe(first);
    await server.restart();
    const [read = ''] = await times();
    expect([zone, read]).toEqual([zone, first]);
    // The same moment, whoever reads it.
    expect(Date.parse(read.replace(' ', 'T').replace(' ', ''))).toBe(
      Date.parse('2026-10-25T00:30:00.000Z'),
    );
    expect(await order()).toEqual(ids);
  }

  // Worked off in that order, too.
  const done: string[] = [];
  const { events } = server.running.services;
  events.subscribe((event) => {
    if (event.type === 'render.updated' && event.render.status === 'succeeded')
      done.push(event.render.id);
  });
  await server.askWindow('PATCH', '/api/settings', { queuePaused: false });
  for (const id of ids) expect((await server.ended(id)).status).toBe('succeeded');
  expect(done).toEqual(ids);
});
