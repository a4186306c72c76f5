/** What counts as an emoji: a grapheme that is drawn as a picture. Pure tests on strings. */
import { graphemesOf } from './breaks.ts';

/** Something in a text may be an emoji; most texts stop here. */
const maybe =
  /[\u2600-\u27bf]|\ufe0f|\u20e3|\p{Emoji_Presentation}|\p{Regional_Indicator}|[\u{1f000}-\u{1faff}]/u;
/** Asked for by a mark, or a picture by nature. */
const asked =
  /^\p{Emoji}.*\ufe0f|^\p{Emoji}\p{Emoji_Modifier}|^[0-9#*]\u{20e3}|^\p{Regional_Indicator}{2}$|^\p{Emoji_Presentation}/u;
/**
 * Pictographs from U+1F000 on that Unicode counts as text unless asked (🌶, 🕷, 🖥), but which people type as pictures. Older
 * ones (✔, ☎, ❤, ▶) are text, in the colour of the text.
 */
const pictograph = /^(?=[\u{1f000}-\u{1faff}])(?=\p{Extended_Pictographic})\p{Emoji}/u;
const textMark = '\ufe0e';
/** Letters, arrows and symbols that Unicode counts as text unless asked, among those that emoji fonts have. */
const unmarked =
  /(?=\p{Emoji})(?!\p{Emoji_Presentation})[\u2190-\u3299](?!\ufe0e|\ufe0f|\u200d|\u20e3|\p{Emoji_Modifier})/gu;

/** True when a text may hold emoji at all. */
export function mayHoldEmoji(text: string): boolean {
  return maybe.test(text);
}

/** True when a grapheme is drawn as a picture. */
export function isEmoji(grapheme: string): boolean {
  if (grapheme.includes(textMark) || !maybe.test(grapheme)) return false;
  return asked.test(grapheme) || pictograph.test(grapheme);
}

/** The emoji of a text in the form in which they are drawn, as often as they stand there. */
export function emojiIn(text: string): string[] {
  return maybe.test(text) ? graphemesOf(qualifiedEmoji(text)).filter(isEmoji) : [];
}

/** The same for all ways to write an emoji: without the mark that asks for a picture. */
export function emojiKey(grapheme: string): string {
  return grapheme.replaceAll('\ufe0f', '');
}

/**
 * Emoji as Unicode lists them: the mark that asks for a picture before every joiner that lacks it, as in ❤️‍🔥, and behind what
 * is a picture without asking here. Fonts know no shorter form.
 */
export function qualifiedEmoji(text: string): string {
  if (!maybe.test(text)) return text;
  return text.replace(
    /(?!\p{Emoji_Presentation})(?:\p{Extended_Pictographic}(?=\u200d\p{Extended_Pictographic})|(?=[\u{1f000}-\u{1faff}])(?=\p{Emoji})\p{Extended_Pictographic}(?!\ufe0e|\ufe0f|\p{Emoji_Modifier}))/gu,
    '$&\ufe0f',
  );
}

/**
 * [Note: Torn sequences] The canvas shapes 🏳 apart from what follows it, because 🏳 alone would be text and 🌈 a picture,
 * and the emoji font never sees the sequence. The build gives the pictures of the four sequences concerned code points
 * of their own (resources/copy-fonts.mjs).
 */
const torn: ReadonlyMap<string, string> = new Map([
  ['⛓💥', '\u{10f000}'],
  ['❤🔥', '\u{10f001}'],
  ['❤🩹', '\u{10f002}'],
  ['🏳🌈', '\u{10f003}'],
]);

/**
 * A text as the canvas has to be given it, to be measured and drawn: symbols that are text say so, or the canvas would take them
 * from the emoji font. See: [Note: Torn sequences]
 */
export function canvasText(text: string): string {
  const marked = /[\u2190-\u3299]/.test(text) ? text.replace(unmarked, `$&${textMark}`) : text;
  if (!marked.includes('\u200d')) return marked;
  return marked.replace(
    /([⛓❤🏳])\ufe0f?\u200d(💥|🔥|🩹|🌈)/gu,
    (sequence, base: string, other: string) => torn.get(base + other) ?? sequence,
  );
}
