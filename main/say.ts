/**
 * The shell's texts in the user's language: that of the window if one was chosen, else the system's. Main process. All
 * languages are part of the program's one file: a dialog about a start that failed must not depend on reading another.
 */
import { app } from 'electron';
import { languageFor, localeFor, type Language } from '../shared/languages.ts';
import { speechOf, type Filling, type Message, type Translated } from '../shared/speech.ts';
import deCommands from '../shared/words/de/commands.json' with { type: 'json' };
import deDesktop from '../shared/words/de/desktop.json' with { type: 'json' };
import deMenu from '../shared/words/de/menu.json' with { type: 'json' };
import enCommands from '../shared/words/en/commands.json' with { type: 'json' };
import enDesktop from '../shared/words/en/desktop.json' with { type: 'json' };
import enMenu from '../shared/words/en/menu.json' with { type: 'json' };
import esCommands from '../shared/words/es/commands.json' with { type: 'json' };
import esDesktop from '../shared/words/es/desktop.json' with { type: 'json' };
import esMenu from '../shared/words/es/menu.json' with { type: 'json' };
import jaCommands from '../shared/words/ja/commands.json' with { type: 'json' };
import jaDesktop from '../shared/words/ja/desktop.json' with { type: 'json' };
import jaMenu from '../shared/words/ja/menu.json' with { type: 'json' };
import ptCommands from '../shared/words/pt/commands.json' with { type: 'json' };
import ptDesktop from '../shared/words/pt/desktop.json' with { type: 'json' };
import ptMenu from '../shared/words/pt/menu.json' with { type: 'json' };

/**
 * English: what commands are called in the window, in the menu where it has another name for them, and what only the
 * shell says.
 */
const english = { ...enCommands, ...enDesktop, ...enMenu } satisfies Record<string, Message>;
type DesktopMessages = typeof english;

/** The texts of every language. */
export const desktopMessages: Readonly<Record<Language, Translated<DesktopMessages>>> = {
  en: english,
  de: { ...deCommands, ...deDesktop, ...deMenu },
  es: { ...esCommands, ...esDesktop, ...esMenu },
  pt: { ...ptCommands, ...ptDesktop, ...ptMenu },
  ja: { ...jaCommands, ...jaDesktop, ...jaMenu },
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
