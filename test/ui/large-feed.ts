/** A feed of 10,000 rows and 20 columns, as the window imports it; what it costs is tested and measured with it. */
import type { Locator, Page } from '@playwright/test';
import { expect } from './program.ts';

const columns = 20;
const rows = 10_000;

/** The table as text, about 3 MB. */
function table(): Buffer {
  const line = (value: (column: number) => string): string =>
    Array.from({ length: columns }, (_, column) => value(column)).join(',');
  const lines = Array.from({ length: rows }, (_, row) => line((at) => `Value ${row} of ${at}`));
  return Buffer.from(`${[line((at) => `Column ${at}`), ...lines].join('\n')}\n`);
}

/**
 * Imports it on the Feeds page of an open window.
 * @returns its grid, and the milliseconds until the first value was to be seen, with those that the tests' clicks take
 */
export async function importLargeFeed(page: Page): Promise<{ grid: Locator; took: number }> {
  const buffer = table();
  await page.getByRole('link', { name: 'Feeds' }).click();
  await page.getByRole('button', { name: 'Import…' }).first().click();
  const begun = performance.now();
  const input = page.getByRole('dialog').locator('input[type=file]');
  await input.setInputFiles({ name: 'Large.csv', mimeType: 'text/csv', buffer });
  await page.getByRole('button', { name: 'Import 10,000 rows' }).click();
  const grid = page.getByRole('grid', { name: 'Large' });
  await expect(grid.getByRole('gridcell', { name: 'Value 0 of 0' })).toBeVisible();
  return { grid, took: performance.now() - begun };
}
