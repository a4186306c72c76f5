/** The window's translations: complete, with the same placeholders, and nothing left in English but what is the same there. */
import { describe, expect, test } from 'vitest';
import {
  animationTypes,
  commonAnimationOptions,
} from '../../shared/renderscript/animation-types.ts';
import { easingNames } from '../../shared/renderscript/easing.ts';
import { propertiesOf } from '../../shared/renderscript/properties.ts';
import type { Rule } from '../../shared/renderscript/rules.ts';
import { languageFor, languages, localeFor } from '../../shared/languages.ts';
import { translations } from '../../renderer/lib/language.ts';
import { ordinal, relativeTime } from '../../renderer/lib/format.ts';
import { say, sayWord, speak, type WordGroup } from '../../renderer/lib/say.ts';
import { wordsOfChoice, wordsOfEasing } from '../../renderer/editor/inspector/words.ts';
import { messages as english } from '../../renderer/messages/en.ts';
import type { TranslatedMessage } from '../../renderer/messages/message.ts';
import { sameWords } from './same-words.ts';

const keys = Object.keys(english) as (keyof typeof english)[];

/** Every form of a text, each with the plural rule that it is for. */
function formsOf(message: TranslatedMessage): readonly (readonly [string, string])[] {
  return typeof message === 'string' ? [['other', message]] : Object.entries(message);
}

/** Placeholders of a text: `['count', 'name']`. */
function holesOf(text: string): readonly string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort();
}

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
  const load = async () => (await translations[language]()).messages;

  test('has every text, and no others', async () => {
    expect(Object.keys(await load()).sort()).toEqual([...keys].sort());
  });

  test('has the plural forms that the language needs, and no others', async () => {
    const rules = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const texts = await load();
    const wrong = keys.filter((key) =>
      formsOf(texts[key]).some(([rule]) => !rules.includes(rule as Intl.LDMLPluralRule)),
    );
    expect(wrong).toEqual([]);
  });

  test('names the same values in each text', async () => {
    const texts = await load();
    const wrong = keys.flatMap((key) => {
      const forms = formsOf(english[key]);
      const all = new Set(forms.flatMap(([, text]) => holesOf(text)));
      const needed = holesOf(forms.at(-1)?.[1] ?? '');
      return formsOf(texts[key]).flatMap(([rule, text]) => {
        const holes = holesOf(text);
        const unknown = holes.filter((hole) => !all.has(hole));
        // "The file", which is one, needs no number.
        const missing = rule === 'other' ? needed.filter((hole) => !holes.includes(hole)) : [];
        return unknown.length + missing.length > 0 ? [{ key, rule, unknown, missing }] : [];
      });
    });
    expect(wrong).toEqual([]);
  });

  test('leaves nothing in English, and nothing blank', async () => {
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
    const blank = keys.filter((key) => formsOf(texts[key]).some(([, text]) => text.trim() === ''));
    expect(blank).toEqual([]);
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
