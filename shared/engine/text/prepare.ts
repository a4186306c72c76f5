/**
 * Before line breaking: splits the text into chunks once (`segmentText`), and measures the chunks once per font setting
 * (`measureText`). Everything after that, including the search for a font size, is arithmetic with these widths. Chunks
 * are measured whole, so that kerning inside a word counts.
 */
import type { TextValues } from '../compile/property-values.ts';
import {
  countSpaced,
  endsJoined,
  firstGrapheme,
  graphemesOf,
  isJoined,
  joinsAcross,
  longestGrapheme,
  readsRightToLeft,
  unbreakables,
} from './breaks.ts';
import { qualifiedEmoji } from './emoji.ts';
import { readMarkup, styleKey, type Span, type TextStyle } from './markup.ts';
import type { FontSpec, Ink, Measurer } from './measurer.ts';
import { withSmallFigures } from './small-figures.ts';
import { withWholeWords, type WordFonts } from './whole-words.ts';

/** A stretch of text under one style; `style` is a place in `SegmentedText.styles`. */
export interface Part {
  readonly text: string;
  readonly style: number;
}

/** A stretch that no line break may cut: a word with its punctuation, an ideograph, or spaces. */
export interface Chunk {
  readonly kind: 'word' | 'space';
  /** More than one when the style changes inside. What only allows or forbids line ends is taken out. */
  readonly parts: readonly Part[];
  /** False when it continues the word before it, as `known` does in `well-known`. */
  readonly startsWord: boolean;
  /** A line that ends after this chunk shows a hyphen. */
  readonly softHyphen: boolean;
}

/** The text between two forced line breaks. */
export interface Paragraph {
  readonly chunks: readonly Chunk[];
  readonly rightToLeft: boolean;
}

/** A text in chunks, not measured yet. */
export interface SegmentedText {
  readonly paragraphs: readonly Paragraph[];
  readonly styles: readonly TextStyle[];
}

/** The font properties of an element at one size. */
export interface FontSetting {
  readonly family: string;
  readonly weight: number;
  readonly style: 'normal' | 'italic';
  /** Document pixels. */
  readonly size: number;
  /** Fraction of the font size, put after every grapheme. */
  readonly letterSpacing: number;
  /** Factor of the font size. */
  readonly lineHeight: number;
}

/** A style of the text in the element's font: what measuring and drawing need. */
export interface MeasuredStyle {
  readonly font: FontSpec;
  /** Pixels after every grapheme. */
  readonly spacing: number;
  /** Extent of its line box above and below the baseline; together line height × font size. */
  readonly above: number;
  readonly below: number;
  /** Pixels from the line's baseline up to its own. */
  readonly rise: number;
  readonly style: TextStyle;
}

/** A part with its advance, letter spacing included. */
export interface MeasuredPart extends Part {
  readonly width: number;
}

/** A chunk with its advance; `width` includes the spacing after its last grapheme, which is also in `trailing`. */
export interface MeasuredChunk {
  readonly chunk: Chunk;
  readonly parts: readonly MeasuredPart[];
  readonly width: number;
  readonly trailing: number;
}

/** A measured text, the input of line breaking. */
export interface MeasuredText {
  readonly paragraphs: readonly {
    readonly chunks: readonly MeasuredChunk[];
    readonly rightToLeft: boolean;
  }[];
  /** By style number; never empty: number 0 stands for lines without text. */
  readonly styles: readonly MeasuredStyle[];
  /** Advance of a stretch in a style, drawn as one run, letter spacing included. */
  readonly widthOf: (text: string, style: number) => number;
  /** The ink of a stretch in a style. */
  readonly inkOf: (text: string, style: number) => Ink;
  /** Pixels that two neighbouring stretches stand apart beyond their widths, negative = closer. */
  readonly kerning: (before: Part, after: Part) => number;
}

/** What a text is set for. */
export interface SettingPurpose {
  /** Without ligatures, because its letters move one by one, which one glyph can't. Default false. */
  readonly apart?: boolean;
  /** Direction of all paragraphs. Default: each has that of its first letter. */
  readonly rightToLeft?: boolean;
}

/** Reads the markup, changes the case and splits the text into chunks. */
export function segmentText(
  text: string,
  transform: TextValues['textTransform'],
  { apart = false, rightToLeft }: SettingPurpose = {},
  fonts?: WordFonts,
): SegmentedText {
  const cased = changeCase(readMarkup(cleaned(text)), transform);
  const figures = fonts
    ? withSmallFigures(cased, (sign, own) => fonts.lacks(sign, own ?? fonts.family))
    : cased;
  const set = fonts ? withWholeWords(figures, fonts) : figures;
  const spans = apart ? set.map(withoutLigatures) : set;
  const styles = distinctStyles(spans);
  const plain = spans.map((span) => span.text).join('');
  const parts = partReader(spans, styles);

  let start = 0;
  const paragraphs = plain.split('\n').map((paragraph) => {
    const chunks = chunksOf(paragraph, start, parts);
    start += paragraph.length + 1;
    return { chunks, rightToLeft: rightToLeft ?? readsRightToLeft(paragraph) };
  });
  return { paragraphs, styles };
}

