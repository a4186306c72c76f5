/**
 * The commands of the application menu that the window carries out, each with its usual keys. The menu (main/menu.ts)
 * shows them; the window says which of them there are and which can be carried out now (`showCommands`, desktop.ts).
 * Keys in Electron's notation: `CmdOrCtrl` is Cmd on macOS and Ctrl elsewhere. Null: no keys.
 */
export const commandKeys = {
  'new-template': 'CmdOrCtrl+N',
  import: 'CmdOrCtrl+O',
  save: 'CmdOrCtrl+S',
  settings: 'CmdOrCtrl+,',

  find: 'CmdOrCtrl+F',
  /** Its keys are those of Undo, which the system's own menu item shows. */
  'undo-removal': null,
  /** As above: one history for the form, the outline and the source of a template. */
  'undo-edit': null,
  'redo-edit': null,
  'copy-id': null,
  'copy-url': null,
  'copy-curl': 'CmdOrCtrl+Shift+C',

  'pause-queue': 'CmdOrCtrl+Shift+P',
  'pause-after-this': null,
  'open-file': 'CmdOrCtrl+Shift+O',
  'show-in-folder': 'CmdOrCtrl+Shift+E',
  'save-copy': null,
  'save-log': null,
  'render-again': 'CmdOrCtrl+Shift+Enter',
  'render-again-changed': null,
  'cancel-render': 'Delete',
  'move-up': 'Alt+Up',
  'move-down': 'Alt+Down',
  'move-to-top': 'Alt+Home',
  'move-to-bottom': 'Alt+End',
  'retry-failed': null,
  'remove-finished': null,

  'render-template': 'CmdOrCtrl+Enter',
  'edit-template': null,
  'rename-template': 'F2',
  'duplicate-template': 'CmdOrCtrl+D',
  'export-template': null,
  'trash-template': 'Delete',
  'show-trash': null,
  'next-problem': 'F8',
  'previous-problem': 'Shift+F8',
  'format-source': 'Shift+Alt+F',
  'go-to-time': 'CmdOrCtrl+G',
  'focus-left': 'Alt+1',
  'focus-preview': 'Alt+2',
  'focus-source': 'Alt+3',
  'toggle-left': null,
  'toggle-preview': null,
  'toggle-source': null,

  palette: 'CmdOrCtrl+K',
  'go-queue': 'CmdOrCtrl+1',
  'go-templates': 'CmdOrCtrl+2',
  'go-feeds': 'CmdOrCtrl+3',
  'go-api': 'CmdOrCtrl+4',
  'go-settings': 'CmdOrCtrl+5',
  'next-pane': 'F6',
  'previous-pane': 'Shift+F6',

  shortcuts: 'F1',
  'first-steps': null,
} as const satisfies Readonly<Record<string, string | null>>;

/** One of the commands. */
export type CommandId = keyof typeof commandKeys;

/** Commands that the window has; true for those that can be carried out now. What is left out is not shown. */
export type CommandStates = Readonly<Partial<Record<CommandId, boolean>>>;
