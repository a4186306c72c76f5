/** The rules of the desktop shell as tables: links and files, notifications, taskbar, menu, crashes and hangs. */
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  commandIds,
  commandTable,
  desktopCommands,
  placesMeet,
  type ChangedKeys,
  type CommandId,
  type CommandMenu,
} from '../../shared/commands.ts';
import { acceleratorOf, readKeys } from '../../shared/keys.ts';
import { EventBus } from '../../server/jobs/events.ts';
import type { ServerServices } from '../../server/services.ts';
import type { StoredRender } from '../../server/store/render-record.ts';
import { appId, desktopName, introduce, toastActivator } from '../../main/paths.ts';
import { noticeRules, showNotice, type Notice, type NoticeEars } from '../../main/notifications.ts';
import {
  createMessenger,
  openedArchive,
  readArguments,
  readFiles,
  readLink,
} from '../../main/openings.ts';
import type { Settings, SettingsFile } from '../../main/settings.ts';
import { barOf, titleOf } from '../../main/taskbar.ts';
import { faceOf, openTray } from '../../main/tray.ts';
import {
  type EndedBatch,
  type EndedRender,
  Work,
  type WorkState,
  QueueProgress,
} from '../../main/work.ts';
import * as electron from './electron-stand-in.ts';

const { asked, questions, app, folder } = electron;

// Imported again: the mock is made before this file's own imports.
vi.mock('electron', async () => (await import('./electron-stand-in.ts')).electronModule);
vi.mock('electron-store', async () => ({
  default: (await import('./electron-stand-in.ts')).Store,
}));

const plain: Settings = {
  places: {},
  lastDisplay: null,
  language: null,
  zoom: 1,
  keepRunning: null,
  keepAwake: null,
  notifyFinished: true,
  notifyBatches: true,
  notifyFailures: true,
  notifySound: false,
  softwareDrawing: null,
  testedVersion: null,
};

/** Settings that only live here. */
function settingsOf(change: Partial<Settings> = {}): SettingsFile & { current: Settings } {
  return {
    current: { ...plain, ...change },
    reportTo: () => undefined,
    save(changed) {
      this.current = { ...this.current, ...changed };
    },
  };
}

const ears = (): NoticeEars => ({
  onClick: () => undefined,
  sayInstead: () => undefined,
  log: () => undefined,
});

beforeEach(() => electron.forget());
afterEach(() => vi.useRealTimers());

describe('opening at login', () => {
  test.each([
    [
      '/opt/Framewright/framewright',
      '"/opt/Framewright/framewright"',
      '/opt/Framewright/framewright',
    ],
    [
      '/home/a b/$5 \\ "x" 100%.AppImage',
      String.raw`"/home/a b/\\$5 \\\\ \\"x\\" 100%%.AppImage"`,
      String.raw`/home/a b/$5 \\ "x" 100%.AppImage`,
    ],
  ])('names %s in a file of the desktop, and what must be there', async (program, line, must) => {
    const { loginEntry } = await import('../../main/login.ts');
    expect(loginEntry(program)).toContain(`\nExec=${line}\n`);
    expect(loginEntry(program)).toContain(`\nTryExec=${must}\n`);
  });

  test.runIf(process.platform === 'linux')(
    'writes and removes the file; switched off in place counts',
    async () => {
      const { openAtLogin, opensAtLogin } = await import('../../main/login.ts');
      expect(opensAtLogin()).toBe(null);
      app.isPackaged = true;
      const file = path.join(folder, 'appData', 'autostart', `${desktopName}.desktop`);
      expect(opensAtLogin()).toBe(false);
      openAtLogin(true);
      expect([opensAtLogin(), existsSync(file)]).toEqual([true, true]);
      appendFileSync(file, 'Hidden=true\n');
      expect(opensAtLogin()).toBe(false);
      openAtLogin(false);
      expect([opensAtLogin(), existsSync(file)]).toEqual([false, false]);
      app.isPackaged = false;
    },
  );
});

