/** Fill, stroke, shadow and pixel effects of an element, settled for a box of known size. Pure. */
import type { Color, FillValues, GradientStop, VisualValues } from '../compile/property-values.ts';
import type { Paint, PixelEffects, Shadow, Stroke } from './box.ts';
import { lengthIn } from './length.ts';

/** The paint of an area of this size, or null when nothing would be painted. */
export function fillPaint(values: FillValues, width: number, height: number): Paint | null {
  return paintOf(values.fillColor, values.fillMode, values, width, height);
}

/**
 * The outline, or null. Its stops are a gradient in any mode, linear unless the fill's is radial, between the fill's points.
 * `whole` is what a percent width counts of: the shorter side of the parent.
 */
export function strokeOf(
  values: VisualValues,
  width: number,
  height: number,
  whole: number,
): Stroke | null {
  const { strokeColor, strokeStart: start, strokeEnd: end, strokeOffset: offset } = values;
  const mode = values.fillMode === 'solid' ? 'linear' : values.fillMode;
  const paint = paintOf(strokeColor, mode, values, width, height);
  const strokeWidth = lengthIn(values.strokeWidth, whole);
  if (!paint || strokeWidth <= 0 || end <= start) return null;
  return {
    paint,
    width: strokeWidth,
    cap: values.strokeCap,
    join: values.strokeJoin,
    start,
    end,
    offset,
  };
}

/** The drop shadow, or null. Percent offsets are of the box's sides, a percent blur of the shorter one. */
export function shadowOf(values: VisualValues, width: number, height: number): Shadow | null {
  const { shadowColor: color } = values;
  if (!color || color[3] <= 0) return null;
  return {
    color,
    blur: Math.max(0, lengthIn(values.shadowBlur, Math.min(width, height))),
    x: lengthIn(values.shadowX, width),
    y: lengthIn(values.shadowY, height),
  };
}

/** What happens to the element's pixels, or null when nothing does: a filter of amount 0 does nothing. */
export function pixelEffectsOf(values: VisualValues): PixelEffects | null {
  const filter = values.colorFilterValue === 0 ? 'none' : values.colorFilter;
  const blur = Math.max(0, values.blurRadius);
  const overlay = values.colorOverlay && values.colorOverlay[3] > 0 ? values.colorOverlay : null;
  if (filter === 'none' && blur === 0 && !overlay) return null;
  const { blurMode, colorFilterValue: filterValue } = values;
  return { blur, blurMode, filter, filterValue, overlay };
}

function paintOf(
  color: Color | readonly GradientStop[] | null,
  mode: FillValues['fillMode'],
  values: FillValues,
  width: number,
  height: number,
): Paint | null {
  if (!color) return null;
  // Colour and mode are separate properties, so either may be keyframed past the other: one colour is solid in any
  // mode, and of stops a solid fill takes the first.
  const stops = isColor(color) ? null : color;
  if (!stops || mode === 'solid') {
    const single = isColor(color) ? color : stops?.[0]?.color;
    return single && single[3] > 0 ? { kind: 'solid', color: single } : null;
  }
  if (stops.every((stop) => stop.color[3] <= 0)) return null;
  const x = lengthIn(values.fillX0, width);
  const y = lengthIn(values.fillY0, height);
  if (mode === 'radial') {
    const radius = Math.max(0, lengthIn(values.fillRadius, Math.max(width, height)));
    return { kind: 'radial', x, y, radius, stops };
  }
  const x1 = lengthIn(values.fillX1, width);
  const y1 = lengthIn(values.fillY1, height);
  return { kind: 'linear', x0: x, y0: y, x1, y1, stops };
}

/** A colour is four numbers, a gradient a list of stops. */
function isColor(color: Color | readonly GradientStop[]): color is Color {
  return typeof color[0] === 'number';
}
