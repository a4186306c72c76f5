/**
 * Videos in the drawing worker: decoded by the browser, some frames ahead of the moment that plays. Of what it can't
 * decode, or not with the server's colours, the server makes a small copy; until that is there, the document's pictures
 * come from the server.
 */
import {
  Input,
  MATROSKA,
  MP4,
  QTFF,
  UrlSource,
  VideoSampleSink,
  WEBM,
  type VideoSample,
} from 'mediabunny';
import type { LiveMedia } from '../../shared/engine/live-kit.ts';
import type { VideoUse } from '../../shared/engine/layout/video-use.ts';
import { emptySize } from '../../shared/engine/paint/picture-sizes.ts';
import type { VideoDrawing, Videos } from '../../shared/engine/paint/sources.ts';
import { contextOf } from '../../shared/engine/surface.ts';
import type { LiveFiles } from './live-files.ts';

/** Videos open at a time: each holds a decoder. */
const mostClips = 16;
/** Frames painted without a clip before its decoder is given up. */
const framesUnused = 60;
/** Up to so many seconds ahead, frames are decoded in turn instead of seeking. */
const reach = 1.5;
/**
 * Sizes that change are rounded up to multiples of so many pixels, so that slow growth does not change them in every
 * frame.
 */
const step = 32;
/** Frame times are sums and quotients. */
const tolerance = 1e-4;

/** A video that the browser can't play as the server does. */
export class UnreadableVideo extends Error {}

type Known = LiveMedia & { readonly id: string };

/** One element's video. */
class Clip {
  readonly source: string;
  used = 0;
  frame: VideoDrawing | null = null;
  readonly #input: Input;
  readonly #start: number;
  #sink: VideoSampleSink | null = null;
  #samples: AsyncGenerator<VideoSample, void, unknown> | null = null;
  #current: VideoSample | null = null;
  #next: VideoSample | null = null;
  #serial = 0;
  /** Sizes that were asked for last, to know one that changes. */
  #wanted: readonly [width: number, height: number] | null = null;
  #shown: VideoSample | null = null;

  constructor({ source, info }: Known, id: string, isCopy: boolean, files: LiveFiles) {
    this.source = source;
    // The time of a copy is counted from the video's own 0.
    this.#start = isCopy ? 0 : (info.picture?.start ?? 0);
    const { url, headers } = files.request(id);
    this.#input = new Input({
      // Formats of one file each: a list of files could name any.
      formats: [MP4, QTFF, WEBM, MATROSKA],
      source: new UrlSource(url, {
        requestInit: { headers },
        getRetryDelay: (attempts) => (attempts < 2 ? 0.2 : null),
        maxCacheSize: 16 * 2 ** 20,
      }),
    });
  }

  /** Decodes the frame of a moment of the file, at the size in pixels at which it will be drawn, or a little larger. */
  async prepare(time: number, [width, height]: readonly [number, number]): Promise<void> {
    await this.#seek(time + this.#start + tolerance);
    const sample = this.#current;
    const isSame = sample === this.#shown;
    if (!sample || (isSame && this.frame?.width === width && this.frame.height === height)) return;
    // Formats that end so have an opacity; what has no name comes from a decoder that knows none.
    const isOpaque = !(sample.format?.endsWith('A') ?? false);
    const before = this.frame?.drawing;
    const isFit = before?.width === width && before.height === height;
    const drawing =
      isFit && before.opaque === isOpaque ? before : emptySize(width, height, isOpaque);
    // Made by the surface of this worker, whose canvases are the browser's.
    const context = contextOf(drawing.canvas) as unknown as OffscreenCanvasRenderingContext2D;
    if (!isOpaque) context.clearRect(0, 0, width + 2, height + 2);
    context.imageSmoothingQuality = 'medium';
    sample.draw(context, 1, 1, width, height);
    this.frame = { drawing, width, height, serial: ++this.#serial };
    this.#shown = sample;
  }

  /**
   * The size to draw frames at for a size on the screen: exactly that while it stays the same, so that it is not scaled
   * again.
   */
  sizeFor(width: number, height: number, natural: { width: number; height: number }) {
    const isSteady = this.#wanted === null || isNear(this.#wanted, [width, height]);
    this.#wanted = [width, height];
    const scale = Math.min(1, Math.max(width / natural.width, height / natural.height));
    const sideOf = (length: number): number => {
      const exact = length * scale;
      const side = isSteady ? Math.round(exact) : Math.ceil(exact / step) * step;
      return Math.max(1, Math.min(length, side));
    };
    return [sideOf(natural.width), sideOf(natural.height)] as const;
  }

  close(): void {
    this.#drop();
    this.#input.dispose();
  }

  /** Makes `current` the last frame that begins up to a time, or the first one. */
  async #seek(time: number): Promise<void> {
    const current = this.#current;
    if (!current || time < current.timestamp || time > current.timestamp + reach) {
      this.#drop();
      this.#samples = (await this.#open()).samples(Math.max(0, time));
      this.#current = (await this.#samples.next()).value ?? null;
      // Past the end there is nothing; the last frame stays.
      this.#current ??= await (await this.#open()).getSample(time);
      this.#next = (await this.#samples.next()).value ?? null;
    }
    while (this.#next && this.#next.timestamp <= time) {
      this.#current?.close();
      this.#current = this.#next;
      this.#next = (await this.#samples?.next())?.value ?? null;
    }
  }

  async #open(): Promise<VideoSampleSink> {
    if (this.#sink) return this.#sink;
    const track = await this.#input.getPrimaryVideoTrack();
    if (!track || !(await track.canDecode())) throw new Error('this browser does not decode it');
    this.#sink = new VideoSampleSink(track);
    return this.#sink;
  }

  #drop(): void {
    this.#current?.close();
    this.#next?.close();
    this.#current = this.#next = this.#shown = null;
    void this.#samples?.return().catch(() => undefined);
    this.#samples = null;
  }
}

