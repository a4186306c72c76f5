/**
 * Phase 1, fonts: builds the canvas's font strings, fallbacks included, and registers the files they need
 * (font-register.ts). Runs in the worker.
 */
import { readFileSync } from 'node:fs';
import type { Canvas } from '@napi-rs/canvas';
import type { Problem } from '../../../../shared/renderscript/source.ts';
import { figuresFor, isSetFromFigures } from '../../../../shared/engine/figure-signs.ts';
import { looseName } from '../../../../shared/renderscript/same-name.ts';
import { EmojiPictures, shippedEmoji, type EmojiStyle } from './font-emoji.ts';
import { shippedFamilies, type Coverage, type FontFace, type FontFamily } from './font-list.ts';
import { defaultFamily, likenessOf, standInFor } from './font-kinds.ts';
import { readFontCoverage } from './font-file.ts';
import { charactersOf, lettersOf, scriptsOf, type CustomFont, type Script } from './font-needs.ts';
import {
  addedFamilies,
  customFamilies,
  installedFamilies,
  neededFaces,
  registerFont,
  type AddedFont,
  type Family,
  type FontStyle,
  type RegisteredFont,
} from './font-register.ts';

/** A font at a size, for measuring and painting. */
export interface FontRequest extends FontStyle {
  readonly family: string;
  readonly size: number;
}

/** A render's font requirements; `fontsOf` finds all but the folder. */
export interface FontBookOptions {
  /** Folder with fonts.json. */
  readonly fontFolder: string;
  readonly families: Iterable<string>;
  readonly custom: readonly CustomFont[];
  /** Fonts that people added. Left out: none. */
  readonly added?: readonly AddedFont[];
  /** Everything that may be shown. Left out: all files of a family are registered, and no script's fallbacks. */
  readonly texts?: Iterable<string>;
  /** What each family has to write, by its name in lower case. Left out: unknown. */
  readonly written?: ReadonlyMap<string, string>;
  /** The wanted set of emoji; null or left out: the shipped one. */
  readonly emojiStyle?: EmojiStyle | null;
  /** False: this computer's families are not used. Left out: they are. */
  readonly usesInstalled?: boolean;
}

/** A family with its fallbacks. */
interface Chain {
  /** With `{size}` as placeholder. */
  readonly css: string;
  readonly fonts: readonly RegisteredFont[];
}

function keyOf({ family, weight, style }: Omit<FontRequest, 'size'>): string {
  return `${style} ${weight} ${family}`;
}

/**
 * Printable ASCII and the ellipsis of cut text: always registered, so that every family has metrics and a space
 * character.
 */
const basicText = `${String.fromCharCode(...Array.from({ length: 94 }, (_, index) => 33 + index))}…`;

function coverageOf(path: string): Coverage | null {
  try {
    return readFontCoverage(readFileSync(path));
  } catch {
    return null;
  }
}

/** The first characters of a list, and how many more there are. */
function listed(characters: readonly string[]): string {
  const more = characters.length > 10 ? ` and ${characters.length - 10} more` : '';
  return `${characters.slice(0, 10).join(' ')}${more}`;
}

/** The fonts of one render. */
export class FontBook {
  /** Families found so far, by lower-case name; initially the document's own and the added ones. */
  readonly #families: Map<string, Family>;
  readonly #shipped: ReadonlyMap<string, FontFamily>;
  readonly #characters: Set<number> | null;
  /** Null when emoji are glyphs. */
  readonly #emoji: EmojiPictures | null;
  readonly #scripts: ReadonlySet<Script>;
  /** Of fonts of the document and added ones, read when asked for. */
  readonly #coverages = new Map<Family, readonly (Coverage | null)[]>();
  readonly #warnings: Problem[] = [];
  readonly #usesInstalled: boolean;
  /** Cached chains by family, weight and style. */
  readonly #chains = new Map<string, Chain>();
  /** In the order to try. */
  readonly #fallbacks: readonly Fallback[];
  readonly #wordFamilies: readonly string[];

