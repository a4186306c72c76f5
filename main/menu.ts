/**
 * The application menu: every command with its keys. Main process.
 * Commands of the window stand here when the window says that it has them, and are grey while they can't be carried out.
 * Their keys are shown and not taken: the page answers them itself, as in a browser, where it knows what has the focus.
 */
import { app, Menu, shell, type MenuItemConstructorOptions } from 'electron';
import { commandKeys, type CommandId, type CommandStates } from '../shared/commands.ts';
import { commandWords, menuWords } from './messages.ts';
import type { SettingsFile, Switch } from './settings.ts';

type Item = MenuItemConstructorOptions;
/** `---` is a line between groups. */
type Row = CommandId | Item | '---';

/** What the menu does. */
export interface MenuActions {
  /** Tells the window of a command. */
  readonly run: (message: { readonly type: 'command'; readonly command: CommandId }) => void;
  /** Makes the page larger (1), smaller (-1), or as designed (0). */
  readonly zoom: (step: -1 | 0 | 1) => void;
  readonly outputFolder: () => string;
  /** Address of the API; its help pages lie below. */
  readonly apiUrl: () => string;
  /** A switch was changed. */
  readonly onSwitch: () => void;
  readonly settings: SettingsFile;
}

/** The menu that is shown. */
export interface AppMenu {
  /** Takes over what the window says about its commands; none: there is no window. */
  show(states: CommandStates): void;
  /** The switches have changed elsewhere. */
  refresh(): void;
}

const isMac = process.platform === 'darwin';
const line: Item = { type: 'separator' };

/** Sets the menu of the whole program. */
export function setMenu(actions: MenuActions): AppMenu {
  let states: CommandStates = {};
  const build = (): void => {
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(actions, states)));
  };
  build();
  return {
    show(next) {
      const isSameSet = idsOf(next).join() === idsOf(states).join();
      states = next;
      if (!isSameSet) {
        build();
        return;
      }
      // Switched in place: a menu that is open stays open.
      for (const id of idsOf(next)) {
        const item = Menu.getApplicationMenu()?.getMenuItemById(id);
        if (item) item.enabled = next[id] === true;
      }
    },
    refresh: build,
  };
}

function idsOf(states: CommandStates): CommandId[] {
  // Object.keys only knows strings; the states were parsed with these keys.
  return (Object.keys(commandKeys) as CommandId[]).filter((id) => states[id] !== undefined);
}

function menuTemplate(actions: MenuActions, states: CommandStates): Item[] {
  const { file, queue, template, view, help } = menuWords;
  const menus: (Item | null)[] = [
    isMac ? appMenu(actions, states) : null,
    submenu(file, fileRows(actions), actions, states),
    editMenu(actions, states),
    submenu(queue, queueRows, actions, states),
    submenu(template, templateRows, actions, states),
    submenu(view, viewRows(actions), actions, states),
    { role: 'windowMenu' },
    { ...submenu(help, helpRows(actions), actions, states), role: 'help' },
  ];
  return menus.filter((menu) => menu !== null);
}

function fileRows({ outputFolder, settings, onSwitch }: MenuActions): Row[] {
  const flip = (name: Switch): Item => ({
    label: menuWords[name],
    type: 'checkbox',
    checked: settings.current[name] === true,
    click: ({ checked }) => {
      settings.save({ [name]: checked });
      onSwitch();
    },
  });
  return [
    'new-template',
    'import',
    '---',
    'save',
    '---',
    { label: menuWords.outputFolder, click: () => void shell.openPath(outputFolder()) },
    {
      label: menuWords.options,
      submenu: [
        flip('keepRunning'),
        flip('keepAwake'),
        ...loginItem(),
        line,
        flip('notifyFinished'),
        flip('notifyBatches'),
        flip('notifyFailures'),
        flip('notifySound'),
      ],
    },
    ...(isMac ? [] : (['---', 'settings'] as const)),
    '---',
    isMac ? { role: 'close' } : { role: 'quit', accelerator: 'CmdOrCtrl+Q' },
  ];
}

/** Linux has no way of its own to open a program at login. */
function loginItem(): Item[] {
  if (process.platform === 'linux' || !app.isPackaged) return [];
  return [
    {
      label: menuWords.openAtLogin,
      type: 'checkbox',
      checked: app.getLoginItemSettings().openAtLogin,
      click: ({ checked }) => app.setLoginItemSettings({ openAtLogin: checked }),
    },
  ];
}

