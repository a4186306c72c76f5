/** The search of the settings finds every setting by its own name, and what README says is in the settings is there. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, openWindow, test } from './program.ts';

test('every setting is found by its name', async ({ page, program }) => {
  await openWindow(page, program);
  await page.getByRole('link', { name: 'Settings' }).click();
  const shown = page.getByTestId('page-settings');
  await expect(shown).toHaveAttribute('data-state', 'ready');
  const names = await shown
    .locator('section:not(#settings-keyboard) label:not(:has(input[type=radio]))')
    .evaluateAll((labels) => [
      ...new Set(
        labels
          .map((label) => label.textContent.trim())
          .filter((name) => name !== '' && !name.startsWith('Add ')),
      ),
    ]);
  expect(names.length).toBeGreaterThan(15);
  const search = page.getByRole('textbox', { name: 'Search on this page' });
  for (const name of names) {
    await search.fill(name);
    const label = shown.locator(
      'section:not(#settings-keyboard) label:not(:has(input[type=radio]))',
      { hasText: name },
    );
    await expect(label.first(), name).toBeVisible();
  }
  // README speaks of these.
  const readme = readFileSync(path.resolve(import.meta.dirname, '../../README.md'), 'utf8');
  expect(readme).toMatch(/The settings name[\s\S]{0,60}whisper\.cpp/);
  await search.fill('speech model');
  await expect(page.getByRole('radiogroup', { name: 'Who recognises speech' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Speech models' })).toBeVisible();
  // A search opens what is folded.
  await search.fill('medium');
  await expect(page.getByRole('button', { name: 'Fetch Medium, compact' })).toBeVisible();
});
