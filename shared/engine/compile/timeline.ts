/**
 * The compiled document, from which every later phase of the engine works. Made once per render by compile.ts.
 *
 * Plain, read-only, printable and cloneable: it survives `structuredClone` and a JSON round trip, so it can travel to
 * painting threads and into bug reports. Units are settled here: times are seconds, lengths are document pixels plus a
 * share of the parent, angles are degrees, percentages are fractions (1 = 100 %). Later phases never see the source.
 */
import type { Easing } from '../../renderscript/easing.ts';
import type { OutputFormat, VideoCodec } from '../../renderscript/formats.ts';
import type { Problem } from '../../renderscript/source.ts';
import type { CurvePoint } from './points.ts';
import type {
  Animated,
  Color,
  CompositionValues,
  FillValues,
  ImageValues,
  Length,
  ShapeValues,
  TextElementValues,
} from './property-values.ts';

/**
 * An animation of an element with settled times. At element time t, raw progress is (t − start) ÷ duration clamped to
 * 0–1, inverted if `reversed`, then eased; oscillators only act within their time.
 */
export interface Animation {
  /** A type of the language, e.g. `text-slide`. Unknown types never get here. */
  readonly type: string;
  /** Seconds of the element's clock. */
  readonly start: number;
  readonly duration: number;
  readonly easing: Easing;
  readonly reversed: boolean;
  /** True if it belongs to the overlap with the previous element on the track. */
  readonly transition: boolean;
  /** For the outgoing element of a transition: the incoming element's animation seen from the other side. */
  readonly side: 'own' | 'outgoing';
  /** Options of the type with defaults filled in, units settled (angles in degrees, percent as fractions). */
  readonly options: Readonly<Record<string, string | number | boolean | Color | Length | null>>;
}

interface ElementCommon {
  /** The element's place in the source, e.g. `elements[1].elements[0]`; unique and stable. */
  readonly path: string;
  /** Name for messages: its `name`, else type and position, e.g. `Text 3`. */
  readonly name: string;
  /** Lane: elements of one track follow each other; each element without a track has its own lane. */
  readonly track: number;
  /** Seconds on the parent composition's clock. */
  readonly start: number;
  /** Seconds; includes overlaps with neighbours. */
  readonly duration: number;
}

interface VisualCommon extends ElementCommon {
  readonly animations: readonly Animation[];
}

/** A text. */
export interface TextElement extends VisualCommon {
  readonly type: 'text';
  readonly values: Animated<TextElementValues>;
  /** Set if the text follows a transcript: its pages replace `values.text`. */
  readonly captions?: Captions;
}

/** How the spoken part of captions is marked. */
export const captionEffects = [
  'color',
  'karaoke',
  'highlight',
  'fade',
  'bounce',
  'slide',
  'enlarge',
] as const;
/** What is highlighted as one part of captions; `none` = the whole page. */
export const captionSplits = ['none', 'line', 'word', 'letter'] as const;
/** The position of words before and while they are spoken; see `Captions.placement`. */
export const captionPlacements = ['static', 'animate', 'align'] as const;

/** The content of a text that follows a transcript, and how the spoken part shows. */
export interface Captions {
  readonly effect: (typeof captionEffects)[number];
  /** What counts as one part. */
  readonly split: (typeof captionSplits)[number];
  /**
   * `static`: every word has its final place from the start of its page; `align`: only the words said so far show, and
   * lines are aligned by them; `animate`: the same, gliding.
   */
  readonly placement: (typeof captionPlacements)[number];
  /** Colour of the spoken part. */
  readonly color: Color;
  /** In order; they don't overlap. */
  /** Direction of all pages, whatever letter each begins with. */
  readonly rightToLeft: boolean;
  readonly pages: readonly CaptionPage[];
}

/** Words shown together. */
export interface CaptionPage {
  /** Seconds of the element's clock. */
  readonly start: number;
  readonly end: number;
  /** The words with the spaces between them. */
  readonly text: string;
  readonly words: readonly CaptionWord[];
}

/** A word on its page. */
export interface CaptionWord {
  readonly text: string;
  /** Seconds of the element's clock while it counts as being spoken. */
  readonly start: number;
  readonly end: number;
  /** True if no space separates it from the previous word. */
  readonly glued: boolean;
  /** True if it begins a line. */
  readonly startsLine: boolean;
}

/** A picture, still or animated. */
export interface ImageElement extends VisualCommon {
  readonly type: 'image';
  /** Key into Assets.media; null draws nothing. */
  readonly source: string | null;
  readonly values: Animated<ImageValues>;
  /** Set for animated pictures. */
  readonly clip?: MediaClip;
  /** True: with `cover`, the picture's content decides what is cropped. */
  readonly smartCrop?: boolean;
}

/** A video's picture; its sound is among `Timeline.sounds`. */
export interface VideoElement extends VisualCommon {
  readonly type: 'video';
  readonly source: string | null;
  readonly values: Animated<ImageValues>;
  readonly clip: MediaClip;
}

/** How a sound is drawn. */
export const soundForms = ['bars', 'mirror', 'circle', 'wave'] as const;

/** The sound that a shape shows. */
export interface SeenSound {
  readonly form: (typeof soundForms)[number];
  /** Bars, or points of the wave. */
  readonly bars: number;
  /** Share of a bar's room that is left free, 0–1. */
  readonly gap: number;
  /** Of the whole file; null: silence. */
  readonly samples: Uint8Array | null;
  /** What of the file plays; null without one. */
  readonly clip: MediaClip | null;
  /** Seconds of the shape at which it begins to be heard, and for how many. */
  readonly from: number;
  readonly duration: number;
}

