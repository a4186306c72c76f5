/**
 * The content and order of the application menu: the tables from which menu.ts makes it. Main process. Commands that
 * the window does not currently have are left out, with separators that become useless.
 */
import { app, type MenuItemConstructorOptions } from 'electron';
import type { CommandId } from '../shared/commands.ts';
import type { DesktopKey } from './say.ts';

/** An item in Electron's form. */
export type Item = MenuItemConstructorOptions;
/** Rows in a submenu, which is absent if empty. */
export interface Rows {
  readonly title: DesktopKey & `menu.${string}`;
  readonly rows: readonly Row[];
}
/** Something that Electron does itself; its name in the user's language is `role.…`. */
export interface RoleRow {
  readonly role: Role;
}
type NameIn<Key> = Key extends `role.${infer Name}` ? Name : never;
/** Roles that have a name. */
export type Role = NameIn<DesktopKey>;
/** `---` is a line between groups. */
export type Row = CommandId | Item | Rows | RoleRow | '---';

/** macOS has an application menu, and other places for some items. */
export const isMac = process.platform === 'darwin';

/** @param options The menu of switches. */
export function fileRows(options: Item): readonly Row[] {
  return [
    'new-template',
    'new-picture',
    'new-from-clipboard',
    'import',
    '---',
    'new-project',
    'rename-project',
    'manage-projects',
    '---',
    'switch-api',
    '---',
    'save',
    '---',
    'open-output-folder',
    options,
    ...(isMac ? [] : (['---', 'settings'] as const)),
    '---',
    isMac ? { role: 'close' } : 'quit',
  ];
}

/** About the chosen render and the queue. */
export const queueRows: readonly Row[] = [
  'pause-queue',
  'pause-after-this',
  '---',
  'open-file',
  'play-here',
  'show-in-folder',
  'save-copy',
  'save-log',
  'keep-file',
  'open-template',
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
  '---',
  {
    title: 'menu.showRenders',
    rows: [
      'show-renders-all',
      'show-renders-active',
      'show-renders-queued',
      'show-renders-done',
      'show-renders-failed',
      'show-renders-cancelled',
    ],
  },
  {
    title: 'menu.sortRenders',
    rows: [
      'sort-renders-queue',
      'sort-renders-newest',
      'sort-renders-oldest',
      'sort-renders-name',
      'sort-renders-longest',
    ],
  },
];

/** About the chosen template and its editor. */
export const templateRows: readonly Row[] = [
  'render-template',
  'edit-template',
  'rename-template',
  'edit-tags',
  'duplicate-template',
  'export-template',
  'share-template',
  '---',
  'undo-edit',
  'redo-edit',
  'next-problem',
  'previous-problem',
  'format-source',
  'complete',
  '---',
  'bold-letters',
  'italic-letters',
  'plain-letters',
  '---',
  {
    title: 'menu.arrange',
    rows: [
      'align-left',
      'align-centre',
      'align-right',
      'align-top',
      'align-middle',
      'align-bottom',
      'spread-across',
      'spread-down',
      '---',
      'group-elements',
      'ungroup-elements',
      'bring-forward',
      'send-backward',
      'lock-elements',
      'hide-elements',
      'show-elements',
      '---',
      'edit-text',
      'crop-media',
      'replace-media',
      '---',
      'select-elements',
      'cut-elements',
      'copy-elements',
      'paste-elements',
      'paste-style',
      'duplicate-elements',
      'remove-elements',
      '---',
      'nudge-left',
      'nudge-right',
      'nudge-up',
      'nudge-down',
      'push-left',
      'push-right',
      'push-up',
      'push-down',
    ],
  },
  {
    title: 'menu.timeline',
    rows: [
      'split-clips',
      'trim-start',
      'trim-end',
      'ripple-remove',
      '---',
      'add-transition',
      'all-transitions',
      'duck-music',
      '---',
      'clip-back',
      'clip-on',
      'clip-back-ten',
      'clip-on-ten',
      'clip-up',
      'clip-down',
      'fold-clip',
      '---',
      'previous-cut',
      'next-cut',
      'previous-beat',
      'next-beat',
      'previous-keyframe',
      'next-keyframe',
      'cut-keyframes',
      'copy-keyframes',
      'remove-keyframe',
      'add-keyframe',
      'toggle-auto-keys',
      '---',
      'add-marker',
      'previous-marker',
      'next-marker',
      '---',
      'toggle-snapping',
      'toggle-ripple',
      '---',
      'timeline-zoom-in',
      'timeline-zoom-out',
      'timeline-fit',
    ],
  },
  {
    title: 'menu.captions',
    rows: [
      'split-caption',
      'join-caption',
      'add-caption',
      'remove-caption',
      '---',
      'previous-caption',
      'next-caption',
      'play-caption',
      '---',
      'caption-back',
      'caption-on',
      'caption-back-ten',
      'caption-on-ten',
      'captions-back',
      'captions-on',
    ],
  },
  '---',
  'play',
  'frame-back',
  'frame-on',
  'second-back',
  'second-on',
  'to-start',
  'to-end',
  'go-to-time',
  'play-back',
  'stop',
  'play-on',
  'mark-first',
  'mark-last',
  'clear-part',
  'loop',
  '---',
  'full-screen',
  'preview-zoom-in',
  'preview-zoom-out',
  'preview-fit',
  'preview-full-size',
  'next-guide',
  'pin-moment',
  '---',
  'trash-template',
  'show-trash',
  'empty-trash',
  'switch-view',
  {
    title: 'menu.sortTemplates',
    rows: ['sort-templates-updated', 'sort-templates-name', 'sort-templates-created'],
  },
];

