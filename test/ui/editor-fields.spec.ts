/**
 * The form and the outline of the editor in detail: a control for every kind of value, names that two elements share,
 * what a wrong value says, compositions that fold, and feeds that still have an element's old name.
 */
import type { Locator } from '@playwright/test';
import path from 'node:path';
import { fieldsOf, openNewTemplate, sourceOf } from './editor-page.ts';
import { promo } from './editor-sources.ts';
import { expect, test } from './program.ts';

const kinds = {
  ...promo,
  elements: [
    {
      type: 'text',
      name: 'Line',
      dynamic: true,
      text: 'One',
      fill_color: '#ffffff',
      opacity: '80%',
      font_size: '8 vmin',
      visible: true,
    },
    { type: 'image', name: 'Photo', dynamic: true, source: null, fit: 'cover' },
    { type: 'text', name: 'Line', dynamic: true, text: 'Two', y: '80%' },
  ],
};

test('every kind of value has its control, and writes what the source expects', async ({
  page,
  program,
}) => {
  await openNewTemplate(page, program, kinds);
  const form = fieldsOf(page);
  // Numbers keep their unit; arrow keys step within the bounds; a unit is chosen where there are several.
  const opacity = form.getByLabel('Line · Opacity');
  await expect(opacity).toHaveValue('80');
  await opacity.fill('95,5');
  await expect(sourceOf(page)).toContainText('"opacity": "95.5%"');
  await opacity.press('ArrowUp');
  await expect(sourceOf(page)).toContainText('"opacity": "96.5%"');
  await opacity.press('Shift+ArrowUp');
  await expect(sourceOf(page)).toContainText('"opacity": "100%"');
  await form.getByLabel('Unit of Line · Font size').selectOption('px');
  await expect(sourceOf(page)).toContainText('"font_size": "8 px"');
  await form.getByLabel('Line · Font size', { exact: true }).fill('9');
  await expect(sourceOf(page)).toContainText('"font_size": "9 px"');

  await form.getByRole('switch', { name: 'Line · Visible' }).click();
  await expect(sourceOf(page)).toContainText('"visible": false');
  await form.getByRole('combobox', { name: 'Photo · Fit' }).selectOption('contain');
  await expect(sourceOf(page)).toContainText('"fit": "contain"');

  // A colour that is not one yet stays in the same control, which says so.
  const color = form.getByLabel('Line · Fill', { exact: true });
  await color.click();
  await color.press('Control+a');
  await color.pressSequentially('#12', { delay: 150 });
  await expect(color).toBeFocused();
  await expect(color).toHaveAttribute('aria-invalid', 'true');
  await expect(color).toHaveAccessibleDescription(/Line\.fill_color: Expected a color/);
  await color.pressSequentially('3456');
  await expect(color).not.toHaveAttribute('aria-invalid');
  await expect(sourceOf(page)).toContainText('"fill_color": "#123456"');

  // Both elements of a name are listed, and the first control of each warns.
  await expect(form.getByLabel('Line', { exact: true })).toHaveCount(2);
  await expect(form.getByText('Several elements have this name')).toHaveCount(2);
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'true');
  await page.keyboard.press('Control+s');
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-dirty', 'false');

  // Whatever the control, it says what is wrong with its value.
  const wrong = [
    { type: 'image', name: 'Photo', dynamic: true, source: 12, fit: 'tight' },
    { type: 'text', name: 'Line', dynamic: true, text: 'x', visible: 'perhaps' },
  ];
  await sourceOf(page).fill(JSON.stringify({ ...kinds, elements: wrong }));
  for (const [label, why] of [
    ['Photo', /Photo\.source: Expected a string/],
    ['Photo · Fit', /Photo\.fit: Expected one of/],
    ['Line · Visible', /Line\.visible: Expected true or false/],
  ] as const) {
    const control = form.getByLabel(label, { exact: true });
    await expect(control).toHaveAttribute('aria-invalid', 'true');
    await expect(control).toHaveAccessibleDescription(why);
  }
});

test('a row is dragged to another depth and into a composition, each one step', async ({
  page,
  program,
}) => {
  // The composition shows from the beginning.
  const elements = promo.elements.map((one) =>
    one.name === 'Badge' ? { ...one, time: undefined } : one,
  );
  await openNewTemplate(page, program, { ...promo, elements });
  await page.getByRole('tab', { name: 'Outline' }).click();
  const tree = page.getByRole('tree', { name: 'Outline' });
  const rows = tree.getByRole('treeitem');
  const names = async (): Promise<string> =>
    (await rows.evaluateAll((all) => all.map((row) => row.ariaLabel?.split(',')[0]))).join(' ');
  const row = async (name: string): Promise<{ x: number; y: number }> => {
    const box = await tree.getByRole('treeitem', { name: new RegExp(`^${name},`) }).boundingBox();
    if (!box) throw new Error(`There is no row ${name}.`);
    return { x: box.x + 60, y: box.y + box.height / 2 };
  };
  const drag = async (name: string, to: string, by: number, seen: Locator): Promise<void> => {
    const [from, goal] = [await row(name), await row(to)];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(goal.x, goal.y + by, { steps: 6 });
    // Of the moves of a drag, the browser tells the last but one.
    await page.mouse.move(goal.x + 1, goal.y + by);
    await expect(seen).toBeVisible();
    const folder = process.env['LOOK_AT'];
    if (folder !== undefined) await page.screenshot({ path: path.join(folder, `${name}.png`) });
    await page.mouse.up();
  };
  const before = await names();
  expect(before).toBe('Badge Price Disc Title Ground');
  const line = page.getByTestId('outline-drop');
  await drag('Title', 'Badge', 0, tree.locator('.goal'));
  await expect.poll(names).toBe('Badge Title Price Disc Ground');
  const title = tree.getByRole('treeitem', { name: /^Title,/ });
  await expect(title).toHaveAttribute('aria-level', '2');
  await page.keyboard.press('Control+z');
  await expect.poll(names).toBe(before);
  await drag('Ground', 'Badge', -12, line);
  await expect.poll(names).toBe('Ground Badge Price Disc Title');
  await expect(line).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect.poll(names).toBe(before);
});

