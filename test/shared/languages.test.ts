/**
 * The words of window and shell: complete in each language, used, and those of the window nothing of English but what
 * is the same.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandIds } from '../../shared/commands.ts';
import {
  animationTypes,
  commonAnimationOptions,
} from '../../shared/renderscript/animation-types.ts';
import { easingNames } from '../../shared/renderscript/easing.ts';
import { propertiesOf } from '../../shared/renderscript/properties.ts';
import type { Rule } from '../../shared/renderscript/rules.ts';
import { languageFor, languages, localeFor } from '../../shared/languages.ts';
import type { TranslatedMessage } from '../../shared/speech.ts';
import { textsIn } from '../../renderer/ui/language.ts';
import { ordinal, relativeTime } from '../../renderer/ui/format.ts';
import { messages as english, say, sayWord, speak, type WordGroup } from '../../renderer/ui/say.ts';
import { wordsOfChoice, wordsOfEasing } from '../../renderer/editor/inspector/words.ts';
import { faultsIn, formsOf, translated, wordsIn } from '../words.mjs';
import { sameWords } from './same-words.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** Groups whose texts `sayWord` finds by the words of a document. */
const wordGroups: readonly WordGroup[] = [
  'animation',
  'choice',
  'easing',
  'inspector.name',
  'option',
];
const keys = Object.keys(english) as (keyof typeof english)[];