  private constructor(options: FontBookOptions) {
    const { fontFolder, families, custom, added = [], texts, emojiStyle = null } = options;
    installedFamilies();
    this.#usesInstalled = options.usesInstalled ?? true;
    this.#shipped = shippedFamilies(fontFolder);
    const list = texts === undefined ? null : [...texts];
    this.#characters = list && charactersOf([...list, ...list.map(figuresFor), basicText]);
    this.#scripts = scriptsOf((list ?? []).join('\n'));
    this.#families = new Map([...addedFamilies(added), ...customFamilies(custom)]);
    for (const name of families) {
      if (this.#find(name) === null)
        this.#warn(
          'unknown_font',
          `Font family '${name}' is not installed; ${standInFor(name)} is used instead`,
        );
    }
    const needed = [...(this.#characters ?? [])].filter(
      (code) => !isSetFromFigures(String.fromCodePoint(code)),
    );
    this.#fallbacks = chooseFallbacks(this.#shipped, new Set(needed), this.#scripts);
    this.#wordFamilies = wordFallbacks(this.#fallbacks);
    this.#warnAboutOwn(options.written ?? new Map());
    this.#warnAboutMissing([...families], needed, options.written ?? new Map());
    const shown = shippedEmoji[emojiStyle ?? 'facebook'];
    const pictures = this.#scripts.has('emoji') && shown === 'twitter';
    this.#emoji = pictures ? new EmojiPictures(fontFolder) : null;
    if (emojiStyle !== null && emojiStyle !== shown)
      this.#warn(
        'emoji_style_replaced',
        `The emoji of '${emojiStyle}' are not shipped; those of '${shown}' are used instead`,
        'emoji_style',
      );
  }

  /**
   * Prepares the fonts of a render. Fonts are registered at first use.
   *
   * @throws Error when the font folder has no list.
   */
  static open(options: FontBookOptions): Promise<FontBook> {
    return Promise.resolve(new FontBook({ ...options, families: [...options.families] }));
  }

  /** Unknown families, unreadable font files, characters that no font has. */
  get warnings(): readonly Problem[] {
    return this.#warnings;
  }

  /**
   * A font for `context.font`: family, then the fallbacks that this render's texts need, then emoji. An unknown family
   * becomes one of its kind, a weight the family's nearest; a missing italic is slanted.
   */
  css({ family, weight, style, size }: FontRequest): string {
    const key = keyOf({ family, weight, style });
    let chain = this.#chains.get(key);
    if (chain === undefined) {
      chain = this.#chain(family, { weight, style });
      this.#chains.set(key, chain);
    }
    return chain.css.replace('{size}', String(size));
  }

  /** The fonts in `css`, in the order to try. */
  chain(font: FontRequest): readonly RegisteredFont[] {
    this.css(font);
    return this.#chains.get(keyOf(font))?.fonts ?? [];
  }

