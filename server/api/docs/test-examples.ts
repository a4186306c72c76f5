/** The examples of framewright/testing, word for word those that the tests run: a test compares them. */

/** With Vitest. */
export const vitestExample = `
import { startFramewright, type TestServer } from 'framewright/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

let framewright: TestServer;
beforeAll(async () => {
  framewright = await startFramewright();
});
afterAll(() => framewright.stop());

test('a card is made of the template, with the name on it', async () => {
  const { client } = framewright;
  const card = await client.templates.create({
    name: 'Card',
    source: {
      output_format: 'png',
      width: 1200,
      height: 630,
      elements: [{ type: 'text', name: 'Name', text: 'Nobody' }],
    },
  });
  const render = await client.render({
    template_id: card.id,
    modifications: { Name: 'Ada' },
  });
  expect(render).toMatchObject({ status: 'succeeded', width: 64 });
  expect((await client.renders.download(render)).length).toBeGreaterThan(100);
});
`;

/** With Playwright. */
export const playwrightExample = `
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
`;
