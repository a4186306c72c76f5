/**
 * Looking at the window: every state in both themes, at the usual size, the smallest one and at 200 % zoom. No rule of
 * accessibility may be broken, and nothing may overlap the frame or be cut off by it. `npm test -- --screens` draws the
 * states into test/ui/screens/.
 */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import path from 'node:path';
import { expect } from './program.ts';

/** 640 × 400 is what a window of 1280 × 800 has at 200 %, 720 × 450 one of 1440 × 900. */
const sizes = [
  { name: '1280', width: 1280, height: 800 },
  { name: '960', width: 960, height: 600 },
  { name: 'low', width: 720, height: 450 },
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
      if (pictures && (!['low', 'zoom'].includes(size) || colorScheme === 'light')) {
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

/**
 * Waits until a page has drawn what it was told last: its layout is measured again in one frame and used in the next.
 */
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

/** The window itself never scrolls, no button lies beyond its edges, and none over words. */
async function checkFit(page: Page, name: string): Promise<void> {
  const { scrolls, wide, outside, over } = await page.evaluate(() => {
    const controls = [
      ...document.querySelectorAll<HTMLElement>('button, input, a, [role=menuitem]'),
    ].filter(
      (element) =>
        element.checkVisibility({ opacityProperty: true }) && !element.closest('.only-read, .skip'),
    );
    const nameOf = (element: Element): string =>
      element.getAttribute('aria-label') ?? element.textContent;
    /** What lies above all else, where it is meant to. */
    const layers = '[role=dialog], [role=alertdialog], [role=menu], [data-testid=toasts]';
    /** The words that a control covers; '' for none. Those below a bar or a head that it is part of don't count. */
    const coveredBy = (control: Element): string => {
      const { left, right, top, bottom } = control.getBoundingClientRect();
      if (control.closest(layers)) return '';
      for (const x of [left + 3, (left + right) / 2, right - 3]) {
        const stack = document.elementsFromPoint(x, (top + bottom) / 2);
        const place = stack.indexOf(control);
        if (place < 0 || stack.slice(0, place).some((one) => !control.contains(one))) continue;
        for (const below of stack.slice(place + 1)) {
          if (below.contains(control)) {
            const { width } = below.getBoundingClientRect();
            if (width > 200 && getComputedStyle(below).backgroundColor !== 'rgba(0, 0, 0, 0)')
              break;
            continue;
          }
          for (const node of below.childNodes) {
            if (node.nodeType !== Node.TEXT_NODE || node.textContent?.trim() === '') continue;
            const range = document.createRange();
            range.selectNode(node);
            const words = range.getBoundingClientRect();
            if (words.left < right - 2 && words.right > left + 2) return node.textContent ?? '';
          }
        }
      }
      return '';
    };
    const covered = controls.flatMap((control) => {
      const words = coveredBy(control);
      return words === '' ? [] : [`${nameOf(control)} over ${words}`];
    });
    const beyond = controls
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        // What scrolls sideways inside a pane is reached by scrolling it.
        for (let up = element.parentElement; up; up = up.parentElement) {
          if (/auto|scroll/.test(getComputedStyle(up).overflowX)) return false;
        }
        return width > 0 && (left < -1 || right > innerWidth + 1);
      })
      .map(nameOf);
    return {
      scrolls: document.documentElement.scrollHeight > innerHeight,
      wide: document.documentElement.scrollWidth > innerWidth,
      outside: beyond,
      over: covered,
    };
  });
  expect.soft({ name, scrolls, wide, outside, over }).toEqual({
    name,
    scrolls: false,
    wide: false,
    outside: [],
    over: [],
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
  const isThere = await page.evaluate(() => 'axe' in window);
  // It is half a megabyte, which it would bring again each time.
  const rules = new AxeBuilder({ page, ...(isThere && { axeSource: 'void 0' }) });
  const { violations } = await rules
    .setLegacyMode()
    .include(part)
    .options({ resultTypes: ['violations'] })
    .disableRules([...except])
    .analyze();
  const found = violations.map(({ id, nodes }) => ({
    id,
    where: nodes
      .slice(0, 4)
      .map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary ?? ''}`),
  }));
  expect.soft({ name, found }).toEqual({ name, found: [] });
}
