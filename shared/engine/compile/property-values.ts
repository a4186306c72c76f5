/**
 * Property values in the compiled document (timeline.ts), with settled units: what `x`, `fill_color` or `font_size` are
 * for every later phase, constant or keyframed. Plain data.
 */
import type { Easing } from '../../renderscript/easing.ts';
import type { PathCommand } from '../../renderscript/path.ts';
import type { BlendMode } from '../../renderscript/properties.ts';

/** Red, green, blue 0–255 and opacity 0–1, e.g. `[255, 0, 0, 0.5]`. */
export type Color = readonly [red: number, green: number, blue: number, alpha: number];

/**
 * A length: document pixels plus a fraction of the parent's side, e.g. `{ px: 0, percent: 0.5 }` for `50%`.
 * Both parts interpolate separately, so keyframes may mix units. Compiling turns vw, vh, vmin and vmax into px.
 */
export interface Length {
  readonly px: number;
  readonly percent: number;
}

/** One colour stop of a gradient; offset 0–1. */
export interface GradientStop {
  readonly offset: number;
  readonly color: Color;
}

/** A whole path, absolute, arcs already turned into cubics. */
export type Path = readonly PathCommand[];

/** A point as fractions of the element's box (1 = 100 %); may lie outside. */
export interface WarpPoint {
  readonly x: Length;
  readonly y: Length;
}

/** One keyframe: `easing` belongs to the segment that ends here. `time` in seconds of the element's clock. */
export interface Keyframe<T> {
  readonly time: number;
  readonly value: T;
  readonly easing: Easing;
}

/** A property that changes over time. `mix` names the interpolation; `step` holds the last value. Keys are sorted. */
export interface Curve<T> {
  readonly mix: 'number' | 'length' | 'color' | 'fill' | 'path' | 'warp' | 'step';
  readonly keys: readonly Keyframe<T>[];
}

/**
 * Property values of an element: `base` holds every property (for a keyframed one, its first key's value), `curves`
 * only the keyframed ones. `valuesAt(values, time)` in keyframes.ts returns `base` itself without curves, so that later
 * phases can compare by identity.
 */
export interface Animated<P> {
  readonly base: P;
  readonly curves: { readonly [K in keyof P]?: Curve<P[K]> };
}

/** The kind of a fill. */
export type FillMode = 'solid' | 'linear' | 'radial';
/** How a picture fits its box: fills it and is cropped, lies whole inside, or is stretched. */
export type Fit = 'cover' | 'contain' | 'fill';
/** How an area is filled. `color` is null for none, one colour for `solid`, stops for gradients. */
export interface FillValues {
  readonly fillColor: Color | readonly GradientStop[] | null;
  readonly fillMode: FillMode;
  /** Gradient points as a share of the box (plus px). */
  readonly fillX0: Length;
  readonly fillY0: Length;
  readonly fillX1: Length;
  readonly fillY1: Length;
  /** Radius of a radial gradient; percent is of max(width, height). */
  readonly fillRadius: Length;
}

