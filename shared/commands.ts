/**
 * The window's commands: the only table of their names, default keys and where those apply. The palette, key handlers,
 * list of shortcuts, Settings ▸ Keyboard, tooltips and the desktop's menu (main/menu.ts) are made from it; the texts
 * are in the message files. The user may change a command's keys (renderer/frame/commands/shortcuts-state.svelte.ts).
 */

/**
 * Where keys apply: `anywhere`; in a `list`, which is that of renders (`queue`), of `templates` or another one; in the
 * `editor` of a template; in its `outline`; in its `preview`; on its `canvas`, the picture of the preview, while an
 * element is selected; in its `timeline`: on both they come before those of the preview, which apply there, too; in its
 * `captions`, while one of their lines is typed in.
 */
export const places = [
  ...(['anywhere', 'list', 'queue', 'templates'] as const),
  ...(['editor', 'outline', 'preview', 'canvas', 'timeline', 'captions'] as const),
] as const;
/** One of the places. */
export type Place = (typeof places)[number];

/** A command's properties. */
export interface CommandRow {
  /** Where its keys apply; palette and menu can run it elsewhere, too. */
  readonly where: readonly Place[];
  /** Its default keys in the notation of keys.ts, e.g. `Ctrl Shift P`; the first are shown in menus. */
  readonly keys: readonly string[];
  /** The desktop handles its keys and runs it, because the page can't. */
  readonly byDesktop?: true;
  /** It stores something, so it can't run while nothing can be saved. */
  readonly writes?: true;
  /** It only exists there: for things that only a desktop, or only a browser, can or need do. */
  readonly only?: 'desktop' | 'browser';
}

type Options = Omit<CommandRow, 'where' | 'keys'>;

/** A row for keys that apply in some places. */
function at(where: Place | readonly Place[], keys: string | readonly string[] = []): CommandRow {
  return { where: asList(where), keys: asList(keys) };
}

/** A row for keys that apply anywhere. */
function anywhere(keys: string | readonly string[] = [], options: Options = {}): CommandRow {
  return { where: ['anywhere'], keys: asList(keys), ...options };
}

function asList<Value extends string>(value: Value | readonly Value[]): readonly Value[] {
  return typeof value === 'string' ? [value] : value;
}

const byDesktop = { byDesktop: true } as const;
const writes = { writes: true } as const;
const onlyDesktop = { byDesktop: true, only: 'desktop' } as const;

