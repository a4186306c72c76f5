/**
 * The only window: creates, guards and remembers it. Main process. The page comes from the server's private listener
 * and is sandboxed: no Node, no navigation, no further windows, only the rights in `limitPage`. It reaches the desktop
 * only through preload.cts. Its content policy comes with it (server/window/page.ts).
 */
import {
  BrowserWindow,
  dialog,
  nativeTheme,
  screen,
  shell,
  type BrowserWindowConstructorOptions,
  type WebContents,
} from 'electron';
import type { Log } from '../server/system/log.ts';
import { say } from './say.ts';
import { windowIcon, programName } from './paths.ts';
import type { SettingsFile, WindowPlace } from './settings.ts';

interface WindowOptions {
  /** Address of the page with its token: `http://127.0.0.1:51234/#token=…`. */
  readonly url: string;
  /** Address of the API: its help pages may be opened in the browser. */
  readonly apiUrl: () => string;
  readonly preload: string;
  readonly settings: SettingsFile;
  readonly log: Log;
}

/** Opens the window and loads the page; the window shows once there is something to see. */
export function openWindow({ url, apiUrl, preload, settings, log }: WindowOptions): BrowserWindow {
  const { bounds, maximized } = placeToOpen(settings);
  const window = new BrowserWindow({
    ...bounds,
    ...(process.platform === 'linux' && { icon: windowIcon() }),
    minWidth: smallest.width,
    minHeight: smallest.height,
    show: false,
    title: programName,
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
      allowRunningInsecureContent: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      zoomFactor: settings.current.zoom,
    },
  });
  const home = new URL(url);
  guardPage(window, home, apiUrl, log);
  limitPage(window, home, apiUrl, log);
  followZoom(window.webContents, settings);
  // Its title shows the progress (taskbar.ts).
  window.on('page-title-updated', (event) => event.preventDefault());
  if (maximized) window.maximize();
  showWhenReady(window);
  let isHidden = false;
  window.on('hide', () => (isHidden = true));
  window.on('show', () => (isHidden = false));
  window.on('close', () => {
    if (!isHidden) rememberPlace(window, settings);
  });
  load(window, url, log);
  return window;
}

/** Shows a new window at the latest after this time, in ms: a page that does not load must not keep it out of sight. */
const longestWait = 3_000;

/** Ends the wait for the moment to show a window. Only windows that nobody has shown or hidden yet. */
const waiting = new WeakMap<BrowserWindow, () => void>();

/**
 * Shows a new window once, at the first sign that there is something to see. `ready-to-show` alone is no such sign:
 * under Wayland a window that was never shown gets no frames, and Electron does not send it (electron#48859).
 */
function showWhenReady(window: BrowserWindow): void {
  const page = window.webContents;
  const show = (): void => {
    stop();
    window.show();
  };
  const timer = setTimeout(show, longestWait);
  const stop = (): void => {
    clearTimeout(timer);
    waiting.delete(window);
    window.off('ready-to-show', show);
    page.off('did-finish-load', show);
    window.off('closed', stop);
  };
  waiting.set(window, stop);
  window.on('ready-to-show', show);
  page.on('did-finish-load', show);
  window.on('closed', stop);
}

/** Reloads the page, with its token. */
export function load(window: BrowserWindow, url: string, log: Log): void {
  window.loadURL(url).catch((error: unknown) => {
    // faults.ts handles what is shown then; nothing else waits for the page.
    log('error', 'window', `The page could not be loaded: ${withoutSecrets(String(error))}`);
  });
}

