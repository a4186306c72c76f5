/**
 * The desktop shell around the real server and its store: taskbar, wakefulness, tray, notifications, quitting. Electron
 * is the recorded stand-in; its utility processes are workers that do what the test says.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { windowTokenHeader } from '../../shared/api.ts';
import type * as quit from '../../main/quit.ts';
import * as electron from './electron-stand-in.ts';

const quitModule = '../../main/quit.ts';

const { asked, answers, questions, app, UtilityChild } = electron;

vi.mock('electron', () => electron.electronModule);
vi.mock('electron-store', () => ({ default: electron.Store }));
vi.mock('systeminformation', () => ({
  battery: () => Promise.resolve({ hasBattery: true, acConnected: false, percent: 17 }),
}));

const names = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'];
const listeners = (): Map<string, readonly unknown[]> =>
  new Map(names.map((name) => [name, process.listeners(name as NodeJS.Signals)]));
let folder: string;
let before = listeners();

beforeEach(() => {
  electron.forget();
  vi.resetModules();
  before = listeners();
  folder = mkdtempSync(path.join(tmpdir(), 'framewright-work-'));
  vi.stubEnv('FRAMEWRIGHT_DATA', path.join(folder, 'data'));
  vi.stubEnv('FRAMEWRIGHT_OUTPUT', path.join(folder, 'output'));
  vi.stubEnv('FRAMEWRIGHT_PORT', '0');
  UtilityChild.areReady = true;
  answers.systemLanguages = ['en'];
});

afterEach(async () => {
  await endShell();
  for (const [name, old] of before) {
    for (const listener of process.listeners(name as NodeJS.Signals)) {
      if (!old.includes(listener)) process.removeListener(name, listener);
    }
  }
  UtilityChild.areReady = false;
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** As the system that shuts down does it: without a question. */
async function endShell(): Promise<void> {
  if (asked.includes('quit')) return;
  electron.powerMonitor.emit('shutdown', { preventDefault: () => undefined });
  await vi.waitFor(() => expect(asked).toContain('quit'), 5000);
}

/** A running shell as a person and a script see it. */
interface Shell {
  readonly window: electron.BrowserWindow;
  /** Creates a render through the API. */
  readonly post: () => Promise<string>;
  readonly status: (id: string) => Promise<string>;
  /** A request of the window, and its answer. */
  readonly askWindow: (method: string, path: string, body?: object) => Promise<unknown>;
  /** Chooses preferences in the window. */
  readonly choose: (preferences: object) => Promise<void>;
}

