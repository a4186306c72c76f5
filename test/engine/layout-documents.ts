/**
 * Small documents for the tests of layout and text: compiled timelines written by hand, and a measurer whose widths can
 * be worked out in one's head.
 */
import type {
  Animated,
  Color,
  CompositionValues,
  ImageValues,
  Length,
  ShapeValues,
  TextElementValues,
  TextValues,
  VisualValues,
} from '../../shared/engine/compile/property-values.ts';
import type {
  Animation,
  CompositionElement,
  ImageElement,
  ShapeElement,
  TextElement,
  Timeline,
  TimelineElement,
  VideoElement,
} from '../../shared/engine/compile/timeline.ts';
import { graphemesOf } from '../../shared/engine/text/breaks.ts';
import type { Measurer } from '../../shared/engine/text/measurer.ts';

/** Every grapheme is half its font size wide; 0.8 of it stands above the baseline, 0.2 below. Bold is a tenth wider. */
export const measurer: Measurer = {
  width: (text, { size, weight }) =>
    graphemesOf(text).length * size * 0.5 * (weight >= 700 ? 1.1 : 1),
  metrics: ({ size }) => ({ ascent: size * 0.8, descent: size * 0.2 }),
};

export const px = (value: number): Length => ({ px: value, percent: 0 });
export const percent = (value: number): Length => ({ px: 0, percent: value / 100 });
export const red: Color = [255, 0, 0, 1];
export const black: Color = [0, 0, 0, 1];

const visual: VisualValues = {
  visible: true,
  x: percent(50),
  y: percent(50),
  width: percent(100),
  height: percent(100),
  aspectRatio: null,
  xPadding: px(0),
  yPadding: px(0),
  zIndex: null,
  xAnchor: percent(50),
  yAnchor: percent(50),
  xScale: 1,
  yScale: 1,
  xSkew: 0,
  ySkew: 0,
  xRotation: 0,
  yRotation: 0,
  zRotation: 0,
  perspective: null,
  backfaceVisible: true,
  xAlignment: 0.5,
  yAlignment: 0.5,
  fillColor: null,
  fillMode: 'solid',
  fillX0: percent(50),
  fillY0: percent(0),
  fillX1: percent(50),
  fillY1: percent(100),
  fillRadius: percent(50),
  strokeColor: null,
  strokeWidth: px(1),
  strokeCap: 'round',
  strokeJoin: 'round',
  strokeStart: 0,
  strokeEnd: 1,
  strokeOffset: 0,
  borderRadius: px(0),
  shadowColor: null,
  shadowBlur: px(3),
  shadowX: px(0),
  shadowY: px(0),
  clip: false,
  opacity: 1,
  blendMode: 'none',
  colorFilter: 'none',
  colorFilterValue: 0,
  colorOverlay: null,
  keyColor: null,
  keyTolerance: 0.4,
  keySoftness: 0.3,
  keySpill: 1,
  lookExposure: 0,
  lookContrast: 0,
  lookSaturation: 0,
  lookTemperature: 0,
  lookTint: 0,
  lookLut: null,
  lookLutStrength: 1,
  lookVignette: 0,
  blurRadius: 0,
  blurMode: 'stack',
  maskMode: null,
  repeat: false,
  warpMode: 'default',
  warpMatrix: null,
};

/** A text's values: black, 20 px, line height 1, as large as the text. */
export const textValues: TextValues = {
  ...visual,
  width: null,
  height: null,
  xAlignment: 0,
  yAlignment: 0,
  fillColor: black,
  text: '',
  fontFamily: 'Aileron',
  fontWeight: 400,
  fontStyle: 'normal',
  fontSize: 20,
  fontSizeMinimum: 1,
  fontSizeMaximum: 100,
  letterSpacing: 0,
  lineHeight: 1,
  textWrap: true,
  textClip: false,
  textTransform: 'none',
  backgroundColor: null,
  backgroundXPadding: percent(25),
  backgroundYPadding: percent(25),
  backgroundBorderRadius: px(0),
  backgroundAlignThreshold: 0.2,
};