test('compositions fold, Enter leads into the source, selecting shows the element', async ({
  page,
  program,
}) => {
  const [ground, title, ...others] = promo.elements;
  const elements = [{ ...ground, track: 2 }, { ...title, track: 1 }, ...others];
  await openNewTemplate(page, program, { ...promo, elements });
  // Lower tracks first in the form, and in the outline what lies in front.
  await expect(fieldsOf(page).locator('label').first()).toHaveText('Title');
  await page.getByRole('tab', { name: 'Outline' }).click();
  const tree = page.getByRole('tree', { name: 'Outline' });
  await expect(tree.getByRole('treeitem')).toHaveText([
    /Badge/,
    /Price/,
    /Disc/,
    /Ground/,
    /Title/,
  ]);
  await tree.getByRole('treeitem', { name: /^Title/ }).click();
  // Alone on its track, it takes another one.
  await page.keyboard.press('Alt+ArrowUp');
  await expect(tree.getByRole('treeitem').last()).toHaveText(/Ground/);
  await page.keyboard.press('Alt+ArrowDown');
  await expect(tree.getByRole('treeitem').last()).toHaveText(/Title/);
  await tree.getByRole('treeitem', { name: /^Price/ }).click();
  await page.keyboard.press('Alt+ArrowDown');
  await expect(tree.getByRole('treeitem')).toHaveText([
    /Badge/,
    /Disc/,
    /Price/,
    /Ground/,
    /Title/,
  ]);
  await page.keyboard.press('Alt+ArrowUp');
  // The same from the palette, for the element that is chosen.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('rename element');
  await expect(page.getByRole('option', { selected: true })).toContainText('F2');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'New name of Price' })).toBeFocused();
  await page.keyboard.press('Escape');
  const badge = tree.getByRole('treeitem', { name: /^Badge, Composition/ });
  await badge.click();
  // It begins at one second, and is seen whole a second later.
  await expect(page.getByTestId('editor-preview')).toHaveAttribute('data-frame', '50');
  await expect(badge).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('ArrowLeft');
  await expect(badge).toHaveAttribute('aria-expanded', 'false');
  await expect(tree.getByRole('treeitem')).toHaveCount(3);
  await page.keyboard.press('ArrowRight');
  await expect(tree.getByRole('treeitem')).toHaveCount(5);
  await page.keyboard.press('ArrowRight');
  await expect(tree.getByRole('treeitem', { name: /^Price/ })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(tree.getByRole('treeitem', { name: /^Disc/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(sourceOf(page)).toBeFocused();
  await page.keyboard.type(' ');
  await page.keyboard.press('Control+z');
  await expect(page.getByText(/^Ln 4\d,/)).toBeVisible();
});

test('renaming an element names the feeds that still fill the old name', async ({
  page,
  program,
}) => {
  const id = await openNewTemplate(page, program, promo);
  const made = await page.evaluate(async (template) => {
    const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
    const headers = { 'x-framewright-token': token };
    const created = await fetch('/api/feeds?name=Autumn', {
      method: 'POST',
      headers,
      body: 'Title,Other\nHello,1\n',
    });
    const feed = (await created.json()) as { id: string };
    const mapped = await fetch(`/api/feeds/${feed.id}`, {
      method: 'PATCH',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ template }),
    });
    return mapped.status;
  }, id);
  expect(made).toBe(200);
  await page.getByRole('tab', { name: 'Outline' }).click();
  await page.getByRole('treeitem', { name: /^Title/ }).click();
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: 'New name of Title' }).fill('Headline');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('toasts')).toContainText('The feed “Autumn” still fills “Title”.');
});

test('files of the media library complete a source by their names', async ({ page, program }) => {
  await openNewTemplate(page, program, {
    ...promo,
    elements: [{ type: 'image', name: 'Photo', dynamic: true, source: '' }],
  });
  const added = await page.evaluate(async () => {
    const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
    const answer = await fetch('/api/media?name=sign.svg', {
      method: 'POST',
      headers: { 'x-framewright-token': token, 'content-type': 'application/octet-stream' },
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="20" height="10"/></svg>',
    });
    return (await answer.json()) as { source: string };
  });
  await page.getByText('"source"', { exact: true }).click();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Control+Space');
  const option = page.getByRole('listbox').getByRole('option', { name: /sign\.svg/ });
  await expect(option).toBeVisible();
  await option.click();
  await expect(sourceOf(page)).toContainText(`"source": "${added.source}"`);
  await expect(fieldsOf(page).getByLabel('Photo', { exact: true })).toHaveValue('sign.svg');
});
