/**
 * The editor at work, in both themes: what is open while a template is made by hand. As editor-screens.spec.ts.
 */
import type { Page } from '@playwright/test';
import { look, lookAtEditor, openEditor } from './editor-look.ts';
import { choice, openGroup, pane, select } from './inspector-page.ts';
import { expect, test, type Program } from './program.ts';

/** A short film with all that clips show: footage, a sound, a transition, animations, keyframes, a group, captions. */
const film = {
  output_format: 'mp4',
  width: 1280,
  height: 720,
  duration: 8,
  frame_rate: 25,
  fill_color: '#101a2c',
  elements: [
    { type: 'video', name: 'Sea', track: 1, time: 0, duration: 4.5, source: 'media/sea.mp4' },
    {
      ...{ type: 'image', name: 'Dunes', track: 1, duration: 4, source: 'media/dunes.jpg' },
      animations: [{ type: 'fade', time: 'start', duration: 1, transition: true }],
    },
    {
      ...{
        type: 'shape',
        name: 'Plate',
        track: 2,
        time: 0.5,
        duration: 6,
        y: '82%',
        height: '22%',
      },
      ...{ width: '70%', border_radius: '2 vmin', fill_mode: 'linear' },
      fill_color: [
        { offset: '0%', color: '#ff7a59' },
        { offset: '55%', color: '#d6336c' },
        { offset: '100%', color: '#5f3dc4' },
      ],
      x: [
        { time: 0, value: '20%' },
        { time: 1.5, value: '50%', easing: 'quintic-out' },
        { time: 4, value: '54%', easing: 'linear' },
      ],
    },
    {
      ...{ type: 'text', name: 'Title', track: 3, time: 1, duration: 5.5, text: 'By the water' },
      ...{ y: '82%', width: '60%', height: '14%', x_alignment: '50%', y_alignment: '50%' },
      ...{ font_family: 'Montserrat', font_weight: '800', fill_color: '#ffffff', dynamic: true },
      animations: [
        { type: 'text-slide', time: 'start', duration: 1, split: 'letter' },
        { type: 'fade', time: 'end', duration: 0.8, reversed: true },
      ],
    },
    {
      ...{ type: 'composition', name: 'Badge', track: 4, time: 2, duration: 4, x: '86%', y: '18%' },
      ...{ width: '18%', height: '30%' },
      elements: [
        {
          type: 'shape',
          name: 'Disc',
          width: '100%',
          height: '100%',
          border_radius: '50 vmin',
          fill_color: '#ffd43b',
        },
        {
          ...{ type: 'text', name: 'Price', text: '$29', x_alignment: '50%', y_alignment: '50%' },
          ...{ width: '80%', height: '60%', fill_color: '#5c2a00', font_weight: '800' },
        },
      ],
    },
    {
      ...{ type: 'text', name: 'Speech', track: 5, y: '62%', width: '90%', height: '12%' },
      ...{ x_alignment: '50%', fill_color: '#ffffff', transcript_effect: 'highlight' },
      transcript_source:
        '1\n00:00:01,000 --> 00:00:03,000\nWe left before anyone was up\n\n2\n00:00:03,500 --> 00:00:05,500\nand had the bay to ourselves\n',
    },
    { type: 'audio', name: 'Music', track: 6, source: 'media/tune.m4a', duration: 8 },
  ],
};

/** A place of the film at which all of it shows. */
async function open(
  page: Page,
  program: Program,
  name: string,
  source: object = film,
): Promise<void> {
  await program.remember({ editorInspects: true });
  await openEditor(page, program, name, source);
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-live', 'ready');
  await page.getByRole('slider', { name: 'Time', exact: true }).fill('80');
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-frame', '80');
  await page.getByRole('tab', { name: 'Outline' }).click();
}

async function inPalette(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill(words);
  await page.keyboard.press('Enter');
}

test.beforeEach(async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
});

test('clips with footage, sound and handles; a keyframe and its easing', async ({
  page,
  program,
}) => {
  test.setTimeout(150_000);
  await open(page, program, 'Film');
  await select(page, 'Title');
  await lookAtEditor(page, 'clips');
  await select(page, 'Music');
  await lookAtEditor(page, 'waveform', '[data-testid=timeline]');
  await select(page, 'Plate');
  await page.getByTestId('timeline').getByTestId('keyframe').nth(1).click();
  await page
    .getByRole('toolbar', { name: 'Timeline' })
    .getByRole('button', { name: /^Easing to this keyframe/ })
    .click();
  await expect(page.getByRole('dialog', { name: 'Easings' })).toBeVisible();
  await lookAtEditor(page, 'easing', '[role=dialog]');
});

