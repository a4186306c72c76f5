/** The application menu. Main process. Holds what works, each with its shortcut; developer tools only while developing. */
import { app, Menu, shell, type MenuItemConstructorOptions } from 'electron';

interface MenuOptions {
  readonly outputFolder: string;
}

/** Sets the menu of the whole program. */
export function setMenu({ outputFolder }: MenuOptions): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(outputFolder)));
}

function menuTemplate(outputFolder: string): MenuItemConstructorOptions[] {
  const isMac = process.platform === 'darwin';
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        { label: 'Open Output Folder', click: () => void shell.openPath(outputFolder) },
        { type: 'separator' },
        isMac ? { role: 'close' } : { role: 'quit', accelerator: 'CmdOrCtrl+Q' },
      ],
    },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
        ...(app.isPackaged
          ? []
          : ([{ type: 'separator' }, { role: 'reload' }, { role: 'toggleDevTools' }] as const)),
      ],
    },
    { role: 'windowMenu' },
  ];
}
