/** The tiles of a film that is drawn behind a picker's buttons. Pure. */
import type { JsonObject } from '../../../shared/renderscript/source.ts';

/** Pixels of a tile with its words and the room beside it, and of its picture. */
export interface FilmTile {
  readonly width: number;
  readonly height: number;
  readonly picture: { readonly width: number; readonly height: number };
  readonly columns: number;
}

/** The box of a tile's picture, without what is in it. @param top Of the first tile, in pixels; 0 by default. */
export const tileBox = (
  { width, height, picture, columns }: FilmTile,
  index: number,
  top = 0,
): JsonObject => ({
  type: 'composition',
  x: (index % columns) * width + (width - picture.width) / 2,
  y: top + Math.floor(index / columns) * height + 4,
  x_anchor: '0%',
  y_anchor: '0%',
  width: picture.width,
  height: picture.height,
  border_radius: '6 px',
  clip: true,
});
