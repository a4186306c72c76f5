/** Gives the window its language before the page is made. Texts of other languages are loaded only when they are spoken. */
import { languageFor, languageOf, localeFor, type Language } from '../../shared/languages.ts';
import type { Translated } from '../messages/message.ts';
import { speak, type Messages } from './say.ts';
import { directionOf, inTestLanguage, isTestLanguage } from './test-language.ts';
import { messages } from '../messages/en.ts';

/** Languages besides English, each a part of the program that is loaded only when it is spoken. */
export const translations: Readonly<
  Record<Exclude<Language, 'en'>, () => Promise<{ readonly messages: Translated<Messages> }>>
> = {
  de: () => import('../messages/de/messages.ts'),
  es: () => import('../messages/es/messages.ts'),
  pt: () => import('../messages/pt/messages.ts'),
  ja: () => import('../messages/ja/messages.ts'),
};

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
 * Chooses the language of the page: by its address (`?language=de`, for tests and for looking at it), else the one that the user
 * chose, which the server writes into the page, else the system's.
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
    const [translation] = await Promise.all([translations[language](), letters[language]?.()]);
    speak(translation.messages, locale);
    // Portuguese is Brazil's; locales of Portugal show its dates.
    page.lang = language === 'pt' ? 'pt-BR' : language;
  }
}