  /**
   * Every file that texts in these families may be drawn with: theirs, and those of what stands in for them. Without a
   * face: a family of this computer.
   */
  files(families: readonly string[]): readonly { family: string; face: FontFace | null }[] {
    const found = new Map<Family, ReadonlySet<number> | null>();
    const add = (name: string, characters: ReadonlySet<number> | null): void => {
      const family = this.#find(name) ?? this.#find(standInFor(name)) ?? this.#find(defaultFamily);
      if (family && !found.has(family)) found.set(family, characters);
    };
    for (const name of families) add(name, this.#characters);
    // As in #chain.
    if ([...found.keys()].some(({ shipped }) => !shipped)) add(defaultFamily, this.#characters);
    if (found.size > 0)
      for (const { family, characters } of this.#fallbacks) add(family.name, characters);
    return [...found].flatMap(([family, characters]) => {
      const { name, faces } = family;
      const needed = faces.length === 0 ? [null] : neededFaces(family, faces, characters);
      return needed.map((face) => ({ family: name, face }));
    });
  }

  /** True when emoji are pictures, and not glyphs of a font. */
  get drawsEmoji(): boolean {
    return this.#emoji !== null;
  }

  /**
   * The square picture of an emoji, at least `side` pixels large; null if it is a glyph. The same arguments give the
   * same object while it is cached.
   */
  emoji(text: string, side: number): Canvas | null {
    return this.#emoji?.picture(text, side) ?? null;
  }

  /** True if a family, or the one that replaces it, is known to lack a character. */
  lacks(character: string, family: string): boolean {
    const found = this.#find(family) ?? this.#find(standInFor(family));
    return found !== null && !this.#holds(found, character.codePointAt(0) ?? 0);
  }

  /** Families for whole words with a letter that their own lacks, in the order to try. */
  fallbacks(family: string): readonly string[] {
    return [likenessOf(family), defaultFamily, ...this.#wordFamilies];
  }

  /** True if the family is available: shipped, added, from the document or installed. */
  has(family: string): boolean {
    return this.#find(family) !== null;
  }

  #find(name: string): Family | null {
    const key = looseName(name);
    const known = this.#families.get(key);
    if (known) return known;
    const shipped = this.#shipped.get(key);
    if (!shipped) return this.#findInstalled(key);
    const family: Family = { name: shipped.name, faces: shipped.faces, shipped, mark: '' };
    this.#families.set(key, family);
    return family;
  }

  /** A family of this computer. Its name is its alias: the canvas knows these families already. */
  #findInstalled(key: string): Family | null {
    const name = this.#usesInstalled ? installedFamilies().get(key) : undefined;
    if (name === undefined) return null;
    const family: Family = { name, faces: [], shipped: null, mark: '' };
    this.#families.set(key, family);
    this.#warn(
      'installed_font',
      `Font family '${name}' is taken from this computer; on other computers the result may differ`,
    );
    return family;
  }

  #chain(familyName: string, style: FontStyle): Chain {
    const family =
      this.#find(familyName) ?? this.#find(standInFor(familyName)) ?? this.#find(defaultFamily);
    if (!family) throw new Error(`the font folder lacks ${defaultFamily}`);
    const main = this.#register(family, style, this.#characters);
    const fonts = [main];
    // A document's font may contain anything or nothing; make sure that letters come from somewhere.
    const spare = family.shipped === null ? this.#find(defaultFamily) : null;
    if (spare) fonts.push(this.#register(spare, style, this.#characters));
    for (const { family: fallback, characters } of this.#fallbacks) {
      if (fallback === family.shipped) continue;
      const other = this.#find(fallback.name);
      if (other) fonts.push(this.#register(other, style, characters));
    }
    // The canvas slants a family without an italic. A file that the document declares as italic is used as it is,
    // whatever its own tables say.
    const slants = style.style === 'italic' && (family.shipped !== null || main.style === 'normal');
    const names = fonts.map(({ alias }) => JSON.stringify(alias)).join(', ');
    return { css: `${slants ? 'italic' : 'normal'} ${main.weight} {size}px ${names}`, fonts };
  }

  #register(
    family: Family,
    style: FontStyle,
    characters: ReadonlySet<number> | null,
  ): RegisteredFont {
    return registerFont(family, style, characters, () =>
      this.#warn(
        'font_unreadable',
        `The font file for '${family.name}' could not be read; another font is used`,
      ),
    );
  }

  /**
   * True if a family has a character, or may have it: nobody knows what fonts of this computer and damaged ones hold.
   */
  #holds(family: Family, code: number): boolean {
    if (family.shipped) return family.shipped.coverage.has(code);
    let coverages = this.#coverages.get(family);
    if (!coverages) {
      coverages = family.faces.map(({ path }) => coverageOf(path));
      this.#coverages.set(family, coverages);
    }
    return coverages.length === 0 || coverages.some((coverage) => coverage?.has(code) ?? true);
  }

  /** Letters that a font of the document, or one that was added, lacks of the text it is given. */
  #warnAboutOwn(written: ReadonlyMap<string, string>): void {
    for (const [name, text] of written) {
      const family = this.#families.get(name);
      if (!family || family.shipped !== null || family.faces.length === 0) continue;
      const lacking = lettersOf(text).filter(
        (character) => !this.#holds(family, character.codePointAt(0) ?? 0),
      );
      if (lacking.length === 0) continue;
      this.#warn(
        'missing_characters',
        `The font '${family.name}' lacks the characters ${listed(lacking)}; words with them are drawn in other fonts`,
        'font_family',
      );
    }
  }

  /**
   * Characters that neither the family that writes them nor any fallback has; of others, none of the document's
   * families.
   */
  #warnAboutMissing(
    names: readonly string[],
    needed: readonly number[],
    written: ReadonlyMap<string, string>,
  ): void {
    const none = needed.filter(
      (code) => !this.#fallbacks.some(({ family }) => family.coverage.has(code)),
    );
    if (none.length === 0) return;
    const lackedBy = (those: readonly string[]): number[] => {
      const own = those.map((name) => this.#find(name) ?? this.#find(standInFor(name)));
      const families = [...own, this.#find(defaultFamily)].filter((family) => family !== null);
      return none.filter((code) => !families.some((family) => this.#holds(family, code)));
    };
    const missing = new Set(lackedBy(names));
    for (const [name, text] of written) {
      const characters = charactersOf([text]);
      for (const code of lackedBy([name])) if (characters.has(code)) missing.add(code);
    }
    if (missing.size === 0) return;
    const shown = listed(Array.from(missing, (code) => String.fromCodePoint(code)));
    this.#warn(
      'missing_characters',
      `No shipped font has the characters ${shown}: other computers may draw them differently, or not at all; a font in 'fonts' that has them draws them everywhere`,
    );
  }

  #warn(code: string, message: string, property = ''): void {
    if (this.#warnings.some((warning) => warning.message === message)) return;
    this.#warnings.push({
      path: property,
      element: '',
      property,
      severity: 'warning',
      code,
      message,
    });
  }
}

