/**
 * The tray icon, shown while the program stays without a window. Main process. Not every Linux desktop supports clicks,
 * so everything is in its menu. Elsewhere the menu is made when it opens: replacing an open one closes it, and while
 * something renders it changes several times a second.
 */
import { clipboard, Menu, nativeImage, Tray, type MenuItemConstructorOptions } from 'electron';
import path from 'node:path';
import { iconFolder } from '../server/system/paths.ts';
import { localeInUse, percent, say } from './say.ts';
import type { Work, WorkState } from './work.ts';

/** What the menu of the icon does. */
export interface TrayActions {
  readonly work: Pick<Work, 'isApiOn' | 'apiUrl' | 'setPaused'>;
  readonly open: () => void;
  readonly quit: () => void;
}

/** The icon. */
export interface TrayIcon {
  /** Shows the state of the work. @param isFinishing The program quits when the running render is done. */
  update(state: WorkState, isFinishing: boolean): void;
  close(): void;
}

/** Shows the icon. */
export function openTray(
  actions: TrayActions,
  platform: NodeJS.Platform = process.platform,
): TrayIcon {
  const tray = new Tray(pictureOf('idle', platform));
  let shown = '';
  let template: MenuItemConstructorOptions[] = [];
  /** Referenced while open: Electron doesn't. */
  let open = Menu.buildFromTemplate(template);
  const showMenu = (): void => {
    open = Menu.buildFromTemplate(template);
    tray.popUpContextMenu(open);
  };
  // macOS also reports clicks on an icon with a menu, which would open the window behind it.
  tray.on('click', () => (platform === 'darwin' ? showMenu() : actions.open()));
  if (platform !== 'linux') tray.on('right-click', showMenu);
  return {
    update(state, isFinishing) {
      const face = faceOf(state);
      const line = isFinishing ? say('tray.finishing') : lineOf(state);
      const address = actions.work.isApiOn ? actions.work.apiUrl : '';
      const next = `${localeInUse()} ${face} ${line} ${state.paused} ${address}`;
      if (next === shown) return;
      shown = next;
      tray.setImage(pictureOf(face, platform));
      tray.setToolTip(say('tray.tip', { state: line }));
      template = trayMenu(actions, state, line);
      if (platform === 'linux') tray.setContextMenu(Menu.buildFromTemplate(template));
    },
    close: () => tray.destroy(),
  };
}

type Face = 'idle' | 'rendering' | 'problem';

/** Which of its three icons is shown. */
export function faceOf({ off, running }: WorkState): Face {
  if (off) return 'problem';
  return running > 0 ? 'rendering' : 'idle';
}

function lineOf({ current, paused, lowBattery, off }: WorkState): string {
  if (off) return say('tray.off');
  if (current)
    return say('tray.rendering', { name: current.name, percent: percent(current.fraction) });
  if (lowBattery !== null && !paused)
    return say('tray.lowBattery', { percent: `${lowBattery}\u00a0%` });
  return paused ? say('tray.paused') : say('tray.idle');
}

function trayMenu(
  { work, open, quit }: TrayActions,
  { paused }: WorkState,
  line: string,
): MenuItemConstructorOptions[] {
  return [
    { label: say('tray.open'), click: open },
    { type: 'separator' },
    // Escaped: an ampersand in a template's name is no access key.
    { label: line.replaceAll('&', '&&'), enabled: false },
    {
      label: paused ? say('tray.resume') : say('tray.pause'),
      click: () => {
        // The window reports a full disk; the queue then stays as it was.
        void work.setPaused(!paused).catch(() => undefined);
      },
    },
    work.isApiOn
      ? { label: say('tray.copy'), click: () => void clipboard.writeText(work.apiUrl) }
      : { label: say('tray.noAddress'), enabled: false },
    { type: 'separator' },
    { label: say('quit'), click: quit },
  ];
}

/** macOS tints a black picture; others get it in colour. */
function pictureOf(face: Face, platform: NodeJS.Platform): Electron.NativeImage {
  const isMac = platform === 'darwin';
  const file = isMac ? `tray-${face}-Template.png` : `tray-${face}.png`;
  const picture = nativeImage.createFromPath(path.join(iconFolder(), file));
  if (isMac) picture.setTemplateImage(true);
  return picture;
}
