/**
 * A stand-in for Electron's API that records what main/ asks of it, for machines without Electron's binary. Only what
 * main/ uses; that main/ uses it rightly is checked against Electron's own types.
 */
import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

type Handler = (event: unknown, ...values: unknown[]) => Promise<unknown>;
type PermissionHandler = (
  page: unknown,
  permission: string,
  answer: (allowed: boolean) => void,
  details: { requestingUrl: string; isMainFrame: boolean; mediaTypes?: string[] },
) => void;
type PermissionCheck = (
  page: unknown,
  permission: string,
  requestingOrigin: string,
  details: { requestingUrl?: string; isMainFrame: boolean; mediaType?: string },
) => boolean;

/** Everything that was asked for, in order, as short lines. */
export const asked: string[] = [];
/** What was given to the single instance lock. */
export const handedOver: unknown[] = [];
/** A folder for all of `app.getPath`. */
export const folder = mkdtempSync(path.join(tmpdir(), 'framewright-desktop-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** Handlers of `ipcMain.handle` by channel. */
export const handlers = new Map<string, Handler>();

/** What a message box was shown with. */
export interface Question {
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
  readonly checkboxLabel?: string;
  readonly cancelId: number;
  readonly signal?: AbortSignal;
}

/** A question that waits for an answer. */
export interface OpenQuestion extends Question {
  answer(response: number, checkboxChecked?: boolean): void;
}

/** Questions that were shown, in order; answered by the test. */
export const questions: OpenQuestion[] = [];

/** What the next questions are answered with. */
export const answers = {
  isFirstInstance: true,
  saveDialog: { canceled: false, filePath: '' },
  openDialog: { canceled: false, filePaths: [] as string[] },
  openPath: '',
  displays: [{ id: 1, workArea: { x: 0, y: 0, width: 1920, height: 1040 } }],
  hasFocus: false,
  clipboard: '',
  onBattery: false,
  openAtLogin: false,
  /** What a window tells of its first page; under Wayland one that was never shown may not tell that it is ready. */
  windowTells: ['ready-to-show', 'did-finish-load'] as readonly string[],
  /** Best first. */
  systemLanguages: ['en'],
};

/** Emits an event that listeners can refuse. @returns whether one did. */
function isRefused(emitter: EventEmitter, name: string): boolean {
  const event = {
    defaultPrevented: false,
    preventDefault() {
      this.defaultPrevented = true;
    },
  };
  emitter.emit(name, event);
  return event.defaultPrevented;
}

class Page extends EventEmitter {
  openHandler: ((details: { url: string }) => { action: string }) | null = null;
  permissionHandler: PermissionHandler | null = null;
  permissionCheck: PermissionCheck | null = null;
  readonly mainFrame = { parent: null, origin: '' };
  /** What was sent to the page, with its channel. */
  readonly sent: unknown[][] = [];
  zoom = 1;

  readonly session = Object.assign(new EventEmitter(), {
    setSpellCheckerEnabled: (on: boolean) => asked.push(`spell-check ${on ? 'on' : 'off'}`),
    setPermissionRequestHandler: (handler: PermissionHandler) => {
      this.permissionHandler = handler;
    },
    setPermissionCheckHandler: (check: PermissionCheck) => {
      this.permissionCheck = check;
    },
    setDevicePermissionHandler: () => undefined,
  });

  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.openHandler = handler;
  }
  send = (...values: unknown[]): unknown => this.sent.push(values);
  setZoomFactor = (factor: number): void => {
    this.zoom = factor;
  };
  forcefullyCrashRenderer = (): unknown => asked.push('crash page');

  /**
   * What Electron 45 tells of a navigation of the main frame, in its order
   * (shell/browser/api/electron_api_web_contents.cc): `document` is a new one, `in-page` is a changed fragment or
   * `history.replaceState`, `error` a page that can't be reached, `aborted` a navigation that came to nothing.
   */
  navigate(
    kind: 'document' | 'in-page' | 'error' | 'aborted',
    url = 'http://127.0.0.1:51234/',
  ): void {
    const isSameDocument = kind === 'in-page';
    this.emit('did-start-navigation', { url, isSameDocument, isMainFrame: true });
    this.emit('did-start-loading');
    if (kind === 'document') {
      this.emit('did-frame-navigate', {}, url, 200, 'OK', true, 1, 1);
      this.emit('did-navigate', {}, url, 200, 'OK');
    } else if (kind === 'in-page') {
      this.emit('did-navigate-in-page', {}, url, true, 1, 1);
    } else if (kind === 'error') {
      const refused = [{}, -102, 'ERR_CONNECTION_REFUSED', url, true, 1, 1];
      this.emit('did-fail-provisional-load', ...refused);
      this.emit('did-fail-load', ...refused);
    }
    this.emit('did-stop-loading');
  }
}

export class BrowserWindow extends EventEmitter {
  static opened: BrowserWindow[] = [];
  readonly id = BrowserWindow.opened.length + 1;
  readonly webContents = new Page();
  readonly options: Record<string, unknown> & { webPreferences: Record<string, unknown> };
  readonly bars: [number, string][] = [];
  title = '';
  isClosed = false;
  maximized = false;
  #visible = false;

  constructor(options: BrowserWindow['options']) {
    super();
    this.options = options;
    BrowserWindow.opened.push(this);
    asked.push('open window');
  }

  loadURL(url: string): Promise<void> {
    asked.push(`load ${url}`);
    this.webContents.mainFrame.origin = new URL(url).origin;
    this.webContents.navigate('document', url);
    if (answers.windowTells.includes('ready-to-show')) this.emit('ready-to-show');
    if (answers.windowTells.includes('did-finish-load')) this.webContents.emit('did-finish-load');
    return Promise.resolve();
  }

  /** As a person or the program closes it: unless someone refuses, it is gone. */
  close(): void {
    if (isRefused(this, 'close') || this.isClosed) return;
    this.isClosed = true;
    asked.push('window closed');
    this.emit('closed');
    app.emit('window-all-closed');
  }

  getNormalBounds = (): unknown => ({ x: 10, y: 20, width: 1000, height: 700 });
  isMaximized = (): boolean => this.maximized;
  isMinimized = (): boolean => true;
  isFocused = (): boolean => {
    if (this.isClosed) throw new TypeError('Object has been destroyed');
    return answers.hasFocus;
  };
  isDestroyed = (): boolean => this.isClosed;
  maximize = (): unknown => asked.push('maximize');
  restore = (): unknown => asked.push('restore window');
  isVisible = (): boolean => this.#visible;
  show = (): void => {
    if (this.isClosed) throw new TypeError('Object has been destroyed');
    asked.push('show window');
    const wasVisible = this.#visible;
    this.#visible = true;
    if (!wasVisible) this.emit('show');
  };
  /** As on Linux, where a window out of sight is not maximised any more. */
  hide = (): void => {
    asked.push('hide window');
    this.#visible = false;
    this.maximized = false;
    this.emit('hide');
  };
  focus = (): unknown => asked.push('focus window');
  setProgressBar = (value: number, { mode } = { mode: 'normal' }): unknown =>
    this.bars.push([value, mode]);
  setTitle = (title: string): void => {
    this.title = title;
  };
}

/** A window without a page. */
export class BaseWindow extends EventEmitter {
  static opened: BaseWindow[] = [];
  readonly options: { show?: boolean };
  constructor(options: { show?: boolean }) {
    super();
    this.options = options;
    BaseWindow.opened.push(this);
  }
}

export const app = Object.assign(new EventEmitter(), {
  isPackaged: false,
  name: 'Framewright',
  commandLine: { hasSwitch: () => false },
  requestSingleInstanceLock: (handed: unknown) => {
    asked.push('single instance lock');
    handedOver.push(handed);
    return answers.isFirstInstance;
  },
  setName: (name: string) => asked.push(`name ${name}`),
  setDesktopName: (name: string) => asked.push(`desktop name ${name}`),
  setAppUserModelId: (id: string) => asked.push(`user model ${id}`),
  setToastActivatorCLSID: (id: string) => asked.push(`toast activator ${id}`),
  getVersion: () => '1.2.3',
  getPreferredSystemLanguages: () => answers.systemLanguages,
  disableHardwareAcceleration: () => asked.push('draw without graphics card'),
  getLoginItemSettings: () => ({ openAtLogin: answers.openAtLogin }),
  setLoginItemSettings: (given: { openAtLogin: boolean }) => Object.assign(answers, given),
  whenReady: () => Promise.resolve(),
  getPath: (name: string) => path.join(folder, name),
  setPath: (name: string, place: string) => asked.push(`folder ${name}: ${place}`),
  /** As Electron: asks who may refuse, then closes the windows and ends. */
  quit: () => {
    if (!isRefused(app, 'before-quit')) asked.push('quit');
  },
  relaunch: ({ execPath = 'itself', args = [] }: { execPath?: string; args?: string[] }) =>
    asked.push(`relaunch ${execPath}: ${args.join(' ')}`),
  exit: (code: number) => asked.push(`exit ${code}`),
});

const ipcMain = {
  handle: (channel: string, handler: Handler) => handlers.set(channel, handler),
};

const shell = {
  showItemInFolder: (file: string) => asked.push(`show ${file}`),
  openPath: (file: string) => {
    asked.push(`open ${file}`);
    return Promise.resolve(answers.openPath);
  },
  openExternal: (url: string) => {
    asked.push(`browse ${url}`);
    return Promise.resolve();
  },
};

const dialog = {
  showErrorBox: (title: string, text: string) => asked.push(`error box: ${title}: ${text}`),
  showSaveDialog: (_window: unknown, options: { defaultPath: string }) => {
    asked.push(`save dialog: ${options.defaultPath}`);
    return Promise.resolve(answers.saveDialog);
  },
  showOpenDialog: (
    _window: unknown,
    options: { title: string; properties: string[]; defaultPath?: string },
  ) => {
    const { title, properties, defaultPath } = options;
    const place = defaultPath === undefined ? '' : ` from ${defaultPath}`;
    asked.push(`open dialog: ${title}: ${properties.join(' ')}${place}`);
    return Promise.resolve(answers.openDialog);
  },
  showMessageBox: (...values: unknown[]) => {
    const question = values.at(-1) as Question;
    asked.push(`ask: ${question.message}`);
    return new Promise((resolve) => {
      const answer: OpenQuestion['answer'] = (response, checkboxChecked = false) =>
        resolve({ response, checkboxChecked });
      question.signal?.addEventListener('abort', () => answer(question.cancelId));
      questions.push({ ...question, answer });
    });
  },
};

/** An item of a menu as it was given, with its own menu made. */
export interface MenuItem {
  readonly id?: string;
  readonly role?: string;
  readonly type?: string;
  readonly label?: string;
  readonly accelerator?: string;
  readonly registerAccelerator?: boolean;
  readonly visible?: boolean;
  checked?: boolean;
  readonly submenu?: readonly MenuItem[];
  enabled?: boolean;
  readonly click?: (item: { checked: boolean }) => void;
}

/** All items of menus, with those of their submenus. */
export function allItems(items: readonly MenuItem[]): MenuItem[] {
  return items.flatMap((item) => [item, ...allItems(item.submenu ?? [])]);
}

export class Menu {
  static current: Menu | null = null;
  readonly items: readonly MenuItem[];
  private constructor(items: readonly MenuItem[]) {
    this.items = items;
  }
  static buildFromTemplate = (template: readonly MenuItem[]): Menu => new Menu(template);
  static setApplicationMenu = (menu: Menu): void => {
    Menu.current = menu;
    const names = menu.items.map(({ role, label }) => label ?? role);
    asked.push(`menu ${names.join(' ')}`);
  };
  static getApplicationMenu = (): Menu | null => Menu.current;
  getMenuItemById = (id: string): MenuItem | null =>
    allItems(this.items).find((item) => item.id === id) ?? null;
}

/** The system is light. */
export const nativeTheme = {
  themeSource: 'system',
  get shouldUseDarkColors(): boolean {
    return this.themeSource === 'dark';
  },
};
const screen = {
  getAllDisplays: () => answers.displays,
  getPrimaryDisplay: () => answers.displays[0],
  getDisplayMatching: ({ x }: { x: number }) =>
    answers.displays.find(({ workArea }) => x >= workArea.x && x < workArea.x + workArea.width) ??
    answers.displays[0],
};

/** A utility process that was started. */
export class UtilityChild extends EventEmitter {
  static started: {
    script: string;
    options: { env?: Record<string, string> };
    child: UtilityChild;
  }[] = [];
  /** Whether a started process says that it waits for work. */
  static areReady = false;
  // Above what systems give out: killing it ends nobody.
  pid: number | undefined = 2 ** 30;
  readonly posted: unknown[] = [];
  postMessage = (message: unknown): unknown => this.posted.push(message);
}

const utilityProcess = {
  fork: (script: string, _args: string[], options: { env?: Record<string, string> }) => {
    const child = new UtilityChild();
    UtilityChild.started.push({ script, options, child });
    if (UtilityChild.areReady) setImmediate(() => child.emit('message', { type: 'ready' }));
    return child;
  },
};

/** An icon beside the clock. */
export class Tray extends EventEmitter {
  static icons: Tray[] = [];
  /** Name of its picture's file. */
  picture: string;
  menu: readonly MenuItem[] = [];
  toolTip = '';
  isGone = false;
  constructor({ file }: Picture) {
    super();
    this.picture = file;
    Tray.icons.push(this);
  }
  setImage = ({ file }: Picture): void => {
    this.picture = file;
  };
  setToolTip = (text: string): void => {
    this.toolTip = text;
  };
  setContextMenu = (menu: Menu): void => {
    this.menu = menu.items;
  };
  popUpContextMenu = (menu: Menu): void => {
    this.menu = menu.items;
  };
  destroy = (): void => {
    this.isGone = true;
  };
}

/** A notification that was sent. */
export class Notification extends EventEmitter {
  static sent: Notification[] = [];
  static isSupported = (): boolean => true;
  readonly options: {
    title: string;
    body: string;
    silent: boolean;
    icon?: Picture;
    actions?: readonly { type: string; text: string }[];
  };
  constructor(options: Notification['options']) {
    super();
    this.options = options;
  }
  show = (): unknown => Notification.sent.push(this);
}

export const powerMonitor = Object.assign(new EventEmitter(), {
  isOnBatteryPower: () => answers.onBattery,
});
const blockers = new Set<number>();
/** True while something keeps the computer awake. */
export const isKeptAwake = (): boolean => blockers.size > 0;
let blocker = 0;
const powerSaveBlocker = {
  start: (type: string) => {
    asked.push(`keep awake: ${type}`);
    blockers.add(++blocker);
    return blocker;
  },
  stop: (id: number) => {
    if (blockers.delete(id)) asked.push('let sleep');
  },
};

interface Picture {
  readonly file: string;
  readonly width?: number;
  readonly height?: number;
}
/** Sizes of pictures by the names of their files; others can't be read. */
export const pictureSizes: Record<string, { width: number; height: number }> = {};
const nativeImage = {
  createFromPath: (place: string) => {
    const file = path.basename(place);
    const size = pictureSizes[file];
    return {
      ...{ file, ...size },
      setTemplateImage: () => undefined,
      isEmpty: () => size === undefined,
      getSize: () => size ?? { width: 0, height: 0 },
      resize: (wanted: { width?: number; height?: number }) => ({ file, ...wanted }),
    };
  },
  createThumbnailFromPath: (place: string, size: { width: number; height: number }) => {
    const file = path.basename(place);
    return file in pictureSizes
      ? Promise.resolve({ file, ...size })
      : Promise.reject(new Error('no thumbnail'));
  },
};
const clipboard = {
  readText: () => answers.clipboard,
  writeText: (text: string) => asked.push(`copy ${text}`),
};

/** What `import … from 'electron'` gives in these tests. */
export const electronModule = {
  app,
  BaseWindow,
  BrowserWindow,
  clipboard,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  nativeTheme,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  screen,
  shell,
  Tray,
  utilityProcess,
};

/** The settings file as electron-store would keep it, in memory. */
export class Store {
  static content: Record<string, unknown> = {};
  get store(): Record<string, unknown> {
    return Store.content;
  }
  set store(content: Record<string, unknown>) {
    Store.content = { ...content };
  }
  set(change: Record<string, unknown>): void {
    Store.content = { ...Store.content, ...change };
  }
}

/** Forgets everything that was recorded. */
export function forget(): void {
  asked.length = 0;
  questions.length = 0;
  handedOver.length = 0;
  handlers.clear();
  app.removeAllListeners();
  powerMonitor.removeAllListeners();
  BaseWindow.opened = [];
  BrowserWindow.opened = [];
  Tray.icons = [];
  Notification.sent = [];
  Notification.isSupported = () => true;
  UtilityChild.started = [];
  Menu.current = null;
  Store.content = {};
  blockers.clear();
  nativeTheme.themeSource = 'system';
  Object.assign(answers, {
    isFirstInstance: true,
    openPath: '',
    hasFocus: false,
    clipboard: '',
    onBattery: false,
    openAtLogin: false,
    windowTells: ['ready-to-show', 'did-finish-load'],
    displays: [{ id: 1, workArea: { x: 0, y: 0, width: 1920, height: 1040 } }],
  });
}
