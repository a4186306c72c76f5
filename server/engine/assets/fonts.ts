/**
 * Phase 1, fonts: makes families known to the canvas, as late and as little as possible, and says how a font is asked
 * for there, fallbacks included. Runs in the worker; the canvas keeps fonts per process, so what one render registered
 * stays for the next one.
 */
import { GlobalFonts, type Canvas } from '@napi-rs/canvas';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Problem } from '../../../shared/renderscript/source.ts';
import { EmojiPictures, shippedEmoji, type EmojiStyle } from './font-emoji.ts';
import { nearestWeight, shippedFamilies, type FontFace, type FontFamily } from './font-list.ts';
import {
  charactersOf,
  defaultFamily,
  scriptsOf,
  type CustomFont,
  type Script,
} from './font-needs.ts';

export { fontsOf, fontFamiliesOf, scriptsOf } from './font-needs.ts';

/** A font at a size, as measuring and painting ask for it. */
export interface FontRequest {
  readonly family: string;
  /** 100–900. */
  readonly weight: number;
  readonly style: 'normal' | 'italic';
  readonly size: number;
}

/** What a render needs of fonts; `fontsOf` finds all but the folder. */
export interface FontBookOptions {
  /** Folder with fonts.json. */
  readonly fontFolder: string;
  readonly families: Iterable<string>;
  readonly custom: readonly CustomFont[];
  /** Everything that may be shown. Left out: all files of a family are registered, and no script's fallbacks. */
  readonly texts?: Iterable<string>;
  /** The set of emoji asked for; null or left out: whatever ships. */
  readonly emojiStyle?: EmojiStyle | null;
}

/** Families that stand in where the chosen one lacks characters. Han comes last: its look depends on the others. */
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
/** Latin, Greek, Cyrillic; then arrows, stars, ticks and mathematics, which hide in the large families. */
const generalFamilies = ['Noto Sans', 'Open Sans', 'Noto Sans SC', 'Noto Sans JP', 'Noto Sans KR'];

/** Printable ASCII and the ellipsis of cut text: always registered, so that every family has metrics and a space. */
const basicText = `${String.fromCharCode(...Array.from({ length: 94 }, (_, index) => 33 + index))}…`;

/** Up to so many files of a face, what they share decides over letters. */
const fewFiles = 16;

/** Alias → files registered under it, in this process. Aliases hold the file's content mark where documents bring fonts. */
const registered = new Map<string, Set<string>>();

/** A family of this render: a shipped one, one that the document brings, or one of this computer (without faces). */
interface Family {
  readonly name: string;
  readonly faces: readonly FontFace[];
  /** Null when unknown: documents' own fonts are taken whole. */
  readonly family: FontFamily | null;
  /** Tells families of the same name apart that hold other files. */
  readonly mark: string;
}

