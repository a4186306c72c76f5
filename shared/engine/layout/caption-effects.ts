/**
 * What a caption effect does to one part of a page (a word, letter, line, or all of it) at a moment. A table of rows;
 * pure. Times are in seconds and start with the frame in which the part is spoken, which therefore always shows it.
 */
import { about, multiply, scaling, translation, type Matrix } from '../geometry.ts';
import type { Captions } from '../compile/timeline.ts';

/** A part at a moment. */
export interface PartState {
  /** Seconds since it began to be spoken; negative before. */
  readonly since: number;
  /** Seconds that it is spoken. */
  readonly length: number;
  /** Middle of the part, box space. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** Document pixels. */
  readonly fontSize: number;
}

/** How a part shows. */
export interface PartLook {
  readonly opacity: number;
  /** Box space; null = in its place. */
  readonly transform: Matrix | null;
  /** Share of it with the accent colour, from the start in reading direction: 0–1. */
  readonly accent: number;
  /** Padding of the box behind it, as a share of the set padding; 0 = no box. */
  readonly box: number;
}

const plain: PartLook = { opacity: 1, transform: null, accent: 0, box: 0 };
const marked: PartLook = { ...plain, accent: 1 };
const hidden: PartLook = { ...plain, opacity: 0 };

/** Seconds of each movement: short, because words follow each other three times a second. */
const times = { fade: 0.22, slide: 0.22, hop: 0.36, grow: 0.1, shrink: 0.14, pop: 0.1 } as const;
/** Lengths as shares of the font size. */
const reach = { slide: 0.55, hop: 0.26 } as const;
/** Largest growth of a spoken word, and how far it may overlap each neighbour: about the space between them. */
const growth = { most: 1.25, least: 1.06, over: 0.11 } as const;
/** Initial opacity of a part that appears, so that its first frame shows something. */
const firstOpacity = 0.3;
const firstBox = 0.35;

type Row = (state: PartState) => PartLook;

const rows: Readonly<Record<Captions['effect'], Row>> = {
  color: (state) => (isSpoken(state) ? marked : plain),

  karaoke: ({ since, length }) => {
    if (since < 0) return plain;
    return { ...plain, accent: length > 0 ? Math.min(1, since / length) : 1 };
  },

  highlight: (state) => {
    if (!isSpoken(state)) return plain;
    return { ...plain, box: firstBox + (1 - firstBox) * easeOut(state.since / times.pop) };
  },

  fade: (state) => {
    if (state.since < 0) return hidden;
    return { ...colored(state), opacity: rising(state.since / times.fade) };
  },

  slide: (state) => {
    const { since, fontSize } = state;
    if (since < 0) return hidden;
    const left = 1 - easeOut(since / times.slide);
    return {
      ...colored(state),
      opacity: rising((since / times.slide) * 1.5),
      transform: left > 0 ? translation(0, left * reach.slide * fontSize) : null,
    };
  },

  bounce: (state) => {
    const progress = state.since / times.hop;
    if (progress < 0 || progress >= 1) return colored(state);
    // Up and down once, then a small second hop, like a ball.
    const [height, phase] =
      progress < 0.68 ? [1, progress / 0.68] : [0.22, (progress - 0.68) / 0.32];
    const lift = height * 4 * phase * (1 - phase);
    const grown = about(scaling(1 + 0.08 * lift, 1 + 0.08 * lift), state.x, state.y);
    return {
      ...colored(state),
      transform: multiply(translation(0, -lift * reach.hop * state.fontSize), grown),
    };
  },

  enlarge: (state) => {
    const { since, length, x, y, width, fontSize } = state;
    if (since < 0) return plain;
    const risen = 0.35 + 0.65 * easeOut(since / times.grow);
    const left = since < length ? risen : risen * (1 - easeOut((since - length) / times.shrink));
    if (left <= 0) return plain;
    const most = Math.min(
      growth.most,
      Math.max(growth.least, 1 + (2 * growth.over * fontSize) / Math.max(1, width)),
    );
    const scale = 1 + (most - 1) * left;
    return { ...colored(state), transform: about(scaling(scale, scale), x, y) };
  },
};

/** How a part shows under an effect. */
export function lookOf(effect: Captions['effect'], state: PartState): PartLook {
  return rows[effect](state);
}

/** Effects that move letters off the pixel grid; their text must not snap to it in between. */
export function captionsMove({ effect, placement }: Captions): boolean {
  return (
    placement === 'animate' || effect === 'bounce' || effect === 'slide' || effect === 'enlarge'
  );
}

/** Seconds in which lines glide to their next position with `transcript_placement: animate`. */
export const glideTime = 0.16;

/** Fast at first, then slow; clamped to 0–1. */
export function easeOut(progress: number): number {
  const left = 1 - Math.min(1, Math.max(0, progress));
  return 1 - left ** 3;
}

function isSpoken({ since, length }: PartState): boolean {
  return since >= 0 && since < length;
}

function colored(state: PartState): PartLook {
  return isSpoken(state) ? marked : plain;
}

function rising(progress: number): number {
  return firstOpacity + (1 - firstOpacity) * easeOut(progress);
}
