/** Addresses, titles and the browser's way back; and who is told that a render has ended. */
import type { BrowserContext, Page } from '@playwright/test';
import { card } from './sources.ts';
import { expect, openWindow, test } from './program.ts';

test('pages have titles and addresses; back, forward and reload come to them', async ({
  page,
  program,
}) => {
  const { id } = await program.createTemplate({ name: 'Promo', source: card('Promo', 64, 64) });
  const { id: render } = await program.createRender(card('Made', 64, 64));
  await openWindow(page, program);
  await expect(page).toHaveTitle('Queue – Framewright');
  await page.getByRole('link', { name: 'Templates' }).click();
  await expect(page).toHaveTitle('Templates – Framewright');
  await page.getByTestId(`template-card-${id}`).click();
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-state', 'ready');
  await expect(page).toHaveTitle('Promo – Framewright');
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page).toHaveTitle('Settings – Framewright');

  await page.goBack();
  await expect(page.getByTestId('page-editor')).toHaveAttribute('data-state', 'ready');
  await page.goBack();
  await expect(page.getByTestId('page-templates')).toBeVisible();
  await page.goBack();
  await expect(page.getByTestId('page-queue')).toBeVisible();
  await page.goForward();
  await page.goForward();
  await expect(page).toHaveTitle('Promo – Framewright');
  await page.goForward();
  await page.reload();
  await expect(page.getByTestId('page-settings')).toHaveAttribute('data-state', 'ready');

  await page.getByRole('link', { name: 'Queue' }).click();
  await page.getByTestId(`render-row-${render}`).click();
  await page.reload();
  await expect(page.getByRole('region', { name: 'Render details' })).toBeVisible();
  // Details are no place to go back from: what was there before the queue is.
  await page.goBack();
  await expect(page.getByTestId('page-settings')).toBeVisible();
});

test('the Trash has an address, and links of the sidebar lead there in another tab', async ({
  page,
  program,
  context,
}) => {
  await openWindow(page, program);
  await page.getByRole('link', { name: 'Templates' }).click();
  await page.getByRole('button', { name: /^Trash/ }).click();
  await expect(page).toHaveTitle('Trash – Framewright');
  await page.reload();
  await expect(page.getByTestId('page-trash')).toBeVisible();
  await page.goBack();
  await expect(page).toHaveTitle('Templates – Framewright');
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Settings' }).click({ modifiers: ['Control'] });
  const second = await opened;
  // Playwright may miss how such a tab leaves about:blank, and waits for that without end: the tab itself is asked.
  await expect(async () => {
    const state = await second.evaluate(
      () => document.querySelector<HTMLElement>('[data-testid=page-settings]')?.dataset['state'],
    );
    expect(state).toBe('ready');
  }).toPass({ timeout: 45_000 });
  await expect(page.getByTestId('page-templates')).toBeVisible();
});

test('another token in the address loads the page anew', async ({ page, program }) => {
  await openWindow(page, program);
  await page.evaluate(() => {
    location.hash = '#token=another';
  });
  await expect(page.getByTestId('banner-token')).toBeVisible();
});

/** Another tab lies over the page. */
async function leave(page: Page, context: BrowserContext): Promise<Page> {
  const other = await context.newPage();
  await other.bringToFront();
  await page.evaluate(() => {
    // A browser without a screen shows every tab; only what it tells can be set.
    Object.defineProperty(document, 'hidden', { value: true, configurable: true });
    document.hasFocus = () => false;
    document.dispatchEvent(new Event('visibilitychange'));
  });
  return other;
}

test('who is elsewhere is told that a render has ended: toast, title, notification', async ({
  page,
  program,
  context,
}) => {
  await context.grantPermissions(['notifications']);
  await page.addInitScript(() => {
    const told: string[] = [];
    class Told {
      static readonly permission = 'granted';
      static requestPermission = () => Promise.resolve('granted');
      onclick = null;
      constructor(text: string) {
        told.push(text);
      }
      close(): void {
        told.pop();
      }
    }
    Object.assign(window, { Notification: Told, told });
  });
  await openWindow(page, program);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Notify me when a render has ended').check();
  const toasts = page.getByTestId('toasts');

  // On another page of a window that is looked at: a message, nothing else.
  const { id } = await program.createTemplate({ name: 'Far away', source: card('A', 64, 64) });
  await program.createRender({ template_id: id });
  await expect(toasts).toContainText('Far away – A is done');
  await expect(page).toHaveTitle('Settings – Framewright');

  await leave(page, context);
  await program.createRender({ template_id: id });
  await expect(page).toHaveTitle('Far away – A is done – Settings – Framewright');
  const told = (): Promise<unknown> => page.evaluate((): unknown => Reflect.get(window, 'told'));
  expect(await told()).toEqual(['Far away – A is done']);
  await program.createRender({ template_id: id });
  await expect(page).toHaveTitle('2 renders have ended – Settings – Framewright');

  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: false, configurable: true });
    document.hasFocus = () => true;
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect(page).toHaveTitle('Settings – Framewright');
  await toasts.getByRole('button', { name: 'View' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Show in the queue' }).click();
  await expect(page.getByRole('region', { name: 'Render details' })).toBeVisible();
});