/** What may be said about an element besides its values. */
export interface Options<P> {
  readonly name?: string;
  readonly track?: number;
  readonly start?: number;
  readonly duration?: number;
  readonly animations?: readonly Animation[];
  readonly curves?: Animated<P>['curves'];
}

let count = 0;

function common<P>(base: P, { name, track, start, duration, animations, curves }: Options<P>) {
  count++;
  return {
    path: `elements[${count}]`,
    name: name ?? `Element ${count}`,
    track: track ?? count,
    start: start ?? 0,
    duration: duration ?? 10,
    animations: animations ?? [],
    values: { base, curves: curves ?? {} } satisfies Animated<P>,
  };
}

/** A red shape; its anchors are the language's null unless given. */
export function shape(
  values: Partial<ShapeValues>,
  options: Options<ShapeValues> = {},
): ShapeElement {
  const base = { ...visual, xAnchor: null, yAnchor: null, fillColor: red, path: null, ...values };
  return { type: 'shape', ...common<ShapeValues>(base, options) };
}

export function text(
  values: Partial<Omit<TextElementValues, 'fontSize'>> & { fontSize?: Length | number | null },
  options: Options<TextElementValues> = {},
): TextElement {
  const { fontSize, ...more } = { ...textValues, ...values };
  const settled = typeof fontSize === 'number' ? px(fontSize) : fontSize;
  return {
    type: 'text',
    ...common<TextElementValues>({ ...more, fontSize: settled }, options),
  };
}

export function image(
  values: Partial<ImageValues>,
  options: Options<ImageValues> = {},
): ImageElement {
  const base: ImageValues = { ...visual, fit: 'cover', ...values };
  return { type: 'image', source: 'photo.jpg', ...common<ImageValues>(base, options) };
}

export function video(
  values: Partial<ImageValues>,
  clip: Partial<VideoElement['clip']>,
  options: Options<ImageValues> = {},
): VideoElement {
  return {
    ...image(values, options),
    type: 'video',
    source: 'clip.mp4',
    clip: { trimStart: 0, trimDuration: 4, loop: false, speed: 1, ...clip },
  };
}

export function composition(
  values: Partial<CompositionValues>,
  children: readonly TimelineElement[],
  options: Options<CompositionValues> &
    Partial<Pick<CompositionElement, 'loop' | 'plays' | 'contentDuration'>> = {},
): CompositionElement {
  const { loop = false, plays = null, contentDuration = options.duration ?? 10 } = options;
  return {
    type: 'composition',
    ...common<CompositionValues>({ ...visual, flowDirection: 'vertical', ...values }, options),
    children,
    loop,
    plays,
    contentDuration,
  };
}

/** A document of 200 × 100 pixels and 10 seconds; a duration of 0 makes it a picture. */
export function documentOf(elements: readonly TimelineElement[], duration = 10): Timeline {
  const { fillColor, fillMode, fillX0, fillY0, fillX1, fillY1, fillRadius } = visual;
  return {
    width: 200,
    height: 100,
    duration,
    output: {
      format: duration > 0 ? 'mp4' : 'png',
      width: 200,
      height: 100,
      frameRate: 30,
      frameCount: Math.max(1, duration * 30),
      crf: 23,
      videoCodec: 'h264',
      gifQuality: 'fast',
      gifCompression: 0,
      gifLoop: false,
      loudness: null,
    },
    snapshotTime: null,
    moment: null,
    snapshotLocation: null,
    emojiStyle: 'facebook',
    fill: { base: { fillColor, fillMode, fillX0, fillY0, fillX1, fillY1, fillRadius }, curves: {} },
    root: composition({}, elements, { duration }),
    sounds: [],
    warnings: [],
  };
}
