/**
 * Documents generated from a number: everything that painting caches, shortens or cuts, in random places, sizes and
 * times. The same number gives the same document. Media come from test/fixtures.
 */
import { animationTypes } from '../../shared/renderscript/animation-types.ts';
import type { Json, Source } from '../../shared/renderscript/source.ts';

/** Sides of the documents, pixels. */
const [width, height] = [1280, 720];
/** Length of the documents, seconds. */
export const generatedDuration = 3;

/** The random numbers of one document. */
interface Dice {
  /** From 0 up to, but not including, 1. */
  share(): number;
  between(least: number, most: number): number;
  one<T>(list: readonly [T, ...T[]]): T;
  /** True in this percentage of cases. */
  often(percent: number): boolean;
}

function diceOf(seed: number): Dice {
  let state = (seed * 2654435761) % 2 ** 32;
  const share = (): number => {
    // mulberry32
    state = (state + 0x6d2b79f5) % 2 ** 32;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    share,
    between: (least, most) => least + share() * (most - least),
    one: (list) => list[Math.floor(share() * list.length)] ?? list[0],
    often: (percent) => share() * 100 < percent,
  };
}

/** The document for a number. */
export function generatedDocument(seed: number): Source {
  const dice = diceOf(seed);
  const count = Math.round(dice.between(2, 6));
  return {
    output_format: 'mp4',
    width,
    height,
    frame_rate: 30,
    duration: generatedDuration,
    ...(dice.often(60) ? painted(dice, 'fill_color') : { fill_color: color(dice) }),
    elements: Array.from({ length: count }, () => element(dice, 2)),
  };
}

const texts = [
  'Summer sale',
  'Größe, Ärger',
  'One two three four five six',
  'AV 2026 ✔ 🎉',
  'مرحبا بكم',
] as const;
const families = ['Montserrat', 'Inter', 'Playfair Display', 'Bebas Neue', 'Aileron'] as const;
const pictures = ['photo.jpg', 'rings.png', 'mark.svg', 'spin.gif', 'pattern.webp'] as const;
const paths = [
  null,
  'M 0 0 L 100 0 L 100 100 L 0 100 L 0 0 Z',
  'M 50 0 C 77.61 0 100 22.39 100 50 C 100 77.61 77.61 100 50 100 C 22.39 100 0 77.61 0 50 C 0 22.39 22.39 0 50 0 Z',
  'M 50 0 L 100 100 L 0 70 Z',
] as const;
const blends = ['multiply', 'screen', 'overlay', 'difference', 'luminosity', 'lighter'] as const;
const masks = ['alpha', 'alpha-inverted', 'luma', 'luma-inverted'] as const;

function element(dice: Dice, depth: number): Source {
  const type = dice.one([
    'shape',
    'shape',
    'shape',
    'text',
    'text',
    'image',
    'video',
    ...(depth > 0 ? (['composition', 'composition'] as const) : []),
  ]);
  return { type, ...place(dice), ...own(dice, type, depth), ...looks(dice), ...motion(dice, type) };
}

/** Usually large: painting's shortcuts begin at 256 × 256 pixels. */
function place(dice: Dice): Source {
  return {
    x: `${dice.between(10, 90)}%`,
    y: `${dice.between(10, 90)}%`,
    width: dice.often(25) ? '100%' : `${dice.between(20, 110)}%`,
    height: dice.often(25) ? '100%' : `${dice.between(20, 110)}%`,
    ...(dice.often(20) && { z_rotation: dice.between(-40, 40) }),
    ...(dice.often(12) && { x_scale: `${dice.between(60, 140)}%` }),
    ...(dice.often(8) && { y_rotation: dice.between(-50, 50) }),
  };
}

function own(dice: Dice, type: string, depth: number): Source {
  switch (type) {
    case 'text':
      return {
        text: dice.one(texts),
        font_family: dice.one(families),
        font_weight: dice.one(['400', '700', '900']),
        ...(dice.often(40) && { font_size: dice.between(24, 160) }),
        x_alignment: dice.one(['0%', '50%', '100%']),
        ...painted(dice, 'fill_color'),
        ...(dice.often(30) && { background_color: color(dice) }),
        ...(dice.often(30) && outline(dice)),
      };
    case 'image':
      return { source: dice.one(pictures), fit: dice.one(['cover', 'contain', 'fill']) };
    case 'video':
      return { source: 'numbers.mp4', loop: true, duration: generatedDuration, volume: 0 };
    case 'composition':
      return {
        ...(dice.often(50) && painted(dice, 'fill_color')),
        clip: dice.often(50),
        elements: Array.from({ length: Math.round(dice.between(1, 3)) }, () =>
          element(dice, depth - 1),
        ),
      };
    default:
      return {
        path: dice.one(paths),
        ...painted(dice, 'fill_color'),
        ...(dice.often(35) && outline(dice)),
      };
  }
}