const table = {
  palette: anywhere('Ctrl K'),
  'go-home': anywhere('Ctrl 1'),
  'go-queue': anywhere('Ctrl 2'),
  'go-templates': anywhere('Ctrl 3'),
  'go-feeds': anywhere('Ctrl 4'),
  'go-api': anywhere('Ctrl 5'),
  'go-settings': anywhere('Ctrl 6'),
  settings: anywhere('Ctrl ,'),
  'new-template': anywhere('Ctrl N', writes),
  'new-picture': anywhere([], writes),
  'new-from-clipboard': anywhere([], writes),
  import: anywhere('Ctrl O', writes),
  find: anywhere('Ctrl F'),
  'next-pane': anywhere('F6'),
  'previous-pane': anywhere('Shift F6'),
  shortcuts: anywhere(['F1', 'Ctrl /']),
  'change-shortcuts': anywhere(),
  'pause-queue': anywhere('Ctrl Shift P', writes),
  'pause-after-this': anywhere(),
  'show-trash': anywhere(),
  'new-project': anywhere([], writes),
  'rename-project': anywhere([], writes),
  'manage-projects': anywhere(),
  'switch-api': anywhere(),
  'copy-address': anywhere(),
  'switch-theme': anywhere(),
  'recent-messages': anywhere(),
  'save-diagnostics': anywhere(),
  'zoom-in': anywhere(['Ctrl Plus', 'Ctrl ='], byDesktop),
  'zoom-out': anywhere('Ctrl -', byDesktop),
  'zoom-reset': anywhere('Ctrl 0', byDesktop),
  'open-output-folder': anywhere([], onlyDesktop),
  'api-help': anywhere([], onlyDesktop),
  'show-logs': anywhere([], onlyDesktop),
  quit: anywhere('Ctrl Q', onlyDesktop),

  'select-all': at('list', 'Ctrl A'),
  'undo-removal': at('list', 'Ctrl Z'),
  'copy-id': at('list', 'Ctrl C'),
  'copy-curl': at('list', 'Ctrl Shift C'),

  'open-file': at('queue', 'Ctrl Shift O'),
  'play-here': at('queue'),
  'show-in-folder': { ...at('queue', 'Ctrl Shift E'), only: 'desktop' },
  'save-copy': { ...at('queue'), only: 'desktop' },
  'download-file': { ...at('queue'), only: 'browser' },
  'render-again': { ...at('queue', 'Ctrl Shift Enter'), ...writes },
  'render-again-changed': { ...at('queue'), ...writes },
  'open-template': at('queue'),
  'move-up': { ...at('queue', 'Alt Up'), ...writes },
  'move-down': { ...at('queue', 'Alt Down'), ...writes },
  'move-to-top': { ...at('queue', 'Alt Home'), ...writes },
  'move-to-bottom': { ...at('queue', 'Alt End'), ...writes },
  'cancel-render': { ...at('queue', 'Delete'), ...writes },
  'copy-url': at('queue'),
  'copy-error': at('queue'),
  'save-log': at('queue'),
  'keep-file': { ...at('queue'), ...writes },
  'retry-failed': { ...at('queue'), ...writes },
  'remove-finished': { ...at('queue'), ...writes },
  'sort-renders-queue': at('queue'),
  'sort-renders-newest': at('queue'),
  'sort-renders-oldest': at('queue'),
  'sort-renders-name': at('queue'),
  'sort-renders-longest': at('queue'),
  'show-renders-all': at('queue'),
  'show-renders-active': at('queue'),
  'show-renders-queued': at('queue'),
  'show-renders-done': at('queue'),
  'show-renders-failed': at('queue'),
  'show-renders-cancelled': at('queue'),

  'rename-template': { ...at('templates', 'F2'), ...writes },
  'duplicate-template': { ...at('templates', 'Ctrl D'), ...writes },
  'render-template': { ...at(['templates', 'editor'], 'Ctrl Enter'), ...writes },
  'trash-template': { ...at('templates', 'Delete'), ...writes },
  'edit-template': at('templates'),
  'edit-tags': { ...at('templates'), ...writes },
  'export-template': at('templates'),
  'share-template': at('templates'),
  'switch-view': at('templates'),
  'sort-templates-updated': at('templates'),
  'sort-templates-name': at('templates'),
  'sort-templates-created': at('templates'),
  'clear-filter': at(['queue', 'templates']),
  'empty-trash': { ...at('templates'), ...writes },

  save: { ...at('editor', 'Ctrl S'), ...writes },
  'undo-edit': at('editor', 'Ctrl Z'),
  'redo-edit': at('editor', ['Ctrl Shift Z', 'Ctrl Y']),
  'next-problem': at('editor', 'F8'),
  'previous-problem': at('editor', 'Shift F8'),
  'check-everything': at('editor'),
  'format-source': at('editor', 'Shift Alt F'),
  complete: at('editor', 'Ctrl Space'),
  'bold-letters': at('editor', 'Ctrl B'),
  'italic-letters': at('editor', 'Ctrl I'),
  'plain-letters': at('editor', 'Ctrl \\'),
  'copy-node': at('editor'),
  'copy-python': at('editor'),
  'copy-php': at('editor'),
  'template-versions': at('editor'),
  'resize-template': at('editor'),
  'edit-brand': { ...at('editor'), ...writes },
  'use-brand': at('editor'),
  'show-captions': at('editor'),
  'add-voice': at('editor'),
  'record-voice': { ...at('editor'), ...writes },
  'focus-left': at('editor', 'Alt 1'),
  'focus-preview': at('editor', 'Alt 2'),
  'focus-source': at('editor', 'Alt 3'),
  'focus-inspector': at('editor', 'Alt 4'),
  'focus-timeline': at('editor', 'Alt 5'),
  'toggle-left': at('editor'),
  'toggle-preview': at('editor'),
  'toggle-source': at('editor'),
  'toggle-timeline': at('editor'),
  'toggle-panels': at('editor', 'Alt 0'),

  'rename-element': at('outline', 'F2'),
  'element-up': at('outline', 'Alt Up'),
  'element-down': at('outline', 'Alt Down'),
  'element-in': at('outline', 'Alt Right'),
  'element-out': at('outline', 'Alt Left'),
  'delete-element': at('outline', 'Delete'),

  'split-caption': at('captions', 'Enter'),
  'join-caption': at('captions', 'Backspace'),
  'add-caption': at('captions', 'Shift Enter'),
  'remove-caption': at('captions', 'Ctrl Shift Delete'),
  'give-caption': at('captions', 'Ctrl Shift Enter'),
  'previous-caption': at('captions', 'Alt Up'),
  'next-caption': at('captions', 'Alt Down'),
  'caption-back': at('captions', 'Alt Left'),
  'caption-on': at('captions', 'Alt Right'),
  'caption-back-ten': at('captions', 'Shift Alt Left'),
  'caption-on-ten': at('captions', 'Shift Alt Right'),
  'captions-back': at('captions', 'Ctrl Alt Left'),
  'captions-on': at('captions', 'Ctrl Alt Right'),
  'play-caption': at('captions', 'Alt Enter'),

  'nudge-left': at('canvas', 'Left'),
  'nudge-right': at('canvas', 'Right'),
  'nudge-up': at('canvas', 'Up'),
  'nudge-down': at('canvas', 'Down'),
  'push-left': at('canvas', 'Shift Left'),
  'push-right': at('canvas', 'Shift Right'),
  'push-up': at('canvas', 'Shift Up'),
  'push-down': at('canvas', 'Shift Down'),
  'edit-text': at('canvas', 'Enter'),
  'crop-media': at('canvas', 'C'),
  'replace-media': at('canvas'),
  'blur-around': at('canvas'),
  'blur-inside': at('canvas'),
  'cut-elements': at('canvas', 'Ctrl X'),
  'copy-elements': at('canvas', 'Ctrl C'),
  'paste-elements': at('canvas', 'Ctrl V'),
  'paste-style': at('canvas', 'Ctrl Alt V'),
  'select-elements': at('canvas', 'Ctrl A'),
  'duplicate-elements': at(['canvas', 'timeline'], 'Ctrl D'),
  'remove-elements': at(['canvas', 'timeline'], ['Delete', 'Backspace']),
  'add-keyframe': at(['canvas', 'timeline'], 'Alt K'),
  'group-elements': at(['canvas', 'timeline'], 'Ctrl G'),
  'ungroup-elements': at(['canvas', 'timeline'], 'Ctrl Shift G'),
  'bring-forward': at('canvas', 'Ctrl ]'),
  'send-backward': at('canvas', 'Ctrl ['),
  'lock-elements': at(['canvas', 'timeline'], 'Ctrl Shift L'),
  'hide-elements': at(['canvas', 'timeline'], 'Ctrl Shift H'),
  'show-elements': at('canvas'),
  'align-left': at('canvas', 'Alt A'),
  'align-centre': at('canvas', 'Alt H'),
  'align-right': at('canvas', 'Alt D'),
  'align-top': at('canvas', 'Alt W'),
  'align-middle': at('canvas', 'Alt V'),
  'align-bottom': at('canvas', 'Alt S'),
  'spread-across': at('canvas', 'Shift Alt H'),
  'spread-down': at('canvas', 'Shift Alt V'),

  'clip-back': at('timeline', ['Alt Left', ',']),
  'clip-on': at('timeline', ['Alt Right', '.']),
  'clip-back-ten': at('timeline', 'Shift Alt Left'),
  'clip-on-ten': at('timeline', 'Shift Alt Right'),
  'clip-up': at('timeline', 'Alt Up'),
  'clip-down': at('timeline', 'Alt Down'),
  'trim-start': at(['canvas', 'timeline'], '['),
  'trim-end': at(['canvas', 'timeline'], ']'),
  'split-clips': at(['canvas', 'timeline'], 'S'),
  'ripple-remove': at(['canvas', 'timeline'], ['Shift Delete', 'Shift Backspace']),
  'add-transition': at(['canvas', 'timeline'], 'T'),
  'all-transitions': at('timeline'),
  'duck-music': at('timeline'),
  'previous-keyframe': at('timeline', 'Ctrl Left'),
  'next-keyframe': at('timeline', 'Ctrl Right'),
  'cut-keyframes': at('timeline', 'Ctrl X'),
  'copy-keyframes': at('timeline', 'Ctrl C'),
  'remove-keyframe': at('timeline', ['Alt Delete', 'Alt Backspace']),
  'previous-cut': at('timeline', 'PageUp'),
  'next-cut': at('timeline', 'PageDown'),
  'next-beat': at('timeline', 'B'),
  'previous-beat': at('timeline', 'Shift B'),
  'fold-clip': at('timeline', 'Enter'),
  'toggle-snapping': at('timeline', 'N'),
  'toggle-ripple': at('timeline', 'R'),
  'timeline-zoom-in': at('timeline', ['Plus', '=']),
  'timeline-zoom-out': at('timeline', '-'),
  'timeline-fit': at('timeline', '0'),

  play: at('preview', 'Space'),
  'frame-back': at('preview', 'Left'),
  'frame-on': at('preview', 'Right'),
  'second-back': at('preview', 'Shift Left'),
  'second-on': at('preview', 'Shift Right'),
  'to-start': at('preview', 'Home'),
  'to-end': at('preview', 'End'),
  'go-to-time': at('preview', 'Ctrl G'),
  'play-back': at('preview', 'J'),
  stop: at('preview', 'K'),
  'play-on': at('preview', 'L'),
  'mark-first': at('preview', 'I'),
  'mark-last': at('preview', 'O'),
  'clear-part': at('preview', 'X'),
  'toggle-auto-keys': at('preview', 'Shift K'),
  'add-marker': at('preview', 'M'),
  'next-marker': at('preview', 'Shift M'),
  'previous-marker': at('preview', 'Shift Alt M'),
  loop: at('preview'),
  'full-screen': at('preview', 'F'),
  'preview-zoom-in': at('preview', ['Plus', '=']),
  'preview-zoom-out': at('preview', '-'),
  'preview-fit': at('preview', '0'),
  'preview-full-size': at('preview', '1'),
  'next-guide': at('preview', 'G'),
  'pin-moment': at('preview', 'P'),
} as const satisfies Readonly<Record<string, CommandRow>>;

