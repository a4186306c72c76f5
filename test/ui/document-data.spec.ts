/** What the document has as a whole, in the inspector: its own fonts and its variables, each change one step. */
import { checkRules } from './look.ts';
import { openGroup, openInspected, pane, readOf, textOf } from './inspector-page.ts';
import { expect, test } from './program.ts';

const document = `{
  "output_format": "png", "width": 400, "height": 200,
  "variables": { "brand": "Acme",   "year": 2026 },
  "elements": [
    { "name": "Line", "type": "text", "text": "{{brand}}, {{ brand | none }} {{year}}", "fill_color": "#fff" }
  ]
}`;

test('fonts and variables of the document are added, changed and deleted, one step each', async ({
  page,
  program,
}) => {
  await openInspected(page, program, document);
  await openGroup(page, 'Data');
  const data = pane(page);
  const undo = page.getByRole('button', { name: /^Undo/ });
  const box = (name: string) => data.getByRole('textbox', { name, exact: true });

  await box('Name of the variable').first().fill('company');
  await box('Name of the variable').first().press('Tab');
  await expect
    .poll(async () => (await readOf(page)).elements[0]?.['text'])
    .toBe('{{company}}, {{ company | none }} {{year}}');
  await box('Value of year').fill('2030');
  await box('Value of year').press('Tab');
  // A number stays one.
  await expect
    .poll(async () => (await readOf(page))['variables'])
    .toEqual({ company: 'Acme', year: 2030 });
  await data.getByRole('button', { name: 'Add a variable' }).click();
  await data.getByRole('button', { name: 'Delete year' }).click();
  await expect
    .poll(async () => (await readOf(page))['variables'])
    .toEqual({ company: 'Acme', name: '' });

  await data.getByRole('button', { name: 'Add a font' }).click();
  await box('Family').fill('Brand Sans');
  await box('Family').press('Tab');
  await box('File').fill('media/brand.woff2');
  await box('File').press('Tab');
  await box('Weight').fill('700');
  await box('Weight').press('Tab');
  await data.getByRole('combobox', { name: 'Style' }).selectOption('italic');
  const font = {
    family: 'Brand Sans',
    source: 'media/brand.woff2',
    weight: '700',
    style: 'italic',
  };
  await expect.poll(async () => (await readOf(page))['fonts']).toEqual([font]);
  await checkRules(page, 'data of the document', '[data-testid=inspector]');
  await data.getByRole('button', { name: 'Add a font' }).scrollIntoViewIfNeeded();
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/data.png` });
  await box('Weight').fill('');
  await box('Weight').press('Tab');
  await expect
    .poll(async () => (await readOf(page))['fonts'])
    .not.toMatchObject([{ weight: '700' }]);
  await data.getByRole('button', { name: 'Delete Brand Sans' }).click();
  await expect.poll(async () => (await readOf(page))['fonts']).toEqual([]);
  // Four of the variables, seven of the fonts.
  for (let step = 0; step < 11; step += 1) await undo.click();
  expect(await textOf(page)).toBe(document);
});
