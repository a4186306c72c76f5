/** Emoji that are pictures, in the drawing worker: one large picture of each, and smaller ones made from it. */
import type { LiveEmoji } from '../../shared/engine/live-kit.ts';
import type { Canvas } from '../../shared/engine/surface.ts';
import { emojiKey } from '../../shared/engine/text/emoji.ts';
import type { LiveFiles } from './live-files.ts';
import { pageSurface } from './page-surface.ts';

/** Pixels of smaller pictures that are kept; the least recently drawn go first. */
const mostPixels = 8 * 2 ** 20;

/** The emoji of one worker. */
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
