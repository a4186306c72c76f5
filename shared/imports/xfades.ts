/** Transitions by the names that ffmpeg and gl-transitions give them, as animations of ours. Pure. */
import type { JsonObject } from '../renderscript/source.ts';
import type { Foreign } from './foreign.ts';

const circle = { type: 'circular-wipe', fade: false } as const;
const wipe = (anchor: string, angle?: string): JsonObject => ({
  type: 'wipe',
  x_anchor: anchor,
  ...(angle === undefined ? {} : { start_angle: angle }),
  fade: false,
});
const slide = (direction: string): JsonObject => ({ type: 'slide', direction, fade: false });

/** By name, without hyphens and in small letters. */
const transitions: Readonly<Record<string, JsonObject>> = {
  fade: { type: 'fade' },
  dissolve: { type: 'fade' },
  crossfade: { type: 'fade' },
  fadecolor: { type: 'fade' },
  wipeleft: wipe('100%'),
  wiperight: wipe('0%'),
  wipeup: wipe('0%', '90°'),
  wipedown: wipe('0%', '270°'),
  smoothleft: wipe('100%'),
  smoothright: wipe('0%'),
  horzopen: wipe('50%', '90°'),
  vertopen: wipe('50%'),
  slideleft: slide('180°'),
  slideright: slide('0°'),
  slideup: slide('90°'),
  slidedown: slide('270°'),
  directionalleft: slide('180°'),
  directionalright: slide('0°'),
  directionalup: slide('90°'),
  directionaldown: slide('270°'),
  circleopen: circle,
  circlecrop: circle,
  circle,
  radial: wipe('0%', '90°'),
  zoomin: { type: 'scale' },
  simplezoom: { type: 'scale' },
  crosszoom: { type: 'scale' },
};

/**
 * The transition of that name, at the start of the later one of two elements.
 *
 * @param seconds Its length.
 * @param place The object whose `style` or `name` it is; gets a note if a fade takes its place.
 */
export function transitionNamed(name: string, seconds: number, place: Foreign): JsonObject {
  const plain = name.toLowerCase().replace(/[-_ ]/g, '');
  const known = Object.hasOwn(transitions, plain) ? transitions[plain] : undefined;
  if (!known) {
    const said = `there is no transition “${name}”; a fade takes its place`;
    place.note('style', said);
    place.note('name', said);
  }
  return { ...(known ?? { type: 'fade' }), time: 'start', duration: seconds, transition: true };
}
