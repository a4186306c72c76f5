import { expect, test } from '@playwright/test';
import { startFramewright, type TestServer } from 'framewright/testing';

let framewright: TestServer;
test.beforeAll(async () => {
  framewright = await startFramewright();
});
test.afterAll(() => framewright.stop());

test('what a program stores is there for people', async ({ page }) => {
  await framewright.client.templates.create({
    name: 'Card',
    source: { output_format: 'png', elements: [{ type: 'text', text: 'Hello' }] },
  });
  await page.goto(framewright.windowUrl);
  await page.getByRole('link', { name: 'Templates' }).click();
  await expect(page.getByText('Card', { exact: true })).toBeVisible();
});
