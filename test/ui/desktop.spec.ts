/** The page with a desktop around it: a stand-in for the bridge tells it what Electron would, and notes what it asks. */
import { expect, openWindow, test } from './program.ts';
import { card } from './sources.ts';
import type { DesktopMessage } from '../../shared/desktop.ts';
import type { Page } from '@playwright/test';

/** Runs before the page's own scripts, as the preload script does. */
const bridge = `
  const states = [];
  window.stub = { states, hear: null };
  const done = () => Promise.resolve();
  window.desktop = {
    showInFolder: done, openFile: done, saveCopy: done, chooseFolder: done, chooseFile: done,
    showCommands: (given) => { states.push(given); return Promise.resolve(); },
    listen: (hear) => { window.stub.hear = hear; return () => { window.stub.hear = null; }; },
  };
`;

/** What the desktop says to the page. */
async function tell(page: Page, message: DesktopMessage): Promise<void> {
  await page.evaluate(`window.stub.hear(${JSON.stringify(message)})`);
}

/** The last that the page said about its commands. */
async function states(page: Page): Promise<unknown> {
  return page.evaluate('window.stub.states.at(-1)');
}

test('links, opened files and menu commands only show, and do what the page can', async ({
  page,
  program,
}) => {
  await page.addInitScript(bridge);
  const template = await program.createTemplate({ name: 'Card', source: card('Card', 200, 200) });
  await openWindow(page, program);
  await expect
    .poll(() => states(page))
    .toMatchObject({
      'go-templates': true,
      palette: true,
      'render-again': false,
    });

  await tell(page, { type: 'command', command: 'go-templates' });
  await expect(page.getByTestId('page-templates')).toBeVisible();
  await tell(page, { type: 'command', command: 'palette' });
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');

  await tell(page, { type: 'show-template', id: template.id });
  await expect(page.getByTestId('page-editor')).toBeVisible();

  const text = JSON.stringify(card('From a file', 100, 100));
  const files = [{ name: 'opened.renderscript', text }];
  await tell(page, { type: 'import-files', files });
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('It reads no files and no addresses');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('article', { name: 'Opened' })).toHaveCount(0);

  const { id } = await program.createRender({ source: card('Now', 64, 64) });
  await tell(page, { type: 'show-render', id });
  await expect(page.getByRole('region', { name: 'Render details' })).toBeVisible();
  await expect.poll(() => states(page)).toMatchObject({ 'render-again': true, 'open-file': true });
  await expect(page.locator('[data-row]')).toHaveCount(1);
  await tell(page, { type: 'command', command: 'render-again' });
  await expect(page.locator('[data-row]')).toHaveCount(2);
});
