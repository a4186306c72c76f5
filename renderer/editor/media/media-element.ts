/** The element that shows or plays a file of the media library. Pure. */
import type { WindowMedia } from '../../../shared/api.ts';
import {
  elementTypes,
  isMediaKind,
  type Json,
  type JsonObject,
  type MediaKind,
} from '../../../shared/renderscript/source.ts';
import { musicElement } from '../making/pieces.ts';
import { property } from '../../../shared/renderscript/properties.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';
import { parsePath, withoutProperties } from '../source/json-text.ts';
import { PatchedText } from '../source/patch.ts';

/** A file of the library that elements show or play: anything but a table of colors. */
export type ElementMedia = WindowMedia & { readonly kind: MediaKind };

export const isForElements = (media: WindowMedia): media is ElementMedia => media.kind !== 'lut';

/** The facts of a file that its element depends on. */
export type MediaFacts = Pick<ElementMedia, 'kind' | 'source' | 'width' | 'height' | 'duration'>;

/** What files become in a film: scenes after the others, something over them, or sounds. */
export function roleOf(kinds: readonly MediaKind[]): 'scene' | 'seen' | 'heard' {
  if (kinds.every((kind) => kind === 'audio')) return 'heard';
  return kinds.every((kind) => kind === 'lottie') ? 'seen' : 'scene';
}

/** Share of the frame's sides that a file takes which is not to fill it: most of it, or what a logo or sticker does. */
const rooms = { picture: 0.7, layer: 0.36 } as const;
/** Seconds from which a sound is taken for music, which goes on to the end of the film. */
const music = 20;

/**
 * An element for a file, without its name: what has about the frame's shape, or is the first thing in it, fills it;
 * other pictures keep their own shape within it.
 *
 * @param frame Pixels of the document.
 * @param size Of what does not fill it.
 */
export function elementOf(
  { kind, source, width, height, duration }: MediaFacts,
  frame: { readonly width: number; readonly height: number },
  isFirst: boolean,
  size: keyof typeof rooms = 'picture',
): JsonObject {
  if (kind === 'audio')
    return duration >= music ? { ...musicElement(), source } : { type: 'audio', source };
  const place = { type: kind, x: '50%', y: '50%' };
  const room = rooms[size];
  const isKnown = width > 0 && height > 0 && frame.width > 0 && frame.height > 0;
  const shape = isKnown ? width / height / (frame.width / frame.height) : 1;
  if (isFirst || !isKnown || Math.abs(Math.log(shape)) < Math.log(1.12))
    return { ...place, width: '100%', height: '100%', source };
  const percent = (share: number): string => `${Number((share * 100).toFixed(2))}%`;
  return {
    ...place,
    width: percent(room * Math.min(1, shape)),
    height: percent(room * Math.min(1, 1 / shape)),
    source,
  };
}

/* An element that shows another file: its place, size, fit and looks stay. */

/** Types of elements whose file is seen. */
type ShownMedia = Exclude<MediaKind, 'audio'>;

/** The type, if its file is seen; null for others. */
export function shownMedia(element: JsonObject | null): ShownMedia | null {
  const type = element?.type;
  return isMediaKind(type) && type !== 'audio' ? type : null;
}

/**
 * The document with another file in an element. A picture in place of a video makes it an image, and so on; then it
 * loses what the new type does not have. A part of the file that the new one is too short for, it loses,
 * too.
 */
export function withFile(
  text: string,
  path: string,
  element: JsonObject,
  { kind, source, duration }: Pick<MediaFacts, 'kind' | 'source' | 'duration'>,
): string {
  const before = elementTypes.find((type) => type === element.type);
  if (!before) return text;
  const isOther = kind !== before;
  const seconds = (name: string): number => parseAmount(element[name])?.value ?? 0;
  const isShort = duration > 0 && seconds('trim_start') + seconds('trim_duration') > duration;
  const gone = Object.keys(element).filter(
    (name) =>
      (isOther && property(before, name) !== undefined && property(kind, name) === undefined) ||
      // With it, the file's address would be spoken.
      name === 'provider' ||
      (isShort && /^trim_/.test(name)),
  );
  const values: Record<string, Json> = {
    ...(isOther && { [`${path}.type`]: kind }),
    [`${path}.source`]: source,
  };
  const rest = withoutProperties(
    text,
    gone.map((name) => parsePath(`${path}.${name}`)),
  );
  return new PatchedText(rest).with(values);
}
