/** The desktop shell against a recorded stand-in for Electron: order of starting and quitting, what the page may do. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as electron from './electron-stand-in.ts';

const windowUrl = 'http://127.0.0.1:51234/#token=secret';
const { asked, answers, handlers, folder, questions, Store } = electron;

/** What startServer was called with, and a server without work that only records its end. */
const server: {
  options: Record<string, unknown>[];
  failure: string;
  files: Record<string, string>;
  /** Paths of files of damaged records, by name. */
  aside: Record<string, string>;
  settings: { keepAwake: boolean; copyFolder: string | null };
} = vi.hoisted(() => ({
  options: [],
  failure: '',
  files: {},
  aside: {},
  settings: { keepAwake: true, copyFolder: null },
}));

vi.mock('electron', () => electron.electronModule);
vi.mock('electron-store', () => ({ default: electron.Store }));
vi.mock('../../server/start.ts', () => ({
  DataOpenError: class extends Error {},
  startServer: (options: Record<string, unknown>) => {
    asked.push('start server');
    server.options.push(options);
    if (server.failure !== '') return Promise.reject(new Error(server.failure));
    return Promise.resolve({
      windowUrl,
      services: {
        address: { apiUrl: () => 'http://127.0.0.1:4820' },
        events: { subscribe: () => () => undefined },
        work: {
          queue: {
            state: {
              renderer: { state: 'idle' },
              queue: { running: 0, waiting: 0, paused: false },
            },
          },
          power: { lowPercent: null, look: () => undefined },
        },
        listener: { api: { state: 'on' } },
        library: {
          files: {
            folder: '/finished',
            outputPath: ({ id }: { id: string }) => server.files[id] ?? '/finished/none',
          },
        },
        store: {
          settings: { values: server.settings, theme: null, language: null },
          setAsideFile: (name: string) => server.aside[name] ?? null,
          renders: {
            listUnfinished: () => [],
            find: (id: string) => (id in server.files ? { id, outputFormat: 'png' } : null),
          },
        },
      },
      close: () => {
        asked.push('close server');
        return Promise.resolve();
      },
    });
  },
}));

beforeEach(() => {
  electron.forget();
  server.options.length = 0;
  server.failure = '';
  vi.resetModules();
  mkdirSync(path.join(folder, 'userData'), { recursive: true });
  rmSync(path.join(folder, 'userData', 'settings.json'), { force: true });
});
afterEach(() => {
  vi.unstubAllEnvs();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection']) {
    for (const listener of process.listeners(name as NodeJS.Signals)) {
      if (!before.has(listener)) process.removeListener(name, listener);
    }
  }
});
/** Listeners of this process that are not the program's. */
const before = new Set(
  ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'].flatMap((name) =>
    process.listeners(name as NodeJS.Signals),
  ),
);

/** Runs main/index.ts until nothing more happens, and gives back its window. */
async function startShell(): Promise<electron.BrowserWindow> {
  await import('../../main/index.ts');
  await vi.waitFor(() => expect(electron.BrowserWindow.opened).toHaveLength(1));
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
      `folder userData: ${path.join(folder, 'appData', 'Framewright')}`,
      ...(process.platform === 'linux' ? ['desktop name app.framewright.Framewright'] : []),
      'single instance lock',
      'start server',
      'menu &File &Edit &Queue &Template &View &Window &Help',
      'open window',
      'spell-check off',
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

  test('folders and port of the environment', async () => {
    vi.stubEnv('FRAMEWRIGHT_DATA', '/elsewhere/data');
    vi.stubEnv('FRAMEWRIGHT_OUTPUT', '/elsewhere/output');
    vi.stubEnv('FRAMEWRIGHT_PORT', '0');
    await startShell();
    const expected = { port: 0, dataFolder: '/elsewhere/data', outputFolder: '/elsewhere/output' };
    expect(server.options[0]).toMatchObject(expected);
    vi.stubEnv('FRAMEWRIGHT_PORT', 'many');
    electron.forget();
    vi.resetModules();
    await import('../../main/index.ts');
    await vi.waitFor(() => expect(asked).toContain('exit 70'));
    expect(asked.join()).toContain("Expected a number from 0 to 65535, found 'many'");
  });

  test('F15: a second start starts nothing; the first shows what it was started with', async () => {
    answers.isFirstInstance = false;
    await import('../../main/index.ts');
    expect(asked.slice(-2)).toEqual(['single instance lock', 'quit']);
    expect(electron.handedOver).toEqual([{ args: process.argv.slice(1), folder: process.cwd() }]);

    answers.isFirstInstance = true;
    vi.resetModules();
    const { webContents } = await startShell();
    await listen();
    asked.length = 0;
    writeFileSync(path.join(folder, 'promo.renderscript'), '{"width":1}');
    const handed = { args: ['--x', 'promo.renderscript', 'framewright://render/ab-1'], folder };
    electron.app.emit('second-instance', {}, ['ignored'], '/', handed);
    await vi.waitFor(() => expect(webContents.sent).toHaveLength(2));
    expect(asked.slice(0, 3)).toEqual(['restore window', 'show window', 'focus window']);
    expect(webContents.sent).toEqual([
      ['desktop:message', { type: 'show-render', id: 'ab-1' }],
      [
        'desktop:message',
        { type: 'import-files', files: [{ name: 'promo.renderscript', text: '{"width":1}' }] },
      ],
    ]);
  });

  test('a server that cannot start is said, and the program ends', async () => {
    server.failure = 'Port 4820 is used by another program.';
    await import('../../main/index.ts');
    await vi.waitFor(() => expect(asked).toContain('exit 70'));
    expect(asked).toContain(
      'error box: Framewright could not start: Port 4820 is used by another program.',
    );
    expect(asked).not.toContain('open window');
  });

  test('a failed start is said in the language of the last time, or else in the system’s', async () => {
    server.failure = 'Port 4820 is used by another program.';
    Store.content = { version: 2, language: 'ja' };
    answers.systemLanguages = ['de-DE'];
    await import('../../main/index.ts');
    await vi.waitFor(() => expect(asked).toContain('exit 70'));
    expect(asked.join()).toContain('error box: Framewrightを起動できませんでした: ');

    electron.forget();
    vi.resetModules();
    Store.content = { version: 2, language: 'of the moon' };
    await import('../../main/index.ts');
    await vi.waitFor(() => expect(asked).toContain('exit 70'));
    expect(asked.join()).toContain('error box: Framewright konnte nicht starten: ');
    answers.systemLanguages = ['en'];
  });
});

