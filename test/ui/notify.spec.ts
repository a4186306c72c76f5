/** Notifications: the browser's, which a setting of the window turns on, and the switches of the desktop's. */
import { desktopBridge, firstSwitches, tell } from './desktop-stand-in.ts';
import { lookAt } from './look.ts';
import { expect, openWindow, test } from './program.ts';

test('an ended render is told while the window is in the background', async ({ page, own }) => {
  await page.addInitScript(() => {
    const told: string[] = [];
    class Stand {
      static permission = 'default';
      static requestPermission(): Promise<string> {
        Stand.permission = 'granted';
        return Promise.resolve('granted');
      }
      constructor(title: string) {
        told.push(title);
      }
      close(): void {}
    }
    Object.assign(window, { Notification: Stand, told });
    document.hasFocus = () => false;
  });
  await openWindow(page, own);
  const told = (): Promise<string[]> =>
    page.evaluate(() => (window as unknown as { told: string[] }).told);
  const picture = { output_format: 'png', width: 16, height: 16, elements: [] };
  const render = async (): Promise<void> => {
    const { id } = await own.createRender({ source: picture });
    await own.finished(id);
    await expect(page.locator('[data-row]').first()).toContainText('Done');
  };
  await render();
  expect(await told()).toEqual([]);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Notify me when a render has ended').check();
  await page.getByRole('link', { name: 'Queue' }).click();
  await render();
  await expect.poll(async () => (await told()).length).toBe(1);
});

test('the desktop’s notifications are switched in the window, found by search, reset, and follow the menu', async ({
  page,
  own,
}) => {
  await page.addInitScript(desktopBridge());
  await openWindow(page, own);
  await page.keyboard.press('Control+Comma');
  const card = page.getByRole('region', { name: 'Notifications' });
  const boxes = card.getByRole('checkbox');
  const names = [
    'When a render finishes',
    'When a batch finishes',
    'When something fails',
    'With sound',
  ];
  await expect(boxes).toHaveCount(names.length);
  const are = async (...expected: boolean[]): Promise<void> => {
    for (const [index, name] of names.entries()) {
      await expect(card.getByRole('checkbox', { name })).toBeChecked({ checked: expected[index]! });
    }
  };
  await are(true, true, true, false);
  await boxes.nth(1).focus();
  await page.keyboard.press('Space');
  await expect(page.getByRole('status').filter({ hasText: 'Saved' })).toBeVisible();
  await boxes.nth(3).check();
  await are(true, false, true, true);
  expect(await page.evaluate('window.stub.switches')).toMatchObject({
    notifyFinished: true,
    notifyBatches: false,
    notifyFailures: true,
    notifySound: true,
  });

  await tell(page, { type: 'switches', switches: { ...firstSwitches, notifyFailures: false } });
  await are(true, true, false, false);

  await page.getByPlaceholder('Search settings').fill('batch');
  await expect(card).toBeVisible();
  await lookAt(page, 'notifications');
  await expect(page.getByRole('region', { name: 'General' })).toHaveCount(0);
  await page.getByPlaceholder('Search settings').fill('');

  await page.getByRole('button', { name: 'Reset settings…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset' }).click();
  await are(true, true, true, false);
});