describe('opening files and links', () => {
  test.each([
    ['framewright://template/tpl-1', { type: 'show-template', id: 'tpl-1' }],
    ['framewright://sample/sale-bold', { type: 'offer-sample', id: 'sale-bold' }],
    ['framewright://render/7f3a9c1e-52d1', { type: 'show-render', id: '7f3a9c1e-52d1' }],
    ['framewright://render/a/', { type: 'show-render', id: 'a' }],
    ['framewright://render/a?start=true#x', { type: 'show-render', id: 'a' }],
    ['framewright://render/a/delete', null],
    ['framewright://render/../x', null],
    ['framewright://render/', null],
    ['framewright://delete/a', null],
    ['framewright:render/a', null],
    ['https://render/a', null],
    [`framewright://render/${'a'.repeat(129)}`, null],
  ])('%s shows %o', (link, message) => {
    expect(readLink(link)).toEqual(message);
  });

  test('a command line: files by their endings, links by their scheme, the rest is passed over', () => {
    const args = [
      '/opt/app',
      '--flag=a.json',
      'a.renderscript',
      'With files.FRAMEWRIGHT',
      '/b/Ä 1.JSON',
      'notes.txt',
      'framewright://render/a',
    ];
    expect(readArguments(args, '/from')).toEqual({
      files: ['/from/a.renderscript', '/from/With files.FRAMEWRIGHT', '/b/Ä 1.JSON'].map((one) =>
        path.resolve(one),
      ),
      links: ['framewright://render/a'],
    });
  });

  test('files that a file manager names by their address', () => {
    const file = path.resolve('/home/me/Ä 1 #2.renderscript');
    const args = [pathToFileURL(file).href, 'file://%zz/a.json', 'file:///notes.txt'];
    expect(readArguments(args, '/from').files).toEqual([file]);
  });

  test('files are read for the import dialog; one that fails does not keep the others', async () => {
    mkdirSync(folder, { recursive: true });
    const good = path.join(folder, 'good.json');
    const large = path.join(folder, 'large.json');
    writeFileSync(good, '{}');
    writeFileSync(large, Buffer.alloc(11 * 1024 * 1024));
    expect(await readFiles([path.join(folder, 'gone.json'), good, large, folder])).toEqual([
      { name: 'gone.json', problem: 'It can’t be read.' },
      { name: 'good.json', text: '{}' },
      { name: 'large.json', problem: 'It is larger than 10 MB.' },
      { name: path.basename(folder), problem: 'It can’t be read.' },
    ]);
  });

  test('of archives a kit’s list is read: the page gets a number for each, and can name no other file', async () => {
    mkdirSync(path.join(folder, 'folder.framewright'), { recursive: true });
    const file = path.join(folder, 'With files.framewright');
    writeFileSync(file, 'PK');
    const [read, none] = await readFiles([file, path.join(folder, 'folder.framewright')]);
    const archive = read && 'archive' in read ? read.archive : -1;
    expect(read).toEqual({ name: 'With files.framewright', size: 2, archive, kit: [] });
    expect(openedArchive(archive)).toBe(file);
    expect(openedArchive(archive + 1)).toBeUndefined();
    expect(none).toEqual({ name: 'folder.framewright', problem: 'It can’t be read.' });
  });

  test('messages wait for a page that listens, in order', () => {
    const heard: unknown[] = [];
    const messenger = createMessenger();
    messenger.send({ type: 'show-render', id: 'a' });
    messenger.connect((message) => heard.push(message));
    messenger.send({ type: 'show-render', id: 'b' });
    messenger.connect(null);
    messenger.send({ type: 'show-render', id: 'c' });
    expect(heard).toHaveLength(2);
    messenger.connect((message) => heard.push(message));
    expect(heard.map((message) => (message as { id: string }).id)).toEqual(['a', 'b', 'c']);
  });
});