/** A path or rectangle. */
export interface ShapeElement extends VisualCommon {
  readonly type: 'shape';
  readonly values: Animated<ShapeValues>;
  /** Set for an outline that follows a sound, in place of its own. */
  readonly sound?: SeenSound;
}

/** Elements with their own clock and space. */
export interface CompositionElement extends VisualCommon {
  readonly type: 'composition';
  readonly values: Animated<CompositionValues>;
  /** In draw order for equal z-index: track by track, then definition order. Without audio elements. */
  readonly children: readonly TimelineElement[];
  /** Length of one pass of the content; the children's clock wraps at it when `loop`. */
  readonly contentDuration: number;
  readonly loop: boolean;
  /** Passes; null = endless. */
  readonly plays: number | null;
}

/** Any element that draws. Sound lives in `Timeline.sounds`. */
export type TimelineElement =
  TextElement | ImageElement | VideoElement | ShapeElement | CompositionElement;

/** Which part of a media file plays, and how fast. */
export interface MediaClip {
  /** Seconds into the file. */
  readonly trimStart: number;
  /** Seconds of the file that play before it ends or loops. */
  readonly trimDuration: number;
  readonly loop: boolean;
  /** How often a loop plays before it holds its last frame; absent = for ever. */
  readonly plays?: number;
  /** 1 = as recorded; with `speeds` the mean over the part of the file that plays. */
  readonly speed: number;
  /** A speed that changes, on the element's clock; read by speed.ts. Absent: `speed` throughout. */
  readonly speeds?: readonly CurvePoint[];
}

/** A stretch of sound on the document's clock, from an audio or video element at any depth. */
export interface Sound {
  readonly path: string;
  readonly name: string;
  /** Key into Assets.media. */
  readonly source: string;
  /** Seconds on the document's clock; negative if a trimmed composition cuts its beginning. */
  readonly start: number;
  /** Seconds for which it is heard. */
  readonly duration: number;
  readonly clip: MediaClip;
  /** Time stamp in the file, seconds, that counts as its time 0; see `VideoPicture.start`. */
  readonly fileStart: number;
  /** Which of the file's sounds, from 0; absent: the first. */
  readonly track?: number;
  /** True when the file has a picture too: the passes of a loop then keep step with it, whatever the sound's length. */
  readonly withPicture: boolean;
  /** dB by which its steady noise is lowered; absent: as recorded. */
  readonly noiseReduction?: number | undefined;
  /** Loudness from the sound's start on, 1 = 100 % and not limited above; see pointsOf(). At least one point. */
  readonly volume: readonly CurvePoint[];
  /** Fades, which multiply with the volume. */
  readonly fades: readonly SoundFade[];
}

/** A fade from or to silence. */
export interface SoundFade {
  readonly kind: 'in' | 'out';
  /** Seconds from the sound's start; may be outside it, if only a part of the fade is heard. */
  readonly from: number;
  readonly to: number;
  /** `equal-power`: a quarter of a sine, so that two crossing fades are together as loud as each alone. */
  readonly shape: 'straight' | 'equal-power';
}

/** Settings of the output file. */
export interface OutputSettings {
  readonly format: OutputFormat;
  /** Pixels of the file, or of the frames that a sound's document would have. mp4: even. */
  readonly width: number;
  readonly height: number;
  /** Frames per second, unrounded; 1 for pictures. */
  readonly frameRate: number;
  /** Frames that are written, and the length of a sound: ⌈duration × frameRate⌉, at least 1; 1 for pictures. */
  readonly frameCount: number;
  /** x264's constant rate factor, 17–51. */
  readonly crf: number;
  /** Of an mp4; ignored in other formats. */
  readonly videoCodec: VideoCodec;
  readonly gifQuality: 'fast' | 'best';
  /** 0–200. */
  readonly gifCompression: number;
  readonly gifLoop: boolean;
  /** LUFS of the sound; null: as it is mixed. */
  readonly loudness: number | null;
  /** Set for a film that keeps the transparency of its background. */
  readonly hasAlpha?: true;
  /** Set for a film whose gradients would show bands ([Note: Bands]). */
  readonly hasSlowGradients?: true;
}

/** The compiled document. */
export interface Timeline {
  /** Document pixels, before scaling; layout works in these. */
  readonly width: number;
  readonly height: number;
  /** Seconds; 0 for pictures without a moment. */
  readonly duration: number;
  readonly output: OutputSettings;
  /** Seconds at which the snapshot is taken, or null. */
  readonly snapshotTime: number | null;
  /** Of a picture of one moment: that moment, in seconds, whichever is asked for. Otherwise null. */
  readonly moment: number | null;
  readonly snapshotLocation: 'start' | 'end' | null;
  readonly emojiStyle: 'facebook' | 'google' | 'twitter' | 'apple';
  /** Background of the whole output. Element time is document time. */
  readonly fill: Animated<FillValues>;
  /** The document's elements as one composition that fills it. */
  readonly root: CompositionElement;
  /** Everything that sounds; empty for formats without sound. */
  readonly sounds: readonly Sound[];
  /** Warnings from compiling: unsupported features, replaced media. */
  readonly warnings: readonly Problem[];
}
