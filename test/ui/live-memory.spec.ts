/**
 * Playing and editing for long takes no more memory than for a while: documents with films, pictures, fonts of many
 * files and drawn emoji are opened, played, changed and left again and again. A few rounds here; `LIVE_MINUTES=30 npx
 * playwright test live-memory` goes on for so long, and prints what page and server hold. Linux, which tells what
 * processes hold.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { isLong } from '../helpers/long.ts';
import { openTemplate, titleOf } from './editor-page.ts';
import { promo } from './editor-sources.ts';
import { familyMemoryOf } from './processes.ts';
import { expect, test, type Program } from './program.ts';

const minutes = Number(process.env['LIVE_MINUTES'] ?? 0);
/** Rounds before the first that counts, in which caches fill, and rounds of a run without a time. */
const rounds = { before: minutes > 0 ? 6 : 1, least: minutes > 0 ? 6 : isLong ? 3 : 2 };
/**
 * What the last third of the rounds may hold more than the first: what is kept on purpose, and the collectors' moods.
 */
const most = {
  /** MB of the page's process and of the server; in few rounds they still grow into their caches. */
  page: minutes > 0 ? 96 : 300,
  server: minutes > 0 ? 96 : 200,
  /** MB of the page's objects. */
  objects: 8,
  /** Parts of the page, among them those that wait for the collector. */
  nodes: 500,
  workers: 0,
};

const root = path.join(import.meta.dirname, '..', '..');
const folders = [
  ...['resources/samples/slideshow-music', 'test/samples/font-script-chinese-traditional'],
  ...['resources/samples/lower-third', 'test/samples/emoji-style-twitter'],
];
const documents: readonly object[] = (isLong || minutes > 0 ? folders : folders.slice(0, 2)).map(
  (folder) => JSON.parse(readFileSync(path.join(root, folder, 'source.json'), 'utf8')) as object,
);

type Held = Readonly<Record<keyof typeof most, number>>;

async function held(page: Page, server: number): Promise<Held> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  await session.detach();
  const valueOf = (wanted: string): number =>
    metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  const browser = await page.context().browser()?.newBrowserCDPSession();
  const told = await browser?.send('SystemInfo.getProcessInfo');
  await browser?.detach();
  const ids = (told?.processInfo ?? []).flatMap(({ id, type }) => (type === 'renderer' ? id : []));
  const megabyte = 2 ** 20;
  return {
    page: ids.reduce((sum, id) => sum + familyMemoryOf(id), 0) / megabyte,
    server: familyMemoryOf(server) / megabyte,
    objects: valueOf('JSHeapUsedSize') / megabyte,
    nodes: valueOf('Nodes'),
    workers: valueOf('WorkerGlobalScopes'),
  };
}

async function round(page: Page, program: Program, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await openTemplate(page, program, id);
    const preview = page.getByTestId('editor-preview');
    await expect(preview).toHaveAttribute('data-live', 'ready');
    const play = page.getByRole('button', { name: 'Play', exact: true });
    if (!(await play.isVisible())) continue;
    await play.click();
    await expect(preview).toHaveAttribute('data-front', 'page');
    await page.waitForTimeout(700);
    await preview.getByRole('slider', { name: 'Time', exact: true }).press('PageUp');
    await expect(preview).toHaveAttribute('data-front', 'server');
  }
  await openTemplate(page, program, ids.at(-1) ?? '');
  const preview = page.getByTestId('editor-preview');
  await expect(preview).toHaveAttribute('data-front', 'server');
  // The server's picture may follow so soon that looking now and then misses the page's.
  const wasFront = await preview.evaluateHandle((stage) => {
    const seen = new Set<string | undefined>();
    new MutationObserver(() => seen.add(stage.dataset['front'])).observe(stage, {
      attributeFilter: ['data-front'],
    });
    return seen;
  });
  await titleOf(page).fill(`Sale no. ${Math.random()} 早安 🎉`);
  await expect.poll(() => wasFront.evaluate((seen) => seen.has('page'))).toBe(true);
  await expect(preview).toHaveAttribute('data-front', 'server');
  await wasFront.dispose();
}

/**
 * Loads 270 MB of answers. Whoever drives the page keeps the answers that it got, in the page's process, until they are
 * too many: that takes twelve minutes of this test, and is none of the page's own memory.
 */
async function fillObserver(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const scripts = performance.getEntriesByType('resource').map(({ name }) => name);
    const editor = scripts.find((name) => /\/Editor-[^/]*\.js$/.test(name));
    if (editor === undefined) throw new Error('The page has loaded no editor.');
    for (let count = 0; count < 400; count += 1) {
      await (await fetch(editor, { cache: 'no-store' })).text();
    }
  });
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

test('page and server hold no more after many rounds of playing and editing', async ({
  page,
  program,
}) => {
  test.skip(process.platform !== 'linux', 'only Linux tells what processes hold');
  test.setTimeout((minutes + 4) * 60_000);
  await page.setViewportSize({ width: 1440, height: 900 });
  const ids: string[] = [];
  for (const source of [...documents, promo])
    ids.push((await program.createTemplate({ name: `Document ${ids.length}`, source })).id);
  for (let at = 0; at < rounds.before; at += 1) await round(page, program, ids);
  if (minutes > 0) await fillObserver(page);
  const samples: Held[] = [];
  const begun = Date.now();
  while (samples.length < rounds.least || Date.now() - begun < minutes * 60_000) {
    await round(page, program, ids);
    samples.push(await held(page, program.pid));
    const now = Object.entries(samples.at(-1) ?? {});
    if (minutes > 0)
      console.log(now.map(([what, value]) => `${what} ${value.toFixed(0)}`).join(', '));
  }
  const third = Math.max(1, Math.floor(samples.length / 3));
  for (const what of ['page', 'server', 'objects', 'nodes', 'workers'] as const) {
    const all = samples.map((one) => one[what]);
    const growth = mean(all.slice(-third)) - mean(all.slice(0, third));
    const place = `${what}: ${all.map((one) => one.toFixed(1)).join(', ')}`;
    expect(growth, place).toBeLessThanOrEqual(most[what]);
  }
  // Of documents that were left nothing draws any more.
  expect(page.workers()).toHaveLength(1);
});
