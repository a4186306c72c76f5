/**
 * The application menu: every command with its keys. Main process. Lists the window's commands while it has them,
 * greyed out while they can't run. Their keys are shown but not registered: the page handles them itself, as in a
 * browser, because it knows the focus. The desktop's own commands register their keys. Both use the default keys
 * (shared/commands.ts) or the user's.
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
  appRows,
  editRows,
  fileRows,
  helpRows,
  isMac,
  queueRows,
  templateRows,
  viewRows,
  windowRows,
  type Item,
  type RoleRow,
  type Row,
} from './menu-rows.ts';
import { say, type DesktopKey } from './say.ts';
import type { SettingsFile, Switch } from './settings.ts';

/** What the menu does. */
export interface MenuActions {
  /** Sends a command to the window. */
  readonly run: (message: { readonly type: 'command'; readonly command: CommandId }) => void;
  /** Makes the page larger (1), smaller (-1), or as designed (0). */
  readonly zoom: (step: -1 | 0 | 1) => void;
  readonly outputFolder: () => string;
  /** Address of the API and its help pages; null while it is off. */
  readonly apiUrl: () => string | null;
  /** A switch was changed. */
  readonly onSwitch: () => void;
  readonly settings: SettingsFile;
}

/** The menu that is shown. */
export interface AppMenu {
  /** Shows the window's commands; null: there is no window. */
  show(menu: CommandMenu | null): void;
  /** The switches or the language have changed elsewhere. */
  refresh(): void;
}

const line: Item = { type: 'separator' };
const nothing: CommandMenu = { enabled: {}, ticked: {}, keys: {} };
/** Keys shown by the system's own editing commands, above ours in the menu. */
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
      // Updated in place, so that an open menu stays open.
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

/** What can't be changed in place: which commands exist, which are switches, and their keys. */
function formOf({ enabled, ticked, keys }: CommandMenu): string {
  return JSON.stringify(
    commandIds.map((id) => [id in enabled, id in ticked, keys[id] ?? commandTable[id].keys]),
  );
}

/** Runs a command of the desktop itself. */
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
      // If the API is off, its page says why and has a button to start it.
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
  const menus: (Item | null)[] = [
    isMac ? { label: app.name, submenu: items(appRows, actions, shown) } : null,
    submenu('menu.file', fileRows(optionsMenu(actions)), actions, shown),
    submenu('menu.edit', editRows, actions, shown),
    submenu('menu.queue', queueRows, actions, shown),
    submenu('menu.template', templateRows, actions, shown),
    submenu('menu.view', viewRows(), actions, shown),
    { ...submenu('menu.window', windowRows, actions, shown), role: 'windowMenu' },
    { ...submenu('menu.help', helpRows, actions, shown), role: 'help' },
  ];
  return menus.filter((menu) => menu !== null);
}

/** What can be switched on and off from the menu. */
function optionsMenu({ settings, onSwitch }: MenuActions): Item {
  const flip = (name: Switch): Item => ({
    label: say(`menu.${name}`),
    type: 'checkbox',
    checked: settings.current[name] === true,
    click: ({ checked }) => {
      settings.save({ [name]: checked });
      onSwitch();
    },
  });
  return {
    label: say('menu.options'),
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

/** Absent if the system could not find the program again. */
function loginItem(onSwitch: () => void): Item[] {
  const opens = opensAtLogin();
  if (opens === null) return [];
  const click = ({ checked }: { readonly checked: boolean }): void => {
    openAtLogin(checked);
    onSwitch();
  };
  return [{ label: say('menu.openAtLogin'), type: 'checkbox', checked: opens, click }];
}

/** A menu of the bar; not shown if empty. */
function submenu(
  title: DesktopKey & `menu.${string}`,
  rows: readonly Row[],
  actions: MenuActions,
  shown: Shown,
): Item {
  const own = items(rows, actions, shown);
  return { label: barLabel(say(title)), submenu: own, visible: own.length > 0 };
}

/**
 * A name in the bar. macOS has no letters to press with Alt, and would show those that stand behind the name in
 * Japanese.
 */
export function barLabel(title: string, hasLetters = !isMac): string {
  return hasLetters ? title : title.replace(/\(&\w\)$/, '').replace('&', '');
}

function isRole(row: Exclude<Row, '---' | CommandId>): row is RoleRow {
  return 'role' in row && !('label' in row);
}

/** Rows as menu items: without commands that the window does not have, and without useless separators. */
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
  if ('rows' in row) {
    const inside = items(row.rows, actions, shown);
    return inside.length === 0 ? [] : [{ label: say(row.title), submenu: inside }];
  }
  return isRole(row) ? [{ role: row.role, label: say(`role.${row.role}`) }] : [row];
}

/** The item of a command; none if the window does not have it. */
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
      label: say(`command.${id}`),
      enabled: enabled[id],
      ...(ticked[id] !== undefined && { type: 'checkbox', checked: ticked[id] }),
      click: (item) => {
        // Choosing it flips the tick at once; the window then reports the real state.
        if (ticked[id] !== undefined) item.checked = shown().ticked[id] === true;
        actions.run({ type: 'command', command: id });
      },
      ...(accelerator !== null && { accelerator, registerAccelerator: false }),
    },
  ];
}

/** The menu registers its keys; further ones through hidden items. */
function desktopItems(id: DesktopCommand, keys: readonly string[], actions: MenuActions): Item[] {
  const item: Item = { label: say(`command.${id}`), click: () => runDesktopCommand(id, actions) };
  const accelerators = keys.map(acceleratorOf).filter((one) => one !== null);
  return [
    { ...item, id, ...(accelerators[0] !== undefined && { accelerator: accelerators[0] }) },
    ...accelerators.slice(1).map((accelerator) => ({ ...item, accelerator, visible: false })),
  ];
}

/**
 * Whether an item shows its keys: not if a system item above already shows them, and on macOS, which registers every
 * shown key, not if they mean something in a list or field.
 */
function isShown(keys: string): boolean {
  if (systemKeys.includes(keys)) return false;
  return !isMac || readKeys(keys)?.held.includes('Ctrl') === true;
}
