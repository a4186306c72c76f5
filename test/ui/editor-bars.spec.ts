/**
 * The editor's bars and menus that come with a gesture, in both themes and at 200 % zoom, against every rule of
 * accessibility: crop, captions, arranging and spacing, canvas menu, markers, keyframes of the timeline, warp.
 * `LOOK_AT=FOLDER` keeps pictures.
 */
import type { Page } from '@playwright/test';
import { openNewTemplate } from './editor-page.ts';
import { choice, openGroup } from './inspector-page.ts';
import { checkRules, isDrawn } from './look.ts';
import { expect, test } from './program.ts';

const document = {
  output_format: 'mp4',
  ...{ width: 800, height: 600, duration: 6, frame_rate: 25 },
  elements: [
    {
      type: 'image',
      name: 'Photo',
      track: 1,
      width: '60%',
      height: '60%',
      source: 'media/dunes.jpg',
    },
    {
      ...{ type: 'shape', name: 'Card', track: 2, x: '25%', y: '25%', width: '20%', height: '20%' },
      fill_color: [
        { time: 0, value: '#d9480f' },
        { time: 2, value: '#2f9e44' },
      ],
    },
    { type: 'audio', name: 'Tune', track: 3, source: 'media/tune.m4a' },
    {
      ...{ type: 'text', name: 'Speech', track: 4, width: '90%', height: '20%', y: '85%' },
      ...{ fill_color: '#ffffff', x_alignment: '50%' },
      transcript_source:
        '1\n00:00:00,000 --> 00:00:03,000\nHello dear world\n\n2\n00:00:03,500 --> 00:00:05,000\nHow are you\n',
    },
  ],
};

const sizes = [
  { name: 'plain', width: 1440, height: 900 },
  { name: 'zoom', width: 720, height: 450 },
] as const;

/** The state as it is, in both themes and sizes; nothing of it lies beyond the window. */
async function look(page: Page, name: string, part: string): Promise<void> {
  for (const { name: size, width, height } of sizes) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await isDrawn(page);
      if ((await page.locator(part).count()) === 0) continue;
      await checkRules(page, `${name}, ${colorScheme}, ${size}`, part);
      const folder = process.env['LOOK_AT'];
      if (folder !== undefined)
        await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${size}.png` });
    }
    const wide = await page.evaluate(() => window.document.documentElement.scrollWidth);
    expect(wide, `${name} is as wide as the window`).toBeLessThanOrEqual(width);
  }
  const [{ width, height }] = sizes;
  await page.setViewportSize({ width, height });
}

test(
  'bars and menus keep the rules of accessibility, at 200 % zoom, too',
  {
    tag: '@long',
  },
  async ({ page, program }) => {
    test.setTimeout(240_000);
    await openNewTemplate(page, program, document, 'Bars');
    const tree = (name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name}`) });
    await page.getByRole('tab', { name: 'Outline' }).click();

    await test.step('the crop', async () => {
      await tree('Photo').click();
      await page.locator('#editor-stage').focus();
      await page.keyboard.press('c');
      await expect(page.getByTestId('crop-frame')).toBeVisible();
      await look(page, 'crop', '[data-testid=editor-preview]');
      await page.keyboard.press('Escape');
    });

    await test.step('several, with what arranges and spaces them', async () => {
      await page.locator('#editor-stage').focus();
      await page.keyboard.press('Control+a');
      await expect(page.getByRole('button', { name: /^Distribute across/ })).toBeVisible();
      await look(page, 'arrange', '[data-testid=editor-preview]');
      await page.keyboard.press('Escape');
    });

    await test.step('captions', async () => {
      await tree('Speech').click();
      await page.getByRole('tab', { name: 'Captions' }).click();
      await expect(page.getByTestId('captions').locator('textarea')).toHaveCount(2);
      await page.getByTestId('captions').locator('textarea').first().focus();
      await look(page, 'captions', '[data-testid=captions]');
      await page.getByRole('tab', { name: 'Outline' }).click();
    });

    await test.step('the menu of the picture', async () => {
      await tree('Card').click();
      await page.locator('#editor-stage').focus();
      await page.keyboard.press('Shift+F10');
      await expect(page.getByRole('menu')).toBeVisible();
      await look(page, 'menu', '[role=menu]');
      await page.keyboard.press('Escape');
    });

    await test.step('markers', async () => {
      await page.getByRole('treegrid').focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('m');
      await page.keyboard.press('m');
      await page.keyboard.type('Drop');
      await page.keyboard.press('Enter');
      await expect(page.getByTestId('marker-bar')).toBeVisible();
      await look(page, 'markers', '[data-testid=timeline]');
    });

    await test.step('keyframes and beats of the timeline', async () => {
      await expect(page.getByTestId('footage').last()).toHaveAttribute('data-beats', /\d/);
      await tree('Card').click();
      await page.getByRole('treegrid').focus();
      await page.keyboard.press('Control+ArrowRight');
      await look(page, 'keyframes', '[data-testid=timeline]');
    });

    await test.step('the points of a warp', async () => {
      await page.getByRole('tab', { name: 'Inspector' }).click();
      await openGroup(page, 'Transform');
      await choice(page, 'Warp points').selectOption('3');
      await page.getByTestId('warp').scrollIntoViewIfNeeded();
      await look(page, 'warp', '[data-testid=inspector]');
    });
  },
);
