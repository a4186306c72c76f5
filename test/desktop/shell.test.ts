/** The desktop shell against a recorded stand-in for Electron: order of starting and quitting, what the page may do. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import * as electron from './electron-stand-in.ts';

const windowUrl = 'http://127.0.0.1:51234/#token=secret';
const { asked, answers, handlers, folder } = electron;

/** What startServer was called with, and a server that only records its end. */
const server = vi.hoisted(() => ({ options: [] as Record<string, unknown>[], failure: '' }));

vi.mock('electron', () => electron.electronModule);
vi.mock('electron-store', () => ({ default: electron.Store }));
vi.mock('../../server/start.ts', () => ({
  startServer: (options: Record<string, unknown>) => {
    asked.push('start server');
    server.options.push(options);
    if (server.failure !== '') return Promise.reject(new Error(server.failure));
    return Promise.resolve({
      windowUrl,
      apiUrl: 'http://127.0.0.1:4820',
      apiKey: 'key',
      close: () => {
        asked.push('close server');
        return Promise.resolve();
      },
    });
  },
}));

beforeEach(() => {
  asked.length = 0;
  handlers.clear();
  server.options.length = 0;
  server.failure = '';
  Object.assign(answers, { isFirstInstance: true, openPath: '' });
  electron.app.removeAllListeners();
  electron.BrowserWindow.opened = [];
  electron.Store.content = {};
  vi.resetModules();
});

/** Runs main/index.ts until nothing more happens, and gives back its window. */
async function startShell(): Promise<electron.BrowserWindow> {
  await import('../../main/index.ts');
  await vi.waitFor(() => expect(handlers.size).toBe(3));
  const [window] = electron.BrowserWindow.opened;
  return window!;
}

/** An event that can be refused, and whether it was. */
function refusable<Facts extends object>(
  facts: Facts,
): Facts & { refused: boolean; preventDefault(): void } {
  return {
    ...facts,
    refused: false,
    preventDefault() {
      this.refused = true;
    },
  };
}

describe('starting', () => {
  test('lock, server, menu, window, in this order', async () => {
    await startShell();
    expect(asked).toEqual([
      'name Framewright',
      'single instance lock',
      'start server',
      expect.stringMatching(/^menu .*&File editMenu &View windowMenu$/),
      'open window',
      `load ${windowUrl}`,
      'show window',
    ]);
    expect(server.options[0]).toMatchObject({
      port: 4820,
      dataFolder: path.join(folder, 'userData', 'data'),
      outputFolder: path.join(folder, 'videos', 'Framewright'),
      rateLimit: true,
    });
  });

  test('a second instance starts nothing and gives way; the first comes to the front', async () => {
    answers.isFirstInstance = false;
    await import('../../main/index.ts');
    expect(asked).toEqual(['name Framewright', 'single instance lock', 'quit']);

    answers.isFirstInstance = true;
    vi.resetModules();
    await startShell();
    asked.length = 0;
    electron.app.emit('second-instance');
    expect(asked).toEqual(['restore window', 'show window', 'focus window']);
  });

  test('a server that cannot start is said, and the program ends', async () => {
    server.failure = 'Port 4820 is used by another program.';
    await import('../../main/index.ts');
    await vi.waitFor(() => expect(asked).toContain('exit 1'));
    expect(asked).toContain(
      'error box: Framewright could not start: Port 4820 is used by another program.',
    );
    expect(asked).not.toContain('open window');
  });

  test('settings are kept, and damaged values fall back one by one', async () => {
    electron.Store.content = { port: 'many', outputFolder: '/elsewhere', windowBounds: { x: 1 } };
    const window = await startShell();
    expect(server.options[0]).toMatchObject({ port: 4820, outputFolder: '/elsewhere' });
    window.emit('close');
    expect(electron.Store.content).toMatchObject({
      windowBounds: { x: 10, y: 20, width: 1000, height: 700 },
      maximized: false,
    });
  });
});

