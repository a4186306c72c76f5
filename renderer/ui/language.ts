/// <reference types="vite/client" />
/**
 * Gives the window its language before the page is made. Texts of other languages are loaded only when they are spoken.
 */
import { languageFor, languageOf, localeFor, type Language } from '../../shared/languages.ts';
import type { Translated } from '../../shared/speech.ts';
import { messages, speak, type Messages } from './say.ts';

/**
 * The areas of each language but English; vite.config.ts makes one file of a language, which is loaded when it is
 * spoken.
 */
const areas = import.meta.glob<Partial<Messages>>(
  [
    '../../shared/words/*/*.json',
    '!../../shared/words/en/*.json',
    '!../../shared/words/*/desktop.json',
    '!../../shared/words/*/menu.json',
  ],
  { import: 'default' },
);

/** All texts of the window in a language. */
export async function textsIn(language: Language): Promise<Translated<Messages>> {
  if (language === 'en') return messages;
  const own = Object.entries(areas).filter(([file]) => file.includes(`/words/${language}/`));
  const parts = await Promise.all(own.map(([, load]) => load()));
  // Complete, as test/shared/languages.test.ts holds.
  return Object.assign({}, ...parts) as Translated<Messages>;
}

/** Letters that the window's own font has not, for systems that have none either. */
const letters: Readonly<Partial<Record<Language, () => Promise<unknown>>>> = {
  ja: () => import('../styles/japanese.css'),
};

/** What is needed of the page's root element. */
interface PageRoot {
  dir: string;
  lang: string;
  readonly dataset: Readonly<Record<string, string | undefined>>;
}

/**
 * Chooses the language of the page: by its address (`?language=de`, for tests and for looking at it), else the one that
 * the user chose, which the server writes into the page, else the system's.
 *
 * @param page `document.documentElement`; gets the language and the direction of reading
 * @param search the address's query
 * @param wanted the system's languages, best first
 */
export async function setLanguage(
  page: PageRoot,
  search: string,
  wanted: readonly string[],
): Promise<void> {
  page.dir = directionOf(search);
  const language =
    languageOf(new URLSearchParams(search).get('language')) ??
    languageOf(page.dataset['language']) ??
    languageFor(wanted);
  const locale = localeFor(language, wanted);
  if (isTestLanguage(search)) {
    speak(messages, 'en', inTestLanguage);
  } else if (language === 'en') {
    speak(messages, locale);
  } else {
    const [texts] = await Promise.all([textsIn(language), letters[language]?.()]);
    speak(texts, locale);
    // Portuguese is Brazil's; locales of Portugal show its dates.
    page.lang = language === 'pt' ? 'pt-BR' : language;
  }
}

/** The share by which each word of the test language grows: what German and Finnish need for short English words. */
const growth = 0.4;

/** Whether the address asks for the test language. @param search the query, as in `location.search` */
function isTestLanguage(search: string): boolean {
  return new URLSearchParams(search).get('language') === 'test';
}

/** The direction of reading that the address asks for, `?dir=rtl`; English runs from left to right. */
function directionOf(search: string): 'ltr' | 'rtl' {
  return new URLSearchParams(search).get('dir') === 'rtl' ? 'rtl' : 'ltr';
}

/**
 * The text in the test language: English, each word longer and each text in brackets, as room for other languages and
 * as a mark of what is a message; its `{holes}` as they were: `'Copy {name}'` → `'[Copyyy {name}]'`.
 */
function inTestLanguage(text: string): string {
  const longer = text.replace(/\{\w+\}|\p{L}+/gu, (word) =>
    word.startsWith('{') ? word : word + word.slice(-1).repeat(Math.ceil(word.length * growth)),
  );
  return `[${longer}]`;
}