describe('notifications', () => {
  const done: EndedRender = {
    id: 'r1',
    name: 'Promo square',
    succeeded: true,
    seconds: 31,
    inBatch: false,
  };
  const failed: EndedRender = { ...done, succeeded: false, message: 'Source error: X', seconds: 0 };
  const batch: EndedBatch = { name: 'Autumn list', done: 1970, failed: 3, cancelled: 0 };

  /** Titles of what is shown. */
  function titles(
    act: (rules: ReturnType<typeof noticeRules>) => void,
    { settings = {}, inFront = false }: { settings?: Partial<Settings>; inFront?: boolean } = {},
  ): string[] {
    const shown: Notice[] = [];
    const show = (notice: Notice): unknown => shown.push(notice);
    const rules = noticeRules({
      settings: () => ({ ...plain, ...settings }),
      inFront: () => inFront,
      show,
    });
    act(rules);
    rules.close();
    return shown.map(({ title }) => title);
  }

  const isDone = 'Promo square is done';
  const hasFailed = 'Promo square failed';
  test.each<[string, Partial<EndedRender>, Parameters<typeof titles>[1], string[]]>([
    ['long, not in front', {}, {}, [isDone]],
    ['not over 30 s', { seconds: 30 }, {}, []],
    ['in front', {}, { inFront: true }, []],
    ['switched off', {}, { settings: { notifyFinished: false } }, []],
    ['of a batch', { inBatch: true }, {}, []],
    ['failed, in front', failed, { inFront: true }, [hasFailed]],
    ['failed, switched off', failed, { settings: { notifyFailures: false } }, []],
    ['failed, of a batch', { ...failed, inBatch: true }, {}, []],
  ])('a render, %s', (_case, change, circumstances, expected) => {
    expect(titles((rules) => rules.onEnd?.({ ...done, ...change }), circumstances)).toEqual(
      expected,
    );
  });

  test('failures: one a minute, the others are counted', () => {
    vi.useFakeTimers();
    const shown = titles((rules) => {
      for (let n = 0; n < 4; n++) rules.onEnd?.(failed);
      vi.advanceTimersByTime(60_000);
      rules.onEnd?.(failed);
      vi.advanceTimersByTime(60_000);
      vi.advanceTimersByTime(60_000);
      rules.onEnd?.(failed);
    });
    expect(shown).toEqual([hasFailed, '3 more renders failed', '1 more render failed', hasFailed]);
  });

  test.each<[Partial<EndedBatch>, string]>([
    [{}, `Autumn list: ${(1970).toLocaleString()} done, 3 failed`],
    [{ failed: 0 }, `Autumn list: ${(1970).toLocaleString()} done`],
    [{ name: '', done: 0, failed: 0, cancelled: 2 }, 'Feed: 0 done, 2 cancelled'],
  ])('a batch %o: %s', (change, title) => {
    expect(titles((rules) => rules.onBatchEnd?.({ ...batch, ...change }))).toEqual([title]);
    const off = { settings: { notifyBatches: false } };
    expect(titles((rules) => rules.onBatchEnd?.(batch), off)).toEqual([]);
    // Who looks has seen that all went well, but may have missed what did not.
    const seen = titles((rules) => rules.onBatchEnd?.({ ...batch, ...change }), { inFront: true });
    expect(seen).toEqual({ ...batch, ...change }.failed > 0 ? [title] : []);
  });

  test('a finished render has a button that shows its file, where the system has buttons', async () => {
    const click = { type: 'show-render', id: 'r1' } as const;
    const notice = { title: 'T', body: '', file: '/out/r1.mp4', click };
    await showNotice(notice, false, ears());
    const [sent] = electron.Notification.sent;
    expect(sent?.options.actions).toEqual([{ type: 'button', text: 'Show in folder' }]);
    sent?.emit('action');
    expect(asked).toEqual(['show /out/r1.mp4']);
  });

  test('are sent with sound as set; a click is told', async () => {
    const clicked: unknown[] = [];
    const click = { type: 'show-render', id: 'r1' } as const;
    const notice = { title: 'T', body: 'B', click };
    await showNotice(notice, true, { ...ears(), onClick: (message) => clicked.push(message) });
    const [sent] = electron.Notification.sent;
    expect(sent?.options).toEqual({ title: 'T', body: 'B', silent: false });
    sent?.emit('click');
    expect(clicked).toEqual([click]);
  });

  const wide = { file: 'wide.jpg', width: 256 };
  const both = { width: 256, height: 256 };
  test.each<[NodeJS.Platform, string, object | null]>([
    // As large as a film, and sent pixel by pixel.
    ['linux', 'wide.jpg', wide],
    ['linux', 'tall.png', { file: 'tall.png', height: 256 }],
    ['linux', 'small.png', { file: 'small.png', width: 64, height: 48 }],
    // None that Electron reads, as a GIF, or gone.
    ['linux', 'none.gif', null],
    ['win32', 'wide.jpg', { file: 'wide.jpg', ...both }],
    ['darwin', 'none.gif', null],
  ])('show the picture of a render small: %s, %s', async (platform, name, icon) => {
    Object.assign(electron.pictureSizes, {
      'wide.jpg': { width: 3840, height: 2160 },
      'tall.png': { width: 1080, height: 1920 },
      'small.png': { width: 64, height: 48 },
    });
    const click = { type: 'show-render', id: 'r1' } as const;
    const notice = { title: 'T', body: '', picture: `/out/${name}`, click };
    await showNotice(notice, false, ears(), platform);
    const shown = electron.Notification.sent[0]?.options;
    if (icon === null) expect(shown).not.toHaveProperty('icon');
    else expect(shown?.icon).toMatchObject(icon);
  });
});

