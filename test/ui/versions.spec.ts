/** Earlier versions of a template in the editor: seen beside the present state, named, deleted, restored and undone. */
import { openTemplate } from './editor-page.ts';
import { checkRules } from './look.ts';
import { expect, test, type Program } from './program.ts';
import { card } from './sources.ts';

/** A template that was saved with each of these words, the last one now. */
async function savedWith(program: Program, words: readonly string[]): Promise<string> {
  const [first = '', ...others] = words;
  const { id } = await program.createTemplate({ name: 'Leaves', source: card(first) });
  for (const word of others) await program.changeTemplate(id, { source: card(word) });
  return id;
}

test('a version is compared as pictures and text, named, restored, undone and deleted', async ({
  page,
  program,
}) => {
  const id = await savedWith(program, ['Spring', 'Summer', 'Autumn']);
  await openTemplate(page, program, id);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('versions');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Versions of “Leaves”' });
  const list = dialog.getByRole('radiogroup', { name: 'Versions' });
  await expect(list.getByRole('radio')).toHaveCount(2);
  await expect(list.getByRole('radio').first()).toBeChecked();
  for (const name of ['Picture of this version', 'Picture of what is in the editor']) {
    await expect(dialog.getByRole('img', { name })).toBeVisible();
  }
  await page.screenshot({ path: test.info().outputPath('pictures.png') });
  await checkRules(page, 'versions', '[role=dialog]');

  await dialog.getByRole('tab', { name: 'Text' }).click();
  const changed = dialog.getByRole('row', { name: /Summer/ });
  await expect(changed).toContainText('Autumn');
  await page.screenshot({ path: test.info().outputPath('text.png') });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.screenshot({ path: test.info().outputPath('text-dark.png') });
  await checkRules(page, 'versions', '[role=dialog]');

  // By keyboard: the radios of the list are one stop, arrows choose.
  await list.getByRole('radio').first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(dialog.getByRole('row', { name: /Spring/ })).toContainText('Autumn');
  await dialog.getByRole('button', { name: 'Name…' }).click();
  await page.getByRole('textbox', { name: 'Name of the version' }).fill('Approved');
  await page.keyboard.press('Enter');
  await expect(list.getByText('Approved')).toBeVisible();

  await dialog.getByRole('button', { name: 'Restore' }).click();
  await expect(dialog).toHaveCount(0);
  const field = page.getByRole('textbox', { name: 'Word' }).first();
  await expect(field).toHaveValue('Spring');
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'true');
  await page.getByRole('button', { name: 'Undo: Restore a version' }).click();
  await expect(field).toHaveValue('Autumn');
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'false');

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('versions');
  await page.keyboard.press('Enter');
  await expect(list.getByRole('radio')).toHaveCount(2);
  await list.getByText('Approved').click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(list.getByRole('radio')).toHaveCount(1);
  await expect(list.getByText('Approved')).toHaveCount(0);
});

test('27: tall pictures are shown whole', async ({ page, program }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const tall = { ...card('Tall'), width: 1080, height: 1920 };
  const { id } = await program.createTemplate({ name: 'Reel', source: tall });
  await program.changeTemplate(id, { source: { ...tall, height: 1910 } });
  await openTemplate(page, program, id);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('versions');
  await page.keyboard.press('Enter');
  const picture = page.getByRole('img', { name: 'Picture of this version' });
  await expect(picture).toBeVisible();
  const cut = await picture.evaluate((image) => {
    const [own, box] = [image, image.parentElement!].map((one) => one.getBoundingClientRect());
    return own!.bottom > box!.bottom + 1 || own!.top < box!.top - 1;
  });
  expect(cut).toBe(false);
});

test('a template that was never changed has no versions, and says what they will be', async ({
  page,
  program,
}) => {
  const id = await savedWith(program, ['Winter']);
  await openTemplate(page, program, id);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('versions');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toContainText('There are no earlier versions yet.');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
