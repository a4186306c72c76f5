/**
 * The application menu: every command with its keys. Main process.
 * Commands of the window stand here when the window says that it has them, and are grey while they can't be carried out.
 * Their keys are shown and not taken: the page answers them itself, as in a browser, where it knows what has the focus. The
 * keys of the desktop's own commands are taken here. Both are the usual ones (shared/commands.ts) or those that the window
 * says a person chose.
 */
import { app, Menu, shell } from 'electron';
import {
  commandIds,
  commandTable,
  desktopCommands,
  type CommandId,
  type CommandMenu,
  type DesktopCommand,
} from '../shared/commands.ts';
import { acceleratorOf, readKeys } from '../shared/keys.ts';
import { openAtLogin, opensAtLogin } from './login.ts';
import {
  fileRows,
  helpRows,
  isMac,
  ownEditRows,
  queueRows,
  templateRows,
  viewRows,
  type Item,
  type Row,
} from './menu-rows.ts';
import { commandWords, menuWords } from './messages.ts';
import type { SettingsFile, Switch } from './settings.ts';

/** What the menu does. */
export interface MenuActions {
  /** Tells the window of a command. */
  readonly run: (message: { readonly type: 'command'; readonly command: CommandId }) => void;
  /** Makes the page larger (1), smaller (-1), or as designed (0). */
  readonly zoom: (step: -1 | 0 | 1) => void;
  readonly outputFolder: () => string;
  /** Address of the API, below which its help pages lie; null while nothing answers there. */
  readonly apiUrl: () => string | null;
  /** A switch was changed. */
  readonly onSwitch: () => void;
  readonly settings: SettingsFile;
}

/** The menu that is shown. */
export interface AppMenu {
  /** Takes over what the window says about its commands; null: there is no window. */
  show(menu: CommandMenu | null): void;
  /** The switches have changed elsewhere. */
  refresh(): void;
}

const line: Item = { type: 'separator' };
const nothing: CommandMenu = { enabled: {}, ticked: {}, keys: {} };
/** Keys that the system's own editing commands show, above ours in the menu. */
const systemKeys = ['Ctrl Z', 'Ctrl Shift Z', 'Ctrl Y', 'Ctrl X', 'Ctrl C', 'Ctrl V', 'Ctrl A'];

/** Sets the menu of the whole program. */
export function setMenu(actions: MenuActions): AppMenu {
  let shown = nothing;
  const build = (): void => {
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(actions, () => shown)));
  };
  build();
  return {
    show(next) {
      const before = shown;
      shown = next ?? nothing;
      if (formOf(shown) !== formOf(before)) {
        build();
        return;
      }
      // Switched in place: a menu that is open stays open.
      for (const id of commandIds) {
        const item = Menu.getApplicationMenu()?.getMenuItemById(id);
        if (!item || commandTable[id].byDesktop) continue;
        item.enabled = shown.enabled[id] === true;
        if (shown.ticked[id] !== undefined) item.checked = shown.ticked[id];
      }
    },
    refresh: build,
  };
}

/** What can't be changed in place: which commands there are, which of them switch something, and their keys. */
function formOf({ enabled, ticked, keys }: CommandMenu): string {
  return JSON.stringify(
    commandIds.map((id) => [id in enabled, id in ticked, keys[id] ?? commandTable[id].keys]),
  );
}

/** Carries out a command of the desktop itself. */
export function runDesktopCommand(
  command: DesktopCommand,
  {
    run,
    zoom,
    outputFolder,
    apiUrl,
  }: Pick<MenuActions, 'run' | 'zoom' | 'outputFolder' | 'apiUrl'>,
): void {
  switch (command) {
    case 'zoom-in':
      zoom(1);
      return;
    case 'zoom-out':
      zoom(-1);
      return;
    case 'zoom-reset':
      zoom(0);
      return;
    case 'open-output-folder':
      void shell.openPath(outputFolder());
      return;
    case 'api-help': {
      const address = apiUrl();
      // Where nothing answers, the page says why, and has the button that starts it.
      if (address === null) run({ type: 'command', command: 'go-api' });
      else void shell.openExternal(`${address}/docs`);
      return;
    }
    case 'show-logs':
      void shell.openPath(app.getPath('logs'));
      return;
    case 'quit':
      app.quit();
  }
}

type Shown = () => CommandMenu;

function menuTemplate(actions: MenuActions, shown: Shown): Item[] {
  const { file, queue, template, view, help } = menuWords;
  const menus: (Item | null)[] = [
    isMac ? appMenu(actions, shown) : null,
    submenu(file, fileRows(optionsMenu(actions)), actions, shown),
    editMenu(actions, shown),
    submenu(queue, queueRows, actions, shown),
    submenu(template, templateRows, actions, shown),
    submenu(view, viewRows(), actions, shown),
    { role: 'windowMenu' },
    { ...submenu(help, helpRows, actions, shown), role: 'help' },
  ];
  return menus.filter((menu) => menu !== null);
}

