/**
 * Phase 1, fonts: what a document needs, determined before drawing: families, characters, custom fonts, and writing
 * systems. Pure.
 */
import { isJsonObject, type Json, type Source } from '../../../../shared/renderscript/source.ts';
import { isSetFromFigures } from '../../../../shared/engine/figure-signs.ts';
import { looseName } from '../../../../shared/renderscript/same-name.ts';
import type { Assets } from '../assets.ts';
import { shippedEmoji, type EmojiStyle } from './font-emoji.ts';
import { defaultFamily } from './font-kinds.ts';

/** A font file that the document brings. */
export interface CustomFont {
  readonly family: string;
  /** A weight, a range (`100 900`), or null if the document does not say. */
  readonly weight: string | null;
  readonly style: 'normal' | 'italic';
  /** Absolute path of the local copy. */
  readonly path: string;
}

/** A document's font requirements. */
export interface FontNeeds {
  /** As in the document; null if it does not say. */
  readonly emojiStyle: EmojiStyle | null;
  readonly families: readonly string[];
  readonly texts: readonly string[];
  readonly custom: readonly CustomFont[];
  /** What each family has to write, by its name in lower case. */
  readonly written: ReadonlyMap<string, string>;
}

/** The fonts that a document and its texts need. */
export function fontsOf(source: Source, assets: Pick<Assets, 'fonts'>): FontNeeds {
  const { emoji_style: style } = source;
  const known = typeof style === 'string' && Object.hasOwn(shippedEmoji, style);
  return {
    // hasOwn has just said that it is one of the keys
    emojiStyle: known ? (style as EmojiStyle) : null,
    families: fontFamiliesOf(source),
    texts: textsOf(source),
    custom: customFonts(source, assets),
    written: writtenIn(source),
  };
}

/** Families named by elements (keyframes too) and by `[family …]` tags, each once, in document order. */
export function fontFamiliesOf(source: Source): string[] {
  const found = new Map<string, string>();
  const add = (family: string): void => {
    const name = family.trim();
    const key = looseName(name);
    if (name !== '' && !found.has(key)) found.set(key, name);
  };
  for (const element of elementsOf(source)) {
    if (element.type !== 'text') continue;
    const families = stringsIn(element.font_family);
    if (families.every((family) => family.trim() === '')) add(defaultFamily);
    families.forEach(add);
    for (const text of stringsIn(element.text)) {
      for (const [, family = ''] of text.matchAll(/\[family\s+([^\]]+)\]/gi)) add(family);
    }
  }
  return [...found.values()];
}

/** A text without tags, in the case that its element gives it. */
function shownAs(text: string, transform: Json | undefined): string {
  const plain = text.replace(/\[\/?(?:color|size|weight|style)[^[\]]*\]/g, '');
  if (transform === 'uppercase') return plain.toUpperCase();
  return transform === 'lowercase' ? plain.toLowerCase() : plain;
}

/** The texts of a document by the family that writes them, by its loose name. */
function writtenIn(source: Source): Map<string, string> {
  const written = new Map<string, string>();
  const add = (family: string, text: string): void => {
    const name = looseName(family);
    written.set(name, (written.get(name) ?? '') + text);
  };
  for (const element of elementsOf(source)) {
    if (element.type !== 'text') continue;
    const families = stringsIn(element.font_family);
    const own = families.length > 0 ? families : [defaultFamily];
    for (const text of stringsIn(element.text)) {
      let inside = own;
      for (const part of text.split(/(\[\/?family[^\]]*\])/i)) {
        const [, closing, named = ''] = /^\[(\/?)family([^\]]*)\]$/i.exec(part) ?? [];
        if (closing !== undefined) inside = closing === '/' ? own : [named];
        else for (const family of inside) add(family, shownAs(part, element.text_transform));
      }
    }
  }
  return written;
}

/** Weights named by elements (keyframes too) and by `[weight …]` tags, in addition to the default. */
export function fontWeightsOf(source: Source): number[] {
  const found = new Set([400]);
  for (const element of elementsOf(source)) {
    if (element.type !== 'text') continue;
    const tags = stringsIn(element.text).flatMap((text) =>
      [...text.matchAll(/\[weight\s+([^\]]+)\]/gi)].map(([, weight = '']) => weight),
    );
    for (const said of [...scalarsIn(element.font_weight), ...tags]) {
      const weight = { normal: 400, bold: 700 }[said.trim()] ?? Number(said);
      if (weight >= 1 && weight <= 1000) found.add(weight);
    }
  }
  return [...found];
}

