/**
 * Texts by name: looks up a message, chooses its plural form, and fills its placeholders. Pure. Components write no sentence
 * themselves; see messages/en.ts.
 */
import { messages } from '../messages/en.ts';
import type { Message } from '../messages/message.ts';
import { inTestLanguage, isTestLanguage } from './test-language.ts';

type Messages = typeof messages;
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

const language = 'en';
const plurals = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language);
// `as`: the tests of pure parts run outside of a page, where there is no address and no type of it.
const page = globalThis as { readonly location?: { readonly search: string } };
const inLanguage = isTestLanguage(page.location?.search ?? '')
  ? inTestLanguage
  : (text: string): string => text;

/** The text of that name with its placeholders filled: `say('queue.summary.queued', { count: 2 })` → `2 queued`. */
export function say<Key extends MessageKey>(key: Key, ...filling: Filling<Messages[Key]>): string {
  const values: Readonly<Record<string, string | number>> = filling[0] ?? {};
  const text = inLanguage(formOf(messages[key], values['count']));
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => {
    const value = values[name];
    if (value === undefined) return hole;
    return typeof value === 'number' ? numbers.format(value) : value;
  });
}

function formOf(message: Message, count: string | number | undefined): string {
  if (typeof message === 'string') return message;
  return plurals.select(Number(count)) === 'one' ? message.one : message.other;
}