test('quitting closes the server first, then quits', async () => {
  await startShell();
  asked.length = 0;
  const first = refusable({});
  electron.app.emit('before-quit', first);
  expect(first.refused).toBe(true);
  await vi.waitFor(() => expect(asked).toEqual(['close server', 'quit']));
  const second = refusable({});
  electron.app.emit('before-quit', second);
  expect(second.refused).toBe(false);
});

describe('the window', () => {
  test('is shut in', async () => {
    const { options } = await startShell();
    expect(options.webPreferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
    });
    expect(options.webPreferences['preload']).toMatch(/preload\.cjs$/);
    expect(options).toMatchObject({ minWidth: 960, minHeight: 600, show: false });
  });

  test.each([
    [
      { x: 100, y: 50, width: 1400, height: 900 },
      { x: 100, y: 50, width: 1400, height: 900 },
    ],
    [
      { x: 5000, y: 50, width: 1400, height: 900 },
      { width: 1280, height: 800 },
    ],
    [
      { x: 100, y: -700, width: 1400, height: 900 },
      { width: 1280, height: 800 },
    ],
    [
      { x: -1390, y: 0, width: 1400, height: 900 },
      { width: 1280, height: 800 },
    ],
  ])('that was at %o opens at %o', async (windowBounds, expected) => {
    electron.Store.content = { windowBounds };
    const { options } = await startShell();
    expect(options).toMatchObject(expected);
    expect('x' in options).toBe('x' in expected);
  });

  test('goes nowhere else', async () => {
    const { webContents } = await startShell();
    const cases: [string, boolean, boolean][] = [
      ['http://127.0.0.1:51234/#token=other', true, false],
      ['http://127.0.0.1:51234/renders/a.mp4', true, true],
      ['http://127.0.0.1:4820/', true, true],
      ['https://example.com/', true, true],
      ['file:///etc/passwd', true, true],
      ['http://127.0.0.1:51234/', false, true],
      ['nonsense', true, true],
    ];
    for (const [url, isMainFrame, refused] of cases) {
      const event = refusable({ url, isMainFrame });
      webContents.emit('will-frame-navigate', event);
      expect([url, event.refused]).toEqual([url, refused]);
    }
    const redirect = refusable({ url: 'https://example.com' });
    webContents.emit('will-redirect', redirect);
    expect(redirect.refused).toBe(true);
    expect(webContents.openHandler?.({ url: 'https://example.com' })).toEqual({ action: 'deny' });
  });

  test('is refused every permission but writing to the clipboard', async () => {
    const { webContents } = await startShell();
    const allowed = ['media', 'geolocation', 'clipboard-read', 'clipboard-sanitized-write'].filter(
      (permission) => {
        let answer: boolean | undefined;
        webContents.permissionHandler?.(null, permission, (given) => (answer = given));
        expect(webContents.permissionCheck?.(null, permission)).toBe(answer);
        return answer;
      },
    );
    expect(allowed).toEqual(['clipboard-sanitized-write']);
  });

  test('leaves no token in the log', async () => {
    const { webContents } = await startShell();
    webContents.emit(
      'will-frame-navigate',
      refusable({ url: 'https://e.com/?key=secret#secret', isMainFrame: true }),
    );
    const log = readFileSync(path.join(folder, 'logs', 'framewright.log'), 'utf8');
    expect(log).toContain('https://e.com/');
    expect(log).not.toContain('secret');
  });
});