/** Measures every chunk at one font setting. */
export function measureText(
  { paragraphs, styles }: SegmentedText,
  setting: FontSetting,
  measurer: Measurer,
): MeasuredText {
  const measuredStyles = styles.map((style) => measureStyle(style, setting, measurer));
  const widthOf = (text: string, number: number): number => {
    const style = measuredStyles[number];
    if (!style) throw new RangeError(`Text style ${number} of ${styles.length} does not exist`);
    const spacing = style.spacing === 0 ? 0 : style.spacing * countSpaced(text);
    return text === '' ? 0 : measurer.width(text, style.font) + spacing;
  };
  const kerning = kerningBetween(measuredStyles, widthOf);
  const measureChunk = (chunk: Chunk): MeasuredChunk => {
    const parts = chunk.parts.map((part, index) => {
      const next = chunk.parts[index + 1];
      const shaped = inContext(chunk.parts[index - 1]?.text, part.text, next?.text);
      return { ...part, width: widthOf(shaped, part.style) + (next ? kerning(part, next) : 0) };
    });
    const last = parts.at(-1);
    const spacing = last ? (measuredStyles[last.style]?.spacing ?? 0) : 0;
    return {
      chunk,
      parts,
      width: parts.reduce((sum, part) => sum + part.width, 0),
      trailing: last && spacing !== 0 && !endsJoined(last.text) ? spacing : 0,
    };
  };
  return {
    paragraphs: paragraphs.map(({ chunks, rightToLeft }) => ({
      chunks: chunks.map(measureChunk),
      rightToLeft,
    })),
    styles: measuredStyles,
    widthOf,
    inkOf: (text, number) => {
      const font = measuredStyles[number]?.font;
      return (font && measurer.ink?.(text, font)) ?? noInk;
    },
    kerning,
  };
}

const noInk: Ink = { above: 0, below: 0, left: 0, right: 0 };

/** Tells fonts to join no letters, and is not seen; pairs are kerned across it. */
export const nonJoiner = '\u200c';
/**
 * The place between two letters of scripts that have ligatures but no joined letters. It looks ahead first: looking
 * back over the marks at each of them would be quadratic.
 */
const ligating = '[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Armenian}]';
const betweenLetters = new RegExp(`(?=${ligating})(?<=${ligating}\\p{M}*)`, 'gu');

function withoutLigatures({ text, style }: Span): Span {
  return { text: text.replace(betweenLetters, nonJoiner), style };
}

/** Measures the kerning between neighbours that differ in colour alone; 0 for all others. */
function kerningBetween(
  styles: readonly MeasuredStyle[],
  widthOf: MeasuredText['widthOf'],
): MeasuredText['kerning'] {
  return (before, after) => {
    const font = styles[before.style]?.font;
    const next = styles[after.style]?.font;
    if (!font || !next || fontKey(font) !== fontKey(next)) return 0;
    const last = graphemesOf(before.text.slice(-longestGrapheme)).at(-1) ?? '';
    const first = firstGrapheme(after.text);
    if (!isKerned(last) || !isKerned(first)) return 0;
    const apart = widthOf(last, before.style) + widthOf(first, before.style);
    return widthOf(last + nonJoiner + first, before.style) - apart;
  };
}

/** Letters, digits and marks of scripts that are written from the left and whose letters don't join. */
function isKerned(grapheme: string): boolean {
  return /^[\p{L}\p{N}\p{P}]/u.test(grapheme) && !isJoined(grapheme) && !readsRightToLeft(grapheme);
}

function fontKey({ family, weight, style, size }: FontSpec): string {
  return `${style} ${weight} ${size} ${family}`;
}

/**
 * Measuring all prefixes of an endless word is quadratic, so they restart after this many graphemes; one pair in a
 * hundred lacks its kerning.
 */
const prefixLimit = 100;

/** The graphemes of a measured part with their advances: differences of prefix widths, so that kerning stays in. */
export function graphemeWidths(part: Part, measured: MeasuredText): MeasuredPart[] {
  let prefix = '';
  let before = 0;
  return graphemesOf(part.text).map((text, index) => {
    if (index % prefixLimit === 0) {
      prefix = '';
      before = 0;
    }
    prefix += text;
    const after = measured.widthOf(prefix, part.style);
    const width = after - before;
    before = after;
    return { text, style: part.style, width };
  });
}

/** Turns all line ends into `\n` and tabs into a space; removes other control characters, which no font has. */
function cleaned(text: string): string {
  return qualifiedEmoji(
    text
      .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
      .replace(/\t/g, ' ')
      // eslint-disable-next-line no-control-regex -- they are what this line is about
      .replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, ''),
  );
}

/**
 * Changes the case by Unicode's rules, which need no language: ß becomes SS, a Greek sigma at the end of a word ς. Each
 * span is changed in its context, so that a tag inside a word makes no difference.
 */
