/** The shelf: ready-made pieces by kinds, what a search finds among them, and the element that each becomes. Pure. */
import { isJsonObject, type Json, type JsonObject } from '../../../shared/renderscript/source.ts';
import type { PieceContext } from '../making/pieces.ts';
import { messages, say } from '../../ui/say.ts';
import { finder } from '../../ui/search.ts';
import { figures } from './figures.ts';
import { grounds } from './grounds.ts';
import { labels } from './labels.ts';
import type { ShelfPiece } from './parts.ts';
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
  { id: 'shapes', pieces: shapes },
] as const satisfies readonly { readonly id: string; readonly pieces: readonly ShelfPiece[] }[];

/** A kind of pieces. */
export type ShelfKind = (typeof shelfKinds)[number]['id'];

/** Every piece with its kind. */
export const shelfPieces: readonly { readonly kind: ShelfKind; readonly piece: ShelfPiece }[] =
  shelfKinds.flatMap(({ id, pieces }) => pieces.map((piece) => ({ kind: id, piece })));

/**
 * The pieces that a search finds by their names or the words of their kind, in the window's language or in English;
 * those whose name has it come first.
 */
export function foundPieces(search: string): readonly ShelfPiece[] {
  const finds = finder(search);
  const named = shelfPieces.filter(({ piece: { id } }) =>
    finds(say(`shelf.name.${id}`), messages[`shelf.name.${id}`]),
  );
  const others = shelfPieces.filter(
    (one) =>
      !named.includes(one) &&
      finds(
        say(`shelf.name.${one.piece.id}`),
        say(`shelf.kind.${one.kind}`),
        say(`shelf.find.${one.kind}`),
        messages[`shelf.kind.${one.kind}`],
        messages[`shelf.find.${one.kind}`],
      ),
  );
  return [...named, ...others].map(({ piece }) => piece);
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
export function shelfElement(piece: ShelfPiece, context: PieceContext, still = false): JsonObject {
  const { size, at = 'middle', make, isShape } = piece;
  const place = (context.isTall ? tallPlaces : places)[at];
  const sides =
    size === 'whole'
      ? { width: '100%', height: '100%' }
      : { width: context.unit(size[0]), height: context.unit(size[1]) };
  const elements = make(context);
  const [first] = elements;
  const element: JsonObject =
    isShape === true && first
      ? { ...first, ...place, x_anchor: '50%', y_anchor: '50%', ...sides }
      : { type: 'composition', ...place, ...sides, clip: size === 'whole', elements };
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
export const isGround = (piece: ShelfPiece): boolean =>
  shelfPieces.some((one) => one.piece === piece && one.kind === 'backgrounds');
