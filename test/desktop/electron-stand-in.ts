/**
 * A stand-in for Electron's API that records what main/ asks of it, for machines without Electron's binary. Only what
 * main/ uses; that main/ uses it rightly is checked against Electron's own types.
 */
import { EventEmitter } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

type Handler = (event: unknown, ...values: unknown[]) => Promise<unknown>;
type PermissionHandler = (
  page: unknown,
  permission: string,
  answer: (allowed: boolean) => void,
) => void;

/** Everything that was asked for, in order, as short lines. */
export const asked: string[] = [];
/** A folder for all of `app.getPath`. */
export const folder = mkdtempSync(path.join(tmpdir(), 'framewright-desktop-'));
/** Handlers of `ipcMain.handle` by channel. */
export const handlers = new Map<string, Handler>();
/** What the next questions are answered with. */
export const answers = {
  isFirstInstance: true,
  saveDialog: { canceled: false, filePath: '' },
  openPath: '',
};

class Page extends EventEmitter {
  openHandler: ((details: { url: string }) => { action: string }) | null = null;
  permissionHandler: PermissionHandler | null = null;
  permissionCheck: ((page: unknown, permission: string) => boolean) | null = null;
  readonly mainFrame = { parent: null, origin: '' };

  readonly session = {
    setPermissionRequestHandler: (handler: PermissionHandler) => {
      this.permissionHandler = handler;
    },
    setPermissionCheckHandler: (check: (page: unknown, permission: string) => boolean) => {
      this.permissionCheck = check;
    },
    setDevicePermissionHandler: () => undefined,
  };

  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.openHandler = handler;
  }
}

export class BrowserWindow extends EventEmitter {
  static opened: BrowserWindow[] = [];
  readonly webContents = new Page();
  readonly options: Record<string, unknown> & { webPreferences: Record<string, unknown> };

  constructor(options: BrowserWindow['options']) {
    super();
    this.options = options;
    BrowserWindow.opened.push(this);
    asked.push('open window');
  }

  loadURL(url: string): Promise<void> {
    asked.push(`load ${url}`);
    this.webContents.mainFrame.origin = new URL(url).origin;
    this.emit('ready-to-show');
    return Promise.resolve();
  }

  getNormalBounds = (): unknown => ({ x: 10, y: 20, width: 1000, height: 700 });
  isMaximized = (): boolean => false;
  isMinimized = (): boolean => true;
  maximize = (): unknown => asked.push('maximize');
  restore = (): unknown => asked.push('restore window');
  show = (): unknown => asked.push('show window');
  focus = (): unknown => asked.push('focus window');
}

export const app = Object.assign(new EventEmitter(), {
  isPackaged: true,
  requestSingleInstanceLock: () => {
    asked.push('single instance lock');
    return answers.isFirstInstance;
  },
  setName: (name: string) => asked.push(`name ${name}`),
  whenReady: () => Promise.resolve(),
  getPath: (name: string) => path.join(folder, name),
  quit: () => asked.push('quit'),
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
};

const dialog = {
  showErrorBox: (title: string, text: string) => asked.push(`error box: ${title}: ${text}`),
  showSaveDialog: (_window: unknown, options: { defaultPath: string }) => {
    asked.push(`save dialog: ${options.defaultPath}`);
    return Promise.resolve(answers.saveDialog);
  },
};

const Menu = {
  buildFromTemplate: (template: unknown) => template,
  setApplicationMenu: (menu: readonly { role?: string; label?: string; submenu?: unknown }[]) => {
    asked.push(`menu ${menu.map(({ role, label }) => role ?? label).join(' ')}`);
  },
};

const nativeTheme = { shouldUseDarkColors: false };
const screen = {
  getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1040 } }],
};

/** A utility process that was started. */
export class UtilityChild extends EventEmitter {
  static started: {
    script: string;
    options: { env?: Record<string, string> };
    child: UtilityChild;
  }[] = [];
  pid: number | undefined = 4_194_000;
  readonly posted: unknown[] = [];
  postMessage = (message: unknown): unknown => this.posted.push(message);
  kill = (): unknown => asked.push('kill politely');
}

const utilityProcess = {
  fork: (script: string, _args: string[], options: { env?: Record<string, string> }) => {
    const child = new UtilityChild();
    UtilityChild.started.push({ script, options, child });
    return child;
  },
};

/** What `import … from 'electron'` gives in these tests. */
export const electronModule = {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  nativeTheme,
  screen,
  shell,
  utilityProcess,
};

/** The settings file as electron-store would keep it, in memory. */
export class Store {
  static content: Record<string, unknown> = {};
  get store(): Record<string, unknown> {
    return Store.content;
  }
  set(change: Record<string, unknown>): void {
    Store.content = { ...Store.content, ...change };
  }
}
