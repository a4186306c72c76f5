/**
 * The desktop around a running server: window, menu, tray, notifications, taskbar. Main process. Made once by index.ts
 * when the server runs; everything here follows the server's work and the settings.
 */
import { app, nativeTheme, type BrowserWindow, type WebContents } from 'electron';
import { describeError, type Log } from '../server/system/log.ts';
import type { RunningServer } from '../server/start.ts';
import type { DesktopMessage, DesktopSwitches } from '../shared/desktop.ts';
import { watchPage } from './faults.ts';
import { answerDesktopCalls } from './ipc.ts';
import { openAtLogin, opensAtLogin } from './login.ts';
import { runDesktopCommand, setMenu, type MenuActions } from './menu.ts';
import { noticeRules, showNotice } from './notifications.ts';
import { createMessenger, type Messenger } from './openings.ts';
import { preloadScript } from './paths.ts';
import { firstSwitches, switchesOf, type SettingsFile } from './settings.ts';
import { speak } from './say.ts';
import { createAwakeness, createTaskbar, isWorking } from './taskbar.ts';
import { openTray, type TrayIcon } from './tray.ts';
import { hideWindow, load, openWindow, showWindow, zoomPage } from './window.ts';
import { followWork, type Work } from './work.ts';

/** Milliseconds that the page gets to save when the program ends. */
const keepingTime = 1_000;

/** How long the program stays; see quit.ts. */
interface Staying {
  readonly stays: boolean;
  readonly isEnding: boolean;
  readonly isFinishing: boolean;
  onWindowClose(event: { preventDefault(): void }): void;
  atOnce(): void;
}

interface ShellOptions {
  readonly server: RunningServer;
  readonly settings: SettingsFile;
  readonly staying: Staying;
  readonly log: Log;
}

/** The desktop side of a running server. */
export interface Shell {
  readonly work: Work;
  readonly window: BrowserWindow | null;
  /** Brings the window to the front; opens it if closed. */
  open(): void;
  /** Sends the window a message, once it listens. */
  readonly send: (message: DesktopMessage) => void;
  /** Shows what has changed: switches, or how long the program stays. */
  refresh(): void;
  /** Hides the window. @returns when its page has saved, or does not answer */
  leave(): Promise<void>;
  /** Removes everything except the window. */
  close(): void;
}

