/** Looking at the editor: a state in both themes and at two sizes, checked and, when asked for, kept as pictures. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import path from 'node:path';
import { isDrawn } from './look.ts';
import { expect, type Program } from './program.ts';

/** What a state is looked at in; pictures of the last one would show nothing that those before do not. */
const looks = [
  { colorScheme: 'light', width: 1440, height: 900 },
  { colorScheme: 'dark', width: 1440, height: 900 },
  { colorScheme: 'light', width: 960, height: 600 },
  { colorScheme: 'dark', width: 960, height: 600, unseen: true },
] as const;

/** Nothing is cut off or overlaps the frame. */
export async function fits(page: Page, name: string): Promise<void> {
  const { scrolls, wide } = await page.evaluate(() => ({
    scrolls: document.documentElement.scrollHeight > innerHeight,
    wide: document.documentElement.scrollWidth > innerWidth,
  }));
  expect({ name, scrolls, wide }).toEqual({ name, scrolls: false, wide: false });
}

/** Checks the page as it is, and keeps its picture when they are asked for. */
export async function look(page: Page, name: string): Promise<void> {
  await fits(page, name);
  if (process.env['UPDATE_SCREENS'] !== '1') return;
  const file = path.join(import.meta.dirname, 'screens', `${name}.png`);
  await page.screenshot({ path: file, animations: 'disabled' });
}

/**
 * The state in both themes and at both sizes: all rules at the first, those of colours at the second, room at all.
 * @param part what is new in it; the rules are checked there only
 */
export async function lookAtEditor(page: Page, name: string, part = 'body'): Promise<void> {
  for (const { colorScheme, width, height, ...rest } of looks) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await isDrawn(page);
    if (width === 1440) {
      const all = new AxeBuilder({ page }).include(part);
      const rules = colorScheme === 'light' ? all : all.withRules(['color-contrast']);
      const { violations } = await rules.analyze();
      const found = violations.map(({ id, nodes }) => ({
        id,
        where: nodes.map(({ target }) => target.join(' ')),
      }));
      expect.soft({ name, colorScheme, found }).toEqual({ name, colorScheme, found: [] });
    }
    const shown = `editor-${name}-${colorScheme}-${width}`;
    await ('unseen' in rest ? fits(page, shown) : look(page, shown));
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** @param state how its preview ends: a picture, or one that can't be drawn */
export async function openEditor(
  page: Page,
  program: Program,
  name: string,
  source: object,
  state = /ready/,
): Promise<string> {
  const { id } = await program.createTemplate({ name, tags: ['promo', 'autumn'], source });
  await page.goto('about:blank');
  await page.goto(`${program.windowUrl}&template=${id}`);
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-state', 'ready');
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-state', state);
  return id;
}