const queueRows: readonly Row[] = [
  'pause-queue',
  'pause-after-this',
  '---',
  'open-file',
  'show-in-folder',
  'save-copy',
  'save-log',
  '---',
  'render-again',
  'render-again-changed',
  'retry-failed',
  '---',
  'move-up',
  'move-down',
  'move-to-top',
  'move-to-bottom',
  '---',
  'cancel-render',
  'remove-finished',
];

const templateRows: readonly Row[] = [
  'render-template',
  'edit-template',
  'rename-template',
  'duplicate-template',
  'export-template',
  '---',
  'undo-edit',
  'redo-edit',
  'next-problem',
  'previous-problem',
  'format-source',
  'go-to-time',
  '---',
  'trash-template',
  'show-trash',
];

function viewRows({ zoom }: MenuActions): Row[] {
  return [
    'palette',
    '---',
    'go-queue',
    'go-templates',
    'go-feeds',
    'go-api',
    'go-settings',
    '---',
    'next-pane',
    'previous-pane',
    'focus-left',
    'focus-preview',
    'focus-source',
    '---',
    'toggle-left',
    'toggle-preview',
    'toggle-source',
    '---',
    { label: menuWords.zoomIn, accelerator: 'CmdOrCtrl+Plus', click: () => zoom(1) },
    // The key without Shift, which people press for "plus".
    { label: menuWords.zoomIn, accelerator: 'CmdOrCtrl+=', visible: false, click: () => zoom(1) },
    { label: menuWords.zoomOut, accelerator: 'CmdOrCtrl+-', click: () => zoom(-1) },
    { label: menuWords.zoomReset, accelerator: 'CmdOrCtrl+0', click: () => zoom(0) },
    '---',
    { role: 'togglefullscreen' },
    ...(app.isPackaged ? [] : (['---', { role: 'reload' }, { role: 'toggleDevTools' }] as const)),
  ];
}

function helpRows({ apiUrl }: MenuActions): Row[] {
  return [
    'shortcuts',
    'first-steps',
    { label: menuWords.apiHelp, click: () => void shell.openExternal(`${apiUrl()}/docs`) },
    '---',
    { label: menuWords.logs, click: () => void shell.openPath(app.getPath('logs')) },
    ...(isMac ? [] : (['---', { role: 'about' }] as const)),
  ];
}

function appMenu(actions: MenuActions, states: CommandStates): Item {
  const settings = items(['settings', '---'], actions, states);
  return {
    label: app.name,
    submenu: [
      { role: 'about' },
      line,
      ...settings,
      { role: 'services' },
      line,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      line,
      { role: 'quit' },
    ],
  };
}

/** The system's own editing commands, and ours below them. */
function editMenu(actions: MenuActions, states: CommandStates): Item {
  const own = items(
    ['---', 'find', 'undo-removal', '---', 'copy-id', 'copy-url', 'copy-curl'],
    actions,
    states,
  );
  const roles = ['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll'] as const;
  return { label: '&Edit', submenu: [...roles.map((role) => ({ role })), ...own] };
}

/** A menu; without anything to choose in it, it is not shown. */
function submenu(
  label: string,
  rows: readonly Row[],
  actions: MenuActions,
  states: CommandStates,
): Item {
  const shown = items(rows, actions, states);
  return { label, submenu: shown, visible: shown.length > 0 };
}

/** Rows as menu items: without commands that the window does not have, and without lines that separate nothing. */
function items(rows: readonly Row[], { run }: MenuActions, states: CommandStates): Item[] {
  const shown: Item[] = [];
  let lineIsDue = false;
  for (const row of rows) {
    if (row === '---') {
      lineIsDue = shown.length > 0 || rows[0] === '---';
      continue;
    }
    const item = typeof row === 'string' ? commandItem(row, run, states[row]) : row;
    if (!item) continue;
    if (lineIsDue) shown.push(line);
    lineIsDue = false;
    shown.push(item);
  }
  if (lineIsDue && shown.length > 0 && rows.at(-1) === '---') shown.push(line);
  return shown;
}

function commandItem(
  id: CommandId,
  run: MenuActions['run'],
  isEnabled: boolean | undefined,
): Item | null {
  if (isEnabled === undefined) return null;
  const keys = commandKeys[id];
  return {
    id,
    label: commandWords[id],
    enabled: isEnabled,
    click: () => run({ type: 'command', command: id }),
    // macOS takes every key that a menu shows; keys that mean something in a list or field stay the page's there.
    ...(keys !== null &&
      !(isMac && !keys.includes('CmdOrCtrl')) && { accelerator: keys, registerAccelerator: false }),
  };
}
