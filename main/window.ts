/**
 * The one window: made, guarded, remembered. Main process.
 * The page comes from the server's private listener and is shut in: no Node, no navigation, no further windows, no
 * permissions. It reaches the desktop through preload.cts alone.
 */
import { BrowserWindow, nativeTheme, screen, type Session, type WebContents } from 'electron';
import type { Log } from '../server/log.ts';
import type { Bounds, SettingsFile } from './settings.ts';

const smallest = { width: 960, height: 600 };
const usual = { width: 1280, height: 800 };

interface WindowOptions {
  /** Address of the page with its token: `http://127.0.0.1:51234/#token=…`. */
  readonly url: string;
  readonly preload: string;
  readonly settings: SettingsFile;
  readonly log: Log;
}

/** Opens the window and loads the page; it shows itself once there is something to see. */
export async function openWindow({
  url,
  preload,
  settings,
  log,
}: WindowOptions): Promise<BrowserWindow> {
  const { windowBounds, maximized } = settings.current;
  const window = new BrowserWindow({
    ...(windowBounds && isVisible(windowBounds) ? windowBounds : usual),
    minWidth: smallest.width,
    minHeight: smallest.height,
    show: false,
    title: 'Framewright',
    // The page's own background (renderer/styles/tokens.css, --shell), so that nothing flashes.
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#101114' : '#edece8',
    webPreferences: {
      preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
    },
  });
  guardPage(window.webContents, new URL(url), log);
  refusePermissions(window.webContents.session, log);
  if (maximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  window.on('close', () => {
    settings.save({ windowBounds: window.getNormalBounds(), maximized: window.isMaximized() });
  });
  await window.loadURL(url);
  return window;
}

/** Brings the window to the front, wherever it is. */
export function showWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

/** Keeps the page where it is: only its own address may be loaded, in this window alone. */
function guardPage(page: WebContents, home: URL, log: Log): void {
  const refuse = (event: { preventDefault(): void }, what: string, target: string): void => {
    event.preventDefault();
    log('warning', 'window', `Refused: the page tried to ${what} ${withoutSecrets(target)}`);
  };
  page.on('will-frame-navigate', (event) => {
    // Reloading the page is the one navigation it needs.
    if (event.isMainFrame && isPage(event.url, home)) return;
    refuse(event, 'go to', event.url);
  });
  page.on('will-redirect', (event) => {
    refuse(event, 'be sent to', event.url);
  });
  page.on('will-attach-webview', (event) => {
    refuse(event, 'embed', 'a page');
  });
  page.setWindowOpenHandler(({ url }) => {
    log('warning', 'window', `Refused: the page tried to open ${withoutSecrets(url)}`);
    return { action: 'deny' };
  });
}

/** Every permission is refused but writing to the clipboard, which the copy buttons need. */
function refusePermissions(session: Session, log: Log): void {
  const isAllowed = (permission: string): boolean => permission === 'clipboard-sanitized-write';
  session.setPermissionRequestHandler((_page, permission, answer) => {
    if (!isAllowed(permission))
      log('warning', 'window', `Refused: the page asked for ${permission}`);
    answer(isAllowed(permission));
  });
  session.setPermissionCheckHandler((_page, permission) => isAllowed(permission));
  session.setDevicePermissionHandler(() => false);
}

/** True for the page's own address, whatever its fragment. */
function isPage(address: string, home: URL): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return url.origin === home.origin && url.pathname === home.pathname;
}

/** An address as the log may hold it: without fragment and query, where tokens are. */
function withoutSecrets(address: string): string {
  return address.split(/[?#]/)[0] ?? '';
}

/** True when enough of the window lies on a screen that is there to take hold of it. */
function isVisible(bounds: Bounds): boolean {
  const grip = 80;
  return screen.getAllDisplays().some(({ workArea }) => {
    const right = Math.min(bounds.x + bounds.width, workArea.x + workArea.width);
    const width = right - Math.max(bounds.x, workArea.x);
    const topIsReachable =
      bounds.y >= workArea.y - 8 && bounds.y < workArea.y + workArea.height - grip;
    return width >= grip && topIsReachable;
  });
}
