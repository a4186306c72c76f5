/** Every place of a document in which a colour is written, and what it is the colour of. Pure. */
import { parseColor, type Rgba } from '../../../shared/renderscript/color.ts';
import { isJsonObject, type Json } from '../../../shared/renderscript/source.ts';
import type { Seen } from './grounds.ts';

/**
 * What a colour is for: something that fills or outlines, letters, a part of a text by its tag, a word while it is
 * spoken, or what only goes with something else, such as a shadow.
 */
export type ColorUse = 'surface' | 'letters' | 'tag' | 'spoken' | 'companion';

/** A colour in a document. */
export interface ColorSpot {
  /** Of the string, e.g. `elements[0].fill_color[1].color`. */
  readonly path: string;
  /** As written; null: it isn't, and letters are black. */
  readonly written: string | null;
  readonly color: Rgba;
  readonly use: ColorUse;
  readonly of: Seen;
  /** How much of the picture it colours, about, 0–1. */
  readonly weight: number;
}

/** A part of a text that has a colour of its own: `[color #f00]`. */
export const colorTag = /\[color ([^\][]{1,128})\]/g;

const weights = { outline: 0.1, letters: 0.05, companion: 0.001 };

/** All of them, in the order in which they are painted. Photos, and what is done to them, have none. */
export function colorSpotsOf(seen: readonly Seen[]): readonly ColorSpot[] {
  const frame = seen[0]?.box;
  const whole = frame ? frame.width * frame.height : 1;
  return seen.flatMap((of): ColorSpot[] => {
    const { element, box, path } = of;
    const at = (name: string): string => (path === '' ? name : `${path}.${name}`);
    const isText = element.type === 'text';
    const isPhoto = element.type === 'image' || element.type === 'video';
    const area = Math.min(1, (box.width * box.height) / Math.max(1, whole)) * of.opacity;
    const spots = (name: string, use: ColorUse, weight: number): ColorSpot[] =>
      leavesOf(element[name], at(name)).map((leaf) => ({ ...leaf, use, of, weight }));
    const found = [
      ...spots(
        'fill_color',
        isText ? 'letters' : 'surface',
        isText ? area * weights.letters : area,
      ),
      ...spots('background_color', 'surface', area / 2),
      ...spots(
        'stroke_color',
        isText ? 'companion' : 'surface',
        isText ? area * weights.companion : area * weights.outline,
      ),
      ...spots('shadow_color', 'companion', area * weights.companion),
      ...(isPhoto ? [] : spots('color_overlay', 'surface', area)),
      ...spots('transcript_color', 'spoken', area * weights.letters),
    ];
    const animations = Array.isArray(element.animations)
      ? (element.animations as readonly Json[])
      : [];
    animations.forEach((animation, index) => {
      if (!isJsonObject(animation)) return;
      for (const name of ['color', 'ring_color']) {
        const where = `${at('animations')}[${index}].${name}`;
        for (const leaf of leavesOf(animation[name], where))
          found.push({ ...leaf, use: 'companion', of, weight: area * weights.companion });
      }
    });
    if (isText && typeof element.text === 'string')
      for (const [, written = ''] of element.text.matchAll(colorTag)) {
        const color = parseColor(written);
        const weight = area * weights.companion;
        if (color) found.push({ path: at('text'), written, color, use: 'tag', of, weight });
      }
    if (isText && element.fill_color === undefined)
      found.push({
        path: at('fill_color'),
        written: null,
        color: [0, 0, 0, 1],
        use: 'letters',
        of,
        weight: 0,
      });
    return found;
  });
}

/** The colours of a value: itself, the stops of a gradient, or those of its keyframes. */
function leavesOf(
  value: Json | undefined,
  path: string,
): readonly { readonly path: string; readonly written: string; readonly color: Rgba }[] {
  if (typeof value === 'string') {
    const color = parseColor(value);
    return color ? [{ path, written: value, color }] : [];
  }
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).flatMap((item, index) =>
    isJsonObject(item)
      ? ['value', 'color'].flatMap((name) => leavesOf(item[name], `${path}[${index}].${name}`))
      : [],
  );
}
