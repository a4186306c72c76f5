/**
 * The languages that the window speaks, and which of them a user gets. Pure; shared by window, server and desktop
 * shell.
 */

/** Languages by their tag; a folder of `shared/words/` holds the texts of each. */
export const languages = ['en', 'de', 'es', 'pt', 'ja'] as const;

/** Tag of a language of the window: `de`. */
export type Language = (typeof languages)[number];

/** Each language by its own name, so that its speakers find it whatever the window shows now. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  pt: 'Português (Brasil)',
  ja: '日本語',
};

/** The language with that tag; null for anything else. */
export function languageOf(tag: unknown): Language | null {
  return languages.find((language) => language === tag) ?? null;
}

/**
 * The language for a user of the system: the first wanted one that the window speaks.
 *
 * @param wanted the system's languages, best first: `['pt-PT', 'en']`
 * @returns English when it speaks none of them
 */
export function languageFor(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const known = languageOf(tag.split('-')[0]?.toLowerCase());
    if (known) return known;
  }
  return 'en';
}

/**
 * The locale for dates and numbers: the user's own region where it has the language, so that English in Germany is not
 * mixed with German words, and English in Britain keeps its dates.
 *
 * @param wanted the system's languages, best first
 */
export function localeFor(language: Language, wanted: readonly string[]): string {
  const own = wanted.find((tag) => tag.split('-')[0]?.toLowerCase() === language);
  return own ?? (language === 'pt' ? 'pt-BR' : language);
}
