/** Every page and dialog of the window but the editor, looked at in all sizes and themes; see look.ts. */
import type { Page } from '@playwright/test';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDrawn, lookAt } from './look.ts';
import { expect, openWindow, test } from './program.ts';
import { brokenCard, card, titleFilm } from './sources.ts';

// Each on a server of its own, so that two run at a time.
test.describe.configure({ mode: 'parallel' });

test('the queue and its dialogs', async ({ page, program }) => {
  test.setTimeout(420_000);
  await openWindow(page, program);
  await lookAt(page, 'empty');
  const finished = [
    await program.createRender(card('Autumn')),
    await program.createRender(card('Wide', 1200, 500, '#1864ab')),
    await program.createRender(brokenCard),
    await program.createRender(card('Tall', 540, 960, '#087f5b')),
    await program.createRender(titleFilm('Moving', 3)),
  ];
  for (const { id } of finished) await program.finished(id);
  const running = await program.createRender({
    ...titleFilm('Running', 1200),
    width: 1920,
    height: 1080,
  });
  for (const word of ['First', 'Second']) await program.createRender(titleFilm(word, 5));
  const rowOf = (id: string) => page.getByTestId(`render-row-${id}`);
  await expect(rowOf(running.id)).toHaveAttribute('data-status', 'rendering');
  // Its bar and its picture are there.
  await expect(rowOf(running.id).locator('img')).toBeVisible();
  await expect(page.getByTestId('toasts').locator('> *')).toHaveCount(0);
  // With the buttons that come with the pointer or the focus.
  await rowOf(running.id).focus();
  await lookAt(page, 'queue');
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Compact' }).click();
  await lookAt(page, 'queue-columns');
  await page.keyboard.press('Escape');
  await lookAt(page, 'queue-compact');
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Comfortable' }).click();
  await page.keyboard.press('Escape');

  const rows = { running: running.id, failed: finished[2]!.id, film: finished[4]!.id };
  const details = page.getByRole('region', { name: 'Render details' });
  for (const [name, id] of Object.entries(rows)) {
    await rowOf(id).click();
    await expect(details).toBeVisible();
    // A player shows its first frame, not the sign that it is loading.
    await page.waitForFunction(() =>
      [...document.querySelectorAll('video')].every((video) => video.readyState >= 2),
    );
    await isDrawn(page);
    await lookAt(page, `details-${name}`);
  }
  for (const tab of ['Log', 'Request', 'Webhook']) {
    await details.getByRole('tab', { name: tab }).click();
    await isDrawn(page);
    await lookAt(page, `details-${tab.toLowerCase()}`);
  }
  await details.getByRole('button', { name: 'Close details' }).click();

  await rowOf(finished[0]!.id).getByRole('checkbox').click();
  await rowOf(finished[1]!.id).getByRole('checkbox').click();
  await lookAt(page, 'queue-selected');
  await page
    .getByRole('group', { name: 'Selected renders' })
    .getByRole('button', { name: 'Clear' })
    .click();
  await rowOf(finished[0]!.id).click({ button: 'right' });
  await expect(page.getByRole('menu')).toBeVisible();
  await lookAt(page, 'queue-menu');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More actions for the queue' }).click();
  await page.getByRole('menuitem', { name: 'Remove finished…' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await lookAt(page, 'queue-remove');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('temp');
  await lookAt(page, 'palette');
  await page.keyboard.press('Escape');
  await page.keyboard.press('F1');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await lookAt(page, 'shortcuts');
});

test('templates, import and the Trash', async ({ page, program }) => {
  test.setTimeout(420_000);
  await openWindow(page, program);
  await program.createTemplate({
    name: 'Quote card',
    tags: ['quote'],
    source: card('Less, but better', 1200, 628, '#5f3dc4'),
  });
  const story = await program.createTemplate({
    name: 'A story with quite a long name',
    tags: ['vertical', 'promo'],
    source: card('Story', 540, 960, '#087f5b'),
  });
  await page.getByRole('link', { name: 'Templates' }).click();
  // Those in sight; the others are drawn when they come there.
  await expect(page.locator('article img').first()).toBeVisible();
  await expect
    .poll(() => page.locator('article img').count(), { timeout: 90_000 })
    .toBeGreaterThan(6);
  await lookAt(page, 'templates');
  await page.getByRole('button', { name: 'Show as a list' }).click();
  await expect(page.getByRole('button', { name: 'Show as cards' })).toBeVisible();
  await isDrawn(page);
  await lookAt(page, 'templates-list');
  await page.getByRole('button', { name: 'Show as cards' }).click();
  await page.getByRole('button', { name: 'New template' }).click();
  await expect(page.getByRole('menuitem', { name: 'Blank video' })).toBeVisible();
  await lookAt(page, 'templates-new');
  await page.keyboard.press('Escape');

  const chooser = page.waitForEvent('filechooser');
  await page.keyboard.press('Control+o');
  await page.getByRole('button', { name: 'Choose files…' }).click();
  await (
    await chooser
  ).setFiles([
    file('good.renderscript', {
      renderscript: 1,
      name: 'Product film',
      tags: ['shop'],
      source: { ...titleFilm('Hi', 3), elements: mediaElements },
    }),
    file('broken.json', brokenCard),
    { name: 'notes.json', mimeType: 'application/json', buffer: Buffer.from('Buy milk') },
  ]);
  await expect(page.getByText('is not valid JSON')).toBeVisible();
  await lookAt(page, 'import');
  await page.keyboard.press('Escape');

  await page.getByTestId(`template-card-${story.id}`).focus();
  await page.keyboard.press('F2');
  await expect(page.getByRole('dialog')).toBeVisible();
  await lookAt(page, 'rename');
  await page.keyboard.press('Escape');
  await page.getByTestId(`template-card-${story.id}`).focus();
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: 'Trash (1)' }).click();
  await expect(page.getByTestId(`trash-card-${story.id}`).locator('img')).toBeVisible();
  await lookAt(page, 'trash');
  await page.getByRole('button', { name: /for good/ }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await lookAt(page, 'question');
  await page.getByRole('button', { name: 'Cancel' }).click();
});

test('the API page and the settings', async ({ page, program }) => {
  test.setTimeout(240_000);
  await openWindow(page, program);
  const ask = (address: string, key = program.apiKey, method = 'GET'): Promise<Response> =>
    fetch(`${program.apiUrl}${address}`, { method, headers: { Authorization: `Bearer ${key}` } });
  // Only the requests of this test are to be seen.
  await page.getByRole('link', { name: 'API' }).click();
  await ask('/v2/templates');
  const grid = page.getByRole('grid', { name: 'Requests' });
  await expect(grid).toBeVisible();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(grid).toBeHidden();
  await ask('/v2/templates?tags=promo');
  await ask('/v2/renders/00000000-0000-0000-0000-000000000000');
  await ask('/v2/templates', 'a-wrong-key');
  await program.createRender(card('From a script'));
  await expect(grid.locator('[data-number]')).toHaveCount(4);
  await lookAt(page, 'api');
  await page.locator('[data-status-code="403"], [data-status-code="401"]').first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await lookAt(page, 'api-request');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByTestId('page-settings')).toHaveAttribute('data-state', 'ready');
  await page.getByLabel('Add a folder').fill('/no/such/folder');
  await page.getByLabel('Add a folder').press('Enter');
  await expect(page.getByText('Expected a folder, found none at')).toBeVisible();
  await lookAt(page, 'settings');
});

