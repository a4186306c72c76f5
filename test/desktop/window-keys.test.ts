/** Keys as text: what an event means, how it is read, what can't be given to a command. */
import { describe, expect, test } from 'vitest';
import { fixedKeys, commandTable } from '../../shared/commands.ts';
import { acceleratorOf, readKeys } from '../../shared/keys.ts';
import {
  keysOf,
  readerKeys,
  refusalOf,
  shownKeys,
  type KeyPress,
} from '../../renderer/frame/commands/keys.ts';
import {
  firstLines,
  foundGroups,
  goalEntry,
  type PaletteEntry,
} from '../../renderer/frame/commands/palette.ts';
import { rowGoal } from '../../renderer/ui/rows.ts';
import { shortcutGroups } from '../../renderer/frame/commands/shortcut-list.ts';

/** An event: `^` Ctrl, `#` Cmd, `+` Shift, `~` Alt before the key; the place of the key behind it. */
function press(text: string): KeyPress {
  const [held = '', key = '', code = ''] = text.split(' ');
  return {
    key: key === 'Space' ? ' ' : key,
    code,
    ctrlKey: held.includes('^'),
    metaKey: held.includes('#'),
    shiftKey: held.includes('+'),
    altKey: held.includes('~'),
  };
}

describe('keys', () => {
  test.each<[string, boolean, readonly string[]]>([
    ['^ k KeyK', false, ['Ctrl K']],
    ['# k KeyK', true, ['Ctrl K']],
    ['^ k KeyK', true, []],
    ['^+ P KeyP', false, ['Ctrl Shift P']],
    ['. F6 F6', false, ['F6']],
    ['+ F8 F8', false, ['Shift F8']],
    ['~ ArrowUp ArrowUp', false, ['Alt Up']],
    ['^ Space Space', false, ['Ctrl Space']],
    ['^ + Equal', false, ['Ctrl Plus']],
    // A sign that needs Shift: `/` on a German keyboard, `+` on an English one, `!`.
    ['^+ / Digit7', false, ['Ctrl Shift 7', 'Ctrl /']],
    ['^+ + Equal', false, ['Ctrl Plus']],
    ['^+ ! Digit1', false, ['Ctrl Shift 1', 'Ctrl !']],
    // With Option a Mac types other signs, and other alphabets have other letters.
    ['+~ Ï KeyF', true, ['Shift Alt F']],
    ['~ ¡ Digit1', true, ['Alt 1']],
    ['^ л KeyK', false, ['Ctrl K']],
    // Printed, not placed: K on another keyboard layout.
    ['^ k KeyT', false, ['Ctrl K']],
    ['^ Control ControlLeft', false, []],
    ['. Dead BracketLeft', false, []],
  ])('%s (Mac: %s) → %j', (text, isMac, keys) => {
    expect(keysOf(press(text), isMac)).toEqual(keys);
  });

  test('are read, printed, and named for menus and readers', () => {
    expect(['Ctrl Shift P', 'Alt Up', 'Ctrl -'].map((keys) => shownKeys(keys, false))).toEqual([
      ...['Ctrl Shift P', 'Alt ↑', 'Ctrl −'],
    ]);
    expect(shownKeys('Ctrl Shift Alt K', true)).toBe('⌘ ⇧ ⌥ K');
    expect([readerKeys('Ctrl K', false), readerKeys('Ctrl K', true)]).toEqual([
      ...['Control+K', 'Meta+K'],
    ]);
    expect(['Shift Alt F', 'Ctrl Plus', 'Menu', 'ContextMenu'].map(acceleratorOf)).toEqual([
      ...['Shift+Alt+F', 'CmdOrCtrl+Plus', null, null],
    ]);
    for (const text of ['', 'Ctrl', 'Shift Ctrl K', 'Ctrl k', 'Ctrl  K', 'Ctrl Ctrl K', 'Hyper K'])
      expect([text, readKeys(text)]).toEqual([text, null]);
  });

  const anywhere = ['anywhere'] as const;
  test.each([
    ['K', anywhere, 'single'],
    ['Shift K', ['list'] as const, 'single'],
    ['Plus', anywhere, 'single'],
    ['Tab', anywhere, 'fixed'],
    ['Enter', ['list'] as const, 'fixed'],
    ['Escape', anywhere, 'fixed'],
    ['Shift F10', anywhere, 'fixed'],
    ['Space', ['list'] as const, 'fixed'],
    ['Left', ['list'] as const, 'fixed'],
    ['Left', ['preview'] as const, null],
    ['Delete', ['queue'] as const, null],
    ['Delete', ['editor'] as const, 'typing'],
    ['Delete', ['outline'] as const, null],
    ['Ctrl C', anywhere, 'typing'],
    ['Ctrl C', ['queue'] as const, null],
    ['Ctrl Left', ['editor'] as const, 'typing'],
    ['Ctrl W', anywhere, 'system'],
    ['F5', anywhere, 'system'],
    ['F9', anywhere, null],
    ['Ctrl Shift J', anywhere, null],
    ['Alt K', anywhere, null],
  ])('keys %s in %j: %s', (keys, where, refusal) => {
    expect(refusalOf(keys, where, false)).toBe(refusal);
  });

  test('the list of shortcuts has all that have keys, each once, and the keys that are now', () => {
    const of = (id: keyof typeof commandTable): readonly string[] =>
      id === 'palette' ? ['Ctrl J'] : id === 'export-template' ? ['F9'] : commandTable[id].keys;
    const groups = shortcutGroups({ of, print: (keys) => keys }, true);
    const lines = groups.flatMap(({ place, lines: all }) =>
      all.map(({ label, keys }) => [place, label, keys.join()].join(': ')),
    );
    expect(lines).toContain('anywhere: Command palette: Ctrl J');
    expect(lines).toContain('anywhere: Keyboard shortcuts: F1,Ctrl /');
    expect(lines).toContain('templates: Export…: F9');
    expect(lines).toContain('queue: Move in the queue: Alt Up,Alt Down,Alt Home,Alt End');
    expect(new Set(lines).size).toBe(lines.length);
    const shown = new Set(groups.flatMap(({ lines: all }) => all.flatMap(({ keys }) => keys)));
    const first = Object.values(commandTable).flatMap(({ keys }) => keys.slice(0, 1));
    const fixed = [fixedKeys['row-up'], fixedKeys.close, fixedKeys['row-menu']];
    for (const keys of [...first, ...fixed.flatMap((row) => row.keys)]) {
      if (keys !== 'Ctrl K') expect(shown).toContain(keys);
    }
    // Without the desktop, what only it can do is left out.
    const titles = JSON.stringify(shortcutGroups({ of, print: (keys) => keys }, false));
    expect(titles).not.toContain('Quit');
  });
});