test.each([
  ['refuses', true],
  ['has none of', false],
])('a notification that the system %s is said by the window', async (_case, isSupported) => {
  const lines: string[] = [];
  const said: unknown[] = [];
  electron.Notification.isSupported = () => isSupported;
  const click = { type: 'show-render', id: 'r1' } as const;
  await showNotice({ title: 'Promo failed', body: 'No font', click }, true, {
    ...ears(),
    sayInstead: (message) => said.push(message),
    log: (...line) => lines.push(line.join(' ')),
  });
  if (isSupported) expect(said).toEqual([]);
  electron.Notification.sent[0]?.emit('failed', {}, 'Access is denied.');
  const text = 'Promo failed. The system did not show the notification.';
  expect(said).toEqual([{ type: 'notice', text, click }]);
  const line = 'warning notifications The system did not show "Promo failed": Access is denied.';
  expect(lines).toEqual(isSupported ? [line] : []);
});

describe('the names that systems know the program by', () => {
  const onLinux = 'desktop name app.framewright.Framewright';
  const onWindows = [`user model ${appId}`, `toast activator ${toastActivator}`];
  test.each([
    ['linux', false, [onLinux]],
    ['linux', true, [onLinux]],
    ['win32', true, onWindows],
    // Electron writes a shortcut and a key at the first notification: those of the installed program would lead
    // elsewhere.
    ['win32', false, []],
    ['darwin', true, []],
  ])('%s, packed: %s', (platform, isPackaged, told) => {
    app.isPackaged = isPackaged;
    introduce(platform);
    app.isPackaged = false;
    const place = path.join(folder, 'appData', 'Framewright');
    expect(asked).toEqual(['name Framewright', `folder userData: ${place}`, ...told]);
  });

  test('have the forms that Electron and portals take', () => {
    expect(toastActivator).toMatch(/^\{[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}\}$/);
    // As D-Bus and Flatpak: three parts or more. Electron would take an ending `.desktop` away.
    expect(desktopName).toMatch(/^[a-z]+(?:\.[A-Za-z_][\w]*){2,}$/);
    expect(desktopName.endsWith('.desktop')).toBe(false);
  });
});

test('only Windows has a window of its own that hears of the end of the session', async () => {
  const { watchSessionEnd } = await import('../../main/quit.ts');
  for (const platform of ['linux', 'darwin']) watchSessionEnd(() => undefined, platform);
  expect(electron.BaseWindow.opened).toEqual([]);
  let ends = 0;
  watchSessionEnd(() => ends++, 'win32');
  const [listener] = electron.BaseWindow.opened;
  expect(listener?.options.show).toBe(false);
  for (const name of ['query-session-end', 'session-end']) listener?.emit(name);
  expect(ends).toBe(2);
});

test('the progress of the queue: all that came since it was last empty', () => {
  const progress = new QueueProgress();
  const seen: (number | null)[] = [];
  const steps: (() => void)[] = [
    () => undefined,
    () => progress.add('a'),
    () => progress.proceed('a', 0.5),
    () => progress.add('b'),
    () => progress.end('a', false),
    () => progress.add('c'),
    () => progress.end('c', true),
    () => progress.proceed('b', 1),
    () => progress.end('b', false),
    () => progress.add('d'),
    () => progress.end('unknown', false),
  ];
  for (const step of steps) {
    step();
    seen.push(progress.fraction);
  }
  expect(seen).toEqual([null, 0, 0.5, 0.25, 0.5, 1 / 3, 0.5, 0.995, null, 0, 0]);
});

