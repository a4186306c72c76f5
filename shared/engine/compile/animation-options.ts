/**
 * Typed access to an animation's settled options. Called by animations.ts and movements.ts per frame; pure.
 */
import type { Color, Length } from './property-values.ts';
import type { Animation } from './timeline.ts';

type Options = Animation['options'];

/** A numeric option; the table gives every option a value, so 0 only means a type without it. */
export function numberOf(options: Options, name: string): number {
  const value = options[name];
  return typeof value === 'number' ? value : 0;
}

/** A length among the options. */
export function lengthOf(options: Options, name: string): Length {
  const value = options[name];
  return typeof value === 'object' && value !== null && 'px' in value
    ? value
    : { px: 0, percent: 0 };
}

/** The number between two options. */
export function between(options: Options, start: string, end: string, progress: number): number {
  const from = numberOf(options, start);
  return from + (numberOf(options, end) - from) * progress;
}

/** The anchor as shares of the box. */
export function anchorOf(options: Options): readonly [x: number, y: number] {
  return [numberOf(options, 'xAnchor'), numberOf(options, 'yAnchor')];
}

/** The angle of a direction given as a word. */
export function angleOf({ direction }: Options): number {
  return (typeof direction === 'string' ? directionAngles[direction] : undefined) ?? 0;
}

/** A colour among the options; null = none. */
export function colorOf(options: Options, name: string): Color | null {
  const value = options[name];
  // Only colours are lists among option values.
  return Array.isArray(value) ? (value as unknown as Color) : null;
}

/** Width of a circular wipe's ring as a share of the circle's reach; 0 = no ring. */
export function ringOf(options: Options): number {
  return colorOf(options, 'ringColor') ? numberOf(options, 'ringWidth') : 0;
}

/** A wipe's angle; without an end it doesn't turn. */
export function angleAt(options: Options, progress: number): number {
  return options.endAngle === null
    ? numberOf(options, 'startAngle')
    : between(options, 'startAngle', 'endAngle', progress);
}

/** The language's words for angles. */
export const directionAngles: Readonly<Record<string, number>> = {
  right: 0,
  up: 90,
  left: 180,
  down: 270,
};

/** The unit vector of the language's angles, which turn counter-clockwise: 90° is up, and up is negative y. */
export function directionOf(degrees: number): readonly [x: number, y: number] {
  const radians = (degrees * Math.PI) / 180;
  // Without rounding, 180° would be slightly off the horizontal.
  const round = (value: number): number => Math.round(value * 1e12) / 1e12 + 0;
  return [round(Math.cos(radians)), round(-Math.sin(radians))];
}
