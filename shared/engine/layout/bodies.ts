/**
 * The content of a box before it has a place: size and content of texts, pictures, videos and shapes at a moment. A
 * maker is created once per element and caches its steps, so that unchanged content stays the identical object.
 * Compositions, whose content is more boxes, are in layout.ts.
 */
import type { MediaInfo, Focus } from '../media-info.ts';
import { splitOf } from '../compile/text-animations.ts';
import { countedText } from '../compile/text-counter.ts';
import { valuesAt } from '../compile/keyframes.ts';
import type {
  Path,
  ShapeValues,
  TextElementValues,
  TextValues,
  VisualValues,
  Fit,
} from '../compile/property-values.ts';
import type {
  ImageElement,
  ShapeElement,
  TextElement,
  TimelineElement,
  VideoElement,
} from '../compile/timeline.ts';
import { multiply, scaling, translation, type Rect } from '../geometry.ts';
import { createTextSetter, type TextBlock, type TextRoom } from '../text/block.ts';
import type { Measurer } from '../text/measurer.ts';
import type { Content, MediaContent, ShapeContent } from './box.ts';
import { createCaptionSetter } from './captions.ts';
import { frameStartAt, mediaTimeAt } from './clock.ts';
import { lengthIn, smallerSide, type Space } from './length.ts';
import { mapPath, pathBounds, rectanglePath } from './path.ts';
import { extentOf, paddedRoom, sidesOf, type Extent } from './place.ts';
import { createTextContentMaker } from './text-content.ts';
import { remember } from './remember.ts';
import { soundPath } from './sound-path.ts';

/** What layout needs besides the timeline. */
export interface LayoutContext {
  readonly measurer: Measurer;
  /** By the `source` of media elements. */
  readonly media: ReadonlyMap<string, MediaInfo>;
  /** Called before an element is laid out, with its path. */
  readonly onElement?: (path: string) => void;
  /** Told of each text that is laid out, captions aside; what it is told stays the same while nothing changes. */
  readonly onText?: (path: string, block: TextBlock, room: TextRoom) => void;
}

/** An element without its place. */
export interface Body {
  readonly extent: Extent;
  /** Null if there is nothing to draw; the element still takes its space. */
  readonly content: Content | null;
}

/** An element at a moment. */
export interface State {
  readonly values: VisualValues;
  /** Null = hidden: neither drawn nor counted when a composition is sized by its children. */
  readonly body: Body | null;
}

/** Makes an element's bodies. */
export interface BodyMaker {
  /**
   * An element's state. `space` is the reference of its percentages; `time` is the element's own; `still`: the document
   * is a picture, without animations.
   */
  at(time: number, space: Space, still: boolean): State;
  /** Makes those of this element from now on, which differs in values alone. */
  follow(element: TimelineElement): void;
}

/** Bodies of texts. */
export function createTextBodies(
  element: TextElement,
  { measurer, onText }: LayoutContext,
): BodyMaker {
  let { values: animated } = element;
  const apart = element.animations.some((animation) => splitOf(animation) === 'letter');
  const setText = createTextSetter(measurer, { apart });
  const setStill = apart ? createTextSetter(measurer) : setText;
  const setCounted = createCountedSetter(measurer, apart);
  const setCaptions = createCaptionSetter(element, measurer);
  const contentOf = createTextContentMaker(element.animations);
  const sizedValues = remember(withFontSize);
  const extent = remember((values: TextValues, block: TextBlock, width: number, height: number) => {
    const { paddingX, paddingY, ...sides } = sidesOf(values, { width, height });
    return extentOf(
      values,
      sides.width ?? block.width + 2 * paddingX,
      sides.height ?? block.height + 2 * paddingY,
    );
  });
  const body = remember((frame: Extent, content: Content | null): Body => ({
    extent: frame,
    content,
  }));

  const at: BodyMaker['at'] = (time, space, still) => {
    const given = valuesAt(animated, time);
    const values = sizedValues(given, smallerSide(space));
    if (!values.visible) return { values, body: null };
    const sides = sidesOf(values, space);
    const { width, height, paddingX, paddingY } = sides;
    // An aspect ratio only matters if it makes the box smaller than its frame; then the text goes into the box.
    const held =
      width !== null && height !== null ? extentOf(values, width, height).box : { width, height };
    const room = {
      x: paddingX,
      y: paddingY,
      width: held.width === null ? null : Math.max(0, held.width - 2 * paddingX),
      height: held.height === null ? null : Math.max(0, held.height - 2 * paddingY),
      availableWidth: Math.max(0, space.width - 2 * paddingX),
      availableHeight: Math.max(0, space.height - 2 * paddingY),
    };
    if (setCaptions && !still) {
      const { block, content } = setCaptions(values, room, time);
      return { values, body: body(extent(values, block, space.width, space.height), content) };
    }
    const counted = still ? values.text : countedText(element.animations, values.text, time);
    const set = still ? setStill : setText;
    const block = counted === values.text ? set(values, room) : setCounted(values, room, counted);
    onText?.(element.path, block, room);
    const frame = extent(values, block, space.width, space.height);
    const content = contentOf(block, values.backgroundColor, still ? null : time, {
      width: frame.box.width,
      height: frame.box.height,
      parentWidth: space.width,
      parentHeight: space.height,
    });
    return { values, body: body(frame, content) };
  };
  return {
    at,
    follow(next) {
      if (next.type === 'text') animated = next.values;
    },
  };
}

