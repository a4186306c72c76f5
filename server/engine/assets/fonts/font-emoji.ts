/**
 * Phase 1, emoji: which set of pictures a document gets, and the drawn set, read from the pack that the build writes
 * (resources/emoji-pictures.mjs). Drawings are read and rasterised one by one, when a text first shows them.
 */
import { createCanvas, Image, type Canvas } from '@napi-rs/canvas';
import { closeSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';

/** Sets that a document may name. */
export type EmojiStyle = 'facebook' | 'google' | 'twitter' | 'apple';

/** Sets that ship: `google` as a font with coloured glyphs, `twitter` as pictures. */
export type ShippedEmoji = 'google' | 'twitter';

/** The shipped set that looks most similar: the others are shaded and round, `twitter` is flat. */
export const shippedEmoji: Readonly<Record<EmojiStyle, ShippedEmoji>> = {
  facebook: 'google',
  apple: 'google',
  google: 'google',
  twitter: 'twitter',
};

/** The pack's version that this code reads. */
const packVersion = 1;
/** Bytes of rasters to keep; the least recently drawn go first. */
const rasterBudget = 32 * 1024 ** 2;
const maxRaster = 2048;

/** Where a drawing is, after the index: offset and length in bytes. */
type Place = readonly [offset: number, length: number];

/** The pack's file and index; read once per process. */
const packs = new Map<string, Pack>();

interface Pack {
  readonly file: string;
  readonly start: number;
  readonly pictures: ReadonlyMap<string, Place>;
}

/** The `twitter` set. */
export class EmojiPictures {
  readonly #pack: Pack;
  readonly #drawings = new Map<string, Image>();
  /** By sequence and side; oldest use first. */
  readonly #rasters = new Map<string, Canvas>();
  #bytes = 0;

  /**
   * @param fontFolder The folder with fonts.json; the pack lies beside it.
   * @throws Error if the pack is missing or of another version: the product is not built, or incomplete.
   */
  constructor(fontFolder: string) {
    this.#pack = openPack(path.join(fontFolder, 'emoji-twitter.pack'));
  }

  /** True if the set has a picture for a grapheme. */
  has(grapheme: string): boolean {
    return this.#pack.pictures.has(keyOf(grapheme));
  }

  /**
   * The square picture of a grapheme, at least `side` pixels large; null when the set has none. The same arguments give
   * the same object while it is cached.
   */
  picture(grapheme: string, side: number): Canvas | null {
    const key = keyOf(grapheme);
    const place = this.#pack.pictures.get(key);
    if (!place) return null;
    const size = rasterSide(side);
    const name = `${key} ${size}`;
    let raster = this.#rasters.get(name);
    if (raster) this.#rasters.delete(name);
    else {
      raster = createCanvas(size, size);
      raster.getContext('2d').drawImage(this.#drawing(key, place), 0, 0, size, size);
      this.#bytes += size * size * 4;
    }
    this.#rasters.set(name, raster);
    for (const [oldest, { width }] of this.#rasters) {
      if (this.#bytes <= rasterBudget || oldest === name) break;
      this.#rasters.delete(oldest);
      this.#bytes -= width * width * 4;
    }
    return raster;
  }

  #drawing(key: string, [offset, length]: Place): Image {
    let image = this.#drawings.get(key);
    if (!image) {
      image = new Image();
      image.src = inflateRawSync(readPart(this.#pack.file, this.#pack.start + offset, length));
      this.#drawings.set(key, image);
    }
    return image;
  }
}

/** Code points in hexadecimal without the mark that asks for a picture, e.g. `2764-200d-1f525`. */
function keyOf(grapheme: string): string {
  return Array.from(grapheme, (character) => (character.codePointAt(0) ?? 0).toString(16))
    .filter((code) => code !== 'fe0f')
    .join('-');
}

/**
 * Steps of half an octave, so that a slowly growing text is not drawn again for every frame; painting scales it down.
 */
function rasterSide(side: number): number {
  const step = 2 ** (Math.ceil(Math.log2(Math.max(8, side)) * 2 - 1e-6) / 2);
  return Math.min(maxRaster, Math.round(step));
}

function openPack(file: string): Pack {
  const known = packs.get(file);
  if (known) return known;
  const length = readPart(file, 0, 4).readUInt32BE();
  const index: unknown = JSON.parse(inflateRawSync(readPart(file, 4, length)).toString('utf8'));
  if (!isIndex(index))
    throw new Error(`${file}: expected emoji of version ${packVersion}; run the build again`);
  const pack = { file, start: 4 + length, pictures: new Map(Object.entries(index.pictures)) };
  packs.set(file, pack);
  return pack;
}

function readPart(file: string, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const handle = openSync(file, 'r');
  try {
    if (readSync(handle, bytes, 0, length, offset) < length)
      throw new Error(`${file}: ends before its time; run the build again`);
  } finally {
    closeSync(handle);
  }
  return bytes;
}

/** Our own build writes the pack; its version says whether we can read it. */
function isIndex(value: unknown): value is { pictures: Readonly<Record<string, Place>> } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    value.version === packVersion &&
    'pictures' in value
  );
}