const isNear = (a: readonly number[], b: readonly number[]): boolean =>
  a.every((side, at) => Math.abs(side - (b[at] ?? 0)) < 0.01);

/** The videos of the documents that one worker draws. `prepare` before a frame is painted; `frame` has them then. */
export class LiveVideos implements Videos {
  readonly #files: LiveFiles;
  /** By the path of the element. */
  readonly #clips = new Map<string, Clip>();
  #media = new Map<string, Known>();
  #painted = 0;
  readonly #onCopied: () => void;
  /** IDs of small copies by that of the video; null while one is being made, and where there is none. */
  readonly #copies = new Map<string, string | null>();
  /** What ends the wait for those that are being made. */
  readonly #awaited = new Map<string, AbortController>();

  /** @param onCopied Told when a copy is there, without which a frame could not be painted. */
  constructor(files: LiveFiles, onCopied: () => void) {
    this.#files = files;
    this.#onCopied = onCopied;
  }

  /** Sets the media of the documents. */
  use(media: readonly LiveMedia[], ids: readonly string[]): void {
    const before = this.#media;
    this.#media = new Map(
      media.flatMap((one) => {
        const id = ids[one.file];
        return one.info.kind === 'video' && id !== undefined
          ? [[one.source, { ...one, id }] as const]
          : [];
      }),
    );
    const named = new Set([...this.#media.values()].map(({ id }) => id));
    for (const [id, stop] of this.#awaited) if (!named.has(id)) stop.abort();
    for (const [path, clip] of this.#clips) {
      if (this.#media.get(clip.source)?.id === before.get(clip.source)?.id) continue;
      this.#close(path, clip);
    }
  }

  /** Decodes what a frame shows. @throws UnreadableVideo */
  async prepare(uses: readonly VideoUse[]): Promise<void> {
    this.#painted += 1;
    await Promise.all(uses.map((use) => this.#prepareOne(use)));
    for (const [path, clip] of this.#clips)
      if (this.#painted - clip.used > framesUnused) this.#close(path, clip);
  }

  frame(elementPath: string): VideoDrawing | null {
    const clip = this.#clips.get(elementPath);
    return clip?.used === this.#painted ? clip.frame : null;
  }

  async #prepareOne({ elementPath, content, width, height }: VideoUse): Promise<void> {
    const media = this.#media.get(content.source);
    if (!media) return;
    const copy = this.#copies.get(media.id);
    // The server maps these to standard brightness in its own way.
    if (media.info.picture?.hdr && copy === undefined) this.#askForCopy(media.id);
    if (copy === null || (media.info.picture?.hdr && copy === undefined))
      throw new UnreadableVideo('a small copy of a video is awaited');
    let clip = this.#clips.get(elementPath);
    if (clip?.source !== content.source) {
      if (clip) this.#close(elementPath, clip);
      if (this.#clips.size >= mostClips) throw new UnreadableVideo('too many videos at a time');
      clip = new Clip(media, copy ?? media.id, copy !== undefined, this.#files);
      this.#clips.set(elementPath, clip);
    }
    clip.used = this.#painted;
    try {
      await clip.prepare(content.mediaTime, clip.sizeFor(width, height, media.info));
    } catch (cause) {
      this.#close(elementPath, clip);
      if (copy === undefined) this.#askForCopy(media.id);
      throw new UnreadableVideo(`a video can't be decoded: ${String(cause)}`, { cause });
    }
  }

  #askForCopy(id: string): void {
    if (this.#copies.has(id)) return;
    this.#copies.set(id, null);
    const stop = new AbortController();
    this.#awaited.set(id, stop);
    this.#files
      .copyOf(id, stop.signal)
      .then(
        (copy) => {
          if (copy === null) return;
          this.#copies.set(id, copy);
          this.#onCopied();
        },
        // The server says no more than that it was not asked: the next frame is a new try.
        () => this.#copies.delete(id),
      )
      .finally(() => this.#awaited.delete(id));
  }

  #close(path: string, clip: Clip): void {
    this.#clips.delete(path);
    clip.close();
  }
}
