/**
 * The icon beside the clock, there while the program stays without a window. Main process.
 * Linux has no click on it everywhere, so everything is in its menu. Elsewhere the menu is made when someone opens it: one that
 * is set anew closes, and while something renders it changes several times a second.
 */
import { clipboard, Menu, nativeImage, Tray, type MenuItemConstructorOptions } from 'electron';
import path from 'node:path';
import { iconFolder } from '../server/paths.ts';
import { words } from './messages.ts';
import { programName } from './paths.ts';
import type { Work, WorkState } from './work.ts';

/** What the menu of the icon does. */
export interface TrayActions {
  readonly work: Work;
  readonly open: () => void;
  readonly quit: () => void;
}

/** The icon. */
export interface TrayIcon {
  /** Shows how the work stands. @param isFinishing The program quits when the running render is done. */
  update(state: WorkState, isFinishing: boolean): void;
  close(): void;
}

/** Puts the icon there. */
export function openTray(
  actions: TrayActions,
  platform: NodeJS.Platform = process.platform,
): TrayIcon {
  const tray = new Tray(pictureOf('idle', platform));
  let shown = '';
  let template: MenuItemConstructorOptions[] = [];
  /** Held here while it is open: Electron doesn't. */
  let open = Menu.buildFromTemplate(template);
  const showMenu = (): void => {
    open = Menu.buildFromTemplate(template);
    tray.popUpContextMenu(open);
  };
  // macOS tells a click on an icon with a menu, too: it would open the window behind the menu.
  tray.on('click', () => (platform === 'darwin' ? showMenu() : actions.open()));
  if (platform !== 'linux') tray.on('right-click', showMenu);
  return {
    update(state, isFinishing) {
      const face = faceOf(state);
      const line = isFinishing ? words.trayFinishing : lineOf(state);
      const address = actions.work.isApiOn ? actions.work.apiUrl : '';
      const next = `${face} ${line} ${state.paused} ${address}`;
      if (next === shown) return;
      shown = next;
      tray.setImage(pictureOf(face, platform));
      tray.setToolTip(`${programName}: ${line}`);
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
  if (off) return words.trayOff;
  if (current) return words.trayRendering(current.name, current.fraction);
  if (lowBattery !== null && !paused) return words.trayLowBattery(lowBattery);
  return paused ? words.trayPaused : words.trayIdle;
}

function trayMenu(
  { work, open, quit }: TrayActions,
  { paused }: WorkState,
  line: string,
): MenuItemConstructorOptions[] {
  return [
    { label: words.trayOpen, click: open },
    { type: 'separator' },
    // As text: an ampersand in a template's name marks no key.
    { label: line.replaceAll('&', '&&'), enabled: false },
    {
      label: paused ? words.trayResume : words.trayPause,
      click: () => {
        // A disk that refuses is said in the window; the queue then goes on as it was.
        void work.setPaused(!paused).catch(() => undefined);
      },
    },
    work.isApiOn
      ? { label: words.trayCopy, click: () => void clipboard.writeText(work.apiUrl) }
      : { label: words.trayNoAddress, enabled: false },
    { type: 'separator' },
    { label: words.quit, click: quit },
  ];
}

/** macOS draws its own colours over a black picture; others get it in colour. */
function pictureOf(face: Face, platform: NodeJS.Platform): Electron.NativeImage {
  const isMac = platform === 'darwin';
  const file = isMac ? `tray-${face}-Template.png` : `tray-${face}.png`;
  const picture = nativeImage.createFromPath(path.join(iconFolder(), file));
  if (isMac) picture.setTemplateImage(true);
  return picture;
}
