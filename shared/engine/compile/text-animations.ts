/**
 * Text animations: what each type does to one piece of a text (a line, word or letter) at a moment. Called by layout
 * once per piece and frame; pure.
 *
 * [Note: Pieces in time] `n` pieces share an animation of length 1. Each lasts `d`, and each starts `d · (1 − overlap)`
 * after the one before, so that the last ends with the animation: d = 1 ÷ (1 + (n − 1) · (1 − overlap)). Overlap 0 % is
 * strictly one after another, 100 % all at once. Easing applies to each piece's progress separately.
 */
import {
  about,
  enclosing,
  intersection,
  multiply,
  rotation,
  scaling,
  translation,
  type Rect,
} from '../geometry.ts';
import { numberOf } from './animation-options.ts';
import { ease } from './easing.ts';
import type { PieceEffect, PieceFrame } from './effect.ts';
import { evenProgress, held, secondsIn } from './progress.ts';
import { textCounter } from './text-counter.ts';
import { typed, typewriter } from './text-typewriter.ts';
import type { Animation } from './timeline.ts';

type Options = Animation['options'];

/** One piece at one moment. */
interface State {
  readonly options: Options;
  readonly piece: PieceFrame;
  /** Eased; 0 = not there yet, 1 = in its place. */
  readonly progress: number;
  /**
   * The position of a movement: −1 … 0 on the way in, 0 … 1 on the way out of a transition, so that the outgoing text
   * continues in its successor's direction.
   */
  readonly offset: number;
  /** Since the animation's start, backwards if reversed. */
  readonly seconds: number;
}

type Row = (state: State) => PieceEffect;

const rows: Readonly<Record<string, Row>> = {
  'text-appear': ({ options, progress }) => {
    const start = numberOf(options, 'startOpacity');
    // Without fading a piece appears as soon as its turn comes.
    const share = options.fade === true ? held(progress) : progress > 0 ? 1 : 0;
    return {
      opacity: start + (1 - start) * share,
      // Highlighted words are visible but dimmed; their highlight starts from nothing.
      ...(options.backgroundEffect === 'animated' && { background: { opacity: share } }),
    };
  },

  'text-slide': ({ options, piece, progress, offset }) => {
    const [x, y] = directionOf(options);
    const { backgroundEffect, scope } = options;
    const behind = backgroundEffect === 'disabled' ? null : piece.background;
    const slides = behind !== null && backgroundEffect === 'sliding';
    const place = slides ? behind : piece.bounds;
    const [width, height] = extentOf(options, piece, place);
    const reach = numberOf(options, 'distance') * offset;
    const shift = [x * reach * width, y * reach * height] as const;
    const isCut = scope === 'split-clip';
    const faded = fadeOf(options, progress);
    const moved = { ...faded, transform: translation(...shift) };
    const clip = isCut ? slot(place, piece.fontSize, x !== 0) : null;
    if (slides) {
      const background = { ...faded, shift, ...(isCut && { clip: behind }) };
      return { ...moved, ...(clip && { clip }), background };
    }
    if (!behind) return { ...moved, ...(clip && { clip }) };
    const area = grown(behind, [x, y], progress, offset);
    const cut = backgroundEffect === 'scaling-clip' ? intersection(area, clip ?? area) : clip;
    return { ...moved, ...(cut && { clip: cut }), background: { area } };
  },

  'text-scale': ({ options, piece, progress }) => {
    const { bounds } = piece;
    const matrix = scaling(
      options.axis === 'y' ? 1 : progress,
      options.axis === 'x' ? 1 : progress,
    );
    const x = bounds.x + bounds.width * numberOf(options, 'xAnchor');
    const y = bounds.y + bounds.height * numberOf(options, 'yAnchor');
    const behind = piece.background;
    const area = behind && scaledArea(behind, options, held(progress));
    return {
      ...fadeOf(options, progress),
      transform: about(matrix, x, y),
      ...(area && { background: { area } }),
    };
  },

  'text-reveal': ({ options, piece, progress }) => {
    const start = numberOf(options, 'startReveal');
    const clip = opening(options, piece, start + (1 - start) * held(progress));
    return {
      ...fadeOf(options, progress),
      clip,
      ...(piece.background && { background: { area: clip } }),
    };
  },

  'text-spin': ({ options, piece: { bounds }, progress, offset }) => {
    const [x, y] = directionOf(options);
    const reach = numberOf(options, 'distance') * offset;
    const turn = about(
      rotation(numberOf(options, 'rotation') * offset),
      bounds.x + bounds.width * numberOf(options, 'anchorX'),
      bounds.y + bounds.height * numberOf(options, 'anchorY'),
    );
    return {
      ...fadeOf(options, progress),
      transform: multiply(translation(x * reach * bounds.width, y * reach * bounds.height), turn),
    };
  },

  // A wave that runs along the text and settles where a piece has arrived. Its lengths are relative to the line's
  // height, which, unlike the width, is the same for all pieces.
  'text-wave': ({ options, piece: { bounds, textBounds }, progress, seconds }) => {
    const wavelength = numberOf(options, 'wavelength') * bounds.height;
    const place = bounds.x + bounds.width / 2 - textBounds.x;
    const waves =
      numberOf(options, 'frequency') * seconds - (wavelength > 0 ? place / wavelength : 0);
    const height = numberOf(options, 'distance') * bounds.height * (1 - progress);
    return {
      ...fadeOf(options, progress),
      transform: translation(0, -height * Math.sin(2 * Math.PI * waves)),
    };
  },

  'text-fly': ({ options, piece: { box }, progress }) => {
    const nearness = (1 - progress) * flight(box);
    const eye = eyeDistance(options, box);
    // Nothing is visible behind the eye, so a long flight begins just in front of it.
    const scale = eye / (eye - Math.min(nearness, 0.95 * eye));
    return {
      ...fadeOf(options, progress),
      transform: about(scaling(scale, scale), box.width / 2, box.height / 2),
    };
  },

  // It changes the text itself, before layout.
  [textCounter]: ({ options, progress }) => fadeOf(options, progress),
};

