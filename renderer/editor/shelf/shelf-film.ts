/** The film in which pieces of the shelf stand in a tile each, drawn behind their buttons. Pure. */
import type { JsonObject, Source } from '../../../shared/renderscript/source.ts';
import type { PieceContext } from '../making/pieces.ts';
import { tileBox, type FilmTile } from '../preview/film-tiles.ts';
import { shelfElement } from './shelf.ts';
import type { ShelfItem } from './parts.ts';

/** Pixels: of what has words and figures in it, and of shapes. */
export const shelfTiles = {
  pieces: { width: 114, height: 92, picture: { width: 108, height: 64 }, columns: 2 },
  shapes: { width: 76, height: 78, picture: { width: 70, height: 50 }, columns: 3 },
} as const satisfies Readonly<Record<string, FilmTile>>;

/** Seconds of the film, and the moment at which it stands: all has come. */
export const shelfFilm = { duration: 5, moment: 2.2 } as const;

/** Share of a tile's picture that a piece may fill. */
const filled = 0.86;

/** Colours and fonts of the tiles. */
export type TileLook = Pick<PieceContext, 'ink' | 'accent' | 'fonts'> & { readonly ground: string };

/** What passes by is on its way when the film stands; captions, at the foot of a picture, stand in the middle. */
function inTile(element: JsonObject, { seconds, look }: ShelfItem): JsonObject {
  if (look !== undefined) return { ...element, y: '50%', height: '80%' };
  return seconds === undefined ? element : { ...element, time: shelfFilm.moment - seconds * 0.32 };
}

/** The film of these pieces. */
export function filmOfShelf(
  pieces: readonly ShelfItem[],
  tile: FilmTile,
  { ground, ink, accent, fonts }: TileLook,
): Source {
  const elements = pieces.map((piece, index): JsonObject => {
    const { width, height } = tile.picture;
    const [wide, tall] = piece.size === 'whole' ? [null, null] : piece.size;
    // Hundredths of the frame's smaller side, as large as the piece can be shown.
    const pixel =
      wide === null
        ? Math.min(width, height) / 100
        : Math.min((width * filled) / wide, (height * filled) / tall);
    const context: PieceContext = {
      unit: (hundredths) => `${Number((hundredths * pixel).toFixed(2))} px`,
      ...{ ink, accent, fonts, letters: { fill_color: ink }, logo: null, isTall: false },
    };
    return {
      ...tileBox(tile, index),
      // What passes by would end its tile, too.
      duration: shelfFilm.duration,
      fill_color: ground,
      elements: [inTile(shelfElement({ ...piece, at: 'middle' }, context), piece)],
    };
  });
  return {
    output_format: 'gif',
    width: tile.width * tile.columns,
    height: Math.ceil(pieces.length / tile.columns) * tile.height,
    duration: shelfFilm.duration,
    frame_rate: 15,
    elements,
  };
}
