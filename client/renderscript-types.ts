/** Made from the JSON Schema of RenderScript by make-types.ts; not written by hand. */

/** A document: a video, picture or GIF. */
export interface RenderScript extends DocumentProperties, FillProperties {
  /** What editors call a document that they export; this and the next have no effect. */
  name?: unknown;
  id?: unknown;
  /** @deprecated Has no effect. Write output_format. */
  format?: unknown;
  /** @deprecated Has no effect. Write frame_rate. */
  fps?: unknown;
  /** Names with one of these signs are notes of your own, or `$schema`. */
  [note: `_${string}` | `$${string}` | `/${string}`]: unknown;
}

export type Word4OutputFormat = 'mp4' | 'gif' | 'jpg' | 'png';

export type NumberPxFrom1 = number | `${number}` | `${number}px`;

export type NumberFpsFrom1To60 = number | `${number}` | `${number}fps`;

export type NumberSFrom0Auto = number | `${number}` | `${number}s` | 'auto';

export type NumberSFrom0 = number | `${number}` | `${number}s`;

export type Word2SnapshotLocation = 'start' | 'end';

export type Word4EmojiStyle = 'facebook' | 'google' | 'twitter' | 'apple';

export type Elements = readonly RenderElement[];

export type Fonts = readonly {
  family: string;
  source: string;
}[];

export type NumberPlainFrom17To51 = number | `${number}`;

export type Word2GifQuality = 'fast' | 'best';

export type NumberPlainFrom0To200 = number | `${number}`;

export type Boolean = boolean;

export type Variables = { readonly [key: string]: string | number | boolean };

export interface DocumentProperties {
  /** Format of the file. Default: "jpg". */
  output_format?: Word4OutputFormat | undefined;
  /** Width in pixels; null = width of the first picture or video. */
  width?: NumberPxFrom1 | null | undefined;
  /** Height in pixels; null = height of the first picture or video. */
  height?: NumberPxFrom1 | null | undefined;
  /** Frames per second, gif up to 15; null = highest rate among the videos, else 60. */
  frame_rate?: NumberFpsFrom1To60 | null | undefined;
  /** Length of the output; null = as long as its content, 5 s without any. */
  duration?: NumberSFrom0Auto | null | undefined;
  /** Moment of which a still picture is taken; null = none. */
  snapshot_time?: NumberSFrom0 | null | undefined;
  /** Puts the still in place of the first or last frame; null = a file beside the video. */
  snapshot_location?: Word2SnapshotLocation | null | undefined;
  /** Set of emoji pictures. Default: "facebook". */
  emoji_style?: Word4EmojiStyle | undefined;
  /** What the document shows; later elements draw over earlier ones. Default: []. */
  elements?: Elements | undefined;
  /** Fonts brought along: family, source, and optionally weight and style. */
  fonts?: Fonts | null | undefined;
  /** Quality of an mp4; higher = smaller file. Default: 23. */
  crf?: NumberPlainFrom17To51 | undefined;
  /** How carefully a gif chooses its colors. Default: "fast". */
  gif_quality?: Word2GifQuality | undefined;
  /** How much a gif may lose for a smaller file. Default: 0. */
  gif_compression?: NumberPlainFrom0To200 | undefined;
  /** A gif repeats for ever. Default: true. */
  loop?: Boolean | undefined;
  /** (Extension.) Values for {{name}} in any text of the document, whatever the property. */
  variables?: Variables | null | undefined;
}

export type Word6Type = 'image' | 'video' | 'audio' | 'text' | 'shape' | 'composition';

export type String = string;

export type NumberPlainFrom1Whole = number | `${number}`;

export type NumberSPercentEnd = number | `${number}` | `${number}s` | `${number}%` | 'end';

export type NumberSPercentFrFrom0MediaAuto =
  number | `${number}` | `${number}s` | `${number}%` | `${number}fr` | 'media' | 'auto';

export interface CommonProperties {
  /** Kind of element; required. */
  type?: Word6Type | undefined;
  /** Unique name for programs. */
  id?: String | null | undefined;
  /** Name for modifications and messages. */
  name?: String | null | undefined;
  /** Lane; elements of one lane follow each other. Null = a lane of its own. */
  track?: NumberPlainFrom1Whole | null | undefined;
  /** Start in the composition; 'end' = ends with it, null = after the one before in the lane. */
  time?: NumberSPercentEnd | null | undefined;
  /** Length; 'media' = of the file, fr = share of the lane, null = to the end. */
  duration?: NumberSPercentFrFrom0MediaAuto | null | undefined;
  /** False = not rendered. Default: true. */
  visible?: Boolean | undefined;
  /** Mark of the editor: meant to be replaced by modifications. Default: false. */
  dynamic?: Boolean | undefined;
  /** Mark of the editor: protected from changes. Default: false. */
  locked?: Boolean | undefined;
}

export type NumberPxPercentVwVhVminVmax =
  | number
  | `${number}`
  | `${number}%`
  | `${number}px`
  | `${number}vw`
  | `${number}vh`
  | `${number}vmin`
  | `${number}vmax`;

/** How a value moves. */
export type Easing =
  | 'linear'
  | 'sinusoid-in'
  | 'sinusoid-out'
  | 'sinusoid-in-out'
  | 'quadratic-in'
  | 'quadratic-out'
  | 'quadratic-in-out'
  | 'cubic-in'
  | 'cubic-out'
  | 'cubic-in-out'
  | 'quartic-in'
  | 'quartic-out'
  | 'quartic-in-out'
  | 'quintic-in'
  | 'quintic-out'
  | 'quintic-in-out'
  | 'exponential-in'
  | 'exponential-out'
  | 'exponential-in-out'
  | 'circular-in'
  | 'circular-out'
  | 'circular-in-out'
  | 'back-in'
  | 'back-out'
  | 'back-in-out'
  | 'elastic-in'
  | 'elastic-out'
  | 'elastic-in-out'
  | 'bounce-in'
  | 'bounce-out'
  | 'bounce-in-out'
  | 'ease'
  | 'ease-in'
  | 'ease-out'
  | 'ease-in-out'
  | 'steps'
  | 'spring'
  | `cubic-bezier(${string})`
  | `steps(${string})`
  | `spring(${string})`;

export type NumberSPercentStartEnd =
  number | `${number}` | `${number}s` | `${number}%` | 'start' | 'end';

