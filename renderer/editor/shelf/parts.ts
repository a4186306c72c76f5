/** What the pieces of the shelf are built of: a word, a box, a path and their entrances. Pure. */
import type { JsonObject } from '../../../shared/renderscript/source.ts';
import type { MessageKey } from '../../ui/say.ts';
import { parseColor } from '../../../shared/renderscript/color.ts';
import type { LookId } from '../captions/looks.ts';
import { inkOn, type PieceContext } from '../making/pieces.ts';
import type { TransitionId } from '../timeline/transitions.ts';

type NameIn<Key> = Key extends `shelf.name.${infer Id}` ? Id : never;

/** Name of a piece; its text is `shelf.name.ID`. */
export type ShelfId = NameIn<MessageKey>;

/** What a tile of the shelf shows and adds. */
export interface ShelfItem {
  readonly id: string;
  /** Width and height in hundredths of the frame's smaller side; `whole`: as large as the frame. */
  readonly size: readonly [width: number, height: number] | 'whole';
  /** Where it stands in the frame. Default: in the middle. */
  readonly at?: 'middle' | 'low' | 'bottom' | 'top' | 'corner';
  /** What is in it; one element alone is no group. */
  readonly make: (context: PieceContext) => readonly JsonObject[];
  /** It is one element: nothing needs to hold it together. */
  readonly isShape?: true;
  /** How long it lasts: it stands over the playhead then. Default: to the end. */
  readonly seconds?: number;
  /** Adding it makes the nearest cut such a transition. */
  readonly transition?: TransitionId;
  /** Adding it gives captions in that style. */
  readonly look?: LookId;
}

/** The text that names what is taken from elsewhere. */
type TakenKey = `transition.${TransitionId}` | `captions.look.${LookId}`;

/** The text that names a piece. */
export type PieceKey = `shelf.name.${ShelfId}` | TakenKey;

/** Something ready-made; its text is `shelf.name.ID`, or that of what it takes from elsewhere. */
export type ShelfPiece = ShelfItem &
  ({ readonly id: ShelfId } | { readonly id: string; readonly label: TakenKey });

/** Left, top, width and height in percent of the piece. */
export type Area = readonly [left: number, top: number, width: number, height: number];

const whole: Area = [0, 0, 100, 100];

/** An area as places and sides. */
export const placeOf = ([left, top, width, height]: Area): JsonObject => ({
  x: `${left + width / 2}%`,
  y: `${top + height / 2}%`,
  width: `${width}%`,
  height: `${height}%`,
});

/**
 * The accent for lines and figures on the background itself: where both are dark or both light, mixed with the ink.
 *
 * @param ink black or white
 */
export function seenAccent({ accent, ink }: Pick<PieceContext, 'accent' | 'ink'>): string {
  const color = parseColor(accent);
  if (!color || inkOn(accent) !== ink) return accent;
  const other = ink === '#ffffff' ? 255 : 0;
  const mixed = color.slice(0, 3).map((channel) => Math.round(channel * 0.55 + other * 0.45));
  return `rgb(${mixed.join(',')})`;
}

/** A shadow that sets a piece apart from a light picture. */
export const shadow = (unit: PieceContext['unit']): JsonObject => ({
  shadow_color: 'rgba(0,0,0,0.32)',
  shadow_blur: unit(2.4),
});

/** A coloured box. */
export const box = (color: string, area: Area = whole, more: JsonObject = {}): JsonObject => ({
  type: 'shape',
  ...placeOf(area),
  fill_color: color,
  ...more,
});

/** A path that is drawn as a line. @param width of the line, e.g. `0.8 vmin` */
export const stroke = (
  path: string,
  color: string,
  width: string,
  area: Area = whole,
  more: JsonObject = {},
): JsonObject => ({
  type: 'shape',
  ...placeOf(area),
  path,
  stroke_color: color,
  stroke_width: width,
  ...more,
});

/** Words that get smaller before they leave their area. @param most size of their letters at most */
export const words = (
  name: string,
  text: string,
  area: Area,
  most: string,
  more: JsonObject = {},
): JsonObject => ({
  type: 'text',
  name,
  text,
  ...placeOf(area),
  x_alignment: '50%',
  y_alignment: '50%',
  font_size_maximum: most,
  ...more,
});

/** An animation at the beginning. */
const entrance = (type: string, delay: number, duration: number, more: JsonObject): JsonObject => ({
  animations: [{ time: delay, duration, easing: 'quintic-out', type, ...more }],
});

/** Comes up from below, out of nothing. */
export const rising = (delay = 0): JsonObject =>
  entrance('text-slide', delay, 0.8, {
    scope: 'split-clip',
    split: 'line',
    direction: 'up',
    distance: '100%',
  });

/** Opens from the left. */
export const opening = (delay = 0, duration = 0.7): JsonObject =>
  entrance('wipe', delay, duration, { x_anchor: '0%', fade: false });

/** Grows out of a point, a little too far. */
export const popping = (delay = 0): JsonObject =>
  entrance('scale', delay, 0.6, { start_scale: '0%', easing: 'back-out' });

/** Shows gently. */
export const fading = (delay = 0): JsonObject => entrance('fade', delay, 0.6, {});

/** A line draws itself. */
export const drawing = (delay = 0, end = '100%'): JsonObject => ({
  stroke_end: [
    { time: delay, value: '0%' },
    { time: delay + 0.9, value: end, easing: 'cubic-out' },
  ],
});

/** A path of points, each x and y in percent of the box. */
export const closed = (points: readonly (readonly [number, number])[]): string =>
  `M ${points.map((point) => point.join(' ')).join(' L ')} Z`;

/** Points of a star or burst from the top on. @param inner radius of every second one, at most 50 */
export const starPath = (tips: number, inner: number): string =>
  closed(
    Array.from({ length: tips * 2 }, (_, index) => {
      const radius = index % 2 === 0 ? 50 : inner;
      const angle = (index * Math.PI) / tips;
      const round = (value: number): number => Math.round(value * 100) / 100;
      return [round(50 + radius * Math.sin(angle)), round(50 - radius * Math.cos(angle))] as const;
    }),
  );

/** A circle that begins at the top and runs clockwise. */
export const circlePath =
  'M 50 0 C 77.61 0 100 22.39 100 50 C 100 77.61 77.61 100 50 100 C 22.39 100 0 77.61 0 50 C 0 22.39 22.39 0 50 0 Z';
