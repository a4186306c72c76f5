/**
 * Every command of the window with its keys: one table for the palette, the key handler and the list of shortcuts.
 * Commands of one thing (a render, a template) belong to its menu; their keys are listed here to be read only.
 */
import type { IconName } from '../components/icons.ts';
import { say, type MessageKey } from './say.ts';
import type { AppState, Page } from '../state/app.svelte.ts';

/** A command that can be run from anywhere. */
export interface Command {
  readonly name: string;
  readonly label: string;
  readonly icon: IconName;
  /** As `Ctrl Shift P`. */
  readonly keys?: string;
  readonly run: () => void;
}

/** Where a shortcut holds, and what it does. */
export interface ShortcutGroup {
  readonly title: string;
  readonly shortcuts: readonly { readonly keys: string; readonly label: string }[];
}

const pageKeys: Record<Page, string> = {
  queue: 'Ctrl 1',
  templates: 'Ctrl 2',
  api: 'Ctrl 4',
  settings: 'Ctrl 5',
};

/** The commands as they stand now. */
export function commandsOf(app: AppState): readonly Command[] {
  const go = (page: Page, label: string): Command => ({
    ...{ name: `go-${page}`, label, icon: page, keys: pageKeys[page] },
    run: () => app.goTo(page),
  });
  const paused = app.server?.queue.paused === true;
  return [
    go('queue', say('page.queue')),
    go('templates', say('page.templates')),
    go('api', say('page.api')),
    go('settings', say('page.settings')),
    {
      ...{ name: 'new', label: say('command.new'), icon: 'plus', keys: 'Ctrl N' },
      run: () => void app.templateTasks.newTemplate(blankVideo()),
    },
    {
      ...{ name: 'import', label: say('command.import'), icon: 'upload', keys: 'Ctrl O' },
      run: () => {
        app.goTo('templates');
        app.importing = [];
      },
    },
    {
      ...{ name: 'trash', label: say('trash.title'), icon: 'trash' },
      run: () => {
        app.goTo('templates');
        app.trashOpen = true;
      },
    },
    {
      ...{ name: 'pause', icon: paused ? 'play' : 'pause', keys: 'Ctrl Shift P' },
      label: say(paused ? 'queue.resume' : 'queue.pause'),
      run: () => void app.pauseQueue(!paused),
    },
    ...(app.renders.active && !paused
      ? [
          {
            ...{ name: 'pause-after', label: say('queue.pauseAfter'), icon: 'pause' as const },
            run: () => void app.pauseAfterThis(),
          },
        ]
      : []),
    {
      ...{ name: 'copy-address', label: say('action.copyAddress'), icon: 'copy' },
      run: () => void app.copy(app.server?.api.url ?? ''),
    },
    {
      ...{ name: 'project', label: say('project.new'), icon: 'plus' },
      run: () => {
        app.editingProject = '';
      },
    },
    {
      ...{ name: 'theme', label: say('command.theme'), icon: 'eye' },
      run: () => {
        const isDark =
          app.preferences.theme === 'dark' ||
          (app.preferences.theme === 'system' &&
            matchMedia('(prefers-color-scheme: dark)').matches);
        app.preferences.theme = isDark ? 'light' : 'dark';
      },
    },
    {
      ...{ name: 'first-steps', label: say('first.title'), icon: 'help' },
      run: () => {
        app.preferences.set('firstStepsHidden', false);
        app.goTo('queue');
      },
    },
    {
      ...{ name: 'shortcuts', label: say('shortcuts.title'), icon: 'help', keys: 'F1' },
      run: () => {
        app.overlay = 'shortcuts';
      },
    },
  ];
}

/** An empty film to begin with. */
export function blankVideo(): { name: string; source: { readonly [key: string]: never } } {
  return { name: say('templates.untitled'), source: blank('mp4') };
}

/** An empty picture to begin with. */
export function blankPicture(): ReturnType<typeof blankVideo> {
  return { name: say('templates.untitled'), source: blank('png') };
}

function blank(format: 'mp4' | 'png'): { readonly [key: string]: never } {
  const source = {
    output_format: format,
    ...{ width: 1920, height: 1080 },
    ...(format === 'mp4' && { duration: 5 }),
    elements: [],
  };
  return source as unknown as { readonly [key: string]: never };
}

/** True when an event is the keys of a command: `Ctrl` is Cmd on a Mac. */
export function isKeys(event: KeyboardEvent, keys: string, isMac: boolean): boolean {
  const parts = keys.split(' ');
  const key = parts.at(-1) ?? '';
  const main = isMac ? event.metaKey : event.ctrlKey;
  return (
    main === parts.includes('Ctrl') &&
    event.shiftKey === parts.includes('Shift') &&
    event.altKey === parts.includes('Alt') &&
    event.key.toLowerCase() === key.toLowerCase()
  );
}

type KeyText = MessageKey & `keys.${string}`;

/** Shortcuts by place, for the list that F1 opens. */
const groups: readonly (readonly [KeyText, readonly (readonly [string, KeyText])[]])[] = [
  [
    'keys.anywhere',
    [
      ['Ctrl K', 'keys.palette'],
      ['Ctrl 1 · 2 · 4 · 5', 'keys.pages'],
      ['Ctrl ,', 'keys.settings'],
      ['Ctrl N', 'keys.new'],
      ['Ctrl O', 'keys.import'],
      ['Ctrl F', 'keys.search'],
      ['F6 · Shift F6', 'keys.panes'],
      ['F1 · Ctrl /', 'keys.shortcuts'],
      ['Ctrl Shift P', 'keys.pause'],
      ['Esc', 'keys.close'],
      ['Ctrl + · Ctrl − · Ctrl 0', 'keys.zoom'],
    ],
  ],
  [
    'keys.lists',
    [
      ['↑ ↓ Home End PgUp PgDn', 'keys.move'],
      ['Shift ↑ ↓ · Ctrl A', 'keys.select'],
      ['Enter', 'keys.details'],
      ['Space', 'keys.tick'],
      ['Shift F10', 'keys.menu'],
      ['Delete', 'keys.delete'],
      ['Ctrl Z', 'keys.undo'],
      ['Ctrl C · Ctrl Shift C', 'keys.copy'],
    ],
  ],
  [
    'keys.queue',
    [
      ['Ctrl Shift O · Ctrl Shift E', 'keys.open'],
      ['Ctrl Shift Enter', 'keys.again'],
      ['Alt ↑ ↓ · Alt Home · Alt End', 'keys.reorder'],
    ],
  ],
  [
    'keys.templates',
    [
      ['F2', 'keys.rename'],
      ['Ctrl D', 'keys.duplicate'],
      ['Ctrl Enter', 'keys.render'],
    ],
  ],
  [
    'keys.editor',
    [
      ['Ctrl S', 'keys.save'],
      ['Ctrl Enter', 'keys.render'],
      ['Ctrl Z · Ctrl Shift Z', 'keys.undoRedo'],
      ['F8 · Shift F8', 'keys.problems'],
      ['Shift Alt F', 'keys.format'],
      ['Ctrl Space', 'keys.completion'],
      ['Ctrl G', 'keys.goToTime'],
      ['Alt 1 · Alt 2 · Alt 3', 'keys.editorPanes'],
    ],
  ],
];

/** The list as text. */
export function shortcutGroups(): readonly ShortcutGroup[] {
  return groups.map(([title, shortcuts]) => ({
    title: textOf(title),
    shortcuts: shortcuts.map(([keys, label]) => ({ keys, label: textOf(label) })),
  }));
}

// These words have no holes, which the type of a chosen key can't tell.
const textOf = say as (key: KeyText) => string;
