/** The Home page: what a person makes, edits and has made; and who begins with the queue instead. */
import { checkRules, lookAt } from './look.ts';
import { expect, test } from './program.ts';
import { card, titleFilm } from './sources.ts';

test('a new install begins with sizes and samples; a press makes a template and opens it', async ({
  page,
  own,
}) => {
  test.setTimeout(120_000);
  await page.goto(own.windowUrl);
  const home = page.getByTestId('page-home');
  await expect(home).toHaveAttribute('data-state', 'ready');
  await expect(page).toHaveTitle('Home – Framewright');
  await expect(page).toHaveURL(/page=home/);
  await expect(home.getByRole('heading')).toHaveText([
    'What do you want to make?',
    'Start from a sample',
  ]);
  // Two rows of them, the first with one of each family; those in sight are drawn.
  await expect(home.locator('.samples img').nth(3)).toBeVisible({ timeout: 30_000 });
  await expect(home.getByRole('button', { name: 'Channel intro' })).toBeVisible();
  await lookAt(page, 'home-new');

  await test.step('by keys, from tile to tile', async () => {
    await home.getByRole('button', { name: /^Reel(?!s)/ }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect(home.getByRole('button', { name: /^Square post/ })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('page-editor')).toHaveAttribute('data-state', 'ready');
    await expect(page.getByRole('textbox', { name: 'Template name' })).toBeFocused();
    await page.keyboard.type('Ridge square');
    await expect(page).toHaveTitle('Ridge square – Framewright');
    await page.keyboard.press('Control+s');
    await expect(page.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'false');
    await page.goBack();
  });

  await expect(home).toHaveAttribute('data-state', 'ready');
  const recent = home.getByRole('region', { name: 'Recent templates' }).getByRole('article');
  await expect(recent).toHaveCount(1);
  await expect(recent).toContainText('1080×1080');

  await test.step('a sample begins a template of its own', async () => {
    await home.getByRole('button', { name: 'Data card' }).click();
    await expect(page.getByTestId('page-editor')).toHaveAttribute('data-state', 'ready');
    // The one that came with the program, and the sample, stay what they are.
    await expect(page).toHaveTitle('Data card 2 – Framewright');
    await page.goBack();
    await expect(home).toHaveAttribute('data-state', 'ready');
    await expect(recent).toHaveCount(2);
  });

  await test.step('its own size in the dialog', async () => {
    await home.getByRole('button', { name: /^Custom size/ }).click();
    await expect(page.getByRole('dialog', { name: 'New template' })).toBeVisible();
    await page.keyboard.press('Escape');
  });
});

test('a person’s things come first; a card plays, a press opens it, and a file is watched', async ({
  page,
  own,
}) => {
  test.setTimeout(120_000);
  const { id } = await own.createTemplate({ name: 'Ridge reel', source: titleFilm('Ridge', 3) });
  await own.finished((await own.createRender(card('Autumn', 200, 100))).id);
  await page.goto(own.windowUrl);
  // A script has just asked for a render.
  await expect(page.getByTestId('page-queue')).toHaveAttribute('data-state', 'ready');
  await expect(page).toHaveURL(/page=queue/);
  await page.getByRole('link', { name: 'Home' }).click();

  const home = page.getByTestId('page-home');
  await expect(home.getByRole('heading', { level: 2 }).filter({ hasNotText: 'Ridge' })).toHaveText([
    'Recent templates',
    'Rendered last',
    'Start from a sample',
  ]);
  const reel = home.getByTestId(`template-card-${id}`);
  await expect(reel.locator('img')).toBeVisible();
  await lookAt(page, 'home');
  await page.setViewportSize({ width: 390, height: 844 });
  await checkRules(page, 'home at 390');
  await page.setViewportSize({ width: 1280, height: 800 });

  await test.step('what the pointer rests on plays', async () => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await expect(reel.locator('.card-field')).toHaveCSS('cursor', 'pointer');
    await reel.locator('.card-field').hover();
    await expect(reel.locator('canvas.front')).toBeVisible({ timeout: 20_000 });
    const sample = home.getByRole('button', { name: 'Channel intro' });
    await sample.hover();
    await expect(sample.locator('canvas.front')).toBeVisible({ timeout: 20_000 });
    await expect(reel.locator('canvas')).toHaveCount(0);
  });

  await test.step('the file', async () => {
    await home.getByRole('button', { name: 'Open Autumn' }).click();
    await expect(page.getByRole('dialog', { name: 'Autumn' }).getByTestId('result')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(home.getByRole('button', { name: 'Open Autumn' })).toBeFocused();
  });

  await test.step('the template, and back', async () => {
    await reel.locator('.card-field').click();
    await expect(page.getByTestId('page-editor')).toHaveAttribute('data-state', 'ready');
    await page.getByTestId('page-editor').getByRole('button', { name: 'Home' }).click();
    await expect(home).toHaveAttribute('data-state', 'ready');
  });
});
