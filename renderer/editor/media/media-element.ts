/** The element that shows or plays a file of the media library. Pure. */
import type { WindowMedia } from '../../../shared/api.ts';
import type { JsonObject } from '../../../shared/renderscript/source.ts';
import { musicElement } from '../making/pieces.ts';

/** The facts of a file that its element depends on. */
export type MediaFacts = Pick<WindowMedia, 'kind' | 'source' | 'width' | 'height' | 'duration'>;

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
