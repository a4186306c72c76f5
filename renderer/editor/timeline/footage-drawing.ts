/** Draws what is in a file along a clip. Pure but for the canvas. */
import type { MediaClip } from '../../../shared/engine/compile/timeline.ts';
import type { Footage, Peaks, Strip } from '../../engine/footage.ts';
import { fileTimeAt } from './file-time.ts';

/** The part that is drawn. */
export interface FootagePlace {
  /** The part of the file that plays; null for a still. */
  readonly clip: MediaClip | null;
  /** That of a video, drawn over its pictures; null for none. */
  readonly sound: Peaks | null;
  /** Beats in seconds of the element's clock. */
  readonly beats: readonly number[];
  /** Pixels for a second. */
  readonly scale: number;
  /** Seconds of the element's clock where it begins. */
  readonly from: number;
  readonly width: number;
  readonly height: number;
}

/** Draws it on a canvas of that size; sounds in the canvas' own colour. */
export function drawFootage(
  context: CanvasRenderingContext2D,
  footage: Footage,
  place: FootagePlace,
): void {
  if (footage.kind === 'pictures') {
    drawStrip(context, footage, place);
    if (place.sound) drawBand(context, place.sound, place);
    return;
  }
  drawPeaks(context, footage, place);
  drawBeats(context, place.beats, place);
}

/** The sound of a video at the foot of its pictures, light on dark whatever these are. */
function drawBand(context: CanvasRenderingContext2D, sound: Peaks, place: FootagePlace): void {
  context.save();
  context.translate(0, place.height - bandHeight);
  context.fillStyle = 'rgb(0 0 0 / 0.5)';
  context.fillRect(0, 0, place.width, bandHeight);
  context.fillStyle = '#fff';
  drawPeaks(context, sound, { ...place, height: bandHeight });
  context.restore();
}

function drawStrip(context: CanvasRenderingContext2D, strip: Strip, place: FootagePlace): void {
  const { clip, scale, from, width, height } = place;
  const wide = (strip.width / strip.height) * height;
  const last = Math.max(0, Math.round(strip.image.width / strip.width) - 1);
  // Counted from the clip's own beginning, so that they stay in place while it scrolls.
  const first = Math.floor((from * scale) / wide);
  for (let tile = first; (tile * wide) / scale < from + width / scale; tile++) {
    const moment = fileTimeAt(clip, ((tile + 0.5) * wide) / scale);
    const index = strip.step === 0 ? 0 : Math.min(last, Math.floor(moment / strip.step));
    const x = tile * wide - from * scale;
    context.drawImage(
      strip.image,
      index * strip.width,
      0,
      strip.width,
      strip.height,
      x,
      0,
      wide,
      height,
    );
  }
}

function drawPeaks(context: CanvasRenderingContext2D, peaks: Peaks, place: FootagePlace): void {
  const { clip, scale, from, width, height } = place;
  const { values, perSecond } = peaks;
  for (let x = 0; x < width; x++) {
    const begin = fileTimeAt(clip, from + x / scale);
    const end = fileTimeAt(clip, from + (x + 1) / scale);
    const first = Math.floor(begin * perSecond);
    const after = Math.max(first + 1, Math.min(first + most, Math.ceil(end * perSecond)));
    let peak = 0;
    for (let at = first; at < after; at++) peak = Math.max(peak, values[at] ?? 0);
    // As ears hear it: half as loud is more than half as high.
    const high = Math.max(1, (peak / 255) ** 0.6 * (height - 4));
    context.fillRect(x, (height - high) / 2, 1, high);
  }
}

/** A tick at the foot for each beat, where there is room between them. */
function drawBeats(
  context: CanvasRenderingContext2D,
  beats: readonly number[],
  { scale, from, width, height }: FootagePlace,
): void {
  const places = beats
    .map((at) => Math.round((at - from) * scale))
    .filter((x) => x >= 0 && x < width);
  if (places.length * leastGap > width) return;
  context.save();
  context.globalAlpha = 1;
  for (const x of places) context.fillRect(x, height - 7, 1.5, 7);
  context.restore();
}

/** Pixels of a clip's height. */
const bandHeight = 12;

/** Pixels from one tick to the next. */
const leastGap = 5;

/** Values looked at for a pixel: enough for an hour in sight. */
const most = 400;
