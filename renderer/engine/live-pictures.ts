/**
 * Pictures in the drawing worker: fetched and decoded before the frame that shows them, and kept while there is room.
 */
import type { LiveMedia } from '../../shared/engine/live-kit.ts';
import type { Box, Frame } from '../../shared/engine/layout/box.ts';
import { frameAt } from '../../shared/engine/media-info.ts';
import type { Pictures } from '../../shared/engine/paint/sources.ts';
import type { Drawable } from '../../shared/engine/surface.ts';
import type { LiveFiles } from './live-files.ts';

/** Decoded pixels kept at a time, in bytes; the least recently drawn go first. */
const budget = 256 * 2 ** 20;
/** Larger pictures are drawn from a smaller copy: the preview is small. */
const mostPixels = 16e6;

/** A picture that this browser can't read. */
export class UnreadablePicture extends Error {}

interface Kept {
  readonly bitmap: ImageBitmap;
  readonly bytes: number;
}

/** The pictures of the documents that one worker draws. `prepare` before a frame is painted; `image` has them then. */
export class LivePictures implements Pictures {
  readonly #files: LiveFiles;
  /** By key, oldest use first. */
  readonly #kept = new Map<string, Kept>();
  readonly #decoders = new Map<string, ImageDecoder>();
  #media = new Map<string, LiveMedia & { readonly id: string }>();
  #bytes = 0;
  /** Those of the next frame: never dropped meanwhile. */
  #needed = new Set<string>();

  constructor(files: LiveFiles) {
    this.#files = files;
  }

  /** Sets the media of the documents. */
  use(media: readonly LiveMedia[], ids: readonly string[]): void {
    this.#media = new Map(
      media.flatMap((one) => {
        const id = ids[one.file];
        return one.info.kind === 'image' && id !== undefined
          ? [[one.source, { ...one, id }] as const]
          : [];
      }),
    );
    const used = new Set([...this.#media.values()].map(({ id }) => id));
    for (const [id, decoder] of this.#decoders) {
      if (used.has(id)) continue;
      decoder.close();
      this.#decoders.delete(id);
    }
  }

  /**
   * Decodes what a frame shows.
   *
   * @throws UnreadablePicture
   */
  async prepare(frame: Frame): Promise<void> {
    this.#needed = new Set();
    const missing = new Map<string, () => Promise<ImageBitmap>>();
    for (const { source, time } of picturesOf(frame.boxes)) {
      const media = this.#media.get(source);
      if (!media) continue;
      const key = keyOf(media, time);
      this.#needed.add(key);
      if (!this.#kept.has(key)) missing.set(key, () => this.#decode(media, time));
    }
    for (const [key, decode] of missing) {
      try {
        this.#keep(key, await decode());
      } catch (cause) {
        throw new UnreadablePicture(`a picture can't be decoded: ${String(cause)}`, { cause });
      }
    }
  }

  image(source: string, _width: number, _height: number, time: number): Drawable | null {
    const media = this.#media.get(source);
    if (!media) return null;
    const key = keyOf(media, time);
    const kept = this.#kept.get(key);
    if (!kept) return null;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.bitmap;
  }

  async #decode(media: LiveMedia & { readonly id: string }, time: number): Promise<ImageBitmap> {
    const { id, info } = media;
    if (!info.animation) {
      const shrunk = Math.sqrt(mostPixels / Math.max(1, info.width * info.height));
      const blob = await this.#files.fetch(id);
      return createImageBitmap(blob, {
        ...(shrunk < 1 && {
          resizeWidth: Math.round(info.width * shrunk),
          resizeHeight: Math.round(info.height * shrunk),
          resizeQuality: 'high',
        }),
      });
    }
    let decoder = this.#decoders.get(id);
    if (!decoder) {
      const data = await (await this.#files.fetch(id)).arrayBuffer();
      decoder = new ImageDecoder({ data, type: `image/${info.format}` });
      this.#decoders.set(id, decoder);
    }
    const frameIndex = frameAt(info.animation.starts, time);
    const { image } = await decoder.decode({ frameIndex });
    try {
      return await createImageBitmap(image);
    } finally {
      image.close();
    }
  }

  #keep(key: string, bitmap: ImageBitmap): void {
    const bytes = bitmap.width * bitmap.height * 4;
    this.#kept.set(key, { bitmap, bytes });
    this.#bytes += bytes;
    for (const [oldest, kept] of this.#kept) {
      if (this.#bytes <= budget) break;
      if (this.#needed.has(oldest)) continue;
      this.#kept.delete(oldest);
      this.#bytes -= kept.bytes;
      kept.bitmap.close();
    }
  }
}

function keyOf({ id, info }: { id: string; info: LiveMedia['info'] }, time: number): string {
  return info.animation ? `${id} ${frameAt(info.animation.starts, time)}` : id;
}

/** Every picture that boxes show, at any depth. */
function picturesOf(boxes: readonly Box[]): { source: string; time: number }[] {
  return boxes.flatMap(({ content }) => {
    if (content.kind === 'composition') return picturesOf(content.children);
    if (content.kind !== 'media' || content.media === 'video') return [];
    return [{ source: content.source, time: content.mediaTime }];
  });
}
