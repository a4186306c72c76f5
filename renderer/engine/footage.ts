/**
 * What is in the files of a document, for the timeline: a strip of small pictures, or the loudness of a sound. Looked
 * at by a worker of its own, one file after the other; what the browser can't decode has none.
 */
import type { MediaKind } from '../../shared/renderscript/source.ts';
import {
  ADTS,
  AudioSampleSink,
  CanvasSink,
  FLAC,
  Input,
  MATROSKA,
  MP3,
  MP4,
  OGG,
  QTFF,
  UrlSource,
  WAVE,
  WEBM,
} from 'mediabunny';
import { beatRate, beatsOf } from './beats.ts';
import type { LiveFiles } from './live-files.ts';

/** Small pictures beside each other, all of one size. */
export interface Strip {
  readonly kind: 'pictures';
  readonly image: ImageBitmap;
  /** Pixels of one picture. */
  readonly width: number;
  readonly height: number;
  /** Seconds of the file from one to the next; 0 for a still. */
  readonly step: number;
}

/** The loudest moments of a sound, 0–255, so many for a second. */
export interface Peaks {
  readonly kind: 'peaks';
  readonly values: Uint8Array<ArrayBuffer>;
  readonly perSecond: number;
  /** Its beats, in seconds of the file; in order. */
  readonly beats: readonly number[];
}

export type Footage = Strip | Peaks;

/** Page → worker. */
export type FootageOrder =
  | { readonly type: 'begin'; readonly headers: Readonly<Record<string, string>> }
  | ({ readonly type: 'look' } & Look);

/** A look into a file: at its pictures, or at its sound, which a video has, too. */
export interface Look {
  readonly id: string;
  readonly kind: MediaKind;
}

/** Worker → page: null where there is nothing to see. */
export interface FootageReport extends Look {
  readonly footage: Footage | null;
}

/** Pixels of a picture: as high as a clip on a screen of double density; narrow ones of wide files. */
const size = { height: 56, widest: 128 } as const;
/** How many pictures a strip has at most, and the least seconds between two. */
const strips = { most: 60, step: 1 } as const;
/** Values for a second of sound, and the seconds of a longer sound that are looked at. */
const sounds = { perSecond: 50, longest: 3_600 } as const;

/** @throws Error for a file that can't be read */
export async function lookInto({ id, kind }: Look, files: LiveFiles): Promise<Footage | null> {
  if (kind !== 'video' && kind !== 'audio') return stillOf(await files.fetch(id));
  const { url, headers } = files.request(id);
  using input = new Input({
    // Formats of one file each: a list of files could name any.
    formats: [MP4, QTFF, WEBM, MATROSKA, MP3, WAVE, OGG, FLAC, ADTS],
    source: new UrlSource(url, { requestInit: { headers }, maxCacheSize: 8 * 2 ** 20 }),
  });
  return kind === 'video' ? await stripOf(input) : await peaksOf(input);
}

const widthOf = (width: number, height: number): number =>
  Math.max(8, Math.min(size.widest, Math.round((width / Math.max(1, height)) * size.height)));

async function stillOf(file: Blob): Promise<Strip> {
  using picture = closing(await createImageBitmap(file));
  const { width, height } = picture.image;
  const wide = widthOf(width, height);
  const { canvas, context } = canvasOf(wide);
  const scale = Math.max(wide / width, size.height / height);
  const [across, down] = [width * scale, height * scale];
  context.drawImage(picture.image, (wide - across) / 2, (size.height - down) / 2, across, down);
  return {
    kind: 'pictures',
    image: canvas.transferToImageBitmap(),
    width: wide,
    height: size.height,
    step: 0,
  };
}

const closing = (image: ImageBitmap): { image: ImageBitmap } & Disposable => ({
  image,
  [Symbol.dispose]: () => image.close(),
});

async function stripOf(input: Input): Promise<Strip | null> {
  const track = await input.getPrimaryVideoTrack();
  if (!track || !(await track.canDecode())) return null;
  const begin = await track.getFirstTimestamp();
  const length = Math.max(0, (await track.computeDuration()) - begin);
  const step = Math.max(strips.step, length / strips.most);
  const count = Math.max(1, Math.min(strips.most, Math.ceil(length / step)));
  const width = widthOf(await track.getDisplayWidth(), await track.getDisplayHeight());
  const { canvas, context } = canvasOf(width * count);
  const sink = new CanvasSink(track, { width, height: size.height, fit: 'cover', poolSize: 2 });
  const times = Array.from({ length: count }, (_, index) => begin + index * step);
  let index = 0;
  for await (const found of sink.canvasesAtTimestamps(times)) {
    if (found) context.drawImage(found.canvas, index * width, 0);
    index += 1;
  }
  return {
    kind: 'pictures',
    image: canvas.transferToImageBitmap(),
    width,
    height: size.height,
    step,
  };
}

function canvasOf(width: number): {
  readonly canvas: OffscreenCanvas;
  readonly context: OffscreenCanvasRenderingContext2D;
} {
  const canvas = new OffscreenCanvas(width, size.height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('there is no canvas for pictures');
  context.imageSmoothingQuality = 'medium';
  return { canvas, context };
}

async function peaksOf(input: Input): Promise<Peaks | null> {
  const track = await input.getPrimaryAudioTrack();
  if (!track || !(await track.canDecode())) return null;
  const begin = await track.getFirstTimestamp();
  const length = Math.min(sounds.longest, Math.max(0, (await track.computeDuration()) - begin));
  const values = new Uint8Array(Math.ceil(length * sounds.perSecond) + 1);
  const loudness = new Float32Array(Math.ceil(length * beatRate) + 1);
  let samples = new Float32Array(0);
  for await (using sample of new AudioSampleSink(track).samples(begin, begin + length)) {
    const frames = sample.numberOfFrames;
    if (samples.length < frames) samples = new Float32Array(frames);
    // The first channel tells enough.
    sample.copyTo(samples, { planeIndex: 0, format: 'f32-planar' });
    for (let frame = 0; frame < frames; frame++) {
      const moment = sample.timestamp - begin + frame / sample.sampleRate;
      const place = Math.floor(moment * sounds.perSecond);
      const step = Math.floor(moment * beatRate);
      if (step >= 0 && step < loudness.length)
        loudness[step] = (loudness[step] ?? 0) + (samples[frame] ?? 0) ** 2;
      const value = Math.min(255, Math.round(Math.abs(samples[frame] ?? 0) * 255));
      if (place >= 0 && value > (values[place] ?? 255)) values[place] = value;
    }
  }
  return { kind: 'peaks', values, perSecond: sounds.perSecond, beats: beatsOf(loudness) };
}
