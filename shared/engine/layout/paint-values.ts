/**
 * The look of an element: the values that paint gets, resolved for a box of known size. Pure. A new painted property
 * needs a line here, and a painter.
 */
import type { BlendMode } from '../../renderscript/properties.ts';
import type { Color, FillValues, GradientStop, VisualValues } from '../compile/property-values.ts';
import { lengthIn } from './length.ts';

/** Paint of an area, coordinates in box space. */
export type Paint =
  | { readonly kind: 'solid'; readonly color: Color }
  | {
      readonly kind: 'linear';
      readonly x0: number;
      readonly y0: number;
      readonly x1: number;
      readonly y1: number;
      readonly stops: readonly GradientStop[];
    }
  | {
      readonly kind: 'radial';
      readonly x: number;
      readonly y: number;
      readonly radius: number;
      readonly stops: readonly GradientStop[];
    };

/** An outline, centred on its edge. */
export interface Stroke {
  readonly paint: Paint;
  readonly width: number;
  readonly cap: 'butt' | 'square' | 'round';
  readonly join: 'miter' | 'bevel' | 'round';
  /** Visible part as shares of the length, offset already a share too: see paint/shape.ts for the wrap-around. */
  readonly start: number;
  readonly end: number;
  readonly offset: number;
}

/** A drop shadow; `blur` is the blur radius in the sense of canvas `shadowBlur`. */
export interface Shadow {
  readonly color: Color;
  readonly blur: number;
  readonly x: number;
  readonly y: number;
}

/** A colour that becomes transparent. Tolerance and softness: 1 = the way from it to grey; see paint/looks.ts. */
export interface ColorKey {
  readonly color: Color;
  readonly tolerance: number;
  readonly softness: number;
  /** 0–1: how much of the key's colour is taken out of what stays. */
  readonly spill: number;
}

/** Changes of light and colour that combine; 0 = none of each. Exposure in stops, the others −1–1. */
export interface Grade {
  readonly exposure: number;
  readonly contrast: number;
  readonly saturation: number;
  readonly temperature: number;
  readonly tint: number;
}

/** A table of colours, by its address in the document, and how far colours go towards those in it, 0–1. */
export interface LutUse {
  readonly source: string;
  readonly strength: number;
}

/** What happens to an element's finished pixels before they are blended. Null if nothing. */
export interface PixelEffects {
  readonly key: ColorKey | null;
  readonly grade: Grade | null;
  readonly lut: LutUse | null;
  /** Darkness of the corners, 0–1. */
  readonly vignette: number;
  /** Document pixels; 0 = none. */
  readonly blur: number;
  readonly blurMode: 'stack' | 'box' | 'box-2';
  readonly filter: 'none' | 'brighten' | 'contrast' | 'hue' | 'invert' | 'grayscale' | 'sepia';
  /** 1 = 100 %. */
  readonly filterValue: number;
  readonly overlay: Color | null;
}

/** What is known as soon as a box's size is. */
export interface Look {
  readonly blendMode: BlendMode;
  readonly fill: Paint | null;
  readonly stroke: Stroke | null;
  readonly shadow: Shadow | null;
  readonly effects: PixelEffects | null;
  /** Corner radius in pixels, already limited to half the shorter side if the box is a rectangle. */
  readonly borderRadius: number;
  /** True = content is clipped to the box and its rounded corners. */
  readonly clip: boolean;
  /** Set: this box is not drawn; it masks the box just before it among its siblings. */
  readonly mask: VisualValues['maskMode'];
  /** True = tiled over the parent. */
  readonly repeat: boolean;
}

/** The look of an element. `whole` is the reference of a percent outline: the shorter side of the parent. */
export function lookOf(values: VisualValues, width: number, height: number, whole: number): Look {
  const radius = values.borderRadius.px + values.borderRadius.percent * Math.min(width, height);
  return {
    blendMode: values.blendMode,
    fill: fillPaint(values, width, height),
    stroke: strokeOf(values, width, height, whole),
    shadow: shadowOf(values, width, height),
    effects: pixelEffectsOf(values),
    borderRadius: Math.max(0, Math.min(radius, width / 2, height / 2)),
    clip: values.clip,
    mask: values.maskMode,
    repeat: values.repeat,
  };
}

/** The paint of an area of this size, or null if nothing would be painted. */
export function fillPaint(values: FillValues, width: number, height: number): Paint | null {
  return paintOf(values.fillColor, values.fillMode, values, width, height);
}

/**
 * The outline, or null. Its stops are a gradient in any mode, linear unless the fill's is radial, between the fill's
 * points. `whole` is the reference of a percent width: the shorter side of the parent.
 */
function strokeOf(
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
function shadowOf(values: VisualValues, width: number, height: number): Shadow | null {
  const { shadowColor: color } = values;
  if (!color || color[3] <= 0) return null;
  return {
    color,
    blur: Math.max(0, lengthIn(values.shadowBlur, Math.min(width, height))),
    x: lengthIn(values.shadowX, width),
    y: lengthIn(values.shadowY, height),
  };
}

/** What happens to the element's pixels, or null if nothing: a filter of amount 0 does nothing. */
function pixelEffectsOf(values: VisualValues): PixelEffects | null {
  const filter = values.colorFilterValue === 0 ? 'none' : values.colorFilter;
  const blur = Math.max(0, values.blurRadius);
  const overlay = values.colorOverlay && values.colorOverlay[3] > 0 ? values.colorOverlay : null;
  const key = colorKeyOf(values);
  const grade = gradeOf(values);
  const lut = lutUseOf(values);
  const { blurMode, colorFilterValue: filterValue, lookVignette: vignette } = values;
  const hasLook = key !== null || grade !== null || lut !== null || vignette > 0;
  if (filter === 'none' && blur === 0 && !overlay && !hasLook) return null;
  return { key, grade, lut, vignette, blur, blurMode, filter, filterValue, overlay };
}

function colorKeyOf(values: VisualValues): ColorKey | null {
  const { keyColor: color, keyTolerance: tolerance, keySoftness: softness, keySpill } = values;
  return color && color[3] > 0 ? { color, tolerance, softness, spill: keySpill } : null;
}

function lutUseOf({ lookLut, lookLutStrength: strength }: VisualValues): LutUse | null {
  const source = lookLut ?? '';
  return source.trim() === '' || strength === 0 ? null : { source, strength };
}

function gradeOf(values: VisualValues): Grade | null {
  const grade: Grade = {
    exposure: values.lookExposure,
    contrast: values.lookContrast,
    saturation: values.lookSaturation,
    temperature: values.lookTemperature,
    tint: values.lookTint,
  };
  return Object.values(grade).some((value) => value !== 0) ? grade : null;
}

function paintOf(
  color: Color | readonly GradientStop[] | null,
  mode: FillValues['fillMode'],
  values: FillValues,
  width: number,
  height: number,
): Paint | null {
  if (!color) return null;
  // Colour and mode are separate properties, so they may be keyframed separately: one colour is solid in any mode, and
  // a solid fill takes the first of several stops.
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
