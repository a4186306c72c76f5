/** A stand-in for the desktop's bridge (shared/desktop.ts): tells the page what Electron would, and notes what it asks. */
import type { Page } from '@playwright/test';
import type { DesktopMessage } from '../../shared/desktop.ts';

/**
 * A script that runs before the page's own, as the preload script does.
 * @param files paths that the file dialog answers with, one after the other
 */
export function desktopBridge(files: readonly string[] = []): string {
  return `
    const states = [];
    const files = ${JSON.stringify(files)};
    window.stub = { states, hear: null };
    const done = () => Promise.resolve();
    window.desktop = {
      showInFolder: done, openFile: done, saveCopy: done, chooseFolder: done,
      chooseFile: () => Promise.resolve(files.shift() ?? null),
      showCommands: (given) => { states.push(given); return Promise.resolve(); },
      listen: (hear) => { window.stub.hear = hear; return () => { window.stub.hear = null; }; },
    };
  `;
}

/** What the desktop says to the page. */
export async function tell(page: Page, message: DesktopMessage): Promise<void> {
  await page.evaluate(`window.stub.hear(${JSON.stringify(message)})`);
}

/** The last that the page said about its commands. */
export async function told(page: Page): Promise<unknown> {
  return page.evaluate('window.stub.states.at(-1)');
}

/** Changes settings as the Settings page does. */
export async function changeSettings(page: Page, settings: object): Promise<void> {
  await page.evaluate(async (body) => {
    const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
    const response = await fetch('/api/settings', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', 'x-framewright-token': token },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
  }, settings);
}