/** True for text animations that this version supports. */
export function isTextAnimation(type: string): boolean {
  return type === typewriter || Object.hasOwn(rows, type);
}

/** What an animation splits the text into; null = it moves the whole text. */
export function splitOf({ type, options }: Animation): 'line' | 'word' | 'letter' | null {
  if (type === typewriter) return 'letter';
  if (type === textCounter) return null;
  if (type === 'text-reveal' && options.scope !== 'split') return null;
  const { split } = options;
  return split === 'line' || split === 'word' || split === 'letter' ? split : null;
}

/**
 * What an animation does to a piece at a moment of the element's clock; null = nothing. Before its time a piece is in
 * its first state, after its time in place.
 */
export function pieceEffect(
  animation: Animation,
  time: number,
  piece: PieceFrame,
): PieceEffect | null {
  if (animation.type === typewriter) return withBackground(typed(animation, time, piece), piece);
  const row = Object.hasOwn(rows, animation.type) ? rows[animation.type] : undefined;
  if (!row) return null;
  const { options, easing } = animation;
  const whole = evenProgress(animation, time);
  const isCut = splitOf(animation) !== null;
  const eased = ease(easing, isCut ? pieceProgress(animation, whole, piece) : whole);
  const outgoing = animation.side === 'outgoing';
  if (eased === (outgoing ? 0 : 1)) return null;
  const effect = row({
    options,
    piece,
    progress: outgoing ? 1 - eased : eased,
    offset: outgoing ? eased : eased - 1,
    seconds: secondsIn(animation, time),
  });
  // Types with this option have handled it.
  return 'backgroundEffect' in options ? effect : withBackground(effect, piece);
}

/** The background behind a piece appears like the piece: it fades along, and shows only as far as the piece. */
function withBackground(effect: PieceEffect | null, piece: PieceFrame): PieceEffect | null {
  if (!effect || !piece.background) return effect;
  const { opacity = 1, background } = effect;
  return { ...effect, background: { opacity, ...background } };
}

// ---- means ---------------------------------------------------------------------------------------------------------

type Direction = readonly [x: number, y: number];

const directions: Readonly<Record<string, Direction>> = {
  right: [1, 0],
  up: [0, -1],
  left: [-1, 0],
  down: [0, 1],
};

function directionOf({ direction }: Options): Direction {
  return (typeof direction === 'string' ? directions[direction] : undefined) ?? [0, 0];
}

/** How far in front of the picture a flight begins, pixels. */
function flight({ width, height }: PieceFrame['box']): number {
  return Math.max(width, height);
}

/**
 * Distance of the eye from the picture, pixels; percentages are of the box's longer side. By default a little beyond
 * the beginning of the flight: pieces start six times as large as they end.
 */
function eyeDistance({ perspective }: Options, box: PieceFrame['box']): number {
  const own =
    typeof perspective === 'object' && perspective !== null && 'px' in perspective
      ? perspective.px + perspective.percent * Math.max(box.width, box.height)
      : 0;
  return own > 0 ? own : 1.2 * flight(box);
}

/** What 100 % of a slide's distance means. `place` is where the piece comes to rest. */
function extentOf(
  { scope }: Options,
  { box }: PieceFrame,
  place: Rect,
): readonly [width: number, height: number] {
  if (scope === 'composition') return [box.parentWidth, box.parentHeight];
  if (scope === 'element') return [box.width, box.height];
  return [place.width, place.height];
}

