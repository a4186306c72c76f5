/** The document in which every transition goes on in a tile of its own, drawn behind their picker. Pure. */
import type { JsonObject, Source } from '../../../shared/renderscript/source.ts';
import { tileBox } from '../preview/film-tiles.ts';
import { tile } from '../inspector/animation-tiles.ts';
import { transitionKinds } from './transitions.ts';

/** Seconds: of the film, the part of it with the transition, and the moment that stands where motion is not wanted. */
export const transitionFilm = { duration: 2.4, from: 0.7, move: 1, still: 1.08 } as const;

/** Colours of the page: of the two pictures, of what can be seen on them, and of what sweeps over them. */
export interface TransitionColors {
  readonly before: string;
  readonly after: string;
  readonly mark: string;
  readonly bar: string;
}

export function filmOfTransitions(colors: TransitionColors): Source {
  return {
    output_format: 'gif',
    width: tile.width * tile.columns,
    height: Math.ceil(transitionKinds.length / tile.columns) * tile.height,
    duration: transitionFilm.duration,
    frame_rate: 15,
    elements: transitionKinds.map(({ values }, index): JsonObject => ({
      ...tileBox(tile, index),
      elements: [
        picture(colors.before, circle(colors.mark), {
          duration: transitionFilm.from + transitionFilm.move,
        }),
        picture(colors.after, hills(colors.mark), {
          animations: [
            {
              duration: transitionFilm.move,
              transition: true,
              ...values,
              ...(values.type === 'color-wipe' && { color: colors.bar }),
            },
          ],
        }),
      ],
    })),
  };
}

const picture = (color: string, inside: JsonObject, more: JsonObject): JsonObject => ({
  type: 'composition',
  track: 1,
  width: '100%',
  height: '100%',
  fill_color: color,
  clip: true,
  elements: [inside],
  ...more,
});

const circle = (color: string): JsonObject => ({
  type: 'shape',
  x: '50%',
  y: '50%',
  width: 26,
  height: 26,
  border_radius: '13 px',
  fill_color: color,
});

const hills = (color: string): JsonObject => ({
  type: 'shape',
  x: '50%',
  y: '50%',
  x_anchor: '50%',
  y_anchor: '50%',
  width: '100%',
  height: '100%',
  path: 'M 0 100 L 0 70 L 30 40 L 52 68 L 70 50 L 100 82 L 100 100 Z',
  fill_color: color,
});