describe('taskbar, title, tray', () => {
  const idle: WorkState = {
    running: 0,
    waiting: 0,
    paused: false,
    held: false,
    lowBattery: null,
    off: false,
    fraction: null,
    current: null,
  };
  const busy: WorkState = { ...idle, running: 1, fraction: 0.437 };
  test.each<[string, WorkState, boolean, object]>([
    ['idle', idle, false, { value: -1, mode: 'none' }],
    ['busy', busy, false, { value: 0.437, mode: 'normal' }],
    ['paused with a render', { ...busy, paused: true }, false, { value: 0.437, mode: 'normal' }],
    ['paused', { ...busy, running: 0, paused: true }, false, { value: 0.437, mode: 'paused' }],
    ['held', { ...busy, running: 0, held: true }, false, { value: 0.437, mode: 'paused' }],
    ['failed', idle, true, { value: -1, mode: 'error' }],
    ['failed, busy', busy, true, { value: 0.437, mode: 'error' }],
  ])('%s', (_case, state, hasFailed, bar) => {
    expect(barOf(state, hasFailed, 'darwin')).toEqual(bar);
  });

  test('only Windows has a red bar, which is full when there is nothing else to tell', () => {
    expect(barOf(idle, true, 'win32')).toEqual({ value: 1, mode: 'error' });
  });

  test('the title tells where the taskbar does not', () => {
    expect(titleOf(busy, 'linux')).toBe('43\u00a0% – Framewright');
    expect(titleOf(busy, 'win32')).toBe('Framewright');
    expect(titleOf(idle, 'linux')).toBe('Framewright');
  });

  test.each<[NodeJS.Platform, string, boolean, boolean]>([
    ['darwin', 'click', true, false],
    ['darwin', 'right-click', true, false],
    ['win32', 'click', false, true],
    ['win32', 'right-click', true, false],
    ['linux', 'click', true, true],
  ])('%s: a %s on the icon shows its menu: %s, the window: %s', (platform, event, menu, window) => {
    let isOpen = false;
    const setPaused = (): Promise<void> => Promise.resolve();
    const work = { isApiOn: true, apiUrl: 'http://127.0.0.1:4820', setPaused };
    const open = (): void => {
      isOpen = true;
    };
    const icon = openTray({ work, open, quit: () => undefined }, platform);
    icon.update(busy, false);
    const tray = electron.Tray.icons.at(-1)!;
    tray.emit(event);
    expect([tray.menu.length > 0, isOpen]).toEqual([menu, window]);
    // Outside of Linux a menu that is open stays as it is.
    const shown = tray.menu;
    icon.update({ ...busy, paused: true }, false);
    expect(tray.menu === shown).toBe(platform !== 'linux');
    icon.close();
  });

  test('the icon', () => {
    const faces = [idle, busy, { ...busy, off: true }].map(faceOf);
    expect(faces).toEqual(['idle', 'rendering', 'problem']);
  });
});

test('a batch is told once, when the last of its renders has ended', () => {
  const events = new EventBus(() => undefined);
  const renders: StoredRender[] = [];
  let made = false;
  // Only what is asked of them here; the real ones are in work.test.ts.
  const services = {
    events,
    address: { apiUrl: () => '' },
    library: { files: { outputPath: () => '/none', snapshotPath: () => '/none' } },
    work: {
      queue: { state: { renderer: { state: 'idle' }, queue: { running: 0, waiting: 0 } } },
    },
    store: {
      renders: { listUnfinished: () => [], list: () => renders },
      feeds: { listBatches: () => [{ id: 'b', rowCount: 3, done: made }] },
    },
  } as unknown as ServerServices;
  const ended: EndedBatch[] = [];
  const ends: EndedRender[] = [];
  new Work(services).follow({
    onBatchEnd: (batch) => ended.push(batch),
    onEnd: (render) => ends.push(render),
  });
  const request = { batch: { id: 'b', name: 'Autumn' } } as StoredRender['request'];
  const set = (id: string, change: Partial<StoredRender>): void => {
    const index = renders.findIndex((render) => render.id === id);
    const base = { id, request, outputFormat: 'mp4', attempts: 1, createdAt: 0, order: 1 };
    const render = { ...base, ...renders[index], ...change } as StoredRender;
    if (index < 0) renders.push(render);
    else renders[index] = render;
    events.emit({ type: index < 0 ? 'render.created' : 'render.updated', render });
  };
  set('1', { status: 'planned' });
  set('1', { status: 'succeeded' });
  expect(ended).toEqual([]);
  set('2', { status: 'planned' });
  set('3', { status: 'planned' });
  made = true;
  set('2', { status: 'failed', cancelled: true });
  set('3', { status: 'rendering' });
  set('3', { status: 'failed', errorMessage: 'Source error' });
  expect(ended).toEqual([{ name: 'Autumn', done: 1, failed: 1, cancelled: 1 }]);
  // A change of something that ended long ago is no end.
  set('1', { status: 'succeeded' });
  expect([ended.length, ends.map(({ id }) => id)]).toEqual([1, ['1', '3']]);
});

