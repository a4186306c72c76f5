/** An element that shows another file: its place, size, fit and looks stay. Pure. */
import { property } from '../../../shared/renderscript/properties.ts';
import { elementTypes, type Json, type JsonObject } from '../../../shared/renderscript/source.ts';
import { parseAmount } from '../../../shared/renderscript/units.ts';
import { parsePath, withoutProperties } from '../source/json-text.ts';
import { PatchedText } from '../source/patch.ts';
import type { MediaFacts } from './media-element.ts';

/** Types of elements whose file is seen. */
export type ShownMedia = 'image' | 'video';

/** The type, if its file is seen; null for others. */
export function shownMedia(element: JsonObject | null): ShownMedia | null {
  const type = element?.type;
  return type === 'image' || type === 'video' ? type : null;
}

/**
 * The document with another file in an element. A picture in place of a video makes it an image, and the other way
 * round; then it loses what the new type does not have. A part of the file that the new one is too short for, it loses,
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
