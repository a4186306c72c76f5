/**
 * A stand-in for the desktop's bridge (shared/desktop.ts): tells the page what Electron would, and notes what it asks.
 */
import type { Page } from '@playwright/test';
import type { CommandMenu } from '../../shared/commands.ts';
import type { DesktopMessage, DesktopSwitches } from '../../shared/desktop.ts';

/** The switches as they are at first, in a program that is not installed. */
export const firstSwitches: DesktopSwitches = {
  openAtLogin: null,
  keepRunning: false,
  notifyFinished: true,
  notifyBatches: true,
  notifyFailures: true,
  notifySound: false,
};

/**
 * A script that runs before the page's own, as the preload script does.
 * @param files paths that the dialogs for files and folders answer with, one after the other
 */
export function desktopBridge(files: readonly string[] = []): string {
  return `
    const menus = [];
    const run = [];
    const files = ${JSON.stringify(files)};
    const shown = [];
    const first = ${JSON.stringify(firstSwitches)};
    const switches = { ...first };
    const began = [];
    window.stub = { menus, run, shown, switches, began, hear: null, clipboard: '', isReady: false };
    const done = () => Promise.resolve();
    window.desktop = {
      showInFolder: (file) => { shown.push(structuredClone(file)); return done(); },
      showSetAside: (name) => { shown.push(name); return done(); },
      openFile: done,
      chooseFolder: (title, from) => { began.push(from); return Promise.resolve(files.shift() ?? null); },
      saveCopy: () => Promise.resolve(3),
      showCopy: (copy) => { shown.push({ copy }); return done(); },
      importTemplate: (archive, project) => { shown.push({ archive, project }); return Promise.reject(new Error('The file can’t be read.')); },
      chooseFile: (title, from) => { began.push(from); return Promise.resolve(files.shift() ?? null); },
      readClipboard: () => Promise.resolve(window.stub.clipboard),
      showCommands: (menu) => { menus.push(structuredClone(menu)); return Promise.resolve(); },
      run: (command) => { run.push(command); return Promise.resolve(); },
      readSwitches: () => Promise.resolve({ ...switches }),
      setSwitch: (name, on) => { switches[name] = on; return Promise.resolve({ ...switches }); },
      resetSwitches: () => { Object.assign(switches, first); return Promise.resolve({ ...switches }); },
      readyToClose: () => { window.stub.isReady = true; return done(); },
      listen: (hear) => { window.stub.hear = hear; return () => { window.stub.hear = null; }; },
    };
  `;
}

/** What the desktop says to the page. */
export async function tell(page: Page, message: DesktopMessage): Promise<void> {
  await page.evaluate(`window.stub.hear(${JSON.stringify(message)})`);
}

/** Commands that the page has, by what it said last; true for those that can be carried out. */
export async function told(page: Page): Promise<unknown> {
  return page.evaluate('window.stub.menus.at(-1)?.enabled');
}

/** The ticks and the changed keys of its commands, by what it said last. */
export async function toldMore(page: Page): Promise<Pick<CommandMenu, 'ticked' | 'keys'>> {
  return page.evaluate<CommandMenu>('window.stub.menus.at(-1)');
}

/** The files that the file manager was to show; a saved copy is always `{ copy: 3 }`. */
export async function shownFiles(page: Page): Promise<unknown> {
  return page.evaluate('window.stub.shown');
}

/** What the page asked the desktop to do itself. */
export async function ranByDesktop(page: Page): Promise<unknown> {
  return page.evaluate('window.stub.run');
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
