/**
 * The desktop's words in other languages: complete, as the window's, and the menu made in each. Electron is the
 * stand-in.
 */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { commandIds, commandTable, type CommandId } from '../../shared/commands.ts';
import { languages } from '../../shared/languages.ts';
import { barLabel, setMenu } from '../../main/menu.ts';
import {
  desktopMessages,
  momentOf,
  say,
  sentences,
  speak,
  type DesktopKey,
} from '../../main/say.ts';
import type { SettingsFile } from '../../main/settings.ts';
import { textsIn } from '../../renderer/ui/language.ts';
import { messages as windowEnglish } from '../../renderer/ui/say.ts';
import { formsOf } from '../words.mjs';
import * as electron from './electron-stand-in.ts';

// Imported again: the mock is made before this file's own imports.
vi.mock('electron', async () => (await import('./electron-stand-in.ts')).electronModule);

const english = desktopMessages.en;
const keys = Object.keys(english) as DesktopKey[];
const others = languages.filter((language) => language !== 'en');
/** What is the same in other languages and right. */
const same =
  /^(?:API|Feed|Feeds|Render \{id\}|Framewright: \{state\}|\{\w+\}.{1,3}\{\w+\}|Webhook)$/;

afterEach(() => {
  electron.answers.systemLanguages = ['en'];
  speak(null);
});

test.each([
  ['en', 'Open Framewright again'],
  ['de', 'Öffne Framewright noch einmal'],
  ['es', 'Abre Framewright de nuevo'],
  ['ja', 'Framewrightをもう一度開く'],
  ['pt', 'Abra o Framewright de novo'],
] as const)(
  '%s says how the window comes back where the desktop shows no icons',
  async (language, way) => {
    const window = await textsIn(language);
    expect(desktopMessages[language]['keep.text']).toContain(way);
    expect(window['settings.keepRunning.hint']).toContain(way);
  },
);

describe.each(others)('%s', (language) => {
  const texts = desktopMessages[language];
  const last = (key: DesktopKey, of = texts): string => formsOf(of[key]).at(-1)?.[1] ?? '';

  test('leaves nothing in English, and ends each text as English does', () => {
    const left = keys.filter((key) => last(key) === last(key, english) && !same.test(last(key)));
    expect(left).toEqual([]);
    const endOf = (text: string): string =>
      ({ '。': '.', '？': '?' })[text.at(-1) ?? ''] ?? /[….?]$/.exec(text)?.[0] ?? '';
    expect(keys.filter((key) => endOf(last(key)) !== endOf(last(key, english)))).toEqual([]);
    expect(keys.filter((key) => last(key) !== last(key).trim())).toEqual([]);
  });

  test('calls a command of the menu as the window does', async () => {
    const messages = await textsIn(language);
    const bare = (text: string): string => text.replace('…', '').toLowerCase();
    const wrong = commandIds.filter((id) => {
      const key = `command.${id}` as const;
      const isOne = bare(english[key]) === bare(windowEnglish[key]);
      return isOne && bare(texts[key]) !== bare(messages[key]);
    });
    expect(wrong).toEqual([]);
  });

  test('speaks in the menu, which has a letter of its own for each name in the bar', () => {
    speak(language);
    openMenu();
    const { items } = electron.Menu.current!;
    const bar = items.map(({ label = '' }) => label);
    expect(bar).toEqual(
      (['file', 'edit', 'queue', 'template', 'view', 'window', 'help'] as const).map((name) =>
        barLabel(texts[`menu.${name}`]),
      ),
    );
    if (process.platform !== 'darwin') {
      const letters = bar.map((label) => /&(\w)/.exec(label)?.[1]?.toLowerCase());
      expect(new Set(letters).size).toBe(bar.length);
      expect(letters).not.toContain(undefined);
    }
    // Electron names in English what has a role and no name.
    const all = electron.allItems(items).filter(({ type }) => type !== 'separator');
    expect(all.filter(({ label }) => label === undefined)).toEqual([]);
    const known = new Set(keys.map((key) => last(key)));
    const unknown = all.map(({ label = '' }) => label).filter((label) => !known.has(label));
    expect(unknown.filter((label) => !bar.includes(label))).toEqual([]);
    expect(all.length).toBeGreaterThan(150);
  });
});

test('a name in the bar has no letter to press on macOS', () => {
  expect(barLabel('ファイル(&F)', false)).toBe('ファイル');
  expect(barLabel('Ve&ntana', false)).toBe('Ventana');
  expect(barLabel('ファイル(&F)', true)).toBe('ファイル(&F)');
});

test('the system’s language is spoken until one is chosen', () => {
  electron.answers.systemLanguages = ['pl', 'de-AT', 'en'];
  expect(speak(null)).toBe(true);
  expect(say('quit')).toBe('Beenden');
  expect(say('notice.batch.done', { count: 1970 })).toMatch(/^1.970 fertig$/);
  expect(speak(null)).toBe(false);
  expect(speak('ja')).toBe(true);
  expect([say('quit.running', { count: 2 }), say('quit.waiting', { count: 1 })]).toEqual([
    '2件のレンダリングを実行中です。',
    '1件が待機中です。',
  ]);
  expect(sentences('はい。', '', 'いいえ。')).toBe('はい。いいえ。');
  electron.answers.systemLanguages = [];
  expect(speak(null)).toBe(true);
  expect(say('quit')).toBe('Quit');
});

test('the moment of a backup is told in the language', () => {
  const now = new Date(2026, 10, 24, 14, 5).getTime();
  const [today, yesterday, before] = [0, 1, 12].map((days) => now - days * 86_400_000);
  speak('de');
  expect(momentOf(today!, now)).toBe('heute 14:05');
  expect(momentOf(yesterday!, now)).toBe('gestern 14:05');
  expect(momentOf(before!, now)).toBe('12.11.2026 14:05');
  speak('ja');
  expect(momentOf(today!, now)).toBe('今日 14:05');
});

/** A menu with every command. */
function openMenu(): void {
  const settings: SettingsFile = {
    // The menu reads the switches only.
    current: { keepRunning: null, notifySound: false } as SettingsFile['current'],
    reportTo: () => undefined,
    save: () => undefined,
  };
  const enabled: Partial<Record<CommandId, boolean>> = Object.fromEntries(
    commandIds.filter((id) => commandTable[id].only !== 'browser').map((id) => [id, true]),
  );
  const nothing = (): undefined => undefined;
  setMenu({
    settings,
    run: nothing,
    zoom: nothing,
    outputFolder: () => '/finished',
    apiUrl: () => null,
    onSwitch: nothing,
  }).show({ enabled, ticked: {}, keys: {} });
}
