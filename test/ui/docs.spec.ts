/**
 * The help as a reader has it: both themes, a phone, paper, the search. The rules of accessibility hold on every kind
 * of page.
 */
import { topics } from '../../server/api/docs/pages.ts';
import { addressOf } from '../../server/api/docs/page-frame.ts';
import { isLong } from '../helpers/long.ts';
import { checkRules } from './look.ts';
import { expect, test } from './program.ts';

/** One of each kind: lists, code in every language, tables, pictures, long ones. */
const kinds = [
  '/docs',
  '/docs/client',
  '/docs/command-line',
  '/docs/renderscript/stroke',
  '/docs/errors',
];

for (const [index, address] of kinds.entries()) {
  // In the short form each in one theme.
  const themes = (['light', 'dark'] as const).filter((_, at) => isLong || at === index % 2);
  for (const colorScheme of themes) {
    test(`no rule is broken, ${colorScheme}: ${address}`, async ({ page, program }) => {
      await page.emulateMedia({ colorScheme });
      await page.goto(`${program.apiUrl}${address}`);
      await checkRules(page, address);
    });
  }
}

test('all pages fit a phone, and their headings are in order', async ({ page, program }) => {
  await page.setViewportSize({ width: 400, height: 800 });
  for (const topic of topics) {
    await page.goto(`${program.apiUrl}${addressOf(topic)}`, { waitUntil: 'domcontentloaded' });
    const { beyond, levels } = await page.evaluate(() => ({
      beyond: document.documentElement.scrollWidth - innerWidth,
      levels: [...document.querySelectorAll('h1, h2, h3, h4')].map(({ tagName }) => tagName[1]),
    }));
    expect(beyond, topic.slug).toBe(0);
    expect(levels[0], topic.slug).toBe('1');
    const jumps = levels.filter((level, at) => Number(level) > Number(levels[at - 1] ?? 1) + 1);
    expect(jumps, topic.slug).toEqual([]);
  }
});

test('on paper there is only the text', async ({ page, program }) => {
  await page.goto(`${program.apiUrl}/docs/quick-start`);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { name: 'Quick start', exact: true })).toBeVisible();
  for (const place of ['header', '.topics', '.contents', '.next'])
    await expect(page.locator(place).first()).toBeHidden();
  // Long lines are broken rather than cut.
  await expect(page.locator('pre').first()).toHaveCSS('white-space', 'pre-wrap');
});

test('the search finds while one types, and is left with Escape', async ({ page, program }) => {
  await page.setViewportSize({ width: 400, height: 800 });
  await page.goto(`${program.apiUrl}/docs`);
  await page.keyboard.press('/');
  await page.keyboard.type('stroke_w');
  const findings = page.locator('form .findings');
  await expect(findings.getByRole('link').first()).toContainText('stroke_width');
  const box = await findings.boundingBox();
  expect(box?.x ?? -1).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(400);
  await page.keyboard.press('ArrowDown');
  await expect(findings.getByRole('link').first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(findings).toBeHidden();
  await expect(page.getByRole('searchbox')).toBeFocused();
});