async function startShell(): Promise<Shell> {
  await import('../../main/index.ts');
  await vi.waitFor(() => expect(electron.BrowserWindow.opened).toHaveLength(1), 10_000);
  const runtimeFile = path.join(folder, 'data', 'runtime.json');
  const text = await vi.waitFor(() => readFileSync(runtimeFile, 'utf8'));
  const { apiUrl, windowUrl } = JSON.parse(text) as { apiUrl: string; windowUrl: string };
  const { origin, hash } = new URL(windowUrl);
  const token = hash.replace('#token=', '');
  const state = await fetch(`${origin}/api/state`, { headers: { [windowTokenHeader]: token } });
  const { api } = (await state.json()) as { api: { key: string } };
  const headers = { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' };
  return {
    async askWindow(method, target, body) {
      const answer = await fetch(`${origin}${target}`, {
        method,
        headers: {
          [windowTokenHeader]: token,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      return answer.json();
    },
    window: electron.BrowserWindow.opened[0]!,
    async choose(preferences) {
      const answer = await fetch(`${origin}/api/preferences`, {
        method: 'PUT',
        headers: { [windowTokenHeader]: token, 'content-type': 'application/json' },
        body: JSON.stringify(preferences),
      });
      expect(answer.status).toBe(204);
    },
    async post() {
      const source = { output_format: 'png', width: 16, height: 16, elements: [] };
      const body = JSON.stringify({ source });
      const answer = await fetch(`${apiUrl}/v2/renders`, { method: 'POST', headers, body });
      expect(answer.status).toBe(202);
      const record = (await answer.json()) as { id: string };
      return record.id;
    },
    async status(id) {
      const answer = await fetch(`${apiUrl}/v2/renders/${id}`, { headers });
      return ((await answer.json()) as { status: string }).status;
    },
  };
}

/** The worker that was given a render, once it was. */
async function workerOf(id: string): Promise<electron.UtilityChild> {
  return vi.waitFor(() => {
    const found = UtilityChild.started.find(({ child }) =>
      child.posted.some((message) => (message as { id?: string }).id === id),
    );
    if (!found) throw new Error(`no worker has ${id}`);
    return found.child;
  }, 5000);
}

async function proceed(id: string, frame: number, frames: number): Promise<void> {
  const worker = await workerOf(id);
  worker.emit('message', { type: 'progress', id, progress: { phase: 'rendering', frame, frames } });
}

async function finish(id: string): Promise<void> {
  const facts = { width: 16, height: 16, fileSize: 1, snapshot: false };
  const output = { kind: 'done', facts, warnings: [] };
  (await workerOf(id)).emit('message', { type: 'result', id, output });
}

async function fail(id: string, message: string): Promise<void> {
  (await workerOf(id)).emit('message', { type: 'failed', id, code: 'source', message });
}

/** The last bar that was set on the taskbar. */
const barOf = ({ bars }: electron.BrowserWindow): unknown => bars.at(-1);
const asksSoFar = (): string[] => asked.filter((line) => line.startsWith('ask: '));

describe('work as the system sees it', () => {
  test('taskbar, title and wakefulness follow the whole queue', async () => {
    const { window, post } = await startShell();
    expect(barOf(window)).toEqual([-1, 'none']);
    const first = await post();
    const second = await post();
    await workerOf(first);
    await vi.waitFor(() => expect(electron.isKeptAwake()).toBe(true));
    await proceed(first, 50, 100);
    // The last per cent of a render are for its file: 48 of 100 for half of the frames.
    await vi.waitFor(() => expect(barOf(window)).toEqual([0.24, 'normal']));
    // Where no dock may have a bar, the title says it.
    const hasBar = process.platform !== 'linux';
    expect(window.title).toBe(hasBar ? 'Framewright' : '24\u00a0% – Framewright');
    await finish(first);
    await vi.waitFor(() => expect(barOf(window)).toEqual([0.5, 'normal']));
    await finish(second);
    await vi.waitFor(() => expect(barOf(window)).toEqual([-1, 'none']));
    expect(window.title).toBe('Framewright');
    await vi.waitFor(() => expect(electron.isKeptAwake()).toBe(false));
    expect(asked.filter((line) => /awake|sleep/.test(line))).toEqual([
      'keep awake: prevent-app-suspension',
      'let sleep',
    ]);
  });

  test('the bar of a window that was not shown yet is set again when it is: Windows has forgotten it', async () => {
    Object.assign(answers, { windowTells: [] });
    const { window, post } = await startShell();
    await proceed(await post(), 50, 100);
    await vi.waitFor(() => expect(window.bars.at(-1)?.[0]).toBeGreaterThan(0.4));
    const before = window.bars.at(-1);
    window.bars.length = 0;
    window.emit('ready-to-show');
    expect(window.bars).toEqual([before]);
  });

  test('a failure stays red until the window was looked at, and is told', async () => {
    const { window, post } = await startShell();
    const id = await post();
    await fail(id, 'Source error: Title.text: Expected a string');
    const red = [process.platform === 'win32' ? 1 : -1, 'error'];
    await vi.waitFor(() => expect(barOf(window)).toEqual(red));
    const [notice] = electron.Notification.sent;
    expect(notice?.options).toEqual({
      title: `Render ${id.slice(0, 8)} failed`,
      body: 'Source error: Title.text: Expected a string',
      silent: true,
    });
    window.emit('focus');
    expect(barOf(window)).toEqual([-1, 'none']);

    // A click opens it: kept until the page listens.
    notice?.emit('click');
    const { webContents } = window;
    const event = { sender: webContents, senderFrame: webContents.mainFrame };
    await electron.handlers.get('desktop:listen')?.(event);
    expect(webContents.sent).toEqual([['desktop:message', { type: 'show-render', id }]]);
  });

  test('a failure that the system does not show is said in the window, which stays where it is', async () => {
    const { window, post } = await startShell();
    const id = await post();
    await fail(id, 'No font');
    await vi.waitFor(() => expect(electron.Notification.sent).toHaveLength(1));
    const before = asked.length;
    electron.Notification.sent[0]?.emit('failed', {}, 'Access is denied.');
    const { webContents } = window;
    const event = { sender: webContents, senderFrame: webContents.mainFrame };
    await electron.handlers.get('desktop:listen')?.(event);
    const text = `Render ${id.slice(0, 8)} failed. The system did not show the notification.`;
    const click = { type: 'show-render', id };
    expect(webContents.sent).toEqual([['desktop:message', { type: 'notice', text, click }]]);
    expect(asked.slice(before)).toEqual([]);
  });

  test('nothing keeps the computer awake when it is switched off', async () => {
    // As the shell kept it itself once: the server's settings take it over.
    electron.Store.content = { version: 2, keepAwake: false };
    const { window, post, askWindow } = await startShell();
    expect(await askWindow('GET', '/api/settings')).toMatchObject({ keepAwake: false });
    expect(electron.Store.content['keepAwake']).toBe(null);
    await proceed(await post(), 1, 2);
    await vi.waitFor(() => expect(barOf(window)).toEqual([0.48, 'normal']));
    expect(electron.isKeptAwake()).toBe(false);
    await askWindow('PATCH', '/api/settings', { keepAwake: true });
    await vi.waitFor(() => expect(electron.isKeptAwake()).toBe(true));
  });

  test('on a low battery the queue waits, and nothing keeps the computer awake', async () => {
    answers.onBattery = true;
    const { window, post, askWindow } = await startShell();
    const id = await post();
    await vi.waitFor(async () =>
      expect(await askWindow('GET', '/api/state')).toMatchObject({ lowBattery: 17 }),
    );
    await vi.waitFor(() => expect(barOf(window)).toEqual([0, 'paused']));
    expect(electron.isKeptAwake()).toBe(false);
    // Plugged in: the system says so, and nobody waits for the next look.
    answers.onBattery = false;
    electron.powerMonitor.emit('on-ac');
    await workerOf(id);
    expect(electron.isKeptAwake()).toBe(true);
  });
});

describe('quitting while something renders', () => {
  const title = 'ask: 1 render is running. 1 is queued.';

  test('is asked; cancelled, everything goes on', async () => {
    const { post, status } = await startShell();
    const [first, second] = [await post(), await post()];
    await proceed(first, 1, 10);
    app.quit();
    expect(asksSoFar()).toEqual([title]);
    // A window that is minimised is shown, or the question would be as little seen.
    expect(asked.slice(-4)).toEqual(['restore window', 'show window', 'focus window', title]);
    expect(questions[0]).toMatchObject({
      detail:
        'They go on the next time you open Framewright. The running one starts again from its beginning.',
      buttons: ['Finish this one, then quit', 'Quit now', 'Cancel'],
      cancelId: 2,
    });
    // Asked once, however often someone quits meanwhile.
    app.quit();
    questions[0]?.answer(2);
    await finish(first);
    await workerOf(second);
    expect(await status(first)).toBe('succeeded');
    expect([asksSoFar(), asked.includes('quit')]).toEqual([[title], false]);
  });

  test('finish this one, then quit: the other waits for the next start', async () => {
    electron.Store.content = { version: 2, keepRunning: false };
    const { window, post } = await startShell();
    const [first, second] = [await post(), await post()];
    await proceed(first, 1, 10);
    window.close();
    questions[0]?.answer(0);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(asked).not.toContain('quit');
    await finish(first);
    await vi.waitFor(() => expect(asked).toContain('quit'), 5000);

    electron.forget();
    vi.resetModules();
    const next = await startShell();
    expect(await next.status(first)).toBe('succeeded');
    // It was only held back for the end: the queue is not paused now.
    await workerOf(second);
  });

  test('finishing can be called off', async () => {
    const { post } = await startShell();
    const [first, second] = [await post(), await post()];
    await proceed(first, 1, 10);
    app.quit();
    questions[0]?.answer(0);
    await new Promise((resolve) => setTimeout(resolve, 30));
    app.quit();
    questions[1]?.answer(2);
    await finish(first);
    await workerOf(second);
    expect(asked).not.toContain('quit');
  });

  test('F12: quit now: the running one starts again, and no attempt is counted', async () => {
    const { post } = await startShell();
    const id = await post();
    await proceed(id, 1, 10);
    app.quit();
    expect(asksSoFar()).toEqual(['ask: 1 render is running.']);
    questions[0]?.answer(1);
    await vi.waitFor(() => expect(asked).toContain('quit'), 5000);
    expect(asked.indexOf('hide window')).toBeLessThan(asked.indexOf('quit'));

    electron.forget();
    vi.resetModules();
    const next = await startShell();
    const worker = await workerOf(id);
    const starts = worker.posted.filter((message) => (message as { id?: string }).id === id);
    expect(starts).toHaveLength(1);
    const { input } = starts[0] as { input: { workFolder: string } };
    expect(path.basename(input.workFolder)).toBe(`${id}-1`);
    expect(await next.status(id)).not.toBe('failed');
  });

  test.each(['shutdown', 'SIGTERM', 'query-session-end', 'session-end'])(
    'F13: %s asks nothing',
    async (how) => {
      // As on Windows, with the rest of this system as it is.
      const quitting = await vi.importActual<typeof quit>(quitModule);
      vi.doMock(quitModule, () => ({
        ...quitting,
        watchSessionEnd: (end: () => void) => quitting.watchSessionEnd(end, 'win32'),
      }));
      const { post } = await startShell();
      vi.doUnmock(quitModule);
      await proceed(await post(), 1, 10);
      if (how === 'shutdown') electron.powerMonitor.emit('shutdown', { preventDefault() {} });
      else if (how !== 'SIGTERM') electron.BaseWindow.opened[0]?.emit(how);
      else process.emit('SIGTERM');
      await vi.waitFor(() => expect(asked).toContain('quit'), 5000);
      expect(questions).toEqual([]);
    },
  );

  test('the system does not wait for an answer', async () => {
    const { post } = await startShell();
    await proceed(await post(), 1, 10);
    app.quit();
    await endShell();
    questions[0]?.answer(2);
    expect(asked.filter((line) => line === 'quit')).toHaveLength(1);
  });
});

test('the page keeps what waits before the server ends', async () => {
  const { window, askWindow } = await startShell();
  const { webContents } = window;
  const call = (channel: string): unknown =>
    electron.handlers.get(channel)?.({ sender: webContents, senderFrame: webContents.mainFrame });
  await call('desktop:listen');
  webContents.send = (_channel: unknown, message: unknown): unknown => {
    asked.push(`tell ${JSON.stringify(message)}`);
    return askWindow('PUT', '/api/preferences', { theme: 'dark' })
      .catch(() => undefined)
      .then(() => call('desktop:ready-to-close'));
  };
  app.quit();
  await vi.waitFor(() => expect(asked).toContain('quit'), 5000);
  // Menus, dialogs and the frame follow what was chosen.
  expect(electron.nativeTheme.themeSource).toBe('dark');
  const order = ['hide window', 'tell {"type":"closing"}', 'quit'];
  expect(asked.filter((line) => order.includes(line))).toEqual(order);

  electron.forget();
  vi.resetModules();
  const next = await startShell();
  expect(await next.askWindow('GET', '/api/preferences')).toEqual({ theme: 'dark' });
  // Dark from the first moment on.
  expect(next.window.options['backgroundColor']).toBe('#101114');
});

describe('closing the window', () => {
  test('quits when nothing used the API', async () => {
    const { window } = await startShell();
    window.close();
    await vi.waitFor(() => expect(asked).toContain('quit'), 5000);
    expect(questions).toEqual([]);
  });

  test('asks when the API is in use; it stays, with an icon that opens and quits it', async () => {
    const { window, post, status, askWindow } = await startShell();
    const id = await post();
    await finish(id);
    window.close();
    expect(questions[0]).toMatchObject({
      message: 'Keep the API running after the window is closed?',
      buttons: ['Keep running', 'Quit'],
      checkboxLabel: 'Don’t ask again',
    });
    questions[0]?.answer(0, true);
    await vi.waitFor(() => expect(asked).toContain('window closed'));
    expect(window.bars.at(-1)?.[0]).toBe(-1);
    expect(electron.Store.content['keepRunning']).toBe(true);
    await vi.waitFor(async () => expect(await status(id)).toBe('succeeded'), 5000);

    const [tray] = electron.Tray.icons;
    const labels = (): unknown[] => {
      // Outside of Linux the menu is made when it is asked for.
      tray!.emit('right-click');
      return tray!.menu.flatMap(({ label }) => label ?? []);
    };
    expect(labels()).toEqual([
      'Open Framewright',
      'Idle',
      'Pause queue',
      'Copy API address',
      'Quit',
    ]);
    const next = await post();
    await proceed(next, 45, 100);
    const line = `Rendering Render ${next.slice(0, 8)} 43\u00a0%`;
    await vi.waitFor(() => expect(labels()).toContain(line));
    expect(tray?.picture).toMatch(/^tray-rendering/);
    const press = (label: string): void =>
      tray?.menu.find((item) => item.label === label)?.click?.({ checked: false });
    press('Pause queue');
    await vi.waitFor(() => expect(labels()).toContain('Resume queue'));
    press('Resume queue');
    await vi.waitFor(() => expect(labels()).toContain('Pause queue'));
    press('Copy API address');
    expect(asked.at(-1)).toMatch(/^copy http:\/\/127\.0\.0\.1:\d+$/);

    // Where nothing answers, there is no address; it is the new one afterwards.
    await askWindow('DELETE', '/api/api-listener');
    const none = 'Copy API address (the API is off)';
    await vi.waitFor(() => expect(labels()).toContain(none));
    expect(tray?.menu.find(({ label }) => label === none)?.enabled).toBe(false);
    await askWindow('POST', '/api/api-listener', { port: null });
    await vi.waitFor(() => expect(labels()).toContain('Copy API address'));

    press('Open Framewright');
    expect(electron.BrowserWindow.opened).toHaveLength(2);
    // It stays with the window too: the next close asks nothing.
    electron.BrowserWindow.opened[1]?.close();
    expect(questions).toHaveLength(1);
    press('Quit');
    expect(questions[1]?.message).toBe('1 render is running.');
    questions[1]?.answer(1);
    await vi.waitFor(() => expect(asked).toContain('quit'), 5000);
    expect(tray?.isGone).toBe(true);
  });

  test('quit, remembered: it is not asked again', async () => {
    const { window, post } = await startShell();
    await finish(await post());
    await vi.waitFor(() => expect(barOf(window)).toEqual([-1, 'none']));
    window.close();
    questions[0]?.answer(1, true);
    await vi.waitFor(() => expect(asked).toContain('quit'), 5000);
    expect(electron.Store.content['keepRunning']).toBe(false);
    expect(electron.Tray.icons).toEqual([]);
  });

  test('stays where it is switched on, without a question', async () => {
    electron.Store.content = { version: 2, keepRunning: true };
    const { window } = await startShell();
    window.close();
    expect(asked.slice(-1)).toEqual(['window closed']);
    expect(electron.Tray.icons.map(({ isGone }) => isGone)).toEqual([false]);
    answers.isFirstInstance = true;
    app.emit('second-instance', {}, [], '/', { args: [], folder: '/' });
    expect(electron.BrowserWindow.opened).toHaveLength(2);
  });
});

test('a language chosen in the window is that of menu, tray and questions at once, and of the next start', async () => {
  electron.Store.content = { version: 2, keepRunning: true, language: 'es' };
  answers.systemLanguages = ['pt-PT', 'en'];
  const shell = await startShell();
  // The server has none chosen any more: the system's.
  const bar = (): unknown =>
    electron.Menu.current?.items.map(({ label }) => label?.replace('&', ''));
  expect(bar()).toContain('Arquivo');
  expect(electron.Store.content['language']).toBe(null);
  shell.window.close();
  const labels = (): unknown[] => {
    const [tray] = electron.Tray.icons;
    tray!.emit('right-click');
    return tray!.menu.flatMap(({ label }) => label ?? []);
  };
  expect(labels()).toContain('Abrir o Framewright');

  await shell.choose({ language: 'de' });
  await vi.waitFor(() => expect(bar()).toContain('Datei'));
  await vi.waitFor(() => expect(labels()).toContain('Framewright öffnen'));
  expect(electron.Store.content['language']).toBe('de');
  await proceed(await shell.post(), 1, 100);
  app.quit();
  await vi.waitFor(() => expect(questions.at(-1)?.message).toBe('1 Rendering läuft.'));
  questions.at(-1)?.answer(2);
  // Nothing that is no language.
  await shell.choose({ language: 'tlh' });
  await vi.waitFor(() => expect(bar()).toContain('Arquivo'));
});