test('F125: the first start of a packed version tries its parts, and notes what does not work', async () => {
  electron.app.isPackaged = true;
  const { UtilityChild } = electron;
  UtilityChild.areReady = true;
  const start = async (): Promise<(n: number) => Promise<electron.UtilityChild>> => {
    electron.forget();
    vi.resetModules();
    await startShell();
    return (n) => vi.waitFor(() => UtilityChild.started[n]!.child);
  };
  let childOf = await start();
  for (const n of [0, 1]) {
    const child = await childOf(n);
    await vi.waitFor(() => expect(child.posted).toHaveLength(1));
    child.emit('exit', 7);
  }
  const file = path.join(folder, 'logs', 'framewright.log');
  await vi.waitFor(() => {
    const log = readFileSync(file, 'utf8');
    expect(log).toContain('self-test: drawing: Render error: The renderer stopped unexpectedly');
    expect(log).toMatch(/self-test: encoder: Render error: .* it ended \(code 7\)/);
  });
  expect(Store.content['testedVersion']).toBeNull();

  // One worker makes both.
  childOf = await start();
  const child = await childOf(0);
  for (const [n, part] of ['drawing', 'encoder'].entries()) {
    await vi.waitFor(() => expect(child.posted).toHaveLength(n + 1));
    const { id, input } = child.posted[n] as { id: string; input: { outputPath: string } };
    expect(id).toMatch(new RegExp(`^${part}`));
    writeFileSync(input.outputPath, 'file');
    const facts = { width: 160, height: 90, fileSize: 4, snapshot: false };
    const output = { kind: 'done', facts, warnings: [] };
    child.emit('message', { type: 'result', id, output });
  }
  await vi.waitFor(() => expect(Store.content['testedVersion']).toBe('1.2.3'));
  UtilityChild.areReady = false;
  electron.app.isPackaged = false;
});

