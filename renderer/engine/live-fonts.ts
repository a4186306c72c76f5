/** The fonts of a kit in the drawing worker: the files that the server draws with, under names of their own. */
import type { LiveEmoji, LiveFace, LiveFont, LiveKit } from '../../shared/engine/live-kit.ts';
import type { Fonts } from '../../shared/engine/paint/sources.ts';
import type { FontSpec } from '../../shared/engine/text/measurer.ts';
import { looseName } from '../../shared/renderscript/same-name.ts';
import type { LiveFiles } from './live-files.ts';
import type { Canvas } from '../../shared/engine/surface.ts';
import { emojiKey } from '../../shared/engine/text/emoji.ts';
import { pageSurface } from './page-surface.ts';

/** The family of texts that name none, in lower case. */
const defaultFamily = 'aileron';
/** Bytes of font files that stay although the newest kit does not name them; those unnamed for longest go first. */
const spareBytes = 32 * 2 ** 20;

/** The set of a worker's fonts, which the types of pages don't know. */
const known = (self as unknown as { readonly fonts: FontFaceSet }).fonts;

/** The faces of an alias. */
interface Loaded {
  readonly faces: readonly FontFace[];
  readonly bytes: number;
}

export class LiveFonts {
  readonly #files: LiveFiles;
  /** By alias; the least recently named first. An alias always means the same files. */
  readonly #loaded = new Map<string, Loaded>();

  constructor(files: LiveFiles) {
    this.#files = files;
  }

