/** The shelf: ready-made pieces by kinds, what a search finds among them, and the element that each becomes. Pure. */
import { isJsonObject, type Json, type JsonObject } from '../../../shared/renderscript/source.ts';
import type { PieceContext } from '../making/pieces.ts';
import { messages, say } from '../../ui/say.ts';
import { finder } from '../../ui/search.ts';
import { changes } from './changes.ts';
import { figures } from './figures.ts';
import { grounds } from './grounds.ts';
import { labels } from './labels.ts';
import { foundInLibrary, type LibraryPiece, type ShelfLibrary } from './library.ts';
import type { PieceKey, ShelfItem, ShelfPiece } from './parts.ts';
import { shapes } from './shapes.ts';
import { titles } from './titles.ts';

/**
 * All kinds in the order in which they are shown; their texts are `shelf.kind.ID`, words to find them `shelf.find.ID`.
 */
export const shelfKinds = [
  { id: 'titles', pieces: titles },
  ...labels,
  ...figures,
  ...grounds,
  ...changes,
  { id: 'shapes', pieces: shapes },
] as const satisfies readonly { readonly id: string; readonly pieces: readonly ShelfPiece[] }[];

/** Kinds whose pieces are loaded when they are looked for. */
export const libraryKinds = ['icons', 'emoji'] as const;

/** A kind of pieces. */
type PieceKind = (typeof shelfKinds)[number]['id'];
/** A kind that can be chosen. */
export type ShelfKind = PieceKind | (typeof libraryKinds)[number];

/** A tile of the shelf. */
export type ShelfTile = ShelfPiece | LibraryPiece;

/** The text that names a piece. */
export const keyOf = (piece: ShelfPiece): PieceKey =>
  'label' in piece ? piece.label : `shelf.name.${piece.id}`;

/** What a tile is called. */
export const tileName = (tile: ShelfTile): string =>
  'name' in tile ? tile.name : say(keyOf(tile));

/** Kinds that only films have. */
const movingKinds: readonly string[] = changes.map(({ id }) => id);
/** Whether a kind is of use in a document. @param still It is a picture. */
export const isOfUse = (kind: ShelfKind, still: boolean): boolean =>
  !still || !movingKinds.includes(kind);

/** Every piece with its kind. */
export const shelfPieces: readonly { readonly kind: PieceKind; readonly piece: ShelfPiece }[] =
  shelfKinds.flatMap(({ id, pieces }) => pieces.map((piece) => ({ kind: id, piece })));

/** All tiles of a kind; none of a library that is not there yet. */
export function tilesOf(kind: ShelfKind, library: ShelfLibrary | null): readonly ShelfTile[] {
  if (kind === 'icons' || kind === 'emoji') return library?.[kind] ?? [];
  return shelfKinds.find(({ id }) => id === kind)?.pieces ?? [];
}

/**
 * The pieces that a search finds by their names or the words of their kind, in the window's language or in English;
 * those whose name has it come first, and icons and emoji last, where they are loaded.
 */
export function foundPieces(
  search: string,
  library: ShelfLibrary | null = null,
  still = false,
): readonly ShelfTile[] {
  const finds = finder(search);
  const offered = shelfPieces.filter(({ kind }) => isOfUse(kind, still));
  const named = offered.filter(({ piece }) => finds(tileName(piece), messages[keyOf(piece)]));
  const others = offered.filter(
    (one) =>
      !named.includes(one) &&
      finds(
        tileName(one.piece),
        say(`shelf.kind.${one.kind}`),
        say(`shelf.find.${one.kind}`),
        messages[`shelf.kind.${one.kind}`],
        messages[`shelf.find.${one.kind}`],
      ),
  );
  const pieces = [...named, ...others].map(({ piece }) => piece);
  if (!library) return pieces;
  const whole = libraryKinds.filter((id) =>
    finds(say(`shelf.kind.${id}`), messages[`shelf.kind.${id}`]),
  );
  const inLibrary = [...foundInLibrary(search, library), ...whole.flatMap((id) => library[id])];
  return [...pieces, ...new Set(inLibrary)];
}

/** Where a piece stands: its anchor and the place of that in the frame. */
const places = {
  middle: { x: '50%', y: '50%' },
  low: { x: '6%', y: '90%', x_anchor: '0%', y_anchor: '100%' },
  bottom: { x: '50%', y: '94%', y_anchor: '100%' },
  top: { x: '50%', y: '6%', y_anchor: '0%' },
  corner: { x: '94%', y: '6%', x_anchor: '100%', y_anchor: '0%' },
} as const;

/** Of a tall picture, what apps lay their own words over stays free. */
const tallPlaces = {
  ...places,
  low: { ...places.low, y: '77%' },
  bottom: { ...places.bottom, y: '77%' },
  top: { ...places.top, y: '15%' },
  corner: { ...places.corner, y: '15%' },
} as const;

/**
 * The element of a piece at its place.
 *
 * @param still The document is a picture: everything is as it is once it has come.
 */
export function shelfElement(piece: ShelfItem, context: PieceContext, still = false): JsonObject {
  const { size, at = 'middle', make, isShape, look, seconds } = piece;
  const place = (context.isTall ? tallPlaces : places)[at];
  const sides =
    size === 'whole'
      ? { width: '100%', height: '100%' }
      : { width: context.unit(size[0]), height: context.unit(size[1]) };
  const elements = make(context);
  const [first] = elements;
  // Captions have their own place.
  if (look && first) return first;
  const lasts = seconds !== undefined && { duration: seconds };
  const element: JsonObject =
    isShape === true && first
      ? { ...first, ...place, x_anchor: '50%', y_anchor: '50%', ...sides }
      : { type: 'composition', ...place, ...sides, clip: size === 'whole', ...lasts, elements };
  return still ? atRest(element) : element;
}

/** Without what moves: keyframes have come to their last value. */
function atRest(element: JsonObject): JsonObject {
  const rest: Record<string, Json> = {};
  for (const [name, value] of Object.entries(element)) {
    if (name === 'animations' || value === undefined) continue;
    const last = Array.isArray(value) ? (value as readonly Json[]).at(-1) : undefined;
    if (name === 'elements' && Array.isArray(value))
      rest[name] = (value as readonly Json[]).map((one) => (isJsonObject(one) ? atRest(one) : one));
    else rest[name] = isJsonObject(last) && last.time !== undefined ? (last.value ?? null) : value;
  }
  return rest;
}

/** Whether a piece lies behind all else. */
export const isGround = (piece: ShelfItem): boolean =>
  shelfPieces.some((one) => one.piece === piece && one.kind === 'backgrounds');
