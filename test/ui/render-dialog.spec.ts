/** The render dialog: what it stores, which files it offers, what it shows, and what it says when files are missing. */
import type { Locator, Page } from '@playwright/test';
import { openNewTemplate, titleOf } from './editor-page.ts';
import { promo } from './editor-sources.ts';
import { expect, openWindow, test, type Program } from './program.ts';

const dialogOf = (page: Page): Locator => page.getByRole('dialog');

async function storedText(program: Program, id: string): Promise<string> {
  const headers = { Authorization: `Bearer ${program.apiKey}` };
  return (await fetch(`${program.apiUrl}/v2/templates/${id}`, { headers })).text();
}

test('rendering uses what stands in the editor and saves nothing, cancelled or not', async ({
  page,
  program,
}) => {
  const id = await openNewTemplate(page, program, { ...promo, duration: 1 });
  const before = await storedText(program, id);
  await titleOf(page).fill('Not saved at all');
  await page.getByRole('button', { name: 'Render…' }).click();
  const dialog = dialogOf(page);
  await expect(dialog).toContainText('Renders the unsaved version from the editor.');
  await expect(dialog.getByTestId('render-check')).toHaveAttribute('data-state', 'ok');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await storedText(program, id)).toBe(before);
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'true');

  await page.getByRole('button', { name: 'Render…' }).click();
  await dialog.getByLabel('jpg').check();
  await expect(dialog.getByTestId('render-check')).toHaveAttribute('data-state', 'ok');
  const sent = page.waitForResponse((answer) => answer.status() === 202);
  await dialog.getByRole('button', { name: 'Add to queue' }).click();
  const { id: render } = (await (await sent).json()) as { id: string };
  expect(await program.finished(render)).toMatchObject({ status: 'succeeded', template_id: id });
  expect(await storedText(program, id)).toBe(before);
  await expect(titleOf(page)).toHaveValue('Not saved at all');

  // The render says which it is, and what it was made from can be had again.
  await page.getByTestId('toasts').getByRole('button', { name: 'Show' }).first().click();
  const row = page.getByTestId(`render-row-${render}`);
  await expect(row).toContainText('Promo – Not saved at all');
  await expect(row).toContainText('Template, not saved');
  await page.getByRole('tab', { name: 'Request' }).click();
  await expect(page.getByRole('region', { name: 'Render details' })).toContainText(
    'Not saved at all',
  );
});

test('a film of any frame rate becomes a gif; quality and frame rate have controls', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, { ...promo, duration: 1, frame_rate: 30 });
  await page.getByRole('button', { name: 'Render…' }).click();
  const dialog = dialogOf(page);
  const check = dialog.getByTestId('render-check');
  const rate = dialog.getByLabel('Frame rate');
  await expect(rate).toHaveAttribute('placeholder', '30');
  await dialog.getByLabel('gif').check();
  await expect(rate).toHaveAttribute('placeholder', '15');
  await expect(check).toHaveAttribute('data-state', 'ok');

  await rate.fill('30');
  await expect(check).toHaveAttribute('data-state', 'wrong');
  await expect(check).toContainText('Frame rate: Expected a number between 1 and 15');
  await expect(rate).toHaveAccessibleDescription('Expected a number between 1 and 15; found 30');
  await rate.fill('10');
  await dialog.getByLabel('Quality').selectOption('Best colors');
  await dialog.getByLabel('Scale').fill('99');
  await expect(check).toContainText('Scale: Expected a number from 0.1 to 10');
  await dialog.getByLabel('Scale').fill('0.25');
  await expect(dialog.getByTestId('render-size')).toHaveText('160×90 pixels');
  await expect(check).toHaveAttribute('data-state', 'ok');
  const sent = page.waitForResponse((answer) => answer.status() === 202);
  await dialog.getByRole('button', { name: 'Add to queue' }).click();
  const answer = await sent;
  expect(answer.request().postDataJSON()).toMatchObject({
    output_format: 'gif',
    frame_rate: 10,
    render_scale: 0.25,
    modifications: { gif_quality: 'best' },
  });
  const { id } = (await answer.json()) as { id: string };
  expect(await program.finished(id)).toMatchObject({
    status: 'succeeded',
    output_format: 'gif',
    frame_rate: 10,
    width: 160,
  });
});

test('the dialog shows a moment with most in it, and keeps it in sight', async ({
  page,
  program,
}) => {
  const texts = Array.from({ length: 14 }, (_, index) => ({
    type: 'text',
    name: `Line ${index + 1}`,
    text: `Line ${index + 1}`,
    dynamic: true,
    time: 2,
    duration: 2,
    y: `${index * 7}%`,
    height: '7%',
    fill_color: '#ffffff',
  }));
  const { id } = await program.createTemplate({
    name: 'Filled',
    source: { ...promo, duration: 6, elements: [...promo.elements, ...texts] },
  });
  await openWindow(page, program);
  await page.getByRole('link', { name: 'Templates' }).click();
  await page.getByTestId(`template-card-${id}`).focus();
  await page.keyboard.press('Control+Enter');
  const dialog = dialogOf(page);
  const preview = dialog.getByTestId('render-preview');
  await expect(preview).toHaveAttribute('data-state', 'ready');
  const time = Number(await dialog.getByRole('slider').inputValue()) / 25;
  expect(time).toBeGreaterThan(2);
  expect(time).toBeLessThan(4);
  for (const [width, height] of [
    [1280, 700],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    await dialog.getByLabel('Line 14', { exact: true }).scrollIntoViewIfNeeded();
    await expect(dialog.getByLabel('Line 14', { exact: true })).toBeInViewport();
    await expect(preview).toBeInViewport({ ratio: 0.6 });
  }
});

test('files that are missing are named instead of “No errors”', async ({ page, program }) => {
  const photo = { type: 'image', name: 'Photo', dynamic: true, source: null };
  const logo = { type: 'image', name: 'Logo', dynamic: true, source: '/no/such/logo.png' };
  await openNewTemplate(page, program, { ...promo, elements: [...promo.elements, photo, logo] });
  await page.getByRole('button', { name: 'Render…' }).click();
  const dialog = dialogOf(page);
  await expect(dialog.getByTestId('render-missing')).toHaveText('2 files are missing: Logo, Photo');
  await expect(dialog).not.toContainText('No errors');
  // Also where the rest of the dialog has to be scrolled.
  for (const [width, height] of [
    [960, 600],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(dialog.getByTestId('render-missing')).toBeInViewport({ ratio: 1 });
  }
});
