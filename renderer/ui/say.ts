/**
 * Texts by name: looks up a message in the window's language, chooses its plural form, and fills its placeholders.
 * Components write no sentence themselves; see shared/words/README.md.
 */
import { speechOf, type Filling, type Message, type Translated } from '../../shared/speech.ts';
import backups from '../../shared/words/en/backups.json' with { type: 'json' };
import canvas from '../../shared/words/en/canvas.json' with { type: 'json' };
import captions from '../../shared/words/en/captions.json' with { type: 'json' };
import choices from '../../shared/words/en/choices.json' with { type: 'json' };
import commands from '../../shared/words/en/commands.json' with { type: 'json' };
import editor from '../../shared/words/en/editor.json' with { type: 'json' };
import feeds from '../../shared/words/en/feeds.json' with { type: 'json' };
import general from '../../shared/words/en/general.json' with { type: 'json' };
import inspector from '../../shared/words/en/inspector.json' with { type: 'json' };
import making from '../../shared/words/en/making.json' with { type: 'json' };
import pages from '../../shared/words/en/pages.json' with { type: 'json' };
import queue from '../../shared/words/en/queue.json' with { type: 'json' };
import shelf from '../../shared/words/en/shelf.json' with { type: 'json' };
import shortcuts from '../../shared/words/en/shortcuts.json' with { type: 'json' };
import templates from '../../shared/words/en/templates.json' with { type: 'json' };

/** Every text of the window, in English. */
export const messages = {
  ...backups,
  ...canvas,
  ...captions,
  ...choices,
  ...commands,
  ...editor,
  ...feeds,
  ...general,
  ...inspector,
  ...making,
  ...pages,
  ...queue,
  ...shelf,
  ...shortcuts,
  ...templates,
} satisfies Record<string, Message>;

/** Names and forms of the window's texts. */
export type Messages = typeof messages;
export type MessageKey = keyof Messages;

let speech = speechOf<Messages>(messages, 'en');

/**
 * From now on, texts come in another language. Called once, before the page is made: texts that are already shown stay.
 *
 * @param locale of dates, numbers and plurals: `de-AT`
 * @param finish what is done to each text at the end: the test language lengthens them
 */
export function speak(
  texts: Translated<Messages>,
  locale: string,
  finish?: (text: string) => string,
): void {
  speech = speechOf<Messages>(texts, locale, finish);
}

/** The locale of dates and numbers in the window: `en-GB`. */
export function localeInUse(): string {
  return speech.locale;
}

/** The text of that name with its placeholders filled: `say('queue.summary.queued', { count: 2 })` → `2 queued`. */
export function say<Key extends MessageKey>(key: Key, ...filling: Filling<Messages[Key]>): string {
  return speech.say(key, ...filling);
}

/** Groups of texts that are looked up by words of a document; none has placeholders. */
export type WordGroup = 'animation' | 'choice' | 'easing' | 'inspector.name' | 'option';

type WordKey = Extract<MessageKey, `${WordGroup}.${string}`>;
type PlainKey = Exclude<WordKey, `easing.family.${string}`>;

/**
 * What a word of a document is called: `sayWord('choice', 'color-dodge')` → `Color dodge`; null for one that has no
 * text.
 */
export function sayWord(group: WordGroup, word: string): string | null {
  const key = `${group}.${word}`;
  const isKnown = (one: string): one is PlainKey => Object.hasOwn(messages, one);
  return isKnown(key) ? say(key) : null;
}