test.each([
  ['row-down', 3, 4],
  ['row-up', 0, -1],
  ['row-down', 19, 20],
  ['row-first', 7, 0],
  ['row-last', 7, 19],
  ['page-down', 3, 13],
  ['page-down', 15, 19],
  ['page-up', 15, 5],
  ['page-up', 3, 0],
  ['row-left', 3, undefined],
  [undefined, 3, undefined],
] as const)('%s in row %i of 20 leads to %j', (pressed, index, goal) => {
  expect(rowGoal(pressed, index, 20)).toBe(goal);
});

describe('palette', () => {
  const entry = (key: string, disabled = false): PaletteEntry => ({ key, disabled });
  const groups = [
    { title: 'Commands', entries: [entry('Open'), entry('Save', true), entry('Save as')] },
    { title: 'Nothing', entries: [] },
    { title: 'Templates', entries: [entry('Safari'), entry('Savings')] },
  ];
  // Higher for words that begin a line; 'sfr' is found in one by its letters only.
  const score = (key: string, words: string): number =>
    key.toLowerCase().startsWith(words) ? words.length / key.length : 0.001;
  const labels = (found: ReturnType<typeof foundGroups>): string[] =>
    found.map(({ title, entries }) => `${title}: ${entries.map(({ key }) => key).join(', ')}`);

  test('what fits best comes first, letters here and there not at all', () => {
    expect(labels(foundGroups(groups, '', score))).toEqual([
      ...['Commands: Open, Save, Save as', 'Templates: Safari, Savings'],
    ]);
    expect(labels(foundGroups(groups, 'savi', score))).toEqual(['Templates: Savings']);
    expect(labels(foundGroups(groups, 'sa', score))).toEqual([
      ...['Commands: Save, Save as', 'Templates: Safari, Savings'],
    ]);
  });

  test('the first lines are in the page, with their places in all of them', () => {
    const lines = firstLines(groups, 4).map((group) => group.lines.map(({ place }) => place));
    expect(lines).toEqual([[0, 1, 2], [3]]);
  });

  test('keys pass over what can’t be chosen, and lead from the end to the beginning', () => {
    const entries = groups.flatMap((group) => group.entries);
    const from = (place: number, key: string): string | undefined =>
      goalEntry(entries, entries[place], key)?.key;
    expect([from(0, 'ArrowDown'), from(0, 'ArrowUp'), from(4, 'ArrowDown')]).toEqual([
      ...['Save as', 'Savings', 'Open'],
    ]);
    expect([from(0, 'PageDown'), from(4, 'Home'), from(0, 'x')]).toEqual([
      ...['Savings', 'Open', undefined],
    ]);
  });
});
