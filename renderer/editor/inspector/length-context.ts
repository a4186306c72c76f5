/** What the lengths of a property count of: the sides that its percentages and views mean. Pure. */
import type { Outline } from '../../../shared/preview.ts';
import type { LengthContext, Size } from '../canvas/length.ts';
import { parentOf } from '../canvas/hits.ts';

/** Which side 100 % of a property is. Those that are missing count of something else. */
const wholes: Readonly<
  Record<string, 'width' | 'height' | 'smaller' | 'own width' | 'own height'>
> = {
  x: 'width',
  width: 'width',
  y: 'height',
  height: 'height',
  stroke_width: 'smaller',
  font_size: 'smaller',
  x_anchor: 'own width',
  y_anchor: 'own height',
};

/** Null where it is not known: the element does not show at the moment, or its percentages count of something else. */
export function lengthContextOf(
  path: string,
  name: string,
  outlines: Readonly<Record<string, Outline>>,
  document: Size,
): LengthContext | null {
  const whole = wholes[name];
  const parent = parentOf(path);
  const room = parent === '' ? document : outlines[parent]?.inside;
  const own = outlines[path];
  if (whole === undefined || !room || document.width === 0) return null;
  if (whole === 'own width' || whole === 'own height')
    return own ? { whole: whole === 'own width' ? own.width : own.height, document } : null;
  const { width, height } = room;
  return { whole: whole === 'smaller' ? Math.min(width, height) : room[whole], document };
}
