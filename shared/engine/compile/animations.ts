/**
 * Element animations: what each type does to its element at a moment. Called by layout once per animation and frame;
 * pure.
 *
 * A row of the table below is an animation. It turns eased progress (0 = first state, 1 = last) into an effect of
 * effect.ts; timing, reversing, easing and the `fade` option are handled once for all. To add an animation, add a row
 * (and its options to shared/renderscript/animation-types.ts).
 *
 * [Note: Crossfade] Two layers fading in step, 0 → 1 and 1 → 0, let a quarter of the background through half-way: the
 * picture dips. Keeping the lower layer opaque would prevent that, but a layer that covers another area (a text, a
 * smaller picture) would then stay until it pops away. So the incoming layer runs a little ahead (p · (1.4 − 0.4p): 60
 * % half-way), while the outgoing one stays for the first half and fades late in the second (1 − (2p − 1)⁴). At most
 * 2.7 % of the background shows, and the mix stays nearly even.
 */
import { about, scaling } from '../geometry.ts';
import {
  angleAt,
  angleOf,
  between,
  colorOf,
  directionOf,
  lengthOf,
  numberOf,
} from './animation-options.ts';
import type { Effect, EffectFrame } from './effect.ts';
import {
  circleWipe,
  copied,
  filmed,
  flipped,
  moved,
  placed,
  pressed,
  ringed,
  rolled,
  scaled,
  turned,
  viewScales,
  wiggled,
} from './movements.ts';
import { swing } from './oscillation.ts';
import { easedProgress, held } from './progress.ts';
import type { Animation } from './timeline.ts';
import {
  circleClip,
  circleComplement,
  stripClip,
  stripComplement,
  stripesClip,
  sweep,
} from './wipes.ts';

type Options = Animation['options'];

/** One state of an animation. */
interface State {
  readonly options: Options;
  readonly frame: EffectFrame;
  /** Eased; 0 = first state, 1 = last state; overshooting easings leave that range. */
  readonly progress: number;
  readonly transition: boolean;
}

/** What an animation does. */
interface Row {
  /** The effect on its own element. */
  readonly own: (state: State) => Effect | null;
  /** The effect on the element that a transition replaces, besides fading; absent = none. */
  readonly outgoing?: (state: State) => Effect | null;
}

/** An oscillator's effect at a deflection between −1 and 1; at 0 the element is unchanged. */
type Oscillator = (state: {
  options: Options;
  frame: EffectFrame;
  deflection: number;
}) => Effect | null;