  /**
   * Loads what is not there yet. A font that can't be read is left out, as on the server: the next one of the chain is
   * used.
   *
   * @param ids The files that the kit counts.
   * @returns how fonts are asked for in the canvas, and what they lack
   * @throws Error when one can't be fetched.
   */
  async use(kit: LiveKit, ids: readonly string[]): Promise<Required<Omit<Fonts, 'emoji'>>> {
    const groups = new Map<string, LiveFace[]>();
    for (const face of kit.faces) groups.set(face.alias, [...(groups.get(face.alias) ?? []), face]);
    const fonts = await Promise.all(
      [...groups].map(
        async ([alias, faces]) =>
          [alias, this.#loaded.get(alias) ?? (await this.#load(faces, ids))] as const,
      ),
    );
    for (const [alias, font] of fonts) {
      // In the order of the kit: of letters that files share, the last one gives them.
      if (!this.#loaded.delete(alias)) for (const face of font.faces) known.add(face);
      this.#loaded.set(alias, font);
    }
    this.#forget(groups);
    return { css: cssOf(kit.fonts), ...coverageOf(kit.fonts) };
  }

  async #load(faces: readonly LiveFace[], ids: readonly string[]): Promise<Loaded> {
    const loaded = await Promise.all(
      faces.map(async ({ alias, style, weight, file }) => {
        const bytes = await (await this.#files.fetch(ids[file] ?? '')).arrayBuffer();
        const face = await new FontFace(alias, bytes, { style, weight }).load().catch(() => null);
        return { face, bytes: bytes.byteLength };
      }),
    );
    return {
      faces: loaded.flatMap(({ face }) => face ?? []),
      bytes: loaded.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  }

  /** Drops fonts that are no longer named, beyond `spareBytes`. */
  #forget(named: ReadonlyMap<string, unknown>): void {
    const spare = [...this.#loaded].filter(([alias]) => !named.has(alias));
    let bytes = spare.reduce((sum, [, font]) => sum + font.bytes, 0);
    for (const [alias, font] of spare) {
      if (bytes <= spareBytes) break;
      for (const face of font.faces) known.delete(face);
      this.#loaded.delete(alias);
      bytes -= font.bytes;
    }
  }
}

/** A family that the kit does not have is drawn with the default one, until the next kit. */
function coverageOf(fonts: readonly LiveFont[]): Required<Pick<Fonts, 'lacks' | 'fallbacks'>> {
  const byFamily = new Map(fonts.map((font) => [font.family, font]));
  const find = (family: string): LiveFont | undefined =>
    byFamily.get(looseName(family)) ?? byFamily.get(defaultFamily);
  return {
    lacks: (character, family) => find(family)?.lacks.includes(character) ?? false,
    fallbacks: (family) => find(family)?.fallbacks ?? [],
  };
}

/** A weight or family that the kit does not have is drawn with the nearest that it has, until the next kit. */
function cssOf(fonts: readonly LiveFont[]): (font: FontSpec) => string {
  const chains = new Map<string, string>();
  const chainOf = ({ family, weight, style }: Omit<FontSpec, 'size'>): string => {
    const name = looseName(family);
    const own = fonts.filter((font) => font.family === name);
    const among = own.length > 0 ? own : fonts.filter((font) => font.family === defaultFamily);
    const distance = (font: LiveFont): number =>
      Math.abs(font.weight - weight) + (font.style === style ? 0 : 1000);
    const [nearest] = among.toSorted((a, b) => distance(a) - distance(b));
    if (!nearest) return 'normal 400 1px sans-serif';
    const [least, largest] = nearest.range;
    const isBetween = least < largest && weight >= least && weight <= largest;
    return isBetween ? nearest.css.replace(/ \d+ 1px /, () => ` ${weight} 1px `) : nearest.css;
  };
  return ({ family, weight, style, size }) => {
    const key = `${style} ${weight} ${family}`;
    let chain = chains.get(key);
    if (chain === undefined) chains.set(key, (chain = chainOf({ family, weight, style })));
    return chain.replace(' 1px ', ` ${size}px `);
  };
}

/** Pixels of smaller pictures that are kept; the least recently drawn go first. */
const mostPixels = 8 * 2 ** 20;

export class LiveEmojiPictures {
  readonly #files: LiveFiles;
  /** Whole pictures by emoji, with the id of their file. */
  #whole = new Map<string, { readonly id: string; readonly bitmap: ImageBitmap }>();
  /** By emoji and side; oldest use first. */
  readonly #sized = new Map<string, Canvas>();
  #pixels = 0;

  constructor(files: LiveFiles) {
    this.#files = files;
  }

  /**
   * Loads the pictures of a kit and drops all others.
   *
   * @throws Error when one can't be fetched.
   */
  async use(emoji: readonly LiveEmoji[], ids: readonly string[]): Promise<void> {
    const before = this.#whole;
    const entries = await Promise.all(
      emoji.map(async ({ key, file }) => {
        const id = ids[file] ?? '';
        const known = before.get(key);
        if (known?.id === id) return [key, known] as const;
        return [key, { id, bitmap: await createImageBitmap(await this.#files.fetch(id)) }] as const;
      }),
    );
    this.#whole = new Map(entries);
    for (const [key, known] of before) if (this.#whole.get(key) !== known) known.bitmap.close();
    this.#sized.clear();
    this.#pixels = 0;
  }

  /** For `Fonts.emoji`. */
  picture(grapheme: string, side: number): Canvas | null {
    const key = emojiKey(grapheme);
    const whole = this.#whole.get(key)?.bitmap;
    if (!whole) return null;
    const size = Math.min(whole.width, stepped(side));
    const name = `${key} ${size}`;
    const sized = this.#sized.get(name) ?? this.#shrink(whole, size);
    this.#sized.delete(name);
    this.#sized.set(name, sized);
    for (const [oldest, { width }] of this.#sized) {
      if (this.#pixels <= mostPixels || oldest === name) break;
      this.#sized.delete(oldest);
      this.#pixels -= width * width;
    }
    return sized;
  }

  #shrink(whole: ImageBitmap, size: number): Canvas {
    const canvas = pageSurface.createCanvas(size, size);
    const context = canvas.getContext('2d');
    if (context) {
      context.imageSmoothingQuality = 'high';
      context.drawImage(whole, 0, 0, size, size);
    }
    this.#pixels += size * size;
    return canvas;
  }
}

/** Steps of half an octave, like the server's: a slowly growing text needs no new picture for every frame. */
function stepped(side: number): number {
  return Math.round(2 ** (Math.ceil(Math.log2(Math.max(8, side)) * 2 - 1e-6) / 2));
}