test('a gradient, blend and mask, fonts, animations, several elements', async ({
  page,
  program,
}) => {
  test.setTimeout(240_000);
  await open(page, program, 'Values');
  await select(page, 'Plate');
  await openGroup(page, 'Fill and corners');
  await pane(page).getByRole('slider', { name: 'Stop 2' }).focus();
  await lookAtEditor(page, 'gradient', '.right-pane');
  await select(page, 'Dunes');
  await openGroup(page, 'Effects');
  await choice(page, 'Mask').scrollIntoViewIfNeeded();
  await lookAtEditor(page, 'mask', '.right-pane');
  await select(page, 'Title');
  await pane(page).getByRole('button', { name: 'Font: Montserrat' }).click();
  const fonts = page.getByRole('dialog', { name: 'Fonts' });
  await expect(fonts.locator('.sample').first()).toHaveCSS('background-image', /^url/);
  await lookAtEditor(page, 'fonts', '[role=dialog]');
  await page.keyboard.press('Escape');
  await openGroup(page, 'Animation');
  await pane(page).getByRole('button', { name: 'Add animation' }).click();
  await lookAtEditor(page, 'animations', '[role=dialog]');
  await page.keyboard.press('Escape');
  await page.getByRole('treeitem', { name: /^Plate/ }).click({ modifiers: ['Shift'] });
  await lookAtEditor(page, 'several', '.right-pane');
});

test('captions, and what lies in a group', async ({ page, program }) => {
  test.setTimeout(150_000);
  await open(page, program, 'Spoken');
  await select(page, 'Badge');
  await page.getByRole('treeitem', { name: /^Price/ }).click();
  await lookAtEditor(page, 'nested', '.left-pane');
  await page.getByRole('tab', { name: 'Captions' }).click();
  await expect(page.getByTestId('captions').getByRole('textbox').first()).toBeVisible();
  await lookAtEditor(page, 'captions', '.left-pane');
});

test('a text typed in the picture, a crop, a drag along a flow', async ({ page, program }) => {
  test.setTimeout(240_000);
  const row = (name: string, color: string): object => ({
    ...{ type: 'shape', name, x: null, y: null, width: '100%', height: '18%' },
    ...{ fill_color: color, border_radius: '1 vmin' },
  });
  await open(page, program, 'By hand', {
    ...film,
    elements: [
      {
        type: 'image',
        name: 'Photo',
        source: 'media/dunes.jpg',
        x: '28%',
        width: '40%',
        height: '70%',
      },
      {
        ...{ type: 'text', name: 'Words', text: 'Typed here', x: '74%', y: '18%', width: '40%' },
        ...{ fill_color: '#ffffff', font_size: '8 vmin', font_weight: '700' },
      },
      {
        ...{ type: 'composition', name: 'List', x: '74%', y: '62%', width: '36%', height: '56%' },
        ...{ flow_direction: 'vertical' },
        elements: [row('One', '#e8590c'), row('Two', '#2f9e44'), row('Three', '#1971c2')],
      },
    ],
  });
  const frame = await page.locator('#editor-stage .frame').last().boundingBox();
  if (!frame) throw new Error('There is no picture.');
  const at = (x: number, y: number): [number, number] => [
    frame.x + frame.width * x,
    frame.y + frame.height * y,
  ];
  await page.mouse.dblclick(...at(0.74, 0.18));
  await expect(page.locator('#editor-stage textarea')).toBeVisible();
  await lookAtEditor(page, 'typing', '#editor-stage');
  await page.keyboard.press('Escape');
  await page.mouse.dblclick(...at(0.28, 0.5));
  await expect(page.getByTestId('crop-frame')).toBeVisible();
  await lookAtEditor(page, 'crop', '#editor-stage');
  await page.keyboard.press('Escape');
  await page.getByRole('treeitem', { name: /^One/ }).click();
  const handle = await page.getByTestId('selection-frame').locator('.core').first().boundingBox();
  if (!handle) throw new Error('Nothing is selected.');
  const [x, y] = [handle.x + handle.width / 2, handle.y + handle.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 12, y + handle.height * 1.4, { steps: 5 });
  await expect(page.getByTestId('flow-slot')).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await look(page, `editor-flow-${colorScheme}`);
  }
  await page.keyboard.press('Escape');
  await page.mouse.up();
});

test('the dialogs of making: brand, new template, another format, versions', async ({
  page,
  program,
}) => {
  test.setTimeout(240_000);
  await open(page, program, 'Dialogs');
  await inPalette(page, 'Brand');
  await expect(page.getByRole('dialog', { name: /^Brand of/ })).toBeVisible();
  await lookAtEditor(page, 'brand', '[role=dialog]');
  await page.keyboard.press('Escape');
  await inPalette(page, 'Change the format');
  await expect(page.getByRole('dialog', { name: 'Change the format' })).toBeVisible();
  await lookAtEditor(page, 'resize', '[role=dialog]');
  await page.keyboard.press('Escape');
  const { id } = await program.createTemplate({ name: 'Versions', source: film });
  await program.changeTemplate(id, {
    source: { ...film, fill_color: '#5f3dc4', elements: film.elements.slice(2) },
  });
  await page.goto('about:blank');
  await page.goto(`${program.windowUrl}&template=${id}`);
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-state', 'ready');
  await inPalette(page, 'Versions');
  const versions = page.getByRole('dialog', { name: /^Versions of/ });
  await expect(versions.getByRole('img', { name: 'Picture of this version' })).toBeVisible();
  await lookAtEditor(page, 'versions', '[role=dialog]');
  await versions.getByRole('tab', { name: 'Text' }).click();
  await lookAtEditor(page, 'versions-text', '[role=dialog]');
  await page.goto(program.windowUrl);
  await page.keyboard.press('Control+n');
  await expect(page.getByRole('dialog', { name: 'New template' })).toBeVisible();
  await lookAtEditor(page, 'new-template', '[role=dialog]');
});
