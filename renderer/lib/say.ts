/**
 * Texts by name: looks up a message in the window's language, chooses its plural form, and fills its placeholders. Components
 * write no sentence themselves; see messages/en.ts.
 */
import { messages } from '../messages/en.ts';
import type { Translated, TranslatedMessage } from '../messages/message.ts';

/** Every text of the window, in English. */
export type Messages = typeof messages;
/** Name of a text. */
export type MessageKey = keyof Messages;

/** Names of the placeholders in a sentence: `'{a} of {b}'` → `'a' | 'b'`. */
type Holes<Text> = Text extends `${string}{${infer Hole}}${infer Rest}`
  ? Hole | Holes<Rest>
  : never;
type Texts<M> = M extends string ? M : M extends { other: infer Text } ? Text | M[keyof M] : never;
type Values<M> = M extends string ? Holes<M> : Holes<Texts<M>> | 'count';
/** No second argument for a text without placeholders; exactly the named values for others. */
type Filling<M> = [Values<M>] extends [never] ? [] : [Record<Values<M>, string | number>];

/** What texts are made with: those of a language, and its rules. */
interface Speech {
  readonly texts: Translated<Messages>;
  /** Locale of dates and numbers. */
  readonly locale: string;
  readonly plurals: Intl.PluralRules;
  readonly numbers: Intl.NumberFormat;
  /** What is done to each text at the end: the test language lengthens them. */
  readonly finish: (text: string) => string;
}

function speechOf(
  texts: Translated<Messages>,
  locale: string,
  finish: (text: string) => string = (text) => text,
): Speech {
  return {
    texts,
    locale,
    plurals: new Intl.PluralRules(locale),
    numbers: new Intl.NumberFormat(locale),
    finish,
  };
}

let speech = speechOf(messages, 'en');

/**
 * From now on, texts come in another language. Called once, before the page is made: texts that are already shown stay.
 *
 * @param locale of dates, numbers and plurals: `de-AT`
 * @param finish what is done to each text at the end
 */
export function speak(
  texts: Translated<Messages>,
  locale: string,
  finish?: (text: string) => string,
): void {
  speech = speechOf(texts, locale, finish);
}

/** The locale of dates and numbers in the window: `en-GB`. */
export function localeInUse(): string {
  return speech.locale;
}

/** The text of that name with its placeholders filled: `say('queue.summary.queued', { count: 2 })` → `2 queued`. */
export function say<Key extends MessageKey>(key: Key, ...filling: Filling<Messages[Key]>): string {
  const values: Readonly<Record<string, string | number>> = filling[0] ?? {};
  const text = speech.finish(formOf(speech.texts[key], values['count']));
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => {
    const value = values[name];
    if (value === undefined) return hole;
    return typeof value === 'number' ? speech.numbers.format(value) : value;
  });
}

function formOf(message: TranslatedMessage, count: string | number | undefined): string {
  if (typeof message === 'string') return message;
  return message[speech.plurals.select(Number(count))] ?? message.other;
}
