/**
 * What the shelf has by the thousand: icons and emoji, with the words that find them. Loaded when they are first looked
 * for. Icons have words in English alone; the names of emoji in both languages translate what is searched.
 */
import type { Language } from '../../../shared/languages.ts';
import { finder, folded, wordsOf } from '../../ui/search.ts';
import { firstIcons, iconPiece, iconSide } from './icons.ts';
import type { ShelfItem } from './parts.ts';

/** An icon or emoji. */
export interface LibraryPiece extends ShelfItem {
  readonly name: string;
  /** Other words that find it. */
  readonly words: string;
}

/** Everything of both kinds. */
export interface ShelfLibrary {
  readonly icons: readonly LibraryPiece[];
  readonly emoji: readonly LibraryPiece[];
  /** English words for what is searched in the window's language, those that say it best first. */
  readonly inEnglish: (search: string) => readonly string[];
}

/** An emoji as the list has it (emojibase, from Unicode's CLDR). */
export interface ListedEmoji {
  readonly unicode: string;
  readonly hexcode: string;
  readonly label: string;
  readonly tags?: readonly string[];
  /** Absent for parts of emoji that are none by themselves. */
  readonly group?: number;
}

interface EmojiFile {
  readonly default: readonly ListedEmoji[];
}

const emojiFiles: Readonly<Record<Language, () => Promise<EmojiFile>>> = {
  en: () => import('emojibase-data/en/compact.json', { with: { type: 'json' } }),
  de: () => import('emojibase-data/de/compact.json', { with: { type: 'json' } }),
  es: () => import('emojibase-data/es/compact.json', { with: { type: 'json' } }),
  pt: () => import('emojibase-data/pt/compact.json', { with: { type: 'json' } }),
  ja: () => import('emojibase-data/ja/compact.json', { with: { type: 'json' } }),
};

/** Emoji that are shown before anything is searched. */
export const firstEmoji = [
  '😀 😂 🥰 😍 😎 🤩 🤔 😮 😢 😡 🥳 😴 🙌 👏 👍 👎',
  '👉 👇 👆 👋 🙏 💪 👀 ❤️ 💔 💯 🔥 ✨ ⭐ ⚡ 💥 🎉',
  '🎁 🏆 🚀 💡 📣 📌 📍 📷️ 🎬 🎵 🎤 ☕ 🍕 🍰 🌍️ 🌈',
  '☀️ 🌙 🌸 🌿 🐶 🐱 ✅ ❌ ⚠️ ➡️ ⏰ 💰 🛒 📈 🏠 ✈️',
].flatMap((row) => row.split(' '));

/** Below this, a word of a name says nothing: `of`, `in`. */
const leastLetters = 3;

/** Loads icons and emoji, with their words in this language and in English. */
export async function loadLibrary(language: Language): Promise<ShelfLibrary> {
  const [nodes, tags, { default: english }, { default: own }] = await Promise.all([
    import('lucide-static/icon-nodes.json', { with: { type: 'json' } }),
    import('lucide-static/tags.json', { with: { type: 'json' } }),
    emojiFiles.en(),
    emojiFiles[language](),
  ]);
  const icons = Object.entries(nodes.default).map(([name, node]) => ({
    ...iconPiece(name, node),
    name: titled(name.replaceAll('-', ' ')),
    words: (tags.default[name] ?? []).join(' '),
  }));
  const inEnglish = new Map(english.map((one) => [one.hexcode, one]));
  const shown = own.filter(({ group }) => group !== undefined);
  return {
    icons: firstOf(
      icons,
      firstIcons.map((name) => `icon:${name}`),
    ),
    emoji: firstOf(
      shown.map((one) => emojiPiece(one, inEnglish.get(one.hexcode))),
      firstEmoji.map((text) => `emoji:${text}`),
    ),
    inEnglish: (search) => englishFor(search, shown, inEnglish),
  };
}

const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Says that an emoji is a picture. Lists differ in where they write it. */
const asPicture = '\ufe0f';

/** The pieces, those named first before all others. */
function firstOf(pieces: readonly LibraryPiece[], ids: readonly string[]): readonly LibraryPiece[] {
  const plain = (id: string): string => id.replaceAll(asPicture, '');
  const byId = new Map(pieces.map((piece) => [plain(piece.id), piece]));
  const first = ids.flatMap((id) => byId.get(plain(id)) ?? []);
  const isFirst = new Set(first);
  return [...first, ...pieces.filter((piece) => !isFirst.has(piece))];
}

const emojiPiece = (emoji: ListedEmoji, english: ListedEmoji | undefined): LibraryPiece => ({
  id: `emoji:${emoji.unicode}`,
  size: [iconSide, iconSide],
  isShape: true,
  make: () => [{ type: 'text', text: emoji.unicode, x_alignment: '50%', y_alignment: '50%' }],
  name: titled(emoji.label),
  words: [emoji, english].flatMap((one) => [one?.label ?? '', ...(one?.tags ?? [])]).join(' '),
});

/**
 * Words that most of the emoji have in English that are called what is searched, or whose names begin with it:
 * `Herz` → `heart`.
 */
function englishFor(
  search: string,
  emoji: readonly ListedEmoji[],
  english: ReadonlyMap<string, ListedEmoji>,
): readonly string[] {
  const wanted = folded(search.trim());
  if (wanted === '') return [];
  const namesOf = ({ label, tags = [] }: ListedEmoji): readonly string[] =>
    [label, ...tags].map(folded);
  const called = emoji.filter((one) => namesOf(one).includes(wanted));
  const named =
    called.length > 0
      ? called
      : emoji.filter((one) => namesOf(one).some((name) => name.startsWith(wanted)));
  const counts = new Map<string, number>();
  for (const { hexcode } of named) {
    const { label = '', tags = [] } = english.get(hexcode) ?? {};
    // A name says more than its tags.
    for (const word of sayingWords(label)) counts.set(word, (counts.get(word) ?? 0) + 2);
    for (const word of sayingWords(tags.join(' '))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const most = Math.max(...counts.values());
  return [...counts]
    .filter(([, count]) => count > most / 2 && count >= named.length / 2)
    .sort(([, one], [, other]) => other - one)
    .map(([word]) => word);
}

const sayingWords = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter(({ length }) => length >= leastLetters),
  );

/**
 * What a search finds among icons and emoji: first by whole words of their names, then by parts of these, then by their
 * other words; at last the icons that are called so in English.
 */
export function foundInLibrary(
  search: string,
  { icons, emoji, inEnglish }: ShelfLibrary,
): readonly LibraryPiece[] {
  const finds = finder(search);
  const wanted = wordsOf(search);
  /** Those with all of the words in their names; those with the fewest others first. */
  const called = (
    pieces: readonly LibraryPiece[],
    words: readonly string[],
  ): readonly LibraryPiece[] =>
    pieces
      .map((piece) => ({ piece, own: folded(piece.name).split(' ') }))
      .filter(({ own }) => words.every((word) => own.includes(word)))
      .sort((one, other) => one.own.length - other.own.length)
      .map(({ piece }) => piece);
  const all = [...icons, ...emoji];
  const english = inEnglish(search);
  return [
    ...new Set([
      ...called(all, wanted),
      ...english.flatMap((word) => called(icons, [word])),
      ...all.filter(({ name }) => finds(name)),
      ...all.filter(({ name, words }) => finds(name, words)),
      ...english.flatMap((word) => icons.filter(({ words }) => words.split(' ').includes(word))),
    ]),
  ];
}
