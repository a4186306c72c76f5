/** Where a Shotstack clip is, how it looks and how it moves. Pure. */
import { isJsonObject, type Json, type JsonObject } from '../renderscript/source.ts';
import { defined, isList, percent, shareIn, type Foreign } from './foreign.ts';

/** Shotstack's `cover` stretches. `none` keeps the size of the file. */
const fits: Readonly<Record<string, JsonObject>> = {
  crop: { fit: 'cover' },
  cover: { fit: 'fill' },
  contain: { fit: 'contain' },
  none: { width: null, height: null },
};

/** Close to the filters by eye; their makers give no numbers. */
const filters: Readonly<Record<string, JsonObject>> = {
  blur: { blur_radius: '2 vmin' },
  boost: { look_contrast: '20%', look_saturation: '40%' },
  contrast: { look_contrast: '35%' },
  darken: { look_exposure: -0.8 },
  greyscale: { color_filter: 'grayscale', color_filter_value: '100%' },
  lighten: { look_exposure: 0.6 },
  muted: { look_contrast: '-20%', look_saturation: '-40%' },
  negative: { color_filter: 'invert', color_filter_value: '100%' },
};

/** Degrees of a direction, as `slide` counts them. */
const angles: Readonly<Record<string, string>> = {
  Right: '0°',
  Up: '90°',
  Left: '180°',
  Down: '270°',
};

/** Seconds of a transition by the ending of its name. */
const transitionSpeeds = { Slow: 2, Fast: 0.5 } as const;
const usualTransition = 1;

/** Growth of a slow movement by the ending of its name. */
const effectScales = { Slow: '110%', Fast: '140%' } as const;
const usualEffect = '120%';

/** Box, anchor and turn. Scale is a share of the picture, and an offset one of its width or height, up counting up. */
export function placeFor(clip: Foreign, isMedia: boolean): JsonObject {
  const position = clip.text('position') ?? 'center';
  const offset = clip.object('offset');
  const scale = clip.number('scale');
  const fit = (isMedia ? fits[clip.text('fit') ?? 'crop'] : undefined) ?? {};
  const turn = clip.object('transform');
  const rotation = turn.object('rotate').get('angle');
  const flip = turn.object('flip');
  turn.note('skew', 'the language counts it in degrees; set x_skew and y_skew');
  const isOwnSize = 'width' in fit;
  const size =
    scale === undefined || isOwnSize ? {} : { width: percent(scale), height: percent(scale) };
  const factor = isOwnSize ? (scale ?? 1) : 1;
  const sized = (isFlipped: boolean): string | undefined =>
    factor === 1 && !isFlipped ? undefined : percent(isFlipped ? -factor : factor);
  return defined({
    ...size,
    ...fit,
    ...placeAt(position, offset),
    z_rotation: rotation === undefined ? undefined : tweenValues(rotation, (angle) => `${angle}°`),
    x_scale: sized(flip.flag('horizontal')),
    y_scale: sized(flip.flag('vertical')),
  });
}

/** One of nine places of the picture, and how far from it. */
export function placeAt(position: string, offset: Foreign): JsonObject {
  const across = shareIn(position, /left/i, /right/i);
  const down = shareIn(position, /top/i, /bottom/i);
  return defined({
    x: tweened(offset, 'x', (share) => percent(across + share)),
    y: tweened(offset, 'y', (share) => percent(down - share)),
    x_anchor: across === 0.5 ? undefined : percent(across),
    y_anchor: down === 0.5 ? undefined : percent(down),
  });
}

/** Opacity, filter, and the movements of a clip. */
export function lookFor(clip: Foreign): JsonObject {
  const opacity = clip.get('opacity');
  const filter = clip.text('filter');
  const look = filter === undefined ? undefined : filters[filter];
  if (filter !== undefined && filter !== 'none') {
    clip.note('filter', look ? 'only close to it' : `there is no filter “${filter}”`);
  }
  const transition = clip.object('transition');
  const animations = [
    ...transitionFor(transition, 'in'),
    ...transitionFor(transition, 'out'),
    ...effectFor(clip),
  ];
  return defined({
    opacity: opacity === undefined ? undefined : tweenValues(opacity, (share) => percent(share)),
    ...look,
    animations: animations.length === 0 ? undefined : animations,
  });
}

