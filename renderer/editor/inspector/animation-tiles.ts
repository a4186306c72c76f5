/**
 * The document in which every animation moves in a tile of its own, drawn by the page's engine behind a picker. Pure.
 */
import { animationTypes } from '../../../shared/renderscript/animation-types.ts';
import type { JsonObject, Source } from '../../../shared/renderscript/source.ts';
import { tileBox } from '../preview/film-tiles.ts';
import { newEntry } from './animations.ts';

/** Pixels of a tile with its words and the room beside it, and of its picture. */
export const tile = {
  width: 100,
  height: 94,
  picture: { width: 92, height: 62 },
  columns: 4,
} as const;
/** Seconds: of the film, and of an animation in it. */
const seconds = { film: 2.4, move: 1.3 };

/** Colours of the page. */
export interface TileColors {
  readonly ground: string;
  readonly thing: string;
  readonly mark: string;
  /** Of what sweeps over the thing. */
  readonly bar: string;
}

/** The film of these types. */
export function filmOfTiles(types: readonly string[], colors: TileColors): Source {
  return {
    output_format: 'gif',
    width: tile.width * tile.columns,
    height: Math.ceil(types.length / tile.columns) * tile.height,
    duration: seconds.film,
    frame_rate: 15,
    elements: types.map((type, index) => tileOf(type, index, colors)),
  };
}

function tileOf(type: string, index: number, colors: TileColors): JsonObject {
  const isText = animationTypes.get(type)?.target === 'text';
  const entry = newEntry(type);
  const animation = {
    ...entry,
    ...(entry.time !== undefined && { time: 0, duration: seconds.move }),
    // Black would not be seen in a dark window.
    ...(type === 'color-wipe' && { color: colors.bar }),
  };
  return {
    ...tileBox(tile, index),
    fill_color: colors.ground,
    elements: [isText ? wordsOf(type, animation, colors) : thingOf(animation, colors)],
  };
}

function wordsOf(type: string, animation: JsonObject, colors: TileColors): JsonObject {
  return {
    type: 'text',
    text: type === 'text-counter' ? '1250' : 'Move\nme now',
    font_weight: '700',
    font_size: type === 'text-counter' ? 24 : 16,
    fill_color: colors.thing,
    width: '90%',
    height: '90%',
    x_alignment: '50%',
    y_alignment: '50%',
    animations: [animation],
  };
}

/** Something whose turns and whose content can be seen. */
function thingOf(animation: JsonObject, colors: TileColors): JsonObject {
  return {
    type: 'composition',
    width: 50,
    height: 40,
    clip: true,
    border_radius: '6 px',
    fill_color: colors.thing,
    animations: [animation],
    elements: [
      {
        type: 'shape',
        x: '30%',
        y: '34%',
        width: 12,
        height: 12,
        border_radius: '6 px',
        fill_color: colors.mark,
      },
      { type: 'shape', x: '50%', y: '76%', width: '72%', height: 5, fill_color: colors.mark },
    ],
  };
}