describe('settings', () => {
  /** Opens them with a file and what electron-store reads from it. */
  async function open(content: Record<string, unknown>): Promise<Record<string, unknown>> {
    electron.Store.content = content;
    const { openSettings } = await import('../../main/settings.ts');
    return { ...openSettings().current };
  }

  test('of the first version are brought up to date, once', async () => {
    const windowBounds = { x: 1, y: 2, width: 1000, height: 700 };
    const read = await open({ port: 4821, windowBounds, maximized: true });
    const places = { before: { ...windowBounds, maximized: true } };
    expect(read).toMatchObject({ places, lastDisplay: 'before', zoom: 1, keepRunning: null });
    expect(electron.Store.content).toEqual({ ...read, version: 2 });
    expect(await open(electron.Store.content)).toEqual(read);
  });

  test('damaged values fall back one by one', async () => {
    const place = { x: 1, y: 2, width: 3, height: 4, maximized: false };
    const read = await open({
      version: 2,
      zoom: 40,
      keepAwake: false,
      notifySound: 'loud',
      places: { 1: place, 2: { x: 'left' } },
    });
    expect(read).toMatchObject({ zoom: 1, keepAwake: false, notifySound: false });
    expect(read['places']).toEqual({ 1: place });
  });

  test('of a newer version keep what this one does not know', async () => {
    await open({ version: 9, keepAwake: false, later: 'kept' });
    const { openSettings } = await import('../../main/settings.ts');
    openSettings().save({ zoom: 1.5 });
    expect(electron.Store.content).toEqual({
      version: 9,
      keepAwake: false,
      later: 'kept',
      zoom: 1.5,
    });
  });

  test('that the disk refuses hold for this run, and it is noted', async () => {
    vi.spyOn(electron.Store.prototype, 'set').mockImplementationOnce(() => {
      throw new Error('ENOSPC');
    });
    const { openSettings } = await import('../../main/settings.ts');
    const opened = openSettings();
    opened.save({ zoom: 2 });
    const problems: string[] = [];
    opened.reportTo((problem) => problems.push(problem));
    expect(opened.current.zoom).toBe(2);
    expect(problems).toEqual(['The settings could not be written: Error: ENOSPC']);
  });

  test('in a folder that can’t be used are as at the first start, and so is the log', async () => {
    const read = vi.spyOn(electron.Store.prototype, 'store', 'get').mockImplementation(() => {
      throw new Error('EACCES');
    });
    const { openSettings } = await import('../../main/settings.ts');
    const opened = openSettings();
    read.mockRestore();
    const problems: string[] = [];
    opened.reportTo((problem) => problems.push(problem));
    expect(problems).toEqual(['The settings could not be opened: Error: EACCES']);
    expect(opened.current.zoom).toBe(1);

    // A file where the log's folder should be.
    rmSync(path.join(folder, 'logs'), { recursive: true, force: true });
    writeFileSync(path.join(folder, 'logs'), '');
    const said = vi.spyOn(console, 'error').mockReturnValue(undefined);
    const { openLog } = await import('../../main/log.ts');
    openLog()('error', 'main', 'Something');
    const lines = said.mock.calls.flat().join('\n');
    said.mockRestore();
    rmSync(path.join(folder, 'logs'));
    expect(lines).toMatch(/There is no log: .*\n.* error {3}main: Something$/);
  });

  test('the log is put aside when it is full, also while the program runs', async () => {
    const logs = path.join(folder, 'logs');
    rmSync(logs, { recursive: true, force: true });
    const { openLog } = await import('../../main/log.ts');
    const log = openLog();
    const long = 'x'.repeat(1_000_000);
    for (let n = 0; n < 6; n++) log('info', 'main', long);
    log('info', 'main', 'after');
    expect(readdirSync(logs).sort()).toEqual(['framewright.log', 'framewright.log.1']);
    expect(readFileSync(path.join(logs, 'framewright.log'), 'utf8')).toMatch(/main: after\n$/);
    rmSync(logs, { recursive: true });
  });

  test.each(['{"zoom": 1', '[1]', '', '\u0000\u0000'])(
    'F30: broken as %j are put aside',
    async (text) => {
      const place = path.join(folder, 'userData');
      writeFileSync(path.join(place, 'settings.json'), text);
      await startShell();
      const aside = readdirSync(place).filter((name) => name.startsWith('settings.json.broken-'));
      expect(aside.map((name) => readFileSync(path.join(place, name), 'utf8'))).toEqual([text]);
      expect(existsSync(path.join(place, 'settings.json'))).toBe(false);
      const log = readFileSync(path.join(folder, 'logs', 'framewright.log'), 'utf8');
      const kept = path.join(place, aside[0]!);
      expect(log).toContain(`they are kept as ${kept}`);
      // The window says so as well.
      expect(server.options.at(-1)?.['notices']).toEqual([
        `The settings could not be read; they are kept as ${kept}.`,
      ]);
      for (const name of aside) rmSync(path.join(place, name));
    },
  );
});

test('quitting closes the server first, then quits', async () => {
  await startShell();
  asked.length = 0;
  const first = refusable({});
  electron.app.emit('before-quit', first);
  expect(first.refused).toBe(true);
  await vi.waitFor(() => expect(asked).toEqual(['hide window', 'close server', 'quit']));
  const second = refusable({});
  electron.app.emit('before-quit', second);
  expect(second.refused).toBe(false);
});

test('a start that comes while this one ends is made up for', async () => {
  const window = await startShell();
  window.maximized = true;
  electron.app.emit('before-quit', refusable({}));
  const file = path.join(folder, 'late.renderscript');
  electron.app.emit('second-instance', {}, [], '/', { args: [file], folder });
  const [, sources] = process.argv;
  expect(asked).toContain(`relaunch itself: ${sources} ${file}`);
  // Out of sight it is not maximised any more on every system; it is remembered all the same.
  await vi.waitFor(() => expect(asked).toContain('quit'));
  window.close();
  expect(Store.content['places']).toMatchObject({ 1: { maximized: true } });
});