/** Every text that may be shown: `text` with its keyframes, and transcripts in the document. */
export function textsOf(source: Source): string[] {
  return [...elementsOf(source)]
    .filter(({ type }) => type === 'text')
    .flatMap(({ text, transcript_source }) => [
      ...stringsIn(text),
      ...stringsIn(transcript_source),
    ]);
}

function customFonts({ fonts }: Source, assets: Pick<Assets, 'fonts'>): CustomFont[] {
  if (!Array.isArray(fonts)) return [];
  return fonts.filter(isJsonObject).flatMap(({ family, weight, style, source }) => {
    const path = typeof source === 'string' ? assets.fonts?.get(source) : undefined;
    if (typeof family !== 'string' || path === undefined) return [];
    const said = typeof weight === 'number' || typeof weight === 'string' ? String(weight) : null;
    return [
      {
        family: family.trim(),
        weight: said,
        style: style === 'italic' ? 'italic' : 'normal',
        path,
      } as const,
    ];
  });
}

function* elementsOf(source: Source): Generator<Source> {
  const lists: Json[] = [source.elements ?? null];
  for (let list = lists.shift(); list !== undefined; list = lists.shift()) {
    if (!Array.isArray(list)) continue;
    for (const element of list.filter(isJsonObject)) {
      yield element;
      if (element.elements !== undefined) lists.push(element.elements);
    }
  }
}

/** All strings in a value: itself, or those in keyframes and lists of words. */
function stringsIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap((part: Json) => stringsIn(part));
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([key, part]) =>
      key === 'easing' ? [] : stringsIn(part),
    );
  return [];
}

/** Likewise, numbers included. */
function scalarsIn(value: Json | undefined): string[] {
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap((part: Json) => scalarsIn(part));
  if (isJsonObject(value)) return scalarsIn(value.value);
  return stringsIn(value);
}

/** A writing system with fallback families. */
export type Script =
  'arabic' | 'hebrew' | 'thai' | 'devanagari' | 'kana' | 'hangul' | 'han' | 'emoji';

const scripts: readonly [Script, RegExp][] = [
  ['arabic', /\p{Script=Arabic}/u],
  ['hebrew', /\p{Script=Hebrew}/u],
  ['thai', /\p{Script=Thai}/u],
  ['devanagari', /\p{Script=Devanagari}/u],
  ['kana', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['hangul', /\p{Script=Hangul}/u],
  ['han', /\p{Script=Han}/u],
  // Pictures by default, and any character with an emoji selector; ©, ® and ™ are text without one.
  ['emoji', /(?![©®™])\p{Extended_Pictographic}|\p{Regional_Indicator}|\u{FE0F}|\u{20E3}/u],
];

/** The writing systems in a text other than Latin, Greek and Cyrillic, which every fallback has. */
export function scriptsOf(text: string): Set<Script> {
  return new Set(scripts.filter(([, pattern]) => pattern.test(text)).map(([script]) => script));
}

/**
 * The characters of texts, in both cases, because elements may change it. Leaves out controls, joiners and spaces,
 * which need no glyph.
 */
export function charactersOf(texts: Iterable<string>): Set<number> {
  const characters = new Set<number>();
  for (const text of texts) {
    for (const variant of new Set([text, text.toUpperCase(), text.toLowerCase()])) {
      for (const character of variant) {
        const code = character.codePointAt(0) ?? 0;
        if (code > 0x20) characters.add(code);
      }
    }
  }
  for (const code of characters)
    if (needsNoGlyph(String.fromCodePoint(code))) characters.delete(code);
  return characters;
}

/** The characters of a text that its own font should have: no pictures, and nothing that is set from figures. */
export function lettersOf(text: string): string[] {
  return [...new Set(Array.from(text.normalize('NFC')))].filter(
    (character) =>
      character > ' ' &&
      !needsNoGlyph(character) &&
      !isSetFromFigures(character) &&
      !/(?![0-9#*])\p{Emoji}/u.test(character),
  );
}

function needsNoGlyph(character: string): boolean {
  return /[\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Z}\p{Variation_Selector}\u{20E3}]/u.test(character);
}
