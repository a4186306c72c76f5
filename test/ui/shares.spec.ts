/**
 * Templates as one file: saved from the card's menu, with what is missing said; imported by choosing and by dropping.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { unzipSync } from 'fflate';
import { checkRules } from './look.ts';
import { expect, openWindow, test, type Program } from './program.ts';
import { desktopBridge, shownFiles, tell } from './desktop-stand-in.ts';

const photo = path.resolve(import.meta.dirname, '../fixtures/photo.jpg');

/** A template that shows a photo of the library, and one that is gone. */
async function createPostcard(program: Program): Promise<string> {
  const { origin, hash } = new URL(program.windowUrl);
  const token = hash.replace('#token=', '');
  const answer = await fetch(`${origin}/api/media?name=photo.jpg`, {
    method: 'POST',
    headers: { 'x-framewright-token': token },
    body: new Uint8Array(readFileSync(photo)),
  });
  const { source: address } = (await answer.json()) as { source: string };
  const { id } = await program.createTemplate({
    name: 'Postcard',
    tags: ['summer'],
    source: {
      output_format: 'jpg',
      width: 400,
      height: 300,
      elements: [
        { type: 'image', source: address },
        { type: 'image', source: 'stamps/gone.png', width: '20%', x: '85%', y: '20%' },
      ],
    },
  });
  return id;
}

test('a template is saved with its files and imported again, by choosing and by dropping', async ({
  page,
  own,
}, info) => {
  const id = await createPostcard(own);
  await openWindow(page, own);
  await page.getByRole('link', { name: 'Templates' }).click();
  const card = page.getByTestId(`template-card-${id}`);
  // By keyboard alone.
  await card.focus();
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Share with its files…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Share “Postcard”' });
  await expect(dialog).toContainText('One file with the template and 1 file that it uses');
  const missing = dialog.getByRole('region', { name: '1 file is not in it' });
  await expect(missing).toContainText('stamps/gone.png');
  await expect(missing).toContainText('The file does not exist');
  await checkRules(page, 'shares', '[role=dialog]');
  await expect(dialog.getByRole('button', { name: 'Save file' })).toBeFocused();
  const saving = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('Postcard.framewright');
  await expect(dialog).toBeHidden();
  const file = info.outputPath('Postcard.framewright');
  await saved.saveAs(file);
  const parts = unzipSync(readFileSync(file));
  expect(Object.keys(parts)).toContain('files/1-photo.jpg');
  expect(Buffer.from(parts['files/1-photo.jpg']!).equals(readFileSync(photo))).toBe(true);

  await page.keyboard.press('Control+o');
  const bad = info.outputPath('Bad.framewright');
  writeFileSync(bad, readFileSync(file).subarray(0, 3_000));
  const choosing = page.waitForEvent('filechooser');
  const importing = page.getByRole('dialog', { name: 'Import templates' });
  await importing.getByRole('button', { name: 'Choose files…' }).click();
  await (await choosing).setFiles([file, bad]);
  await expect(importing).toContainText('A template with its files');
  await importing.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(importing.getByRole('region', { name: 'Postcard.framewright' })).toContainText(
    'Imported with 1 file.',
  );
  await expect(importing).toContainText('stamps/gone.png: The file does not exist');
  await expect(importing.getByRole('region', { name: 'Bad.framewright' })).toContainText(
    'it is no zip archive, or was cut off',
  );
  await checkRules(page, 'shares', '[role=dialog]');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('article', { name: 'Postcard' })).toHaveCount(2);

  const content = readFileSync(file).toString('base64');
  await page.evaluate((text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], 'Dropped.framewright'));
    document.body.dispatchEvent(
      new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }),
    );
  }, content);
  await expect(importing.getByRole('region', { name: 'Dropped.framewright' })).toBeVisible();
  await importing.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(importing).toContainText('Imported with 1 file.');
  await importing.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('article', { name: 'Postcard' })).toHaveCount(3);
});

test('one that the desktop opened is sent by the desktop, which says why it can not', async ({
  page,
  program,
}) => {
  await page.addInitScript(desktopBridge());
  await openWindow(page, program);
  const opened = { name: 'Holiday.framewright', size: 12_300_000, archive: 4, kit: [] };
  await tell(page, { type: 'import-files', files: [opened] });
  const dialog = page.getByRole('dialog', { name: 'Import templates' });
  await expect(dialog).toContainText('A template with its files, 12 MB.');
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(dialog).toContainText('The file can’t be read.');
  expect(await shownFiles(page)).toEqual([{ archive: 4, project: 'default' }]);
});

test('several are ticked as in a file manager and go as a kit, of which some are imported', async ({
  page,
  own,
}, info) => {
  const ids: string[] = [];
  for (const name of ['Third', 'Second', 'First']) {
    const source = { output_format: 'png', width: 80, height: 80, elements: [] };
    ids.unshift((await own.createTemplate({ name, source })).id);
  }
  await openWindow(page, own);
  await page.getByRole('link', { name: 'Templates' }).click();
  const card = (index: number): Locator => page.getByTestId(`template-card-${ids[index]}`);
  await card(0).hover();
  await card(0).getByRole('checkbox', { name: 'Select First' }).click();
  await card(2).click({ modifiers: ['Shift'], position: { x: 60, y: 20 } });
  const bar = page.getByRole('group', { name: 'Selected templates' });
  await expect(bar).toContainText('3 selected');
  await card(1).click({ modifiers: ['ControlOrMeta'], position: { x: 60, y: 20 } });
  await expect(bar).toContainText('2 selected');
  await card(1).focus();
  await page.keyboard.press('Space');
  await expect(bar).toContainText('3 selected');
  await checkRules(page, 'shares-kit', '[data-testid=page-templates]');
  await bar.getByRole('button', { name: 'Export as kit…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export 3 templates as a kit' });
  const saving = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save file' }).click();
  const file = info.outputPath('Three.framewright');
  await (await saving).saveAs(file);
  await expect(dialog).toBeHidden();

  await page.keyboard.press('Control+o');
  const imports = page.getByRole('dialog', { name: 'Import templates' });
  await imports.locator('input[type=file]').setInputFiles(file);
  await expect(imports).toContainText('A kit with 3 templates');
  await checkRules(page, 'shares-kit-import', '[role=dialog]');
  await imports.getByRole('checkbox', { name: 'Import Second' }).click();
  await imports.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(imports).toBeHidden();
  for (const name of ['First 2', 'Third 2'])
    await expect(page.getByRole('article', { name, exact: true })).toBeVisible();
  await expect(page.getByRole('article', { name: 'Second 2' })).toHaveCount(0);
});
