/** Settings ▸ Network: who reaches the API, under which names, and what documents reach in this computer's network. */
import type { Locator, Page } from '@playwright/test';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { lookAt } from './look.ts';
import { expect, openWindow, test, type Program } from './program.ts';

/** Whether something listens at another of this computer's addresses than the one that is told. */
function isOpenElsewhere({ apiUrl }: Program): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(Number(new URL(apiUrl).port), '127.0.0.2');
    const end = (open: boolean): void => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}

/** Status of a request that calls the API by a name. */
function askBy(name: string, { apiUrl, apiKey }: Program): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { host: name, authorization: `Bearer ${apiKey}` };
    const { port } = new URL(apiUrl);
    const asked = { hostname: '127.0.0.1', port, path: '/v2/templates', agent: false };
    const request = http.get({ ...asked, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.once('error', reject);
  });
}

async function openSettings(page: Page, program: Program): Promise<Locator> {
  await openWindow(page, program);
  await page.keyboard.press('Control+,');
  await expect(page.getByTestId('page-settings')).toHaveAttribute('data-state', 'ready');
  return page.getByRole('region', { name: 'Network' });
}

test('the API is opened to others after a question, with a warning that stays, and closed again', async ({
  page,
  own,
}) => {
  const card = await openSettings(page, own);
  const who = card.getByRole('radiogroup', { name: 'Who can reach the API' });
  const warning = card.getByTestId('settings-open');
  const question = page.getByRole('alertdialog', { name: 'Let other computers reach the API?' });
  await expect(who.getByRole('radio', { name: 'Only this computer' })).toBeChecked();
  await expect(card).toContainText('Allowed now, because only this computer can reach the API.');
  expect(await isOpenElsewhere(own)).toBe(false);

  await who.getByRole('radio', { name: 'All networks' }).click();
  await expect(question).toContainText('Only the API key then protects it');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(who.getByRole('radio', { name: 'Only this computer' })).toBeChecked();
  await expect(warning).toHaveCount(0);
  expect(await isOpenElsewhere(own)).toBe(false);

  await who.getByRole('radio', { name: 'All networks' }).click();
  await question.getByRole('button', { name: 'Let them reach it' }).click();
  await expect(warning).toContainText('Only the API key protects it');
  await expect(card).toContainText('Refused now, because other computers can reach the API.');
  expect(await isOpenElsewhere(own)).toBe(true);
  const reach = card.getByRole('radiogroup', { name: 'Media and webhooks' });
  await reach.getByRole('radio', { name: 'Always' }).check();
  await expect(warning).toContainText('fetch from its own network');

  const name = card.getByRole('textbox', { name: 'Add a name' });
  await name.fill('http://server.lan/');
  await name.press('Enter');
  await expect(name).toHaveAccessibleDescription(/names without http:/);
  expect(await askBy('server.lan', own)).toBe(403);
  await name.fill('server.lan');
  await name.press('Enter');
  await expect(card.getByRole('button', { name: 'Remove server.lan' })).toBeVisible();
  expect(await askBy('server.lan', own)).toBe(200);
  await lookAt(page, 'settings-network');

  // It holds over a reload, and over a start.
  await own.stop();
  await own.start(null);
  await page.reload();
  await expect(who.getByRole('radio', { name: 'All networks' })).toBeChecked();
  await expect(reach.getByRole('radio', { name: 'Always' })).toBeChecked();
  expect(await isOpenElsewhere(own)).toBe(true);

  await who.getByRole('radio', { name: 'One address' }).click();
  const address = card.getByRole('textbox', { name: 'Address of this computer' });
  await expect(address).toBeFocused();
  // Of no computer: what was in force stays.
  await address.fill('203.0.113.9');
  await address.press('Enter');
  await expect(address).toHaveAccessibleDescription(/203\.0\.113\.9/);
  expect(await isOpenElsewhere(own)).toBe(true);
  await address.fill('127.0.0.1');
  await address.press('Enter');
  await expect(warning).toHaveCount(0);
  expect(await isOpenElsewhere(own)).toBe(false);
});

test('what was set at the start is shown as such, and can be added to', async ({ page, own }) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'framewright-media-'));
  await own.stop();
  await own.start(0, false, [
    ...['--host', '0.0.0.0', '--allow-host', 'box.lan'],
    ...['--media', folder],
  ]);
  const card = await openSettings(page, own);
  const who = card.getByRole('radiogroup', { name: 'Who can reach the API' });
  await expect(who.getByRole('radio', { name: 'All networks' })).toBeChecked();
  await expect(who.getByRole('radio', { name: 'All networks' })).toBeDisabled();
  await expect(who).toHaveAccessibleDescription(/^Set when the program was started/);
  await expect(card.getByTestId('settings-open')).toContainText('API at http://box.lan:');

  const names = card.getByRole('list', { name: 'Names the API answers to' });
  await expect(names.getByRole('listitem')).toHaveText(
    /box\.lan\s*set when the program was started/,
  );
  const name = card.getByRole('textbox', { name: 'Add a name' });
  await name.fill('more.lan');
  await name.press('Enter');
  await expect(names.getByRole('listitem')).toHaveCount(2);
  await expect(names.getByRole('button')).toHaveAccessibleName('Remove more.lan');
  for (const one of ['box.lan', 'more.lan']) expect(await askBy(one, own)).toBe(200);

  const sources = page.getByRole('region', { name: 'Sources' });
  const folders = sources.getByRole('list', { name: 'Media folders' });
  await expect(folders).toContainText(folder);
  await expect(folders.getByRole('button')).toHaveCount(0);
  rmSync(folder, { recursive: true });
});
