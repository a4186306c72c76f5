/**
 * Looking at the window: every state in both themes, at the usual size, the smallest one and at 200 % zoom. No rule of
 * accessibility may be broken, and nothing may overlap the frame or be cut off by it. `npm run screens` draws the states into
 * test/ui/screens/.
 */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import path from 'node:path';
import { expect } from './program.ts';

/** 640 × 400 is what a window of 1280 × 800 has at 200 %. */
const sizes = [
  { name: '1280', width: 1280, height: 800 },
  { name: '960', width: 960, height: 600 },
  { name: 'zoom', width: 640, height: 400 },
];
const themes = ['light', 'dark'] as const;

/** The themes differ in their colours only, so that dark is looked at in one size; pictures are made of all. */
const pictures = process.env['UPDATE_SCREENS'] === '1';

/** Checks the state that the page is in; the size is the first one again afterwards. */
export async function lookAt(page: Page, name: string): Promise<void> {
  for (const { name: size, ...viewport } of sizes) {
    await page.setViewportSize(viewport);
    for (const colorScheme of themes) {
      if (colorScheme === 'dark' && size !== '1280' && !pictures) continue;
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await isDrawn(page);
      await checkFit(page, `${name} ${colorScheme} ${size}`);
      if (size === '1280') await checkRules(page, `${name} ${colorScheme}`);
      if (pictures && (size !== 'zoom' || colorScheme === 'light')) {
        const file = path.join(
          import.meta.dirname,
          'screens',
          `${name}-${colorScheme}-${size}.png`,
        );
        await page.screenshot({ path: file, animations: 'disabled' });
      }
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
}

/** Waits until a page has drawn what it was told last: its layout is measured again in one frame and used in the next. */
export async function isDrawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = (): Promise<unknown> => new Promise((done) => requestAnimationFrame(done));
    for (let frames = 0; frames < 3; frames += 1) await frame();
    const ending = document.getAnimations().filter((one) => {
      const end = one.effect?.getComputedTiming().endTime;
      return one.playState === 'running' && typeof end === 'number' && Number.isFinite(end);
    });
    await Promise.all(ending.map((one) => one.finished.catch(() => undefined)));
  });
}

/** The window itself never scrolls, and no button lies beyond its edges. */
async function checkFit(page: Page, name: string): Promise<void> {
  const { scrolls, wide, outside } = await page.evaluate(() => {
    const beyond = [...document.querySelectorAll<HTMLElement>('button, input, a, [role=menuitem]')]
      .filter((element) => element.checkVisibility() && !element.closest('.only-read, .skip'))
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        // What scrolls sideways inside a pane is reached by scrolling it.
        for (let up = element.parentElement; up; up = up.parentElement) {
          if (/auto|scroll/.test(getComputedStyle(up).overflowX)) return false;
        }
        return width > 0 && (left < -1 || right > innerWidth + 1);
      })
      .map((element) => element.getAttribute('aria-label') ?? element.textContent);
    return {
      scrolls: document.documentElement.scrollHeight > innerHeight,
      wide: document.documentElement.scrollWidth > innerWidth,
      outside: beyond,
    };
  });
  expect.soft({ name, scrolls, wide, outside }).toEqual({
    name,
    scrolls: false,
    wide: false,
    outside: [],
  });
}

/**
 * Every rule of accessibility.
 * @param part what is checked, when the rest of the page was before; default: all of it
 * @param except rules that do not fit what is shown; the caller says why
 */
export async function checkRules(
  page: Page,
  name: string,
  part = 'html',
  except: readonly string[] = [],
): Promise<void> {
  // Without frames there is nothing to put together, for which another page would be opened each time.
  const rules = new AxeBuilder({ page }).setLegacyMode().include(part);
  const { violations } = await rules.disableRules([...except]).analyze();
  const found = violations.map(({ id, nodes }) => ({
    id,
    where: nodes
      .slice(0, 4)
      .map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary ?? ''}`),
  }));
  expect.soft({ name, found }).toEqual({ name, found: [] });
}