/** Brings the window to the front, wherever it is. */
export function showWindow(window: BrowserWindow): void {
  waiting.get(window)?.();
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

/** Hides the window. Once hidden, not every system knows whether it was maximised. */
export function hideWindow(window: BrowserWindow, settings: SettingsFile): void {
  // The program ends: what still waits to be shown stays out of sight.
  waiting.get(window)?.();
  rememberPlace(window, settings);
  window.hide();
}

const zoomSteps = [0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2];

/** Makes the page larger (1), smaller (-1), or as designed (0), and remembers it. */
export function zoomPage(page: WebContents, step: -1 | 0 | 1, settings: SettingsFile): void {
  const now = settings.current.zoom;
  const larger = zoomSteps.find((one) => one > now + 0.001);
  const smaller = zoomSteps.findLast((one) => one < now - 0.001);
  const next = step === 0 ? 1 : ((step > 0 ? larger : smaller) ?? now);
  settings.save({ zoom: next });
  page.setZoomFactor(next);
}

/** Zooming with the wheel uses the same steps; a reloaded page keeps its zoom. */
function followZoom(page: WebContents, settings: SettingsFile): void {
  page.on('zoom-changed', (_event, direction) => {
    zoomPage(page, direction === 'in' ? 1 : -1, settings);
  });
  page.on('did-finish-load', () => page.setZoomFactor(settings.current.zoom));
}

/** Keeps the page where it is: only its own address may load, and only in this window. */
function guardPage(window: BrowserWindow, home: URL, apiUrl: () => string, log: Log): void {
  const page = window.webContents;
  const refuse = (event: { preventDefault(): void }, what: string, target: string): void => {
    event.preventDefault();
    log('warning', 'window', `Refused: the page tried to ${what} ${withoutSecrets(target)}`);
  };
  page.on('will-frame-navigate', (event) => {
    // Reloading is the only navigation it needs.
    if (event.isMainFrame && isPage(event.url, home)) return;
    refuse(event, 'go to', event.url);
  });
  page.on('will-redirect', (event) => refuse(event, 'be sent to', event.url));
  page.on('will-attach-webview', (event) => refuse(event, 'embed', 'a page'));
  // The editor stores unsaved changes as a draft; a page must not keep its window open.
  page.on('will-prevent-unload', (event) => event.preventDefault());
  page.setWindowOpenHandler(({ url }) => {
    if (isForBrowser(url, apiUrl())) {
      offerLink(window, url).catch((error: unknown) => log('warning', 'window', String(error)));
    } else {
      log('warning', 'window', `Refused: the page tried to open ${withoutSecrets(url)}`);
    }
    return { action: 'deny' };
  });
}

/** Web links and our API's help pages open in the system's browser; nothing else leaves the window. */
function isForBrowser(address: string, apiUrl: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, origin, username, password } = new URL(address);
  // A user name before the host makes an address look like another one.
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || origin === new URL(apiUrl).origin;
}

/** Opens an address in the browser, after showing it. */
async function offerLink(window: BrowserWindow, address: string): Promise<void> {
  const { href } = new URL(address);
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: say('link.title'),
    detail: href.length > 500 ? `${href.slice(0, 500)}…` : href,
    buttons: [say('open'), say('cancel')],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  });
  if (response === 0) await shell.openExternal(href);
}

/**
 * What the page may do beyond showing itself.
 *
 * | What | Allowed |
 * |---|---|
 * | permissions | those of `permissions`, to our own page; those of `whileInFront` only while the user works in it |
 * | camera and microphone | the microphone alone, to our own page while the user works in it |
 * | devices | none |
 * | downloads | what our own page or server makes; never begun by another address |
 * | spell-check | no: its dictionaries would be fetched from the web |
 * | dragging out | what Chromium does by itself; a file of the computer is never handed to it (`startDrag`) |
 */