/** Lets requests wait. @returns what lets them go on. */
async function hold(page: Page, address: string): Promise<() => void> {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(address, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

test('what is still loading, what could not be loaded, what was not found', async ({
  page,
  own: program,
}) => {
  test.setTimeout(240_000);
  const pages = [
    { name: 'queue', link: 'Queue', address: '**/api/renders' },
    { name: 'templates', link: 'Templates', address: '**/api/templates' },
  ] as const;
  for (const { name, link, address } of pages) {
    await page.goto('about:blank');
    const release = await hold(page, address);
    await page.goto(program.windowUrl);
    await page.getByRole('link', { name: link }).click();
    await expect(page.getByTestId(`page-${name}`)).toHaveAttribute('data-state', 'loading');
    await lookAt(page, `${name}-loading`);
    release();
    await expect(page.getByTestId(`page-${name}`)).not.toHaveAttribute('data-state', 'loading');
    await page.route(address, (route) => route.fulfill({ status: 500, json: {} }));
    await page.goto('about:blank');
    await page.goto(program.windowUrl);
    await page.getByRole('link', { name: link }).click();
    await expect(page.getByTestId(`page-${name}`)).toHaveAttribute('data-state', 'error');
    await lookAt(page, `${name}-error`);
    await page.unroute(address);
  }

  await program.finished((await program.createRender(card('Found'))).id);
  await page.goto('about:blank');
  await openWindow(page, program);
  for (const { name, link } of pages) {
    await page.getByRole('link', { name: link }).click();
    await expect(page.getByTestId(`page-${name}`)).toHaveAttribute('data-state', 'ready');
    const search = page.getByRole('textbox', { name: /^Search/ }).or(page.getByRole('searchbox'));
    await search.first().fill('nothing is called so');
    await expect(page.locator('main').locator('article, [data-row]')).toHaveCount(0);
    await lookAt(page, `${name}-none-found`);
    await search.first().fill('');
  }
  await page.keyboard.press('Control+k');
  await page.keyboard.type('nothing is called so');
  await expect(page.getByText('Nothing found.')).toBeVisible();
  await lookAt(page, 'palette-none-found');
});

test('banners of what is missing', async ({ page, own }) => {
  test.setTimeout(240_000);
  await own.finished((await own.createRender(card('Before'))).id);
  const { id } = await own.createTemplate({ name: 'Kept', source: card('Kept', 64, 64) });

  const off = { state: 'off', reason: 'the worker ended (SIGKILL)' };
  await page.route('**/api/state', async (route) => {
    const answer = await route.fetch();
    const state = (await answer.json()) as object;
    await route.fulfill({ json: { ...state, renderer: off } });
  });
  await openWindow(page, own);
  await expect(page.getByTestId('banner-renderer')).toBeVisible();
  await lookAt(page, 'banner-renderer');
  await page.unroute('**/api/state');

  // The real fault: something stands where the folder was.
  const output = path.join(own.dataFolder, 'output');
  renameSync(output, `${output}-away`);
  writeFileSync(output, 'in the way');
  await page.goto('about:blank');
  await openWindow(page, own);
  await own.createRender(card('Waits', 64, 64));
  await expect(page.getByTestId('banner-folder')).toBeVisible();
  await lookAt(page, 'banner-folder');
  rmSync(output);
  renameSync(`${output}-away`, output);
  await page.getByTestId('banner-folder').getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByTestId('banner-folder')).toBeHidden();

  const store = path.join(own.dataFolder, 'store');
  renameSync(store, `${store}-away`);
  await page.getByRole('link', { name: 'Templates' }).click();
  await page.getByTestId(`template-card-${id}`).focus();
  await page.keyboard.press('Control+d');
  await expect(page.getByTestId('banner-store')).toBeVisible();
  await lookAt(page, 'banner-store');
  renameSync(`${store}-away`, store);
  await page.getByTestId('banner-store').getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByTestId('banner-store')).toBeHidden();

  await page.getByRole('link', { name: 'Queue' }).click();
  await own.stop();
  await expect(page.getByTestId('banner-lost')).toBeVisible();
  await lookAt(page, 'banner-lost');
  // The next test may have the same one.
  await own.start();
});

const mediaElements = [
  { type: 'video', source: 'media/clouds.mp4' },
  { type: 'image', source: 'https://example.com/shop.jpg' },
  { type: 'text', text: 'Hi' },
];

function file(name: string, content: object): { name: string; mimeType: string; buffer: Buffer } {
  return { name, mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(content)) };
}
