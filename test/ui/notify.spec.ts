/** The browser's notifications, which a setting of the window turns on. */
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