function limitPage(window: BrowserWindow, home: URL, apiUrl: () => string, log: Log): void {
  const { session } = window.webContents;
  const isAllowed = (permission: string, requestingUrl = ''): boolean =>
    isPage(requestingUrl, home) &&
    (permissions.has(permission) || (whileInFront.has(permission) && isInFront(window)));
  const mayHear = (requestingUrl = '', kinds: readonly (string | undefined)[] = []): boolean =>
    isPage(requestingUrl, home) &&
    isInFront(window) &&
    kinds.length > 0 &&
    kinds.every((kind) => kind === 'audio');
  session.setPermissionRequestHandler((_page, permission, answer, details) => {
    const { requestingUrl } = details;
    const allowed =
      permission === 'media'
        ? mayHear(requestingUrl, 'mediaTypes' in details ? details.mediaTypes : [])
        : isAllowed(permission, requestingUrl);
    if (!allowed) log('warning', 'window', `Refused: the page asked for ${permission}`);
    answer(allowed);
  });
  session.setPermissionCheckHandler((_page, permission, _origin, details) =>
    permission === 'media'
      ? mayHear(details.requestingUrl, [details.mediaType])
      : isAllowed(permission, details.requestingUrl),
  );
  session.setDevicePermissionHandler(() => false);
  // The session outlives its window.
  session.removeAllListeners('will-download');
  session.on('will-download', (event, item) => {
    // All addresses that led to it; a blob made in the page contains the page's origin.
    const isOwn = [...item.getURLChain(), item.getURL()].every(
      (address) =>
        URL.canParse(address) &&
        [home.origin, new URL(apiUrl()).origin].includes(new URL(address).origin),
    );
    if (isOwn) return;
    event.preventDefault();
    log('warning', 'window', `Refused: a download of ${withoutSecrets(item.getURL())}`);
  });
  session.setSpellCheckerEnabled(false);
}

const permissions: ReadonlySet<string> = new Set([
  // For the copy buttons.
  'clipboard-sanitized-write',
  // For the controls of videos.
  'fullscreen',
]);

const whileInFront: ReadonlySet<string> = new Set([
  // To paste a picture by menu: `readClipboard` (ipc.ts) gives texts alone.
  'clipboard-read',
]);

/** What the user copied elsewhere is for a window that they work in. */
function isInFront(window: BrowserWindow): boolean {
  return !window.isDestroyed() && window.isFocused();
}

/** True for the page's own address, whatever its fragment. */
function isPage(address: string, home: URL): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  return url.origin === home.origin && url.pathname === home.pathname;
}

/** An address for the log: without fragment and query, which contain tokens. */
function withoutSecrets(address: string): string {
  return address.split(/[?#]/)[0] ?? '';
}

/** Smallest and default size of the window, in pixels. */
const smallest = { width: 960, height: 600 };
const usual = { width: 1280, height: 800 };
/** How many displays to remember. */
const mostPlaces = 12;

type Area = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;

/** Size and position to open with, remembered for each display; without a position the system centres it. */
function placeToOpen({ current }: SettingsFile): {
  bounds: Pick<BrowserWindowConstructorOptions, 'x' | 'y' | 'width' | 'height'>;
  maximized: boolean;
} {
  const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
  const { places, lastDisplay } = current;
  const primary = String(screen.getPrimaryDisplay().id);
  const candidates = [lastDisplay === null ? undefined : places[lastDisplay], places[primary]];
  const place = candidates.find((one) => one !== undefined && isWithin(one, areas));
  if (!place)
    return {
      bounds: usualOn(screen.getPrimaryDisplay().workArea),
      maximized: candidates[0]?.maximized ?? false,
    };
  const { x, y, width, height, maximized } = place;
  return { bounds: { x, y, width, height }, maximized };
}

/** The default size, limited to the display. */
function usualOn({ width, height }: Area): Pick<Area, 'width' | 'height'> {
  return { width: Math.min(usual.width, width), height: Math.min(usual.height, height) };
}

/** Remembers where a window is, for the display that it is on. */
function rememberPlace(window: BrowserWindow, settings: SettingsFile): void {
  const bounds = window.getNormalBounds();
  const display = String(screen.getDisplayMatching(bounds).id);
  const place: WindowPlace = { ...bounds, maximized: window.isMaximized() };
  const others = Object.entries(settings.current.places).filter(
    // `before`: from before places were kept for each display.
    ([name]) => name !== display && name !== 'before',
  );
  settings.save({
    places: Object.fromEntries([...others.slice(1 - mostPlaces), [display, place]]),
    lastDisplay: display,
  });
}

/** True if enough of the window is on an existing screen to grab its title and see its content. */
function isWithin(place: Area, areas: readonly Area[]): boolean {
  const grip = 80;
  return areas.some((area) => {
    const left = Math.max(place.x, area.x);
    const right = Math.min(place.x + place.width, area.x + area.width);
    const titleIsReachable = place.y >= area.y - 8 && place.y < area.y + area.height - grip;
    return right - left >= grip && titleIsReachable;
  });
}