const rows: Readonly<Record<string, Row>> = {
  fade: { own: () => null },

  scale: {
    own: ({ options, frame, progress }) =>
      scaled(options, frame, between(options, 'startScale', 'endScale', progress)),
    // The outgoing element keeps growing as far as the new one grows. It never shrinks: that would expose the
    // background.
    outgoing: ({ options, frame, progress }) => {
      const growth = numberOf(options, 'endScale') - numberOf(options, 'startScale');
      return options.fade === true && growth > 0
        ? scaled(options, frame, 1 + growth * progress)
        : null;
    },
  },

  slide: {
    own: ({ options, frame, progress }) =>
      options.fixed === 'second-only' ? null : moved(options, frame, progress - 1),
    outgoing: ({ options, frame, progress }) =>
      options.fixed === 'first-only' ? null : moved(options, frame, progress, isPush(options)),
  },

  pan: {
    own: ({ options, frame, progress }) => {
      const [startScale, endScale] = viewScales(options);
      const scale = startScale + (endScale - startScale) * progress;
      const x = between(options, 'startX', 'endX', progress);
      const y = between(options, 'startY', 'endY', progress);
      // Scaling about the viewed point keeps the enlarged content over the whole box for every x and y from 0 to 1.
      return placed(options, about(scaling(scale, scale), x * frame.width, y * frame.height));
    },
  },

  spin: {
    own: ({ options, frame, progress }) =>
      turned(options, frame, numberOf(options, 'rotation') * (progress - 1)),
    outgoing: ({ options, frame, progress }) =>
      turned(options, frame, numberOf(options, 'rotation') * progress),
  },

  flip: {
    own: ({ options, frame, progress }) => flipped(options, frame, progress - 1),
    outgoing: ({ options, frame, progress }) => flipped(options, frame, progress),
  },

  wipe: {
    own: ({ options, frame, progress }) =>
      clips(options, 'own')
        ? {
            clip: stripClip(
              frame,
              numberOf(options, 'xAnchor'),
              angleAt(options, progress),
              progress,
            ),
          }
        : null,
    outgoing: ({ options, frame, progress }) =>
      clips(options, 'outgoing')
        ? {
            clip: stripComplement(
              frame,
              numberOf(options, 'xAnchor'),
              angleAt(options, progress),
              progress,
            ),
          }
        : null,
  },

  'circular-wipe': {
    own: ({ options, frame, progress }) => ({
      ...(clips(options, 'own') && {
        clip: circleClip(frame, circleWipe(options, progress)),
      }),
      ...ringed(options, frame, progress),
    }),
    outgoing: ({ options, frame, progress }) =>
      clips(options, 'outgoing')
        ? { clip: circleComplement(frame, circleWipe(options, progress)) }
        : null,
  },

  'color-wipe': {
    own: ({ options, frame, progress }) => {
      const { bar, uncovered } = sweep(frame, angleOf(options), progress);
      const color = colorOf(options, 'color');
      return {
        clip: uncovered,
        ...(color && progress > 0 && progress < 1 && { cover: { path: bar, color } }),
      };
    },
    outgoing: ({ options, frame, progress }) => ({
      clip: sweep(frame, angleOf(options), progress).untouched,
    }),
  },

  stripe: {
    own: ({ frame, progress }) => ({ clip: stripesClip(frame, progress, true) }),
    outgoing: ({ frame, progress }) => ({ clip: stripesClip(frame, progress, false) }),
  },

  squash: {
    own: ({ options, frame, progress }) => pressed(options, frame, progress, -1),
    outgoing: ({ options, frame, progress }) => pressed(options, frame, 1 - progress, 1),
  },

  'rotate-slide': {
    own: ({ options, frame, progress }) => rolled(options, frame, progress - 1),
    outgoing: ({ options, frame, progress }) => rolled(options, frame, progress),
  },

  'film-roll': {
    own: ({ options, frame, progress }) => filmed(options, frame, progress),
    outgoing: ({ options, frame, progress }) =>
      copied(options, frame, [progress * numberOf(options, 'repetitions')]),
  },

  shift: {
    own: ({ options, frame, progress, transition }) => {
      // In a transition, the new element returns.
      if (transition) return filmed(options, frame, progress);
      const passed = progress * numberOf(options, 'repetitions');
      const share = passed - Math.floor(passed);
      return share === 0 ? null : copied(options, frame, [share, share - 1]);
    },
    outgoing: ({ options, frame, progress }) =>
      copied(options, frame, [progress * numberOf(options, 'repetitions')]),
  },
};

const oscillators: Readonly<Record<string, Oscillator>> = {
  shake: ({ options, frame, deflection }) => {
    const [x, y] = directionOf(numberOf(options, 'direction'));
    const distance = lengthOf(options, 'distance');
    return {
      shiftX: x * deflection * (distance.px + distance.percent * frame.width),
      shiftY: y * deflection * (distance.px + distance.percent * frame.height),
    };
  },
  bounce: ({ options, frame, deflection }) =>
    scaled(options, frame, 1 + numberOf(options, 'scale') * deflection),
  wiggle: ({ options, frame, deflection }) => wiggled(options, frame, deflection),
};

/** True for element animations that this version supports. */
export function isElementAnimation(type: string): boolean {
  return Object.hasOwn(rows, type) || Object.hasOwn(oscillators, type);
}

/** True for animations that swing around the element's normal state, see oscillation.ts. */
export function isOscillator(type: string): boolean {
  return Object.hasOwn(oscillators, type);
}

