/** The forms of a text of the window. Pure. */

/** An English text, or its two plural forms; `count` chooses. */
export type Message = string | { readonly one: string; readonly other: string };

/** A translated text, or its plural forms by the language's own rules. Japanese has only `other`. */
export type TranslatedMessage =
  string | ({ readonly other: string } & Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>);

/** Each of these texts in another language. */
export type Translated<Texts> = {
  readonly [Key in keyof Texts]: Texts[Key] extends string ? string : TranslatedMessage;
};
