/**
 * The window in other languages: the system's, a chosen one, and every page in each without a word of English that is
 * ours.
 */
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
  // Its letters come with the window: this computer may have no Japanese font.
  await expect(page.getByRole('radio', { name: '日本語' })).toBeVisible();
  const loaded = (): Promise<string[]> =>
    page.evaluate(() =>
      [...document.fonts]
        .filter(({ family, status }) => /Language Names/.test(family) && status === 'loaded')
        .map(({ unicodeRange }) => unicodeRange),
    );
  await expect.poll(async () => (await loaded()).sort()).toEqual(['U+65E5', 'U+672C', 'U+8A9E']);
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

test('Japanese has its own letters, breaks between phrases, and nothing is cut', async ({
  browser,
  program,
}) => {
  const japanese = await browser.newContext({ locale: 'ja-JP' });
  const page = await japanese.newPage();
  await page.setViewportSize({ width: 960, height: 700 });
  await page.goto(`${program.windowUrl}&page=queue`);
  const heading = page.getByRole('heading', { name: 'キュー', level: 1 });
  await expect(heading).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'ja');
  // A katakana word has no end of line inside.
  expect((await heading.boundingBox())!.height).toBeLessThan(34);
  const styles = await page.evaluate(() => {
    const { fontFamily, lineBreak, wordBreak } = getComputedStyle(document.body);
    return { fontFamily, lineBreak, wordBreak };
  });
  expect(styles).toMatchObject({ lineBreak: 'strict', wordBreak: 'auto-phrase' });
  const faces = ['Inter Variable', 'Hiragino Sans', 'Yu Gothic UI', 'Noto Sans CJK JP'];
  const shipped = 'Noto Sans JP Variable';
  for (const face of [...faces, shipped]) expect(styles.fontFamily).toContain(face);
  // Where the system has none, as in a small Linux, the window brings letters of its own.
  const loaded = await page.evaluate(
    async (face) => (await document.fonts.load(`16px "${face}"`, 'キュー')).length,
    shipped,
  );
  expect(loaded).toBeGreaterThan(0);

  for (const name of ['テンプレート', 'フィード', 'API', '設定', 'キュー']) {
    await page.getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
    // A box that is too narrow for its words pushes them out of itself.
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll('button, h1, h2, label, nav a')]
        .filter((box) => box.checkVisibility() && box.clientWidth > 1)
        .filter((box) => box.scrollWidth > box.clientWidth + 1)
        .map((box) => box.textContent),
    );
    expect({ name, cut }).toEqual({ name, cut: [] });
  }
  await japanese.close();
});

test('keys of an input method end no box and close no dialog', async ({ page, program }) => {
  await page.goto(program.windowUrl);
  await page.getByRole('link', { name: 'Templates' }).click();
  await page.keyboard.press('Control+k');
  const box = page.getByRole('dialog').getByRole('combobox');
  await box.fill('set');
  // As Chromium on macOS tells them while signs are still to be chosen.
  const compose = (key: string): Promise<void> =>
    box.evaluate((element, pressed) => {
      const options = { key: pressed, isComposing: true, bubbles: true, cancelable: true };
      element.dispatchEvent(new KeyboardEvent('keydown', options));
    }, key);
  await compose('Enter');
  await compose('Escape');
  await expect(box).toBeVisible();
  await expect(page.getByTestId('page-settings')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(box).toHaveCount(0);
});