test.each([
  ['png', { width: 3840, height: 2160, snapshot: false }, true],
  ['png', { width: 8000, height: 8000, snapshot: false }, false],
  ['mp4', { width: 1920, height: 1080, snapshot: true }, true],
  ['mp4', { width: 1920, height: 1080, snapshot: false }, false],
  ['mp4', { width: 7680, height: 4320, snapshot: true }, false],
] as const)('a %s of %o has a picture to show: %s', (outputFormat, facts, hasPicture) => {
  const events = new EventBus(() => undefined);
  const file = path.join(folder, 'shown.jpg');
  writeFileSync(file, '');
  const services = {
    events,
    library: { files: { outputPath: () => file, snapshotPath: () => file } },
    work: { queue: { state: { queue: { running: 0 } } } },
    store: { renders: { listUnfinished: () => [] } },
  } as unknown as ServerServices;
  const pictures: unknown[] = [];
  new Work(services).follow({ onEnd: ({ picture }) => pictures.push(picture) });
  const base = { id: 'r', request: {}, outputFormat, facts };
  for (const status of ['rendering', 'succeeded'] as const) {
    const render = { ...base, status } as unknown as StoredRender;
    events.emit({ type: 'render.updated', render });
  }
  expect(pictures).toEqual([hasPicture ? file : undefined]);
});

