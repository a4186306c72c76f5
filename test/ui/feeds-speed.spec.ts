/**
 * A feed of 10,000 rows and 20 columns, measured and printed beside what is aimed for; the seconds belong to the
 * computer and are not checked (feeds-large.spec.ts checks the work). Run alone: LOOKS=budgets, or `npm test --
 * --looks`.
 */
import type { CDPSession, Locator } from '@playwright/test';
import { z } from 'zod';
import { importLargeFeed } from './large-feed.ts';
import { openWindow, test } from './program.ts';
import { quantile } from './quantile.ts';

/** What is scrolled at each frame; `idle`: nothing, which tells what frames take on a computer with this to do. */
type Way = 'idle' | 'wheel' | 'down' | 'aside';

/** ms of a frame, of one after the other. */
interface Frames {
  /** Between two calls of the page, as scripts see it. */
  readonly called: readonly number[];
  /** Between two that were shown, as people see it; none while nothing changes. */
  readonly shown: readonly number[];
  /** That the page's thread computed, however long other programs kept it waiting. */
  readonly computed: readonly number[];
}

const traced = z.looseObject({
  name: z.string(),
  pid: z.number(),
  tid: z.number(),
  ts: z.number().default(0),
  tdur: z.number().default(0),
});
type Traced = z.infer<typeof traced>;

test('importing and scrolling 10,000 rows of 20 columns', async ({ page, own }) => {
  test.setTimeout(120_000);
  await openWindow(page, own);
  const { grid, took } = await importLargeFeed(page);
  console.log(
    `    Import of 10,000 rows x 20 columns: ${took.toFixed(0)} ms (aimed for: 3,000 ms)`,
  );
  const client = await page.context().newCDPSession(page);
  for (const way of ['idle', 'wheel', 'down', 'aside', 'idle'] as const) {
    const { called, shown, computed } = await framesOf(client, grid, way);
    const of = (times: readonly number[]): string =>
      [0.5, 0.95, 1].map((part) => quantile(times, part).toFixed(0)).join(' / ');
    console.log(
      `    ${way.padEnd(5)}: middle, 95 of 100 under, longest: called ${of(called)}, shown ${way === 'idle' ? '–' : of(shown)}, ` +
        `computed ${of(computed)} ms${way === 'idle' ? '' : ' (aimed for: 33 ms)'}`,
    );
  }
});

/** Measures a hundred frames: with a notch of the wheel at each one, a screen of other rows, or nearly a column. */
async function framesOf(client: CDPSession, grid: Locator, way: Way): Promise<Frames> {
  const events: Traced[] = [];
  const take = ({ value }: { value: object[] }): unknown =>
    events.push(...value.map((one) => traced.parse(one)));
  client.on('Tracing.dataCollected', take);
  await client.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      includedCategories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'],
    },
  });
  const called = await grid.evaluate(async (box, way) => {
    const screen = Math.floor(box.clientHeight * 0.8);
    const step = { idle: 0, wheel: 120, down: screen, aside: 150 }[way];
    const times: number[] = [];
    let place = way === 'aside' ? 0 : box.scrollTop;
    let last = performance.now();
    for (let count = 0; count < 100; count++) {
      // Aside it goes forth and back: there are 20 columns.
      place += way === 'aside' && count % 40 >= 20 ? -step : step;
      if (way === 'wheel' || way === 'down') box.scrollTop = place;
      if (way === 'aside') box.scrollLeft = place;
      await new Promise((drawn) => requestAnimationFrame(drawn));
      const now = performance.now();
      times.push(now - last);
      last = now;
    }
    return times;
  }, way);
  const complete = new Promise((resolve) => client.once('Tracing.tracingComplete', resolve));
  await client.send('Tracing.end');
  await complete;
  client.off('Tracing.dataCollected', take);
  const [first] = events.filter(({ name }) => name === 'FireAnimationFrame');
  const ofPage = events
    .filter(({ pid, tid }) => pid === first?.pid && tid === first.tid)
    .sort((one, other) => one.ts - other.ts);
  const begun = ofPage.filter(({ name }) => name === 'FireAnimationFrame').map(({ ts }) => ts);
  const shown = ofPage.filter(({ name }) => name === 'AnimationFrame::Presentation');
  const tasks = ofPage.filter(({ name }) => name === 'RunTask');
  return {
    called,
    shown: gapsOf(shown.map(({ ts }) => ts)),
    computed: begun.slice(1).map((end, at) => {
      const within = tasks.filter(({ ts }) => ts >= (begun[at] ?? 0) && ts < end);
      return within.reduce((sum, { tdur }) => sum + tdur / 1000, 0);
    }),
  };
}

/** ms between moments that are given in µs. */
const gapsOf = (moments: readonly number[]): number[] =>
  moments.slice(1).map((moment, at) => (moment - (moments[at] ?? 0)) / 1000);