function changeCase(spans: readonly Span[], transform: TextValues['textTransform']): Span[] {
  if (transform === 'none') return [...spans];
  if (transform === 'uppercase')
    return spans.map(({ text, style }) => ({ text: text.toUpperCase(), style }));
  if (transform === 'lowercase') return lowercase(spans);
  let insideWord = false;
  return spans.map(({ text, style }) => {
    const continues = insideWord;
    insideWord = /[\p{L}\p{N}\p{M}'’]$/u.test(text);
    const capitalized = text.replace(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu, (word, index: number) =>
      continues && index === 0 ? word : upperFirst(word),
    );
    return { text: capitalized, style };
  });
}

function lowercase(spans: readonly Span[]): Span[] {
  const whole = spans.map(({ text }) => text).join('');
  const lower = whole.toLowerCase();
  let end = 0;
  return spans.map(({ text, style }) => {
    const start = end;
    // The converted text up to here is as long as its beginning converted alone.
    end += text.toLowerCase().length;
    return { text: lower.slice(start, end), style };
  });
}

/** Titlecase of a first letter that is two letters in one. */
export const titlecase: Readonly<Record<string, string>> = { Ǆ: 'ǅ', Ǉ: 'ǈ', Ǌ: 'ǋ', Ǳ: 'ǲ' };

/** A word with a capital first letter; if the letter becomes several (ß, ﬁ), only the first is a capital. */
function upperFirst(word: string): string {
  const [first = ''] = word;
  const [large = '', ...more] = first.toUpperCase();
  return (titlecase[large] ?? large) + more.join('').toLowerCase() + word.slice(first.length);
}

function distinctStyles(spans: readonly Span[]): TextStyle[] {
  const styles = new Map<string, TextStyle>();
  for (const { style } of spans) {
    const key = styleKey(style);
    if (!styles.has(key)) styles.set(key, style);
  }
  // A text without letters still has a line, whose height is that of the plain style.
  return styles.size > 0 ? [...styles.values()] : readMarkup(' ').map(({ style }) => style);
}

/** Returns the parts of a stretch of the plain text. Call it from left to right. */
function partReader(
  spans: readonly Span[],
  styles: readonly TextStyle[],
): (from: number, to: number) => Part[] {
  const places = new Map(styles.map((style, index) => [styleKey(style), index]));
  const numbers = spans.map(({ style }) => places.get(styleKey(style)) ?? 0);
  let index = 0;
  let offset = 0; // where span `index` begins
  return (from, to) => {
    const parts: Part[] = [];
    let span = spans[index];
    while (span && offset + span.text.length <= from) {
      offset += span.text.length;
      span = spans[++index];
    }
    for (let i = index, begin = offset; begin < to; i++) {
      const { text } = spans[i] ?? { text: '' };
      const part = text
        .slice(Math.max(0, from - begin), to - begin)
        .replace(/[\u00ad\u200b\u2060]/g, '');
      if (part !== '') parts.push({ text: part, style: numbers[i] ?? 0 });
      begin += text.length;
    }
    return parts;
  };
}

function chunksOf(
  paragraph: string,
  start: number,
  partsOf: (from: number, to: number) => Part[],
): Chunk[] {
  let from = start;
  return unbreakables(paragraph).map(({ text, kind, startsWord }) => {
    const parts = partsOf(from, from + text.length);
    from += text.length;
    return { kind, parts, startsWord, softHyphen: text.endsWith('\u00ad') };
  });
}

/**
 * A stretch shaped in its context: with joiners at its ends where a joined script continues in another style; otherwise
 * its letters would take initial and final forms.
 */
export function inContext(
  before: string | undefined,
  text: string,
  after: string | undefined,
): string {
  const joiner = '\u200d';
  const head = before !== undefined && joinsAcross(before, text) ? joiner : '';
  const tail = after !== undefined && joinsAcross(text, after) ? joiner : '';
  return head + text + tail;
}

/** Small figures are set that much bolder, or their strokes would look thin. */
const bolder = 100;
const heaviest = 900;

function measureStyle(
  style: TextStyle,
  { family, weight, style: slant, size, letterSpacing, lineHeight }: FontSetting,
  measurer: Measurer,
): MeasuredStyle {
  const own = style.weight ?? weight;
  const font: FontSpec = {
    family: style.standIn ?? style.family ?? family,
    weight: style.rise === undefined ? own : Math.min(heaviest, own + bolder),
    style: style.style ?? slant,
    size: size * style.size,
  };
  // Lines stay as far apart as they are without words of other families.
  const { ascent, descent } = measurer.metrics({ ...font, family: style.family ?? family });
  const height = lineHeight * font.size;
  const above = ascent + (height - ascent - descent) / 2;
  const rise = (style.rise ?? 0) * size;
  return {
    font,
    spacing: letterSpacing * font.size,
    above: above + rise,
    below: height - above - rise,
    rise,
    style,
  };
}
