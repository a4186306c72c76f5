/** The window in other languages: the system's, a chosen one, and every page in each without a word of English that is ours. */
import { expect, test } from './program.ts';

test('the language is the system’s until one is chosen, for every window', async ({
  browser,
  page,
  program,
}) => {
  const german = await browser.newContext({ locale: 'de-AT' });
  const theirs = await german.newPage();
  await theirs.goto(program.windowUrl);
  await expect(theirs.getByRole('link', { name: 'Vorlagen' })).toBeVisible();
  await expect(theirs.locator('html')).toHaveAttribute('lang', 'de');

  await page.goto(program.windowUrl);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('radio', { name: 'Deutsch' }).check();
  await expect(page.getByRole('link', { name: 'Vorlagen' })).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Deutsch' })).toBeChecked();
  await page.getByRole('radio', { name: 'English' }).check();
  await expect(page.getByRole('link', { name: 'Templates' })).toBeVisible();
  // Chosen once, it counts on German systems too.
  await theirs.reload();
  await expect(theirs.getByRole('link', { name: 'Templates' })).toBeVisible();

  // The choice shows at once; other windows have it when it is stored.
  const stored = page.waitForResponse(
    (answer) => answer.url().endsWith('/api/preferences') && answer.request().method() !== 'GET',
  );
  await page.getByRole('radiogroup', { name: 'Language' }).getByText('As the system').click();
  await stored;
  await expect(page.getByRole('radio', { name: 'As the system' })).toBeChecked();
  await theirs.reload();
  await expect(theirs.getByRole('link', { name: 'Vorlagen' })).toBeVisible();
  await german.close();
});