/** Fades of a sound: half a second, as there. */
export function fadesFor(effect: string | undefined): JsonObject {
  return defined({
    audio_fade_in: effect?.startsWith('fadeIn') ? 0.5 : undefined,
    audio_fade_out: effect?.endsWith('Out') ? 0.5 : undefined,
  });
}

/** A number, or a list of tweens, in our words. Undefined for anything else. */
export function tweenValues(value: Json, say: (number: number) => string): Json | undefined {
  if (typeof value === 'number') return say(value);
  if (!isList(value)) return undefined;
  const frames = value.flatMap((tween) => {
    if (!isJsonObject(tween)) return [];
    const { from, to, start, length, interpolation } = tween;
    const begin = typeof start === 'number' ? start : 0;
    const end = typeof length === 'number' ? begin + length : begin;
    const easing = interpolation === 'bezier' ? 'sinusoid-in-out' : 'linear';
    return [
      ...(typeof from === 'number' ? [{ time: begin, value: say(from), easing: 'linear' }] : []),
      ...(typeof to === 'number' ? [{ time: end, value: say(to), easing }] : []),
    ];
  });
  return frames.length === 0 ? undefined : frames;
}

function tweened(offset: Foreign, key: string, say: (share: number) => string): Json | undefined {
  return tweenValues(offset.get(key) ?? 0, say);
}

/** Splits the ending off, e.g. `slideLeftFast`. */
function speedIn(word: string): { readonly name: string; readonly speed: 'Slow' | 'Fast' | null } {
  if (word.endsWith('Slow')) return { name: word.slice(0, -4), speed: 'Slow' };
  if (word.endsWith('Fast')) return { name: word.slice(0, -4), speed: 'Fast' };
  return { name: word, speed: null };
}

function transitionFor(transition: Foreign, key: 'in' | 'out'): JsonObject[] {
  const word = transition.text(key);
  if (word === undefined || word === 'none') return [];
  const { name, speed } = speedIn(word);
  const direction = /[A-Z][a-z]+$/.exec(name)?.[0] ?? '';
  const kind = direction === '' ? name : name.slice(0, -direction.length);
  const movement = movements[kind]?.(direction);
  if (!movement) transition.note(key, `there is no movement “${word}”; a fade takes its place`);
  return [
    {
      time: key === 'in' ? 'start' : 'end',
      duration: speed === null ? usualTransition : transitionSpeeds[speed],
      ...(key === 'out' ? { reversed: true } : {}),
      ...(movement ?? { type: 'fade' }),
    },
  ];
}

/** By the name of a transition without its direction and speed. */
const movements: Readonly<Record<string, (direction: string) => JsonObject>> = {
  fade: () => ({ type: 'fade' }),
  reveal: () => ({ type: 'wipe', x_anchor: '0%', fade: false }),
  wipe: (to) => ({ type: 'wipe', x_anchor: to === 'Left' ? '100%' : '0%' }),
  slide: (to) => ({ type: 'slide', direction: angles[to] ?? '180°', distance: '15%' }),
  carousel: (to) => ({ type: 'slide', direction: angles[to] ?? '180°', fade: false }),
  zoom: () => ({ type: 'scale', start_scale: '300%' }),
};

/** Slow zooms and pans over the whole clip. */
function effectFor(clip: Foreign): JsonObject[] {
  const word = clip.text('effect');
  if (word === undefined || word === 'none') return [];
  const { name, speed } = speedIn(word);
  const scale = speed === null ? usualEffect : effectScales[speed];
  const zooms: Readonly<Record<string, JsonObject>> = {
    zoomIn: { type: 'scale', start_scale: '100%', end_scale: scale },
    zoomOut: { type: 'scale', start_scale: scale, end_scale: '100%' },
    slideLeft: { type: 'pan', start_x: '0%', end_x: '100%' },
    slideRight: { type: 'pan', start_x: '100%', end_x: '0%' },
    slideUp: { type: 'pan', start_y: '0%', end_y: '100%' },
    slideDown: { type: 'pan', start_y: '100%', end_y: '0%' },
  };
  const effect = zooms[name];
  if (!effect) {
    clip.note('effect', `there is no movement “${word}”`);
    return [];
  }
  const pans =
    effect.type === 'pan' ? { scope: 'composition', start_scale: scale, end_scale: scale } : {};
  return [{ easing: 'linear', fade: false, ...effect, ...pans }];
}