export type NumberPxPercentVwVhVminVmaxFrom0Auto =
  | number
  | `${number}`
  | `${number}%`
  | `${number}px`
  | `${number}vw`
  | `${number}vh`
  | `${number}vmin`
  | `${number}vmax`
  | 'auto';

export type NumberPlainFrom0001 = number | `${number}`;

export type NumberPxPercentVwVhVminVmaxFrom0 =
  | number
  | `${number}`
  | `${number}%`
  | `${number}px`
  | `${number}vw`
  | `${number}vh`
  | `${number}vmin`
  | `${number}vmax`;

export type NumberPercent = number | `${number}` | `${number}%`;

export type NumberPlain = number | `${number}`;

export interface PlaceAndSizeProperties {
  /** Place of the anchor across the parent; null = placed in turn by the composition. Default: "50%". */
  x?:
    | NumberPxPercentVwVhVminVmax
    | null
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPxPercentVwVhVminVmax | null;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Place of the anchor down the parent; null = placed in turn by the composition. Default: "50%". */
  y?:
    | NumberPxPercentVwVhVminVmax
    | null
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPxPercentVwVhVminVmax | null;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Width; null = from the content. Default: "100%". */
  width?:
    | NumberPxPercentVwVhVminVmaxFrom0Auto
    | null
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPxPercentVwVhVminVmaxFrom0Auto | null;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Height; null = from the content. Default: "100%". */
  height?:
    | NumberPxPercentVwVhVminVmaxFrom0Auto
    | null
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPxPercentVwVhVminVmaxFrom0Auto | null;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Width ÷ height; the largest such box within width and height. */
  aspect_ratio?:
    | NumberPlainFrom0001
    | null
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPlainFrom0001 | null;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Space left free inside at the left and right. Default: "0 vw". */
  x_padding?:
    | NumberPxPercentVwVhVminVmaxFrom0
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPxPercentVwVhVminVmaxFrom0;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Space left free inside at the top and bottom. Default: "0 vh". */
  y_padding?:
    | NumberPxPercentVwVhVminVmaxFrom0
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPxPercentVwVhVminVmaxFrom0;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Place of the content across the box: 0% left, 100% right. Default: "50%". */
  x_alignment?:
    | NumberPercent
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPercent;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Place of the content down the box: 0% top, 100% bottom. Default: "50%". */
  y_alignment?:
    | NumberPercent
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPercent;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Drawing order among siblings; any value draws above all that have none. */
  z_index?:
    | NumberPlain
    | null
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPlain | null;
        easing?: Easing | undefined;
      }[]
    | undefined;
}

export type NumberDegrees = number | `${number}` | `${number}°`;

export type Word2WarpMode = 'default' | 'perspective';

export type NumberPercentPxVwVhVminVmax =
  | number
  | `${number}`
  | `${number}%`
  | `${number}px`
  | `${number}vw`
  | `${number}vh`
  | `${number}vmin`
  | `${number}vmax`;

export type Warp = readonly (readonly {
  x: NumberPercentPxVwVhVminVmax;
  y: NumberPercentPxVwVhVminVmax;
}[])[];

