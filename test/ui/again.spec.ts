/** A server that is killed and started again, while a page is open that someone types into. */
import { fieldsOf, openNewTemplate, titleOf } from './editor-page.ts';
import { promo } from './editor-sources.ts';
import { expect, test } from './program.ts';

test('an open page finds a server that was killed and started again, with what was typed meanwhile', async ({
  page,
  own,
}) => {
  const id = await openNewTemplate(page, own, promo);
  const address = own.windowUrl;
  await own.kill();
  await expect(page.getByTestId('banner-lost')).toBeVisible();
  await titleOf(page).fill('Typed while nobody answered');
  await own.start();
  expect(own.windowUrl).toBe(address);
  await expect(page.getByTestId('banner-lost')).toBeHidden();
  await expect(titleOf(page)).toHaveValue('Typed while nobody answered');
  await expect(fieldsOf(page)).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'false');
  const stored = await fetch(`${own.apiUrl}/v2/templates/${id}`, {
    headers: { Authorization: `Bearer ${own.apiKey}` },
  });
  expect(await stored.text()).toContain('Typed while nobody answered');
  // A reload comes back to the same template, at the same address.
  await page.reload();
  await expect(titleOf(page)).toHaveValue('Typed while nobody answered');
});
