/** Templates by keyboard: where the focus goes when what had it is gone, what is taken back, and what a row tells. */
import { desktopBridge } from './desktop-stand-in.ts';
import { expect, openWindow, test } from './program.ts';
import { brokenCard, card, titleFilm } from './sources.ts';

test('the focus is never lost', async ({ page, program }) => {
  for (const name of ['Third', 'Second', 'First']) {
    await program.createTemplate({ name, source: card(name, 300, 200) });
  }
  await openWindow(page, program);
  await page.getByRole('link', { name: 'Templates' }).click();
  const first = page.getByRole('article', { name: 'First', exact: true });
  await first.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-state', 'ready');
  await page.getByRole('button', { name: 'Templates' }).click();
  await expect(first).toBeFocused();

  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Move to Trash' }).click();
  const second = page.getByRole('article', { name: 'Second', exact: true });
  await expect(second).toBeFocused();
  await page.keyboard.press('Delete');
  await expect(page.getByRole('article', { name: 'Third', exact: true })).toBeFocused();

  await page.getByRole('button', { name: 'Trash (2)' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Trash', level: 1 })).toBeFocused();
  await page.getByRole('button', { name: 'Delete Second for good…' }).press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Restore First' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Trash is empty.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Trash', level: 1 })).toBeFocused();
  await page.getByRole('button', { name: 'Back to templates' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Templates', level: 1 })).toBeFocused();
});

test('one Undo for all: the last thing first, and its message goes', async ({ page, program }) => {
  const { id } = await program.createTemplate({ name: 'Undone', source: card('U', 300, 200) });
  const render = await program.createRender(card('Made', 300, 200));
  await program.finished(render.id);
  await openWindow(page, program);
  const row = page.getByTestId(`render-row-${render.id}`);
  await row.focus();
  await page.keyboard.press('Delete');
  await expect(row).toBeHidden();
  await page.getByRole('link', { name: 'Templates' }).click();
  const article = page.getByTestId(`template-card-${id}`);
  await article.focus();
  await page.keyboard.press('Delete');
  await expect(article).toBeHidden();
  const toasts = page.getByTestId('toasts');
  await expect(toasts).toContainText('“Undone” is in the Trash.');
  await page.keyboard.press('Control+z');
  await expect(article).toBeVisible();
  await expect(toasts).not.toContainText('is in the Trash.');
  await expect(toasts).toContainText('Removed 1 render.');
  await page.keyboard.press('Control+z');
  await expect(toasts).not.toContainText('Removed 1 render.');
  await page.getByRole('link', { name: 'Queue' }).click();
  await expect(row).toBeVisible();
});

test('a row tells format, size, length; a mark tells errors; tags are counted', async ({
  page,
  program,
}) => {
  const tags = Array.from({ length: 30 }, (_, n) => `label ${n}`);
  const film = await program.createTemplate({ name: 'Film', tags, source: titleFilm('F', 15) });
  const broken = await program.createTemplate({ name: 'Broken', source: brokenCard });
  await openWindow(page, program);
  await page.getByRole('link', { name: 'Templates' }).click();
  const article = page.getByTestId(`template-card-${film.id}`);
  await expect(article).toContainText(/mp4 · 640×360 · 15\s/);
  await expect(article).toContainText('+27');
  await expect(page.getByTestId(`template-card-${broken.id}`)).toContainText('It has errors');
  await expect(article).not.toContainText('It has errors');
  const heights = await page
    .getByRole('article')
    .evaluateAll((cards) => cards.map((one) => Math.round(one.getBoundingClientRect().height)));
  expect(Math.max(...heights)).toBeLessThan(310);

  // Any number of chosen tags leaves the page's buttons in sight.
  await page.getByRole('button', { name: 'Tags: all' }).click();
  for (const tag of tags.slice(0, 3)) {
    await page.getByRole('menuitemcheckbox', { name: `#${tag}`, exact: true }).click();
  }
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Tags: 3' })).toBeVisible();
  const toList = page.getByRole('button', { name: 'Show as a list' });
  await expect(toList).toBeInViewport({ ratio: 1 });

  await page.getByRole('button', { name: 'Sort: Updated' }).click();
  await expect(page.getByRole('menuitemradio', { name: 'Updated' })).toBeChecked();
  await page.getByRole('menuitemradio', { name: 'Name' }).click();
  await expect(page.getByRole('button', { name: 'Sort: Name' })).toBeVisible();

  await toList.click();
  for (const text of ['mp4', '640×360', /15\ss/]) await expect(article).toContainText(text);
  await expect(page.locator('.head .columns > span:visible')).toHaveText([
    ...['Name', 'Tags', 'Format', 'Size', 'Length', 'Updated', 'Renders'],
  ]);
  // Each value stands below its heading.
  const left = async (text: string | RegExp, within = page.locator('.head')): Promise<number> =>
    Math.round((await within.getByText(text, { exact: true }).boundingBox())!.x);
  for (const [head, value] of [
    ['Format', 'mp4'],
    ['Size', '640×360'],
    ['Length', /^15\ss$/],
  ] as const) {
    expect(Math.abs((await left(head)) - (await left(value, article)))).toBeLessThan(2);
  }
});

test('names and tags that are too long are told in the words of the window', async ({
  page,
  program,
}) => {
  const { id } = await program.createTemplate({ name: 'Short', source: card('S', 300, 200) });
  await openWindow(page, program);
  await page.getByRole('link', { name: 'Templates' }).click();
  const article = page.getByTestId(`template-card-${id}`);
  await article.focus();
  await page.keyboard.press('F2');
  const name = page.getByRole('textbox', { name: 'Template name' });
  await expect(name).toHaveAttribute('maxlength', '256');
  await page.keyboard.press('Escape');
  await article.focus();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Edit tags…' }).click();
  // Dots say that a dialog comes; it is there.
  await expect(page.getByRole('dialog')).toHaveAccessibleName(/^[^…]+$/);
  const tags = page.getByRole('textbox', { name: 'Tags' });
  await tags.fill(`ok, ${'x'.repeat(65)}`);
  await tags.press('Enter');
  await expect(page.getByText('has 65 letters. A tag has at most 64.')).toBeVisible();
  await tags.fill('ok, ok');
  await tags.press('Enter');
  await expect(article).toContainText('ok');

  // The same message again takes the place of the one before.
  for (let n = 0; n < 3; n++) {
    await article.focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Copy ID' }).click();
    await expect(page.getByTestId('toasts').getByText('Copied.')).toHaveCount(1);
  }
});

test('on the desktop the clipboard makes a template at once', async ({ page, program }) => {
  await page.addInitScript(desktopBridge());
  await openWindow(page, program);
  const file = { renderscript: 1, name: 'Copied', tags: ['kept'], source: card('C', 300, 200) };
  await page.evaluate((text) => {
    // The bridge of desktop-stand-in.ts.
    (window as unknown as { stub: { clipboard: string } }).stub.clipboard = text;
  }, JSON.stringify(file));
  await page.getByRole('link', { name: 'Templates' }).click();
  await page.getByRole('button', { name: 'New template' }).click();
  await page.getByRole('menuitem', { name: 'From the clipboard' }).click();
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-state', 'ready');
  await page.getByRole('button', { name: 'Templates' }).click();
  await expect(page.getByRole('article', { name: 'Copied' })).toContainText('kept');
});