describe('the menu', () => {
  /** Everything that a window of the desktop could have. */
  const ids = commandIds.filter((id) => commandTable[id].only !== 'browser');
  const own: readonly CommandId[] = desktopCommands;
  const all = Object.fromEntries(ids.map((id) => [id, true]));

  async function openMenu(): Promise<{
    show: (
      enabled: CommandMenu['enabled'],
      keys?: ChangedKeys,
      ticked?: CommandMenu['ticked'],
    ) => void;
    items: () => electron.MenuItem[];
    settings: ReturnType<typeof settingsOf>;
    run: unknown[];
  }> {
    const { setMenu } = await import('../../main/menu.ts');
    const run: unknown[] = [];
    const settings = settingsOf();
    const menu = setMenu({
      settings,
      run: (message) => run.push(message),
      zoom: () => undefined,
      outputFolder: () => '/finished',
      apiUrl: () => 'http://127.0.0.1:4820',
      onSwitch: () => run.push('switch'),
    });
    const items = (): electron.MenuItem[] => electron.allItems(electron.Menu.current!.items);
    return {
      show: (enabled, keys = {}, ticked = {}) => menu.show({ enabled, keys, ticked }),
      items,
      settings,
      run,
    };
  }

  test('holds every command with its keys, which the page answers', async () => {
    const { show, items, run } = await openMenu();
    show(all);
    const systemKeys = /^Ctrl (?:Shift )?[ACXYVZ]$/;
    for (const id of ids) {
      const found = items().filter((item) => item.id === id);
      expect([id, found.length]).toEqual([id, 1]);
      const [item] = found;
      expect(item?.label).toMatch(/\S/);
      const [first = ''] = commandTable[id].keys;
      // Copy, undo and the like are shown by the system's own lines; our Shift C is none of them.
      const isShown = !systemKeys.test(first) || first === 'Ctrl Shift C';
      const expected = isShown ? acceleratorOf(first) : null;
      if (process.platform !== 'darwin')
        expect([id, item?.accelerator ?? null]).toEqual([id, expected]);
      if (own.includes(id)) continue;
      expect(item?.registerAccelerator ?? false).toBe(false);
      item?.click?.({ checked: false });
      expect(run.at(-1)).toEqual({ type: 'command', command: id });
    }
  });

  test('shows the keys that a person chose, and takes those of the desktop’s own commands', async () => {
    const { show, items } = await openMenu();
    const shown = (id: CommandId): unknown =>
      items()
        .filter((item) => item.id === id)
        .map(({ accelerator }) => accelerator ?? null);
    const zooms = (): unknown =>
      items()
        .filter(({ label }) => label === 'Zoom In')
        .map(({ accelerator, visible }) => [accelerator, visible ?? true]);
    // Before a window has told anything.
    expect(zooms()).toEqual([
      ['CmdOrCtrl+Plus', true],
      ['CmdOrCtrl+=', false],
    ]);
    const enabled = { palette: true, 'pause-queue': true };
    show(enabled, { palette: ['Ctrl J'], 'pause-queue': [], 'zoom-in': ['Ctrl F9'] });
    expect([shown('palette'), shown('pause-queue'), zooms()]).toEqual([
      ['CmdOrCtrl+J'],
      [null],
      [['CmdOrCtrl+F9', true]],
    ]);
    show(enabled);
    expect([shown('palette'), shown('pause-queue')]).toEqual([
      ['CmdOrCtrl+K'],
      ['CmdOrCtrl+Shift+P'],
    ]);
  });

  test('ticks what is on, and leaves it to the window what choosing it does', async () => {
    const { show, items } = await openMenu();
    const enabled = { 'pause-queue': true, 'toggle-preview': true };
    show(enabled, {}, { 'pause-queue': false, 'toggle-preview': true });
    const item = (id: CommandId): electron.MenuItem => items().find((one) => one.id === id)!;
    const state = (): unknown =>
      (['pause-queue', 'toggle-preview'] as const).map((id) => [item(id).type, item(id).checked]);
    const before = [
      ['checkbox', false],
      ['checkbox', true],
    ];
    expect(state()).toEqual(before);
    const builds = asked.filter((line) => line.startsWith('menu')).length;
    const pause = item('pause-queue');
    // Electron flips the tick itself before it tells of the click.
    pause.checked = true;
    pause.click?.(pause as { checked: boolean });
    expect(state()).toEqual(before);
    show(enabled, {}, { 'pause-queue': true, 'toggle-preview': false });
    expect(state()).toEqual([
      ['checkbox', true],
      ['checkbox', false],
    ]);
    expect(asked.filter((line) => line.startsWith('menu'))).toHaveLength(builds);
  });

  test('carries out what only the desktop can', async () => {
    const { runDesktopCommand } = await import('../../main/menu.ts');
    const zooms: number[] = [];
    const told: unknown[] = [];
    const actions = {
      run: (message: unknown) => told.push(message),
      zoom: (step: number) => zooms.push(step),
      outputFolder: () => '/finished',
      apiUrl: () => 'http://127.0.0.1:4820',
    };
    const from = asked.length;
    for (const id of desktopCommands) runDesktopCommand(id, actions);
    expect(zooms).toEqual([1, -1, 0]);
    expect(asked.slice(from).join('\n')).toMatch(/finished[^]*4820\/docs[^]*logs[^]*quit/i);

    // While the API is off there are no help pages: its own page says so.
    const before = asked.length;
    runDesktopCommand('api-help', { ...actions, apiUrl: () => null });
    expect([asked.length, told]).toEqual([before, [{ type: 'command', command: 'go-api' }]]);
  });

  test('has no command that the window does not have, and no line that separates nothing', async () => {
    const { show, items } = await openMenu();
    const commands = (): unknown =>
      items().flatMap(({ id, enabled }) =>
        id === undefined || own.some((one) => one === id) ? [] : [[id, enabled]],
      );
    expect(commands()).toEqual([]);
    show({ 'render-again': false, 'new-template': true });
    expect(commands()).toEqual([
      ['new-template', true],
      ['render-again', false],
    ]);
    for (const menu of [{}, all, { save: true, settings: true }]) {
      show(menu);
      for (const { submenu = [] } of items()) {
        const types = submenu.map(({ type }) => type);
        expect([types[0], types.at(-1)]).not.toContain('separator');
        expect(types.join()).not.toContain('separator,separator');
      }
    }
  });

  test('greys and lights commands in place: an open menu stays open', async () => {
    const { show, items } = await openMenu();
    show({ 'render-again': false });
    const [item] = items().filter(({ id }) => id === 'render-again');
    const builds = asked.filter((line) => line.startsWith('menu')).length;
    show({ 'render-again': true });
    expect(item?.enabled).toBe(true);
    expect(asked.filter((line) => line.startsWith('menu'))).toHaveLength(builds);
  });

  test('switches are kept and told', async () => {
    const { items, settings, run } = await openMenu();
    const [item] = items().filter(({ label }) => label?.startsWith('Keep Running'));
    expect([item?.type, item?.checked]).toEqual(['checkbox', false]);
    item?.click?.({ checked: true });
    expect([settings.current.keepRunning, run]).toEqual([true, ['switch']]);
  });

  test('no two commands of one menu have the same keys', async () => {
    const { show } = await openMenu();
    show(all);
    for (const { label, submenu = [] } of electron.Menu.current?.items ?? []) {
      const keys = submenu.flatMap(({ accelerator }) => accelerator ?? []);
      expect([label, new Set(keys).size]).toEqual([label, keys.length]);
    }
  });

  test('no two commands have the same keys in the same place', () => {
    const shared = ids.flatMap((one, index) =>
      ids.slice(index + 1).flatMap((other) => {
        const [a, b] = [commandTable[one], commandTable[other]];
        const both = a.keys.filter((keys) => b.keys.includes(keys));
        return both.length > 0 && placesMeet(a.where, b.where) ? [[one, other, both]] : [];
      }),
    );
    expect(shared).toEqual([]);
    for (const id of commandIds) {
      for (const keys of commandTable[id].keys) expect([keys, readKeys(keys)]).not.toContain(null);
    }
  });

  test.each([true, false])('packed: %s – reloading and developer tools', async (isPackaged) => {
    app.isPackaged = isPackaged;
    const { items } = await openMenu();
    const roles = items().flatMap(({ role }) => role ?? []);
    expect([roles.includes('reload'), roles.includes('toggleDevTools')]).toEqual([
      !isPackaged,
      !isPackaged,
    ]);
    app.isPackaged = false;
  });
});