test.each([
  [
    'start the program anew, from the file that an AppImage is',
    [],
    'relaunch /home/me/Framewright.AppImage: --appimage-extract-and-run --restarted',
  ],
  [
    'again are said',
    ['--restarted'],
    expect.stringMatching(/^error box: Framewright keeps failing/),
  ],
])('errors that pile up %s', async (_case, given, expected: unknown) => {
  const args = process.argv;
  process.argv = [...args.slice(0, 1), ...given];
  electron.app.isPackaged = true;
  Store.content = { version: 2, testedVersion: '1.2.3' };
  vi.stubEnv('APPIMAGE', '/home/me/Framewright.AppImage');
  await startShell();
  for (let n = 0; n < 4; n++) process.emit('uncaughtException', new Error('piled up'));
  await vi.waitFor(() => expect(asked).toContain('quit'));
  electron.app.emit('will-quit');
  process.argv = args;
  electron.app.isPackaged = false;
  expect(asked.filter((line) => /^(relaunch|error box)/.test(line))).toEqual([expected]);
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
    // Elsewhere the program has its own; a window on Linux that no entry names has none.
    const { windowIcon } = await import('../../main/paths.ts');
    const icon = process.platform === 'linux' ? windowIcon() : undefined;
    expect(options['icon']).toBe(icon);
  });

  describe('is shown once', () => {
    const shows = (): number => asked.filter((line) => line === 'show window').length;
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    });
    afterEach(() => void vi.useRealTimers());

    test.each([
      ['when it is ready', ['ready-to-show']],
      ['when its page is there, which is all that Wayland tells', ['did-finish-load']],
      ['when both are told', ['ready-to-show', 'did-finish-load']],
    ])('%s', async (_case, windowTells) => {
      Object.assign(answers, { windowTells });
      const window = await startShell();
      expect([window.isVisible(), shows()]).toEqual([true, 1]);
      // What comes later shows nothing again: it would come to the front.
      window.emit('ready-to-show');
      window.webContents.emit('did-finish-load');
      vi.advanceTimersByTime(60_000);
      expect(shows()).toBe(1);
    });

    test('after 3 s, when nothing is told', async () => {
      Object.assign(answers, { windowTells: [] });
      const window = await startShell();
      vi.advanceTimersByTime(2_900);
      expect(window.isVisible()).toBe(false);
      vi.advanceTimersByTime(200);
      expect([window.isVisible(), shows()]).toEqual([true, 1]);
    });

    test.each<[string, (window: electron.BrowserWindow) => void, number]>([
      ['not once it is closed', (window) => window.emit('closed'), 0],
      ['not when the program ends', () => electron.app.quit(), 0],
      [
        'at once when the program is started again, and not again afterwards',
        () => electron.app.emit('second-instance', {}, [], '/', { args: [], folder }),
        1,
      ],
    ])('%s', async (_case, act, times) => {
      Object.assign(answers, { windowTells: [] });
      const window = await startShell();
      act(window);
      await vi.waitFor(() => expect(shows()).toBe(times));
      vi.advanceTimersByTime(60_000);
      window.emit('ready-to-show');
      expect(shows()).toBe(times);
    });
  });

  const one = { id: 1, workArea: { x: 0, y: 0, width: 1920, height: 1040 } };
  const two = { id: 2, workArea: { x: 1920, y: 0, width: 1280, height: 1000 } };
  const small = { id: 1, workArea: { x: 0, y: 0, width: 1024, height: 728 } };
  const left = { x: 100, y: 50, width: 1400, height: 900 };
  const right = { x: 2000, y: 50, width: 1100, height: 800 };
  const usual = { width: 1280, height: 800 };
  test.each<[string, object[], Record<string, object>, string | null, object]>([
    ['never opened', [one], {}, null, usual],
    ['as it was', [one], { 1: left }, '1', left],
    ['on the other display', [one, two], { 1: left, 2: right }, '2', right],
    ['the other display is gone', [one], { 1: left, 2: right }, '2', left],
    ['the only place is gone', [one], { 2: right }, '2', usual],
    ['above the screen', [one], { 1: { ...left, y: -700 } }, '1', usual],
    ['a strip at the left', [one], { 1: { ...left, x: -1390 } }, '1', usual],
    ['left of the screen', [one], { 1: { ...left, x: -5000 } }, '1', usual],
    ['right of the screen', [one], { 1: { ...left, x: 5000 } }, '1', usual],
    ['below the screen', [one], { 1: { ...left, y: 1000 } }, '1', usual],
    ['never opened, on a small screen', [small], {}, null, { width: 1024, height: 728 }],
  ])('F122: opens where it was: %s', async (_case, displays, places, lastDisplay, expected) => {
    Object.assign(answers, { displays });
    electron.Store.content = { version: 2, places, lastDisplay };
    const { options } = await startShell();
    expect(options).toMatchObject(expected);
    expect('x' in options).toBe('x' in expected);
  });

  test('is remembered for the display that it is on', async () => {
    Object.assign(answers, { displays: [one, two] });
    electron.Store.content = { version: 2, places: { 2: right }, lastDisplay: '2' };
    (await startShell()).close();
    const here = { x: 10, y: 20, width: 1000, height: 700, maximized: false };
    expect(electron.Store.content).toMatchObject({
      places: { 1: here, 2: right },
      lastDisplay: '1',
    });
  });

  test('zooms from 80 to 200 %, and remembers it', async () => {
    const { webContents } = await startShell();
    const press = (accelerator: string): void => {
      const items = electron.allItems(electron.Menu.current!.items);
      items.find((item) => item.accelerator === accelerator)?.click?.({ checked: false });
    };
    press('CmdOrCtrl+Plus');
    expect(webContents.zoom).toBe(1.1);
    for (let n = 0; n < 9; n++) press('CmdOrCtrl+Plus');
    expect(webContents.zoom).toBe(2);
    for (let n = 0; n < 12; n++) webContents.emit('zoom-changed', {}, 'out');
    expect(webContents.zoom).toBe(0.8);
    expect(electron.Store.content['zoom']).toBe(0.8);
    press('CmdOrCtrl+0');
    expect(webContents.zoom).toBe(1);
  });

  test('F115: goes nowhere else', async () => {
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
    const embedded = refusable({});
    webContents.emit('will-attach-webview', embedded);
    expect(embedded.refused).toBe(true);
  });

  test('cannot be kept open by its page', async () => {
    const { webContents } = await startShell();
    const event = refusable({});
    webContents.emit('will-prevent-unload', event);
    // Refusing this refusal lets the page go.
    expect(event.refused).toBe(true);
  });

  test.each([
    ['https://example.com/a?b=c#d', true],
    ['http://127.0.0.1:4820/docs', true],
    ['http://example.com/', false],
    ['https://127.0.0.1@example.com/', false],
    ['http://127.0.0.1:51234/', false],
    ['file:///etc/passwd', false],
    ['javascript:alert(1)', false],
    ['framewright://template/a', false],
    ['nonsense', false],
  ])('F115: opens no window for %s; the browser: %s, after showing it', async (url, isOffered) => {
    const { webContents } = await startShell();
    expect(webContents.openHandler?.({ url })).toEqual({ action: 'deny' });
    expect(questions.map(({ detail }) => detail)).toEqual(isOffered ? [url] : []);
    questions[0]?.answer(0);
    await vi.waitFor(() => expect(asked.includes(`browse ${url}`)).toBe(isOffered));
  });

  test('an address that was shown and not wanted is not opened', async () => {
    const { webContents } = await startShell();
    webContents.openHandler?.({ url: 'https://example.com/' });
    questions[0]?.answer(1);
    await Promise.resolve();
    expect(asked.filter((line) => line.startsWith('browse'))).toEqual([]);
  });

  test('F115: is refused every permission but the clipboard and filling the screen; reads the clipboard in front alone', async () => {
    const window = await startShell();
    const { webContents } = window;
    const all = [
      'media',
      'geolocation',
      'clipboard-read',
      'clipboard-sanitized-write',
      'fullscreen',
    ].concat(['notifications', 'pointerLock', 'openExternal', 'fileSystem', 'unknown']);
    const allowedFor = (requestingUrl: string): string[] =>
      all.filter((permission) => {
        let answer: boolean | undefined;
        const details = { requestingUrl, isMainFrame: true };
        webContents.permissionHandler?.(null, permission, (given) => (answer = given), details);
        const origin = URL.canParse(requestingUrl) ? new URL(requestingUrl).origin : '';
        expect(webContents.permissionCheck?.(null, permission, origin, details)).toBe(answer);
        return answer;
      });
    // The page's own address is named without its fragment, or with another one.
    for (const address of ['http://127.0.0.1:51234/', 'http://127.0.0.1:51234/#/queue']) {
      answers.hasFocus = false;
      expect(allowedFor(address)).toEqual(['clipboard-sanitized-write', 'fullscreen']);
      answers.hasFocus = true;
      expect(allowedFor(address)).toEqual([
        'clipboard-read',
        'clipboard-sanitized-write',
        'fullscreen',
      ]);
    }
    for (const address of ['http://127.0.0.1:51235/', 'https://example.com/', 'about:blank', '']) {
      expect(allowedFor(address)).toEqual([]);
    }
    // Asked for by no document: by a worker of the page, e.g.
    const worker = { isMainFrame: false };
    expect(webContents.permissionCheck?.(null, 'fullscreen', '', worker)).toBe(false);
    // The session outlives its window.
    window.isClosed = true;
    expect(allowedFor('http://127.0.0.1:51234/')).not.toContain('clipboard-read');
  });

  test.each([
    ['its own page, in front', 'http://127.0.0.1:51234/#/queue', true, true],
    ['its own page, behind another program', 'http://127.0.0.1:51234/', false, false],
    ['another server of this computer', 'http://127.0.0.1:51235/', true, false],
    ['a page of the web', 'https://example.com/', true, false],
  ])('F115: %s: the microphone, and never the camera', async (_who, page, hasFocus, allowed) => {
    const { webContents } = await startShell();
    answers.hasFocus = hasFocus;
    const may = (...mediaTypes: string[]): boolean | undefined => {
      let answer: boolean | undefined;
      const details = { requestingUrl: page, isMainFrame: true };
      webContents.permissionHandler?.(null, 'media', (given) => (answer = given), {
        ...details,
        mediaTypes,
      });
      const [mediaType = 'unknown'] = mediaTypes;
      if (mediaTypes.length < 2) {
        const known = { ...details, mediaType };
        expect(webContents.permissionCheck?.(null, 'media', '', known)).toBe(answer);
      }
      return answer;
    };
    expect(may('audio')).toBe(allowed);
    for (const kinds of [['video'], ['audio', 'video'], []]) expect(may(...kinds)).toBe(false);
  });

  test('downloads what the program itself makes, and nothing else; checks no spelling', async () => {
    const { webContents } = await startShell();
    expect(asked).toContain('spell-check off');
    const isRefused = (...chain: string[]): boolean => {
      const event = refusable({});
      const item = { getURLChain: () => chain.slice(0, -1), getURL: () => chain.at(-1) };
      webContents.session.emit('will-download', event, item);
      return event.refused;
    };
    const own = 'http://127.0.0.1:51234/api/archive';
    for (const address of [
      own,
      'http://127.0.0.1:4820/renders/one.mp4',
      'blob:http://127.0.0.1:51234/0f5a',
    ]) {
      expect([address, isRefused(address)]).toEqual([address, false]);
    }
    const foreign = [
      'https://example.com/a.exe',
      'data:text/plain,a',
      'blob:https://example.com/1',
    ];
    for (const address of [...foreign, 'http://127.0.0.1:1/a', '', 'nothing']) {
      expect([address, isRefused(address)]).toEqual([address, true]);
      expect(isRefused(address, own)).toBe(true);
    }
    // A window that is opened again hears of each once.
    expect(webContents.session.listenerCount('will-download')).toBe(1);
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

/** Calls a channel as the page would; `from` changes who asks. */
async function callFromPage(
  channel: string,
  values: unknown[],
  from: object = {},
): Promise<unknown> {
  const { webContents } = electron.BrowserWindow.opened.at(-1)!;
  const event = { sender: webContents, senderFrame: webContents.mainFrame, ...from };
  return handlers.get(channel)?.(event, ...values);
}

/** The page says that it listens. */
async function listen(): Promise<void> {
  expect(await callFromPage('desktop:listen', [])).toEqual({ value: undefined });
}

describe('what the window is told', () => {
  const told = (): unknown[] =>
    electron.BrowserWindow.opened[0]!.webContents.sent.map(([, message]) => message);
  const clickMenu = (): void => {
    const item = electron.allItems(electron.Menu.current!.items).find(({ id }) => id === 'palette');
    item?.click?.({ checked: false });
  };
  const command = { type: 'command', command: 'palette' };
  /** A page that listens, and has the command. */
  const openPage = async (): Promise<electron.BrowserWindow['webContents']> => {
    const { webContents } = await startShell();
    await listen();
    const menu = { enabled: { palette: true }, ticked: {}, keys: {} };
    await callFromPage('desktop:show-commands', [menu]);
    return webContents;
  };

  test.each(['in-page', 'aborted'] as const)(
    'arrives after templates were opened and closed: %s navigation',
    async (kind) => {
      const webContents = await openPage();
      for (let time = 0; time < 5; time++) {
        webContents.navigate(kind);
        clickMenu();
        expect(told()).toHaveLength(time + 1);
      }
      electron.app.emit(
        'open-url',
        { preventDefault: () => undefined },
        'framewright://render/ab-1',
      );
      expect(told().slice(4)).toEqual([command, { type: 'show-render', id: 'ab-1' }]);
      // Quitting asks the page for what waits.
      electron.app.quit();
      await vi.waitFor(() => expect(told().at(-1)).toEqual({ type: 'closing' }));
      expect(asked).not.toContain('quit');
      await callFromPage('desktop:ready-to-close', []);
      await vi.waitFor(() => expect(asked).toContain('quit'));
    },
  );

  test.each(['document', 'error', 'crash'] as const)(
    'waits for the next page when this one is gone: %s',
    async (kind) => {
      const webContents = await openPage();
      if (kind === 'crash') webContents.emit('render-process-gone', {}, { reason: 'clean-exit' });
      else webContents.navigate(kind);
      clickMenu();
      expect(told()).toEqual([]);
      await listen();
      expect(told()).toEqual([command]);
    },
  );

  test('is not kept from the page by a frame inside it that fails', async () => {
    const webContents = await openPage();
    webContents.emit('did-fail-provisional-load', {}, -102, '', 'http://x/', false, 1, 1);
    clickMenu();
    expect(told()).toEqual([command]);
  });
});

describe('window.desktop', () => {
  const id = '7f3a9c1e-52d1-4c1b-9a00-0242ac120002';
  const file = path.join(folder, `${id}.png`);
  writeFileSync(file, 'picture');
  server.files[id] = file;

  async function call(channel: string, values: unknown[], from: object = {}): Promise<unknown> {
    await startShell();
    asked.length = 0;
    return callFromPage(channel, values, from);
  }

  test('shows and opens a finished file', async () => {
    expect(await call('desktop:show-in-folder', [{ id, format: 'png' }])).toEqual({
      value: undefined,
    });
    expect(asked).toEqual([`show ${file}`]);
    await callFromPage('desktop:open-file', [{ id, format: 'png' }]);
    expect(asked).toEqual([`show ${file}`, `open ${file}`]);
  });

  test('shows a file of damaged records that the server names, and no other', async () => {
    server.aside['damaged-keys.jsonl'] = file;
    expect(await call('desktop:show-set-aside', ['damaged-keys.jsonl'])).toEqual({
      value: undefined,
    });
    expect(asked).toEqual([`show ${file}`]);
    for (const name of [file, '../keys.db', 'damaged-renders.jsonl']) {
      expect(await callFromPage('desktop:show-set-aside', [name])).toEqual({
        problem: 'The file is no longer there.',
      });
    }
    expect(asked).toHaveLength(1);
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
    expect(await call('desktop:save-copy', [{ id, format: 'png' }, name])).toEqual({ value: 0 });
    expect(asked).toEqual(['save dialog: A b .. c 2026-11-21.png']);
    expect(readFileSync(target, 'utf8')).toBe('picture');
  });

  test('a copy begins in the chosen folder while that is there, and says why it could not be', async () => {
    answers.saveDialog = { canceled: false, filePath: path.join(folder, 'gone', 'x.png') };
    server.settings.copyFolder = folder;
    const save = (): Promise<unknown> =>
      callFromPage('desktop:save-copy', [{ id, format: 'png' }, '...CON']);
    await call('desktop:read-switches', []);
    expect(await save()).toEqual({
      problem: expect.stringMatching(/^The copy could not be saved: ENOENT/) as string,
    });
    server.settings.copyFolder = path.join(folder, 'gone');
    await save();
    // A name that Windows keeps for itself is none.
    expect(asked).toEqual([
      `save dialog: ${path.join(folder, `${id}.png`)}`,
      `save dialog: ${id}.png`,
    ]);
    server.settings.copyFolder = null;
  });

  test('shows copies that were saved in this run, and nothing else', async () => {
    const gone = { problem: 'The copy is no longer where it was saved.' };
    expect(await call('desktop:show-copy', [0])).toEqual(gone);
    const target = path.join(folder, 'copy to show.png');
    answers.saveDialog = { canceled: false, filePath: target };
    expect(await callFromPage('desktop:save-copy', [{ id, format: 'png' }, 'x'])).toEqual({
      value: 0,
    });
    asked.length = 0;
    expect(await callFromPage('desktop:show-copy', [0])).toEqual({ value: undefined });
    expect(asked).toEqual([`show ${target}`]);

    rmSync(target);
    expect(await callFromPage('desktop:show-copy', [0])).toEqual(gone);
    expect(await callFromPage('desktop:show-copy', [1])).toEqual(gone);
    const wrong = { problem: 'The window asked for this wrongly.' };
    for (const value of [target, -1, 0.5, null]) {
      expect(await callFromPage('desktop:show-copy', [value])).toEqual(wrong);
    }
    expect(asked).toEqual([`show ${target}`]);
  });

  test('a closed dialog saves nothing', async () => {
    answers.saveDialog = { canceled: true, filePath: '' };
    expect(await call('desktop:save-copy', [{ id, format: 'png' }, 'x'])).toEqual({ value: null });
    expect(existsSync(path.join(folder, 'x.png'))).toBe(false);
  });

  test.each([
    ['desktop:choose-folder', 'openDirectory createDirectory'],
    ['desktop:choose-file', 'openFile'],
  ])('%s asks for a path', async (channel, properties) => {
    answers.openDialog = { canceled: false, filePaths: ['/chosen'] };
    expect(await call(channel, ['Output folder', ''])).toEqual({ value: '/chosen' });
    expect(asked).toEqual([`open dialog: Output folder: ${properties}`]);
    answers.openDialog = { canceled: true, filePaths: [] };
    expect(await callFromPage(channel, ['Output folder', ''])).toEqual({ value: null });
    for (const values of [[{}, ''], ['Output folder'], ['Output folder', 1]]) {
      expect(await callFromPage(channel, values)).toEqual({
        problem: 'The window asked for this wrongly.',
      });
    }
  });

  test('dialogs begin where the current folder or file is', async () => {
    answers.openDialog = { canceled: true, filePaths: [] };
    await call('desktop:read-switches', []);
    const cases = [
      [folder, folder],
      [file, file],
      // Its folder, when it is gone; the system's choice, when both are.
      [path.join(folder, 'gone.png'), folder],
      [path.join(folder, 'gone', 'gone.png'), null],
      ['relative', null],
    ] as const;
    for (const [from, expected] of cases) {
      asked.length = 0;
      await callFromPage('desktop:choose-folder', ['Folder', from]);
      const place = expected === null ? '' : ` from ${expected}`;
      expect(asked).toEqual([`open dialog: Folder: openDirectory createDirectory${place}`]);
    }
  });

  test('reads the clipboard only for a window that is in front', async () => {
    answers.clipboard = '{"elements": []}';
    answers.hasFocus = false;
    expect(await call('desktop:read-clipboard', [])).toEqual({
      problem: 'The clipboard is read only while the window is in front.',
    });
    answers.hasFocus = true;
    expect(await callFromPage('desktop:read-clipboard', [])).toEqual({ value: answers.clipboard });
    expect(await callFromPage('desktop:read-clipboard', [], { senderFrame: null })).toEqual({
      problem: 'Only the window may do this.',
    });
  });

  test('shows the commands of the page with its keys, as far as they are known and readable', async () => {
    const menu = {
      enabled: { palette: true, 'from-a-newer-version': true },
      ticked: {},
      keys: { palette: ['Ctrl Shift J'], unknown: ['F9'], 'zoom-out': ['Ctrl no such key', 'F9'] },
    };
    expect(await call('desktop:show-commands', [menu])).toEqual({ value: undefined });
    const items = electron.allItems(electron.Menu.current!.items);
    const keysOf = (id: string): unknown => items.find((item) => item.id === id)?.accelerator;
    expect([keysOf('palette'), keysOf('zoom-out')]).toEqual(['CmdOrCtrl+Shift+J', 'F9']);
    expect(items.some((item) => item.id === 'from-a-newer-version')).toBe(false);
    const wrong = { ...menu, keys: { palette: 'Ctrl J' } };
    expect(await callFromPage('desktop:show-commands', [wrong])).toEqual({
      problem: 'The window asked for this wrongly.',
    });
  });

  test('carries out its own commands, and no others', async () => {
    expect(await call('desktop:run', ['open-output-folder'])).toEqual({ value: undefined });
    expect(asked.join()).toMatch(/^open /);
    expect(await callFromPage('desktop:run', ['save'])).toEqual({
      problem: 'The window asked for this wrongly.',
    });
  });

  const firstNotices = {
    notifyFinished: true,
    notifyBatches: true,
    notifyFailures: true,
    notifySound: false,
  };

  test('switches keep running and open at login, as the menu does; the menu tells the page', async () => {
    electron.app.isPackaged = true;
    Store.content = { version: 2, testedVersion: '1.2.3' };
    const off = { openAtLogin: false, keepRunning: false, ...firstNotices };
    expect(await call('desktop:read-switches', [])).toEqual({ value: off });
    const inMenu = (label: string): electron.MenuItem =>
      electron.allItems(electron.Menu.current!.items).find((item) => item.label === label)!;
    const keep = 'Keep Running When the Window Is Closed';
    for (const name of ['openAtLogin', 'keepRunning']) {
      const value = { ...off, [name]: true };
      expect(await callFromPage('desktop:set-switch', [name, true])).toEqual({ value });
      expect(await callFromPage('desktop:set-switch', [name, false])).toEqual({ value: off });
    }
    expect(electron.Tray.icons.map(({ isGone }) => isGone)).toEqual([true]);
    await callFromPage('desktop:set-switch', ['keepRunning', true]);
    expect([Store.content['keepRunning'], inMenu(keep).checked]).toEqual([true, true]);

    await listen();
    inMenu(keep).click?.({ checked: false });
    inMenu('Open at Login').click?.({ checked: true });
    const told = electron.BrowserWindow.opened[0]!.webContents.sent;
    const switches = [off, { ...off, openAtLogin: true }];
    expect(told).toEqual(
      switches.map((one) => ['desktop:message', { type: 'switches', switches: one }]),
    );
    for (const values of [['zoom', true], ['keepRunning', 1], []]) {
      expect(await callFromPage('desktop:set-switch', values)).toEqual({
        problem: 'The window asked for this wrongly.',
      });
    }
    electron.app.isPackaged = false;
    const { value } = (await callFromPage('desktop:read-switches', [])) as { value: object };
    expect(value).toEqual({ openAtLogin: null, keepRunning: false, ...firstNotices });
  });

  test.each([
    ['notifyFinished', 'Notify When a Render Finishes'],
    ['notifyBatches', 'Notify When a Batch Finishes'],
    ['notifyFailures', 'Notify When Something Fails'],
    ['notifySound', 'Notify with Sound'],
  ] as const)('switches %s for the page and the menu alike', async (name, label) => {
    Store.content = { version: 2, testedVersion: '1.2.3' };
    const on = !firstNotices[name];
    const inMenu = (): electron.MenuItem | undefined =>
      electron.allItems(electron.Menu.current!.items).find((item) => item.label === label);
    expect(await call('desktop:set-switch', [name, on])).toMatchObject({ value: { [name]: on } });
    expect([Store.content[name], inMenu()?.checked]).toEqual([on, on]);
    await listen();
    inMenu()?.click?.({ checked: !on });
    const [, told] = electron.BrowserWindow.opened[0]!.webContents.sent.at(-1)!;
    expect(told).toMatchObject({ type: 'switches', switches: { [name]: !on } });
  });

  test('sets all its switches as they were at first: also those of the menu, and the question at closing comes again', async () => {
    electron.app.isPackaged = true;
    const changed = { keepRunning: true, notifyFinished: false, notifyBatches: false };
    Store.content = { version: 2, testedVersion: '1.2.3', zoom: 1.2, ...changed };
    expect(await call('desktop:set-switch', ['openAtLogin', true])).toMatchObject({
      value: { openAtLogin: true },
    });
    expect(await callFromPage('desktop:reset-switches', [])).toEqual({
      value: { openAtLogin: false, keepRunning: false, ...firstNotices },
    });
    const first = { keepRunning: null, notifyFinished: true, notifyBatches: true };
    expect(Store.content).toMatchObject({ ...first, notifySound: false, zoom: 1.2 });
    const finished = electron
      .allItems(electron.Menu.current!.items)
      .find((item) => item.label === 'Notify When a Render Finishes');
    expect(finished?.checked).toBe(true);
    electron.app.isPackaged = false;
  });

  const stranger = { parent: null, origin: 'https://example.com' };
  test.each<[string, unknown[], object, RegExp]>([
    ['a path instead of an ID', [{ id: '../../etc/passwd', format: 'png' }], {}, /wrongly/],
    ['an unknown format', [{ id, format: 'exe' }], {}, /wrongly/],
    ['no value', [], {}, /wrongly/],
    ['an unknown render', [{ id: 'other', format: 'png' }], {}, /no longer/],
    ['another format of it', [{ id, format: 'jpg' }], {}, /no longer/],
    ['another page', [{ id, format: 'png' }], { senderFrame: stranger }, /Only the window/],
    [
      'a frame inside',
      [{ id, format: 'png' }],
      { senderFrame: { parent: {}, origin: 'x' } },
      /Only the window/,
    ],
    ['a frame that is gone', [{ id, format: 'png' }], { senderFrame: null }, /Only the window/],
    ['another window', [{ id, format: 'png' }], { sender: {} }, /Only the window/],
  ])('F116: refuses %s', async (_case, values, from, problem) => {
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

  // One that was killed while it was being started is killed as soon as it is there.
  const early = forkWorkerProcess();
  const { child: starting } = electron.UtilityChild.started.at(-1)!;
  const { pid } = starting;
  starting.pid = undefined;
  early.kill();
  expect(kill).toHaveBeenCalledTimes(1);
  starting.pid = pid;
  starting.emit('spawn');
  expect(kill).toHaveBeenCalledTimes(2);
  kill.mockRestore();

  // Out of memory is told before the end; nobody must trip over it.
  child.emit('error', 'FatalError', 'place', '{}');

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