export interface TransformProperties {
  /** Point of the element's width that lies on x; everything turns and scales about it. Default: "50%". */
  x_anchor?:
    | NumberPxPercentVwVhVminVmax
    | null
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPxPercentVwVhVminVmax | null;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Point of the element's height that lies on y; everything turns and scales about it. Default: "50%". */
  y_anchor?:
    | NumberPxPercentVwVhVminVmax
    | null
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPxPercentVwVhVminVmax | null;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Scale across; negative mirrors. Default: "100%". */
  x_scale?:
    | NumberPercent
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPercent;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Scale down; negative mirrors. Default: "100%". */
  y_scale?:
    | NumberPercent
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPercent;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Slant across. Default: "0°". */
  x_skew?:
    | NumberDegrees
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberDegrees;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Slant down. Default: "0°". */
  y_skew?:
    | NumberDegrees
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberDegrees;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Turn in space about the horizontal axis. Default: "0°". */
  x_rotation?:
    | NumberDegrees
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberDegrees;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Turn in space about the vertical axis. Default: "0°". */
  y_rotation?:
    | NumberDegrees
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberDegrees;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Turn in the plane, clockwise. Default: "0°". */
  z_rotation?:
    | NumberDegrees
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberDegrees;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Distance of the eye for turns in space; smaller = stronger. */
  perspective?:
    | NumberPxPercentVwVhVminVmaxFrom0
    | null
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPxPercentVwVhVminVmaxFrom0 | null;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** False hides the element when turned away. Default: true. */
  backface_visible?:
    | Boolean
    | readonly {
        time: NumberSPercentStartEnd;
        value: Boolean;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** How the warp points bend the element. Default: "default". */
  warp_mode?:
    | Word2WarpMode
    | readonly {
        time: NumberSPercentStartEnd;
        value: Word2WarpMode;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Rows of points to which the element is bent. */
  warp_matrix?:
    | Warp
    | null
    | readonly {
        time: NumberSPercentStartEnd;
        value: Warp | null;
        easing?: Easing | undefined;
      }[]
    | undefined;
}

export type Color = string;

export type Fill =
  | Color
  | readonly {
      offset: NumberPercent;
      color: Color;
    }[];

export type Word3FillMode = 'solid' | 'linear' | 'radial';

export type NumberPercentPxVwVhVminVmaxFrom0 =
  | number
  | `${number}`
  | `${number}%`
  | `${number}px`
  | `${number}vw`
  | `${number}vh`
  | `${number}vmin`
  | `${number}vmax`;

export interface FillProperties {
  /** Color, or list of color stops for gradients; null = none. */
  fill_color?:
    | Fill
    | null
    | readonly {
        time: NumberSPercentStartEnd;
        value: Fill | null;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** One color, or a gradient along a line or around a point. Default: "solid". */
  fill_mode?:
    | Word3FillMode
    | readonly {
        time: NumberSPercentStartEnd;
        value: Word3FillMode;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Start of a linear gradient, centre of a radial one. Default: "50%". */
  fill_x0?:
    | NumberPercentPxVwVhVminVmax
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPercentPxVwVhVminVmax;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Start of a linear gradient, centre of a radial one. Default: "0%". */
  fill_y0?:
    | NumberPercentPxVwVhVminVmax
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPercentPxVwVhVminVmax;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** End of a linear gradient. Default: "50%". */
  fill_x1?:
    | NumberPercentPxVwVhVminVmax
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPercentPxVwVhVminVmax;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** End of a linear gradient. Default: "100%". */
  fill_y1?:
    | NumberPercentPxVwVhVminVmax
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPercentPxVwVhVminVmax;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Radius of a radial gradient; percent of the longer side. Default: "50%". */
  fill_radius?:
    | NumberPercentPxVwVhVminVmaxFrom0
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPercentPxVwVhVminVmaxFrom0;
        easing?: Easing | undefined;
      }[]
    | undefined;
}

export type Word3StrokeCap = 'butt' | 'square' | 'round';

export type Word3StrokeJoin = 'miter' | 'bevel' | 'round';

export type NumberPxVwVhVminVmaxFrom0 =
  | number
  | `${number}`
  | `${number}px`
  | `${number}vw`
  | `${number}vh`
  | `${number}vmin`
  | `${number}vmax`;

export interface StrokeProperties {
  /** Color of the outline; null = none. */
  stroke_color?:
    | Fill
    | null
    | readonly {
        time: NumberSPercentStartEnd;
        value: Fill | null;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Thickness of the outline; percent of the parent's smaller side. Default: "0.1 vmin". */
  stroke_width?:
    | NumberPxPercentVwVhVminVmaxFrom0
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPxPercentVwVhVminVmaxFrom0;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Ends of the outline. Default: "round". */
  stroke_cap?:
    | Word3StrokeCap
    | readonly {
        time: NumberSPercentStartEnd;
        value: Word3StrokeCap;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Corners of the outline. Default: "round". */
  stroke_join?:
    | Word3StrokeJoin
    | readonly {
        time: NumberSPercentStartEnd;
        value: Word3StrokeJoin;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Where the visible part of the outline begins. Default: "0%". */
  stroke_start?:
    | NumberPercent
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPercent;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Where the visible part of the outline ends. Default: "100%". */
  stroke_end?:
    | NumberPercent
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPercent;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Shift of the visible part along the outline; wraps around. Default: "0%". */
  stroke_offset?:
    | NumberPercent
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPercent;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Radius of the corners. Default: "0 vmin". */
  border_radius?:
    | NumberPxVwVhVminVmaxFrom0
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPxVwVhVminVmaxFrom0;
        easing?: Easing | undefined;
      }[]
    | undefined;
}

export type NumberPercentFrom0To100 = number | `${number}` | `${number}%`;

export type Word17BlendMode =
  | 'none'
  | 'multiply'
  | 'screen'
  | 'overlay'
  | 'darken'
  | 'lighten'
  | 'color-dodge'
  | 'color-burn'
  | 'hard-light'
  | 'soft-light'
  | 'lighter'
  | 'difference'
  | 'exclusion'
  | 'hue'
  | 'saturation'
  | 'color'
  | 'luminosity';

export type Word7ColorFilter =
  'none' | 'brighten' | 'contrast' | 'hue' | 'invert' | 'grayscale' | 'sepia';

export type Word3BlurMode = 'stack' | 'box' | 'box-2';

export type Word4MaskMode = 'alpha' | 'alpha-inverted' | 'luma' | 'luma-inverted';

export interface EffectsProperties {
  /** From invisible to opaque. Default: "100%". */
  opacity?:
    | NumberPercentFrom0To100
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPercentFrom0To100;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** True cuts the content at the box and its rounded corners. Default: false. */
  clip?:
    | Boolean
    | readonly {
        time: NumberSPercentStartEnd;
        value: Boolean;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** How the element mixes with what lies below it. Default: "none". */
  blend_mode?:
    | Word17BlendMode
    | readonly {
        time: NumberSPercentStartEnd;
        value: Word17BlendMode;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Color of the shadow; null = none. */
  shadow_color?:
    | Color
    | null
    | readonly {
        time: NumberSPercentStartEnd;
        value: Color | null;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Softness of the shadow. Default: "3 vmin". */
  shadow_blur?:
    | NumberPxPercentVwVhVminVmaxFrom0
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPxPercentVwVhVminVmaxFrom0;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Shift of the shadow to the right. Default: "0 vmin". */
  shadow_x?:
    | NumberPxPercentVwVhVminVmax
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPxPercentVwVhVminVmax;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Shift of the shadow downwards. Default: "0 vmin". */
  shadow_y?:
    | NumberPxPercentVwVhVminVmax
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPxPercentVwVhVminVmax;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Change of all colors; null = none. Default: "none". */
  color_filter?:
    | Word7ColorFilter
    | null
    | readonly {
        time: NumberSPercentStartEnd;
        value: Word7ColorFilter | null;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Strength of the filter. Default: "0%". */
  color_filter_value?:
    | NumberPercent
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPercent;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Color painted over the element's own pixels. */
  color_overlay?:
    | Color
    | null
    | readonly {
        time: NumberSPercentStartEnd;
        value: Color | null;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Blur of the element, in pixels. Default: 0. */
  blur_radius?:
    | NumberPxVwVhVminVmaxFrom0
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPxVwVhVminVmaxFrom0;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Kind of blur: rounded, an even square, or an even square twice. Default: "stack". */
  blur_mode?:
    | Word3BlurMode
    | readonly {
        time: NumberSPercentStartEnd;
        value: Word3BlurMode;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Set: the element is not drawn but masks the element below it. */
  mask_mode?:
    | Word4MaskMode
    | null
    | readonly {
        time: NumberSPercentStartEnd;
        value: Word4MaskMode | null;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** True tiles the element over its parent. Default: false. */
  repeat?:
    | Boolean
    | readonly {
        time: NumberSPercentStartEnd;
        value: Boolean;
        easing?: Easing | undefined;
      }[]
    | undefined;
}

export type Animations = readonly Animation[];

export interface AnimationsProperties {
  /** Movements; see the animation types. */
  animations?: Animations | null | undefined;
}

export type Word3Fit = 'cover' | 'contain' | 'fill';

export interface ImageAndVideoProperties {
  /** Fill the box and crop, fit inside it, or stretch. Default: "cover". */
  fit?: Word3Fit | undefined;
}

export interface ImageProperties {
  /** With fit cover: keeps the subject of the picture in view; alignment has no say then. Default: false. */
  smart_crop?: Boolean | undefined;
}

export interface ImageVideoAndAudioProperties {
  /** Address of the file. */
  source?: String | null | undefined;
  /** Service that makes the file. Not drawn yet. */
  provider?: String | null | undefined;
}

export type NumberPercentFrom1 = `${number}%`;

export type NumberPercentFrom0 = number | `${number}` | `${number}%`;

export interface VideoAndAudioProperties {
  /** Seconds left out at the beginning of the file. */
  trim_start?: NumberSFrom0 | null | undefined;
  /** Seconds of the file that play; null = to its end. */
  trim_duration?: NumberSFrom0 | null | undefined;
  /** Starts again when the file ends. Default: false. */
  loop?: Boolean | undefined;
  /** Speed of play. Default: "100%". */
  speed?:
    | NumberPercentFrom1
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPercentFrom1;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Loudness; 0% = silent, above 100% = louder than recorded. Keyframes are an extension. Default: "100%". */
  volume?:
    | NumberPercentFrom0
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPercentFrom0;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** True = silent. Default: false. */
  muted?: Boolean | undefined;
  /** Seconds in which the sound rises at the beginning. */
  audio_fade_in?: NumberSFrom0 | null | undefined;
  /** Seconds in which the sound falls at the end. */
  audio_fade_out?: NumberSFrom0 | null | undefined;
}

export type StringTo100000 = string;

export type NumberPlainFrom100To900NormalBold = number | `${number}` | 'normal' | 'bold';

export type Word2FontStyle = 'normal' | 'italic';

export type NumberPxPercentVwVhVminVmaxFrom01 =
  | number
  | `${number}`
  | `${number}%`
  | `${number}px`
  | `${number}vw`
  | `${number}vh`
  | `${number}vmin`
  | `${number}vmax`;

export type NumberPxVwVhVminVmaxFrom01 =
  | number
  | `${number}`
  | `${number}px`
  | `${number}vw`
  | `${number}vh`
  | `${number}vmin`
  | `${number}vmax`;

export type NumberPercentFromMinus299 = number | `${number}` | `${number}%`;

export type Word4TextTransform = 'none' | 'capitalize' | 'uppercase' | 'lowercase';

export type NumberS = number | `${number}` | `${number}s`;

export type Transcript =
  | string
  | readonly {
      time: NumberS;
      value: string;
      duration?: NumberS | undefined;
      sentence?: number | undefined;
    }[];

export type Word7TranscriptEffect =
  'color' | 'karaoke' | 'highlight' | 'fade' | 'bounce' | 'slide' | 'enlarge';

export type Word4TranscriptSplit = 'none' | 'line' | 'word' | 'letter';

export type Word3TranscriptPlacement = 'static' | 'animate' | 'align';

export interface TextProperties {
  /** What is written; may hold style tags and {{placeholders}}. Default: "". */
  text?:
    | StringTo100000
    | readonly {
        time: NumberSPercentStartEnd;
        value: StringTo100000;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Name of the font; an unknown one is replaced by a similar one. Default: "Aileron". */
  font_family?:
    | String
    | readonly {
        time: NumberSPercentStartEnd;
        value: String;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Thickness of the letters; normal = 400, bold = 700. Default: "400". */
  font_weight?:
    | NumberPlainFrom100To900NormalBold
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPlainFrom100To900NormalBold;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Upright or slanted. Default: "normal". */
  font_style?:
    | Word2FontStyle
    | readonly {
        time: NumberSPercentStartEnd;
        value: Word2FontStyle;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Size of the letters; percent of the parent's smaller side, null = the largest that fits the box. */
  font_size?:
    | NumberPxPercentVwVhVminVmaxFrom01
    | null
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPxPercentVwVhVminVmaxFrom01 | null;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Smallest size that fitting may choose. Default: "1 vmin". */
  font_size_minimum?:
    | NumberPxVwVhVminVmaxFrom01
    | null
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPxVwVhVminVmaxFrom01 | null;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Largest size that fitting may choose. Default: "100 vmin". */
  font_size_maximum?:
    | NumberPxVwVhVminVmaxFrom01
    | null
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPxVwVhVminVmaxFrom01 | null;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Space between letters: percent of the font size ÷ 10. Default: "0%". */
  letter_spacing?:
    | NumberPercentFromMinus299
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPercentFromMinus299;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Distance of lines: percent of the font size. Default: "115%". */
  line_height?:
    | NumberPercentFrom0
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPercentFrom0;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** False keeps each line in one. Default: true. */
  text_wrap?:
    | Boolean
    | readonly {
        time: NumberSPercentStartEnd;
        value: Boolean;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** True ends text that does not fit with an ellipsis. Default: false. */
  text_clip?:
    | Boolean
    | readonly {
        time: NumberSPercentStartEnd;
        value: Boolean;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Change of capital letters. Default: "none". */
  text_transform?:
    | Word4TextTransform
    | readonly {
        time: NumberSPercentStartEnd;
        value: Word4TextTransform;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Color behind each line; null = none. */
  background_color?:
    | Color
    | null
    | readonly {
        time: NumberSPercentStartEnd;
        value: Color | null;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Space beside the lines inside their background; percent of the font size. Default: "25%". */
  background_x_padding?:
    | NumberPercentPxVwVhVminVmax
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPercentPxVwVhVminVmax;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Space above and below the lines inside their background; percent of the font size. Default: "25%". */
  background_y_padding?:
    | NumberPercentPxVwVhVminVmax
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPercentPxVwVhVminVmax;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Radius of the background's corners; percent of the font size. Default: "0%". */
  background_border_radius?:
    | NumberPercentPxVwVhVminVmaxFrom0
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPercentPxVwVhVminVmaxFrom0;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Lines whose ends differ by less get backgrounds of one width; percent of the element's width. Default: "20%". */
  background_align_threshold?:
    | NumberPercentFrom0To100
    | readonly {
        time: NumberSPercentStartEnd;
        value: NumberPercentFrom0To100;
        easing?: Easing | undefined;
      }[]
    | undefined;
  /** Element, address, subtitles or word timings that the text follows. */
  transcript_source?: Transcript | null | undefined;
  /** How the spoken part shows. Default: "color". */
  transcript_effect?: Word7TranscriptEffect | undefined;
  /** What counts as one spoken part. Default: "word". */
  transcript_split?: Word4TranscriptSplit | undefined;
  /** How the text moves with the speech. Default: "static". */
  transcript_placement?: Word3TranscriptPlacement | undefined;
  /** Characters shown at once. */
  transcript_maximum_length?: NumberPlainFrom1Whole | null | undefined;
  /** Color of the spoken part. Default: "#e74c3c". */
  transcript_color?: Color | undefined;
}

export type Path = string;

export interface ShapeProperties {
  /** Outline in percent of the box, or in pixels when the shape has no size; null = a rectangle. */
  path?:
    | Path
    | null
    | readonly {
        time: NumberSPercentStartEnd;
        value: Path | null;
        easing?: Easing | undefined;
      }[]
    | undefined;
}

export type Word2FlowDirection = 'vertical' | 'horizontal';

export interface CompositionProperties {
  /** What the composition shows. Default: []. */
  elements?: Elements | undefined;
  /** Direction in which children without x or y follow each other. Default: "vertical". */
  flow_direction?: Word2FlowDirection | undefined;
  /** Repeats the content. Default: false. */
  loop?: Boolean | undefined;
  /** Passes of a repeating composition; null = endless. */
  plays?: NumberPlainFrom1Whole | null | undefined;
}

export interface ImageElement
  extends
    CommonProperties,
    PlaceAndSizeProperties,
    TransformProperties,
    FillProperties,
    StrokeProperties,
    EffectsProperties,
    AnimationsProperties,
    ImageAndVideoProperties,
    ImageProperties,
    ImageVideoAndAudioProperties {
  type: 'image';
  /** Names with one of these signs are notes of your own, or `$schema`. */
  [note: `_${string}` | `$${string}` | `/${string}`]: unknown;
}

export interface VideoElement
  extends
    CommonProperties,
    PlaceAndSizeProperties,
    TransformProperties,
    FillProperties,
    StrokeProperties,
    EffectsProperties,
    AnimationsProperties,
    ImageAndVideoProperties,
    ImageVideoAndAudioProperties,
    VideoAndAudioProperties {
  type: 'video';
  /** Names with one of these signs are notes of your own, or `$schema`. */
  [note: `_${string}` | `$${string}` | `/${string}`]: unknown;
}

export interface AudioElement
  extends
    CommonProperties,
    AnimationsProperties,
    ImageVideoAndAudioProperties,
    VideoAndAudioProperties {
  type: 'audio';
  /** Names with one of these signs are notes of your own, or `$schema`. */
  [note: `_${string}` | `$${string}` | `/${string}`]: unknown;
}

export interface TextElement
  extends
    CommonProperties,
    PlaceAndSizeProperties,
    TransformProperties,
    FillProperties,
    StrokeProperties,
    EffectsProperties,
    AnimationsProperties,
    TextProperties {
  type: 'text';
  /** @deprecated Has no effect. Write background_x_padding and background_y_padding. */
  background_padding?: unknown;
  /** @deprecated Has no effect. Write time. */
  start?: unknown;
  /** @deprecated Has no effect. Write x_alignment. */
  text_align?: unknown;
  /** @deprecated Has no effect. Write x_alignment. */
  text_alignment?: unknown;
  /** Names with one of these signs are notes of your own, or `$schema`. */
  [note: `_${string}` | `$${string}` | `/${string}`]: unknown;
}

export interface ShapeElement
  extends
    CommonProperties,
    PlaceAndSizeProperties,
    TransformProperties,
    FillProperties,
    StrokeProperties,
    EffectsProperties,
    AnimationsProperties,
    ShapeProperties {
  type: 'shape';
  /** @deprecated Has no effect. Write path. */
  shape?: unknown;
  /** Names with one of these signs are notes of your own, or `$schema`. */
  [note: `_${string}` | `$${string}` | `/${string}`]: unknown;
}

export interface CompositionElement
  extends
    CommonProperties,
    PlaceAndSizeProperties,
    TransformProperties,
    FillProperties,
    StrokeProperties,
    EffectsProperties,
    AnimationsProperties,
    CompositionProperties {
  type: 'composition';
  /** Names with one of these signs are notes of your own, or `$schema`. */
  [note: `_${string}` | `$${string}` | `/${string}`]: unknown;
}

/** Anything that is seen or heard. */
export type RenderElement =
  ImageElement | VideoElement | AudioElement | TextElement | ShapeElement | CompositionElement;

/** What all animations have. */
export interface AnimationOptions {
  /** Start on the element's clock; null = at its beginning, over its whole length when duration is absent too. */
  time?: number | string | null | undefined;
  /** Length; null = 1 s, or the whole element when time is absent too. */
  duration?: number | string | null | undefined;
  easing?: Easing | null | undefined;
  /** Plays backwards: from shown to hidden. Default: false. */
  reversed?: true | false | null | undefined;
  /** Overlaps with the element before in the lane. Default: false. */
  transition?: true | false | null | undefined;
  /** What editors leave behind; this and the next have no effect. */
  track?: unknown;
  property?: unknown;
  /** Names with one of these signs are notes of your own, or `$schema`. */
  [note: `_${string}` | `$${string}` | `/${string}`]: unknown;
}

/** Appears. */
export interface FadeAnimation extends AnimationOptions {
  type: 'fade';
  /** Which elements of a transition fade. Default: "both". */
  enable?: 'both' | 'first-only' | 'second-only' | null | undefined;
}

/** Grows or shrinks. */
export interface ScaleAnimation extends AnimationOptions {
  type: 'scale';
  /** composition = moves the element, element = moves the content inside its box. Default: "composition". */
  scope?: 'composition' | 'element' | null | undefined;
  /** Direction of the change. Default: "both". */
  axis?: 'x' | 'y' | 'both' | null | undefined;
  /** Size at the beginning. Default: "0%". */
  start_scale?: number | string | null | undefined;
  /** Size at the end. Default: "100%". */
  end_scale?: number | string | null | undefined;
  /** Fixed point across the box. Default: "50%". */
  x_anchor?: number | string | null | undefined;
  /** Fixed point down the box. Default: "50%". */
  y_anchor?: number | string | null | undefined;
  /** Opacity changes along. Default: true. */
  fade?: true | false | null | undefined;
}

/** Moves into place. */
export interface SlideAnimation extends AnimationOptions {
  type: 'slide';
  /** composition = moves the element, element = moves the content inside its box. Default: "composition". */
  scope?: 'composition' | 'element' | null | undefined;
  /** Where it moves to: 0° right, 90° up, 180° left, 270° down. Default: "180°". */
  direction?: number | string | null | undefined;
  /** How far: 100% = the width or height of what it moves in. Default: "100%". */
  distance?: number | string | null | undefined;
  /** Which element of a transition stays in place. Default: "none". */
  fixed?: 'none' | 'first-only' | 'second-only' | null | undefined;
  /** Opacity changes along. Default: true. */
  fade?: true | false | null | undefined;
}

/** Moves into place while turning. */
export interface RotateSlideAnimation extends AnimationOptions {
  type: 'rotate-slide';
  /** Where it moves to. Default: "left". */
  direction?: 'left' | 'right' | 'up' | 'down' | null | undefined;
  /** Which way it turns. Default: true. */
  clockwise?: true | false | null | undefined;
  /** Opacity changes along. Default: true. */
  fade?: true | false | null | undefined;
}

/** Moves a view over the content. */
export interface PanAnimation extends AnimationOptions {
  type: 'pan';
  /** composition = moves the element, element = moves the content inside its box. Default: "element". */
  scope?: 'composition' | 'element' | null | undefined;
  /** Place of the view at the beginning. Default: "50%". */
  start_x?: number | string | null | undefined;
  /** Place of the view at the beginning. Default: "50%". */
  start_y?: number | string | null | undefined;
  /** Size at the beginning; null = as at the end while the view moves (120% when neither is given), 100% when it stays. */
  start_scale?: number | string | null | undefined;
  /** Place of the view at the end. Default: "50%". */
  end_x?: number | string | null | undefined;
  /** Place of the view at the end. Default: "50%". */
  end_y?: number | string | null | undefined;
  /** Size at the end; null = as at the beginning while the view moves, 120% when it stays (100% after another size). */
  end_scale?: number | string | null | undefined;
  /** Opacity changes along. Default: false. */
  fade?: true | false | null | undefined;
}

/** Is uncovered along a line. */
export interface WipeAnimation extends AnimationOptions {
  type: 'wipe';
  /** Where it begins: 0% at one side, 50% in the middle, 100% at the other side. Default: "0%". */
  x_anchor?: number | string | null | undefined;
  /** Direction at the beginning: 0° right, 90° up, 270° down. Default: "0°". */
  start_angle?: number | string | null | undefined;
  /** Direction at the end; null = as at the beginning. */
  end_angle?: number | string | null | undefined;
  /** Which elements of a transition are cut. Default: "both". */
  clip?: 'both' | 'first-only' | 'second-only' | null | undefined;
  /** Opacity changes along. Default: true. */
  fade?: true | false | null | undefined;
}

/** Is uncovered by a growing circle. */
export interface CircularWipeAnimation extends AnimationOptions {
  type: 'circular-wipe';
  /** Color of a ring around the circle; null = none. */
  ring_color?: number | string | null | undefined;
  /** Thickness of the ring. Default: "0%". */
  ring_width?: number | string | null | undefined;
  /** What the circle goes over: the element, or the whole composition around it. Default: "elements". */
  scope?: 'composition' | 'elements' | 'element' | null | undefined;
  /** Fixed point across the box. Default: "50%". */
  x_anchor?: number | string | null | undefined;
  /** Fixed point down the box. Default: "50%". */
  y_anchor?: number | string | null | undefined;
  /** Which elements of a transition are cut. Default: "both". */
  clip?: 'both' | 'first-only' | 'second-only' | null | undefined;
  /** Opacity changes along. Default: true. */
  fade?: true | false | null | undefined;
}

/** A colored bar sweeps over it. */
export interface ColorWipeAnimation extends AnimationOptions {
  type: 'color-wipe';
  /** Color of the bar. Default: "#000000". */
  color?: number | string | null | undefined;
  /** Where it moves to. Default: "right". */
  direction?: 'left' | 'right' | 'up' | 'down' | null | undefined;
  /** Opacity changes along. Default: false. */
  fade?: true | false | null | undefined;
}

/** Rolls through like film. */
export interface FilmRollAnimation extends AnimationOptions {
  type: 'film-roll';
  /** Where it moves to. Default: "up". */
  direction?: 'left' | 'right' | 'up' | 'down' | null | undefined;
  /** How many times it passes. Default: 3. */
  repetitions?: number | string | null | undefined;
  /** Opacity changes along. Default: false. */
  fade?: true | false | null | undefined;
}

/** Is pressed flat from one side. */
export interface SquashAnimation extends AnimationOptions {
  type: 'squash';
  /** Where it moves to. Default: "left". */
  direction?: 'left' | 'right' | 'up' | 'down' | null | undefined;
  /** Opacity changes along. Default: true. */
  fade?: true | false | null | undefined;
}

/** Its content is pushed out at one side and returns at the other. */
export interface ShiftAnimation extends AnimationOptions {
  type: 'shift';
  /** Where it moves to. Default: "left". */
  direction?: 'left' | 'right' | 'up' | 'down' | null | undefined;
  /** How many times it passes. Default: 1. */
  repetitions?: number | string | null | undefined;
  /** Opacity changes along. Default: false. */
  fade?: true | false | null | undefined;
}

/** Turns in the plane. */
export interface SpinAnimation extends AnimationOptions {
  type: 'spin';
  /** composition = moves the element, element = moves the content inside its box. Default: "composition". */
  scope?: 'composition' | 'element' | null | undefined;
  /** How far, clockwise. Default: "360°". */
  rotation?: number | string | null | undefined;
  /** Fixed point across the box. Default: "50%". */
  x_anchor?: number | string | null | undefined;
  /** Fixed point down the box. Default: "50%". */
  y_anchor?: number | string | null | undefined;
  /** Opacity changes along. Default: true. */
  fade?: true | false | null | undefined;
}

/** Turns in space. */
export interface FlipAnimation extends AnimationOptions {
  type: 'flip';
  /** How far about the horizontal axis. Default: "0°". */
  x_rotation?: number | string | null | undefined;
  /** How far about the vertical axis. Default: "180°". */
  y_rotation?: number | string | null | undefined;
  /** Fixed point across the box. Default: "50%". */
  x_anchor?: number | string | null | undefined;
  /** Fixed point down the box. Default: "50%". */
  y_anchor?: number | string | null | undefined;
  /** False hides it when turned away. Default: true. */
  backface_visible?: true | false | null | undefined;
  /** Opacity changes along. Default: true. */
  fade?: true | false | null | undefined;
}

/** Is uncovered in stripes. */
export interface StripeAnimation extends AnimationOptions {
  type: 'stripe';
  /** Opacity changes along. Default: false. */
  fade?: true | false | null | undefined;
}

/** Swings to and fro. */
export interface ShakeAnimation extends AnimationOptions {
  type: 'shake';
  /** Line of the swing: 0° across, 90° down. Default: "0°". */
  direction?: number | string | null | undefined;
  /** Greatest distance from its place. Default: "5%". */
  distance?: number | string | null | undefined;
  /** Swings per second. Default: "2 Hz". */
  frequency?: number | string | null | undefined;
  /** Swings over the whole length, instead of a frequency. */
  count?: number | string | null | undefined;
  /** Part of a swing at which it begins. Default: "0%". */
  phase?: number | string | null | undefined;
  /** Part of the length in which the swinging grows and fades. Default: "25%". */
  ramp_duration?: number | string | null | undefined;
  /** From regular swinging to noise. Default: "0%". */
  randomness?: number | string | null | undefined;
  /** Opacity changes along. Default: false. */
  fade?: true | false | null | undefined;
}

/** Swings in size. */
export interface BounceAnimation extends AnimationOptions {
  type: 'bounce';
  /** Direction of the change. Default: "both". */
  axis?: 'x' | 'y' | 'both' | null | undefined;
  /** Greatest change of size. Default: "20%". */
  scale?: number | string | null | undefined;
  /** Fixed point across the box. Default: "50%". */
  x_anchor?: number | string | null | undefined;
  /** Fixed point down the box. Default: "50%". */
  y_anchor?: number | string | null | undefined;
  /** Swings per second. Default: "2 Hz". */
  frequency?: number | string | null | undefined;
  /** Swings over the whole length, instead of a frequency. */
  count?: number | string | null | undefined;
  /** Part of a swing at which it begins. Default: "0%". */
  phase?: number | string | null | undefined;
  /** Part of the length in which the swinging grows and fades. Default: "25%". */
  ramp_duration?: number | string | null | undefined;
  /** From regular swinging to noise. Default: "0%". */
  randomness?: number | string | null | undefined;
  /** Opacity changes along. Default: false. */
  fade?: true | false | null | undefined;
}

/** Swings in rotation. */
export interface WiggleAnimation extends AnimationOptions {
  type: 'wiggle';
  /** Greatest turn about the horizontal axis. Default: "0°". */
  x_rotation?: number | string | null | undefined;
  /** Greatest turn about the vertical axis. Default: "0°". */
  y_rotation?: number | string | null | undefined;
  /** Greatest turn in the plane. Default: "10°". */
  z_rotation?: number | string | null | undefined;
  /** Fixed point across the box. Default: "50%". */
  x_anchor?: number | string | null | undefined;
  /** Fixed point down the box. Default: "50%". */
  y_anchor?: number | string | null | undefined;
  /** Swings per second. Default: "2 Hz". */
  frequency?: number | string | null | undefined;
  /** Swings over the whole length, instead of a frequency. */
  count?: number | string | null | undefined;
  /** Part of a swing at which it begins. Default: "0%". */
  phase?: number | string | null | undefined;
  /** Part of the length in which the swinging grows and fades. Default: "25%". */
  ramp_duration?: number | string | null | undefined;
  /** From regular swinging to noise. Default: "0%". */
  randomness?: number | string | null | undefined;
  /** Opacity changes along. Default: false. */
  fade?: true | false | null | undefined;
}

/** Pieces appear one by one. */
export interface TextAppearAnimation extends AnimationOptions {
  type: 'text-appear';
  /** Opacity before a piece appears. Default: "0%". */
  start_opacity?: number | string | null | undefined;
  /** Whether the background appears along, piece by piece. Default: "animated". */
  background_effect?: 'disabled' | 'animated' | null | undefined;
  /** What moves as one piece. Default: "line". */
  split?: 'line' | 'word' | 'letter' | null | undefined;
  /** How much neighbouring pieces overlap in time: 0% one after another, 100% all at once. Default: "50%". */
  overlap?: number | string | null | undefined;
  /** Which pieces come first. Default: "default". */
  order?: 'default' | 'reversed' | 'random' | null | undefined;
  /** Opacity changes along. Default: true. */
  fade?: true | false | null | undefined;
  /** @deprecated Has no effect. Write split. */
  scope?: unknown;
}

/** Pieces move into place. */
export interface TextSlideAnimation extends AnimationOptions {
  type: 'text-slide';
  /** What the distance is measured by; split-clip also cuts each piece at its place. Default: "split". */
  scope?: 'composition' | 'element' | 'split' | 'split-clip' | null | undefined;
  /** Where it moves to. Default: "up". */
  direction?: 'left' | 'right' | 'up' | 'down' | null | undefined;
  /** How far each piece moves. Default: "100%". */
  distance?: number | string | null | undefined;
  /** How the background comes along: it slides, it grows in the direction of the slide, or it grows and cuts the text. Default: "scaling-clip". */
  background_effect?: 'disabled' | 'sliding' | 'scaling' | 'scaling-clip' | null | undefined;
  /** What moves as one piece. Default: "line". */
  split?: 'line' | 'word' | 'letter' | null | undefined;
  /** How much neighbouring pieces overlap in time: 0% one after another, 100% all at once. Default: "50%". */
  overlap?: number | string | null | undefined;
  /** Which pieces come first. Default: "default". */
  order?: 'default' | 'reversed' | 'random' | null | undefined;
  /** Opacity changes along. Default: true. */
  fade?: true | false | null | undefined;
}

/** Pieces grow into place. */
export interface TextScaleAnimation extends AnimationOptions {
  type: 'text-scale';
  /** Direction of the change. Default: "both". */
  axis?: 'x' | 'y' | 'both' | null | undefined;
  /** Fixed point across the box. Default: "50%". */
  x_anchor?: number | string | null | undefined;
  /** Fixed point down the box. Default: "50%". */
  y_anchor?: number | string | null | undefined;
  /** What moves as one piece. Default: "line". */
  split?: 'line' | 'word' | 'letter' | null | undefined;
  /** How much neighbouring pieces overlap in time: 0% one after another, 100% all at once. Default: "50%". */
  overlap?: number | string | null | undefined;
  /** Which pieces come first. Default: "default". */
  order?: 'default' | 'reversed' | 'random' | null | undefined;
  /** Opacity changes along. Default: true. */
  fade?: true | false | null | undefined;
}

/** Pieces are uncovered. */
export interface TextRevealAnimation extends AnimationOptions {
  type: 'text-reveal';
  /** Direction of the change. Default: "both". */
  axis?: 'x' | 'y' | 'both' | null | undefined;
  /** Part that is visible at the beginning. Default: "0%". */
  start_reveal?: number | string | null | undefined;
  /** What is uncovered as one. Default: "split". */
  scope?: 'element' | 'text' | 'split' | null | undefined;
  /** Fixed point across the box. Default: "50%". */
  x_anchor?: number | string | null | undefined;
  /** Fixed point down the box. Default: "50%". */
  y_anchor?: number | string | null | undefined;
  /** What moves as one piece. Default: "line". */
  split?: 'line' | 'word' | 'letter' | null | undefined;
  /** How much neighbouring pieces overlap in time: 0% one after another, 100% all at once. Default: "50%". */
  overlap?: number | string | null | undefined;
  /** Which pieces come first. Default: "default". */
  order?: 'default' | 'reversed' | 'random' | null | undefined;
  /** Opacity changes along. Default: true. */
  fade?: true | false | null | undefined;
}

/** Pieces fly in from the viewer. */
export interface TextFlyAnimation extends AnimationOptions {
  type: 'text-fly';
  /** Distance of the eye. */
  perspective?: number | string | null | undefined;
  /** What moves as one piece. Default: "line". */
  split?: 'line' | 'word' | 'letter' | null | undefined;
  /** How much neighbouring pieces overlap in time: 0% one after another, 100% all at once. Default: "50%". */
  overlap?: number | string | null | undefined;
  /** Which pieces come first. Default: "default". */
  order?: 'default' | 'reversed' | 'random' | null | undefined;
  /** Opacity changes along. Default: true. */
  fade?: true | false | null | undefined;
}

/** Pieces turn into place. */
export interface TextSpinAnimation extends AnimationOptions {
  type: 'text-spin';
  /** Where it moves to. Default: "up". */
  direction?: 'left' | 'right' | 'up' | 'down' | null | undefined;
  /** How far each piece moves. Default: "100%". */
  distance?: number | string | null | undefined;
  /** How far each piece turns. Default: "180°". */
  rotation?: number | string | null | undefined;
  /** Point about which a piece turns. Default: "50%". */
  anchor_x?: number | string | null | undefined;
  /** Point about which a piece turns. Default: "50%". */
  anchor_y?: number | string | null | undefined;
  /** What moves as one piece. Default: "line". */
  split?: 'line' | 'word' | 'letter' | null | undefined;
  /** How much neighbouring pieces overlap in time: 0% one after another, 100% all at once. Default: "50%". */
  overlap?: number | string | null | undefined;
  /** Which pieces come first. Default: "default". */
  order?: 'default' | 'reversed' | 'random' | null | undefined;
  /** Opacity changes along. Default: true. */
  fade?: true | false | null | undefined;
}

/** Pieces swing like a wave. */
export interface TextWaveAnimation extends AnimationOptions {
  type: 'text-wave';
  /** Height of the wave, of the height of a line. Default: "50%". */
  distance?: number | string | null | undefined;
  /** Waves per second. Default: "2 Hz". */
  frequency?: number | string | null | undefined;
  /** Length of a wave, of the height of a line. Default: "200%". */
  wavelength?: number | string | null | undefined;
  /** What moves as one piece. Default: "line". */
  split?: 'line' | 'word' | 'letter' | null | undefined;
  /** How much neighbouring pieces overlap in time: 0% one after another, 100% all at once. Default: "50%". */
  overlap?: number | string | null | undefined;
  /** Which pieces come first. Default: "default". */
  order?: 'default' | 'reversed' | 'random' | null | undefined;
  /** Opacity changes along. Default: true. */
  fade?: true | false | null | undefined;
}

/** Letters are typed. */
export interface TextTypewriterAnimation extends AnimationOptions {
  type: 'text-typewriter';
  /** Seconds before the typing begins. Default: 0. */
  typing_start?: number | string | null | undefined;
  /** Seconds of typing; null = to the end of the animation. */
  typing_duration?: number | string | null | undefined;
  /** How often the cursor blinks; 0 Hz = no cursor. Default: "1 Hz". */
  cursor_frequency?: number | string | null | undefined;
  /** Opacity changes along. Default: false. */
  fade?: true | false | null | undefined;
}

/** Counts the numbers in the text. */
export interface TextCounterAnimation extends AnimationOptions {
  type: 'text-counter';
  /** Counts up to the number or down from it. Default: "up". */
  direction?: 'up' | 'down' | null | undefined;
  /** Seconds before the counting begins. Default: 0. */
  counting_start?: number | string | null | undefined;
  /** Seconds of counting; null = to the end of the animation. */
  counting_duration?: number | string | null | undefined;
  /** Opacity changes along. Default: false. */
  fade?: true | false | null | undefined;
}

/** A movement of an element. */
export type Animation =
  | FadeAnimation
  | ScaleAnimation
  | SlideAnimation
  | RotateSlideAnimation
  | PanAnimation
  | WipeAnimation
  | CircularWipeAnimation
  | ColorWipeAnimation
  | FilmRollAnimation
  | SquashAnimation
  | ShiftAnimation
  | SpinAnimation
  | FlipAnimation
  | StripeAnimation
  | ShakeAnimation
  | BounceAnimation
  | WiggleAnimation
  | TextAppearAnimation
  | TextSlideAnimation
  | TextScaleAnimation
  | TextRevealAnimation
  | TextFlyAnimation
  | TextSpinAnimation
  | TextWaveAnimation
  | TextTypewriterAnimation
  | TextCounterAnimation;
