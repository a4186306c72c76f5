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
import { runDesktopCommand, setMenu, type AppMenu, type MenuActions } from './menu.ts';
import { noticeRules, showNotice } from './notifications.ts';
import { createMessenger, type Messenger } from './openings.ts';
import { preloadScript } from './paths.ts';
import { firstSwitches, switchesOf, type SettingsFile } from './settings.ts';
import { speak } from './say.ts';
import { createAwakeness, createTaskbar, isWorking } from './taskbar.ts';
import { openTray, type TrayIcon } from './tray.ts';
import { hideWindow, load, openWindow, showWindow, zoomPage } from './window.ts';
import { Work } from './work.ts';

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

/** The desktop side of a running server, with its window. */
export class Shell {
  readonly work: Work;
  readonly #options: ShellOptions;
  readonly #messenger = createMessenger();
  readonly #showOnTaskbar = createTaskbar();
  readonly #awakeness = createAwakeness();
  readonly #menuActions: MenuActions;
  readonly #menu: AppMenu;
  readonly #notices: ReturnType<typeof noticeRules>;
  #window: BrowserWindow | null = null;
  #tray: TrayIcon | null = null;
  /** The last render failed, and nobody has looked since. */
  #hasFailed = false;
  #onReadyToClose = (): void => undefined;

  constructor(options: ShellOptions) {
    this.#options = options;
    this.work = new Work(options.server.services);
    this.#menuActions = this.#makeMenuActions();
    speak(this.work.language);
    this.#menu = setMenu(this.#menuActions);
    this.#notices = this.#makeNotices();
    this.work.follow(this.#notices);
    this.work.follow({
      onEnd: ({ succeeded }) => {
        this.#hasFailed = !succeeded && this.#window?.isFocused() !== true;
      },
      onChange: () => this.#show(),
    });
    this.#answerCalls();
    this.#followTheme();
    this.open();
  }

  get window(): BrowserWindow | null {
    return this.#window;
  }

  /** Brings the window to the front; opens it if closed. */
  open(): void {
    const { server, settings, staying, log } = this.#options;
    if (staying.isEnding) return;
    if (this.#window) {
      showWindow(this.#window);
      return;
    }
    const opened = openWindow({
      url: server.windowUrl,
      apiUrl: () => this.work.apiUrl,
      preload: preloadScript(),
      settings,
      log,
    });
    this.#window = opened;
    watchPage(opened, log, () => load(opened, server.windowUrl, log));
    forgetGonePages(opened.webContents, this.#messenger);
    opened.on('close', (event) => {
      staying.onWindowClose(event);
      // A Dock would keep showing it without the window.
      if (!event.defaultPrevented) opened.setProgressBar(-1);
    });
    opened.on('closed', () => {
      this.#window = null;
      this.#messenger.connect(null);
      this.#menu.show(null);
      this.#show();
    });
    opened.on('show', () => this.#show());
    opened.on('focus', () => {
      this.#hasFailed = false;
      this.#show();
    });
    this.#show();
  }

  /** Sends the window a message, once it listens. */
  readonly send = (message: DesktopMessage): void => {
    this.#messenger.send(message);
    this.open();
  };

  /** Shows what has changed: switches, or how long the program stays. */
  refresh(): void {
    this.#menu.refresh();
    this.#show();
  }

  /** Hides the window. @returns when its page has saved, or does not answer */
  async leave(): Promise<void> {
    if (!this.#window) return;
    hideWindow(this.#window, this.#options.settings);
    if (!this.#messenger.isHeard) return;
    await new Promise<void>((resolve) => {
      this.#onReadyToClose = resolve;
      setTimeout(resolve, keepingTime).unref();
      this.#messenger.send({ type: 'closing' });
    });
  }

  /** Removes everything except the window. */
  close(): void {
    this.work.close();
    this.#notices.close();
    this.#awakeness.keep(false);
    this.#closeTray();
  }

  /** Shows the work, outside of the window. */
  #show(): void {
    const { staying } = this.#options;
    const { state } = this.work;
    this.#followTheme();
    this.#followLanguage();
    this.#showOnTaskbar(this.#window, state, this.#hasFailed);
    this.#awakeness.keep(this.work.keepAwake && isWorking(state));
    const hasTray = staying.stays || (staying.isFinishing && !this.#window);
    if (!hasTray) this.#closeTray();
    else
      this.#tray ??= openTray({ work: this.work, open: () => this.open(), quit: () => app.quit() });
    this.#tray?.update(state, staying.isFinishing);
  }

  #closeTray(): void {
    this.#tray?.close();
    this.#tray = null;
  }

  /** Frame, menus, dialogs, and the window before its page loads, follow the page's theme. */
  #followTheme(): void {
    const theme = this.work.theme ?? 'system';
    if (nativeTheme.themeSource !== theme) nativeTheme.themeSource = theme;
  }

  /**
   * Menu, tray, dialogs and notifications speak as the page does: at once, and from the beginning of the next start.
   */
  #followLanguage(): void {
    const { settings } = this.#options;
    const { language } = this.work;
    if (settings.current.language !== language) settings.save({ language });
    if (speak(language)) this.#menu.refresh();
  }

  #makeMenuActions(): MenuActions {
    const { work } = this;
    const { settings } = this.#options;
    return {
      settings,
      run: this.send,
      zoom: (step) => {
        if (this.#window) zoomPage(this.#window.webContents, step, settings);
      },
      outputFolder: () => work.outputFolder,
      apiUrl: () => (work.isApiOn ? work.apiUrl : null),
      onSwitch: () => {
        this.#show();
        // A window that opens later requests them itself.
        if (this.#window)
          this.#messenger.send({ type: 'switches', switches: readSwitches(settings) });
      },
    };
  }

  #makeNotices(): ReturnType<typeof noticeRules> {
    const { settings, log } = this.#options;
    // Does not open a closed window for a notification; it shows it when it opens.
    const sayInstead = (message: DesktopMessage): void => this.#messenger.send(message);
    const ears = { onClick: this.send, sayInstead, log };
    return noticeRules({
      settings: () => settings.current,
      inFront: () => this.#window?.isFocused() ?? false,
      show: (notice) => {
        showNotice(notice, settings.current.notifySound, ears).catch((error: unknown) =>
          log('error', 'notifications', describeError(error)),
        );
      },
    });
  }

  #answerCalls(): void {
    const { settings, server, log } = this.#options;
    answerDesktopCalls({
      window: () => this.#window,
      work: this.work,
      messenger: this.#messenger,
      onCommands: (told) => this.#menu.show(told),
      onReadyToClose: () => this.#onReadyToClose(),
      run: (command) => runDesktopCommand(command, this.#menuActions),
      switches: {
        read: () => readSwitches(settings),
        set: (name, on) => {
          if (name === 'openAtLogin') openAtLogin(on);
          else settings.save({ [name]: on });
          this.refresh();
        },
        reset: () => {
          if (opensAtLogin() === true) openAtLogin(false);
          settings.save(firstSwitches());
          this.refresh();
        },
      },
      windowUrl: server.windowUrl,
      log,
    });
  }
}

function readSwitches({ current }: SettingsFile): DesktopSwitches {
  return {
    ...switchesOf(current),
    keepRunning: current.keepRunning === true,
    openAtLogin: opensAtLogin(),
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