describe('window.desktop', () => {
  const id = '7f3a9c1e-52d1-4c1b-9a00-0242ac120002';
  const output = path.join(folder, 'videos', 'Framewright');
  const file = path.join(output, `${id}.png`);
  mkdirSync(output, { recursive: true });
  writeFileSync(file, 'picture');

  /** Calls a channel as the page would; `from` changes who asks. */
  async function call(channel: string, values: unknown[], from: object = {}): Promise<unknown> {
    const window = await startShell();
    asked.length = 0;
    const { webContents } = window;
    const event = { sender: webContents, senderFrame: webContents.mainFrame, ...from };
    return handlers.get(channel)?.(event, ...values);
  }

  test('shows and opens a finished file', async () => {
    expect(await call('desktop:show-in-folder', [{ id, format: 'png' }])).toEqual({
      value: undefined,
    });
    expect(asked).toEqual([`show ${file}`]);
    vi.resetModules();
    handlers.clear();
    electron.BrowserWindow.opened = [];
    await call('desktop:open-file', [{ id, format: 'png' }]);
    expect(asked).toEqual([`open ${file}`]);
  });

  test('says what the system answered', async () => {
    answers.openPath = 'no program for it';
    expect(await call('desktop:open-file', [{ id, format: 'png' }])).toEqual({
      problem: 'The system could not open the file: no program for it',
    });
  });

  test('saves a copy under a name that every file system takes', async () => {
    const target = path.join(folder, 'copy.png');
    answers.saveDialog = { canceled: false, filePath: target };
    const name = 'A: "b"/..\\c\u0000 2026-11-21.';
    expect(await call('desktop:save-copy', [{ id, format: 'png' }, name])).toEqual({ value: true });
    expect(asked).toEqual(['save dialog: A b .. c 2026-11-21.png']);
    expect(readFileSync(target, 'utf8')).toBe('picture');
  });

  test('a closed dialog saves nothing', async () => {
    answers.saveDialog = { canceled: true, filePath: '' };
    expect(await call('desktop:save-copy', [{ id, format: 'png' }, 'x'])).toEqual({ value: false });
    expect(existsSync(path.join(folder, 'x.png'))).toBe(false);
  });

  const stranger = { parent: null, origin: 'https://example.com' };
  test.each<[string, unknown[], object, RegExp]>([
    ['a path instead of an ID', [{ id: '../../etc/passwd', format: 'png' }], {}, /wrongly/],
    ['an unknown format', [{ id, format: 'exe' }], {}, /wrongly/],
    ['no value', [], {}, /wrongly/],
    ['a file that is gone', [{ id: 'other', format: 'png' }], {}, /no longer/],
    ['another page', [{ id, format: 'png' }], { senderFrame: stranger }, /Only the window/],
    [
      'a frame inside',
      [{ id, format: 'png' }],
      { senderFrame: { parent: {}, origin: 'x' } },
      /Only the window/,
    ],
    ['a frame that is gone', [{ id, format: 'png' }], { senderFrame: null }, /Only the window/],
    ['another window', [{ id, format: 'png' }], { sender: {} }, /Only the window/],
  ])('refuses %s', async (_case, values, from, problem) => {
    const answer = await call('desktop:show-in-folder', values, from);
    expect(answer).toEqual({ problem: expect.stringMatching(problem) as string });
    expect(asked).toEqual([]);
  });
});

test('the worker as a utility process: environment, messages, end, hard kill', async () => {
  const { forkWorkerProcess } = await import('../../main/worker-process.ts');
  const port = forkWorkerProcess();
  const { script, options, child } = electron.UtilityChild.started.at(-1)!;
  expect(script).toMatch(/dist[\\/]server[\\/]worker\.mjs$/);
  expect(options.env).toHaveProperty('MALLOC_TRIM_THRESHOLD_');

  const messages: unknown[] = [];
  const ends: unknown[] = [];
  port.onMessage((message) => messages.push(message));
  port.onExit((reason) => ends.push(reason));
  child.emit('message', { type: 'ready' });
  port.send({ type: 'cancel' });
  expect([messages, child.posted]).toEqual([[{ type: 'ready' }], [{ type: 'cancel' }]]);

  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  port.kill();
  expect(kill).toHaveBeenCalledWith(child.pid, 'SIGKILL');
  kill.mockRestore();

  child.emit('exit', 9);
  port.send({ type: 'cancel' });
  expect(ends).toEqual([{ code: 9, signal: null }]);
  expect(child.posted).toHaveLength(1);
  expect(port.pid).toBeUndefined();
  // A listener that comes too late must hear of the end all the same.
  const late: unknown[] = [];
  port.onExit((reason) => late.push(reason));
  expect(late).toEqual([{ code: 9, signal: null }]);
});
