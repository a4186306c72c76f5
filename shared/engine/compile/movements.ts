/**
 * How element animations move, rotate, scale, press and copy their element: takes options and a share of the way,
 * returns an effect of effect.ts. animations.ts decides which type does what and when. Pure.
 */
import { about, rotation, scaling, translation } from '../geometry.ts';
import { anchorOf, angleOf, colorOf, directionOf, numberOf, ringOf } from './animation-options.ts';
import type { Effect, EffectFrame } from './effect.ts';
import type { Animation } from './timeline.ts';
import { circleRing, seam, type CircleWipe } from './wipes.ts';

type Options = Animation['options'];

/** `scope: element` moves the content inside the box, everything else the element as a whole. */
export function placed({ scope }: Options, matrix: NonNullable<Effect['boxMatrix']>): Effect {
  return scope === 'element' ? { contentMatrix: matrix } : { boxMatrix: matrix };
}

/** Scaled on the axes of the options about their anchor. */
export function scaled(options: Options, frame: EffectFrame, scale: number): Effect {
  const { axis } = options;
  const matrix = scaling(axis === 'y' ? 1 : scale, axis === 'x' ? 1 : scale);
  const [x, y] = anchorOf(options);
  return placed(options, about(matrix, x * frame.width, y * frame.height));
}

/** Scale of a view that must move but has no size of its own. */
const viewScale = 1.2;

/** Sizes of a panning view at both ends: a moving view keeps its size, a still one grows. */
export function viewScales(options: Options): readonly [start: number, end: number] {
  const { startX, endX, startY, endY } = options;
  const [start, end] = [options.startScale, options.endScale].map((scale) =>
    typeof scale === 'number' ? scale : null,
  );
  if (startX !== endX || startY !== endY) {
    const other = start ?? end ?? viewScale;
    return [start ?? other, end ?? other];
  }
  return [start ?? 1, end ?? (start === undefined || start === null ? viewScale : 1)];
}

/** Turned in the plane about the anchor of the options, degrees clockwise. */
export function turned(options: Options, frame: EffectFrame, degrees: number): Effect {
  const [x, y] = anchorOf(options);
  return placed(options, about(rotation(degrees), x * frame.width, y * frame.height));
}

/** Pressed flat against the side it moves to (`toward` 1) or against the side it comes from (−1). */
export function pressed(
  options: Options,
  frame: EffectFrame,
  size: number,
  toward: 1 | -1,
): Effect {
  const [x, y] = directionOf(angleOf(options));
  const held = (length: number): number =>
    // What is pressed away stays by a seam under the edge of what presses it.
    toward === 1 && size > 0 && size < 1 ? Math.min(1, size + seam / length) : Math.max(0, size);
  const matrix = scaling(x === 0 ? 1 : held(frame.width), y === 0 ? 1 : held(frame.height));
  const anchor = (way: number): number => (1 + way * toward) / 2;
  return { boxMatrix: about(matrix, anchor(x) * frame.width, anchor(y) * frame.height) };
}

/** A quarter turn to a whole slide, as a square rolls over one of its sides. */
const rollDegrees = 90;

/**
 * Moved like a slide by a share of the parent, and turned along the way. A box on its side reaches further than
 * upright, which the distance accounts for.
 */
export function rolled(options: Options, frame: EffectFrame, share: number): Effect {
  const { width, height, parentWidth, parentHeight } = frame;
  const [x, y] = directionOf(angleOf(options));
  const spare = Math.abs(width - height) / 2;
  const turn = about(
    rotation(rollDegrees * share * (options.clockwise === false ? -1 : 1)),
    width / 2,
    height / 2,
  );
  return {
    shiftX: x * share * (parentWidth + (height > width ? spare : 0)),
    shiftY: y * share * (parentHeight + (width > height ? spare : 0)),
    boxMatrix: turn,
  };
}

/** A strip of as many copies as `repetitions` says, which stops at the last one. */
export function filmed(options: Options, frame: EffectFrame, progress: number): Effect {
  const count = numberOf(options, 'repetitions');
  const last = (progress - 1) * count;
  const share = last - Math.floor(last);
  // At most two copies reach into the box. One follows after the last, for overshooting easings.
  const places = [share, share - 1].filter((place) => {
    const number = Math.round(place - last);
    return number >= -1 && number < count;
  });
  return copied(options, frame, places);
}

/** The element at places along its direction, in its own sizes, as far as they reach into its box. */
export function copied(options: Options, frame: EffectFrame, places: readonly number[]): Effect {
  const [x, y] = directionOf(angleOf(options));
  const size = Math.abs(x) * frame.width + Math.abs(y) * frame.height;
  return {
    copies: places
      .filter((place) => Math.abs(place) < 1)
      .map((place) => {
        const distance = Math.abs(place);
        // Neighbours overlap by a seam, except when one of them is at rest or out of sight.
        const overlap = Math.min(seam, Math.min(distance, 1 - distance) * size);
        const shift = Math.sign(place) * (distance * size - overlap / 2);
        return [x * shift + 0, y * shift + 0];
      }),
  };
}

/** Turned in space by a share of its angles. */
export function flipped(options: Options, frame: EffectFrame, share: number): Effect {
  const [x, y] = anchorOf(options);
  return {
    turn: {
      xDegrees: numberOf(options, 'xRotation') * share,
      yDegrees: numberOf(options, 'yRotation') * share,
      x: x * frame.width,
      y: y * frame.height,
      backfaceVisible: options.backfaceVisible !== false,
    },
  };
}

/** Rotated in the plane, and in 3D if the options say so. */
export function wiggled(options: Options, frame: EffectFrame, deflection: number): Effect {
  const inPlane = turned(options, frame, numberOf(options, 'zRotation') * deflection);
  const isFlat = numberOf(options, 'xRotation') === 0 && numberOf(options, 'yRotation') === 0;
  return isFlat ? inPlane : { ...inPlane, ...flipped(options, frame, deflection) };
}

/**
 * Moved along the slide's direction by its distance times `share`; `isPushed` = up to a seam less, so that it stays
 * under the edge of what pushes it. Diagonals move by the whole width and height, so that 100 % is outside at any
 * angle.
 */
export function moved(
  options: Options,
  frame: EffectFrame,
  share: number,
  isPushed = false,
): Effect {
  const [x, y] = directionOf(numberOf(options, 'direction'));
  const reach = (numberOf(options, 'distance') * share) / Math.max(Math.abs(x), Math.abs(y));
  if (options.scope === 'element') {
    return { contentMatrix: translation(x * reach * frame.width, y * reach * frame.height) };
  }
  const { width, height, parentWidth, parentHeight } = frame;
  // Smaller ones don't touch.
  const back = (shift: number, isWhole: boolean): number =>
    isPushed && isWhole ? shift - Math.sign(shift) * Math.min(seam, Math.abs(shift)) : shift;
  return {
    shiftX: back(x * reach * parentWidth, width >= parentWidth),
    shiftY: back(y * reach * parentHeight, height >= parentHeight),
  };
}

/** The options of a circular wipe at a progress. */
export function circleWipe(options: Options, progress: number): CircleWipe {
  const scope = options.scope === 'composition' ? 'composition' : 'element';
  return { scope, anchor: anchorOf(options), progress, ring: ringOf(options) };
}

/** The ring around a circular wipe, where it has one. */
export function ringed(options: Options, frame: EffectFrame, progress: number): Effect {
  const color = colorOf(options, 'ringColor');
  const wipe = circleWipe(options, progress);
  if (!color || wipe.ring <= 0 || progress >= 1) return {};
  return { cover: { path: circleRing(frame, wipe), color } };
}
