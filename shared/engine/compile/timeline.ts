/**
 * The compiled document: what every later phase of the engine works from. Made once per render by compile.ts.
 *
 * Plain, read-only, printable and cloneable: it survives `structuredClone` and a JSON round trip, so it can travel to
 * painting threads and into bug reports. Units are settled here: times are seconds, lengths are document pixels plus a
 * share of the parent, angles are degrees, percentages are fractions (1 = 100 %). Later phases never see the source.
 */
import type { Easing } from '../../renderscript/easing.ts';
import type { OutputFormat } from '../../renderscript/formats.ts';
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
 * An animation of an element, its times settled. At element time t, raw progress is (t − start) ÷ duration held to
 * 0–1, turned round when `reversed`, then eased; oscillators act only inside their time.
 */
export interface Animation {
  /** A type of the language, e.g. `text-slide`. Unknown types never get here. */
  readonly type: string;
  /** Seconds of the element's clock. */
  readonly start: number;
  readonly duration: number;
  readonly easing: Easing;
  readonly reversed: boolean;
  /** True when it belongs to the overlap with the previous element of the track. */
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
  /** Lane: elements of one track follow each other; each trackless element has a lane of its own. */
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
  /** Set when the text follows a transcript: pages of it show in place of `values.text`. */
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
/** What counts as one part of captions; `none` = the whole page. */
export const captionSplits = ['none', 'line', 'word', 'letter'] as const;
/** Where words stand before and while they are spoken; see `Captions.placement`. */
export const captionPlacements = ['static', 'animate', 'align'] as const;

/** What a text that follows a transcript says, and how the spoken part shows. */
export interface Captions {
  readonly effect: (typeof captionEffects)[number];
  /** What counts as one part. */
  readonly split: (typeof captionSplits)[number];
  /**
   * `static`: every word has its place from the beginning of its page; `align`: lines are aligned over the words said so
   * far, which alone show; `animate`: the same, gliding.
   */
  readonly placement: (typeof captionPlacements)[number];
  /** Of the spoken part. */
  readonly color: Color;
  /** In order; they don't overlap. */
  readonly pages: readonly CaptionPage[];
}

/** Words that are shown together. */
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
  /** True when no space parts it from the word before. */
  readonly glued: boolean;
}

/** A picture, standing or animated. */
export interface ImageElement extends VisualCommon {
  readonly type: 'image';
  /** Key into Assets.media; null draws nothing. */
  readonly source: string | null;
  readonly values: Animated<ImageValues>;
  /** Set for animated pictures. */
  readonly clip?: MediaClip;
  /** True: under `cover`, what the picture shows decides what is cropped. */
  readonly smartCrop?: boolean;
}

/** A video's picture; its sound is among `Timeline.sounds`. */
export interface VideoElement extends VisualCommon {
  readonly type: 'video';
  readonly source: string | null;
  readonly values: Animated<ImageValues>;
  readonly clip: MediaClip;
}

/** A path or rectangle. */
export interface ShapeElement extends VisualCommon {
  readonly type: 'shape';
  readonly values: Animated<ShapeValues>;
}

/** Elements with a clock and a space of their own. */
export interface CompositionElement extends VisualCommon {
  readonly type: 'composition';
  readonly values: Animated<CompositionValues>;
  /** In draw order for equal z-index: track by track, then definition order. Audio elements are not among them. */
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
  /** How often a loop plays before it holds its last frame; absent = without end. */
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
  /** Seconds on the document's clock; may be negative when a trimmed composition cuts its beginning. */
  readonly start: number;
  /** Seconds that it sounds. */
  readonly duration: number;
  readonly clip: MediaClip;
  /** Time stamp in the file, seconds, that counts as its time 0; see `VideoPicture.start`. */
  readonly fileStart: number;
  /** True when the file has a picture too: the passes of a loop then keep step with it, whatever the sound's length. */
  readonly withPicture: boolean;
  /** Loudness from the sound's start on, 1 = 100 % and not limited above; see pointsOf(). At least one point. */
  readonly volume: readonly CurvePoint[];
  /** What raises or lowers it beside the volume; they multiply. */
  readonly fades: readonly SoundFade[];
}

/** A rise from or fall to silence. */
export interface SoundFade {
  readonly kind: 'in' | 'out';
  /** Seconds from the sound's start; may lie outside it, when only a part of the fade is heard. */
  readonly from: number;
  readonly to: number;
  /** `equal-power`: a quarter of a sine, so that two that cross are as loud together as each alone. */
  readonly shape: 'straight' | 'equal-power';
}

/** Choices of the file that is written. */
export interface OutputSettings {
  readonly format: OutputFormat;
  /** Pixels of the file. mp4: even. */
  readonly width: number;
  readonly height: number;
  /** Frames per second, unrounded; 1 for pictures. */
  readonly frameRate: number;
  /** Frames that are written: ⌈duration × frameRate⌉, at least 1; 1 for pictures. */
  readonly frameCount: number;
  /** x264's constant rate factor, 17–51. */
  readonly crf: number;
  readonly gifQuality: 'fast' | 'best';
  /** 0–200. */
  readonly gifCompression: number;
  readonly gifLoop: boolean;
}

/** The compiled document. */
export interface Timeline {
  /** Document pixels, before scaling; layout works in these. */
  readonly width: number;
  readonly height: number;
  /** Seconds; 0 for pictures. */
  readonly duration: number;
  readonly output: OutputSettings;
  /** Seconds at which the snapshot is taken, or null. */
  readonly snapshotTime: number | null;
  readonly snapshotLocation: 'start' | 'end' | null;
  readonly emojiStyle: 'facebook' | 'google' | 'twitter' | 'apple';
  /** Background of the whole output. Element time is document time. */
  readonly fill: Animated<FillValues>;
  /** The document's elements as one composition that fills it. */
  readonly root: CompositionElement;
  /** Everything that sounds; empty for pictures and gifs. */
  readonly sounds: readonly Sound[];
  /** What compiling noticed: features not drawn yet, media that stand in. */
  readonly warnings: readonly Problem[];
}
