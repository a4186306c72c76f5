/** A feed of 10,000 rows and 20 columns, as the window imports it; what it costs is tested and measured with it. */
import { writeFileSync } from 'node:fs';
import { test, type Locator, type Page } from '@playwright/test';
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
  // From the disk, as people do: a file that the tests make inside the page leaves it 130 MB to clean up while it
  // scrolls.
  const file = test.info().outputPath('Large.csv');
  writeFileSync(file, table());
  await page.getByRole('link', { name: 'Feeds' }).click();
  await page.getByRole('button', { name: 'Import…' }).first().click();
  const begun = performance.now();
  const input = page.getByRole('dialog').locator('input[type=file]');
  await input.setInputFiles(file);
  await page.getByRole('button', { name: 'Import 10,000 rows' }).click();
  const grid = page.getByRole('grid', { name: 'Large' });
  await expect(grid.getByRole('gridcell', { name: 'Value 0 of 0' })).toBeVisible();
  return { grid, took: performance.now() - begun };
}
