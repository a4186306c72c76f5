/** The Templates page: what is stored is listed live, and rendered as it is. */
import { expect, openWindow, test } from './program.ts';
import { card } from './sources.ts';

test('a template appears as it is stored and renders with one press', async ({ page, program }) => {
  await openWindow(page, program);
  await page.getByRole('link', { name: 'Templates' }).click();
  await expect(page.getByTestId('page-templates')).toBeVisible();

  const { id } = await program.createTemplate({
    name: 'Quote card',
    tags: ['quote', 'card'],
    source: card('Less, but better', 800, 420),
  });
  const article = page.getByTestId(`template-card-${id}`);
  await expect(article).toContainText('Quote card');
  await expect(article).toContainText('png · 800×420');
  await expect(article).toContainText('quote');

  await article.getByRole('button', { name: 'Render Quote card' }).click();
  await page.getByTestId('toasts').getByRole('button', { name: 'Open' }).click();
  await expect(page.getByTestId('page-queue')).toBeVisible();
  const details = page.getByRole('region', { name: 'Render details' });
  await expect(details).toContainText('Quote card');
  const row = page.locator('[data-row]').filter({ hasText: 'Quote card' });
  await expect(row).toHaveAttribute('data-status', 'succeeded');
  await expect(row).toContainText('Template');
});

test('search finds templates by name and tag', async ({ page, program }) => {
  await program.createTemplate({
    name: 'Story',
    tags: ['vertical'],
    source: card('Story', 540, 960),
  });
  await openWindow(page, program);
  await page.getByRole('link', { name: 'Templates' }).click();
  await page.getByRole('textbox', { name: 'Search on this page' }).fill('vertical');
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(page.getByRole('article', { name: 'Story' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Search on this page' }).fill('no such thing');
  await expect(page.getByText('No templates match.')).toBeVisible();
});