/**
 * What an animation does to its element at a moment of the element's clock; null = none. Before its time an animation
 * holds its first state, after its time its last; oscillators only swing within it.
 */
export function elementEffect(
  animation: Animation,
  time: number,
  frame: EffectFrame,
): Effect | null {
  const { type, options } = animation;
  const oscillator = Object.hasOwn(oscillators, type) ? oscillators[type] : undefined;
  if (oscillator) {
    const deflection = swing(animation, time);
    const effect = deflection === 0 ? null : oscillator({ options, frame, deflection });
    const opacity = opacityAt(animation, easedProgress(animation, time));
    return opacity === 1 ? effect : { ...effect, opacity };
  }
  const row = Object.hasOwn(rows, type) ? rows[type] : undefined;
  if (!row) return null;
  const progress = easedProgress(animation, time);
  const outgoing = animation.side === 'outgoing';
  // The element is unchanged after its entrance, and before it is replaced.
  if (progress === (outgoing ? 0 : 1) && restsAt(type, options, outgoing)) return null;
  const { transition } = animation;
  const effect =
    (outgoing ? row.outgoing : row.own)?.({ options, frame, progress, transition }) ?? null;
  const opacity = opacityAt(animation, progress);
  return opacity === 1 ? effect : { ...effect, opacity };
}

/** Scale and pan may end in a changed state, and a scaled element stays scaled. */
function restsAt(type: string, options: Options, outgoing: boolean): boolean {
  if (outgoing) return true;
  return (type !== 'scale' && type !== 'pan') || (type === 'scale' && options.endScale === 1);
}

// ---- opacity -------------------------------------------------------------------------------------------------------

/** How far the `fade` option (or `fade` itself) lets the element show. */
function opacityAt({ type, options, transition, side }: Animation, progress: number): number {
  if (type !== 'fade' && options.fade !== true) return 1;
  const p = held(progress);
  if (!transition) return p;
  // Where a wipe hasn't been yet there is only the old element, which must stay whole.
  if (side === 'outgoing' && uncovering.has(type)) return 1;
  if (pushing.has(type) || (type === 'slide' && isPush(options))) return 1;
  const enable = type === 'fade' ? options.enable : 'both';
  if (side === 'outgoing')
    return enable === 'both' ? fadeOut(p) : enable === 'first-only' ? 1 - p : 1;
  return enable === 'both' ? fadeIn(p) : enable === 'second-only' ? p : 1;
}

/** Types that reveal the new element gradually. */
const uncovering: ReadonlySet<string> = new Set(['wipe', 'circular-wipe', 'color-wipe', 'stripe']);

/** Types in which the new element pushes the old one away, as in `isPush`. */
const pushing: ReadonlySet<string> = new Set(['squash', 'rotate-slide', 'film-roll', 'shift']);

/**
 * True for slides in which one element pushes the other out of the frame. Only the background is behind them, so fading
 * would let it flash up.
 */
function isPush({ scope, fixed, distance }: Options): boolean {
  return scope === 'composition' && fixed === 'none' && Number(distance) >= 1;
}

/** See: [Note: Crossfade]. */
function fadeIn(progress: number): number {
  return progress * (1.4 - 0.4 * progress);
}

/** See: [Note: Crossfade]. */
function fadeOut(progress: number): number {
  return 1 - Math.max(0, 2 * progress - 1) ** 4;
}

/**
 * True for transitions in which the old element leaves and reveals the new one behind it, which must be drawn first.
 */
export function entersBelow({ type, options, transition, side }: Animation): boolean {
  if (!transition || side !== 'own') return false;
  if (type === 'fade') return options.enable === 'first-only';
  if (type === 'slide') return options.fixed === 'second-only';
  return options.clip === 'first-only';
}

/**
 * Whether a wipe cuts this side of a transition. A wipe that fades leaves the old element whole: otherwise the
 * background would show through the half-faded new one.
 */
function clips({ clip, fade }: Options, side: Animation['side']): boolean {
  if (side === 'outgoing')
    return clip === 'first-only' || (clip !== 'second-only' && fade !== true);
  return clip !== 'first-only';
}