/** Makes it, with its window. */
export function openShell({ server, settings, staying, log }: ShellOptions): Shell {
  const { windowUrl } = server;
  const work = followWork(server.services);
  const messenger = createMessenger();
  const showOnTaskbar = createTaskbar();
  const awakeness = createAwakeness();
  let window: BrowserWindow | null = null;
  let tray: TrayIcon | null = null;
  /** The last render failed, and nobody has looked since. */
  let hasFailed = false;

  /** Frame, menus, dialogs, and the window before its page loads, follow the page's theme. */
  const followTheme = (): void => {
    const theme = work.theme ?? 'system';
    if (nativeTheme.themeSource !== theme) nativeTheme.themeSource = theme;
  };

  /**
   * Menu, tray, dialogs and notifications speak as the page does: at once, and from the beginning of the next start.
   */
  const followLanguage = (): void => {
    const { language } = work;
    if (settings.current.language !== language) settings.save({ language });
    if (speak(language)) menu.refresh();
  };

  const open = (): void => {
    if (staying.isEnding) return;
    if (window) {
      showWindow(window);
      return;
    }
    const opened = openWindow({
      url: windowUrl,
      apiUrl: () => work.apiUrl,
      preload: preloadScript(),
      settings,
      log,
    });
    window = opened;
    watchPage(opened, log, () => load(opened, windowUrl, log));
    forgetGonePages(opened.webContents, messenger);
    opened.on('close', (event) => {
      staying.onWindowClose(event);
      // A Dock would keep showing it without the window.
      if (!event.defaultPrevented) opened.setProgressBar(-1);
    });
    opened.on('closed', () => {
      window = null;
      messenger.connect(null);
      menu.show(null);
      refresh();
    });
    opened.on('show', refresh);
    opened.on('focus', () => {
      hasFailed = false;
      refresh();
    });
    refresh();
  };

  const send = (message: DesktopMessage): void => {
    messenger.send(message);
    open();
  };

  const readSwitches = (): DesktopSwitches => ({
    ...switchesOf(settings.current),
    keepRunning: settings.current.keepRunning === true,
    openAtLogin: opensAtLogin(),
  });
  const setSwitch = (name: keyof DesktopSwitches, on: boolean): void => {
    if (name === 'openAtLogin') openAtLogin(on);
    else settings.save({ [name]: on });
    menu.refresh();
    refresh();
  };
  const resetSwitches = (): void => {
    if (opensAtLogin() === true) openAtLogin(false);
    settings.save(firstSwitches());
    menu.refresh();
    refresh();
  };

  const menuActions: MenuActions = {
    settings,
    run: send,
    zoom: (step) => {
      if (window) zoomPage(window.webContents, step, settings);
    },
    outputFolder: () => work.outputFolder,
    apiUrl: () => (work.isApiOn ? work.apiUrl : null),
    onSwitch: () => {
      refresh();
      // A window that opens later requests them itself.
      if (window) messenger.send({ type: 'switches', switches: readSwitches() });
    },
  };
  speak(work.language);
  const menu = setMenu(menuActions);

  const refresh = (): void => {
    const { state } = work;
    followTheme();
    followLanguage();
    showOnTaskbar(window, state, hasFailed);
    awakeness.keep(work.keepAwake && isWorking(state));
    const hasTray = staying.stays || (staying.isFinishing && !window);
    if (hasTray) tray ??= openTray({ work, open, quit: () => app.quit() });
    else if (tray) {
      tray.close();
      tray = null;
    }
    tray?.update(state, staying.isFinishing);
  };

  // Does not open a closed window for a notification; it shows it when it opens.
  const sayInstead = (message: DesktopMessage): void => messenger.send(message);
  const ears = { onClick: send, sayInstead, log };
  const notices = noticeRules({
    settings: () => settings.current,
    inFront: () => window?.isFocused() ?? false,
    show: (notice) => {
      showNotice(notice, settings.current.notifySound, ears).catch((error: unknown) =>
        log('error', 'notifications', describeError(error)),
      );
    },
  });
  work.follow(notices);
  work.follow({
    onEnd: ({ succeeded }) => {
      hasFailed = !succeeded && window?.isFocused() !== true;
    },
    onChange: refresh,
  });
  let onReadyToClose = (): void => undefined;
  const leave = async (): Promise<void> => {
    if (!window) return;
    hideWindow(window, settings);
    if (!messenger.isHeard) return;
    await new Promise<void>((resolve) => {
      onReadyToClose = resolve;
      setTimeout(resolve, keepingTime).unref();
      messenger.send({ type: 'closing' });
    });
  };
  answerDesktopCalls({
    window: () => window,
    work,
    messenger,
    onCommands: (told) => menu.show(told),
    onReadyToClose: () => onReadyToClose(),
    run: (command) => runDesktopCommand(command, menuActions),
    switches: { read: readSwitches, set: setSwitch, reset: resetSwitches },
    windowUrl,
    log,
  });
  followTheme();
  open();

  return {
    work,
    get window() {
      return window;
    },
    open,
    send,
    refresh: () => {
      menu.refresh();
      refresh();
    },
    leave,
    close() {
      work.close();
      notices.close();
      awakeness.keep(false);
      tray?.close();
      tray = null;
    },
  };
}

/**
 * A new document must listen again, and a gone one no longer does. Loading (`did-start-loading`) proves neither:
 * fragments and `history.replaceState` also load, while the page keeps listening.
 */
function forgetGonePages(page: WebContents, messenger: Messenger): void {
  const forget = (): void => messenger.connect(null);
  page.on('did-navigate', forget);
  page.on('render-process-gone', forget);
  // The browser's error page has replaced the page; `did-navigate` does not report that.
  page.on('did-fail-provisional-load', (_event, _code, _words, _address, isMainFrame) => {
    if (isMainFrame) forget();
  });
}