/**
 * The visible part of a background that grows in a slide's direction: from the side that the slide comes from on the
 * way in (`offset` below 0), and towards the side that it goes to on the way out of a transition.
 */
function grown(area: Rect, [x, y]: Direction, progress: number, offset: number): Rect {
  // Overshooting easings leave the background whole: it has nothing larger to show.
  const share = held(progress);
  const [width, height] = [
    x === 0 ? area.width : area.width * share,
    y === 0 ? area.height : area.height * share,
  ];
  const fromStart = x + y > 0 === offset < 0;
  return {
    x: fromStart ? area.x : area.x + area.width - width,
    y: fromStart ? area.y : area.y + area.height - height,
    width,
    height,
  };
}

/** A background that grows with its piece, from the same anchor. */
function scaledArea(area: Rect, options: Options, share: number): Rect {
  const [across, down] = [options.axis === 'y' ? 1 : share, options.axis === 'x' ? 1 : share];
  return {
    x: area.x + area.width * numberOf(options, 'xAnchor') * (1 - across),
    y: area.y + area.height * numberOf(options, 'yAnchor') * (1 - down),
    width: area.width * across,
    height: area.height * down,
  };
}

/**
 * Letters extend a little beyond their advance and line; clipping leaves that visible unless it is the point of the
 * animation.
 */
const overhang = 0.3;

/** The area in which a sliding piece is visible: exact along its movement, generous across. */
function slot(place: Rect, fontSize: number, across: boolean): Rect {
  const spare = overhang * fontSize;
  return across
    ? { ...place, y: place.y - spare, height: place.height + 2 * spare }
    : { ...place, x: place.x - spare, width: place.width + 2 * spare };
}

/** The part of a piece, of the text or of the box that a reveal has opened. */
function opening(
  options: Options,
  { bounds, textBounds, background, textBackground, box, fontSize }: PieceFrame,
  share: number,
): Rect {
  const letters = options.scope === 'text' ? textBounds : bounds;
  const behind = options.scope === 'text' ? textBackground : background;
  const whole: Rect =
    options.scope === 'element'
      ? { x: 0, y: 0, width: box.width, height: box.height }
      : enclosing(behind ? [letters, behind] : [letters]);
  const spare = overhang * fontSize;
  const x = open(
    whole.x,
    whole.width,
    numberOf(options, 'xAnchor'),
    options.axis === 'y' ? 1 : share,
    spare,
  );
  const y = open(
    whole.y,
    whole.height,
    numberOf(options, 'yAnchor'),
    options.axis === 'x' ? 1 : share,
    spare,
  );
  return { x: x.from, y: y.from, width: x.to - x.from, height: y.to - y.from };
}

/** One dimension of an opening: grows from its anchor, and is generous at the ends that it has reached. */
function open(
  start: number,
  length: number,
  anchor: number,
  share: number,
  spare: number,
): { from: number; to: number } {
  const from = start + length * anchor * (1 - share);
  const to = from + length * share;
  if (share <= 0) return { from, to: from };
  return {
    from: share === 1 || anchor === 0 ? from - spare : from,
    to: share === 1 || anchor === 1 ? to + spare : to,
  };
}

function fadeOf({ fade }: Options, progress: number): PieceEffect {
  return fade === true ? { opacity: held(progress) } : {};
}

/** Progress of one piece before easing. See: [Note: Pieces in time]. */
function pieceProgress(animation: Animation, even: number, { index, count }: PieceFrame): number {
  if (count <= 1) return even;
  const step = 1 - numberOf(animation.options, 'overlap');
  const length = 1 / (1 + (count - 1) * step);
  const progress = held((even - turnOf(animation, index, count) * length * step) / length);
  // The last piece arrives with the animation; rounding must not leave it just short.
  return progress > 1 - 1e-9 ? 1 : progress;
}

/** Cached random orders, by animation: every piece needs one in every frame. */
const randomOrders = new WeakMap<Animation, readonly number[]>();

/** The place of a piece in the animation's order. */
function turnOf(animation: Animation, index: number, count: number): number {
  switch (animation.options.order) {
    case 'reversed':
      return count - 1 - index;
    case 'random': {
      let order = randomOrders.get(animation);
      if (order?.length !== count) {
        order = shuffled(count);
        randomOrders.set(animation, order);
      }
      return order[index] ?? index;
    }
    default:
      return index;
  }
}

/** The numbers 0 … count − 1 in an order that depends only on the count (Fisher–Yates over a small generator). */
function shuffled(count: number): number[] {
  const order = Array.from({ length: count }, (_, index) => index);
  let state = (count * 2654435761) >>> 0;
  for (let last = count - 1; last > 0; last--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const other = Math.floor((state / 2 ** 32) * (last + 1));
    const swap = order[last] ?? 0;
    order[last] = order[other] ?? 0;
    order[other] = swap;
  }
  return order;
}