/** What can be switched on and off from the menu. */
function optionsMenu({ settings, onSwitch }: MenuActions): Item {
  const flip = (name: Switch): Item => ({
    label: menuWords[name],
    type: 'checkbox',
    checked: settings.current[name] === true,
    click: ({ checked }) => {
      settings.save({ [name]: checked });
      onSwitch();
    },
  });
  return {
    label: menuWords.options,
    submenu: [
      flip('keepRunning'),
      ...loginItem(onSwitch),
      line,
      flip('notifyFinished'),
      flip('notifyBatches'),
      flip('notifyFailures'),
      flip('notifySound'),
    ],
  };
}

/** Absent where the system could not find the program again. */
function loginItem(onSwitch: () => void): Item[] {
  const opens = opensAtLogin();
  if (opens === null) return [];
  const click = ({ checked }: { readonly checked: boolean }): void => {
    openAtLogin(checked);
    onSwitch();
  };
  return [{ label: menuWords.openAtLogin, type: 'checkbox', checked: opens, click }];
}

function appMenu(actions: MenuActions, shown: Shown): Item {
  return {
    label: app.name,
    submenu: [
      { role: 'about' },
      line,
      ...items(['settings', '---'], actions, shown),
      { role: 'services' },
      line,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      line,
      ...items(['quit'], actions, shown),
    ],
  };
}

/** The system's own editing commands, and ours below them. */
function editMenu(actions: MenuActions, shown: Shown): Item {
  const own = items(ownEditRows, actions, shown);
  const roles = ['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll'] as const;
  return { label: '&Edit', submenu: [...roles.map((role) => ({ role })), ...own] };
}

/** A menu; without anything to choose in it, it is not shown. */
function submenu(label: string, rows: readonly Row[], actions: MenuActions, shown: Shown): Item {
  const own = items(rows, actions, shown);
  return { label, submenu: own, visible: own.length > 0 };
}

/** Rows as menu items: without commands that the window does not have, and without lines that separate nothing. */
function items(rows: readonly Row[], actions: MenuActions, shown: Shown): Item[] {
  const made: Item[] = [];
  let lineIsDue = false;
  for (const row of rows) {
    if (row === '---') {
      lineIsDue = made.length > 0 || rows[0] === '---';
      continue;
    }
    const own = rowItems(row, actions, shown);
    if (own.length === 0) continue;
    if (lineIsDue) made.push(line);
    lineIsDue = false;
    made.push(...own);
  }
  if (lineIsDue && made.length > 0 && rows.at(-1) === '---') made.push(line);
  return made;
}

function rowItems(row: Exclude<Row, '---'>, actions: MenuActions, shown: Shown): Item[] {
  if (typeof row === 'string') return commandItems(row, actions, shown);
  if (!('rows' in row)) return [row];
  const inside = items(row.rows, actions, shown);
  return inside.length === 0 ? [] : [{ label: row.label, submenu: inside }];
}

/** A command as it is shown; nothing when the window does not have it. */
function commandItems(id: CommandId, actions: MenuActions, shown: Shown): Item[] {
  const keys = shown().keys[id] ?? commandTable[id].keys;
  const desktop = desktopCommands.find((command) => command === id);
  if (desktop) return desktopItems(desktop, keys, actions);
  const { enabled, ticked } = shown();
  if (enabled[id] === undefined) return [];
  const [first = ''] = keys;
  const accelerator = isShown(first) ? acceleratorOf(first) : null;
  return [
    {
      id,
      label: commandWords[id],
      enabled: enabled[id],
      ...(ticked[id] !== undefined && { type: 'checkbox', checked: ticked[id] }),
      click: (item) => {
        // Choosing it flips the tick at once; the window says what came of it.
        if (ticked[id] !== undefined) item.checked = shown().ticked[id] === true;
        actions.run({ type: 'command', command: id });
      },
      ...(accelerator !== null && { accelerator, registerAccelerator: false }),
    },
  ];
}

/** Its keys are taken by the menu; those after the first by lines that are not seen. */
function desktopItems(id: DesktopCommand, keys: readonly string[], actions: MenuActions): Item[] {
  const item: Item = { label: commandWords[id], click: () => runDesktopCommand(id, actions) };
  const accelerators = keys.map(acceleratorOf).filter((one) => one !== null);
  return [
    { ...item, id, ...(accelerators[0] !== undefined && { accelerator: accelerators[0] }) },
    ...accelerators.slice(1).map((accelerator) => ({ ...item, accelerator, visible: false })),
  ];
}

/**
 * Keys that a menu line shows: not those that the system's own line above shows already, and on macOS, which takes every key
 * that a menu shows, none that mean something in a list or field.
 */
function isShown(keys: string): boolean {
  if (systemKeys.includes(keys)) return false;
  return !isMac || readKeys(keys)?.held.includes('Ctrl') === true;
}