describe('the words', () => {
  test('are there in each language, with its plural forms and the placeholders of English', () => {
    expect([...translated].sort()).toEqual([...languages].sort());
    expect(translated.flatMap((language) => faultsIn(language))).toEqual([]);
  });

  const [german, japanese] = [wordsIn('de'), wordsIn('ja')];
  const hits = { one: '{count} Treffer', other: '{count} Treffer' };
  test.each([
    ['de', { ...german, general: {} }, 'de/general.json: search.hits is missing'],
    ['de', { general: german['general']! }, 'de/queue.json is missing'],
    ['de', changed({ 'search.none': 'Nichts' }), 'search.none is not in English'],
    ['de', changed({ 'search.hits': { other: '{count} Treffer' } }), 'lacks the plural form one'],
    ['pl', changed({ 'search.hits': hits }), 'search.hits lacks the plural form few, many'],
    [
      'ja',
      changed({ 'search.hits': hits }, japanese),
      'has a plural form that no number takes: one',
    ],
    ['de', changed({ 'app.name': hits }), 'app.name has plural forms, English has none'],
    ['de', changed({ 'title.page': '{Seite}' }), 'has a placeholder that English has not: {Seite}'],
    ['de', changed({ 'title.page': 'Seite' }), 'title.page lacks the placeholder {page}'],
    ['de', changed({ 'app.name': ' ' }), 'app.name is empty'],
    ['de', changed({ 'command.quit': 'Beenden' }), 'command.quit is in commands.json, too'],
    ['de', { ...german, menu: { 'command.save': 'Speichern' } }, 'in commands.json: leave it out'],
    ['de', { ...german, menu: { 'command.fly': 'Fliegen' } }, 'is the name of no command'],
  ])('%s: what is wrong is said (%#)', (language, words, fault) => {
    expect(faultsIn(language, words).join('\n')).toContain(fault);
  });
  function changed(texts: Record<string, TranslatedMessage>, of = german): typeof german {
    return { ...of, general: { ...of['general'], ...texts } };
  }

  test('are all used', () => {
    const sources = ['renderer', 'main', 'shared'].flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(ts|cts|svelte)$/.test(name) && !name.endsWith('.d.json.ts'))
        .map((name) => readFileSync(path.join(root, folder, name), 'utf8')),
    );
    const code = sources.join('\n');
    const written = /(?:(['"])([\w-][\w. -]*)\1)|\b(\w+)\??:|\b(\d+)\b/g;
    const words = new Set(
      [...code.matchAll(written)].map(([, , quoted, name, number]) => quoted ?? name ?? number),
    );
    // `editor.type.${type}` says each text of that group whose last part is a word of the code. A type says nothing.
    const groups = [
      ...code.matchAll(/`([a-z][\w.]*\.)\$\{(?!string\}|infer )[^`}]*\}([\w.]*)`/gi),
    ].map(([, start = '', end = '']) => [start, end] as const);
    groups.push(...wordGroups.map((group) => [`${group}.`, ''] as const));
    const isUsed = (key: string): boolean =>
      words.has(key) ||
      groups.some(
        ([start, end]) =>
          key.startsWith(start) &&
          key.endsWith(end) &&
          words.has(key.slice(start.length, key.length - end.length)),
      );
    const dead = Object.values(wordsIn('en')).flatMap((texts) =>
      Object.keys(texts).filter((key) => !isUsed(key)),
    );
    expect(dead).toEqual([]);
    const ids = commandIds.map((id) => `command.${id}`);
    expect(Object.keys(wordsIn('en')['commands']!).sort()).toEqual(ids.sort());
    const places = Object.keys(english).filter((key) => key.startsWith('place.'));
    expect(
      places.map((key) => key.slice('place.'.length)).filter((one) => !words.has(one)),
    ).toEqual([]);
  });

  test('are known to the compiler, placeholders and all', () => {
    // Judged by `npm run check`.
    const wrong = (): string[] => [
      // @ts-expect-error no such text
      say('no.such'),
      // @ts-expect-error lacks {page}
      say('title.page'),
      // @ts-expect-error has no {name}
      say('title.page', { page: 'Queue', name: '' }),
      // @ts-expect-error needs {count}
      say('search.hits', {}),
      // @ts-expect-error has no placeholder
      say('app.name', { name: '' }),
    ];
    expect(wrong).toBeTypeOf('function');
    expect(say('search.hits', { count: 1 })).toBe('1 match');
  });
});

test.each([
  [['de-AT', 'en'], 'de', 'de-AT'],
  [['pl', 'de', 'en'], 'de', 'de'],
  [['en-GB', 'de'], 'en', 'en-GB'],
  [['xx'], 'en', 'en'],
  [[], 'en', 'en'],
  [['DE'], 'de', 'DE'],
  [['', '-', 'de_DE'], 'en', 'en'],
] as const)('a system with %j speaks %s', (wanted, language, locale) => {
  expect(languageFor(wanted)).toBe(language);
  expect(localeFor(language, wanted)).toBe(locale);
});

describe.each(languages.filter((language) => language !== 'en'))('%s', (language) => {
  const load = () => textsIn(language);

  test('comes to the window as in its files, without what only the shell says', async () => {
    const areas = Object.entries(wordsIn(language)).filter(
      ([area]) => area !== 'desktop' && area !== 'menu',
    );
    const texts: unknown = Object.assign({}, ...areas.map(([, words]) => words));
    expect(await load()).toEqual(texts);
    expect(Object.keys(await load()).sort()).toEqual([...keys].sort());
  });

  test('leaves nothing in English', async () => {
    const texts = await load();
    const same = keys.filter((key) => {
      const [first, theirs] = [formsOf(english[key]).at(-1), formsOf(texts[key]).at(-1)];
      const words = first?.[1].replace(/\{\w+\}/g, '') ?? '';
      return first?.[1] === theirs?.[1] && /\p{L}{2}/u.test(words);
    });
    const left = same.filter(
      (key) => !sameWords[language].includes(formsOf(english[key]).at(-1)?.[1] ?? ''),
    );
    expect(left).toEqual([]);
  });

  test('ends sentences, titles and commands as English does', async () => {
    const texts = await load();
    const endOf = (message: TranslatedMessage): string =>
      /[….?:。？：]$/u
        .exec(formsOf(message).at(-1)?.[1] ?? '')?.[0]
        ?.replace('。', '.')
        .replace('？', '?')
        .replace('：', ':') ?? '';
    const wrong = keys
      .filter((key) => !key.startsWith('ordinal.') && endOf(english[key]) !== endOf(texts[key]))
      .map((key) => `${key}: ${formsOf(texts[key]).at(-1)?.[1] ?? ''}`);
    expect(wrong).toEqual([]);
  });

  test('keeps spaces around nothing, and three points as one letter', async () => {
    const texts = await load();
    const wrong = keys.filter((key) =>
      formsOf(texts[key]).some(
        ([, text]) => text !== text.trim() || /\.\.\.| {2}|["']\{/.test(text),
      ),
    );
    expect(wrong).toEqual([]);
  });

  test('counts and dates by its own rules', async () => {
    speak(await load(), language);
    try {
      const now = Date.UTC(2026, 10, 21, 12);
      for (const count of [0, 1, 2, 5, 1000, 1_000_000]) {
        expect(say('projects.renders', { count })).toContain(
          new Intl.NumberFormat(language).format(count),
        );
        expect(ordinal(count)).toContain(new Intl.NumberFormat(language).format(count));
      }
      expect(relativeTime(now - 40 * 86_400_000, now)).toBe(
        new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' }).format(
          now - 40 * 86_400_000,
        ),
      );
    } finally {
      speak(english, 'en');
    }
  });
});

test('every value, animation, option and easing that the inspector shows has its words', () => {
  const owners = ['root', 'text', 'image', 'video', 'audio', 'shape', 'composition'] as const;
  const types = [...animationTypes.values()];
  const options = [commonAnimationOptions, ...types.map((type) => type.options)].flat();
  const rules: readonly (readonly [string, Rule])[] = [
    ...owners.flatMap((owner) =>
      [...propertiesOf(owner)].map(([name, { rule }]) => [name, rule] as const),
    ),
    ...options.map(({ name, rule }) => [name, rule] as const),
  ];
  const wordless = new Set<string>();
  const need = (group: WordGroup, word: string): void => {
    if (sayWord(group, word) === null) wordless.add(`${group}.${word}`);
  };
  for (const [name, rule] of rules) {
    if (name === 'output_format') continue;
    for (const value of rule.kind === 'enum' ? rule.values : []) need('choice', value);
    for (const value of rule.kind === 'number' ? (rule.words ?? []) : []) need('choice', value);
  }
  for (const { name } of types) need('animation', name);
  for (const { name } of options) need('option', name);
  for (const owner of owners) {
    for (const [name] of propertiesOf(owner)) need('inspector.name', name);
  }
  expect([...wordless]).toEqual([]);
  expect(easingNames.map(wordsOfEasing)).toContain('Quadratic in out');
  expect(new Set(easingNames.map(wordsOfEasing)).size).toBe(easingNames.length);
  // What is no word of the language is shown as it is written.
  expect([
    wordsOfChoice('no-such', 'fit'),
    wordsOfEasing('toString'),
    sayWord('option', 'constructor'),
  ]).toEqual([...['No such', 'ToString', null]]);
});
