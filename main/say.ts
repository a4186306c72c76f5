/**
 * The shell's texts in the user's language: that of the window if one was chosen, else the system's. Main process. All languages
 * are part of the program's one file: a dialog about a start that failed must not depend on reading another.
 */
import { app } from 'electron';
import { languageFor, localeFor, type Language } from '../shared/languages.ts';
import { speechOf, type Filling, type Translated } from '../shared/speech.ts';
import { messages as german } from './messages/de.ts';
import { messages as english, type DesktopMessages } from './messages/en.ts';
import { messages as spanish } from './messages/es.ts';
import { messages as japanese } from './messages/ja.ts';
import { messages as portuguese } from './messages/pt.ts';

/** The texts of every language. */
export const desktopMessages: Readonly<Record<Language, Translated<DesktopMessages>>> = {
  en: english,
  de: german,
  es: spanish,
  pt: portuguese,
  ja: japanese,
};

/** Name of a text. */
export type DesktopKey = keyof DesktopMessages;

// Before the system can be asked, and if it has none of the languages.
let language: Language = 'en';
let speech = speechOf<DesktopMessages>(english, 'en');

/**
 * From now on, texts come in the chosen language. Those that are shown stay: the caller makes menu and tray again.
 *
 * @param chosen null: the first of the system's languages that there is, else English
 * @returns true if the language is another one than before
 */
export function speak(chosen: Language | null): boolean {
  const wanted = app.getPreferredSystemLanguages();
  const next = chosen ?? languageFor(wanted);
  const locale = localeFor(next, wanted);
  if (next === language && locale === speech.locale) return false;
  language = next;
  speech = speechOf<DesktopMessages>(desktopMessages[next], locale);
  return true;
}

/** The text of that name with its placeholders filled: `say('notice.done', { name: 'Promo' })`. */
export function say<Key extends DesktopKey>(
  key: Key,
  ...filling: Filling<DesktopMessages[Key]>
): string {
  return speech.say(key, ...filling);
}

/** Sentences one after the other; empty ones are left out. Japanese has no spaces between them. */
export function sentences(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(language === 'ja' ? '' : ' ');
}

/** The locale of dates and numbers: `en-GB`. */
export function localeInUse(): string {
  return speech.locale;
}

/** `43 %` with a space that does not break; takes 0 to 1. */
export function percent(fraction: number): string {
  return `${Math.floor(fraction * 100)}\u00a0%`;
}

/** `today 13:00`, `yesterday 09:05`, `12 Nov 2026 13:00` in the region's way. Both in ms since 1970. */
export function momentOf(moment: number, now: number): string {
  const midnight = (time: number): number => new Date(time).setHours(0, 0, 0, 0);
  const daysAgo = Math.round((midnight(now) - midnight(moment)) / 86_400_000);
  const { locale } = speech;
  const day =
    daysAgo === 0 || daysAgo === 1
      ? new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-daysAgo, 'day')
      : new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(moment);
  return `${day} ${new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(moment)}`;
}