/** Families to use where the chosen one lacks characters. Han comes last: its style depends on the others. */
const scriptFamilies: readonly (readonly [Script, string])[] = [
  ['arabic', 'Noto Sans Arabic'],
  ['hebrew', 'Noto Sans Hebrew'],
  ['thai', 'Noto Sans Thai'],
  ['devanagari', 'Noto Sans Devanagari'],
  ['kana', 'Noto Sans JP'],
  ['hangul', 'Noto Sans KR'],
  ['han', 'Noto Sans SC'],
  ['han', 'Noto Sans TC'],
  ['han', 'Noto Sans JP'],
];
const emojiFamily = 'Noto Color Emoji';
/** Glyphs for characters that can also be pictures: ✔ ☎ ✂ ▶ ❤. text/emoji.ts requests them as text. */
const symbolFamily = 'Noto Sans Symbols 2';
/** Latin, Greek, Cyrillic; then arrows, stars, ticks and mathematics, which hide in the large families. */
const generalFamilies = ['Noto Sans', 'Open Sans', 'Noto Sans SC', 'Noto Sans JP', 'Noto Sans KR'];

/** A fallback family, with the characters that it supplies. */
interface Fallback {
  readonly family: FontFamily;
  readonly characters: ReadonlySet<number>;
}

/** Families with characters that a text needs, in the order to try. */
function chooseFallbacks(
  shipped: ReadonlyMap<string, FontFamily>,
  characters: ReadonlySet<number>,
  scripts: ReadonlySet<Script>,
): readonly Fallback[] {
  const wanted = [...characters].filter((code) => code > 0x7e);
  const chosen: Fallback[] = [];
  let missing = wanted;
  const take = (name: string, codes: readonly number[]): void => {
    const family = shipped.get(looseName(name));
    if (!family || chosen.some((fallback) => fallback.family === family)) return;
    const held = codes.filter((code) => family.coverage.has(code));
    if (held.length === 0) return;
    chosen.push({ family, characters: new Set(held) });
    missing = missing.filter((code) => !family.coverage.has(code));
  };
  for (const [script, name] of scriptFamilies) {
    if (!scripts.has(script)) continue;
    // A script's family supplies the whole script, except what an earlier one has.
    take(name, missing);
  }
  take(generalFamilies[0] ?? '', wanted);
  if (scripts.has('emoji')) take(emojiFamily, [...characters]);
  take(symbolFamily, wanted.filter(isTextUnlessAsked));
  for (const name of generalFamilies.slice(1)) take(name, missing);
  return chosen;
}

/** The names of those that set whole words: the one for Western letters first, and none of symbols. */
function wordFallbacks(fallbacks: readonly Fallback[]): string[] {
  const [western = ''] = generalFamilies;
  const ofSymbols = [emojiFamily, symbolFamily];
  const names = fallbacks
    .map(({ family }) => family.name)
    .filter((name) => !ofSymbols.includes(name));
  return [western, ...names.filter((name) => name !== western)];
}

/** As in text/emoji.ts, which tells the canvas. */
function isTextUnlessAsked(code: number): boolean {
  return /(?=\p{Emoji})(?!\p{Emoji_Presentation})[\u2190-\u3299]/u.test(String.fromCodePoint(code));
}
