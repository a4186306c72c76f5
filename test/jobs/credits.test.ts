/** Credits: the price of a file, and an allowance that is used up. */
import { afterEach, expect, test } from 'vitest';
import { creditsOf, estimateCredits, isSubtitled } from '../../server/jobs/credits.ts';
import type { CreditRecord } from '../../shared/api.ts';
import { document, startTestServer, type TestServer } from '../helpers/server.ts';

let server: TestServer | undefined;
afterEach(() => server?.stop());

test.each([
  ['a jpg', { outputFormat: 'jpg', width: 8000, height: 8000 }, 1],
  ['a png', { outputFormat: 'png', width: 1, height: 1 }, 1],
  ['a sound', { outputFormat: 'mp3', width: 0, height: 0, duration: 3600 }, 1],
  // 1920 × 1080 × 30 × 10 = 622,080,000
  ['a video', { outputFormat: 'mp4', width: 1920, height: 1080, frameRate: 30, duration: 10 }, 7],
  [
    'exactly one',
    { outputFormat: 'gif', width: 1000, height: 1000, frameRate: 10, duration: 10 },
    1,
  ],
  [
    'a bit more',
    { outputFormat: 'gif', width: 1000, height: 1000, frameRate: 10, duration: 10.1 },
    2,
  ],
  ['a tiny one', { outputFormat: 'mp4', width: 2, height: 2, frameRate: 1, duration: 1 }, 1],
] as const)('the price of %s', (_name, file, credits) => {
  expect(creditsOf({ subtitled: false, ...file })).toBe(credits);
});

test('subtitles cost 10 a minute where that is more', () => {
  const small = { outputFormat: 'mp4', width: 100, height: 100, frameRate: 10 } as const;
  expect(creditsOf({ ...small, duration: 90, subtitled: true })).toBe(15);
  const large = { ...small, width: 4000, height: 4000, duration: 60 };
  expect(creditsOf({ ...large, subtitled: true })).toBe(96);
  expect(isSubtitled({ elements: [{ elements: [{ transcript_source: 'Speech' }] }] })).toBe(true);
  expect(isSubtitled({ elements: [{ type: 'text' }] })).toBe(false);
});

test('the scaled size counts, and what the document does not tell is 1', () => {
  const source = { width: 1920, height: 1080, frame_rate: 30, duration: '10 s' };
  expect(estimateCredits(source, 'mp4', {})).toBe(7);
  expect(estimateCredits(source, 'mp4', { renderScale: 0.5 })).toBe(2);
  expect(estimateCredits(source, 'mp4', { maxWidth: 960 })).toBe(2);
  expect(estimateCredits({ ...source, duration: null }, 'mp4', {})).toBe(1);
  expect(estimateCredits(source, 'jpg', {})).toBe(1);
  expect(estimateCredits(source, 'wav', {})).toBe(1);
});

test('an allowance is used up; dry runs, refused and failed renders are free', async () => {
  const running = await startTestServer();
  server = running;
  const used = async (): Promise<CreditRecord> =>
    (await running.askWindow('GET', '/api/credits')).body as unknown as CreditRecord;
  const create = (
    more: object = {},
  ): Promise<{ status: number; body: { id: string; hint: string } }> =>
    running.ask('POST', '/v2/renders', { ...document(), output_format: 'jpg', ...more });
  expect((await create()).status).toBe(202);
  expect(await used()).toEqual({ allowance: null, used: 1 });

  await running.askWindow('PATCH', '/api/settings', { creditAllowance: 3 });
  expect((await create({ dry_run: true })).status).toBe(200);
  expect((await create({ webhook_url: 'nonsense' })).status).toBe(400);
  const wrong = await create({ elements: [{ type: 'shape', x: 'wrong' }] });
  expect((await running.ended(wrong.body.id)).status).toBe('failed');
  const failing = await create({ _fake: { end: 'fail' } });
  expect((await running.ended(failing.body.id)).status).toBe('failed');
  expect(await used()).toEqual({ allowance: 3, used: 1 });

  expect((await create()).status).toBe(202);
  // Two at a time for one that is left.
  const answers = await Promise.all([create(), create()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 402]);
  const refused = await create();
  expect(refused.status).toBe(402);
  expect(refused.body.hint).toBe('No credits left. The request needs 1; 0 are left.');
  // A refused batch leaves nothing behind.
  await running.askWindow('PATCH', '/api/settings', { creditAllowance: 4 });
  for (const name of ['A', 'B']) {
    const source = { ...document(), output_format: 'jpg' };
    await running.ask('POST', '/v2/templates', { name, tags: ['x'], source });
  }
  expect((await running.ask('POST', '/v1/renders', { tags: ['x'] })).status).toBe(402);
  expect((await used()).used).toBe(3);
  await running.restart();
  expect(await used()).toEqual({ allowance: 4, used: 3 });
  await running.askWindow('PATCH', '/api/settings', { creditAllowance: null });
  expect((await create()).status).toBe(202);
});