/** Name of a command. */
export type CommandId = keyof typeof table;

/** The commands, in the order of the list of shortcuts. */
export const commandTable: Readonly<Record<CommandId, CommandRow>> = table;

/** Their names in that order. */
// Object.keys only knows strings; these are the keys of the table.
export const commandIds = Object.keys(table) as readonly CommandId[];

/** Commands that the desktop runs itself. */
export const desktopCommands = [
  'zoom-in',
  'zoom-out',
  'zoom-reset',
  'open-output-folder',
  'api-help',
  'show-logs',
  'quit',
] as const satisfies readonly CommandId[];
/** One of them. */
export type DesktopCommand = (typeof desktopCommands)[number];

/**
 * Keys that are the same in every program, because people without a pointer, and screen readers, rely on them. They are
 * shown but can't be changed.
 */
const fixedTable = {
  close: { where: 'anywhere', keys: ['Escape'] },
  'row-up': { where: 'list', keys: ['Up'] },
  'row-down': { where: 'list', keys: ['Down'] },
  'row-left': { where: 'list', keys: ['Left'] },
  'row-right': { where: 'list', keys: ['Right'] },
  'row-first': { where: 'list', keys: ['Home'] },
  'row-last': { where: 'list', keys: ['End'] },
  'page-up': { where: 'list', keys: ['PageUp'] },
  'page-down': { where: 'list', keys: ['PageDown'] },
  'extend-up': { where: 'list', keys: ['Shift Up'] },
  'extend-down': { where: 'list', keys: ['Shift Down'] },
  'extend-first': { where: 'list', keys: ['Shift Home'] },
  'extend-last': { where: 'list', keys: ['Shift End'] },
  'extend-page-up': { where: 'list', keys: ['Shift PageUp'] },
  'extend-page-down': { where: 'list', keys: ['Shift PageDown'] },
  open: { where: 'list', keys: ['Enter'] },
  tick: { where: 'list', keys: ['Space'] },
  'row-menu': { where: 'list', keys: ['Shift F10', 'ContextMenu'] },
} as const satisfies Readonly<
  Record<string, { readonly where: Place; readonly keys: readonly string[] }>