/** Properties that every visible element has. Names are the JSON keys in camelCase. */
export interface VisualValues extends FillValues {
  readonly visible: boolean;
  readonly x: Length | null;
  readonly y: Length | null;
  readonly width: Length | null;
  readonly height: Length | null;
  /** Width ÷ height, or null. */
  readonly aspectRatio: number | null;
  readonly xPadding: Length;
  readonly yPadding: Length;
  readonly zIndex: number | null;
  /** Share of the element's own size; null only for shapes (see layout). */
  readonly xAnchor: Length | null;
  readonly yAnchor: Length | null;
  /** 1 = 100 %. */
  readonly xScale: number;
  readonly yScale: number;
  /** Degrees. */
  readonly xSkew: number;
  readonly ySkew: number;
  readonly xRotation: number;
  readonly yRotation: number;
  readonly zRotation: number;
  readonly perspective: Length | null;
  readonly backfaceVisible: boolean;
  /** 0–1: where the content sits in the box. */
  readonly xAlignment: number;
  readonly yAlignment: number;
  readonly strokeColor: Color | readonly GradientStop[] | null;
  /** Percent is of the parent's smaller side. */
  readonly strokeWidth: Length;
  readonly strokeCap: 'butt' | 'square' | 'round';
  readonly strokeJoin: 'miter' | 'bevel' | 'round';
  /** 0–1 of the path's length. */
  readonly strokeStart: number;
  readonly strokeEnd: number;
  readonly strokeOffset: number;
  readonly borderRadius: Length;
  readonly shadowColor: Color | null;
  readonly shadowBlur: Length;
  readonly shadowX: Length;
  readonly shadowY: Length;
  readonly clip: boolean;
  /** 0–1. */
  readonly opacity: number;
  readonly blendMode: BlendMode;
  readonly colorFilter: 'none' | 'brighten' | 'contrast' | 'hue' | 'invert' | 'grayscale' | 'sepia';
  /** 1 = 100 %. */
  readonly colorFilterValue: number;
  readonly colorOverlay: Color | null;
  /** Null = no colour becomes transparent. The others 0–1. */
  readonly keyColor: Color | null;
  readonly keyTolerance: number;
  readonly keySoftness: number;
  readonly keySpill: number;
  /** Stops. */
  readonly lookExposure: number;
  /** −1–1, 0 = unchanged. */
  readonly lookContrast: number;
  readonly lookSaturation: number;
  readonly lookTemperature: number;
  readonly lookTint: number;
  /** Address of a table of colours; null = none. Strength and vignette 0–1. */
  readonly lookLut: string | null;
  readonly lookLutStrength: number;
  readonly lookVignette: number;
  /** Document pixels. */
  readonly blurRadius: number;
  readonly blurMode: 'stack' | 'box' | 'box-2';
  readonly maskMode: 'alpha' | 'alpha-inverted' | 'luma' | 'luma-inverted' | null;
  readonly repeat: boolean;
  readonly warpMode: 'default' | 'perspective';
  readonly warpMatrix: readonly (readonly WarpPoint[])[] | null;
}

/**
 * What text adds, with sizes in document pixels; a null font size is fitted to the box. Layout makes them from a text's
 * values.
 */
export interface TextValues extends VisualValues {
  /** After placeholders, before mark-up is read. */
  readonly text: string;
  readonly fontFamily: string;
  /** 100–900. */
  readonly fontWeight: number;
  readonly fontStyle: 'normal' | 'italic';
  readonly fontSize: number | null;
  readonly fontSizeMinimum: number;
  readonly fontSizeMaximum: number;
  /** Fraction of the font size, the language's "÷ 10" already applied: `50%` → 0.05. */
  readonly letterSpacing: number;
  /** Factor of the font size, e.g. 1.15. */
  readonly lineHeight: number;
  readonly textWrap: boolean;
  readonly textClip: boolean;
  readonly textTransform: 'none' | 'capitalize' | 'uppercase' | 'lowercase';
  readonly backgroundColor: Color | null;
  /** Percent is of the font size. */
  readonly backgroundXPadding: Length;
  readonly backgroundYPadding: Length;
  readonly backgroundBorderRadius: Length;
  /** 0–1 of the element's width. */
  readonly backgroundAlignThreshold: number;
}

/** Values of a text element: as above, but its font size may still be a percentage of the parent's smaller side. */
export type TextElementValues = Omit<TextValues, 'fontSize'> & { readonly fontSize: Length | null };

/** What pictures and videos add. */
export interface ImageValues extends VisualValues {
  readonly fit: Fit;
}

/** What shapes add. A null path is a rectangle. */
export interface ShapeValues extends VisualValues {
  readonly path: Path | null;
}

/** What compositions add: the direction for children without a position. */
export interface CompositionValues extends VisualValues {
  readonly flowDirection: 'vertical' | 'horizontal';
}