function outline(dice: Dice): Source {
  return {
    stroke_color: color(dice),
    stroke_width: dice.between(1, 24),
    stroke_join: dice.one(['round', 'miter', 'bevel']),
  };
}

/** A colour or a gradient. */
function painted(dice: Dice, property: string): Source {
  if (dice.often(35)) return { [property]: color(dice) };
  const last = Math.round(dice.between(1, 3));
  const stops = Array.from({ length: last + 1 }, (_, index) => ({
    offset: `${(100 * index) / last}%`,
    color: color(dice),
  }));
  return {
    [property]: stops,
    fill_mode: dice.one(['linear', 'radial']),
    fill_x0: `${dice.between(0, 100)}%`,
    fill_y0: `${dice.between(0, 100)}%`,
    fill_x1: `${dice.between(0, 100)}%`,
    fill_y1: `${dice.between(0, 100)}%`,
  };
}

function color(dice: Dice): string {
  const channel = (): number => Math.floor(dice.share() * 256);
  return `rgba(${channel()},${channel()},${channel()},${dice.often(70) ? 1 : dice.between(0.2, 0.9).toFixed(2)})`;
}

function looks(dice: Dice): Source {
  return {
    ...(dice.often(25) && { opacity: `${dice.between(20, 95)}%` }),
    ...(dice.often(15) && { blend_mode: dice.one(blends) }),
    ...(dice.often(20) && { border_radius: dice.between(4, 80) }),
    ...(dice.often(20) && {
      shadow_color: color(dice),
      shadow_blur: dice.between(0, 40),
      shadow_x: dice.between(-20, 20),
      shadow_y: dice.between(-20, 20),
    }),
    ...(dice.often(15) && {
      blur_radius: dice.between(0.5, 40),
      blur_mode: dice.one(['stack', 'box', 'box-2']),
    }),
    ...(dice.often(12) && {
      color_filter: dice.one(['brighten', 'contrast', 'hue', 'invert', 'grayscale', 'sepia']),
      color_filter_value: `${dice.between(10, 90)}%`,
    }),
    ...(dice.often(10) && { color_overlay: color(dice) }),
    ...(dice.often(8) && { key_color: color(dice), key_softness: `${dice.between(0, 80)}%` }),
    ...(dice.often(8) && {
      look_exposure: dice.between(-1, 1),
      look_contrast: `${dice.between(-40, 40)}%`,
      look_saturation: `${dice.between(-100, 100)}%`,
      look_temperature: `${dice.between(-100, 100)}%`,
    }),
    ...(dice.often(18) && { mask_mode: dice.one(masks) }),
    ...(dice.often(5) && { repeat: true, width: '12%', height: '18%' }),
  };
}

function motion(dice: Dice, type: string): Source {
  const time = { ...(dice.often(40) && { time: dice.between(0, 1) }) };
  const keys = (least: number, most: number, unit: string): Json => [
    { time: dice.between(0, 1), value: `${dice.between(least, most)}${unit}` },
    {
      time: dice.between(1, 3),
      value: `${dice.between(least, most)}${unit}`,
      easing: dice.one(['linear', 'quadratic-out', 'steps(3)']),
    },
  ];
  return {
    ...time,
    ...(dice.often(15) && { x: keys(10, 90, '%') }),
    ...(dice.often(10) && { width: keys(20, 120, '%') }),
    ...(dice.often(10) && { opacity: keys(0, 100, '%') }),
    ...(dice.often(8) && { border_radius: keys(0, 60, ' px') }),
    ...(dice.often(65) && {
      animations: Array.from({ length: dice.often(20) ? 2 : 1 }, () => animation(dice, type)),
    }),
  };
}

const growing = ['wipe', 'circular-wipe', 'scale', 'fade'] as const;
const elementAnimations = namesOf('element');
const textAnimations = namesOf('text');

function namesOf(target: 'element' | 'text'): readonly string[] {
  return [...animationTypes.values()]
    .filter((type) => type.target === target)
    .map(({ name }) => name);
}

function animation(dice: Dice, type: string): Source {
  const [first = 'fade', ...others] =
    type === 'text' && dice.often(60) ? textAnimations : elementAnimations;
  return {
    type: dice.often(40) ? dice.one(growing) : dice.one([first, ...others]),
    time: dice.one(['start', 'end', 0.4]),
    duration: dice.between(0.6, 2.2),
    ...(dice.often(30) && { reversed: true }),
    ...(dice.often(40) && { fade: dice.often(50) }),
    ...(dice.often(30) && { split: dice.one(['line', 'word', 'letter']) }),
    ...(dice.often(20) && { scope: 'element' }),
    ...(dice.often(40) && { start_angle: dice.between(0, 90), x_anchor: '0%' }),
    ...(dice.often(30) && { background_effect: dice.one(['animated', 'sliding', 'scaling-clip']) }),
  };
}