describe('crashes and hangs', () => {
  const log = (): undefined => undefined;

  async function watchedPage(): Promise<{
    page: electron.BrowserWindow['webContents'];
    loads: () => number;
  }> {
    const { watchPage } = await import('../../main/faults.ts');
    const window = new electron.BrowserWindow({ webPreferences: {} });
    let loads = 0;
    watchPage(window as never, log, () => loads++);
    return { page: window.webContents, loads: () => loads };
  }

  test('F18: a page that dies is loaded again once, then a person is asked', async () => {
    vi.useFakeTimers();
    const { page, loads } = await watchedPage();
    page.emit('render-process-gone', {}, { reason: 'clean-exit' });
    expect(loads()).toBe(0);
    page.emit('render-process-gone', {}, { reason: 'crashed' });
    expect([loads(), questions.length]).toEqual([1, 0]);
    page.emit('render-process-gone', {}, { reason: 'oom' });
    expect(loads()).toBe(1);
    expect(questions[0]).toMatchObject({
      message: 'The window stopped working.',
      buttons: ['Reload', 'Quit'],
    });
    questions[0]?.answer(0);
    await vi.waitFor(() => expect(loads()).toBe(2));
    vi.advanceTimersByTime(61_000);
    page.emit('render-process-gone', {}, { reason: 'crashed' });
    expect(loads()).toBe(3);
  });

  test('a page that hangs: asked once, and not any more when it answers', async () => {
    const { page, loads } = await watchedPage();
    page.emit('unresponsive');
    page.emit('unresponsive');
    expect(questions.map(({ buttons }) => buttons)).toEqual([['Wait', 'Reload']]);
    page.emit('responsive');
    await Promise.resolve();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(asked).not.toContain('crash page');

    page.emit('unresponsive');
    questions[1]?.answer(1);
    await vi.waitFor(() => expect(asked).toContain('crash page'));
    // Its end loads it again.
    page.emit('render-process-gone', {}, { reason: 'killed' });
    expect(loads()).toBe(1);
  });

  test('F19: graphics that crash three times: the next start draws without them', async () => {
    const { chooseDrawing, watchProcesses } = await import('../../main/faults.ts');
    const settings = settingsOf();
    watchProcesses(settings, log);
    const crash = (type: string): unknown =>
      app.emit('child-process-gone', {}, { type, reason: 'crashed', exitCode: 1 });
    crash('GPU');
    crash('GPU');
    crash('Utility');
    expect(settings.current.softwareDrawing).toBeNull();
    crash('GPU');
    expect(settings.current.softwareDrawing).toBe('1.2.3');
    chooseDrawing(settings);
    // Another version tries again.
    chooseDrawing(settingsOf({ softwareDrawing: '1.2.2' }));
    expect(asked).toEqual(['draw without graphics card']);
  });

  test('F21: three errors in a minute start the program anew, and one of the server does', async () => {
    vi.useFakeTimers();
    const { asServer, watchErrors } = await import('../../main/faults.ts');
    const before = process.listeners('unhandledRejection');
    const lines: string[] = [];
    let restarts = 0;
    let isAgain = false;
    watchErrors(
      (_level, _place, text) => lines.push(text),
      () => restarts++,
      () => isAgain,
    );
    const added = process.listeners('unhandledRejection').find((one) => !before.includes(one))!;
    const caught = process.listeners('uncaughtException').at(-1)!;
    const raise = (): void => added(new Error('one of ours'), Promise.resolve());
    raise();
    raise();
    vi.advanceTimersByTime(61_000);
    raise();
    expect(restarts).toBe(0);
    raise();
    raise();
    expect([restarts, lines.length]).toEqual([1, 5]);
    expect(lines[0]).toMatch(/^Nobody caught this: Error: one of ours\n/);
    vi.advanceTimersByTime(61_000);
    asServer(raise);
    expect(restarts).toBe(2);
    // A program that was just restarted would only end.
    isAgain = true;
    vi.advanceTimersByTime(61_000);
    asServer(raise);
    expect(restarts).toBe(2);
    process.removeListener('unhandledRejection', added);
    process.removeListener('uncaughtException', caught);
  });
});