/** The fonts of one render. */
export class FontBook {
  readonly #families = new Map<string, Family>();
  readonly #shipped: ReadonlyMap<string, FontFamily>;
  readonly #characters: Set<number> | null;
  /** Null when emoji are glyphs. */
  readonly #emoji: EmojiPictures | null;
  readonly #scripts: ReadonlySet<Script>;
  readonly #warnings: Problem[] = [];
  /** Ready chains by family, weight and style. */
  readonly #chains = new Map<string, string>();
  /** Fallback families of this render with the characters they are wanted for. */
  readonly #fallbacks: readonly {
    readonly family: FontFamily;
    readonly characters: ReadonlySet<number>;
  }[];

  private constructor({ fontFolder, families, custom, texts, emojiStyle = null }: FontBookOptions) {
    installedFamilies();
    this.#shipped = shippedFamilies(fontFolder);
    const list = texts === undefined ? null : [...texts];
    this.#characters = list && charactersOf([...list, basicText]);
    this.#scripts = scriptsOf((list ?? []).join('\n'));
    this.#addCustom(custom);
    for (const name of families) {
      if (this.#find(name) === null)
        this.#warn(
          'unknown_font',
          `Font family '${name}' is not installed; ${defaultFamily} is used instead`,
        );
    }
    this.#fallbacks = this.#chooseFallbacks();
    this.#warnAboutMissing([...families]);
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
   * Prepares the fonts of a render. Nothing is registered yet: that happens when a font is first asked for.
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
   * A font as `context.font` takes it: family, then the fallbacks that this render's texts need, then emoji. Unknown
   * families become Aileron, weights the nearest one that the family has.
   */
  css({ family, weight, style, size }: FontRequest): string {
    const key = `${style} ${weight} ${family}`;
    let chain = this.#chains.get(key);
    if (chain === undefined) {
      chain = this.#chain(family, weight, style);
      this.#chains.set(key, chain);
    }
    return chain.replace('{size}', String(size));
  }

  /**
   * The square picture of an emoji, at least `side` pixels large; null when it is a glyph. The same question gives the
   * same object while it is kept.
   */
  emoji(text: string, side: number): Canvas | null {
    return this.#emoji?.picture(text, side) ?? null;
  }

  /** True when the family is there: shipped, brought by the document or installed. */
  has(family: string): boolean {
    return this.#find(family) !== null;
  }

  #find(name: string): Family | null {
    const key = name.trim().toLowerCase();
    const known = this.#families.get(key);
    if (known) return known;
    const shipped = this.#shipped.get(key);
    if (!shipped) return this.#findInstalled(key);
    const family: Family = { name: shipped.name, faces: shipped.faces, family: shipped, mark: '' };
    this.#families.set(key, family);
    return family;
  }

  /** A family of this computer. Its name is its alias: the canvas knows these families already. */
  #findInstalled(key: string): Family | null {
    const name = installedFamilies().get(key);
    if (name === undefined) return null;
    const family: Family = { name, faces: [], family: null, mark: '' };
    this.#families.set(key, family);
    this.#warn(
      'installed_font',
      `Font family '${name}' is taken from this computer; on other computers the result may differ`,
    );
    return family;
  }

  #chain(familyName: string, weight: number, style: FontRequest['style']): string {
    const family = this.#find(familyName) ?? this.#find(defaultFamily);
    if (!family) throw new Error(`the font folder lacks ${defaultFamily}`);
    const main = this.#register(family, weight, style, this.#characters);
    const aliases = [main.alias];
    // A font that the document brings may hold anything or nothing; letters come from somewhere in any case.
    const spare = family.family === null ? this.#find(defaultFamily) : null;
    if (spare) aliases.push(this.#register(spare, weight, style, this.#characters).alias);
    for (const { family: fallback, characters } of this.#fallbacks) {
      if (fallback === family.family) continue;
      const other = this.#find(fallback.name);
      if (other) aliases.push(this.#register(other, weight, style, characters).alias);
    }
    return `${main.style} ${main.weight} {size}px ${aliases.map((alias) => JSON.stringify(alias)).join(', ')}`;
  }

  /**
   * Registers what a weight and style of a family needs for some characters, under a name that holds nothing else: then
   * the canvas has no choice to make, and the result can't depend on what earlier renders registered.
   */
  #register(
    family: Family,
    weight: number,
    style: FontRequest['style'],
    characters: ReadonlySet<number> | null,
  ): { alias: string; weight: number; style: FontRequest['style'] } {
    if (family.faces.length === 0) return { alias: family.name, weight, style };
    const styled = family.faces.filter((face) => face.style === style);
    const faces = styled.length > 0 ? styled : family.faces;
    const found = nearestWeight(faces, weight);
    const fitting = faces.filter(
      ({ minWeight, maxWeight }) => minWeight <= found && found <= maxWeight,
    );
    const [first] = fitting;
    if (!first) throw new Error(`${family.name} has no face of weight ${found}`);
    const weights =
      first.minWeight === first.maxWeight
        ? String(first.minWeight)
        : `${first.minWeight}-${first.maxWeight}`;
    const needed = neededFaces(family, fitting, characters);
    // Files of few large sets share letters, and the one registered last gives them: each choice has a name of its own.
    // The hundred small sets of a Chinese family share none.
    const choice =
      fitting.length > fewFiles ? '' : ` ${needed.map(({ subset }) => subset).join(' ')}`;
    const alias = `fw ${family.name} ${weights} ${first.style}${family.mark}${choice}`;
    const files = registered.get(alias) ?? new Set<string>();
    registered.set(alias, files);
    for (const face of needed) {
      if (files.has(face.path)) continue;
      // Named once even when it fails: a damaged file stays damaged.
      files.add(face.path);
      if (GlobalFonts.registerFromPath(face.path, alias) === null) {
        this.#warn(
          'font_unreadable',
          `The font file for '${family.name}' could not be read; another font is used`,
        );
      }
    }
    return { alias, weight: found, style: first.style };
  }

  /** Families that hold characters which a text needs, in the order in which they are tried. */
  #chooseFallbacks(): { family: FontFamily; characters: Set<number> }[] {
    const wanted = [...(this.#characters ?? [])].filter((code) => code > 0x7e);
    const chosen: { family: FontFamily; characters: Set<number> }[] = [];
    let missing = wanted;
    const take = (name: string, codes: readonly number[]): void => {
      const family = this.#shipped.get(name.toLowerCase());
      if (!family || chosen.some((fallback) => fallback.family === family)) return;
      const held = codes.filter((code) => family.coverage.has(code));
      if (held.length === 0) return;
      chosen.push({ family, characters: new Set(held) });
      missing = missing.filter((code) => !family.coverage.has(code));
    };
    for (const [script, name] of scriptFamilies) {
      if (!this.#scripts.has(script)) continue;
      // A family of a script serves its whole script; of what an earlier one has, nothing is left for it.
      take(name, missing);
    }
    take(generalFamilies[0] ?? '', wanted);
    if (this.#scripts.has('emoji')) take(emojiFamily, [...(this.#characters ?? [])]);
    for (const name of generalFamilies.slice(1)) take(name, missing);
    return chosen;
  }

  #addCustom(fonts: readonly CustomFont[]): void {
    const groups = new Map<string, FontFace[]>();
    const names = new Map<string, string>();
    for (const { family, weight, style, path } of fonts) {
      const weights = (weight ?? '')
        .split(/\s+/)
        .map(weightNumber)
        .filter((value) => value !== null);
      // Without a word from the document the file's own axis decides; its name is asked under a name of its own.
      const [minWeight, maxWeight] =
        weights.length > 0 ? [Math.min(...weights), Math.max(...weights)] : axisOf(path);
      const key = family.toLowerCase();
      names.set(key, names.get(key) ?? family);
      groups.set(key, [
        ...(groups.get(key) ?? []),
        { path, subset: '', style, minWeight, maxWeight },
      ]);
    }
    for (const [key, faces] of groups) {
      const mark = ` ${contentMark(faces.map(({ path }) => path))}`;
      this.#families.set(key, { name: names.get(key) ?? key, faces, family: null, mark });
    }
  }

  /** Characters that neither the document's families nor any fallback has. */
  #warnAboutMissing(names: readonly string[]): void {
    const coverages = [...names, defaultFamily].map((name) => this.#find(name)?.family?.coverage);
    // A font that the document brings may have anything.
    if (names.some((name) => this.#find(name)?.family === null)) return;
    const missing = [...(this.#characters ?? [])].filter(
      (code) =>
        !coverages.some((coverage) => coverage?.has(code)) &&
        !this.#fallbacks.some(({ family }) => family.coverage.has(code)),
    );
    if (missing.length === 0) return;
    const shown = missing
      .slice(0, 10)
      .map((code) => String.fromCodePoint(code))
      .join(' ');
    const more = missing.length > 10 ? ` and ${missing.length - 10} more` : '';
    this.#warn(
      'missing_characters',
      `No shipped font has the characters ${shown}${more}; fonts of this computer are used where they have them, so the result may differ on other computers`,
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

let installed: ReadonlyMap<string, string> | undefined;

/** Families that this computer has, by their name in lower case. Asked first before anything is registered. */
function installedFamilies(): ReadonlyMap<string, string> {
  installed ??= new Map(GlobalFonts.families.map(({ family }) => [family.toLowerCase(), family]));
  return installed;
}

/** The files of a face that hold any of the characters; all of them when nobody knows the characters. */
function neededFaces(
  { family }: Family,
  faces: readonly FontFace[],
  characters: ReadonlySet<number> | null,
): readonly FontFace[] {
  if (family === null) return faces;
  const subsets = new Set(characters === null ? faces.map(({ subset }) => subset) : []);
  for (const code of characters ?? [])
    for (const subset of family.coverage.subsetsOf(code)) subsets.add(subset);
  const needed = faces.filter(({ subset }) => subsets.has(subset));
  // Basic letters first: the canvas asks the file registered last before the others, and would otherwise put ź together
  // from z and an accent of the basic file although another file has it whole.
  const basic = new Set(family.coverage.subsetsOf(0x7a));
  needed.sort((a, b) => Number(basic.has(b.subset)) - Number(basic.has(a.subset)));
  // A name that nothing stands behind would make the canvas choose a font of the computer.
  return needed.length > 0 ? needed : faces.slice(0, 1);
}

/** Words of CSS are understood too. */
function weightNumber(text: string): number | null {
  const named = {
    thin: 100,
    light: 300,
    normal: 400,
    regular: 400,
    medium: 500,
    bold: 700,
    black: 900,
  }[text.toLowerCase()];
  const value = named ?? Number(text || NaN);
  return value >= 1 && value <= 1000 ? value : null;
}

/** The range of weights of a variable font; 400 for others. */
function axisOf(filePath: string): [number, number] {
  const alias = `fw axis ${contentMark([filePath])}`;
  if (!registered.has(alias)) {
    registered.set(alias, new Set([filePath]));
    GlobalFonts.registerFromPath(filePath, alias);
  }
  const wght = 0x77676874;
  const axis = GlobalFonts.getVariationAxes(alias, 400, 5, 0).find(({ tag }) => tag === wght);
  return axis ? [axis.min, axis.max] : [400, 400];
}

function contentMark(paths: readonly string[]): string {
  const hash = createHash('sha1');
  for (const path of paths) hash.update(readFileSync(path));
  return hash.digest('hex').slice(0, 12);
}
