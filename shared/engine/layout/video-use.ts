/**
 * Which video frames a frame needs, and how large a clip is ever drawn. Pure; feeds the decoders in
 * assets/videos/video.ts.
 */
import type { CompositionElement, Timeline } from '../compile/timeline.ts';
import { multiply, scaleOf, scaling, translation, type Matrix } from '../geometry.ts';
import { bentScale } from './bend.ts';
import { scaleBeforeBlur } from './blur.ts';
import type { LayoutContext } from './bodies.ts';
import type { Box, Frame, MediaContent } from './box.ts';
import { clipMoments, withClipsOnly } from './clip-moments.ts';
import { createLayout, type Layout } from './layout.ts';

/** One video on the screen at one moment. */
export interface VideoUse {
  /** `TimelineElement.path`. */
  readonly elementPath: string;
  readonly content: MediaContent;
  /** Size of the whole picture on the output, pixels; where it is blurred, of what the blur needs. */
  readonly width: number;
  readonly height: number;
}

/** Output pixels per document pixel. */
export interface Scale {
  readonly x: number;
  readonly y: number;
}

/** A size in output pixels. */
export interface DrawnSize {
  readonly width: number;
  readonly height: number;
}

/** Every video that a frame shows, at any depth. */
export function videosOf(frame: Frame, { x, y }: Scale): VideoUse[] {
  const found: VideoUse[] = [];
  for (const box of frame.boxes) walk(box, scaling(x, y), found);
  return found;
}

function walk(box: Box, outer: Matrix, found: VideoUse[]): void {
  const placed = beforeBlur(box, multiply(outer, reachOf(box)));
  const inner = box.contentTransform ? multiply(placed, box.contentTransform) : placed;
  const { content } = box;
  if (content.kind === 'composition') {
    const origin = multiply(inner, translation(content.originX, content.originY));
    for (const child of content.children) walk(child, origin, found);
  } else if (content.kind === 'media' && content.media === 'video') {
    const [a, b, c, d] = inner;
    found.push({
      elementPath: box.element.path,
      content,
      width: content.rect.width * Math.hypot(a, b),
      height: content.rect.height * Math.hypot(c, d),
    });
  }
}

/** The map with which a box's content is drawn: of a strongly blurred one, only as large as the blur needs. */
function beforeBlur({ effects }: Box, placed: Matrix): Matrix {
  const whole = scaleOf(placed);
  const scale = scaleBeforeBlur(effects, whole);
  return scale < whole ? scaling(scale, scale) : placed;
}

/** The box's map as far as sizes go; a bent box counts with the largest of its scales. */
function reachOf(box: Box): Matrix {
  const { bend, width, height } = box;
  if (!bend) return box.transform;
  const { x, y } = bentScale({ bend, width, height }, { x: 0, y: 0, width, height });
  return scaling(x, y);
}

/**
 * The largest size at which each video is drawn over the given frames. Decoders open at that size once: if the size
 * changed over time, a frame would depend on earlier frames.
 */
export function largestSizes(frames: Iterable<Frame>, scale: Scale): Map<string, DrawnSize> {
  const sizes = new Map<string, DrawnSize>();
  for (const frame of frames) {
    for (const { elementPath, width, height } of videosOf(frame, scale)) {
      const known = sizes.get(elementPath);
      sizes.set(elementPath, {
        width: Math.max(width, known?.width ?? 0),
        height: Math.max(height, known?.height ?? 0),
      });
    }
  }
  return sizes;
}

/** What the sizes of clips depend on. */
export interface ClipContext {
  readonly timeline: Timeline;
  readonly context: LayoutContext;
  /** The only drawn moment, in seconds. */
  readonly moment: number | undefined;
  readonly scale: Scale;
}

/**
 * The largest size at which each clip is drawn in the whole document, by `TimelineElement.path`. If there is too much
 * to check, the clip's own size, which is never too small.
 */
export function clipSizes({
  timeline,
  context,
  moment,
  scale,
}: ClipContext): Map<string, DrawnSize> {
  const clips = withClipsOnly(timeline);
  if (!clips) return new Map();
  const moments = clipMoments(clips);
  if (moments === null) return ownSizes(clips.root, context.media);
  const layout = createLayout(clips, context);
  const all = moment === undefined ? moments : [...moments, moment];
  return largestSizes(framesAt(layout, all), scale);
}

function* framesAt(layout: Layout, moments: readonly number[]): Generator<Frame> {
  for (const moment of moments) yield layout.frameAt(moment);
}

function ownSizes(
  { children }: CompositionElement,
  media: LayoutContext['media'],
  sizes = new Map<string, DrawnSize>(),
): Map<string, DrawnSize> {
  for (const child of children) {
    if (child.type === 'composition') ownSizes(child, media, sizes);
    const info = child.type === 'video' && child.source !== null && media.get(child.source);
    if (info) sizes.set(child.path, { width: info.width, height: info.height });
  }
  return sizes;
}
