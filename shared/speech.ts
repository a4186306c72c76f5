/**
 * Texts by name: looks up a message of a language, chooses its plural form, and fills its placeholders. Pure; the
 * window and the desktop shell each have messages of their own.
 */

/** An English text, or its two plural forms; `count` chooses. */
export type Message = string | { readonly one: string; readonly other: string };

/** A translated text, or its plural forms by the language's own rules. Japanese has only `other`. */
export type TranslatedMessage =
  string | ({ readonly other: string } & Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>);

/** Each of these texts in another language. */
export type Translated<Texts> = {
  readonly [Key in keyof Texts]: Texts[Key] extends string ? string : TranslatedMessage;
};

/** Names of the placeholders in a sentence: `'{a} of {b}'` → `'a' | 'b'`. */
type Holes<Text> = Text extends `${string}{${infer Hole}}${infer Rest}`
  ? Hole | Holes<Rest>
  : never;
type Texts<M> = M extends string ? M : M extends { other: infer Text } ? Text | M[keyof M] : never;
type Values<M> = M extends string ? Holes<M> : Holes<Texts<M>> | 'count';
/**
 * What a text is called with: no second argument for one without placeholders; exactly the named values for others.
 * Until `npm run check` has made the types of the English texts (test/words.mjs), any values.
 */
export type Filling<M> =
  string extends Texts<M>
    ? [values?: Readonly<Record<string, string | number>>]
    : [Values<M>] extends [never]
      ? []
      : [Record<Values<M>, string | number>];

/** The texts of a language, spoken by its rules. */
export interface Speech<All> {
  /** Locale of dates and numbers: `de-AT`. */
  readonly locale: string;
  /** The text of that name with its placeholders filled. */
  say<Key extends keyof All>(key: Key, ...filling: Filling<All[Key]>): string;
}

/**
 * Makes texts speak.
 *
 * @param locale of dates, numbers and plurals
 * @param finish what is done to each text before its placeholders are filled; default: nothing
 */
export function speechOf<All>(
  texts: Translated<All>,
  locale: string,
  finish: (text: string) => string = (text) => text,
): Speech<All> {
  const plurals = new Intl.PluralRules(locale);
  const numbers = new Intl.NumberFormat(locale);
  const formOf = (message: TranslatedMessage, count: string | number | undefined): string =>
    typeof message === 'string'
      ? message
      : (message[plurals.select(Number(count))] ?? message.other);
  return {
    locale,
    say(key, ...filling) {
      const values: Readonly<Record<string, string | number>> = filling[0] ?? {};
      const text = finish(formOf(texts[key], values['count']));
      return text.replace(/\{(\w+)\}/g, (hole, name: string) => {
        const value = values[name];
        if (value === undefined) return hole;
        return typeof value === 'number' ? numbers.format(value) : value;
      });
    },
  };
}
