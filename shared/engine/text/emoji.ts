/** What counts as an emoji: a grapheme that is drawn as a picture. Pure tests on strings. */
import { graphemesOf } from './breaks.ts';

/** Something that may be an emoji; most texts have none. */
const maybe =
  /[\u2600-\u27bf]|\ufe0f|\u20e3|\p{Emoji_Presentation}|\p{Regional_Indicator}|[\u{1f000}-\u{1faff}]/u;
/** Marked as an emoji, or a picture by default. */
const asked =
  /^\p{Emoji}.*\ufe0f|^\p{Emoji}\p{Emoji_Modifier}|^[0-9#*]\u{20e3}|^\p{Regional_Indicator}{2}$|^\p{Emoji_Presentation}/u;
/**
 * Pictographs from U+1F000 on that Unicode treats as text without a mark (🌶, 🕷, 🖥), but which people mean as pictures.
 * Older ones (✔, ☎, ❤, ▶) are text, in the text's colour.
 */
const pictograph = /^(?=[\u{1f000}-\u{1faff}])(?=\p{Extended_Pictographic})\p{Emoji}/u;
const textMark = '\ufe0e';
/** Letters, arrows and symbols in emoji fonts that Unicode treats as text without a mark. */
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

/** The emoji of a text in their drawn form, including repetitions. */
export function emojiIn(text: string): string[] {
  return maybe.test(text) ? graphemesOf(qualifiedEmoji(text)).filter(isEmoji) : [];
}

/** The same key for all spellings of an emoji: without the emoji mark. */
export function emojiKey(grapheme: string): string {
  return grapheme.replaceAll('\ufe0f', '');
}

/**
 * Emoji as Unicode lists them: adds the emoji mark before every joiner that lacks it, as in ❤️‍🔥, and after pictures
 * that need no mark here. Fonts don't have shorter forms.
 */
export function qualifiedEmoji(text: string): string {
  if (!maybe.test(text)) return text;
  return text.replace(
    /(?!\p{Emoji_Presentation})(?:\p{Extended_Pictographic}(?=\u200d\p{Extended_Pictographic})|(?=[\u{1f000}-\u{1faff}])(?=\p{Emoji})\p{Extended_Pictographic}(?!\ufe0e|\ufe0f|\p{Emoji_Modifier}))/gu,
    '$&\ufe0f',
  );
}

/**
 * [Note: Torn sequences] The canvas shapes 🏳 separately from what follows it, because 🏳 alone would be text and 🌈 a
 * picture, so the emoji font never sees the sequence. The build gives the pictures of the four affected sequences their
 * own code points (resources/copy-fonts.mjs).
 */
const torn: ReadonlyMap<string, string> = new Map([
  ['⛓💥', '\u{10f000}'],
  ['❤🔥', '\u{10f001}'],
  ['❤🩹', '\u{10f002}'],
  ['🏳🌈', '\u{10f003}'],
]);

/**
 * A text in the form that the canvas needs for measuring and drawing: text symbols get a text mark, or the canvas would
 * take them from the emoji font. See: [Note: Torn sequences]
 */
export function canvasText(text: string): string {
  const marked = /[\u2190-\u3299]/.test(text) ? text.replace(unmarked, `$&${textMark}`) : text;
  if (!marked.includes('\u200d')) return marked;
  return marked.replace(
    /([⛓❤🏳])\ufe0f?\u200d(💥|🔥|🩹|🌈)/gu,
    (sequence, base: string, other: string) => torn.get(base + other) ?? sequence,
  );
}