>;

/** What keys that can't be changed do. */
export type FixedKeyId = keyof typeof fixedTable;

/** Those keys, in the order of the list of shortcuts. */
export const fixedKeys: Readonly<
  Record<FixedKeyId, { readonly where: Place; readonly keys: readonly string[] }>
> = fixedTable;

/** Keys by command, for commands whose keys the user changed; an empty list: none. */
export type ChangedKeys = Readonly<Partial<Record<CommandId, readonly string[]>>>;

/** What the window tells the desktop's menu. */
export interface CommandMenu {
  /** Commands that the window has; true for those that can run now. Others are not shown. */
  readonly enabled: Readonly<Partial<Record<CommandId, boolean>>>;
  /** Commands that switch something, with whether it is on. */
  readonly ticked: Readonly<Partial<Record<CommandId, boolean>>>;
  readonly keys: ChangedKeys;
}

/** True if keys of one place could also apply in the other. */
export function placesMeet(one: readonly Place[], other: readonly Place[]): boolean {
  return one.some((a) => other.some((b) => meets(a, b) || meets(b, a)));
}

function meets(outer: Place, inner: Place): boolean {
  if (outer === inner || outer === 'anywhere') return true;
  if (outer === 'list') return inner === 'queue' || inner === 'templates';
  const inside: readonly Place[] = ['outline', 'preview', 'canvas', 'timeline', 'captions'];
  return outer === 'editor' && inside.includes(inner);
}
