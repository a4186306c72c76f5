/**
 * The desktop around the real server, with its page in a real Chromium: what that tells of loading and navigating is
 * told to the shell as Electron tells it, the built preload script runs in the page, and the menu must be heard all the
 * time. Needs dist/.
 */
import { chromium, type Browser, type Page } from '@playwright/test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findChromium } from '../chromium.mjs';
import * as electron from './electron-stand-in.ts';

vi.mock('electron', () => electron.electronModule);
vi.mock('electron-store', () => ({ default: electron.Store }));

const executablePath = findChromium();
const preload = path.join(import.meta.dirname, '../../dist/main/preload.cjs');
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'];

/** Runs the preload script beside the page, with what Electron gives it. */
const preloadInPage = `{
  const hearers = new Map();
  window.fromDesktop = (channel, message) => {
    for (const hear of hearers.get(channel) ?? []) hear({}, message);
  };
  const ipcRenderer = {
    invoke: (...values) => window.toDesktop(...values),
    on(channel, hear) {
      hearers.set(channel, [...(hearers.get(channel) ?? []), hear]);
      return ipcRenderer;
    },
    removeAllListeners(channel) {
      hearers.delete(channel);
      return ipcRenderer;
    },
  };
  const contextBridge = { exposeInMainWorld: (name, value) => (window[name] = value) };
  const preload = (require) => {
    ${readFileSync(preload, 'utf8')}
  };
  preload(() => ({ contextBridge, ipcRenderer }));
}`;

/** What Chromium told of the main frame, in Electron's words. */
const told: string[] = [];

/** Lets the window of the shell be a page of the browser. */
async function connect(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.enable');
  const contentsOf = (): electron.BrowserWindow['webContents'] =>
    electron.BrowserWindow.opened[0]!.webContents;
  const tell = (name: string, ...values: unknown[]): void => {
    told.push(name);
    contentsOf().emit(name, ...values);
  };
  const { frameTree } = await devtools.send('Page.getFrameTree');
  const isMain = (id: string): boolean => id === frameTree.frame.id;
  // As electron_api_web_contents.cc makes its events of what Chromium says.
  devtools.on('Page.frameStartedLoading', ({ frameId }) => {
    if (isMain(frameId)) tell('did-start-loading');
  });
  devtools.on('Page.frameStoppedLoading', ({ frameId }) => {
    if (isMain(frameId)) tell('did-stop-loading');
  });
  devtools.on('Page.frameNavigated', ({ frame: { id, url } }) => {
    if (isMain(id)) tell('did-navigate', {}, url, 200, 'OK');
  });
  devtools.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
    if (isMain(frameId)) tell('did-navigate-in-page', {}, url, true, 1, 1);
  });
  await page.exposeFunction('toDesktop', (channel: string, ...values: unknown[]) => {
    const contents = contentsOf();
    const from = { sender: contents, senderFrame: contents.mainFrame };
    return electron.handlers.get(channel)?.(from, ...values);
  });
  await page.addInitScript(preloadInPage);
  electron.BrowserWindow.prototype.loadURL = async function (url) {
    this.webContents.mainFrame.origin = new URL(url).origin;
    this.webContents.send = (channel, message) => {
      const words = [channel, message].map((value) => JSON.stringify(value));
      return page.evaluate(`window.fromDesktop(${words.join(', ')})`).catch(() => undefined);
    };
    await page.goto(url);
    this.emit('ready-to-show');
  };
}

describe.skipIf(executablePath === undefined)('the page in Chromium', () => {
  let browser: Browser;
  let page: Page;
  let folder: string;
  const before = new Map(signals.map((name) => [name, process.listeners(name as NodeJS.Signals)]));

  beforeEach(async () => {
    electron.forget();
    vi.resetModules();
    told.length = 0;
    folder = mkdtempSync(path.join(tmpdir(), 'framewright-page-'));
    vi.stubEnv('FRAMEWRIGHT_DATA', path.join(folder, 'data'));
    vi.stubEnv('FRAMEWRIGHT_OUTPUT', path.join(folder, 'output'));
    vi.stubEnv('FRAMEWRIGHT_PORT', '0');
    electron.UtilityChild.areReady = true;
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await connect(page);
    await import('../../main/index.ts');
    await page.locator('html[data-app="ready"]').waitFor();
  });

  afterEach(async () => {
    if (!electron.asked.includes('quit')) electron.powerMonitor.emit('shutdown');
    await vi.waitFor(() => expect(electron.asked).toContain('quit'), { timeout: 20_000 });
    await browser.close();
    for (const [name, old] of before) {
      for (const listener of process.listeners(name as NodeJS.Signals)) {
        if (!old.includes(listener)) process.removeListener(name, listener as () => void);
      }
    }
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A command of the application menu, once the page has said that it has it. */
  const choose = async (id: string): Promise<void> => {
    const item = await vi.waitFor(() => {
      const found = electron.Menu.current?.getMenuItemById(id);
      if (found?.enabled !== true) throw new Error(`the menu has no ${id}`);
      return found;
    });
    item.click?.({ checked: false });
  };
  const openFirstTemplate = async (): Promise<void> => {
    await page.getByRole('article').first().dblclick();
    await page.locator('[data-testid="page-editor"][data-state="ready"]').waitFor();
  };

  test('hears the menu however often templates were opened and closed, and is asked before the end', async () => {
    await choose('go-templates');
    for (let round = 0; round < 2; round++) {
      await page.getByTestId('page-templates').waitFor();
      await openFirstTemplate();
      await page.goBack();
      await page.getByTestId('page-templates').waitFor();
      await openFirstTemplate();
      await choose('go-queue');
      await page.getByTestId('page-queue').waitFor();
      await choose('go-templates');
    }
    // Chromium says that it loads although the document stays: the shell must not take that for a new one.
    const since = told.slice(told.indexOf('did-stop-loading') + 1);
    expect(since).toContain('did-start-loading');
    expect(since).not.toContain('did-navigate');

    // A page that loads anew is heard again, too.
    await page.reload();
    await page.locator('html[data-app="ready"]').waitFor();
    expect(told.filter((name) => name === 'did-navigate')).toHaveLength(2);
    await choose('go-queue');
    await page.getByTestId('page-queue').waitFor();

    const ready = page.evaluate(`new Promise((resolve) => {
      const { readyToClose } = window.desktop;
      window.desktop.readyToClose = () => readyToClose().then(resolve, resolve);
    })`);
    electron.app.quit();
    await ready;
  });

  test('gives the page nothing of the way to the main process', async () => {
    const kinds = await page.evaluate(`(() => {
      const { desktop } = window;
      const stop = desktop.listen(() => undefined);
      const listened = [typeof stop, typeof stop()];
      return [...listened, ...new Set(Object.values(desktop).map((value) => typeof value))];
    })()`);
    expect(kinds).toEqual(['function', 'undefined', 'function']);
  });
});