/** What is shown. */
export const viewRows = (): readonly Row[] => [
  'palette',
  '---',
  'go-home',
  'go-queue',
  'go-templates',
  'go-feeds',
  'go-api',
  'go-settings',
  'recent-messages',
  '---',
  'next-pane',
  'previous-pane',
  'focus-left',
  'focus-preview',
  'focus-source',
  'focus-inspector',
  'focus-timeline',
  '---',
  'toggle-left',
  'toggle-preview',
  'toggle-source',
  'toggle-timeline',
  'toggle-panels',
  '---',
  'switch-theme',
  'zoom-in',
  'zoom-out',
  'zoom-reset',
  '---',
  { role: 'togglefullscreen' },
  ...(app.isPackaged ? [] : (['---', { role: 'reload' }, { role: 'toggleDevTools' }] as const)),
];

/** Help, and what to send along when asking for some. */
export const helpRows: readonly Row[] = [
  'shortcuts',
  'change-shortcuts',
  'api-help',
  '---',
  'show-logs',
  'save-diagnostics',
  ...(isMac ? [] : (['---', { role: 'about' }] as const)),
];

/** The program's own menu on macOS. */
export const appRows: readonly Row[] = [
  { role: 'about' },
  '---',
  'settings',
  '---',
  { role: 'services' },
  '---',
  { role: 'hide' },
  { role: 'hideOthers' },
  { role: 'unhide' },
  '---',
  'quit',
];

/** The window itself. */
export const windowRows: readonly Row[] = [
  { role: 'minimize' },
  { role: 'zoom' },
  ...(isMac ? (['---', { role: 'front' }] as const) : [{ role: 'close' } as const]),
];

/** The system's own editing commands, and ours below them. */
export const editRows: readonly Row[] = [
  { role: 'undo' },
  { role: 'redo' },
  { role: 'cut' },
  { role: 'copy' },
  { role: 'paste' },
  { role: 'selectAll' },
  '---',
  'find',
  'clear-filter',
  'select-all',
  'undo-removal',
  '---',
  'rename-element',
  'element-up',
  'element-down',
  'element-in',
  'element-out',
  'delete-element',
  '---',
  'copy-id',
  'copy-url',
  'copy-curl',
  'copy-node',
  'copy-python',
  'copy-php',
  'template-versions',
  'resize-template',
  'edit-brand',
  'show-captions',
  'copy-error',
  'copy-address',
];