/** The values with the font size in pixels; `whole` is the reference of its percentage. */
function withFontSize(values: TextElementValues, whole: number): TextValues {
  const { fontSize } = values;
  return { ...values, fontSize: fontSize && lengthIn(fontSize, whole) };
}

/**
 * Sets a text while its numbers count. It keeps the size fitted to the final text, which would otherwise change with
 * each number.
 */
function createCountedSetter(
  measurer: Measurer,
  apart: boolean,
): (values: TextValues, room: TextRoom, text: string) => TextBlock {
  const setWhole = createTextSetter(measurer, { apart });
  const setCounted = createTextSetter(measurer, { apart });
  return (values, room, text) => {
    const fontSize = values.fontSize ?? setWhole(values, room).fontSize;
    return setCounted({ ...values, fontSize, text }, room);
  };
}

/** Bodies of pictures and videos. Missing sides follow the picture; without a picture they fill the parent. */
export function createMediaBodies(
  element: ImageElement | VideoElement,
  { media }: LayoutContext,
): BodyMaker {
  const { source } = element;
  let { values: animated } = element;
  const info = source === null ? undefined : media.get(source);
  const clip = element.clip ?? null;
  const focus = element.type === 'image' && element.smartCrop ? info?.focus : undefined;
  const timeInFile = (time: number): number => {
    if (!clip) return 0;
    if (info?.animation && !info.animation.isSmooth)
      return frameStartAt(clip, time, info.animation.starts);
    return mediaTimeAt(clip, time);
  };
  const windowOf = remember((x: number, y: number, width: number, height: number): Rect => ({
    x,
    y,
    width,
    height,
  }));
  const contentOf = remember(
    (
      x: number,
      y: number,
      width: number,
      height: number,
      window: Rect,
      mediaTime: number,
    ): MediaContent | null =>
      source === null
        ? null
        : {
            kind: 'media',
            media: element.type,
            source,
            mediaTime,
            mediaSpeed: clip?.speed ?? 0,
            rect: { x, y, width, height },
            window,
          },
  );
  const bodyOf = remember(
    (
      values: typeof element.values.base,
      width: number,
      height: number,
      mediaTime: number,
    ): Body => {
      const space = { width, height };
      const sides = sidesOf(values, space);
      const size = info && info.width > 0 && info.height > 0 ? info : space;
      const ratio = size.width / size.height;
      const extent = extentOf(
        values,
        sides.width ?? (sides.height === null ? size.width : sides.height * ratio),
        sides.height ?? (sides.width === null ? size.height : sides.width / ratio),
      );
      if (!info) return { extent, content: null };
      const padded = paddedRoom(extent.box, sides);
      const room = windowOf(padded.x, padded.y, padded.width, padded.height);
      const { fit, xAlignment, yAlignment } = values;
      const rect =
        focus && fit === 'cover'
          ? coverAround(focus, size, room)
          : fitMedia(fit, size, room, xAlignment, yAlignment);
      return {
        extent,
        content: contentOf(rect.x, rect.y, rect.width, rect.height, room, mediaTime),
      };
    },
  );
  return {
    at(time, space) {
      const values = valuesAt(animated, time);
      if (!values.visible) return { values, body: null };
      const mediaTime = timeInFile(time);
      return { values, body: bodyOf(values, space.width, space.height, mediaTime) };
    },
    follow(next) {
      if (next.type === 'image' || next.type === 'video') animated = next.values;
    },
  };
}

