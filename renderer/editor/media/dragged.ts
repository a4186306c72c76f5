/** What is dragged out of the add panel: a piece by its name, one of the shelf, or files of the media library. Pure. */
import { z } from 'zod/mini';
import { mediaKinds, type MediaKind } from '../../../shared/renderscript/source.ts';

/** The kind under which browsers carry it. */
const kind = 'application/x-framewright-thing';

const thing = z.union([
  z.object({ piece: z.string() }),
  // The element as text of JSON.
  z.object({ word: z.string(), element: z.string(), isScene: z.boolean() }),
  z.object({
    media: z.array(
      z.object({
        kind: z.enum(mediaKinds),
        source: z.string(),
        width: z.number(),
        height: z.number(),
        duration: z.number(),
        name: z.string(),
      }),
    ),
  }),
]);

export type Dragged = z.infer<typeof thing>;

/** What is being dragged out of this page: a drag itself only says what it carries when it is dropped. */
let held: Dragged | null = null;

/** What is being dragged out of this page; null for anything else. */
export const inHand = (transfer: DataTransfer | null): Dragged | null =>
  carries(transfer) ? held : null;

/** Gives a drag what it carries. */
export function carry(transfer: DataTransfer | null, what: Dragged): void {
  transfer?.setData(kind, JSON.stringify(what));
  held = what;
  // Until it is dropped, only the names of what it carries can be read; a film of several replaces nothing.
  if ('media' in what && what.media.length === 1)
    transfer?.setData(`${kind}-${what.media[0]?.kind ?? ''}`, '');
  if (transfer) transfer.effectAllowed = 'copy';
}

/** Whether a drag carries such a thing; what it is can only be read when it is dropped. */
export function carries(transfer: DataTransfer | null): boolean {
  return transfer?.types.includes(kind) === true;
}

/** The kind of the file that a drag carries; null for a piece, or anything else. */
export function carriedKind(transfer: DataTransfer | null): MediaKind | null {
  const isCarried = (one: string): boolean => transfer?.types.includes(`${kind}-${one}`) === true;
  return mediaKinds.find(isCarried) ?? null;
}

/** What was dropped; null for anything else. */
export function dropped(transfer: DataTransfer | null): Dragged | null {
  const text = transfer?.getData(kind) ?? '';
  if (text === '') return null;
  try {
    return thing.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