/** Bodies of shapes. */
export function createShapeBodies(element: ShapeElement): BodyMaker {
  let { values: animated } = element;
  const scaledPath = remember(
    (
      path: Path | null,
      scaleX: number,
      scaleY: number,
      shiftX: number,
      shiftY: number,
    ): ShapeContent => ({
      kind: 'shape',
      path: path
        ? mapPath(path, multiply(translation(shiftX, shiftY), scaling(scaleX, scaleY)))
        : rectanglePath(scaleX * 100, scaleY * 100),
    }),
  );
  const bodyOf = remember((values: ShapeValues, width: number, height: number): Body => {
    const { path } = values;
    const sides = sidesOf(values, { width, height });
    // [Note: Shapes without a size] On an axis with a size, the path's 0–100 is the box. On an axis without, the path
    // is in pixels from the element's position: the box is then the path's own extent, and the anchor the path's
    // origin.
    const bounds = path && pathBounds(path);
    const extent = extentOf(
      values,
      sides.width ?? bounds?.width ?? 0,
      sides.height ?? bounds?.height ?? 0,
    );
    const { box } = extent;
    return {
      extent: {
        ...extent,
        ...(sides.width === null && { anchorX: -(bounds?.x ?? 0) }),
        ...(sides.height === null && { anchorY: -(bounds?.y ?? 0) }),
      },
      content: scaledPath(
        path,
        sides.width === null && path ? 1 : box.width / 100,
        sides.height === null && path ? 1 : box.height / 100,
        sides.width === null ? -(bounds?.x ?? 0) : 0,
        sides.height === null ? -(bounds?.y ?? 0) : 0,
      ),
    };
  });
  const { sound } = element;
  return {
    at(time, space) {
      const own = valuesAt(animated, time);
      if (!own.visible) return { values: own, body: null };
      const values = sound ? { ...own, path: soundPath(sound, time) } : own;
      return { values, body: bodyOf(values, space.width, space.height) };
    },
    follow(next) {
      if (next.type === 'shape') animated = next.values;
    },
  };
}

/** Pixels of a picture or a room for it. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * The rectangle of the whole picture. cover: fills the room and exceeds it; contain: fits inside; fill: is stretched.
 *
 * @param room Box without padding, document pixels.
 * @param alignX 0–1: how to distribute the excess or the slack; 0.5 = centred.
 */
export function fitMedia(fit: Fit, media: Size, room: Rect, alignX: number, alignY: number): Rect {
  if (fit === 'fill' || media.width <= 0 || media.height <= 0) return room;
  const scales = [room.width / media.width, room.height / media.height] as const;
  const scale = fit === 'cover' ? Math.max(...scales) : Math.min(...scales);
  const width = media.width * scale;
  const height = media.height * scale;
  return {
    x: room.x + (room.width - width) * alignX,
    y: room.y + (room.height - height) * alignY,
    width,
    height,
  };
}

/**
 * `cover` with `smart_crop`: the subject of the picture as close to the middle of the room as its edges allow.
 * Alignment is ignored; when the room changes its shape, the picture glides instead of jumping.
 */
export function coverAround(focus: Focus, media: Size, room: Rect): Rect {
  const centred = fitMedia('cover', media, room, 0.5, 0.5);
  const { width, height } = centred;
  const start = (wanted: number, slack: number): number => Math.min(0, Math.max(-slack, wanted));
  return {
    ...centred,
    x: room.x + start(room.width / 2 - focus.x * width, Math.max(0, width - room.width)),
    y: room.y + start(room.height / 2 - focus.y * height, Math.max(0, height - room.height)),
  };
}
